//! Test cases over data: values are chosen, expected and stored by rules instead of one by one.
//!
//! If messages carry many values, a test case has conditions on the values of inputs, and terms for the
//! values of outputs, over its variables. Conditions and terms are written in SMT-LIB. Such a test case is a
//! template: [`TestCase::instance`] chooses the values of inputs, by a seed, and computes the values of
//! outputs. The result is a test case like any other.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tioga_base::Rational;
use tioga_terms::{
    Answer, Decide, Exact, Formula, Names, Sort, Symbol, SymbolId, Symbols, Term, parse_formula,
    parse_term,
};

use crate::{Action, CaseEdge, CasePlace, CaseRule, Side, TestCase};

/// How many ranges of values are looked at to choose one.
const RANGE_LIMIT: usize = 10_000;

/// How many places an instance may have.
const PLACE_LIMIT: usize = 20_000;

/// The data of a test case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "data")]
pub struct CaseData {
    /// Its variables, with their initial values.
    pub variables: Vec<CaseVariable>,
    /// Data of edges; other edges carry fixed values and change nothing.
    pub edges: Vec<EdgeData>,
}

/// A value with its range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "variable")]
pub struct CaseVariable {
    /// Its name.
    pub name: String,
    /// Whether it is a rational; otherwise it is an integer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rational: bool,
    /// The least value, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<i64>,
    /// The greatest value, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<i64>,
    /// The value at the start of what is remembered: `0` if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
}

/// The data of an edge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "edge_data")]
pub struct EdgeData {
    /// The position of the place.
    pub place: u32,
    /// The position of the edge in the place.
    pub edge: u32,
    /// For an input: the values it carries, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carries: Vec<CaseVariable>,
    /// For an input: the condition on its values, as an SMT-LIB formula; any if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// For an output: the values it must carry, as SMT-LIB terms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Assignments of variables, all at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stores: Vec<CaseStore>,
}

/// A variable gets a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "store")]
pub struct CaseStore {
    /// The position of the variable.
    pub variable: u32,
    /// Its new value, as an SMT-LIB term over the old values.
    pub value: String,
}

/// What an edge says about data, ready for use.
struct Ready {
    symbols: Symbols,
    carries: Vec<SymbolId>,
    when: Formula,
    values: Vec<Term>,
    stores: Vec<(usize, Term)>,
}

/// Where an instance is: a place, and what is remembered.
type At = (u32, Vec<Rational>);

