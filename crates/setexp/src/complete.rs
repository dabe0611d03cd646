//! Completion: of a specification by a trap for inputs it leaves open (KHO Remark 3.1), and of a purpose by
//! what it does on actions that none of its edges match.

use tioga_base::Budget;
use tioga_terms::{Formula, Names};

use crate::error::Refusal;
use crate::guards::{Guard, outside, possible as clocks_possible};
use crate::solver::{Solver, possible};
use crate::thresholds::{Thresholds, always_passed};
use crate::tiosa::{ActionId, ClockId, Edge, Kind, Location, LocationId, Mark, Relation, Tiosa};

/// What was done to make a specification input-complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completion {
    /// The inputs that a location left open somewhere, as location and action.
    pub open: Vec<(LocationId, ActionId)>,
    /// The trap that was added, if one was needed.
    pub trap: Option<LocationId>,
}

/// Makes a specification input-complete: inputs that a location leaves open lead to a trap, where every
/// action is allowed.
///
/// This is exact where the specification is deterministic without internal actions (KHO Remark 3.1). With
/// internal actions it is exact, too, if they neither open nor close an input: each location they connect
/// then accepts the same inputs. Otherwise an input that is open in one explanation of what was seen and
/// specified in another would be completed wrongly, and the specification is refused.
pub fn complete_inputs(
    tiosa: &Tiosa,
    solver: &mut dyn Solver,
) -> Result<(Tiosa, Completion), Refusal> {
    let mut completed = tiosa.clone();
    let mut completion = Completion::default();
    let mut added = Vec::new();
    for location in tiosa.locations.ids() {
        for (id, action) in tiosa.actions.iter_ids() {
            if action.kind != Kind::Input {
                continue;
            }
            let rest = open_guards(tiosa, solver, location, id)?;
            if !rest.is_empty() {
                completion.open.push((location, id));
            }
            added.extend(rest.into_iter().map(|guard| (location, id, guard)));
        }
    }
    if added.is_empty() {
        return Ok((completed, completion));
    }
    refuse_split_inputs(tiosa, solver, &completion.open)?;
    let trap = completed.locations.push(Location {
        name: unused_name(tiosa, "trap"),
        mark: Mark::Plain,
        invariant: Vec::new(),
    });
    completion.trap = Some(trap);
    for (source, action, guard) in added {
        completed.edges.push(plain_edge(source, trap, action, guard));
    }
    for action in tiosa.actions.ids() {
        let guard = Guard { atoms: Vec::new(), condition: Formula::True };
        completed.edges.push(plain_edge(trap, trap, action, guard));
    }
    Ok((completed, completion))
}

fn plain_edge(source: LocationId, target: LocationId, action: ActionId, guard: Guard) -> Edge {
    Edge {
        source,
        target,
        action,
        guard: guard.atoms,
        resets: Vec::new(),
        condition: guard.condition,
        assignments: Vec::new(),
    }
}

fn unused_name(tiosa: &Tiosa, name: &str) -> String {
    let mut name = name.to_owned();
    while tiosa.location(&name).is_some() {
        name.push('_');
    }
    name
}

/// Where a location leaves an action open.
fn open_guards(
    tiosa: &Tiosa,
    solver: &mut dyn Solver,
    location: LocationId,
    action: ActionId,
) -> Result<Vec<Guard>, Refusal> {
    let guards: Vec<_> = tiosa
        .leaving(location)
        .filter(|(_, edge)| edge.action == action)
        .map(|(_, edge)| Guard { atoms: edge.guard.clone(), condition: edge.condition.clone() })
        .collect();
    let mut open = Vec::new();
    for guard in outside(&tiosa.symbols, &guards)? {
        if possible(solver, &tiosa.symbols, &guard.condition)? {
            open.push(guard);
        }
    }
    Ok(open)
}

/// Refuses specifications where completing each location by itself is wrong: the specification may be in two
/// locations at once, one of which leaves an input open that the other specifies.
fn refuse_split_inputs(
    tiosa: &Tiosa,
    solver: &mut dyn Solver,
    open: &[(LocationId, ActionId)],
) -> Result<(), Refusal> {
    let accepts = |location: LocationId, input: ActionId| {
        !open.contains(&(location, input))
            || tiosa.leaving(location).any(|(_, edge)| edge.action == input)
    };
    let mut pairs: Vec<(LocationId, LocationId, String)> = Vec::new();
    for edge in tiosa.edges.iter() {
        if tiosa.actions[edge.action].kind == Kind::Internal && edge.source != edge.target {
            let why = format!(
                "{} leads from {} to {} unseen",
                tiosa.actions[edge.action].name,
                tiosa.locations[edge.source].name,
                tiosa.locations[edge.target].name
            );
            pairs.push((edge.source, edge.target, why));
        }
    }
    for (one, other) in overlapping(tiosa, solver)? {
        let (one, other) = (&tiosa.edges[one], &tiosa.edges[other]);
        let why = format!(
            "{} in {} may lead to {} and to {}",
            tiosa.action_text(one.action),
            tiosa.locations[one.source].name,
            tiosa.locations[one.target].name,
            tiosa.locations[other.target].name
        );
        pairs.push((one.target, other.target, why));
    }
    for (one, other, why) in pairs {
        for (input, action) in tiosa.actions.iter_ids() {
            if action.kind == Kind::Input && accepts(one, input) != accepts(other, input) {
                return Err(Refusal::Hypothesis(format!(
                    "the inputs of {} cannot be completed: {why}, and only one of these locations \
                     accepts {}; write the edges of {} in the other one, too",
                    tiosa.name,
                    tiosa.action_text(input),
                    action.name,
                )));
            }
        }
    }
    Ok(())
}

