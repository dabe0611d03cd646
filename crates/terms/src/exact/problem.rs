//! One question: its variables, and its formula as nodes over them; and the way back to formulas.

use std::collections::BTreeMap;

use tioga_base::Rational;

use crate::{Comparison, Formula, Names, Operation, Operator, Part, Relation, Sort};
use crate::{SymbolId, Symbols, Term};

use super::domain::Domain;
use super::number::{Number, gcd, mul};
use super::row::{Atom, Kind, Normal, Row, Var};
use super::stop::Stop;

/// The place of a node in [`Problem::nodes`].
pub(super) type NodeId = u32;

/// A formula over variables.
#[derive(Clone, Debug)]
pub(super) enum Node {
    True,
    False,
    Atom(Atom),
    And(Vec<NodeId>),
    Or(Vec<NodeId>),
    /// Contains an operation that is not linear; which one is said by [`Problem::opaque`].
    Opaque,
}

/// The variables and nodes of a question.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// The symbol that a variable stands for; none if it stands for the result of an operation.
    pub(super) symbols: Vec<Option<SymbolId>>,
    /// What is known of each variable from the start.
    pub(super) domains: Vec<Domain>,
    pub(super) nodes: Vec<Node>,
    /// The formulas that were assumed.
    pub(super) roots: Vec<NodeId>,
    /// What must hold as well, because it says what the variables for operations are.
    pub(super) sides: Vec<NodeId>,
    /// The first operation that is not linear.
    pub(super) opaque: Option<Box<Operation>>,
    known: BTreeMap<SymbolId, Var>,
    quotients: BTreeMap<(Row, i128), Var>,
}

/// How much there is of a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    nodes: usize,
    vars: usize,
    sides: usize,
    roots: usize,
    opaque: bool,
}

impl Problem {
    pub(super) fn integer(&self, var: Var) -> bool {
        self.domains[var as usize].integer
    }

    /// How much there is, to go back to.
    pub(super) fn size(&self) -> Size {
        let opaque = self.opaque.is_some();
        Size {
            nodes: self.nodes.len(),
            vars: self.domains.len(),
            sides: self.sides.len(),
            roots: self.roots.len(),
            opaque,
        }
    }

    /// Forgets what came after a size.
    pub(super) fn shrink(&mut self, size: Size) {
        self.nodes.truncate(size.nodes);
        self.sides.truncate(size.sides);
        self.roots.truncate(size.roots);
        if self.domains.len() > size.vars {
            self.domains.truncate(size.vars);
            self.symbols.truncate(size.vars);
            self.known.retain(|_, var| (*var as usize) < size.vars);
            self.quotients.retain(|_, var| (*var as usize) < size.vars);
        }
        if !size.opaque {
            self.opaque = None;
        }
    }

    /// The variable of a symbol.
    pub(super) fn variable(&mut self, symbols: &Symbols, symbol: SymbolId) -> Var {
        if let Some(var) = self.known.get(&symbol) {
            return *var;
        }
        let declared = &symbols[symbol];
        let bound = |value: Option<i64>| value.map(|value| Number::int(i128::from(value)));
        let var = self.fresh(Domain {
            low: bound(declared.low),
            high: bound(declared.high),
            integer: declared.sort == Sort::Int,
            ..Domain::default()
        });
        self.symbols[var as usize] = Some(symbol);
        self.known.insert(symbol, var);
        var
    }

    /// The first operation that is not linear, as the reason for no answer.
    pub(super) fn nonlinear(&self, symbols: &Symbols) -> Option<Stop> {
        let part = Part::Operation(self.opaque.clone()?);
        let term = Term::from_parts(vec![(part, Rational::ONE)], Rational::ZERO);
        Some(Stop::Nonlinear(Names(symbols, &term).to_string()))
    }

    pub(super) fn fresh(&mut self, domain: Domain) -> Var {
        self.symbols.push(None);
        self.domains.push(domain);
        self.domains.len() as Var - 1
    }

