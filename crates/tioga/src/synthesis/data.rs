//! Messages with many values: classes of data before a test case is made, and the test case over data after.
//!
//! The game is played on one representative of each class. Its answer holds for all states of the class, with
//! the values that the class allows: the test case is followed beside the classes, and the values of
//! representatives become conditions on inputs and terms for outputs.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Rational};
use tioga_concrete::rational_values;
use tioga_data::{ClassStep, Classes};
use tioga_model::{ChannelId, DiscreteState, Model, StepLabel};
use tioga_synthesize::MadeCase;
use tioga_terms::{
    Formula, Names, Sort, SymbolId, Symbols, Term, parse_term, smt_lib, smt_lib_term,
};
use tioga_testcase::{
    Action, CaseData, CaseEdge, CasePlace, CaseStore, CaseVariable, EdgeData, Side, TestCase,
};

use crate::data::{DataView, conditions, parts};
use crate::games::Question;
use crate::{Effort, Failure, Reason};

/// How many internal steps may follow a visible one at once.
const FOLLOWING: usize = 16;

/// The classes of a model's data, if its messages carry many values.
pub(super) fn classified(
    model: &Model,
    questions: &[Question],
    effort: &mut Effort<'_>,
) -> Result<Option<DataView>, Failure> {
    let of_queries = model.queries.iter().flat_map(|query| query.formula.parts().1);
    let of_questions = questions.iter().flat_map(|question| parts(&question.objective));
    let asked = conditions(of_queries.chain(of_questions));
    DataView::of(model, &asked, effort)
}

/// A test case over data, from one over representatives.
///
/// # Errors
/// If the observations do not determine the data: a test case must know the values it
/// remembers.
pub(super) fn over_data(view: &DataView, made: MadeCase) -> Result<TestCase, Failure> {
    let (model, classes) = (view.plain(), view.classes());
    let MadeCase { case, states } = made;
    let (edges, names) = Lift { view, model, classes, case: &case, states: &states }.follow()?;
    let symbols = &classes.alphabet.symbols;
    let values = classes.alphabet.values(&classes.initial);
    let variables = classes.alphabet.slots.values().map(|symbol| {
        let initial = values.get(*symbol).unwrap_or(Rational::ZERO);
        CaseVariable { initial: Some(initial.to_string()), ..variable(symbols, *symbol) }
    });
    let data = CaseData { variables: variables.collect(), edges };
    let mut case = case;
    for (place, name) in case.places.iter_mut().zip(names) {
        if let Some(name) = name {
            for luck in &mut case.summary.luck {
                luck.at = luck.at.replace(&place.name, &name);
            }
            place.name = name;
        }
    }
    for edge in &data.edges {
        let own = &mut case.places[edge.place as usize].edges[edge.edge as usize];
        let shown: Vec<String> = match own.by {
            Side::Tester => edge.carries.iter().map(|variable| variable.name.clone()).collect(),
            Side::System => readable(symbols, edge),
        };
        if !shown.is_empty() {
            let action = Action::new(own.action.channel.clone(), &shown);
            for luck in &mut case.summary.luck {
                for text in luck.hoped.iter_mut().chain(&mut luck.feared) {
                    if *text == format!("{}!", own.action) {
                        *text = format!("{action}!");
                    }
                }
            }
            own.action = action;
        }
    }
    for (actions, side) in [(&mut case.inputs, Side::Tester), (&mut case.outputs, Side::System)] {
        let edges = case.places.iter().flat_map(|place: &CasePlace| &place.edges);
        let own = edges.filter(|edge| edge.by == side).map(|edge| edge.action.clone());
        let plain = actions.iter().filter(|action| action.values.is_empty()).cloned();
        let mut all: Vec<Action> = own.chain(plain).collect();
        all.sort();
        all.dedup();
        *actions = all;
    }
    Ok(TestCase { data: Some(data), ..case })
}

