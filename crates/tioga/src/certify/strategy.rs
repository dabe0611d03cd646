//! A strategy as it is written: its states, clock conditions, ranks and advice as a table of ranks.

use serde_json::Value;
use tioga_base::Rational;
use tioga_concrete::label_of;
use tioga_model::{
    ClockBound, ClockConjunction, ClockId, Composer, DiscreteState, Kind, LocationId, Model,
    Objective, Step, Steps,
};
use tioga_testcase::{Advice, Concept, Level, Rank, RankTable, Ranked, Rule, Scope, Terms};

use crate::words::{action, clocks};

/// The rank table of a strategy for reachability, or why it does not fit the model.
pub(super) fn table(
    model: &Model,
    objective: &Objective,
    cooperative: bool,
    value: &Value,
) -> Result<RankTable, String> {
    let concept = match value["concept"].as_str() {
        Some("fair") => Concept::Fair,
        Some("strict") => Concept::Strict,
        other => return Err(format!("there is no concept {other:?}")),
    };
    let states = value["states"].as_array().ok_or("it has no states")?;
    let mut table = RankTable {
        terms: Terms { objective: objective.clone(), concept, scope: Scope::Winning },
        complete: value["complete"].as_bool().ok_or("it does not say whether it is complete")?,
        places: std::collections::BTreeMap::new(),
    };
    let mut risks = false;
    let names = clocks::names(model);
    for written in states {
        let state = discrete(model, &written["state"])?;
        let mut possible = Steps::new();
        Composer::new(model).steps(&state, &mut possible);
        let mut ranked = Ranked::default();
        for rule in written["rules"].as_array().ok_or("a state has no rules")? {
            let number =
                |name: &str| rule["rank"][name].as_u64().and_then(|n| u32::try_from(n).ok());
            let (Some(losses), Some(steps)) = (number("losses"), number("steps")) else {
                return Err("a rule has no rank".to_owned());
            };
            risks |= number("risks").is_some();
            let rank = Rank { risks: number("risks").unwrap_or(0), losses, steps };
            let zones: Result<Vec<ClockConjunction>, String> = texts(&rule["zones"])?
                .iter()
                .map(|text| conjunction(model, &names, text))
                .collect();
            let (zones, advice) = (zones?, advice(model, &possible.list, &rule["advice"])?);
            match ranked.levels.iter_mut().find(|level| level.rank == rank) {
                Some(level) => level.zones.extend(zones.clone()),
                None => ranked.levels.push(Level { rank, zones: zones.clone() }),
            }
            ranked.rules.push(Rule { rank, zones, advice });
        }
        ranked.levels.sort_by_key(|level| level.rank);
        if table.places.insert(state, ranked).is_some() {
            return Err("a state occurs twice".to_owned());
        }
    }
    table.terms.scope = match (risks, concept, cooperative) {
        (true, ..) => Scope::SafetyFirst,
        (_, Concept::Fair, _) | (_, _, true) => Scope::Cooperative,
        _ => Scope::Winning,
    };
    Ok(table)
}

fn texts(value: &Value) -> Result<Vec<&str>, String> {
    let list = value.as_array().ok_or("a list is missing")?;
    list.iter().map(|one| one.as_str().ok_or_else(|| "a text is missing".to_owned())).collect()
}

fn discrete(model: &Model, value: &Value) -> Result<DiscreteState, String> {
    let mut state = Composer::new(model).initial();
    let count = |name: &str| value[name].as_object().map_or(0, serde_json::Map::len);
    if count("locations") != model.processes.len() || count("data") != model.slots.len() {
        return Err("a state does not say where each process is, or what each variable is".into());
    }
    for (at, process) in state.locations.iter_mut().zip(model.processes.iter()) {
        let name = value["locations"][&process.name].as_str();
        let mut known = process.locations.iter_ids();
        let found: Option<LocationId> =
            known.find(|(_, location)| Some(location.name.as_str()) == name).map(|(id, _)| id);
        *at = found.ok_or_else(|| format!("`{}` has no location {name:?}", process.name))?;
    }
    for (own, slot) in state.data.iter_mut().zip(model.slots.iter()) {
        let written = &value["data"][&slot.name];
        let number = match slot.kind {
            Kind::Bool => written.as_bool().map(i64::from),
            _ => written.as_i64(),
        };
        *own = number.ok_or_else(|| format!("the variable `{}` has no value", slot.name))?;
    }
    Ok(state)
}