    pub(super) fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    pub(super) fn atom(&mut self, row: Row, kind: Kind) -> Result<NodeId, Stop> {
        let node = match (Atom { row, kind }).normal(|var| self.integer(var))? {
            Normal::True => Node::True,
            Normal::False => Node::False,
            Normal::Atom(atom) => Node::Atom(atom),
        };
        Ok(self.node(node))
    }

    /// A formula as a node.
    pub(super) fn lower(&mut self, symbols: &Symbols, formula: &Formula) -> Result<NodeId, Stop> {
        match formula {
            Formula::True => Ok(self.node(Node::True)),
            Formula::False => Ok(self.node(Node::False)),
            Formula::And(parts) => {
                let parts = parts.iter().map(|part| self.lower(symbols, part));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(self.node(Node::And(parts)))
            }
            Formula::Or(parts) => {
                let parts = parts.iter().map(|part| self.lower(symbols, part));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(self.node(Node::Or(parts)))
            }
            Formula::Compare(Comparison { term, relation }) => {
                let kind = match relation {
                    Relation::Zero => Kind::Zero,
                    Relation::NotZero => Kind::NotZero,
                    Relation::AtMostZero => Kind::AtMost,
                    Relation::BelowZero => Kind::Below,
                };
                match self.row(symbols, term)? {
                    Some((row, _)) => self.atom(row, kind),
                    None => Ok(self.node(Node::Opaque)),
                }
            }
            Formula::Divides { divisor, term, holds } => {
                let Some((row, multiple)) = self.row(symbols, term)? else {
                    return Ok(self.node(Node::Opaque));
                };
                if row.parts.iter().any(|(var, _)| !self.integer(*var)) {
                    return Err(Stop::NoInteger(Names(symbols, term).to_string()));
                }
                let divisor = mul(i128::from(*divisor), multiple)?;
                let kind = if *holds { Kind::Divides(divisor) } else { Kind::NotDivides(divisor) };
                self.atom(row, kind)
            }
        }
    }

    /// A term times a positive number, and that number; nothing if it is not linear.
    fn row(&mut self, symbols: &Symbols, term: &Term) -> Result<Option<(Row, i128)>, Stop> {
        let mut multiple = i128::from(term.constant().denominator());
        for (_, factor) in term.parts() {
            let below = i128::from(factor.denominator());
            if below == 1 {
                continue;
            }
            multiple = mul(multiple / gcd(multiple, below), below)?;
        }
        let scaled = |number: Rational| {
            if multiple == 1 {
                return Ok(i128::from(number.numerator()));
            }
            let below = i128::from(number.denominator());
            mul(i128::from(number.numerator()), multiple / below)
        };
        let mut row = Row::constant(scaled(term.constant())?);
        let mut last = None;
        for (part, factor) in term.parts() {
            let factor = scaled(*factor)?;
            match part {
                Part::Symbol(symbol) => {
                    let var = self.variable(symbols, *symbol);
                    if last.is_none_or(|last| last < var) {
                        row.parts.push((var, factor));
                        last = Some(var);
                    } else {
                        row = row.combine(1, &Row::variable(var, 1), factor)?;
                    }
                }
                Part::Operation(operation) => {
                    let Some(value) = self.operation(symbols, operation)? else {
                        self.opaque.get_or_insert_with(|| operation.clone());
                        // The values of its symbols are part of the answer, too.
                        let mut inside = std::collections::BTreeSet::new();
                        term.symbols(&mut inside);
                        for symbol in inside {
                            self.variable(symbols, symbol);
                        }
                        return Ok(None);
                    };
                    row = row.combine(1, &value, factor)?;
                    last = Some(Var::MAX);
                }
            }
        }
        Ok(Some((row, multiple)))
    }

