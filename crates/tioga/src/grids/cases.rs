//! A word of a grid as a test case that is run as all others.
//!
//! The tester sends the inputs of the word after its delays, or as soon as it can after them, and waits for its
//! outputs. The test case has the clocks of the model and of the purpose, so it knows the states of both at every
//! event: an output of the word counts at every time at which the purpose allows it, as in a replay of the run (BON09,
//! chapter 3, section 4.4). Other outputs that the model allows, and outputs too late for the purpose, end the test
//! inconclusively. Everything else is a failure.

use tioga_base::{Overflow, Rational};
use tioga_grids::{
    Automaton, ClockRange, Condition, Edge, Error, GridOptions, Resolution, Symbol, TimedWord,
    path, value_of,
};
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, CaseZone, Goal, Judgement, Luck,
    Origin, Shape, Side, Summary, TestCase, Verdict,
};

use super::automata::GridModel;

/// Why a word has no test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoCase {
    /// It is no run of the model: the purpose takes an action alone.
    NoRun,
    /// At some moment of the word the model has two edges for one action.
    Ambiguous,
    /// A number is too large.
    Overflow,
}

impl From<Overflow> for NoCase {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl From<Error> for NoCase {
    fn from(error: Error) -> Self {
        match error {
            Error::Overflow => Self::Overflow,
            _ => Self::NoRun,
        }
    }
}

/// The origin of a test case.
#[derive(Clone, Debug)]
pub struct Provenance<'p> {
    /// The name of the model.
    pub model: &'p str,
    /// The process of the model.
    pub process: &'p str,
    /// What a time unit is, if the model says.
    pub unit: Option<tioga_base::TimeUnit>,
    /// The end of the purpose that the word reaches, for people.
    pub end: &'p str,
}

/// The test case of a word that leads to an end of a purpose.
///
/// # Errors
/// If the word is no run of the model, or the model is ambiguous there, or numbers are too large.
pub fn word_case(
    one: &GridModel,
    word: &TimedWord,
    from: &Provenance<'_>,
    name: String,
) -> Result<TestCase, NoCase> {
    let purpose = one.purpose.clone().unwrap_or_default();
    let goal = Goal::GridWord { purpose, word: word.merged()?.to_string() };
    timed_case(one, word, from, (goal, name))
}

/// The test case of a word, with its goal and its name. Where the word ends with a delay, nothing may happen
/// during that.
pub(crate) fn timed_case(
    one: &GridModel,
    word: &TimedWord,
    from: &Provenance<'_>,
    (goal, name): (Goal, String),
) -> Result<TestCase, NoCase> {
    let word = word.merged()?;
    let (parts, _) = word.parts()?;
    let options = GridOptions::default();
    let resolution = Resolution::of(&one.product, &options)?;
    let (edges, _) = path(&one.product, &resolution, &word)?;
    let own = Resolution::of(&one.model, &options)?;
    let (own_edges, several) = path(&one.model, &own, &word)?;
    let (Some(edges), Some(own_edges)) = (edges, own_edges) else { return Err(NoCase::NoRun) };
    if several {
        return Err(NoCase::Ambiguous);
    }
    let greatest = resolution.clocks.iter().copied().max().unwrap_or(1);
    let mut maker = Maker {
        one,
        scale: common(parts, resolution.parts)?,
        patience: Rational::integer(greatest),
        data: one.product.context.iter().map(|variable| variable.initial).collect(),
        now: vec![(Rational::ZERO, Rational::ZERO); one.product.clocks.len() + 1],
        at: one.product.initial,
        own: one.model.initial,
        process: from.process,
        places: Vec::new(),
        inputs: declared(&one.model, true),
        outputs: declared(&one.model, false),
        luck: Vec::new(),
        elsewhere: u32::try_from(edges.len() + 1).map_err(|_| NoCase::Overflow)?,
        leaves: false,
        inconclusive: false,
    };
    let (mut delay, mut taken) = (Rational::ZERO, edges.iter().zip(&own_edges));
    for symbol in &word.0 {
        match symbol {
            Symbol::Delay(more) => delay = delay.add(*more)?,
            Symbol::Action(_, values) => {
                let (edge, own_edge) = taken.next().ok_or(NoCase::NoRun)?;
                maker.place(delay, *edge as usize, *own_edge as usize, values)?;
                delay = Rational::ZERO;
            }
        }
    }
    let last = maker.name();
    let origin = maker.origin();
    let quiet = (!delay.is_zero()).then(|| maker.silence(delay, from.end)).transpose()?;
    let Maker { mut places, luck, leaves, inconclusive, scale, inputs, outputs, .. } = maker;
    let end = || CasePlace { origin, ..judged(last, Verdict::Pass, from.end) };
    places.push(quiet.unwrap_or_else(end));
    if leaves {
        let reason = "the system went another way than the word";
        places.push(judged("elsewhere".to_owned(), Verdict::Inconclusive, reason));
    }
    let mut clocks = one.product.clocks.clone();
    clocks.push("t".to_owned());
    let mut case = TestCase {
        name,
        shape: Shape::Tree,
        summary: Summary {
            model: from.model.to_owned(),
            goal,
            exact: true,
            luck,
            may_be_inconclusive: inconclusive,
            unit: from.unit,
            ..Summary::default()
        },
        scale,
        clocks,
        own_moves: Vec::new(),
        runs: None,
        patience: None,
        walk: None,
        inputs,
        outputs,
        places,
        data: None,
        symbolic: None,
    };
    rank(&mut case);
    Ok(case)
}

