//! Journals: what is written comes back, what is torn is cut off, what is damaged is found.

use std::fs;
use std::path::Path;

use crate::small_cases::{case, path, settings};
use proptest::prelude::*;
use tioga_adapters::{Fault, FaultKind, Ignored, SchedulingDelay};
use tioga_base::{Moment, Rational};
use tioga_execute::{Event, Journal, JournalError, JournalReader, Outcome, RunRecord, Settings};
use tioga_testcase::Action;

fn at(time: i64) -> Moment {
    Moment::exactly(Rational::integer(time))
}

fn action(channel: &str, values: &[&str]) -> Action {
    let values = values.iter().map(|value| value.to_string()).collect();
    Action { channel: channel.to_owned(), values }
}

fn begin(run: u64) -> Event {
    Event::Begin { case: "a".to_owned(), seed: Settings::run_seed(u64::MAX, run) }
}

fn end(outcome: Outcome) -> Event {
    let reason = "because \"so\"\n".to_owned();
    let ignored = Some(Ignored { at: at(8), action: action("go", &["1"]) });
    let longest_delay = Rational::new(1, 3).unwrap();
    let delay =
        SchedulingDelay { from: Rational::ZERO, until: Rational::ONE, length: longest_delay };
    let delays = vec![delay, delay];
    Event::End { outcome, reason, at: at(9), longest_delay, ignored, stopped: None, delays }
}

/// One event of every kind.
fn events(run: u64) -> Vec<Event> {
    vec![
        begin(run),
        Event::Sending { action: action("go", &[]) },
        Event::Sent {
            at: Moment::between(Rational::ZERO, Rational::ONE).unwrap(),
            action: action("go", &["3", "7/2"]),
        },
        Event::Quiet { now: at(2) },
        Event::Heard { at: at(3), action: action("done", &[]) },
        Event::Fault { at: at(3), fault: Fault::new(FaultKind::UnknownName, "ünknown\u{0}") },
        end(Outcome::Error),
    ]
}

#[test]
fn an_end_with_nothing_more_to_say_has_the_fields_it_always_had() {
    let text = r#"{"event":"end","outcome":"pass","reason":"so","at":"9"}"#;
    let event: Event = serde_json::from_str(text).unwrap();
    let (outcome, reason, longest_delay) = (Outcome::Pass, "so".to_owned(), Rational::ZERO);
    let end = Event::End {
        outcome,
        reason,
        at: at(9),
        longest_delay,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    };
    assert_eq!(event, end);
    assert_eq!(serde_json::to_string(&end).unwrap(), text);
    let stopped = text.replace('}', r#","stopped":"7"}"#);
    let event: Event = serde_json::from_str(&stopped).unwrap();
    assert!(matches!(event, Event::End { stopped, .. } if stopped == Some(at(7))));
    assert_eq!(serde_json::to_string(&event).unwrap(), stopped);
}

fn write(path: &Path, entries: &[(u64, Event)]) {
    write_open(path, entries).close().unwrap();
}

/// A journal whose campaign goes on.
fn write_open(path: &Path, entries: &[(u64, Event)]) -> Journal {
    let mut journal = Journal::create(path, &settings(vec![case("a", 1)], 100)).unwrap();
    for (run, event) in entries {
        journal.append(*run, event).unwrap();
    }
    journal
}

fn read(bytes: &[u8]) -> Result<Vec<RunRecord>, JournalError> {
    JournalReader::new(bytes)?.runs().collect()
}

fn two_runs() -> Vec<(u64, Event)> {
    (0..2).flat_map(|run| events(run).into_iter().map(move |event| (run, event))).collect()
}

#[test]
fn every_kind_of_event_comes_back_and_lines_are_plain_json() {
    let path = path("every-kind.journal");
    write(&path, &two_runs());
    let reader = JournalReader::open(&path).unwrap();
    assert_eq!(reader.settings(), &settings(vec![case("a", 1)], 100));
    let runs: Vec<RunRecord> = reader.runs().map(Result::unwrap).collect();
    let expected: Vec<RunRecord> =
        (0..2).map(|run| RunRecord { run, events: events(run) }).collect();
    assert_eq!(runs, expected);
    for line in fs::read_to_string(&path).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["crc"].is_string(), "{line}");
    }
}

/// A journal as it was written before, byte for byte.
#[test]
fn a_journal_of_version_3_is_read_and_written_as_ever() {
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/journals/version-3.journal");
    let path = path("version-3.journal");
    write(&path, &two_runs());
    if std::env::var_os("TIOGA_BLESS").is_some() {
        fs::copy(&path, &kept).unwrap();
    }
    let kept = fs::read(kept).unwrap();
    let expected: Vec<RunRecord> =
        (0..2).map(|run| RunRecord { run, events: events(run) }).collect();
    assert_eq!(read(&kept).unwrap(), expected);
    assert_eq!(fs::read(&path).unwrap(), kept);
}

