//! A tester that acts at multiples of a time only: every input of every journal is at one, and what cannot
//! be tested so says why.

use crate::binary::Folder;
use tioga_base::Rational;
use tioga_execute::{Event, JournalReader, Outcome};

/// Every input of a journal with its time, and the outcomes of its runs.
fn journal(folder: &Folder, name: &str) -> (Vec<Rational>, Vec<(Outcome, String)>) {
    let reader = JournalReader::open(&folder.0.join(name)).unwrap();
    let (mut times, mut outcomes) = (Vec::new(), Vec::new());
    for event in reader.runs().flat_map(|run| run.unwrap().events) {
        match event {
            Event::Sent { at, .. } => {
                assert!(at.is_exact());
                times.push(at.latest());
            }
            Event::End { outcome, reason, .. } => outcomes.push((outcome, reason)),
            _ => {}
        }
    }
    (times, outcomes)
}

fn tioga(folder: &Folder, line: &str) -> tioga_testkit::Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn every_input_is_sent_at_a_multiple_of_the_grid() {
    let folder = Folder::new("grid-multiples");
    let mut sent = 0;
    for (number, (line, step)) in [
        ("@smart-light --shape automaton --grid 3/10", "3/10"),
        ("@smart-light --shape strategy --grid 7/3", "7/3"),
        ("@smart-light --shape tree --grid 2", "2"),
        ("@car-alarm --shape strategy --grid 20ms", "1/50"),
        ("@car-alarm --shape automaton --grid 3/2", "3/2"),
        (
            "@smart-light --shape automaton --grid 3/10 --in-latency 0..1/8 --out-latency 0..1/8",
            "3/10",
        ),
        ("@smart-light --online --grid 1/3", "1/3"),
        ("@smart-light --online -p reach_Light.Bright --grid 4/3", "4/3"),
        ("@train-gate --online --grid 3/2", "3/2"),
        ("@conveyor --online --grid 7/5", "7/5"),
    ]
    .into_iter()
    .enumerate()
    {
        let line = format!("test {line} --repeat 10 --keep-going --journal {number}.journal");
        let arguments: Vec<String> =
            line.split_whitespace().map(|one| one.replace("reach_", "reach ")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = folder.tioga(&arguments, "");
        // A system that conforms never fails, whatever the grid.
        assert!(matches!(run.code, 0 | 5), "{line}: {}{}", run.out, run.err);
        let (times, _) = journal(&folder, &format!("{number}.journal"));
        let step: Rational = step.parse().unwrap();
        for time in &times {
            assert!(time.div(step).unwrap().to_integer().is_some(), "{line}: {time}");
        }
        sent += times.len();
    }
    assert!(sent > 500, "{sent}");
}

/// A lamp that is to be touched between two moments after it went on.
fn lamp(from: &str, to: &str) -> String {
    format!(
        "input touch; output on, off;
automaton Lamp {{
  clock x;
  init location Dark invariant x <= 1;
  location Bright;
  location Touched invariant x <= 9;
  location Done;
  Dark -> Bright : on! when x == 1 do x = 0;
  Bright -> Touched : touch? when x >= {from} && x <= {to};
  Touched -> Done : off!;
}}
query control: A<> Lamp.Done;
"
    )
}

#[test]
fn a_window_without_a_point_is_inconclusive_and_one_with_a_point_is_used() {
    let folder = Folder::new("grid-windows");
    folder.write("narrow.tioga", lamp("1/4", "1/3"));
    folder.write("wide.tioga", lamp("1/4", "5/4"));
    for shape in ["automaton", "strategy", "tree"] {
        let line = format!(
            "test wide.tioga --purposes-only --shape {shape} --grid 1/2 --journal w{shape}.journal"
        );
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{line}: {}{}", run.out, run.err);
        let (times, _) = journal(&folder, &format!("w{shape}.journal"));
        assert_eq!(times.len(), 1, "{shape}");
        let halves = ["3/2", "2"].map(|time| time.parse::<Rational>().unwrap());
        assert!(halves.contains(&times[0]), "{shape}: {}", times[0]);

        let line = format!(
            "test narrow.tioga --purposes-only --shape {shape} --grid 1/2 --journal n{shape}.journal"
        );
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 5, "{line}: {}{}", run.out, run.err);
        let (times, outcomes) = journal(&folder, &format!("n{shape}.journal"));
        assert!(times.is_empty(), "{shape}: {times:?}");
        let (outcome, reason) = &outcomes[0];
        assert_eq!(*outcome, Outcome::Inconclusive);
        assert!(reason.contains("no multiple of 0.5 lies in"), "{shape}: {reason}");
    }
    // Without a grid the same window is no trouble.
    assert_eq!(tioga(&folder, "test narrow.tioga --purposes-only --no-journal").code, 0);
}

#[test]
fn a_grid_is_kept_in_the_journal_and_refused_if_it_is_none() {
    let folder = Folder::new("grid-options");
    let run = tioga(
        &folder,
        "test @smart-light --purposes-only --grid 1/2 --stop-after 1ns --journal g.journal",
    );
    assert!(matches!(run.code, 0 | 3), "{}{}", run.out, run.err);
    let reader = JournalReader::open(&folder.0.join("g.journal")).unwrap();
    assert_eq!(reader.settings().grid, Some("1/2".parse().unwrap()));
    for (line, code) in [("--grid 0", "bad-time"), ("--grid 20ms", "no-time-unit")] {
        let run = tioga(&folder, &format!("test @smart-light --purposes-only {line} --no-journal"));
        assert_eq!(run.code, 2, "{line}: {}", run.out);
        assert!(run.err.contains(&format!("error[{code}]")), "{line}: {}", run.err);
    }
}

#[test]
fn a_shorter_failure_stays_on_the_grid() {
    let folder = Folder::new("grid-shrunk");
    let synth = ["synth", "@smart-light", "-p", "reach Light.L4", "--shape", "automaton"];
    assert_eq!(folder.tioga(&[&synth[..], &["-o", "long.json"]].concat(), "").code, 0);
    let mut shrunk = 0;
    for seed in 0..8 {
        for step in ["3/10", "7/3"] {
            let line = format!(
                "run long.json --sut model:@problematic-light --model @smart-light --grid {step} \
                 --seed {seed} --repeat 20 --journal long.journal"
            );
            if tioga(&folder, &line).code != 1 {
                continue;
            }
            let run = tioga(&folder, "shrink long.journal -o short.journal");
            assert_eq!(run.code, 0, "{}{}", run.out, run.err);
            let (times, _) = journal(&folder, "short.journal");
            let step: Rational = step.parse().unwrap();
            for time in &times {
                assert!(time.div(step).unwrap().to_integer().is_some(), "{time} of {step}");
            }
            shrunk += 1;
        }
    }
    assert!(shrunk > 3, "{shrunk} failures became shorter");
}
