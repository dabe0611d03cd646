//! Strategies for people and machines: text in the style of UPPAAL-TIGA, JSON and DOT.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga::DataView;
use tioga::words::{action, alternatives, clocks, discrete_state, edges};
use tioga_concrete::{label_of, step_record};
use tioga_games::{NodeId, NodeRule, Solution};
use tioga_model::{Composer, DiscreteState, Kind, Model, Step, Steps};
use tioga_testcase::{Advice, Rank, Scope};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// One state's rules with names filled in.
struct Named {
    node: NodeId,
    state: DiscreteState,
    rules: Vec<(NodeRule, String)>,
    moves: Vec<Step>,
}

/// The states in which there is something to decide or to reach, with their rules.
fn named(solution: &Solution<'_>) -> Vec<Named> {
    let arena = &solution.game.arena;
    let model = arena.model();
    let names = clocks::names(model);
    let mut composer = Composer::new(model);
    let mut steps = Steps::new();
    let mut all = Vec::new();
    for node in arena.ids() {
        let rules = solution.rules(node);
        if rules.is_empty() {
            continue;
        }
        let state = arena.state(node);
        composer.steps(&state, &mut steps);
        let rules = rules.into_iter().map(|rule| {
            let zones = solution.readable(node, &rule.set);
            let zones = zones.iter().map(|zone| &zone[..]);
            let text = clocks::disjunction(model, &names, zones);
            (rule, text)
        });
        all.push(Named { node, state, rules: rules.collect(), moves: steps.list.clone() });
    }
    all
}

/// A rank with as many parts as its scope needs.
pub fn rank(scope: Scope, rank: Rank) -> String {
    if scope == Scope::SafetyFirst { format!("{rank:#}") } else { rank.to_string() }
}

/// Names states and moves: as they are, or by what they stand for where messages carry many values.
#[derive(Clone, Copy)]
struct Naming<'n> {
    model: &'n Model,
    data: Option<&'n DataView>,
}

