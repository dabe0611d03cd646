//! Answers to questions about games, in words and as JSON.

use serde_json::{Value, json};
use tioga::games::{Answered, Checked, plan};
use tioga::words::{count, times};
use tioga::{DataView, peak_bytes};
use tioga_certify::CheckReport;
use tioga_games::{Root, Standing};
use tioga_model::Model;
use tioga_testcase::{Luck, Rank, Scope};

use super::run::table;
use super::seconds;
use super::strategy;

/// The rank of a state as `--at` prints it.
pub fn standing(scope: Scope, standing: Standing) -> String {
    match standing {
        Standing::Rank(rank) if scope == Scope::SafetyFirst => {
            format!("{} {} {}", rank.risks, rank.losses, rank.steps)
        }
        Standing::Rank(rank) => format!("{} {}", rank.losses, rank.steps),
        Standing::None => "none".to_owned(),
        Standing::Fail => "fail".to_owned(),
    }
}

/// What the independent checker says; what it leaves open is in the documentation.
fn checked(checked: &Checked) -> String {
    match checked {
        Checked::Verified(report) => CheckReport { left_open: None, ..report.clone() }.to_string(),
        Checked::Unchecked(error) => format!("not checked: {error}"),
    }
}

fn luck_json(scope: Scope, luck: &Luck) -> Value {
    let [risks, losses, steps] = luck.rank;
    json!({
        "at": luck.at,
        "rank": strategy::rank_json(scope, Rank { risks, losses, steps }, false),
        "hoped": luck.hoped,
        "after": luck.after,
        "feared": luck.feared,
    })
}

/// An answer as text and as JSON; `fair` says whether ranks were asked for.
pub fn described(
    model: &Model,
    answered: &Answered<'_>,
    fair: bool,
    data: Option<&DataView>,
) -> (String, Value) {
    let question = &answered.question;
    let mut text = String::from("\n");
    if let Some(comment) = &question.comment {
        let words: Vec<&str> = comment.split_whitespace().collect();
        text.push_str(&format!("{}\n", words.join(" ")));
    }
    let word = match answered.holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "unknown",
    };
    text.push_str(&format!("{}: {word}\n", question.text));
    if answered.holds.is_none() {
        text.push_str("  a limit was reached first\n");
    }
    let solution = answered.cooperative.as_ref().unwrap_or(&answered.solution);
    let scope = solution.game.terms().scope;
    let standing = solution.standing(&Root::initial(model));
    let mut rank = Value::Null;
    let mut luck: Vec<Value> = Vec::new();
    let mut losses = None;
    if let (Standing::Rank(own), false) = (standing, solution.avoids()) {
        rank = strategy::rank_json(scope, own, false);
        let exact = if solution.complete { "" } else { "at most " };
        let shown = strategy::rank(scope, own);
        let lost = count(own.losses as usize, "control loss");
        let risks = match own.risks {
            0 => String::new(),
            risks => format!(", {}", count(risks as usize, "risk")),
        };
        text.push_str(&format!("  rank {exact}{shown}: {lost}{risks}\n"));
        losses = Some(own.losses);
        let plan = plan(model, solution, data);
        for one in &plan.luck {
            text.push_str(&format!("  at {}\n", one.text(times(model))));
        }
        luck = plan.luck.iter().map(|one| luck_json(scope, one)).collect();
        if !plan.records.is_empty() {
            text.push_str(&table(&plan.records, times(model)).unwrap_or_default());
        }
    } else if answered.holds == Some(false)
        && !solution.avoids()
        && scope != Scope::Winning
        && solution.complete
    {
        text.push_str("  the objective is unreachable even with cooperation\n");
    }
    let arena = &answered.solution.game.arena;
    let zones: usize = answered
        .solution
        .levels
        .iter()
        .flat_map(|levels| levels.iter().map(|(_, set)| set.len()))
        .sum();
    let early = if answered.solution.complete { "" } else { ", not all explored" };
    let classes = data.map(|view| format!(", data in {}", count(view.count(), "class")));
    text.push_str(&format!(
        "  {}{}, {}, {}{early}, {} s\n",
        count(arena.len(), "discrete state"),
        classes.unwrap_or_default(),
        count(arena.edge_count(), "edge"),
        count(zones, "zone"),
        seconds(answered.elapsed),
    ));
    let checked = answered.checked.as_ref().map(checked);
    if let Some(checked) = &checked {
        text.push_str(&format!("  {checked}\n"));
    }
    let result = json!({
        "comment": question.comment,
        "checked": checked,
        "query": question.text,
        "holds": answered.holds,
        "concept": if fair { "fair" } else { "strict" },
        "complete": answered.solution.complete,
        "rank": rank,
        "rank_exact": solution.complete,
        "losses": losses,
        "luck": luck,
        "stats": {
            "states": arena.len(),
            "edges": arena.edge_count(),
            "zones": zones,
            "classes": data.map(DataView::count),
            "updates": answered.solution.progress.updates,
            "seconds": serde_json::from_str::<Value>(&seconds(answered.elapsed)).unwrap_or(Value::Null),
            "peak_bytes": peak_bytes(),
        },
    });
    (text, result)
}
