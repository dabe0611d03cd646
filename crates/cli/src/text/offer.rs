//! The command that tests online where test cases cannot be made.

use std::borrow::Cow;

use tioga::Failure;
use tioga_base::{Diagnostic, Diagnostics};

use crate::args::{LoadArgs, WantedArgs};

/// Commands for the same model and system.
pub struct Offer {
    aimed: String,
    plain: String,
}

impl Offer {
    /// With its purposes or with these criteria.
    pub fn of(wanted: &WantedArgs, sut: Option<&str>, criteria: &str) -> Self {
        let plain = plain(wanted, sut);
        let mut words = vec![plain.clone()];
        if wanted.purpose.is_empty() {
            words.push(format!("--cover {criteria}"));
        }
        for purpose in &wanted.purpose {
            words.push(format!("-p {}", shell(&purpose.to_string())));
        }
        Self { aimed: words.join(" "), plain }
    }

    /// The command that helps where test cases end with such a diagnostic: where data have too many classes, online runs
    /// cannot aim at anything either.
    pub fn after(&self, code: Option<&str>) -> &str {
        if code == Some("data") { &self.plain } else { &self.aimed }
    }
}

/// The command without an aim.
fn plain(wanted: &WantedArgs, sut: Option<&str>) -> String {
    let mut words = vec!["tioga test".to_owned(), shell(&wanted.model.model).into_owned()];
    let mut add = |option: &str, value: &str| words.push(format!("{option} {}", shell(value)));
    let LoadArgs { from, queries, settings, interface } = &wanted.model.load;
    if let Some(format) = from {
        add("--from", format.name());
    }
    if let Some(path) = queries {
        add("--queries", &path.to_string_lossy());
    }
    for one in settings {
        add("--set", &format!("{}={}", one.name, one.value));
    }
    let lists = [
        ("--environment", &interface.environment),
        ("--input", &interface.input),
        ("--output", &interface.output),
        ("--internal", &interface.internal),
    ];
    for (option, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        add(option, &names.join(","));
    }
    if let Some(path) = &interface.interface {
        add("--interface", &path.to_string_lossy());
    }
    if let Some(sut) = sut {
        add("--sut", sut);
    }
    words.push("--online".to_owned());
    words.join(" ")
}

/// A word as the shell reads it.
fn shell(word: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@%+=:,./-_".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))),
    }
}

/// Where test cases cannot be made, the failure names the command that needs none.
pub fn offered(failure: Failure, online: &Offer) -> Failure {
    const CODES: [&str; 7] = [
        "not-observable",
        "nondeterministic",
        "no-view",
        "no-test-case",
        "data",
        "limit",
        "not-a-system",
    ];
    let offer = |one: Diagnostic| match CODES.contains(&one.code) {
        true => {
            let command = online.after(Some(one.code));
            one.note(format!("no test cases are needed for `{command}`"))
        }
        false => one,
    };
    let mut diagnostics = Diagnostics::new();
    failure.diagnostics.iter().cloned().for_each(|one| diagnostics.push(offer(one)));
    let purpose = "say what to test with -p 'reach CONDITION', or give the model a purpose";
    Failure { diagnostics, ..failure }.help_with(&["no-query"], purpose)
}

#[cfg(test)]
mod tests {
    use super::shell;

    #[test]
    fn words_are_quoted_where_the_shell_would_split_or_change_them() {
        for plain in ["@car-alarm", "models/door.tioga", "N=4", "tcp:localhost:80"] {
            assert_eq!(shell(plain), plain);
        }
        assert_eq!(shell("python3 door.py"), "'python3 door.py'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell(""), "''");
    }
}