impl Naming<'_> {
    fn state(self, state: &DiscreteState) -> String {
        match self.data {
            Some(view) => view.state_text(state),
            None => discrete_state(self.model, state),
        }
    }

    fn action(self, state: &DiscreteState, step: &Step) -> String {
        match self.data {
            Some(view) => match view.move_text(state, step) {
                (action, Some(condition)) => format!("{action} with {condition}"),
                (action, None) => action,
            },
            None => action(&label_of(self.model, step)),
        }
    }

    /// What a move is called: `ship2? { Belt: St -> D2A }`.
    fn called(self, state: &DiscreteState, step: &Step) -> String {
        let record = step_record(self.model, step);
        let taken = edges(&record.edges.unwrap_or_default());
        format!("{} {{ {taken} }}", self.action(state, step))
    }

    fn actions(self, state: &DiscreteState, moves: &[Step], steps: &[u32]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for step in steps {
            let name = self.action(state, &moves[*step as usize]);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The strategy as text.
pub fn text(solution: &Solution<'_>, data: Option<&DataView>) -> String {
    let model = solution.game.arena.model();
    let naming = Naming { model, data };
    let terms = solution.game.terms();
    let mut text = String::new();
    for Named { state, rules, moves, .. } in named(solution) {
        let _ = writeln!(text, "State: ( {} )", naming.state(&state));
        for (rule, zones) in rules {
            let rank = match (solution.avoids(), terms.scope) {
                (true, _) => String::new(),
                (false, scope) => format!(" [{}]", rank(scope, rule.rank)),
            };
            match &rule.advice {
                Advice::Done => {
                    let _ = writeln!(text, "In ({zones}), the objective is reached.");
                }
                Advice::Play(step) => {
                    let step = naming.called(&state, &moves[*step as usize]);
                    let _ = writeln!(text, "When you are in ({zones}), take {step}.{rank}");
                }
                Advice::Wait { awaited, .. } => {
                    let awaited = naming.actions(&state, &moves, awaited);
                    let what = match &awaited[..] {
                        [] => "wait".to_owned(),
                        some => format!("wait for {}", alternatives(some)),
                    };
                    let _ = writeln!(text, "While you are in ({zones}), {what}.{rank}");
                }
            }
        }
        text.push('\n');
    }
    text
}

/// The strategy as JSON. Where messages carry many values, states and moves are those of representatives, and
/// `where` and `with` say what these stand for.
pub fn json(solution: &Solution<'_>, query: &str, data: Option<&DataView>) -> Value {
    let model = solution.game.arena.model();
    let naming = Naming { model, data: None };
    let scope = solution.game.terms().scope;
    let names = clocks::names(model);
    let states = named(solution).into_iter().map(|Named { node, state, rules, moves }| {
        let rules = rules.iter().map(|(rule, zones)| {
            let exact: Vec<Value> = solution
                .readable(node, &rule.set)
                .iter()
                .map(|zone| clocks::disjunction(model, &names, [&zone[..]]).into())
                .collect();
            let advice = match &rule.advice {
                Advice::Done => json!({ "do": "done" }),
                Advice::Play(step) => {
                    let record = step_record(model, &moves[*step as usize]);
                    let taken: Vec<Value> = record
                        .edges
                        .unwrap_or_default()
                        .into_iter()
                        .map(|edge| {
                            json!({
                                "process": edge.process,
                                "source": edge.source,
                                "target": edge.target,
                                "edge": edge.edge,
                            })
                        })
                        .collect();
                    let mut play =
                        json!({ "do": "play", "action": action(&record.event), "edges": taken });
                    if let Some(view) = data {
                        let meant = view.move_text(&state, &moves[*step as usize]);
                        play["means"] = meant.0.into();
                        play["with"] = meant.1.into();
                    }
                    play
                }
                Advice::Wait { awaited, feared } => json!({
                    "do": "wait",
                    "awaited": naming.actions(&state, &moves, awaited),
                    "feared": naming.actions(&state, &moves, feared),
                }),
            };
            json!({
                "when": zones,
                "zones": exact,
                "rank": rank_json(scope, rule.rank, solution.avoids()),
                "advice": advice,
            })
        });
        let mut shown =
            json!({ "state": state_json(model, &state), "rules": rules.collect::<Vec<_>>() });
        if let Some(view) = data {
            shown["where"] = view.data(&state).join(", ").into();
        }
        shown
    });
    json!({
        "format": "tioga-strategy",
        "version": VERSION,
        "model": model.name,
        "query": query,
        "concept": format!("{:?}", solution.game.terms().concept).to_lowercase(),
        "complete": solution.complete,
        "states": states.collect::<Vec<_>>(),
    })
}

/// A rank as JSON; states that are avoided have none.
pub fn rank_json(scope: Scope, rank: Rank, avoids: bool) -> Value {
    match (avoids, scope) {
        (true, _) => Value::Null,
        (false, Scope::SafetyFirst) => {
            json!({ "risks": rank.risks, "losses": rank.losses, "steps": rank.steps })
        }
        (false, _) => json!({ "losses": rank.losses, "steps": rank.steps }),
    }
}

fn state_json(model: &Model, state: &DiscreteState) -> Value {
    let locations: serde_json::Map<String, Value> = model
        .processes
        .iter()
        .zip(&state.locations)
        .map(|(process, at)| (process.name.clone(), process.locations[*at].name.clone().into()))
        .collect();
    let data: serde_json::Map<String, Value> = model
        .slots
        .iter()
        .zip(&state.data)
        .map(|(slot, value)| {
            let value =
                if slot.kind == Kind::Bool { (*value != 0).into() } else { (*value).into() };
            (slot.name.clone(), value)
        })
        .collect();
    json!({ "locations": locations, "data": data })
}

/// The strategy as a graph: states, the tester's moves as solid and the system's as dashed arrows.
pub fn dot(solution: &Solution<'_>, data: Option<&DataView>) -> String {
    let arena = &solution.game.arena;
    let naming = Naming { model: arena.model(), data };
    let mut text =
        String::from("digraph strategy {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for Named { node, state, rules, moves } in named(solution) {
        let mut label = naming.state(&state);
        for (rule, zones) in &rules {
            let what = match &rule.advice {
                Advice::Done => "done".to_owned(),
                Advice::Play(step) => naming.action(&state, &moves[*step as usize]),
                Advice::Wait { .. } => "wait".to_owned(),
            };
            let _ = write!(label, "\\n{zones}: {what}");
        }
        let _ = writeln!(text, "  {node} [label=\"{}\"];", label.replace('"', "\\\""));
        for edge in arena.edges(node) {
            let played = rules.iter().any(|(rule, _)| rule.advice == Advice::Play(edge.step));
            let system = edge.control == tioga_model::Control::Uncontrollable;
            if played || system {
                let name = naming.action(&state, &moves[edge.step as usize]);
                let style = if system { "dashed" } else { "solid" };
                let target = edge.target;
                let _ = writeln!(
                    text,
                    "  {node} -> {target} [label=\"{}\", style={style}];",
                    name.replace('"', "\\\"")
                );
            }
        }
    }
    text.push_str("}\n");
    text
}
