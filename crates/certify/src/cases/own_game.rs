//! A test case as a game of its own, in which its ranks and rules are checked.
//!
//! Where the tester does not see everything, ranks are about what it knows, and that is where the test case is: its places,
//! its clocks, and what may be sent and heard. So the places become the locations of a deterministic model, a pass is its
//! goal, and the test case is checked against this model. A rank that is too low, or a rule that does not lower it, is found.
//! Inputs that the test case never sends are not in this game, so it stays open whether they would need less cooperation.

use tioga_base::{IdVec, Span};
use tioga_model::{
    Channel, ChannelId, ChannelUse, Clock, ClockBound, ClockConstraint, ClockId, ClockUpdate,
    Condition, Conjunct, Control, Direction, Edge, Formula, Label, Location, LocationId, Marks,
    Network, Process, ProcessId, Role, TimeBound, Update,
};
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseZone, Judgement, Origin, Settled, Shape, Side,
    TestCase, Verdict, ViewPass,
};

use super::check::check_case_of_view;
use crate::{CheckOptions, CheckReport, Error};

/// The only process of the game.
const PROCESS: &str = "Case";

/// Checks ranks and rules. `None` if the test case has none, or is no game of this kind: places from which no time passes in
/// a part of their valuations are not expressed.
pub(crate) fn check(case: &TestCase, options: &CheckOptions) -> Result<Option<CheckReport>, Error> {
    if case.shape == Shape::Automaton || case.places.iter().all(|place| place.rules.is_empty()) {
        return Ok(None);
    }
    let Some((network, counted)) = game(case) else { return Ok(None) };
    let Ok(model) = network.validate() else { return Ok(None) };
    let Some(Formula::Cooperative(objective)) = model.queries.first().map(|query| &query.formula)
    else {
        return Ok(None);
    };
    check_case_of_view(&model, objective, &counted, &renamed(case), options).map(Some)
}

/// The clocks of the game. That which measures how long a tree has waited is its own.
fn clocks(case: &TestCase) -> usize {
    case.clocks.len() - usize::from(case.shape == Shape::Tree && !case.clocks.is_empty())
}

fn game(case: &TestCase) -> Option<(Network, ViewPass)> {
    let mut network = Network::new(case.summary.model.clone());
    network.scale = case.scale;
    let clocks = clocks(case);
    for name in case.clocks.iter().take(clocks) {
        network.clocks.push(Clock { name: name.clone(), owner: Some(ProcessId(0)) });
    }
    let span = Span::default();
    for side in [Side::Tester, Side::System] {
        let (actions, direction) = interface(case, side);
        for position in 0..actions.len() {
            let (name, direction) = (channel_name(side, position), Some(direction));
            let (urgent, broadcast, open) = (false, false, true);
            let (parameters, names) = (Vec::new(), Vec::new());
            let channel =
                Channel { name, urgent, broadcast, direction, open, parameters, names, span };
            network.channels.push(channel);
        }
    }
    let mut process = Process {
        name: PROCESS.to_owned(),
        role: Role::System,
        initial: LocationId(0),
        locations: IdVec::new(),
        edges: IdVec::new(),
        outgoing: IdVec::new(),
        span,
    };
    for (position, place) in case.places.iter().enumerate() {
        process.locations.push(location(position, place)?);
    }
    for (position, place) in case.places.iter().enumerate() {
        for edge in &place.edges {
            process.edges.push(step(case, position, edge, clocks)?);
        }
    }
    network.processes.push(process);
    let goals = passes(case, false).map(|(_, place, zone)| {
        Some((ProcessId(0), location_id(place)?, zone.iter().map(constraint).collect()))
    });
    let goals: Vec<_> = goals.collect::<Option<_>>()?;
    let goal = passes(case, false).next().map_or(Verdict::Pass, |(verdict, ..)| verdict);
    let settled = passes(case, true).map(|(verdict, place, zone)| {
        let clocks = zone.iter().map(|own| ClockBound {
            left: own.left.map(ClockId),
            right: own.right.map(ClockId),
            strict: own.strict,
            bound: own.bound,
        });
        let (location, clocks) = (location_id(place)?, clocks.collect());
        Some(Settled { location, clocks, verdict })
    });
    let settled = settled.collect::<Option<_>>()?;
    Some((network.aiming_at(goals, "pass"), ViewPass { goal, settled }))
}

