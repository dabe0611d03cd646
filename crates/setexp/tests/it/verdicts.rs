//! The whole method against a slow, obvious judge: random specifications with data and internal actions, random
//! systems, and verdicts compared with what KHO 2.4 says of the observed trace.

use std::collections::BTreeSet;

use tioga_base::{Budget, Id, Rational};
use tioga_setexp::{
    Edge, Game, Kind, Mark, Message, ObservableGraph, Projection, Refusal, Relation, RunOptions,
    Script, SetExp, Simulated, SystemUnderTest, TestGraph, Tester, Tiosa, Verdict,
    complete_purpose, product, pruned,
};
use tioga_terms::{Assignment, Exact, Formula, SymbolId, Term};

use crate::build::{Build, atom};

/// One clock, one variable, an input and an output with a value, an output without, an internal action. Resets
/// belong to actions.
fn random(rng: &mut fastrand::Rng, edges: usize) -> Tiosa {
    let mut b = Build::new("random", "l0");
    let mut locations = vec![b.tiosa.initial];
    locations.extend(["l1", "l2", "l3"].map(|name| b.location(name)));
    let c = b.clock("c");
    let x = b.variable("x");
    let send = b.action("send", Kind::Input, &["m"]);
    let echo = b.action("echo", Kind::Output, &["v"]);
    let done = b.action("done", Kind::Output, &[]);
    let hide = b.action("hide", Kind::Internal, &[]);
    b.tiosa.initial_condition =
        Formula::equal(&b.tiosa.symbols, &Term::symbol(x), &Term::int(0)).unwrap();
    let (m, v) = (b.tiosa.actions[send].parameters[0], b.tiosa.actions[echo].parameters[0]);
    let relations = [Relation::Below, Relation::AtMost, Relation::AtLeast, Relation::Above];
    for index in 0..edges {
        let action = [send, echo, done, hide][if index == 0 { 0 } else { rng.usize(0..4) }];
        let source = if index == 0 { locations[0] } else { locations[rng.usize(0..4)] };
        let target = locations[rng.usize(0..4)];
        let symbols = &b.tiosa.symbols;
        let number = Term::int(rng.i64(0..4));
        let compare = |term: Term| match rng.u8(0..3) {
            0 => Formula::at_most(symbols, &term, &number).unwrap(),
            1 => Formula::at_most(symbols, &number, &term).unwrap(),
            _ => Formula::True,
        };
        let mut compare = compare;
        let condition = if action == send {
            compare(Term::symbol(m))
        } else if action == echo {
            let more = Term::symbol(x).plus(&number).unwrap();
            let sent = Formula::equal(symbols, &Term::symbol(v), &more).unwrap();
            sent.and(compare(Term::symbol(x)))
        } else {
            compare(Term::symbol(x))
        };
        let assignments = match rng.u8(0..3) {
            0 => vec![(x, Term::symbol(x).plus(&Term::int(1)).unwrap())],
            1 if action == send => vec![(x, Term::symbol(m))],
            _ => Vec::new(),
        };
        // Internal actions that change data may do so without end.
        let assignments = if action == hide { Vec::new() } else { assignments };
        let guard = (0..rng.usize(0..2))
            .map(|_| atom(c, relations[rng.usize(0..4)], rng.i64(1..4)))
            .collect();
        let resets = if action == send { vec![c] } else { Vec::new() };
        *b.edge(source, target, action) =
            Edge { source, target, action, guard, resets, condition, assignments };
    }
    b.tiosa
}

/// Accepts the second output.
fn second_output(spec: &Tiosa) -> Tiosa {
    let mut purpose = Tiosa::new("second", "none");
    purpose.symbols = spec.symbols.clone();
    purpose.actions = spec.actions.clone();
    let mut b = Build { tiosa: purpose };
    let one = b.location("one");
    let accept = b.marked("accept", Mark::Accept);
    let outputs: Vec<_> = spec
        .actions
        .iter_ids()
        .filter(|(_, action)| action.kind == Kind::Output)
        .map(|(id, _)| id)
        .collect();
    for action in outputs {
        let start = b.tiosa.initial;
        b.edge(start, one, action);
        b.edge(one, accept, action);
    }
    complete_purpose(&b.tiosa, None, &mut Exact::new()).unwrap()
}

/// Where a specification may be: the location, since when at the earliest, the last reset of each clock, and the
/// data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    location: usize,
    since: Rational,
    resets: Vec<Rational>,
    data: Vec<(SymbolId, Rational)>,
}

impl Place {
    /// The instants at which an edge may be taken: from, whether only after it, to, whether only before it.
    fn window(&self, edge: &Edge) -> (Rational, bool, Option<(Rational, bool)>) {
        let (mut from, mut open) = (self.since, true);
        let mut to: Option<(Rational, bool)> = None;
        for atom in &edge.guard {
            let at = atom.threshold.as_number().unwrap();
            let at = self.resets[atom.clock.index()].add(at).unwrap();
            match atom.relation {
                Relation::AtLeast if at > from => (from, open) = (at, false),
                Relation::Above if at >= from => (from, open) = (at, true),
                Relation::AtMost if to.is_none_or(|(to, _)| at < to) => to = Some((at, false)),
                Relation::Below if to.is_none_or(|(to, _)| at <= to) => to = Some((at, true)),
                _ => {}
            }
        }
        (from, open, to)
    }