/// Fills in the ranks: how many outputs the system need not give, and how many actions are left.
fn rank(case: &mut TestCase) {
    let mut left = [0, 0, 0];
    let mut losses = case.summary.luck.len();
    for place in case.places.iter_mut().rev() {
        if place.rules.is_empty() {
            continue;
        }
        left[2] += 1;
        // The places of control losses were marked with a risk.
        if place.rules.iter().any(|rule| rule.rank[0] > 0) {
            losses = losses.saturating_sub(1);
            left[1] += 1;
            case.summary.luck[losses].rank = left;
        }
        place.rules.iter_mut().for_each(|rule| rule.rank = left);
    }
    case.summary.rank = left;
}

struct Maker<'m> {
    one: &'m GridModel,
    scale: i64,
    /// How long after its time an output of the word is waited for, where nothing else says it.
    patience: Rational,
    /// The context of model and purpose.
    data: Vec<Rational>,
    /// The least and greatest values of the clocks, and of the time since the last action, if everything went as in the
    /// word, but for the moments of outputs.
    now: Vec<(Rational, Rational)>,
    /// The location of the product.
    at: usize,
    /// The location of the model.
    own: usize,
    process: &'m str,
    places: Vec<CasePlace>,
    inputs: Vec<Action>,
    outputs: Vec<Action>,
    luck: Vec<Luck>,
    /// The number of the place for what is not of the word.
    elsewhere: u32,
    /// Whether that place is needed.
    leaves: bool,
    /// Whether it is entered although the tester is on time, or an output of the word may fail to come.
    inconclusive: bool,
}

