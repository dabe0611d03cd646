//! What became of the files of a folder, in words and as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tioga::ModelFormat;
use tioga::corpus::{Questions, Refusal};
use tioga::words::count;

use crate::text::run::align;

/// One file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its path below the folder.
    pub file: PathBuf,
    /// The format its extension stands for.
    pub format: Option<ModelFormat>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was read.
    Read {
        /// The features that were set aside.
        aside: Vec<String>,
        /// What it asks.
        questions: Questions,
        /// How long that took.
        seconds: String,
    },
    /// It was refused.
    Refused {
        /// Why.
        refusal: Refusal,
        /// What it asks.
        questions: Questions,
        /// How long that took.
        seconds: String,
    },
    /// It has the contents of this one, which was read before.
    Copy(PathBuf),
    /// It is no model.
    Other,
}

/// How many files were read and refused, for one kind of questions.
#[derive(Clone, Copy, Default)]
struct Tally {
    read: usize,
    refused: usize,
}

impl Tally {
    fn of(entries: &[Entry], wanted: impl Fn(Questions) -> bool) -> Self {
        let mut tally = Self::default();
        for entry in entries {
            match &entry.outcome {
                Outcome::Read { questions, .. } if wanted(*questions) => tally.read += 1,
                Outcome::Refused { questions, .. } if wanted(*questions) => tally.refused += 1,
                _ => {}
            }
        }
        tally
    }

    fn files(self) -> usize {
        self.read + self.refused
    }

    fn row(self, what: &str) -> [String; 5] {
        let percent = (self.read * 1000).checked_div(self.files());
        let percent = percent.map_or(String::new(), |one| format!("{}.{} %", one / 10, one % 10));
        [
            what.to_owned(),
            self.files().to_string(),
            self.read.to_string(),
            self.refused.to_string(),
            percent,
        ]
    }

    fn json(self) -> Value {
        json!({ "files": self.files(), "read": self.read, "refused": self.refused })
    }
}

/// The refused files by feature, the most frequent first: all, and those without a statistical question.
fn features(entries: &[Entry]) -> Vec<(&str, usize, usize)> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for entry in entries {
        if let Outcome::Refused { refusal, questions, .. } = &entry.outcome {
            let (all, exact) = counts.entry(&refusal.feature).or_default();
            *all += 1;
            *exact += usize::from(*questions == Questions::Exact);
        }
    }
    let counts = counts.into_iter().map(|(feature, (all, exact))| (feature, all, exact));
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(feature, all, _)| (std::cmp::Reverse(*all), *feature));
    counts
}