/// What an output has to carry, for people.
fn readable(symbols: &Symbols, edge: &EdgeData) -> Vec<String> {
    let named = |name: &str| {
        let mut all = symbols.iter();
        all.find(|(_, symbol)| symbol.name == name).map(|(id, _)| id)
    };
    let text = |text: &String| match parse_term(&named, text) {
        Ok(term) => Names(symbols, &term).to_string(),
        Err(_) => text.clone(),
    };
    edge.values.iter().map(text).collect()
}

/// What an edge of the test case does to data.
#[derive(Clone, PartialEq)]
struct Meaning {
    channel: Option<ChannelId>,
    condition: Formula,
    arguments: Vec<Term>,
    updates: BTreeMap<SymbolId, Term>,
    target: DiscreteState,
}

/// What edges say about data, and the places with new names.
type Followed = (Vec<EdgeData>, Vec<Option<String>>);

struct Lift<'l> {
    view: &'l DataView,
    model: &'l Model,
    classes: &'l Classes,
    case: &'l TestCase,
    /// The representative of each place that is more than a verdict.
    states: &'l [Option<DiscreteState>],
}

impl Lift<'_> {
    fn follow(&self) -> Result<Followed, Failure> {
        let mut edges = Vec::new();
        for (place, (own, state)) in (0..).zip(self.case.places.iter().zip(self.states)) {
            let Some(state) = state else { continue };
            for (number, edge) in (0..).zip(&own.edges) {
                if let Some(meaning) = self.meaning(state, edge)? {
                    edges.extend(self.edge_data(place, number, edge, &meaning)?);
                }
            }
        }
        let name = |state: &Option<DiscreteState>| Some(self.view.state_text(state.as_ref()?));
        Ok((edges, self.states.iter().map(name).collect()))
    }

    /// What an edge means at a representative; nothing if it is no step of the model (a test case may know
    /// steps that never come).
    fn meaning(&self, state: &DiscreteState, edge: &CaseEdge) -> Result<Option<Meaning>, Failure> {
        let mut found: Vec<Meaning> = Vec::new();
        for (label, step) in self.steps(state) {
            let (channel, values) = match label {
                Seen::Input(channel, values) if edge.by == Side::Tester => (channel, values),
                Seen::Output(channel, values) if edge.by == Side::System => (channel, values),
                _ => continue,
            };
            let name = &self.model.channels[channel].name;
            if Action::new(name.clone(), &values) != edge.action {
                continue;
            }
            let meaning = Meaning {
                channel: Some(channel),
                condition: step.condition.clone(),
                arguments: step.arguments.clone(),
                updates: step.updates.iter().cloned().collect(),
                target: step.target.clone(),
            };
            // A leaf that only has a verdict stands for any state, and nothing is remembered there.
            let own = self.states[edge.target as usize].as_ref();
            let meanings = match own {
                None => {
                    vec![Meaning { updates: BTreeMap::new(), target: state.clone(), ..meaning }]
                }
                Some(_) => self.settled(meaning),
            };
            for meaning in meanings {
                let fits = own.is_none_or(|own| *own == meaning.target);
                if fits && !found.contains(&meaning) {
                    found.push(meaning);
                }
            }
        }
        match &found[..] {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            _ => Err(ambiguous(&edge.action)),
        }
    }

    /// A step, and with internal steps that follow it.
    fn settled(&self, meaning: Meaning) -> Vec<Meaning> {
        let mut all = vec![meaning];
        let mut next = 0;
        while next < all.len() && all.len() < FOLLOWING {
            let now = all[next].clone();
            for (label, step) in self.steps(&now.target) {
                if !matches!(label, Seen::Nothing) {
                    continue;
                }
                let with = |symbol: SymbolId| now.updates.get(&symbol).cloned();
                let mut updates = now.updates.clone();
                for (symbol, term) in &step.updates {
                    if let Ok(term) = term.substitute(&with) {
                        updates.insert(*symbol, term);
                    }
                }
                let further = Meaning { updates, target: step.target.clone(), ..now.clone() };
                if !all.contains(&further) {
                    all.push(further);
                }
            }
            next += 1;
        }
        all
    }

    /// The steps from a representative.
    fn steps(&self, state: &DiscreteState) -> impl Iterator<Item = (Seen, &ClassStep)> {
        let own = self.classes.steps.iter().filter(move |(key, _)| key.0 == *state);
        own.flat_map(|((_, label, arguments, _), steps)| {
            let seen = match *label {
                StepLabel::Input(channel) => {
                    Seen::Input(channel, rational_values(self.model, channel, arguments))
                }
                StepLabel::Output(channel) => {
                    Seen::Output(channel, rational_values(self.model, channel, arguments))
                }
                StepLabel::Exchange(..) => Seen::Other,
                StepLabel::Internal(_) => Seen::Nothing,
            };
            steps.iter().map(move |step| (seen.clone(), step))
        })
    }

    fn edge_data(
        &self,
        place: u32,
        number: u32,
        edge: &CaseEdge,
        meaning: &Meaning,
    ) -> Result<Option<EdgeData>, Failure> {
        let symbols = &self.classes.alphabet.symbols;
        let carried =
            meaning.channel.and_then(|channel| self.classes.alphabet.inputs.get(&channel));
        let carried = carried.filter(|_| edge.by == Side::Tester);
        let carries = carried.into_iter().flatten();
        let carries: Vec<_> = carries.map(|symbol| variable(symbols, *symbol)).collect();
        let when = match &meaning.condition {
            Formula::True => None,
            other => Some(smt_lib(symbols, other).ok_or_else(|| beyond(symbols, other))?),
        };
        let mut values = Vec::new();
        for term in &meaning.arguments {
            values.push(smt_lib_term(symbols, term).ok_or_else(|| beyond_term(symbols, term))?);
        }
        let positions: BTreeMap<SymbolId, u32> =
            self.classes.alphabet.slots.values().copied().zip(0..).collect();
        let mut stores = Vec::new();
        for (symbol, term) in &meaning.updates {
            let value = smt_lib_term(symbols, term).ok_or_else(|| beyond_term(symbols, term))?;
            if let Some(variable) = positions.get(symbol) {
                stores.push(CaseStore { variable: *variable, value });
            }
        }
        let idle = carries.is_empty() && when.is_none() && stores.is_empty();
        let fixed = meaning.arguments.iter().all(|term| term.as_number().is_some());
        if idle && fixed {
            return Ok(None);
        }
        Ok(Some(EdgeData { place, edge: number, carries, when, values, stores }))
    }
}

/// What is seen of a step between representatives.
#[derive(Clone)]
enum Seen {
    Input(ChannelId, Vec<Rational>),
    Output(ChannelId, Vec<Rational>),
    Nothing,
    Other,
}

fn variable(symbols: &Symbols, symbol: SymbolId) -> CaseVariable {
    let symbol = &symbols[symbol];
    CaseVariable {
        name: symbol.name.clone(),
        rational: symbol.sort == Sort::Rational,
        low: symbol.low,
        high: symbol.high,
        initial: None,
    }
}

fn ambiguous(action: &Action) -> Failure {
    let message = format!("after `{action}`, what is observed does not tell the data of the model");
    Diagnostic::global("nondeterministic", message).into()
}

fn beyond(symbols: &Symbols, formula: &Formula) -> Failure {
    no_text(&Names(symbols, formula).to_string())
}

fn beyond_term(symbols: &Symbols, term: &Term) -> Failure {
    no_text(&Names(symbols, term).to_string())
}

fn no_text(what: &str) -> Failure {
    let message = format!("a test case cannot say `{what}`");
    Failure::from(Diagnostic::global("data", message)).because(Reason::Data)
}
