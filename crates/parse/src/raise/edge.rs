//! Edges and what they show.

use tioga_base::{Id, Span};
use tioga_model::{
    BinaryOp, ChannelId, ChannelUse, Condition, Conjunct, Control, Direction, Edge, Expr as Code,
    ExprId, Label, Local, Lvalue, Network, Role, Type,
};

use super::refused::{Raised, Refused};
use super::tree::{action, int, name, named};
use super::view::View;
use crate::lower::kind_of;
use crate::syntax::{ActionUse, Communication, EdgeDecl, Expr, Target};

/// Which comparisons of received values are written as values in their place.
#[derive(Clone, Copy)]
pub enum Asking<'a> {
    /// All with constants.
    Constants,
    /// Those of these parameters.
    For(&'a [bool]),
}

/// Values that are asked for by position, and what else a guard says.
#[derive(PartialEq, Debug)]
pub struct Asked {
    pub values: Vec<Option<ExprId>>,
    pub rest: Condition,
}

impl View<'_> {
    /// An edge. `names` says what the values are called that it receives; `usual` is the control it
    /// would have anyway.
    pub fn edge(&mut self, edge: &Edge, names: &[String], usual: Control) -> Raised<EdgeDecl> {
        let before = self.bind(edge, names);
        let written = self.body(edge);
        self.frame.truncate(before);
        let control = (edge.control != usual).then_some(edge.control);
        written.map(|written| EdgeDecl { control, ..written })
    }

    fn body(&mut self, edge: &Edge) -> Raised<EdgeDecl> {
        let source = name(self.location(self.own, edge.source)?);
        let target = name(self.location(self.own, edge.target)?);
        let mut asked = self.asked(edge, Asking::Constants);
        let (mut guard, mut updates, mut reply) = self.rest(edge, &asked)?;
        // A value that is also read needs its name.
        let read = self.parameters_read(edge);
        let fixed = asked.values.iter().zip(&read).map(|(value, read)| value.is_some() && !read);
        let fixed: Vec<bool> = fixed.collect();
        if asked.values.iter().zip(&fixed).any(|(value, fixed)| value.is_some() && !fixed) {
            asked = self.asked(edge, Asking::For(&fixed));
            (guard, updates, reply) = self.rest(edge, &asked)?;
        }
        let action = self.action(edge, &asked)?;
        let target = if edge.source == edge.target {
            Target::Same(Span::default())
        } else {
            Target::Location(target)
        };
        let (sources, selects, span) = (vec![source], Vec::new(), Span::default());
        let control = None;
        Ok(EdgeDecl { sources, target, control, action, reply, selects, guard, updates, span })
    }

    /// The guard as far as the action does not say it, the updates and the reply.
    fn rest(
        &mut self,
        edge: &Edge,
        asked: &Asked,
    ) -> Raised<(Option<Expr>, Vec<Expr>, Option<ActionUse>)> {
        self.frame_read = false;
        self.slots_read.clear();
        let guard = self.condition(&asked.rest)?;
        let updates = self.updates(&edge.updates)?;
        let reply = match &edge.reply {
            Some(reply) => Some(self.sent(reply)?),
            None => None,
        };
        Ok((guard, updates, reply))
    }

    /// Which received values were read.
    fn parameters_read(&self, edge: &Edge) -> Vec<bool> {
        let mut slot = 0;
        let mut read = Vec::new();
        for ty in self.received(edge) {
            let end = slot + u32::try_from(ty.slots()).unwrap_or(u32::MAX);
            read.push(self.slots_read.iter().any(|one| (slot..end).contains(one)));
            slot = end;
        }
        read
    }

    /// Gives the values that an edge receives names, and says how many names there were before.
    pub fn bind(&mut self, edge: &Edge, names: &[String]) -> usize {
        let before = self.frame.len();
        if edge.frame == 0 {
            return before;
        }
        let mut slot = 0;
        for (position, ty) in self.received(edge).iter().enumerate() {
            let wish = names.get(position).filter(|name| !name.is_empty());
            let wish = wish.cloned().unwrap_or_else(|| format!("v{}", position + 1));
            let name = self.unused(&wish);
            self.frame.push(Local { name, ty: ty.clone(), slot, reference: false });
            slot += u32::try_from(ty.slots()).unwrap_or(u32::MAX);
        }
        before
    }

    /// The types of the values that fill the frame of an edge.
    fn received(&self, edge: &Edge) -> Vec<Type> {
        match &edge.label {
            Label::Receive(used) => self.network.channels[used.channel].parameters.clone(),
            // Who observes also looks at what is sent.
            Label::Send(used) if edge.frame > 0 => {
                self.network.channels[used.channel].parameters.clone()
            }
            _ => Vec::new(),
        }
    }

    /// The values that all alternatives of a guard ask for first, and the rest of the guard.
    pub fn asked(&self, edge: &Edge, asking: Asking<'_>) -> Asked {
        let types = self.received(edge);
        let mut common: Option<Vec<Option<ExprId>>> = None;
        let mut rest = Vec::new();
        for conjunct in &edge.guard.disjuncts {
            let (values, data) = self.asked_first(conjunct, &types, asking);
            if common.get_or_insert_with(|| values.clone()) != &values {
                common = None;
                break;
            }
            rest.push((data, conjunct));
        }
        let nothing = || Asked { values: vec![None; types.len()], rest: edge.guard.clone() };
        let Some(values) = common.filter(|values| values.iter().any(Option::is_some)) else {
            return nothing();
        };
        // What is left must still be an expression of the network.
        let mut disjuncts = Vec::new();
        for (data, conjunct) in rest {
            let Ok(data) = data else { return nothing() };
            disjuncts.push(Conjunct { data, clocks: conjunct.clocks.clone() });
        }
        Asked { values, rest: Condition { disjuncts } }
    }

    /// The values a conjunction asks for first, and its remaining data condition if that is one
    /// expression.
    fn asked_first(
        &self,
        conjunct: &Conjunct,
        types: &[Type],
        asking: Asking<'_>,
    ) -> (Vec<Option<ExprId>>, Result<Option<ExprId>, ()>) {
        let mut values = vec![None; types.len()];
        let Some(data) = conjunct.data else { return (values, Ok(None)) };
        let parts = self.conjuncts(data);
        let mut taken = 0;
        while let Some((position, value)) =
            parts.get(taken).and_then(|part| self.wanted(*part, types, asking))
            && values[position..].iter().all(Option::is_none)
        {
            values[position] = Some(value);
            taken += 1;
        }
        let rest = match &parts[taken..] {
            [] => Ok(None),
            _ if taken == 0 => Ok(Some(data)),
            [one] => Ok(Some(*one)),
            many => self.tail(data, many).map(Some).ok_or(()),
        };
        (values, rest)
    }

    /// The expression in a conjunction that has exactly these parts.
    fn tail(&self, data: ExprId, parts: &[ExprId]) -> Option<ExprId> {
        let mut at = data;
        loop {
            if self.conjuncts(at) == parts {
                return Some(at);
            }
            match self.network.code.nodes[at].expr {
                Code::Binary(BinaryOp::And, _, right) => at = right,
                _ => return None,
            }
        }
    }

    /// The parameter and its value if a condition compares a received value with one that can stand
    /// in its place.
    fn wanted(&self, expr: ExprId, types: &[Type], asking: Asking<'_>) -> Option<(usize, ExprId)> {
        let code = &self.network.code;
        let Code::Binary(BinaryOp::Eq, left, value) = code.nodes[expr].expr else { return None };
        let Code::Load(place) = &code.nodes[left].expr else { return None };
        let mut slot = 0;
        let position = types.iter().position(|ty| {
            let here = *place == Lvalue::frame(slot);
            slot += u32::try_from(ty.slots()).unwrap_or(u32::MAX);
            here
        })?;
        if let Asking::For(these) = asking {
            return these.get(position).is_some_and(|this| *this).then_some((position, value));
        }
        let constant = match &code.nodes[value].expr {
            Code::Int(constant) => {
                types[position].bounds().is_none_or(|(min, max)| (min..=max).contains(constant))
            }
            Code::Rational(_) => true,
            _ => false,
        };
        let same = code.nodes[value].kind == kind_of(&types[position]);
        (constant && same).then_some((position, value))
    }

    /// What an edge shows.
    pub fn action(&mut self, edge: &Edge, asked: &Asked) -> Raised<Option<ActionUse>> {
        Ok(Some(match &edge.label {
            Label::Silent => return Ok(None),
            Label::Plain(id) => {
                let text = self.actions.get(id.index());
                let text = text.ok_or_else(|| Refused::new("an action that is not declared"))?;
                action(text, Communication::Plain)
            }
            Label::Send(used) if edge.frame == 0 => self.sent(used)?,
            Label::Send(used) => {
                let arguments = self.bound(edge, asked)?;
                self.used(used, arguments, Communication::Send)?
            }
            Label::Receive(used) => {
                let arguments = self.bound(edge, asked)?;
                self.used(used, arguments, Communication::Receive)?
            }
        }))
    }

    /// The values and names in the place of received values; none if no name is used.
    fn bound(&mut self, edge: &Edge, asked: &Asked) -> Raised<Vec<Expr>> {
        let read = self.frame_read || asked.values.iter().any(Option::is_some);
        if edge.frame == 0 || !read {
            return Ok(Vec::new());
        }
        let first = self.frame.len().saturating_sub(asked.values.len());
        let names: Vec<String> = self.frame[first..].iter().map(|l| l.name.clone()).collect();
        let mut arguments = Vec::new();
        for (value, text) in asked.values.iter().zip(names) {
            arguments.push(match value {
                Some(value) => self.converted(*value)?,
                None => named(text),
            });
        }
        Ok(arguments)
    }

    /// A channel with the values that are sent.
    pub fn sent(&mut self, used: &ChannelUse) -> Raised<ActionUse> {
        let mut arguments = Vec::new();
        for argument in &used.arguments {
            arguments.push(self.converted(*argument)?);
        }
        self.used(used, arguments, Communication::Send)
    }

    /// A channel on an edge.
    pub fn used(
        &mut self,
        used: &ChannelUse,
        arguments: Vec<Expr>,
        communication: Communication,
    ) -> Raised<ActionUse> {
        let (text, row, position) = self.channel(used.channel)?;
        let indices = match used.index {
            None => self.channels[row].indices(position).into_iter().map(int).collect(),
            Some((index, length)) => self.channel_indices(row, position, index, length)?,
        };
        let (name, span) = (name(text), Span::default());
        Ok(ActionUse { name, indices, arguments, communication, span })
    }

    /// The indices that were made one position in an array of channels.
    fn channel_indices(
        &mut self,
        row: usize,
        position: usize,
        index: ExprId,
        length: u32,
    ) -> Raised<Vec<Expr>> {
        let dimensions = self.channels[row].dimensions.clone();
        let text = self.channel_names[row].name.clone();
        if position != 0 || self.channels[row].len() != length as usize {
            return Err(Refused::new(format!("only a part of the array `{text}` is indexed")));
        }
        if let [(first, _)] = dimensions[..] {
            let code = &self.network.code;
            let plain = match code.nodes[index].expr {
                Code::Binary(BinaryOp::Mul, plain, one) if code.constant(one) == Some(1) => plain,
                _ => index,
            };
            return Ok(vec![self.index_from(plain, first)?]);
        }
        let unknown = || Refused::new(format!("the indices of `{text}` are one computed number"));
        let (mut parts, fixed) = self.index_parts(index).ok_or_else(unknown)?;
        let mut rest = usize::try_from(fixed).map_err(|_| unknown())?;
        let mut stride = length;
        let mut indices = Vec::new();
        for (first, own) in dimensions {
            stride /= own;
            let next = parts.first().filter(|(_, factor)| *factor == i64::from(stride));
            if let Some(inner) = next.and_then(|(part, _)| self.confined(*part, own, length)) {
                parts.remove(0);
                indices.push(self.index_from(inner, first)?);
            } else {
                let at = i64::try_from(rest / stride as usize).unwrap_or(i64::MAX);
                rest %= stride as usize;
                indices.push(int(first.saturating_add(at)));
            }
        }
        if parts.is_empty() && rest == 0 { Ok(indices) } else { Err(unknown()) }
    }

    /// A sum of products with constants, and a constant.
    fn index_parts(&self, index: ExprId) -> Option<(Vec<(ExprId, i64)>, i64)> {
        let code = &self.network.code;
        let (mut at, mut fixed) = (index, 0);
        if let Code::Binary(BinaryOp::Add, inner, shift) = code.nodes[at].expr
            && let Some(shift) = code.constant(shift)
        {
            (at, fixed) = (inner, shift);
        }
        let mut parts = Vec::new();
        loop {
            let (last, before) = match code.nodes[at].expr {
                Code::Binary(BinaryOp::Add, before, last) => (last, Some(before)),
                _ => (at, None),
            };
            let Code::Binary(BinaryOp::Mul, inner, factor) = code.nodes[last].expr else {
                return None;
            };
            parts.push((inner, code.constant(factor)?));
            match before {
                Some(before) => at = before,
                None => break,
            }
        }
        parts.reverse();
        Some((parts, fixed))
    }

    /// The index inside the check that it stays in its dimension; lowering puts that around all
    /// indices of dimensions which are not the whole.
    fn confined(&self, expr: ExprId, length: u32, total: u32) -> Option<ExprId> {
        let code = &self.network.code;
        if length == total {
            return Some(expr);
        }
        let Code::Conditional(inside, inner, _) = code.nodes[expr].expr else { return None };
        let Code::Binary(BinaryOp::And, _, below) = code.nodes[inside].expr else { return None };
        let Code::Binary(BinaryOp::Lt, _, end) = code.nodes[below].expr else { return None };
        (code.constant(end) == Some(i64::from(length))).then_some(inner)
    }
}

/// The control of an edge that does not declare it.
pub fn usual_control(network: &Network, role: Role, edge: &Edge) -> Control {
    let input = |channel: ChannelId| network.channels[channel].direction == Some(Direction::Input);
    match &edge.label {
        Label::Receive(used) if input(used.channel) => Control::Controllable,
        _ if role == Role::Environment => Control::Controllable,
        _ => Control::Uncontrollable,
    }
}