/// The features that were set aside in files that are read, the most frequent first.
fn set_aside(entries: &[Entry]) -> Vec<(&str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        if let Outcome::Read { aside, .. } = &entry.outcome {
            for feature in aside {
                *counts.entry(feature).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(feature, files)| (std::cmp::Reverse(*files), *feature));
    counts
}

/// How many files are passed over: copies, and those that are no models.
fn passed_over(entries: &[Entry]) -> (usize, usize) {
    let copies = entries.iter().filter(|one| matches!(one.outcome, Outcome::Copy(_))).count();
    let others = entries.iter().filter(|one| one.outcome == Outcome::Other).count();
    (copies, others)
}

/// The tables, with every refused file if they are to be listed.
pub fn text(entries: &[Entry], list: bool) -> String {
    let mut rows = vec![["", "files", "read", "refused", ""].map(str::to_owned)];
    rows.push(Tally::of(entries, |_| true).row("models"));
    let exact = |questions| questions == Questions::Exact;
    rows.push(Tally::of(entries, exact).row("without statistical questions"));
    let mut text = align(&rows, &[1, 2, 3, 4]);
    let (copies, others) = passed_over(entries);
    text.push_str(&format!(
        "\npassed over: {} of others, {} that are no models\n",
        if copies == 1 { "1 copy".to_owned() } else { format!("{copies} copies") },
        count(others, "file"),
    ));
    let aside = set_aside(entries);
    if !aside.is_empty() {
        text.push_str("\nread, and set aside there\n");
        let mut rows = vec![["", "files"].map(str::to_owned)];
        rows.extend(aside.iter().map(|(name, files)| [(*name).to_owned(), files.to_string()]));
        text.push_str(&align(&rows, &[1]));
    }
    let features = features(entries);
    if !features.is_empty() {
        text.push_str("\nrefused because of\n");
        let mut rows = vec![["", "files", "without statistical questions"].map(str::to_owned)];
        rows.extend(
            features
                .iter()
                .map(|(name, all, exact)| [(*name).to_owned(), all.to_string(), exact.to_string()]),
        );
        text.push_str(&align(&rows, &[1, 2]));
    }
    if list {
        for entry in entries {
            if let Outcome::Refused { refusal, .. } = &entry.outcome {
                let line = refusal.line.map_or(String::new(), |line| format!(":{line}"));
                let Refusal { feature, message, .. } = refusal;
                text.push_str(&format!("\n{}{line}: {feature}: {message}", entry.file.display()));
            }
        }
        if !features.is_empty() {
            text.push('\n');
        }
    }
    text
}

/// Everything that is known, as JSON.
pub fn json(path: &Path, entries: &[Entry]) -> Value {
    let (copies, others) = passed_over(entries);
    let features = features(entries).into_iter().map(|(feature, files, exact)| {
        json!({ "feature": feature, "files": files, "without_statistical_questions": exact })
    });
    json!({
        "path": path.display().to_string(),
        "models": Tally::of(entries, |_| true).json(),
        "without_statistical_questions":
            Tally::of(entries, |questions| questions == Questions::Exact).json(),
        "copies": copies,
        "others": others,
        "features": features.collect::<Vec<_>>(),
        "set_aside": set_aside(entries)
            .into_iter()
            .map(|(feature, files)| json!({ "feature": feature, "files": files }))
            .collect::<Vec<_>>(),
        "files": entries.iter().map(one).collect::<Vec<_>>(),
    })
}

fn one(entry: &Entry) -> Value {
    let number = |seconds: &str| serde_json::from_str::<Value>(seconds).unwrap_or(Value::Null);
    let mut object = json!({
        "file": entry.file.display().to_string(),
        "format": entry.format.map(ModelFormat::name),
    });
    let questions = |questions: &Questions| *questions == Questions::Statistical;
    match &entry.outcome {
        Outcome::Read { aside, questions: asked, seconds } => {
            object["set_aside"] = json!(aside);
            object["outcome"] = "read".into();
            object["statistical"] = questions(asked).into();
            object["seconds"] = number(seconds);
        }
        Outcome::Refused { refusal, questions: asked, seconds } => {
            object["outcome"] = "refused".into();
            object["statistical"] = questions(asked).into();
            object["seconds"] = number(seconds);
            object["feature"] = refusal.feature.as_str().into();
            object["message"] = refusal.message.as_str().into();
            object["line"] = json!(refusal.line);
        }
        Outcome::Copy(first) => {
            object["outcome"] = "copy".into();
            object["copy_of"] = first.display().to_string().into();
        }
        Outcome::Other => object["outcome"] = "other".into(),
    }
    object
}

/// What the JSON of one file says became of it; nothing if it is not such.
pub fn entry(object: &Value) -> Option<Outcome> {
    let questions = match object["statistical"].as_bool() {
        Some(true) => Questions::Statistical,
        _ => Questions::Exact,
    };
    let seconds = object["seconds"].to_string();
    match object["outcome"].as_str()? {
        "read" => {
            let aside = object["set_aside"].as_array()?.iter().filter_map(Value::as_str);
            Some(Outcome::Read { aside: aside.map(str::to_owned).collect(), questions, seconds })
        }
        "refused" => {
            let refusal = Refusal {
                feature: object["feature"].as_str()?.to_owned(),
                message: object["message"].as_str()?.to_owned(),
                line: object["line"].as_u64().and_then(|line| usize::try_from(line).ok()),
            };
            Some(Outcome::Refused { refusal, questions, seconds })
        }
        "other" => Some(Outcome::Other),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_says_about_a_file_is_understood() {
        let refusal = Refusal {
            feature: "clock-rate".to_owned(),
            message: "rates".to_owned(),
            line: Some(3),
        };
        let seconds = "0.125".to_owned();
        let outcomes = [
            Outcome::Read {
                aside: vec!["weight".to_owned()],
                questions: Questions::Statistical,
                seconds: seconds.clone(),
            },
            Outcome::Refused { refusal, questions: Questions::Exact, seconds },
            Outcome::Other,
        ];
        for outcome in outcomes {
            let whole = Entry { file: "a.xml".into(), format: None, outcome: outcome.clone() };
            assert_eq!(entry(&one(&whole)), Some(outcome));
        }
    }
}
