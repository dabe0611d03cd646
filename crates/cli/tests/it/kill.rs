//! Campaigns that are killed at any moment, again and again, and lose nothing. How often is decided
//! by the environment variable `TIOGA_KILLS`.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::binary::{Folder, Json, TIOGA};
use tioga_concrete::Chance;
use tioga_execute::{Event, JournalError, JournalReader, Outcome};

/// How many runs a campaign has: enough to be killed several times before its end.
const REPEAT: &str = "1500";

fn kills_wanted() -> u32 {
    std::env::var("TIOGA_KILLS").ok().map_or(10, |text| text.parse().unwrap())
}

/// Runs `tioga`, and kills it after a while unless it ends before.
fn killed(folder: &Folder, arguments: &[&str], after: Duration) -> Option<ExitStatus> {
    let mut child = Command::new(TIOGA)
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    status.code().is_some().then_some(status)
}

/// What a journal says so far.
#[derive(Default)]
struct Seen {
    /// How the runs ended.
    ends: BTreeMap<u64, (Outcome, String)>,
    /// The runs that began and did not end.
    open: BTreeSet<u64>,
    /// How often a run began again.
    again: usize,
}

/// Reads a journal; nothing if nothing had begun. No run may end twice.
fn seen(path: &Path) -> Option<Seen> {
    let reader = match JournalReader::open(path) {
        Ok(reader) => reader,
        Err(JournalError::Empty | JournalError::Io(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    let mut seen = Seen::default();
    for entry in reader {
        let entry = entry.unwrap();
        match entry.event {
            Event::Begin { .. } => seen.again += usize::from(!seen.open.insert(entry.run)),
            Event::End { outcome, reason, .. } => {
                assert!(seen.open.remove(&entry.run), "run {} ended twice", entry.run);
                assert!(seen.ends.insert(entry.run, (outcome, reason)).is_none());
            }
            _ => assert!(seen.open.contains(&entry.run)),
        }
    }
    Some(seen)
}

/// One campaign, killed until it ends by itself. Says how often it was killed.
fn campaign(folder: &Folder, model: &str, jobs: &str, seed: &str, chance: &mut Chance) -> u32 {
    let system = format!("model:{model}");
    let run = ["run", "light.json", "--sut", &system, "--repeat", REPEAT, "--seed", seed];
    let run = [&run[..], &["--keep-going", "--jobs", jobs]].concat();
    let resume = ["resume", "light.journal", "--jobs", jobs];
    let path = folder.0.join("light.journal");
    let _ = std::fs::remove_file(&path);
    let expected = folder.tioga(&[&["--format", "json"], &run[..], &["--no-journal"]].concat(), "");
    let parallel: usize = jobs.parse().unwrap();
    let mut before = Seen::default();
    let mut kills = 0;
    loop {
        let arguments = if seen(&path).is_none() { &run[..] } else { &resume[..] };
        // A machine with much else to do needs longer to get anywhere.
        let longest = 60_000 * (1 + i64::from(kills) / 20);
        let after = Duration::from_micros(u64::try_from(chance.number(500..=longest)).unwrap());
        if killed(folder, arguments, after).is_some() {
            break;
        }
        kills += 1;
        let Some(now) = seen(&path) else { continue };
        for (run, end) in &before.ends {
            assert_eq!(now.ends.get(run), Some(end), "run {run} was lost");
        }
        assert!(now.again - before.again <= parallel, "more was repeated than was under way");
        assert!(now.open.len() <= parallel, "more was under way than could be");
        before = now;
    }
    let last = folder.tioga(&[&["--format", "json"], &resume[..]].concat(), "");
    assert_eq!(last.code, expected.code);
    let (last, expected) = (last.json(), expected.json());
    for part in ["cases", "runs", "counted"] {
        assert_eq!(last["result"][part], expected["result"][part], "{part}");
    }
    let count: usize = REPEAT.parse().unwrap();
    assert_eq!(seen(&path).unwrap().ends.len(), count);
    kills
}

#[test]
fn a_campaign_that_is_killed_again_and_again_loses_nothing() {
    let folder = Folder::new("kill");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let mut chance = Chance::new(u64::from(std::process::id()));
    let (mut kills, mut campaigns) = (0, 0u32);
    while kills < kills_wanted() {
        let model = ["@smart-light", "@problematic-light"][chance.position(2)];
        let jobs = ["1", "2", "4"][chance.position(3)];
        let made = campaign(&folder, model, jobs, &campaigns.to_string(), &mut chance);
        kills += made;
        campaigns += 1;
        assert!(campaigns < 1000, "campaigns end before they can be killed");
    }
    println!("{kills} kills in {campaigns} campaigns of {REPEAT} runs");
}