impl TestCase {
    /// The test case with the values of its inputs chosen; itself if it has no data of its own.
    ///
    /// The same seed gives the same values. Different seeds give the ends of the allowed ranges and values
    /// inside.
    ///
    /// # Errors
    /// If the data cannot be understood or no values are possible, or the instance becomes too large.
    pub fn instance(&self, seed: u64) -> Result<Self, String> {
        let Some(data) = &self.data else { return Ok(self.clone()) };
        let ready = self.ready(data)?;
        let initial = data.variables.iter().map(|variable| match &variable.initial {
            Some(text) => text.parse::<Rational>().map_err(|error| error.to_string()),
            None => Ok(Rational::ZERO),
        });
        let start: At = (0, initial.collect::<Result<_, _>>()?);
        let mut numbers = BTreeMap::from([(start.clone(), 0_u32)]);
        let mut waiting = VecDeque::from([start]);
        let mut places = Vec::new();
        while let Some(at) = waiting.pop_front() {
            let mut go = |target: At| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(target.clone()).or_insert_with(|| {
                    waiting.push_back(target);
                    next
                })
            };
            places.push(self.place_at(&at, &ready, seed, &mut go)?);
            if numbers.len() > PLACE_LIMIT {
                return Err(format!("its data take it to more than {PLACE_LIMIT} places"));
            }
        }
        let actions = |side: Side, known: &[Action]| {
            let edges = places.iter().flat_map(|place: &CasePlace| &place.edges);
            let own = edges.filter(|edge| edge.by == side).map(|edge| edge.action.clone());
            let plain = known.iter().filter(|action| action.values.is_empty()).cloned();
            let mut all: Vec<Action> = own.chain(plain).collect();
            all.sort();
            all.dedup();
            all
        };
        let inputs = actions(Side::Tester, &self.inputs);
        let outputs = actions(Side::System, &self.outputs);
        Ok(Self { places, inputs, outputs, data: None, ..self.clone() })
    }

    /// The test case for people: actions have conditions on their values.
    pub fn shown(&self) -> Self {
        let mut shown = self.clone();
        let Some(data) = &self.data else { return shown };
        let Ok(all) = self.ready(data) else { return shown };
        for ((place, edge), ready) in all {
            let action = &mut shown.places[place as usize].edges[edge as usize].action;
            if ready.when != Formula::True
                && let Some(last) = action.values.last_mut()
            {
                let when = Names(&ready.symbols, &ready.when);
                *last = format!("{last} where {when}");
            }
        }
        shown
    }

    fn ready(&self, data: &CaseData) -> Result<BTreeMap<(u32, u32), Ready>, String> {
        let mut all = BTreeMap::new();
        for edge in &data.edges {
            let place = self.places.get(edge.place as usize);
            if place.and_then(|place| place.edges.get(edge.edge as usize)).is_none() {
                let (place, edge) = (edge.place, edge.edge);
                return Err(format!("there is no edge {edge} in the place {place}"));
            }
            let mut symbols = Symbols::new();
            for variable in &data.variables {
                symbols.add(symbol(variable));
            }
            let carries: Vec<_> =
                edge.carries.iter().map(|variable| symbols.add(symbol(variable))).collect();
            let table = &symbols;
            let named = |name: &str| {
                let mut own = table.iter();
                own.find(|(_, symbol)| symbol.name == name).map(|(id, _)| id)
            };
            let when = match &edge.when {
                Some(text) => parse_formula(&symbols, &named, text)?,
                None => Formula::True,
            };
            let values = edge.values.iter().map(|text| parse_term(&named, text));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            let mut stores = Vec::new();
            for store in &edge.stores {
                let position = store.variable as usize;
                if position >= data.variables.len() {
                    return Err(format!("there is no variable {position}"));
                }
                stores.push((position, parse_term(&named, &store.value)?));
            }
            let key = (edge.place, edge.edge);
            all.insert(key, Ready { symbols, carries, when, values, stores });
        }
        Ok(all)
    }

    fn place_at(
        &self,
        at: &At,
        ready: &BTreeMap<(u32, u32), Ready>,
        seed: u64,
        go: &mut dyn FnMut(At) -> u32,
    ) -> Result<CasePlace, String> {
        let (position, remembered) = at;
        let place = &self.places[*position as usize];
        let mut edges = Vec::new();
        let mut kept: Vec<Option<u32>> = Vec::new();
        for (number, edge) in (0..).zip(&place.edges) {
            let Some(ready) = ready.get(&(*position, number)) else {
                kept.push(Some(edges.len() as u32));
                let target = go((edge.target, remembered.clone()));
                edges.push(CaseEdge { target, ..edge.clone() });
                continue;
            };
            let own = u64::from(*position) << 32 | u64::from(number);
            match ready.instance(edge, remembered, own, seed)? {
                Some((action, after)) => {
                    kept.push(Some(edges.len() as u32));
                    let target = go((edge.target, after));
                    edges.push(CaseEdge { action, target, ..edge.clone() });
                }
                None => kept.push(None),
            }
        }
        let edge = |old: u32| kept.get(old as usize).copied().flatten();
        let mut rules = Vec::new();
        for rule in &place.rules {
            let play = rule.play.map(|play| {
                edge(play).ok_or_else(|| format!("no values are possible in `{}`", place.name))
            });
            let awaited = rule.awaited.iter().filter_map(|awaited| edge(*awaited)).collect();
            rules.push(CaseRule { play: play.transpose()?, awaited, ..rule.clone() });
        }
        Ok(CasePlace { edges, rules, ..place.clone() })
    }
}

