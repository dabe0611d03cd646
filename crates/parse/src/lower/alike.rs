//! Whether the values of scalar sets are treated alike.
//!
//! They are as long as they are only stored, compared with values of the same set, and used as indices of
//! what the set indexes: then exchanging two values everywhere changes nothing. Whatever else happens to
//! them tells them apart, and the set is noted as such.

use tioga_model::Type;

use super::Lowering;
use super::scope::{Constant, Dimension, Meaning};
use super::system::Prepared;
use crate::syntax::{Expr, ExprKind};

impl Lowering<'_> {
    /// Notes that values of this type are told apart.
    pub(super) fn distinguishes(&mut self, ty: &Type) {
        match ty {
            Type::Scalar { set, .. } => self.network.scalars.distinguish(*set),
            Type::Array { element, set, .. } => {
                set.iter().for_each(|set| self.network.scalars.distinguish(*set));
                self.distinguishes(element);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, field)| self.distinguishes(field)),
            _ => {}
        }
    }

    /// Notes that values of one type are compared with, or stored as, values of another.
    pub(super) fn paired(&mut self, one: &Type, other: &Type) {
        match (one, other) {
            (Type::Scalar { set: a, .. }, Type::Scalar { set: b, .. }) if a == b => {}
            (
                Type::Array { element: a, set: left, .. },
                Type::Array { element: b, set: right, .. },
            ) if left == right => self.paired(a, b),
            (Type::Record(a), Type::Record(b)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|((_, a), (_, b))| self.paired(a, b));
            }
            _ => {
                self.distinguishes(one);
                self.distinguishes(other);
            }
        }
    }

    /// Notes that an element of an array is chosen by a value.
    pub(super) fn indexed_by(&mut self, dimension: Dimension, index: &Type) {
        let given = match index {
            Type::Scalar { set, .. } => Some(*set),
            _ => None,
        };
        if given != dimension.set {
            for set in given.into_iter().chain(dimension.set) {
                self.network.scalars.distinguish(set);
            }
        }
    }

    /// Whether two arrays have the same dimensions.
    pub(super) fn same_dimensions(&mut self, one: &[Dimension], other: &[Dimension]) -> bool {
        let plain = |all: &[Dimension]| all.iter().map(|d| (d.first, d.length)).collect::<Vec<_>>();
        if plain(one) != plain(other) {
            return false;
        }
        for (a, b) in one.iter().zip(other).filter(|(a, b)| a.set != b.set) {
            for set in a.set.into_iter().chain(b.set) {
                self.network.scalars.distinguish(set);
            }
        }
        true
    }

    /// Notes which values of scalar sets tell the process just added from others.
    pub(super) fn note_process(&mut self, prepared: &Prepared<'_>) {
        let mut family =
            format!("{:?} {:?} {:?}", prepared.template.span, prepared.span, prepared.role);
        let mut values = Vec::new();
        for (_, meaning) in &prepared.bindings {
            match meaning {
                Meaning::Constant(Constant::Int(value), Type::Scalar { set, .. }) => {
                    values.push((*set, *value));
                    family.push_str(" scalar");
                }
                other => family.push_str(&format!(" {other:?}")),
            }
        }
        let fresh = u32::try_from(self.families.len()).expect("the number of processes is limited");
        let family = *self.families.entry(family).or_insert(fresh);
        self.network.scalars.processes.push((family, values));
    }

    /// Notes how a query or purpose chooses a process: by values of scalar sets, or by naming one.
    pub(super) fn process_indexed(&mut self, expr: &Expr, name: &str) {
        let position = self.network.processes.iter().position(|process| process.name == name);
        let Some((_, values)) = position.and_then(|at| self.network.scalars.processes.get(at))
        else {
            return;
        };
        let needed: Vec<u32> = values.iter().map(|(set, _)| *set).collect();
        let mut given = Vec::new();
        if let ExprKind::Call(_, arguments) = &expr.kind {
            for argument in arguments {
                if let ExprKind::Name(name) = &argument.kind
                    && let Some(symbol) = self.scopes.find(name)
                    && let Meaning::Constant(_, Type::Scalar { set, .. }) = symbol.meaning
                {
                    given.push(set);
                }
            }
        }
        if given != needed {
            needed.iter().for_each(|set| self.network.scalars.distinguish(*set));
        }
    }
}
