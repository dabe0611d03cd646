//! How fast all of a model is explored, over families of models: states, seconds, memory, and how
//! they grow with the size. Run by `cargo bench -p tioga-cli --bench reach`; a part of a row's name
//! as argument selects rows, and `small` leaves out those that take seconds.
//!
//! With the variable `TCK_REACH` naming TChecker's `tck-reach`, that runs beside it on the same file
//! (`-a covreach`), and its states and time are printed with the ratio of the times.
#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a measurement")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Parser;
use serde_json::Value;
use tioga_families::{Family, Format};

#[derive(Parser)]
struct Instance {
    #[command(subcommand)]
    family: Family,
}

/// Families with sizes; the last ones take seconds.
const ROWS: &[(&str, &[&str], usize)] = &[
    ("fischer", &["6", "7", "8", "9", "10"], 3),
    ("csmacd", &["7", "8", "9", "10", "11"], 3),
    ("train_gate", &["3", "4", "5"], 2),
    ("critical-region", &["3", "4"], 2),
    ("leader-election", &["3", "4"], 2),
    ("fddi", &["6", "8", "10"], 3),
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    let small = wanted.iter().any(|one| one == "small");
    let named: Vec<&String> = wanted.iter().filter(|one| *one != "small").collect();
    let beside = std::env::var_os("TCK_REACH").map(PathBuf::from);
    println!(
        "{:20} {:>9} {:>9} {:>8} {:>7} {:>6} {:>8} {:>7}",
        "model", "visited", "stored", "seconds", "growth", "MiB", "two thr.", "ratio"
    );
    for (family, sizes, quick) in ROWS {
        let mut before = None;
        let sizes = if small { &sizes[..*quick] } else { sizes };
        for size in sizes {
            let name = format!("{family} {size}");
            if named.is_empty() || named.iter().any(|one| name.contains(one.as_str())) {
                before = Some(row(&name, family, size, before, beside.as_deref()));
            }
        }
    }
}

fn row(name: &str, family: &str, size: &str, before: Option<f64>, beside: Option<&Path>) -> f64 {
    let instance = Instance::parse_from(["bench", family, size]);
    let path = std::env::temp_dir().join(format!("tioga-bench-{}.tck", std::process::id()));
    std::fs::write(&path, instance.family.text(Format::Tck).expect("a family of systems, not of games")).unwrap();
    let one = explore(&path, "1");
    let two = explore(&path, "2");
    let number = |stats: &Value, key: &str| stats[key].as_f64().unwrap();
    assert_eq!(one["stored"], two["stored"], "the number of threads changes nothing");
    let seconds = number(&one, "seconds");
    let growth = before.map_or_else(String::new, |before| format!("{:.1}", seconds / before));
    println!(
        "{name:20} {:>9} {:>9} {seconds:>8.3} {growth:>7} {:>6.0} {:>8.3} {:>7.2}",
        one["visited"].to_string(),
        one["stored"].to_string(),
        number(&one, "peak_bytes") / f64::from(1 << 20),
        number(&two, "seconds"),
        seconds / number(&two, "seconds"),
    );
    if let Some(program) = beside {
        other(program, &path, seconds);
    }
    let _ = std::fs::remove_file(&path);
    seconds
}

fn explore(path: &Path, threads: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tioga"))
        .args(["--format", "json", "reach", "--all", "--threads", threads])
        .arg(path)
        .output()
        .unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["result"]["stats"].clone()
}

fn other(program: &Path, path: &Path, seconds: f64) {
    let start = Instant::now();
    let output = Command::new(program).args(["-a", "covreach"]).arg(path).output().unwrap();
    let elapsed = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let find = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or("?").trim().to_owned()
    };
    println!(
        "{:20} {:>9} {:>9} {elapsed:>8.3} {:>47.1}",
        "  TChecker",
        find("VISITED_STATES"),
        find("STORED_STATES"),
        elapsed / seconds
    );
}