impl Maker<'_> {
    /// Adds the place in which an edge is taken after a delay, and takes it.
    fn place(
        &mut self,
        delay: Rational,
        edge: usize,
        own_edge: usize,
        values: &[Rational],
    ) -> Result<(), NoCase> {
        let (product, model) = (&self.one.product, &self.one.model);
        let (edge, own) = (&product.edges[edge], &model.edges[own_edge]);
        let input = product.actions[edge.action].input;
        let parameters = if input { values } else { &[] };
        let action = Action::new(product.actions[edge.action].name.clone(), values);
        noted(if input { &mut self.inputs } else { &mut self.outputs }, &action);
        // When the word goes on: both allow it, and the model does not take another edge for it.
        let stays = product.locations[self.at].invariant.clone();
        let mut right = allowed(product, edge, &self.data, parameters)?.and(stays.clone());
        for other in self.rivals(own, own_edge, values)? {
            right = right.and(other.not());
        }
        let next = self.places.len() + 1;
        let (clocks, t) = (product.clocks.len() + 1, product.clocks.len());
        let reset = |at: usize, value: Rational| -> Result<CaseSet, NoCase> {
            let clock = u32::try_from(at).map_err(|_| NoCase::Overflow)?;
            Ok(CaseSet { clock, source: None, value: self.units(value)? })
        };
        let mut sets = Vec::new();
        for (clock, value) in &edge.resets {
            sets.push(reset(*clock, *value)?);
        }
        sets.push(reset(t, Rational::ZERO)?);
        let by = if input { Side::Tester } else { Side::System };
        let target = u32::try_from(next).map_err(|_| NoCase::Overflow)?;
        let guard = self.zones(&right, clocks)?;
        let mut edges = vec![CaseEdge { by, action: action.clone(), guard, sets, target }];
        // What else the model allows.
        let mut others = false;
        let mut answers = false;
        for (output, when) in self.model_outputs()? {
            answers = true;
            noted(&mut self.outputs, &output);
            let rest = match !input && output == action {
                true => when.and(right.clone().not()),
                false => when,
            };
            let guard = self.zones(&rest, clocks)?;
            if guard.is_empty() {
                continue;
            }
            self.leaves = true;
            // While the tester is on time, it sends its input before what comes later.
            others |= self.is_met(&rest, input.then_some(delay))?;
            let (by, target) = (Side::System, self.elsewhere);
            edges.push(CaseEdge { by, action: output, guard, sets: Vec::new(), target });
        }
        let keeps = model.locations[self.own].invariant.clone();
        let due = Condition::clock_from(t, false, delay);
        let mut verdicts = Vec::new();
        let mut give_up = |zones: Vec<CaseZone>, reason: String| {
            if !zones.is_empty() {
                verdicts.push(Judgement::new(Verdict::Inconclusive, zones, reason));
            }
        };
        let (invariant, rules);
        if input {
            // Where nothing but the tester can go on, the system is not to blame if time goes on.
            invariant = if answers { keeps.clone() } else { Condition::always() };
            let late = due.clone().and(right.clone().not()).and(invariant.clone());
            give_up(self.zones(&late, clocks)?, format!("the tester was too late for {action}"));
            let wait = self.zones(&due.clone().not(), clocks)?;
            let play = self.zones(&due.and(right.clone()), clocks)?;
            let waits = (!wait.is_empty()).then(|| rule(wait, None, Vec::new()));
            rules = waits.into_iter().chain([rule(play, Some(0), Vec::new())]).collect();
        } else {
            invariant = keeps.clone();
            let latest = delay.add(self.patience)?;
            let hopeful = upper(&right, clocks).and(Condition::clock_up_to(t, false, latest));
            let late = keeps.and(hopeful.not());
            others |= self.is_met(&late, None)?;
            give_up(
                self.zones(&late, clocks)?,
                format!("{action} did not come in time for the purpose"),
            );
            let mut wait = rule(vec![CaseZone::new()], None, vec![0]);
            if others {
                // Marked for the ranks.
                wait.rank[0] = 1;
                let after = (!delay.is_zero()).then(|| delay.to_string());
                let (at, hoped) = (self.name(), Some(format!("{action}!")));
                self.luck.push(Luck { at, rank: [0; 3], hoped, after, feared: Vec::new() });
            }
            rules = vec![wait];
        }
        self.inconclusive |= others;
        self.places.push(CasePlace {
            name: self.name(),
            origin: self.origin(),
            invariant: self.zones(&invariant, clocks)?,
            urgent: if model.locations[self.own].urgent {
                vec![CaseZone::new()]
            } else {
                Vec::new()
            },
            verdicts,
            edges,
            rules,
        });
        let mut after = self.data.clone();
        for (variable, form) in &edge.updates {
            after[*variable] = value_of(form, &self.data, parameters)?;
        }
        (self.data, self.at, self.own) = (after, edge.target, own.target);
        self.pass(delay, (!input).then_some(&right))?;
        edge.resets.iter().for_each(|(clock, value)| self.now[*clock] = (*value, *value));
        self.now[t] = (Rational::ZERO, Rational::ZERO);
        Ok(())
    }

    /// Lets a delay pass; before an output, any delay with which it comes when it is right.
    fn pass(&mut self, delay: Rational, output: Option<&Condition>) -> Result<(), NoCase> {
        let Some(right) = output else {
            for (low, high) in &mut self.now {
                (*low, *high) = (low.add(delay)?, high.add(delay)?);
            }
            return Ok(());
        };
        let latest = delay.add(self.patience)?;
        let mut after: Vec<(Rational, Rational)> = Vec::new();
        for ranges in right.boxes(self.now.len()) {
            let mut here = Vec::new();
            for (range, (low, high)) in ranges.iter().zip(&self.now) {
                let high = high.add(latest)?;
                let high = range.upper.map_or(high, |(end, _)| end.min(high));
                here.push((range.lower.0.max(*low), high));
            }
            if here.iter().any(|(low, high)| low > high) {
                continue;
            }
            if after.is_empty() {
                after = here;
            } else {
                for (all, one) in after.iter_mut().zip(here) {
                    *all = (all.0.min(one.0), all.1.max(one.1));
                }
            }
        }
        if !after.is_empty() {
            self.now = after;
        }
        Ok(())
    }

    /// The place in which nothing happens for a while, and then the test passes.
    fn silence(&mut self, delay: Rational, end: &str) -> Result<CasePlace, NoCase> {
        let model = &self.one.model;
        let (clocks, t) = (self.now.len(), self.now.len() - 1);
        let mut edges = Vec::new();
        for (output, when) in self.model_outputs()? {
            noted(&mut self.outputs, &output);
            let guard = self.zones(&when, clocks)?;
            if !guard.is_empty() {
                self.leaves = true;
                self.inconclusive |=
                    self.is_met(&when.and(Condition::clock_up_to(t, true, delay)), None)?;
                let (by, target) = (Side::System, self.elsewhere);
                edges.push(CaseEdge { by, action: output, guard, sets: Vec::new(), target });
            }
        }
        let due = self.zones(&Condition::clock_from(t, false, delay), clocks)?;
        let answers = !edges.is_empty();
        let keeps = model.locations[self.own].invariant.clone();
        let invariant = if answers { keeps } else { Condition::always() };
        Ok(CasePlace {
            name: self.name(),
            origin: self.origin(),
            invariant: self.zones(&invariant, clocks)?,
            urgent: Vec::new(),
            verdicts: vec![Judgement::new(Verdict::Pass, due, end)],
            edges,
            rules: vec![rule(vec![CaseZone::new()], None, Vec::new())],
        })
    }

    /// When the model takes other edges for the action of an edge, with the same values.
    fn rivals(
        &self,
        own: &Edge,
        number: usize,
        values: &[Rational],
    ) -> Result<Vec<Condition>, NoCase> {
        let model = &self.one.model;
        let input = model.actions[own.action].input;
        let parameters = if input { values } else { &[] };
        let mut all = Vec::new();
        for (position, edge) in model.edges.iter().enumerate() {
            let same = edge.source == self.own && edge.action == own.action && position != number;
            if same && (input || self.emitted(edge)? == values) {
                all.push(allowed(model, edge, &self.data, parameters)?);
            }
        }
        Ok(all)
    }

    fn emitted(&self, edge: &Edge) -> Result<Vec<Rational>, NoCase> {
        let values = edge.values.iter().map(|form| value_of(form, &self.data, &[]));
        Ok(values.collect::<Result<Vec<_>, Overflow>>()?)
    }

    /// The outputs that the model has here, and when.
    fn model_outputs(&self) -> Result<Vec<(Action, Condition)>, NoCase> {
        let model = &self.one.model;
        let mut all: Vec<(Action, Condition)> = Vec::new();
        let here = model.edges.iter().filter(|edge| edge.source == self.own);
        for edge in here.filter(|edge| !model.actions[edge.action].input) {
            let name = model.actions[edge.action].name.clone();
            let action = Action::new(name, &self.emitted(edge)?);
            let when = allowed(model, edge, &self.data, &[])?;
            let when = when.and(model.locations[self.own].invariant.clone());
            match all.iter_mut().find(|(known, _)| *known == action) {
                None => all.push((action, when)),
                Some((_, known)) => *known = Condition::Any(vec![known.clone(), when]),
            }
        }
        Ok(all)
    }

    /// Whether time leads into a condition, up to a delay if there is one, after everything went as in the word.
    fn is_met(&self, condition: &Condition, latest: Option<Rational>) -> Result<bool, NoCase> {
        for ranges in condition.boxes(self.now.len()) {
            let mut lower = (Rational::ZERO, false);
            let mut upper = latest.map(|latest| (latest, false));
            for (range, (least, most)) in ranges.iter().zip(&self.now) {
                lower = lower.max((range.lower.0.sub(*most)?, range.lower.1));
                if let Some((end, open)) = range.upper {
                    let end = end.sub(*least)?;
                    upper = Some(match upper {
                        Some((known, closed)) if known < end || known == end && closed => {
                            (known, closed)
                        }
                        _ => (end, open),
                    });
                }
            }
            let (from, after) = lower;
            let met = upper.is_none_or(|(end, open)| from < end || from == end && !open && !after);
            if met {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn units(&self, time: Rational) -> Result<i64, NoCase> {
        let units = time.mul(Rational::integer(self.scale))?;
        units.to_integer().ok_or(NoCase::Overflow)
    }

    /// A condition on clocks as zones.
    fn zones(&self, condition: &Condition, clocks: usize) -> Result<Vec<CaseZone>, NoCase> {
        let mut zones: Vec<CaseZone> = Vec::new();
        for ranges in condition.boxes(clocks) {
            let mut zone = CaseZone::new();
            for (clock, ClockRange { lower: (lower, strict), upper }) in
                ranges.into_iter().enumerate()
            {
                let at = Some(u32::try_from(clock).map_err(|_| NoCase::Overflow)?);
                if strict || !lower.is_zero() {
                    let bound = -self.units(lower)?;
                    zone.push(CaseBound { left: None, right: at, strict, bound });
                }
                if let Some((upper, strict)) = upper {
                    let bound = self.units(upper)?;
                    zone.push(CaseBound { left: at, right: None, strict, bound });
                }
            }
            if !zones.contains(&zone) {
                zones.push(zone);
            }
        }
        Ok(zones)
    }

    /// Where model and purpose are: `(q1,s2), w = 3`.
    fn name(&self) -> String {
        let product = &self.one.product;
        let mut name = product.locations[self.at].name.clone();
        for (variable, value) in product.context.iter().zip(&self.data) {
            name.push_str(&format!(", {} = {value}", variable.name));
        }
        name
    }

    fn origin(&self) -> Vec<Origin> {
        let location = self.one.model.locations[self.own].name.clone();
        vec![Origin { process: self.process.to_owned(), location }]
    }
}

/// When an edge can be taken, as a condition on clocks.
fn allowed(
    automaton: &Automaton,
    edge: &Edge,
    data: &[Rational],
    parameters: &[Rational],
) -> Result<Condition, NoCase> {
    for (form, min, max) in &edge.checks {
        let value = value_of(form, data, parameters)?;
        if value < Rational::integer(*min) || value > Rational::integer(*max) {
            return Ok(Condition::never());
        }
    }
    let guard = edge.guard.known(data, parameters)?;
    Ok(guard.and(automaton.locations[edge.target].invariant.before(&edge.resets)))
}

/// A condition that holds wherever time leads to the given one: its boxes without their lower ends.
fn upper(condition: &Condition, clocks: usize) -> Condition {
    let ways = condition.boxes(clocks).into_iter().map(|ranges| {
        let ends = ranges.into_iter().enumerate().filter_map(|(clock, range)| {
            let (bound, strict) = range.upper?;
            Some(Condition::Clock { clock, strict, bound })
        });
        Condition::All(ends.collect())
    });
    Condition::Any(ways.collect())
}

fn rule(zones: Vec<CaseZone>, play: Option<u32>, awaited: Vec<u32>) -> CaseRule {
    CaseRule { rank: [0; 3], zones, play, awaited }
}

/// A place in which the test ends.
fn judged(name: String, verdict: Verdict, reason: &str) -> CasePlace {
    let always = || vec![CaseZone::new()];
    CasePlace {
        name,
        origin: Vec::new(),
        invariant: always(),
        urgent: Vec::new(),
        verdicts: vec![Judgement::new(verdict, always(), reason)],
        edges: Vec::new(),
        rules: Vec::new(),
    }
}

/// The actions of one direction that carry no values.
fn declared(model: &Automaton, input: bool) -> Vec<Action> {
    let plain = model.actions.iter().filter(|one| one.input == input && one.parameters.is_empty());
    plain.map(|one| Action { channel: one.name.clone(), values: Vec::new() }).collect()
}

fn noted(known: &mut Vec<Action>, action: &Action) {
    if !known.contains(action) {
        known.push(action.clone());
    }
}

/// The least common multiple.
fn common(one: i64, other: i64) -> Result<i64, NoCase> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a.max(1)).checked_mul(other).ok_or(NoCase::Overflow)
}
