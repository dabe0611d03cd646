//! Which values expressions have, as far as the text says.

use crate::{Base, BinaryOp, Code, Expr, ExprId, Kind, Lvalue, Slot, UnaryOp};

/// Values beyond this are not computed with.
pub(crate) const LARGEST: i64 = 1 << 40;

/// The least and the greatest value.
type Bounds = (i64, i64);

impl Slot {
    /// The least and the greatest value, as declared.
    pub(crate) fn values(&self) -> Option<Bounds> {
        match (self.kind, self.range) {
            (Kind::Bool, _) => Some((0, 1)),
            (Kind::Int, Some(range)) => Some((range.min, range.max)),
            _ => None,
        }
    }
}

impl Code {
    /// The least and the greatest value of an expression that has a value in every state and changes nothing, if the
    /// data slots of the state have values within those of `slot`.
    pub(crate) fn values(
        &self,
        expr: ExprId,
        slot: &dyn Fn(u32) -> Option<Bounds>,
    ) -> Option<Bounds> {
        let node = &self.nodes[expr];
        if node.kind == Kind::Rational {
            return None;
        }
        let of = |expr: &ExprId| self.values(*expr, slot);
        let (low, high) = match &node.expr {
            Expr::Int(value) => (*value, *value),
            Expr::Load(place) => self.values_at(place, slot)?,
            Expr::Unary(op, operand) => {
                let (low, high) = of(operand)?;
                match op {
                    UnaryOp::Neg => (-high, -low),
                    UnaryOp::Plus => (low, high),
                    UnaryOp::Not => (0, 1),
                }
            }
            Expr::Binary(op, left, right) => {
                let ((a, b), (c, d)) = (of(left)?, of(right)?);
                match op {
                    BinaryOp::Add => (a + c, b + d),
                    BinaryOp::Sub => (a - d, b - c),
                    BinaryOp::Min => (a.min(c), b.min(d)),
                    BinaryOp::Max => (a.max(c), b.max(d)),
                    BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Imply => (0, 1),
                    _ => return None,
                }
            }
            Expr::At(..) => (0, 1),
            _ => return None,
        };
        (-LARGEST <= low && high <= LARGEST).then_some((low, high))
    }

    /// The same for what is at a place whose indices are in their ranges in every state.
    fn values_at(&self, place: &Lvalue, slot: &dyn Fn(u32) -> Option<Bounds>) -> Option<Bounds> {
        for dynamic in &place.indices {
            let (low, high) = self.values(dynamic.index, slot)?;
            let last = dynamic.first.checked_add(i64::from(dynamic.length) - 1)?;
            if low < dynamic.first || high > last {
                return None;
            }
        }
        let end = u32::try_from(place.extent(1)).ok()?;
        let mut all = (place.offset..end).map(|at| match place.base {
            Base::Global => slot(at),
            Base::Constant => self.constants.get(at as usize).map(|value| (*value, *value)),
            Base::Frame | Base::Reference(_) => None,
        });
        let first = all.next()??;
        all.try_fold(first, |(low, high), next| {
            let (least, greatest) = next?;
            Some((low.min(least), high.max(greatest)))
        })
    }
}
