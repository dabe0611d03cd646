//! How fast models are made deterministic and test cases are made, and how that grows with the
//! number of clocks, the largest constant, locations and silent steps. Run by
//! `cargo bench -p tioga-cli --bench synth`; a part of a row's name as argument selects rows.
#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a measurement")]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A ring of stations: at each the system answers within a window, after so many silent steps that
/// nobody sees; an input starts the next round.
fn ring(stations: usize, silent: usize, constant: usize) -> String {
    let mut text =
        String::from("model ring;\ninput go;\noutput done;\nautomaton Ring {\n  clock x;\n");
    for station in 0..stations {
        for step in 0..=silent {
            let mark = if (station, step) == (0, 0) { "init " } else { "" };
            let bound = constant + step;
            let _ = writeln!(text, "  {mark}location S{station}_{step} invariant x <= {bound};");
        }
        let mark = if station + 1 == stations { "accept " } else { "" };
        let _ = writeln!(text, "  {mark}location W{station};");
    }
    for station in 0..stations {
        for step in 0..silent {
            let next = step + 1;
            let _ = writeln!(text, "  S{station}_{step} -> S{station}_{next} : when x >= {step};");
        }
        let next = (station + 1) % stations;
        let _ = writeln!(text, "  S{station}_{silent} -> W{station} : done! do x = 0;");
        let _ = writeln!(text, "  W{station} -> S{next}_0 : go? do x = 0;");
    }
    text.push_str("}\n");
    let last = stations - 1;
    let _ = writeln!(
        text,
        "purpose Round {{ init location Wait; accept location Yes; Wait -> Yes : go? when Ring.W{last}; otherwise self; }}"
    );
    text
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    println!("{:36} {:>9} {:>7}", "what", "seconds", "growth");
    let mut rows: Vec<(String, String, Vec<String>)> = Vec::new();
    for stations in [2, 4, 8] {
        let name = format!("determinize, {} locations", 3 * stations);
        rows.push((name, ring(stations, 1, 3), words("determinize --clocks 1")));
    }
    for silent in [1, 2, 3] {
        let name = format!("determinize, {silent} silent steps");
        rows.push((name, ring(2, silent, 3), words("determinize --clocks 1")));
    }
    for constant in [2, 4, 8] {
        let name = format!("determinize, constants to {constant}");
        rows.push((name, ring(2, 1, constant), words("determinize --clocks 1")));
    }
    for clocks in [1, 2] {
        let name = format!("determinize, {clocks} clocks");
        rows.push((name, ring(2, 1, 3), words(&format!("determinize --clocks {clocks}"))));
    }
    for stations in [2, 4, 8] {
        let name = format!("synth, {} locations", 3 * stations);
        rows.push((name, ring(stations, 1, 3), words("synth")));
    }
    for example in ["conveyor", "bjsk", "smart-light", "problematic-light", "car-alarm"] {
        let command = if example == "car-alarm" { "solve --strict-only" } else { "synth" };
        rows.push((format!("{command} @{example}"), format!("@{example}"), words(command)));
    }
    let mut before: Option<(String, f64)> = None;
    for (name, model, command) in rows {
        if wanted.is_empty() || wanted.iter().any(|one| name.contains(one.as_str())) {
            let group = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            let kind = group.split(',').next().unwrap_or("").to_owned();
            let seconds = measure(&model, &command);
            let growth = before
                .filter(|(other, _)| *other == kind && !kind.contains('@'))
                .map_or_else(String::new, |(_, before)| format!("{:.1}", seconds / before));
            println!("{name:36} {seconds:>9.4} {growth:>7}");
            before = Some((kind, seconds));
        }
    }
    if wanted.is_empty() || wanted.iter().any(|one| one == "suites") {
        suites();
    }
}

/// All edges of a model, compared with its hardest purpose.
fn suites() {
    println!("\n{:36} {:>9} {:>7}", "suite", "seconds", "ratio");
    let single = measure("@car-alarm", &words("synth -p CancelledAlarm"));
    println!("{:36} {single:>9.4}", "@car-alarm -p CancelledAlarm");
    for more in ["", " --threads 1", " --each"] {
        let name = format!("--cover edges{more}");
        let seconds = measure("@car-alarm", &words(&format!("synth {name}")));
        println!("{:36} {seconds:>9.4} {:>7.1}", format!("@car-alarm {name}"), seconds / single);
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// The least of five runs of the whole process.
fn measure(model: &str, command: &[String]) -> f64 {
    let path = std::env::temp_dir().join(format!("tioga-bench-{}.tioga", std::process::id()));
    let argument = if model.starts_with('@') {
        model.to_owned()
    } else {
        std::fs::write(&path, model).unwrap();
        path.display().to_string()
    };
    let run = || {
        let start = Instant::now();
        let output = Command::new(Path::new(env!("CARGO_BIN_EXE_tioga")))
            .args(command)
            .arg(&argument)
            .output()
            .unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        seconds
    };
    let seconds = (0..5).map(|_| run()).fold(f64::INFINITY, f64::min);
    let _ = std::fs::remove_file(&path);
    seconds
}
