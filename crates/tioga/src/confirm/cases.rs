//! A confirming sequence as a test case that is run as all others.
//!
//! The tester leads the system to the configuration, then applies the sequence. Each input comes after its delay, or as
//! soon as it can after that, and the answer must come before time passes. The test case has the clocks of the model
//! and those of the suspicious configuration, so it knows at every moment whether the rest of the sequence still
//! separates the two. If the tester is too late for that, the test is inconclusive.

use tioga_base::Rational;
use tioga_concrete::State;
use tioga_confirm::{Error, Exchange, Machine, Rule, Run, Set, configuration};
use tioga_model::{ChannelId, Direction};
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, CaseZone, Goal, Judgement, Origin,
    Shape, Side, Summary, TestCase, Verdict,
};
use tioga_zones::Federation;

/// The parts of a test case.
pub(super) struct Confirmed<'c> {
    pub machine: Machine<'c>,
    /// From the start to the configuration.
    pub run: &'c Run,
    /// The configuration.
    pub at: &'c State,
    /// The suspicious one.
    pub other: &'c State,
    /// The sequence that separates them.
    pub sequence: &'c Run,
    pub rule: Rule,
}

/// The test case of a confirming sequence.
pub(super) fn case(confirmed: &Confirmed<'_>, name: String) -> Result<TestCase, Error> {
    let Confirmed { machine, run, at, other, sequence, rule } = confirmed;
    let model = machine.model;
    let clocks = model.clocks.len();
    let all = run.exchanges.iter().chain(&sequence.exchanges);
    let mut scale = 1;
    let mut values =
        vec![run.space.units(), sequence.space.units(), Rational::integer(model.scale)];
    for value in values.drain(..) {
        scale = common(scale, value.to_integer().ok_or(Error::Overflow)?)?;
    }
    let delays = all.map(|one| one.delay);
    let starts = other.clocks.iter().copied();
    for value in delays.chain([run.rest]).chain(starts) {
        scale = common(scale, value.denominator())?;
    }
    let mut maker = Maker {
        machine: *machine,
        scale,
        offsets: vec![0; 2 * clocks],
        places: Vec::new(),
        inputs: declared(*machine, Direction::Input),
        outputs: declared(*machine, Direction::Output),
        left: 2 * (run.exchanges.len() + sequence.exchanges.len()),
    };
    // When the configuration is reached, time may still have to pass until it is exactly that one.
    let mut begin = Vec::new();
    for (position, value) in other.clocks.iter().enumerate() {
        begin.push((clocks + position, maker.units(value.sub(run.rest)?)?));
    }
    if run.exchanges.is_empty() {
        begin.iter().for_each(|(clock, offset)| maker.offsets[*clock] = *offset);
    }
    let mut before = &run.start;
    for (position, one) in run.exchanges.iter().enumerate() {
        let last = position + 1 == run.exchanges.len();
        let begin = if last { &begin[..] } else { &[] };
        maker.exchange(before, one, one.delay, run.space.units(), begin)?;
        before = &one.after;
    }
    for (position, one) in sequence.exchanges.iter().enumerate() {
        let wait = if position == 0 { one.delay.add(run.rest)? } else { one.delay };
        maker.exchange(before, one, wait, sequence.space.units(), &[])?;
        before = &one.after;
    }
    let (at, other) = (configuration(*machine, at), configuration(*machine, other));
    let reason = match rule {
        Rule::Sound => format!("the system answered as in `{at}`, and not as in `{other}`"),
        Rule::AsPrinted => {
            format!("the system answered as in `{at}`; as printed, that differs from `{other}`")
        }
    };
    let mut end = maker.place(maker.name(before), before);
    end.verdicts.push(Judgement::new(Verdict::Pass, always(), reason));
    maker.places.push(end);
    let own: Vec<String> = model.clocks.iter().map(|clock| clock.name.clone()).collect();
    let theirs = own.iter().map(|name| format!("{name}'"));
    let mut names: Vec<String> = own.iter().cloned().chain(theirs).collect();
    names.push("t".to_owned());
    let (way, words) = (word(*machine, run), word(*machine, sequence));
    let steps = u32::try_from(2 * (run.exchanges.len() + sequence.exchanges.len()));
    Ok(TestCase {
        name,
        shape: Shape::Tree,
        summary: Summary {
            model: model.name.clone(),
            goal: Goal::Confirm {
                at: at.to_string(),
                against: other.to_string(),
                way: way.to_string(),
                sequence: words.to_string(),
            },
            exact: true,
            rank: [0, 0, steps.unwrap_or(u32::MAX)],
            unit: model.time_unit,
            ..Summary::default()
        },
        scale,
        clocks: names,
        own_moves: Vec::new(),
        runs: None,
        patience: None,
        walk: None,
        inputs: maker.inputs,
        outputs: maker.outputs,
        places: maker.places,
        data: None,
        symbolic: None,
    })
}