/// Where a test case passes because its goal is reached, or because it settles for less.
fn passes(case: &TestCase, settled: bool) -> impl Iterator<Item = (Verdict, usize, &CaseZone)> {
    case.places.iter().enumerate().flat_map(move |(position, place)| {
        let pass = |one: &&Judgement| matches!(one.verdict, Verdict::Pass | Verdict::Uncertain);
        let own = place.verdicts.iter().filter(pass).filter(move |one| one.settled == settled);
        own.flat_map(move |one| one.zones.iter().map(move |zone| (one.verdict, position, zone)))
    })
}

fn location(position: usize, place: &CasePlace) -> Option<Location> {
    let urgent = match &place.urgent[..] {
        [] => false,
        [zone] if zone.is_empty() => true,
        _ => return None,
    };
    let fail = place.verdicts.iter().any(|one| one.verdict == Verdict::Fail);
    Some(Location {
        name: format!("P{position}"),
        marks: Marks { initial: position == 0, urgent, fail, ..Marks::default() },
        labels: Vec::new(),
        invariant: condition(&place.invariant),
        origin: Vec::new(),
        span: Span::default(),
    })
}

fn step(case: &TestCase, source: usize, edge: &CaseEdge, clocks: usize) -> Option<Edge> {
    let (actions, _) = interface(case, edge.by);
    let before = if edge.by == Side::System { case.inputs.len() } else { 0 };
    let position = actions.iter().position(|action| *action == edge.action)?;
    let channel = ChannelId(u32::try_from(before + position).ok()?);
    let channel = ChannelUse { channel, index: None, arguments: Vec::new() };
    let (label, control) = match edge.by {
        Side::Tester => (Label::Receive(channel), Control::Controllable),
        Side::System => (Label::Send(channel), Control::Uncontrollable),
    };
    let sets = edge.sets.iter().filter(|set| (set.clock as usize) < clocks);
    let updates = sets.map(|set| {
        Update::Clock(ClockUpdate {
            source: set.source.map(|clock| ClockId(clock).into()),
            value: TimeBound::Constant(set.value),
            ..ClockUpdate::reset(ClockId(set.clock))
        })
    });
    Some(Edge {
        source: location_id(source)?,
        target: location_id(edge.target as usize)?,
        control,
        label,
        reply: None,
        frame: 0,
        guard: condition(&edge.guard),
        updates: updates.collect(),
        choices: Vec::new(),
        span: Span::default(),
    })
}

fn condition(zones: &[CaseZone]) -> Condition {
    let conjunct =
        |zone: &CaseZone| Conjunct { data: None, clocks: zone.iter().map(constraint).collect() };
    Condition { disjuncts: zones.iter().map(conjunct).collect() }
}

fn constraint(own: &CaseBound) -> ClockConstraint {
    ClockConstraint {
        left: own.left.map(|clock| ClockId(clock).into()),
        right: own.right.map(|clock| ClockId(clock).into()),
        strict: own.strict,
        bound: TimeBound::Constant(own.bound),
    }
}

fn location_id(position: usize) -> Option<LocationId> {
    u32::try_from(position).ok().map(LocationId)
}

/// What a side may do.
fn interface(case: &TestCase, side: Side) -> (&[Action], Direction) {
    match side {
        Side::Tester => (&case.inputs, Direction::Input),
        Side::System => (&case.outputs, Direction::Output),
    }
}

/// The channel of an action in the game. With its values, it is one of its own.
fn channel_name(side: Side, position: usize) -> String {
    match side {
        Side::Tester => format!("input{position}"),
        Side::System => format!("output{position}"),
    }
}

/// The test case in the words of the game.
fn renamed(case: &TestCase) -> TestCase {
    let name = |side: Side, action: &Action| {
        let (actions, _) = interface(case, side);
        let position = actions.iter().position(|own| own == action).unwrap_or(actions.len());
        Action { channel: channel_name(side, position), values: Vec::new() }
    };
    let all = |side: Side| {
        let (actions, _) = interface(case, side);
        actions.iter().map(|action| name(side, action)).collect()
    };
    let mut renamed = case.clone();
    (renamed.inputs, renamed.outputs) = (all(Side::Tester), all(Side::System));
    renamed.own_moves = Vec::new();
    for (position, place) in renamed.places.iter_mut().enumerate() {
        place.name = format!("P{position}");
        place.origin = vec![Origin { process: PROCESS.to_owned(), location: place.name.clone() }];
    }
    for edge in renamed.places.iter_mut().flat_map(|place| &mut place.edges) {
        edge.action = name(edge.by, &edge.action);
    }
    renamed
}