/// Its goals are sentences.
#[test]
fn a_journal_of_version_2_is_read() {
    let kept: &[u8] = include_bytes!("journals/version-2.journal");
    let expected: Vec<RunRecord> =
        (0..2).map(|run| RunRecord { run, events: events(run) }).collect();
    assert_eq!(read(kept).unwrap(), expected);
}

#[test]
fn a_journal_of_version_1_is_refused_by_its_version() {
    let kept: &[u8] = include_bytes!("journals/version-1.journal");
    let refused = read(kept).unwrap_err();
    assert_eq!(refused.to_string(), "it is of version 1, and this program reads 2 and 3");
}

#[test]
fn a_journal_cut_anywhere_in_its_last_line_loses_that_line_only() {
    let path = path("cut.journal");
    drop(write_open(&path, &two_runs()));
    let bytes = fs::read(&path).unwrap();
    let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for length in last..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let runs = read(&bytes[..length]).unwrap();
        assert_eq!(runs[0].events, events(0));
        assert_eq!(runs[1].events, events(1)[..6]);
        let mut finished = Vec::new();
        let (mut journal, _) = Journal::resume(&path, |_, run| finished.push(run.run)).unwrap();
        assert_eq!(finished, [0]);
        assert_eq!(fs::metadata(&path).unwrap().len(), last as u64);
        for event in events(1) {
            journal.append(1, &event).unwrap();
        }
        let runs = read(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[1].events, events(1), "begun again, without what was there before");
    }
}

/// Lines that were deleted, doubled or swapped are noticed, whichever they are.
#[test]
fn every_line_is_in_its_place() {
    let path = path("places.journal");
    let runs = 8;
    let all = (0..runs).flat_map(|run| events(run).into_iter().map(move |event| (run, event)));
    write(&path, &all.collect::<Vec<_>>());
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let noticed = |changed: Vec<&str>, what: &str| {
        let bytes = changed.concat().into_bytes();
        let Ok(reader) = JournalReader::new(&bytes[..]) else { return };
        let mut runs = reader.runs();
        let damaged = runs.by_ref().any(|run| run.is_err());
        assert!(damaged || !runs.is_closed(), "{what}");
    };
    for line in 0..lines.len() {
        let mut changed = lines.clone();
        changed.remove(line);
        noticed(changed, &format!("line {} deleted", line + 1));
        let mut changed = lines.clone();
        changed.insert(line, lines[line]);
        noticed(changed, &format!("line {} doubled", line + 1));
        for other in line + 1..lines.len() {
            let mut changed = lines.clone();
            changed.swap(line, other);
            noticed(changed, &format!("lines {} and {} swapped", line + 1, other + 1));
        }
    }
    let whole = read(text.as_bytes()).unwrap();
    assert_eq!(whole.len() as u64, runs);
}

#[test]
fn a_closed_journal_goes_on_and_is_closed_again() {
    let path = path("closed.journal");
    write(&path, &[(0, begin(0))]);
    let (mut journal, _) = Journal::resume(&path, |_, _| ()).unwrap();
    for event in events(0) {
        journal.append(0, &event).unwrap();
    }
    let bytes = fs::read(&path).unwrap();
    let mut runs = JournalReader::new(&bytes[..]).unwrap().runs();
    assert_eq!(runs.by_ref().map(Result::unwrap).count(), 1);
    assert!(!runs.is_closed());
    journal.close().unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut runs = JournalReader::new(&bytes[..]).unwrap().runs();
    assert_eq!(runs.by_ref().map(|run| run.unwrap().events).collect::<Vec<_>>(), [events(0)]);
    assert!(runs.is_closed());
}

#[test]
fn a_journal_cut_in_its_first_line_is_empty() {
    let path = path("cut-header.journal");
    drop(write_open(&path, &[]));
    let bytes = fs::read(&path).unwrap();
    for length in 0..bytes.len() {
        assert!(matches!(read(&bytes[..length]), Err(JournalError::Empty)), "{length}");
    }
    assert_eq!(read(&bytes).unwrap(), []);
}