impl Ready {
    /// What is seen of the edge, and what is remembered then; nothing if it has no values now.
    fn instance(
        &self,
        edge: &CaseEdge,
        remembered: &[Rational],
        own: u64,
        seed: u64,
    ) -> Result<Option<(Action, Vec<Rational>)>, String> {
        let mut known: BTreeMap<SymbolId, Rational> =
            self.symbols.iter().map(|(id, _)| id).zip(remembered.iter().copied()).collect();
        let with = |known: &BTreeMap<SymbolId, Rational>| {
            let known = known.clone();
            move |symbol: SymbolId| known.get(&symbol).copied().map(Term::number)
        };
        let overflow = |_| "a number does not fit in 64 bits".to_owned();
        let mut left = self.when.substitute(&self.symbols, &with(&known)).map_err(overflow)?;
        let mut random = fastrand::Rng::with_seed(seed ^ own);
        // Which end comes first is decided for each value on its own, whatever the seed.
        let mut order = fastrand::Rng::with_seed(own);
        for (position, symbol) in self.carries.iter().enumerate() {
            let later = &self.carries[position + 1..];
            let turn = (seed, order.bool());
            let value = choose(&self.symbols, &left, *symbol, later, turn, &mut random)?;
            let Some(value) = value else { return Ok(None) };
            known.insert(*symbol, value);
            left = left.substitute(&self.symbols, &with(&known)).map_err(overflow)?;
        }
        if left != Formula::True {
            return Ok(None);
        }
        let value = |term: &Term| {
            let term = term.substitute(&with(&known)).map_err(overflow)?;
            term.as_number().ok_or_else(|| "a value is not known".to_owned())
        };
        let mut after = remembered.to_vec();
        for (variable, term) in &self.stores {
            after[*variable] = value(term)?;
        }
        let shown: Vec<Rational> = match edge.by {
            Side::Tester => self.carries.iter().map(|symbol| known[symbol]).collect(),
            Side::System => self.values.iter().map(value).collect::<Result<_, _>>()?,
        };
        let action = if shown.is_empty() {
            edge.action.clone()
        } else {
            Action::new(edge.action.channel.clone(), &shown)
        };
        Ok(Some((action, after)))
    }
}

/// A value of a symbol with which a formula can hold: the ends of what is allowed first, from the least or from the
/// greatest on, then at random.
fn choose(
    symbols: &Symbols,
    formula: &Formula,
    symbol: SymbolId,
    others: &[SymbolId],
    (seed, from_greatest): (u64, bool),
    random: &mut fastrand::Rng,
) -> Result<Option<Rational>, String> {
    let mut solver = Exact::new();
    let unknown = |unknown: tioga_terms::Unknown| unknown.to_string();
    if symbols.sort(symbol) == Sort::Rational {
        return match solver.decide(symbols, formula) {
            Answer::Holds(found) => Ok(Some(found.get(symbol).unwrap_or(Rational::ZERO))),
            Answer::Never => Ok(None),
            Answer::Unknown(why) => Err(why),
        };
    }
    let alone = solver.project(symbols, formula, others).map_err(unknown)?;
    let ranges = solver.solutions(symbols, &alone, symbol, RANGE_LIMIT).map_err(unknown)?;
    if ranges.is_empty() {
        return Ok(None);
    }
    let mut ends: Vec<i64> =
        ranges.iter().flat_map(|(low, high)| [*low, *high]).flatten().collect();
    if from_greatest {
        ends.reverse();
    }
    let end = usize::try_from(seed).unwrap_or(usize::MAX);
    if let Some(value) = ends.get(end) {
        return Ok(Some(Rational::from(*value)));
    }
    let (low, high) = ranges[random.usize(..ranges.len())];
    let low = low.unwrap_or_else(|| high.unwrap_or(0).saturating_sub(1000));
    let high = high.unwrap_or_else(|| low.saturating_add(1000));
    Ok(Some(Rational::from(random.i64(low..=high))))
}

fn symbol(variable: &CaseVariable) -> Symbol {
    let CaseVariable { name, rational, low, high, .. } = variable;
    let sort = if *rational { Sort::Rational } else { Sort::Int };
    Symbol { name: name.clone(), sort, low: *low, high: *high }
}
