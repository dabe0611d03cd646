//! Verdicts on properties as text and as JSON. Processes made from the same lines of a model share
//! a line of the text.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tioga_base::{Sources, Span};
use tioga_model::{Property, PropertyReport, PropertyVerdict};

use crate::results::diagnostics::place;
use crate::results::run::align;
use crate::results::state::number_json;

/// How many rows a property gets at most; `--format json` has them all.
const ROWS_SHOWN: usize = 8;

/// The verdict in a word.
fn word(verdict: &PropertyVerdict) -> &'static str {
    match verdict {
        PropertyVerdict::Holds => "yes",
        PropertyVerdict::Fails(_) => "no",
        PropertyVerdict::Unknown(_) => "unknown",
        PropertyVerdict::NotApplicable(_) => "not applicable",
    }
}

/// Why the verdict is what it is; empty if there is nothing to say.
fn reason(verdict: &PropertyVerdict) -> &str {
    match verdict {
        PropertyVerdict::Holds => "",
        PropertyVerdict::Fails(witness) => &witness.sentence,
        PropertyVerdict::Unknown(reason) | PropertyVerdict::NotApplicable(reason) => reason,
    }
}

/// The place to look at first.
fn span(verdict: &PropertyVerdict) -> Option<Span> {
    match verdict {
        PropertyVerdict::Fails(witness) => witness.spans.first().map(|(span, _)| *span),
        _ => None,
    }
}

/// One row for each property and verdict: the verdict, for whom, and the reason for the first of
/// them with its place.
pub fn text(reports: &[PropertyReport], sources: &Sources) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    for property in Property::ALL {
        let about: Vec<&PropertyReport> = reports
            .iter()
            .filter(|report| report.property == property)
            .filter(|report| !matches!(report.verdict, PropertyVerdict::NotApplicable(_)))
            .collect();
        let groups = grouped(&about);
        for (index, group) in groups.iter().take(ROWS_SHOWN).enumerate() {
            let title = if index == 0 { property.name() } else { "" };
            let verdict = &group[0].verdict;
            let all = group.len() == about.len();
            rows.push([
                title.to_owned(),
                word(verdict).to_owned(),
                about_whom(group, all, sources),
            ]);
        }
        if groups.len() > ROWS_SHOWN {
            let more = format!("and {} more", groups.len() - ROWS_SHOWN);
            rows.push([String::new(), String::new(), more]);
        }
    }
    align(&rows, &[])
}

/// Reports with the same verdict about the same place, in order.
fn grouped<'a>(reports: &[&'a PropertyReport]) -> Vec<Vec<&'a PropertyReport>> {
    let mut groups: Vec<Vec<&PropertyReport>> = Vec::new();
    let mut known = BTreeMap::new();
    for report in reports {
        let key = (word(&report.verdict), span(&report.verdict));
        let index = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(report),
            None => groups.push(vec![report]),
        }
    }
    groups
}

fn about_whom(group: &[&PropertyReport], all: bool, sources: &Sources) -> String {
    let verdict = &group[0].verdict;
    let mut text = reason(verdict).to_owned();
    if !all || !text.is_empty() {
        let whom = match group {
            [one] => one.scope.to_string(),
            [first, .., last] if group.len() > 3 => {
                format!("{} to {} ({})", first.scope, last.scope, group.len())
            }
            _ => group.iter().map(|one| one.scope.to_string()).collect::<Vec<_>>().join(", "),
        };
        text = if text.is_empty() { whom } else { format!("{whom}: {text}") };
    }
    let source = span(verdict).and_then(|span| Some((sources.get(span.file)?, span)));
    if let Some((source, span)) = source {
        let (line, _) = source.line_column(span.start as usize);
        text.push_str(&format!(" (line {line})"));
    }
    text
}

/// The verdicts as a JSON array.
pub fn json(reports: &[PropertyReport], sources: &Sources) -> Value {
    reports.iter().map(|report| one_json(report, sources)).collect()
}

fn one_json(report: &PropertyReport, sources: &Sources) -> Value {
    let mut object = json!({
        "property": report.property.name(),
        "meaning": report.property.meaning(),
        "about": report.scope.to_string(),
        "verdict": word(&report.verdict),
        "reason": reason(&report.verdict),
    });
    if let PropertyVerdict::Fails(witness) = &report.verdict {
        let places = witness.spans.iter().map(|(span, label)| {
            let mut place = place(*span, sources);
            place["label"] = label.as_str().into();
            place
        });
        let clock = |value: Value, name: &str| json!({ "clock": name, "value": value });
        object["witness"] = json!({
            "places": places.collect::<Vec<_>>(),
            "clocks": witness.clocks.iter().map(|one| clock(number_json(one.value), &one.name)).collect::<Vec<_>>(),
            "data": witness.data.iter().map(|one| json!({ "name": one.name, "value": one.text })).collect::<Vec<_>>(),
            "others": witness.others,
        });
    }
    object
}