struct Maker<'m> {
    machine: Machine<'m>,
    scale: i64,
    /// What is added to a clock of the test case to get the clock it stands for, in units of the test case.
    offsets: Vec<i64>,
    places: Vec<CasePlace>,
    inputs: Vec<Action>,
    outputs: Vec<Action>,
    /// How many actions are left.
    left: usize,
}

impl Maker<'_> {
    /// Adds the place in which an input is sent after a delay, and the one in which its answer is awaited. With it,
    /// some clocks begin to count from a value.
    fn exchange(
        &mut self,
        before: &State,
        one: &Exchange,
        wait: Rational,
        units: Rational,
        begin: &[(usize, i64)],
    ) -> Result<(), Error> {
        let (input, output) =
            (self.action(one.input, &one.values), self.action(one.output, &one.reply));
        let due = CaseBound {
            left: None,
            right: Some(self.t()),
            strict: false,
            bound: -self.units(wait)?,
        };
        let window = self.zones(&one.window, units)?;
        let mut past = one.window.clone();
        past.past();
        let late = self.zones(&past.complement(), units)?;
        let with_due = |zones: &[CaseZone]| -> Vec<CaseZone> {
            let due = (due.bound != 0).then_some(due);
            zones.iter().map(|zone| zone.iter().copied().chain(due).collect()).collect()
        };
        let name = self.name(before);
        let mut place = self.place(name.clone(), before);
        let verdict = Verdict::Inconclusive;
        let reason = format!("the tester was too late for {input}");
        if !late.is_empty() {
            place.verdicts.push(Judgement::new(verdict, with_due(&late), reason));
        }
        let rank = self.rank();
        let rule = |zones: Vec<CaseZone>, play| CaseRule { rank, zones, play, awaited: Vec::new() };
        place.rules = vec![rule(with_due(&window), Some(0)), rule(always(), None)];
        let sets = self.sets(&one.sets, units, begin)?;
        let next = self.places.len() + 1;
        let mut edge = |by, action: &Action, guard, sets, next: usize| {
            let known = if by == Side::Tester { &mut self.inputs } else { &mut self.outputs };
            if !known.contains(action) {
                known.push(action.clone());
            }
            let target = u32::try_from(next).map_err(|_| Error::Overflow)?;
            Ok::<_, Error>(CaseEdge { by, action: action.clone(), guard, sets, target })
        };
        place.edges.push(edge(Side::Tester, &input, window, sets, next)?);
        let answer = edge(Side::System, &output, always(), Vec::new(), next + 1)?;
        self.places.push(place);
        self.left = self.left.saturating_sub(1);
        let mut waiting = self.place(format!("{name}, {input}"), before);
        waiting.urgent = always();
        waiting.edges.push(answer);
        let rank = self.rank();
        waiting.rules = vec![CaseRule { rank, zones: always(), play: None, awaited: vec![0] }];
        self.places.push(waiting);
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    fn rank(&self) -> [u32; 3] {
        [0, 0, u32::try_from(self.left).unwrap_or(u32::MAX)]
    }

    /// The clock that counts the time since the last input.
    fn t(&self) -> u32 {
        u32::try_from(self.offsets.len()).unwrap_or(u32::MAX)
    }

    fn units(&self, time: Rational) -> Result<i64, Error> {
        time.mul(Rational::integer(self.scale))?.to_integer().ok_or(Error::Overflow)
    }

    /// How many units of the test case make one of these units.
    fn ratio(&self, units: Rational) -> Result<i64, Error> {
        Rational::integer(self.scale).div(units)?.to_integer().ok_or(Error::Overflow)
    }

    /// Zones over the clocks of one or two components, as zones of the test case.
    fn zones(&self, set: &Federation, units: Rational) -> Result<Vec<CaseZone>, Error> {
        let ratio = self.ratio(units)?;
        let mut zones = Vec::new();
        for zone in set.zones() {
            let mut bounds = CaseZone::new();
            for one in zone.minimal_constraints() {
                let Some(constant) = one.bound.constant() else { continue };
                let offset = |clock: usize| if clock == 0 { 0 } else { self.offsets[clock - 1] };
                let shift = offset(one.right) - offset(one.left);
                let bound =
                    i64::from(constant).checked_mul(ratio).and_then(|own| own.checked_add(shift));
                let at = |clock: usize| clock.checked_sub(1).and_then(|at| u32::try_from(at).ok());
                bounds.push(CaseBound {
                    left: at(one.left),
                    right: at(one.right),
                    strict: one.bound.is_strict(),
                    bound: bound.ok_or(Error::Overflow)?,
                });
            }
            zones.push(bounds);
        }
        Ok(zones)
    }

    /// What an input does to the clocks of the test case.
    fn sets(
        &mut self,
        sets: &[Set],
        units: Rational,
        begin: &[(usize, i64)],
    ) -> Result<Vec<CaseSet>, Error> {
        let ratio = self.ratio(units)?;
        let number = |clock: usize| u32::try_from(clock).map_err(|_| Error::Overflow);
        let mut all = Vec::new();
        for set in sets {
            let source = set.source.map(|source| source - 1);
            let shift = source.map_or(0, |source| self.offsets[source]);
            let value =
                i64::from(set.value).checked_mul(ratio).and_then(|own| own.checked_add(shift));
            all.push(CaseSet {
                clock: number(set.clock - 1)?,
                source: source.map(number).transpose()?,
                value: value.ok_or(Error::Overflow)?,
            });
            self.offsets[set.clock - 1] = 0;
        }
        for (clock, offset) in begin {
            all.push(CaseSet { clock: number(*clock)?, source: None, value: 0 });
            self.offsets[*clock] = *offset;
        }
        all.push(CaseSet { clock: self.t(), source: None, value: 0 });
        Ok(all)
    }

    fn action(&self, channel: ChannelId, values: &[Rational]) -> Action {
        Action::new(self.machine.model.channels[channel].name.as_str(), values)
    }

    /// Where the model is: `s1, w = 2`.
    fn name(&self, state: &State) -> String {
        let mut text = self.location(state);
        let own = format!("{}.", self.machine.process.name);
        for (slot, value) in self.machine.model.slots.iter().zip(&state.discrete.data) {
            let name = slot.name.strip_prefix(&own).unwrap_or(&slot.name);
            text.push_str(&format!(", {name} = {value}"));
        }
        text
    }

    fn location(&self, state: &State) -> String {
        let locations = &self.machine.process.locations;
        locations[state.discrete.locations[0]].name.clone()
    }

    fn place(&self, name: String, state: &State) -> CasePlace {
        let (process, location) = (self.machine.process.name.clone(), self.location(state));
        CasePlace {
            name,
            origin: vec![Origin { process, location }],
            invariant: always(),
            urgent: Vec::new(),
            verdicts: Vec::new(),
            edges: Vec::new(),
            rules: Vec::new(),
        }
    }
}

/// One zone without bounds.
fn always() -> Vec<CaseZone> {
    vec![CaseZone::new()]
}

/// The actions of one direction that carry no values.
fn declared(machine: Machine<'_>, direction: Direction) -> Vec<Action> {
    let channels = machine.model.channels.iter();
    let own = channels.filter(|channel| channel.open && channel.direction == Some(direction));
    let plain = own.filter(|channel| channel.parameters.is_empty());
    plain.map(|channel| Action { channel: channel.name.clone(), values: Vec::new() }).collect()
}

/// The least common multiple.
fn common(one: i64, other: i64) -> Result<i64, Error> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a.max(1)).checked_mul(other).ok_or(Error::Overflow)
}

/// The inputs of a run with the delays before them: `5/3 a 1/3`.
fn word(machine: Machine<'_>, run: &Run) -> String {
    let mut words = Vec::new();
    for one in &run.exchanges {
        if !one.delay.is_zero() {
            words.push(one.delay.to_string());
        }
        let name = machine.model.channels[one.input].name.as_str();
        words.push(Action::new(name, &one.values).to_string().replace(' ', ""));
    }
    if !run.rest.is_zero() {
        words.push(run.rest.to_string());
    }
    words.join(" ")
}
