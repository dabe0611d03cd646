//! No verdict of a test depends on chance, time or load: what tests must not do, as far as their texts show it, and the few
//! places that do it with good reason. `CONTRIBUTING.md` says what to do instead.

use std::fs;
use std::path::Path;

use crate::architecture::{crates, sources};
use tioga_testkit::root;

/// What tests of the workspace may not contain, and what it would make them depend on.
const FORBIDDEN: [(&str, &str); 18] = [
    ("sleep(", "time"),
    ("SystemTime", "time"),
    (".elapsed()", "load"),
    ("recv_timeout", "load"),
    ("wait_timeout", "load"),
    ("process::id()", "chance"),
    ("Rng::new()", "chance"),
    ("fastrand::u", "chance"),
    ("fastrand::i", "chance"),
    ("fastrand::bool", "chance"),
    ("fastrand::choice", "chance"),
    ("fastrand::shuffle", "chance"),
    ("getrandom", "chance"),
    ("RngSeed::Random", "chance"),
    ("rng_seed:", "chance"),
    ("VmHWM", "load"),
    ("VmRSS", "load"),
    ("statm", "load"),
];

/// The files that contain it all the same, and why that is no dependence.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("adapters/tests/it/adapters.rs", "process::id()", "names a socket"),
    ("adapters/tests/it/faults.rs", ".elapsed()", "a minute for what takes milliseconds"),
    ("adapters/tests/it/faults.rs", "sleep(", "does not fill a pipe while it waits for an event"),
    ("adapters/src/channel.rs", "sleep(", "any pause, between two readings of the clock"),
    ("adapters/src/heartbeat.rs", "sleep(", "what is late by at least so much"),
    ("adapters/src/run_queue.rs", "sleep(", "looks again until the event comes, or any pause"),
    ("adapters/src/run_queue.rs", ".elapsed()", "compares two clocks"),
    ("cli/src/list_file.rs", "process::id()", "names a folder"),
    ("cli/tests/it/architecture.rs", "SystemTime", "names what sources may not contain"),
    ("cli/tests/it/binary/measured.rs", "VmHWM", "limits of resident memory are the promise"),
    ("cli/tests/it/kill.rs", "sleep(", "any moment, at which nothing may be lost"),
    ("cli/tests/it/limits_hold.rs", "sleep(", "looks again until the event comes"),
    ("cli/tests/it/signals.rs", "sleep(", "nothing is to happen meanwhile"),
    ("execute/tests/it/campaign.rs", "sleep(", "lets threads end in another order"),
    ("report/tests/it/pictures.rs", ".elapsed()", "printed only"),
    ("report/tests/it/plausible/titan.rs", "process::id()", "names a folder"),
    ("setexp/tests/it/growth.rs", ".elapsed()", "printed only"),
    ("testkit/src/ports.rs", "process::id()", "where to look for a port that is free"),
    ("testkit/src/processes.rs", "sleep(", "looks again until the event comes"),
    ("tioga/src/project.rs", "process::id()", "names a folder"),
    ("tioga/src/side_by_side.rs", "sleep(", "lets threads end in another order"),
];

/// A test may end what hangs: comparing with this limit is always allowed.
const HANGING: &str = "HANGING";

/// The lines of a file that belong to tests, with their numbers.
fn tests(path: &Path, text: &str) -> Vec<(usize, String)> {
    let all =
        path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "testkit")
            || path.ends_with("tests.rs");
    let lines = text.lines().enumerate();
    let code =
        lines.map(|(number, line)| (number + 1, line.split("//").next().unwrap_or("").to_owned()));
    code.skip_while(|(_, line)| {
        !all && !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(test")
    })
    .collect()
}

#[test]
fn no_test_depends_on_chance_time_or_load() {
    let mut used = vec![false; ALLOWED.len()];
    for folder in crates() {
        for (path, text) in [folder.join("src"), folder.join("tests")]
            .iter()
            .filter(|folder| folder.is_dir())
            .flat_map(|folder| sources(folder))
            .filter(|(path, _)| !path.ends_with("cli/tests/it/repeatable.rs"))
        {
            for (number, line) in tests(&path, &text) {
                for (word, what) in FORBIDDEN {
                    if !line.contains(word) || line.contains(HANGING) {
                        continue;
                    }
                    let allowed =
                        |(file, one, _): &(&str, &str, &str)| path.ends_with(file) && *one == word;
                    let place = format!("{}:{number}", path.display());
                    let Some(index) = ALLOWED.iter().position(allowed) else {
                        panic!("{place}: `{word}` makes a test depend on {what}");
                    };
                    used[index] = true;
                }
            }
        }
    }
    for ((file, word, _), used) in ALLOWED.iter().zip(used) {
        assert!(used, "{file} has no `{word}` any more");
    }
}

/// Property tests draw the same cases every time, also under a plain `cargo test`.
#[test]
fn property_tests_have_a_fixed_seed() {
    let settings = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    let value = settings.lines().find_map(|line| line.strip_prefix("PROPTEST_RNG_SEED = "));
    let seed = value.map(|text| text.trim_matches('"').parse::<u64>());
    assert!(matches!(seed, Some(Ok(_))), "{settings}");
}

/// Tests in a browser wait for states. Only what is measured and printed reads a clock.
#[test]
fn tests_in_a_browser_wait_for_states() {
    let folder = root().join("studio/tests");
    let mut waits = Vec::new();
    for path in tioga_testkit::files_below(&folder) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        for line in fs::read_to_string(&path).unwrap().lines() {
            for word in [
                "waitForTimeout",
                "setTimeout(",
                "setInterval(",
                "Date.now",
                "Math.random",
                "performance.now",
            ] {
                if line.contains(word) {
                    waits.push((name.clone(), word));
                }
            }
        }
    }
    waits.dedup();
    // Looking again for a file until it is there, and the figures of `speed`.
    assert_eq!(
        waits,
        [
            ("harness.mjs".to_owned(), "setTimeout("),
            ("speed.test.mjs".to_owned(), "performance.now")
        ]
    );
}
