//! The line that says how far a campaign is: on a terminal only.

use std::process::Command;

use crate::binary::{Folder, TIOGA};

/// A folder with a system that takes its time: four runs of half a second.
fn slow(name: &str) -> Folder {
    let folder = Folder::new(name);
    let made = folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    // It never answers, and what is wrong with that is clear only when its time is over.
    folder.write("silent.sh", "sleep 0.5; exit 1\n");
    folder
}

const RUN: [&str; 7] = [
    "run",
    "light.json",
    "--sut=sh silent.sh",
    "--repeat=4",
    "--keep-going",
    "--color=never",
    "--no-journal",
];

#[test]
fn a_pipe_gets_results_only() {
    let folder = slow("progress_pipe");
    let run = folder.tioga(&RUN, "");
    assert_eq!(run.code, 6, "{}", run.err);
    assert_eq!(run.err, "");
    assert!(!run.out.contains(" of 4 runs"), "{}", run.out);
}

#[test]
fn a_terminal_shows_how_far_the_campaign_is() {
    let folder = slow("progress_terminal");
    let quoted: Vec<String> = RUN.iter().map(|one| format!("'{one}'")).collect();
    let command = format!("{} {}", TIOGA, quoted.join(" "));
    // `script` has a terminal for the command.
    let run =
        Command::new("script").args(["-qec", &command, "typed"]).current_dir(&folder.0).output();
    let Ok(run) = run else {
        eprintln!("skipped: there is no `script` to make a terminal");
        return;
    };
    let shown = String::from_utf8_lossy(&run.stdout);
    assert!(shown.contains("1 of 4 runs: 1 error; about "), "{shown}");
    assert!(shown.contains(" s left; now smart_light-1"), "{shown}");
    // In the end the line is gone.
    let last = shown.rsplit("\r\u{1b}[K").next().unwrap();
    assert!(last.starts_with("  case "), "{shown}");
}