/// Pairs of edges with the same source and action that can both be enabled, and lead apart.
pub fn overlapping(
    tiosa: &Tiosa,
    solver: &mut dyn Solver,
) -> Result<Vec<(crate::tiosa::EdgeId, crate::tiosa::EdgeId)>, Refusal> {
    let mut pairs = Vec::new();
    for (id, edge) in tiosa.edges.iter_ids() {
        for (other, second) in tiosa.leaving(edge.source) {
            if other <= id || second.action != edge.action {
                continue;
            }
            if (edge.target, &edge.assignments) == (second.target, &second.assignments) {
                continue;
            }
            let atoms: Vec<_> = edge.guard.iter().chain(&second.guard).cloned().collect();
            let both = edge.condition.clone().and(second.condition.clone());
            if clocks_possible(&atoms) && possible(solver, &tiosa.symbols, &both)? {
                pairs.push((id, other));
            }
        }
    }
    Ok(pairs)
}

/// Completes a purpose: where none of its edges match an action, it goes to a location, or stays.
pub fn complete_purpose(
    purpose: &Tiosa,
    otherwise: Option<LocationId>,
    solver: &mut dyn Solver,
) -> Result<Tiosa, Refusal> {
    let mut completed = purpose.clone();
    for (location, described) in purpose.locations.iter_ids() {
        let trap = described.mark != Mark::Plain;
        for action in purpose.actions.ids() {
            let target = if trap { location } else { otherwise.unwrap_or(location) };
            for guard in open_guards(purpose, solver, location, action)? {
                completed.edges.push(plain_edge(location, target, action, guard));
            }
        }
    }
    Ok(completed)
}

/// What is to be known about a specification before its tests are synthesised.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hypotheses {
    /// Where a milder reading than KHO's is used, in sentences.
    pub warnings: Vec<String>,
}

/// Checks the hypotheses of the method: internal actions reset nothing, the initial condition can hold.
/// An action that resets different clocks on different edges is allowed with a warning: the stages after
/// this one refuse it where both edges explain the same observation.
pub fn hypotheses(tiosa: &Tiosa, solver: &mut dyn Solver) -> Result<Hypotheses, Refusal> {
    tiosa.check()?;
    let mut found = Hypotheses::default();
    if !possible(solver, &tiosa.symbols, &tiosa.initial_condition)? {
        return Err(Refusal::Hypothesis(format!(
            "the initial condition of {} cannot hold: {}",
            tiosa.name,
            Names(&tiosa.symbols, &tiosa.initial_condition)
        )));
    }
    for edge in tiosa.edges.iter() {
        if tiosa.actions[edge.action].kind == Kind::Internal && !edge.resets.is_empty() {
            return Err(Refusal::Hypothesis(format!(
                "the internal action {} resets {} in {}; a tester that does not see the action \
                 cannot follow the clock (KHO Hypothesis 5.1); reset it with an input or output",
                tiosa.actions[edge.action].name,
                tiosa.clocks[edge.resets[0]],
                tiosa.locations[edge.source].name
            )));
        }
    }
    let thresholds = Thresholds::of(tiosa)?;
    for (id, action) in tiosa.actions.iter_ids() {
        let own: Vec<_> = tiosa.edges.iter().filter(|edge| edge.action == id).collect();
        // A clock that is not compared before its next reset may as well be reset.
        let keeps = |edge: &Edge, clock: ClockId| {
            !edge.resets.contains(&clock) && !thresholds.live(edge.target, clock).is_empty()
        };
        let differ = tiosa.clocks.ids().any(|clock| {
            own.iter().any(|edge| edge.resets.contains(&clock))
                && own.iter().any(|edge| keeps(edge, clock))
        });
        if differ {
            found.warnings.push(format!(
                "{} resets different clocks on different edges; KHO asks for one set per action, \
                 the edges are told apart by their guards instead",
                action.name
            ));
        }
    }
    let zero = tiosa.locations.ids().flat_map(|location| tiosa.atoms(location)).any(|atom| {
        always_passed(&atom.threshold)
            && !matches!(atom.relation, Relation::AtLeast | Relation::Above)
    });
    if zero {
        found.warnings.push(
            "a clock is compared with 0 from above; time passes between any two inputs and outputs (KHO \
             Remark 2.1), so of these it never holds"
                .to_owned(),
        );
    }
    if tiosa.locations.iter().any(|location| !location.invariant.is_empty()) {
        found.warnings.push(
            "locations have invariants, which KHO leaves to future work; a system that stays \
             beyond an invariant fails"
                .to_owned(),
        );
    }
    Ok(found)
}

/// The usual limit on states, nodes and steps of a stage.
pub fn usual_budget() -> Budget {
    Budget::steps(100_000)
}
