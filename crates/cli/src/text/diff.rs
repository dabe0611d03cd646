//! What a change of a model affects, in words and as JSON.

use std::time::Duration;

use serde_json::{Value, json};
use tioga::trace::trace;
use tioga::words::count;
use tioga::{BehaviourDifference, CertifyFinding, ChangeKind, Followed, ModelDiff, allowed};
use tioga_conform::{Decided, RelationAnswer};
use tioga_explore::Statistics;
use tioga_model::Model;

use crate::text::certify::to_json;
use crate::text::conform::Related;

/// What was found about two versions.
pub struct Told<'m> {
    /// The old and the new version.
    pub models: (&'m Model, &'m Model),
    /// What they were called on the command line.
    pub names: (&'m str, &'m str),
    /// What was found.
    pub found: &'m ModelDiff,
}

/// One direction: the version that follows, the other, and their names.
type Way<'w> = ((&'w Model, &'w Model), (&'w str, &'w str));

impl Told<'_> {
    fn ways(&self) -> [(Way<'_>, Option<&Followed>); 2] {
        let ((old, new), (one, other)) = (self.models, self.names);
        [
            (((new, old), (other, one)), self.found.new_follows_old.as_ref()),
            (((old, new), (one, other)), self.found.old_follows_new.as_ref()),
        ]
    }

    /// The result in words.
    pub fn text(&self) -> String {
        let ModelDiff { changes, interface, suite, .. } = self.found;
        let mut text = match changes.len() {
            0 => "no location, edge or declaration changed\n".to_owned(),
            number => format!("{}:\n", count(number, "change")),
        };
        for change in changes {
            let process = match change.process.as_str() {
                "" => String::new(),
                name => format!("{name}: "),
            };
            text.push_str(&format!("  {:<7}  {process}{}\n", kind(change.kind), change.what));
        }
        if !interface.is_empty() {
            text.push_str("\nthe interface differs:\n");
        }
        for why in interface {
            text.push_str(&format!("  {why}\n"));
        }
        for (way, followed) in self.ways() {
            if let Some(followed) = followed {
                text.push('\n');
                text.push_str(&direction(way, followed));
            }
        }
        text.push_str(match self.found.same() {
            Some(true) => "\nboth versions behave in the same way\n",
            Some(false) => "\nthe versions behave differently\n",
            None => "\nwhether both versions behave in the same way is unknown\n",
        });
        if !suite.is_empty() {
            text.push_str(&self.suite_text());
        }
        text
    }

    /// Which test cases hold, and which have to be made again.
    fn suite_text(&self) -> String {
        let suite = &self.found.suite;
        let holds = |finding: &CertifyFinding| matches!(finding, CertifyFinding::Right(_));
        let still = suite.iter().filter(|one| holds(&one.finding)).count();
        let mut text = format!(
            "\n{still} of {} still hold for the new version\n",
            count(suite.len(), "test case")
        );
        for one in suite {
            let (word, why) = match &one.finding {
                CertifyFinding::Right(_) | CertifyFinding::Complete(_) => ("holds", None),
                CertifyFinding::Wrong(why) => ("make again", Some(why)),
                CertifyFinding::Open(why) => ("unknown", Some(why)),
            };
            text.push_str(&format!("  {word:<10}  {} ({})\n", one.name, one.purpose));
            if let Some(why) = why {
                text.push_str(&format!("              {why}\n"));
            }
        }
        text
    }

    /// The result as JSON.
    pub fn result(&self) -> Value {
        let ModelDiff { changes, interface, suite, .. } = self.found;
        let changes: Vec<Value> = changes
            .iter()
            .map(|one| json!({ "kind": kind(one.kind), "process": one.process, "what": one.what }))
            .collect();
        let [new, old] = self.ways().map(|(way, followed)| followed.map(|one| way_json(way, one)));
        let suite: Vec<Value> = suite
            .iter()
            .map(|one| {
                let mut value = to_json(one);
                value["make_again"] = json!(matches!(one.finding, CertifyFinding::Wrong(_)));
                value
            })
            .collect();
        json!({
            "same": self.found.same(),
            "changes": changes,
            "interface": interface,
            "new_follows_old": new,
            "old_follows_new": old,
            "suite": suite,
        })
    }
}

fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
    }
}

/// How one version follows the other, in words.
fn direction(way: Way<'_>, followed: &Followed) -> String {
    let (_, (one, other)) = way;
    let mut text = match followed.holds() {
        Some(true) => format!("{one} does only what {other} allows, and takes its inputs\n"),
        Some(false) => {
            let number = count(followed.differences.len(), "difference");
            format!("{one} does not behave as {other} allows: {number}\n")
        }
        None => format!("whether {one} does only what {other} allows is unknown\n"),
    };
    for (index, difference) in followed.differences.iter().enumerate() {
        text.push_str(&format!("difference {}: {}\n", index + 1, difference.place));
        let (related, run, allowed) = shown(way, followed, difference);
        let violation = &difference.violation;
        text.push_str(&related.described(violation, &run, allowed.as_ref()));
    }
    if let Some(reason) = &followed.reason {
        text.push_str(&format!("  {reason}\n"));
    }
    text
}

/// A difference as the comparison of the two versions, with the run that shows it and what was allowed.
fn shown<'w>(
    (models, names): Way<'w>,
    followed: &'w Followed,
    difference: &BehaviourDifference,
) -> (Related<'w>, tioga_concrete::Trace, Option<tioga::AllowedNext>) {
    let own = followed.views.0.as_ref().unwrap_or(models.0);
    let other = followed.views.1.as_ref().unwrap_or(models.1);
    let decided = Decided {
        answer: RelationAnswer::Violated(difference.violation.clone()),
        statistics: Statistics::default(),
        faulty: false,
        stops: false,
    };
    let related = Related {
        models: (own, other),
        names: (names.0.to_owned(), names.1.to_owned()),
        relation: difference.relation,
        decided,
        elapsed: Duration::ZERO,
    };
    let run = trace(own, &difference.violation.run);
    (related, run, allowed(other, &difference.violation))
}

/// How one version follows the other, as JSON.
fn way_json(way: Way<'_>, followed: &Followed) -> Value {
    let differences: Vec<Value> = followed
        .differences
        .iter()
        .map(|difference| {
            let (related, run, allowed) = shown(way, followed, difference);
            let shown = (&*difference.violation, &run, allowed.as_ref());
            let mut value = related.result(Some(shown))["violation"].take();
            value["place"] = json!(difference.place);
            value
        })
        .collect();
    json!({
        "holds": followed.holds(),
        "complete": followed.complete,
        "reason": followed.reason,
        "differences": differences,
    })
}