    /// The result of an operation on integers with a constant on the right; nothing for others.
    fn operation(&mut self, symbols: &Symbols, operation: &Operation) -> Result<Option<Row>, Stop> {
        let Operation { operator, left, right } = operation;
        let right = right.as_number().and_then(Rational::to_integer);
        let (Some(right), true) = (right, left.is_integer(symbols)) else { return Ok(None) };
        if !matches!(operator, Operator::Quotient | Operator::Remainder) || right == 0 {
            return Ok(None);
        }
        let Some((left, _)) = self.row(symbols, left)? else { return Ok(None) };
        let right = i128::from(right);
        let quotient = self.quotient(&left, right)?;
        Ok(Some(match operator {
            Operator::Quotient => Row::variable(quotient, 1),
            _ => left.combine(1, &Row::variable(quotient, 1), -right)?,
        }))
    }

    /// A variable for `left / right`, rounded towards zero, with the condition that says so.
    fn quotient(&mut self, left: &Row, right: i128) -> Result<Var, Stop> {
        if let Some(var) = self.quotients.get(&(left.clone(), right)) {
            return Ok(*var);
        }
        let var = self.fresh(Domain { integer: true, ..Domain::default() });
        self.quotients.insert((left.clone(), right), var);
        let rest = left.combine(1, &Row::variable(var, 1), -right)?;
        let most = right.abs() - 1;
        let positive = [
            self.atom(left.negative(), Kind::AtMost)?,
            self.atom(rest.negative(), Kind::AtMost)?,
            self.atom(rest.plus(-most)?, Kind::AtMost)?,
        ];
        let negative = [
            self.atom(left.plus(1)?, Kind::AtMost)?,
            self.atom(rest.clone(), Kind::AtMost)?,
            self.atom(rest.negative().plus(-most)?, Kind::AtMost)?,
        ];
        let positive = self.node(Node::And(positive.to_vec()));
        let negative = self.node(Node::And(negative.to_vec()));
        let side = self.node(Node::Or(vec![positive, negative]));
        self.sides.push(side);
        Ok(var)
    }

    /// Whether a node holds with these values; an opaque one does if `generous`.
    pub(super) fn holds(
        &self,
        node: NodeId,
        values: &[Number],
        generous: bool,
    ) -> Result<bool, Stop> {
        match &self.nodes[node as usize] {
            Node::True => Ok(true),
            Node::False => Ok(false),
            Node::Opaque => Ok(generous),
            Node::Atom(atom) => atom.holds(values),
            Node::And(parts) => {
                for part in parts {
                    if !self.holds(*part, values, generous)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.holds(*part, values, generous)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// An atom as a formula. Pre: all its variables stand for symbols.
    pub(super) fn raise(&self, symbols: &Symbols, atom: &Atom) -> Result<Formula, Stop> {
        let small = |number: i128| {
            let number = i64::try_from(number).map_err(|_| Stop::Overflow)?;
            Ok(Rational::from(number))
        };
        let mut parts = Vec::with_capacity(atom.row.parts.len());
        for (var, factor) in &atom.row.parts {
            let symbol = self.symbols[*var as usize].ok_or(Stop::Overflow)?;
            parts.push((Part::Symbol(symbol), small(*factor)?));
        }
        parts.sort();
        let term = Term::from_parts(parts, small(atom.row.constant)?);
        let formula = match atom.kind {
            Kind::Zero => Formula::compare(symbols, term, Relation::Zero),
            Kind::NotZero => Formula::compare(symbols, term, Relation::NotZero),
            Kind::AtMost => Formula::compare(symbols, term, Relation::AtMostZero),
            Kind::Below => Formula::compare(symbols, term, Relation::BelowZero),
            Kind::Divides(divisor) | Kind::NotDivides(divisor) => {
                let holds = matches!(atom.kind, Kind::Divides(_));
                let divisor = i64::try_from(divisor).map_err(|_| Stop::Overflow)?;
                Formula::divides(divisor, term, holds)
            }
        };
        formula.map_err(|_| Stop::Overflow)
    }
}