#[test]
fn every_flipped_bit_is_found_where_it_is() {
    let path = path("flip.journal");
    write(&path, &two_runs());
    let bytes = fs::read(&path).unwrap();
    let whole = bytes.len() - 1;
    let mut line = 1;
    for position in 0..whole {
        // One bit of each byte suffices; which one varies.
        let mut wrong = bytes.clone();
        wrong[position] ^= 1 << (position % 8);
        match read(&wrong) {
            Err(JournalError::Corrupt { line: found, .. }) => {
                // A flipped bit may make a line end where none was.
                let split = wrong[position] == b'\n';
                assert!(found == line || split, "byte {position}: {found} for {line}");
            }
            Err(JournalError::NotAJournal | JournalError::Version(_)) if line == 1 => {}
            other => panic!("byte {position} of line {line}: {other:?}"),
        }
        if bytes[position] == b'\n' {
            line += 1;
        }
    }
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let version = br#"{"format":"tioga-journal","version":4,"what":"ever"}"#;
    assert!(matches!(read(&[&version[..], b"\n"].concat()), Err(JournalError::Version(4))));
    for other in ["hello\n", "{}\n", "[1]\n", "{\"format\":\"tioga-suite\"}\n", "{\"a\":", "\0\0"] {
        assert!(matches!(read(other.as_bytes()), Err(JournalError::NotAJournal)), "{other}");
    }
}

#[test]
fn a_test_case_that_cannot_be_followed_is_refused() {
    let path = path("flaw.journal");
    let mut wrong = case("a", 1);
    wrong.places[0].edges[0].target = 9;
    drop(Journal::create(&path, &settings(vec![wrong], 1)).unwrap());
    let found = read(&fs::read(&path).unwrap());
    assert!(matches!(found, Err(JournalError::Corrupt { line: 1, .. })), "{found:?}");
}

#[test]
fn what_cannot_be_is_refused_though_its_checksums_are_right() {
    let refused = |entries: &[(u64, Event)], reason: &str| {
        let path = path("impossible.journal");
        write(&path, entries);
        match read(&fs::read(&path).unwrap()) {
            Err(JournalError::Corrupt { reason: found, .. }) => assert_eq!(found, reason),
            other => panic!("{reason}: {other:?}"),
        }
    };
    let over = end(Outcome::Pass);
    refused(&[(0, over.clone())], "run 0 goes on without having begun");
    refused(&[(0, begin(0)), (0, over.clone()), (0, over)], "run 0 goes on after its end");
    refused(&[(100, begin(100))], "run 100 is more than the campaign has");
}

#[test]
fn two_writers_are_one_too_many() {
    let path = path("locked.journal");
    let journal = Journal::create(&path, &settings(vec![case("a", 1)], 1)).unwrap();
    assert!(Journal::is_locked(&path).unwrap());
    let second = Journal::resume(&path, |_, _| ());
    assert!(matches!(second, Err(JournalError::Locked)), "{second:?}");
    assert!(read(&fs::read(&path).unwrap()).is_ok(), "reading is always possible");
    drop(journal);
    assert!(!Journal::is_locked(&path).unwrap());
    Journal::resume(&path, |_, _| ()).unwrap();
}

#[test]
fn a_journal_is_not_written_over_another_file() {
    let path = path("taken.journal");
    fs::write(&path, "precious").unwrap();
    assert!(Journal::create(&path, &settings(vec![case("a", 1)], 1)).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Runs of several threads come back whole, in the order of their ends, wherever they were
    /// interrupted and begun again.
    #[test]
    fn interleaved_runs_come_back(choices in prop::collection::vec((0usize..4, 0u8..40), 0..200)) {
        let name = "interleaved.journal";
        let path = path(name);
        let mut journal = Journal::create(&path, &settings(vec![case("a", 1)], 1000)).unwrap();
        let mut under_way: Vec<Option<(u64, Vec<Event>)>> = vec![None; 4];
        let (mut next, mut expected) = (0, Vec::new());
        for (thread, what) in choices {
            let slot = &mut under_way[thread];
            let (run, event) = match slot {
                None => {
                    *slot = Some((next, vec![begin(next)]));
                    next += 1;
                    (next - 1, begin(next - 1))
                }
                Some((run, events)) => {
                    let event = match what {
                        0 => begin(*run),
                        1..10 => end(Outcome::Pass),
                        _ => Event::Quiet { now: at(i64::from(what)) },
                    };
                    if what == 0 {
                        events.clear();
                    }
                    events.push(event.clone());
                    let run = *run;
                    if let Event::End { .. } = event {
                        let (run, events) = slot.take().unwrap();
                        expected.push(RunRecord { run, events });
                    }
                    (run, event)
                }
            };
            journal.append(run, &event).unwrap();
        }
        let mut rest: Vec<(u64, Vec<Event>)> = under_way.into_iter().flatten().collect();
        rest.sort_by_key(|(run, _)| *run);
        expected.extend(rest.into_iter().map(|(run, events)| RunRecord { run, events }));
        prop_assert_eq!(read(&fs::read(&path).unwrap()).unwrap(), expected);
    }
}