    fn after(&self, edge: &Edge, at: Rational, values: &Assignment) -> Self {
        let mut next = self.clone();
        next.location = edge.target.index();
        next.since = at;
        for (variable, term) in &edge.assignments {
            let value = term.value(values).unwrap().unwrap();
            next.data.retain(|(known, _)| known != variable);
            next.data.push((*variable, value));
        }
        next.data.sort();
        for clock in &edge.resets {
            next.resets[clock.index()] = at;
        }
        next
    }
}

/// The judge. Internal actions are taken as early as they can be: since they reset nothing, later is never
/// better.
struct Judge<'j> {
    tiosa: &'j Tiosa,
    places: BTreeSet<Place>,
}

impl Judge<'_> {
    /// Whether an event is allowed; if so, follows it.
    fn allows(&mut self, at: Rational, message: &Message) -> bool {
        let mut before: Vec<Place> = self.places.iter().cloned().collect();
        let mut known: BTreeSet<Place> = self.places.clone();
        let mut reached = BTreeSet::new();
        while let Some(place) = before.pop() {
            for edge in self.tiosa.edges.iter().filter(|e| e.source.index() == place.location) {
                let action = &self.tiosa.actions[edge.action];
                let (from, open, to) = place.window(edge);
                let mut values: Assignment = place.data.iter().copied().collect();
                if action.kind == Kind::Internal {
                    // Steps of a place that was entered at an open bound are later by nothing that matters:
                    // `since` is exclusive throughout.
                    let possible = to.is_none_or(|(to, _)| from < to) && from < at;
                    if possible && edge.condition.holds(&values).unwrap() == Some(true) {
                        let next = place.after(edge, from, &values);
                        if known.insert(next.clone()) {
                            before.push(next);
                        }
                    }
                    continue;
                }
                let now = (at > from || at == from && !open)
                    && to.is_none_or(|(to, strict)| at < to || at == to && !strict);
                if action.name != message.action || !now {
                    continue;
                }
                for (parameter, value) in action.parameters.iter().zip(&message.values) {
                    values.set(*parameter, *value);
                }
                if edge.condition.holds(&values).unwrap() == Some(true) {
                    reached.insert(place.after(edge, at, &values));
                }
            }
        }
        let allowed = !reached.is_empty();
        self.places = reached;
        allowed
    }
}

struct Recorded<S>(S, Vec<(Rational, Message, bool)>);

impl<S: SystemUnderTest> SystemUnderTest for Recorded<S> {
    fn input(&mut self, at: Rational, message: &Message) {
        self.1.push((at, message.clone(), true));
        self.0.input(at, message);
    }

    fn output(&mut self, after: Rational, until: Option<Rational>) -> Option<(Rational, Message)> {
        let (at, message) = self.0.output(after, until)?;
        self.1.push((at, message.clone(), false));
        Some((at, message))
    }
}

fn synthesised(spec: &Tiosa) -> Result<(TestGraph, Game), Refusal> {
    let mut solver = Exact::new();
    let budget = || Budget::steps(200);
    let product = product(spec, &second_output(spec))?;
    let setexp = SetExp::of(&product, &mut budget())?;
    let projection = Projection::of(&product, &setexp, &mut solver, &mut budget())?;
    let whole = ObservableGraph::of(&product, &setexp, &projection, &mut solver, &mut budget())?;
    let observed = pruned(&product, &whole, &mut solver)?;
    let graph = TestGraph::of(&product, &observed, &mut solver)?;
    let game = Game::solve(&graph, &projection, &mut solver, &mut budget())?;
    Ok((graph, game))
}

/// A test fails exactly if the trace is none of the specification's, whatever the system is.
#[test]
fn verdicts_are_those_of_a_slow_judge() {
    let (mut runs, mut fails, mut passes) = (0, 0, 0);
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let spec = random(&mut rng, 8);
        let Ok((graph, game)) = synthesised(&spec) else { continue };
        for _ in 0..6 {
            let same = rng.bool();
            let system = if same { spec.clone() } else { random(&mut rng, 10) };
            let mut solver = Exact::new();
            let zero = [(spec.variables[0], Rational::ZERO)].into_iter().collect();
            let mut own = rng.fork();
            let inner = Simulated::new(&system, Exact::new(), zero, move |n| own.u64(0..n));
            let mut recorded = Recorded(inner, Vec::new());
            let options = RunOptions { max_events: 30, ..RunOptions::default() };
            let script = Script::of(&graph, &game, |node| node.to_string()).unwrap();
            let tester = Tester::new(&script, &mut solver, &options).unwrap();
            let outcome = tester.run(&mut recorded).unwrap();
            let start = Place {
                location: spec.initial.index(),
                since: Rational::ZERO,
                resets: vec![Rational::ZERO],
                data: vec![(spec.variables[0], Rational::ZERO)],
            };
            let mut judge = Judge { tiosa: &spec, places: BTreeSet::from([start]) };
            let mut allowed = true;
            for (at, message, sent) in &recorded.1 {
                let here = judge.allows(*at, message);
                assert!(here || !sent, "seed {seed}: an input was sent that is not specified");
                allowed &= here;
            }
            let fails_here = outcome.verdict == Verdict::Fail;
            assert_eq!(
                fails_here,
                !allowed,
                "seed {seed}: {outcome:?} {:?}\n{}",
                recorded.1,
                tioga_setexp::View::tiosa(&spec).text()
            );
            runs += 1;
            fails += usize::from(fails_here);
            passes += usize::from(outcome.verdict == Verdict::Pass);
        }
    }
    assert!(runs > 100 && fails > 20 && passes > 20, "{runs} runs, {fails} fails, {passes} passes");
}