fn advice(model: &Model, steps: &[Step], value: &Value) -> Result<Advice, String> {
    let numbered = || (0u32..).zip(steps);
    let called = |step: &Step| action(&label_of(model, step));
    match value["do"].as_str() {
        Some("done") => Ok(Advice::Done),
        Some("play") => {
            let edges = value["edges"].as_array().ok_or("a move has no edges")?;
            let same = |step: &Step| {
                let taken = tioga_concrete::step_record(model, step).edges.unwrap_or_default();
                taken.len() == edges.len()
                    && Some(called(step).as_str()) == value["action"].as_str()
                    && taken.iter().zip(edges).all(|(own, edge)| {
                        edge["process"] == own.process.as_str()
                            && edge["source"] == own.source.as_str()
                            && edge["target"] == own.target.as_str()
                            && edge["edge"] == serde_json::json!(own.edge)
                    })
            };
            let found = numbered().find(|(_, step)| same(step));
            let what = &value["action"];
            found.map(|(index, _)| Advice::Play(index)).ok_or(format!("there is no step {what}"))
        }
        Some("wait") => {
            let named = |list: &str| -> Result<Vec<u32>, String> {
                let names = texts(&value[list])?;
                let unknown = |name: &&&str| !steps.iter().any(|step| called(step) == **name);
                if let Some(name) = names.iter().find(unknown) {
                    return Err(format!("there is no step `{name}`"));
                }
                let own = numbered().filter(|(_, step)| names.contains(&called(step).as_str()));
                Ok(own.map(|(index, _)| index).collect())
            };
            Ok(Advice::Wait { awaited: named("awaited")?, feared: named("feared")? })
        }
        other => Err(format!("there is no advice {other:?}")),
    }
}

/// The bounds that `x > 2 && x - y <= 5` says.
fn conjunction(model: &Model, names: &[String], text: &str) -> Result<ClockConjunction, String> {
    if text == "always" {
        return Ok(ClockConjunction::default());
    }
    let mut all = Vec::new();
    for part in text.split(" && ") {
        bounds(model, names, part, &mut all).ok_or_else(|| format!("`{part}` is no condition"))?;
    }
    Ok(all.into_iter().collect())
}

fn bounds(model: &Model, names: &[String], part: &str, all: &mut Vec<ClockBound>) -> Option<()> {
    let words: Vec<&str> = part.split(' ').collect();
    let clock = |name: &str| -> Option<ClockId> {
        let position = names.iter().position(|own| own == name)?;
        u32::try_from(position).ok().map(ClockId)
    };
    let value = |text: &str| -> Option<i64> {
        let time: Rational = text.parse().ok()?;
        time.mul(Rational::integer(model.scale)).ok()?.to_integer()
    };
    let (left, right, sign, limit) = match words[..] {
        [left, "-", right, sign, limit] => (clock(left)?, Some(clock(right)?), sign, value(limit)?),
        [left, sign, right] => match clock(right) {
            Some(right) => (clock(left)?, Some(right), sign, 0),
            None => (clock(left)?, None, sign, value(right)?),
        },
        _ => return None,
    };
    let upper = |strict| ClockBound { left: Some(left), right, strict, bound: limit };
    let lower = |strict| ClockBound { left: right, right: Some(left), strict, bound: -limit };
    match sign {
        "<" => all.push(upper(true)),
        "<=" => all.push(upper(false)),
        ">" => all.push(lower(true)),
        ">=" => all.push(lower(false)),
        "==" => all.extend([lower(false), upper(false)]),
        _ => return None,
    }
    Some(())
}
