//! What the tests of games share: games solved, and questions about states.

use tioga_base::{Id, Rational, Span};
use tioga_games::{Root, Solution, SolveMethod, SolveOptions, Standing, solve};
use tioga_model::{ClockBound, ClockId, Composer, Model, Objective};
use tioga_testcase::{Concept, Scope, Terms};

/// The objective of the model's first control query.
pub fn objective(model: &Model) -> Objective {
    tioga_testkit::objectives(model).into_iter().next().expect("a control query")
}

pub fn solved<'m>(
    model: &'m Model,
    concept: Concept,
    scope: Scope,
    roots: &[Root],
    method: SolveMethod,
) -> Solution<'m> {
    let terms = Terms { objective: objective(model), concept, scope };
    let options = SolveOptions { method, ..SolveOptions::default() };
    solve(model, terms, Span::default(), roots, &options, &mut |_| {}).unwrap()
}

/// `Loc; x=5/2; y=1` for a model of one process.
pub fn state(model: &Model, text: &str) -> Root {
    let mut parts = text.split(';').map(str::trim);
    let location = parts.next().unwrap();
    let mut root = Root { state: Composer::new(model).initial(), ..Root::initial(model) };
    let process = model.processes.iter().next().unwrap();
    let found = process.locations.iter_ids().find(|(_, own)| own.name == location);
    root.state.locations[0] = found.unwrap_or_else(|| panic!("no location {location}")).0;
    for part in parts {
        let (clock, value) = part.split_once('=').unwrap();
        let (n, d) = value.split_once('/').unwrap_or((value, "1"));
        let matches = |own: &str| own.rsplit('.').next() == Some(clock);
        let index = model.clocks.iter().position(|own| matches(&own.name)).unwrap();
        root.clocks[index] = Rational::new(n.parse().unwrap(), d.parse().unwrap()).unwrap();
    }
    root
}

/// The standings of some states, computed from all of them as roots, as text.
pub fn standings(
    model: &Model,
    concept: Concept,
    scope: Scope,
    states: &[&str],
    method: SolveMethod,
) -> Vec<String> {
    let mut roots = vec![Root::initial(model)];
    roots.extend(states.iter().map(|text| state(model, text)));
    let solution = solved(model, concept, scope, &roots, method);
    let shown = roots[1..].iter().map(|root| match solution.standing(root) {
        Standing::Rank(rank) => format!("{} {}", rank.losses, rank.steps),
        Standing::None => "none".to_owned(),
        Standing::Fail => "fail".to_owned(),
    });
    shown.collect()
}

/// Whether a bound of a certificate holds for clocks in written time units.
pub fn meets(model: &Model, bound: &ClockBound, clocks: &[Rational]) -> bool {
    let value =
        |clock: Option<ClockId>| clock.map_or(Rational::ZERO, |clock| clocks[clock.index()]);
    let difference = value(bound.left).sub(value(bound.right)).unwrap();
    let limit = Rational::new(bound.bound, model.scale).unwrap();
    difference < limit || (difference == limit && !bound.strict)
}
