//! Campaigns that are killed at any moment, again and again, and lose nothing. How often is decided
//! by the environment variable `TIOGA_KILLS`; `TIOGA_SEED` draws other moments. A moment is what the journal has
//! come to, so that a campaign gets on however slow the machine is.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::binary::{Folder, Json, TIOGA};
use tioga_concrete::Chance;
use tioga_execute::{Event, JournalError, JournalReader, Outcome};
use tioga_testkit::wait_for;

/// How many runs a campaign has: enough to be killed several times before its end.
const REPEAT: &str = "1500";

/// How many an online one has, whose runs take longer.
const ONLINE_REPEAT: &str = "200";

/// Of what most campaigns here write to their journals, this is a part.
const PART: i64 = 60_000;

fn kills_wanted() -> u32 {
    std::env::var("TIOGA_KILLS").ok().map_or(10, |text| text.parse().unwrap())
}

/// What draws the moments.
fn chance() -> Chance {
    Chance::new(std::env::var("TIOGA_SEED").ok().map_or(1, |text| text.parse().unwrap()))
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Runs `tioga`, and kills it when its journal has grown by a part that is drawn, or soon after its start, unless it ends
/// before.
fn killed(
    folder: &Folder,
    arguments: &[&str],
    journal: &Path,
    chance: &mut Chance,
) -> Option<ExitStatus> {
    let growth = if chance.position(4) == 0 { 0 } else { chance.number(1..=PART) };
    let enough = size(journal) + u64::try_from(growth).unwrap();
    let mut child = Command::new(TIOGA)
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if growth == 0 {
        // Somewhere between its start and its first lines; wherever that is, nothing may be lost.
        let pause = u64::try_from(chance.number(0..=40_000)).unwrap();
        std::thread::sleep(std::time::Duration::from_micros(pause));
    }
    // The journal is looked at a few times while it grows by so much, which makes the moments differ more.
    wait_for("the journal", || {
        (size(journal) >= enough || child.try_wait().unwrap().is_some()).then_some(())
    });
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
fn campaign(
    folder: &Folder,
    begin: &[&str],
    repeat: &str,
    (model, jobs, seed): (&str, &str, &str),
    chance: &mut Chance,
) -> u32 {
    let system = format!("model:{model}");
    let run = [begin, &["--sut", &system, "--repeat", repeat, "--seed", seed]].concat();
    let run = [&run[..], &["--keep-going", "--jobs", jobs]].concat();
    let resume = ["resume", "light.journal", "--jobs", jobs];
    let path = folder.0.join("light.journal");
    let _ = std::fs::remove_file(&path);
    let expected = folder.tioga(&[&["--format", "json"], &run[..], &["--no-journal"]].concat(), "");
    let run = [&run[..], &["--journal", "light.journal"]].concat();
    let parallel: usize = jobs.parse().unwrap();
    let mut before = Seen::default();
    let mut kills = 0;
    loop {
        let arguments = if seen(&path).is_none() { &run[..] } else { &resume[..] };
        if killed(folder, arguments, &path, chance).is_some() {
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
    let count: usize = repeat.parse().unwrap();
    assert_eq!(seen(&path).unwrap().ends.len(), count);
    kills
}

#[test]
fn a_campaign_that_is_killed_again_and_again_loses_nothing() {
    let folder = Folder::new("kill");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let mut chance = chance();
    let (mut kills, mut campaigns) = (0, 0u32);
    while kills < kills_wanted() {
        let model = ["@smart-light", "@problematic-light"][chance.position(2)];
        let jobs = ["1", "2", "4"][chance.position(3)];
        let begin = ["run", "light.json"];
        let how = (model, jobs, &*campaigns.to_string());
        kills += campaign(&folder, &begin, REPEAT, how, &mut chance);
        campaigns += 1;
        assert!(campaigns < 1000, "campaigns end before they can be killed");
    }
    println!("{kills} kills in {campaigns} campaigns of {REPEAT} runs");
}

#[test]
fn an_online_campaign_that_is_killed_again_and_again_loses_nothing() {
    let folder = Folder::new("kill");
    let mut chance = chance();
    let (mut kills, mut campaigns) = (0, 0u32);
    while kills < kills_wanted() {
        let model = ["@smart-light", "@problematic-light"][chance.position(2)];
        let jobs = ["1", "2", "4"][chance.position(3)];
        let begin = ["test", "@smart-light", "--online", "--actions", "20"];
        let how = (model, jobs, &*campaigns.to_string());
        kills += campaign(&folder, &begin, ONLINE_REPEAT, how, &mut chance);
        campaigns += 1;
        assert!(campaigns < 1000, "campaigns end before they can be killed");
    }
    println!("{kills} kills in {campaigns} online campaigns of {ONLINE_REPEAT} runs");
}

/// One mutation campaign, killed until it ends by itself. Says how often it was killed.
fn mutation_campaign(folder: &Folder, jobs: &str, seed: &str, chance: &mut Chance) -> u32 {
    let how = ["--operators", "invariant,sink", "--repeat", "5", "--judge-all", "--full"];
    let begin = [&["mutation", "@smart-light", "--seed", seed, "--jobs", jobs], &how[..]].concat();
    let expected = folder.tioga(&[&["--format", "json"], &begin[..]].concat(), "");
    assert!([0, 1].contains(&expected.code), "{}", expected.err);
    let journal = ["--journal", "mutation.journal", "-o", "matrix.json"];
    let begin = [&begin[..], &journal].concat();
    let resume = ["resume", "mutation.journal"];
    let path = folder.0.join("mutation.journal");
    let _ = std::fs::remove_file(&path);
    let has_begun = || std::fs::read(&path).is_ok_and(|bytes| bytes.contains(&b'\n'));
    let mut kills = 0;
    loop {
        let arguments = if has_begun() { &resume[..] } else { &begin[..] };
        let before = size(&path);
        if killed(folder, arguments, &path, chance).is_some() {
            break;
        }
        kills += 1;
        let now = size(&path);
        // At most the line that was being written is given up.
        assert!(!has_begun() || before == 0 || now + 100_000 > before);
    }
    let last = folder.tioga(&[&["--format", "json"], &resume[..]].concat(), "");
    assert_eq!(last.code, expected.code, "{}", last.err);
    let (last, expected) = (last.json(), expected.json());
    assert_eq!(last["result"], expected["result"]);
    let matrix: serde_json::Value = serde_json::from_str(&folder.read("matrix.json")).unwrap();
    assert_eq!(matrix, expected["result"]);
    kills
}

#[test]
fn a_mutation_campaign_that_is_killed_again_and_again_loses_nothing() {
    let folder = Folder::new("kill");
    let mut chance = chance();
    let (mut kills, mut campaigns) = (0, 0u32);
    while kills < kills_wanted() {
        let jobs = ["1", "2", "4"][chance.position(3)];
        kills += mutation_campaign(&folder, jobs, &campaigns.to_string(), &mut chance);
        campaigns += 1;
        assert!(campaigns < 1000, "campaigns end before they can be killed");
    }
    println!("{kills} kills in {campaigns} mutation campaigns");
}

#[test]
fn every_command_says_that_a_journal_was_cut_off() {
    let folder = Folder::new("cut");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let wrong = ["run", "light.json", "--sut", "model:@problematic-light", "--repeat", "20"];
    folder.tioga(&[&wrong[..], &["--keep-going"]].concat(), "");
    let whole = folder.read("light.journal");
    let reading: [&[&str]; 5] = [
        &["report", "light.journal"],
        &["explain", "light.journal"],
        &["replay", "light.journal"],
        &["shrink", "light.journal", "-o", "short.journal"],
        &["resume", "light.journal"],
    ];
    let said = |line: &[&str]| folder.tioga(line, "").err.contains("has no closing line");
    for line in reading {
        assert!(!said(line), "{line:?}");
    }
    // The last line is the closing one; without it nothing else is missing, as far as one can tell.
    let cut = whole.trim_end().rsplit_once('\n').unwrap().0;
    for rest in [format!("{cut}\n"), cut.to_owned(), whole[..whole.len() - 1].to_owned()] {
        for line in reading {
            folder.write("light.journal", &rest);
            assert!(said(line), "{line:?}");
        }
    }
    let mutation = ["mutation", "@smart-light", "--operators", "sink", "--repeat", "2"];
    folder.tioga(&[&mutation[..], &["--journal", "m.journal"]].concat(), "");
    let whole = folder.read("m.journal");
    assert!(!said(&["resume", "m.journal"]));
    folder.write("m.journal", whole.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n");
    assert!(said(&["resume", "m.journal"]));
    // It has no runs.
    let run = folder.tioga(&["report", "m.journal"], "");
    assert!(run.code == 2 && run.err.contains("mutation campaign"), "{}", run.err);
}
