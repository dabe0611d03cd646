//! How fast games are solved, over families of models: discrete states, zones, seconds, memory, and
//! how they grow with the size. Run by `cargo bench -p tioga-cli --bench games`; a part of a row's
//! name as argument selects rows, and `small` leaves out those that take seconds.
#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a measurement")]

use std::process::Command;

use clap::Parser;
use serde_json::Value;
use tioga_families::{Family, Format};

#[derive(Parser)]
struct Instance {
    #[command(subcommand)]
    family: Family,
}

/// What is asked of a family: a name, the family, sizes, options and the query.
struct Row {
    name: &'static str,
    family: &'static str,
    sizes: &'static [&'static str],
    options: &'static [&'static str],
    query: &'static str,
    /// The answer it must have.
    holds: bool,
}

const LEP: &[&str] = &["3", "4", "5", "6", "7", "8"];
const TP1: &str = "A<> exists (i : BufferId) inUse[i] == 1";
const TP2: &str = "A<> IUT.bufferInfo == 1 && IUT.forward";
const TP3: &str = "A<> forall (i : BufferId) inUse[i] == 1";
const STRICT: &[&str] = &["--strict-only", "--check", "none"];
const RANKS: &[&str] = &["--ranks", "--full-information", "--check", "none"];

const ROWS: &[Row] = &[
    row("E<> control: TP1", "lep", LEP, STRICT, TP1, true),
    row("E<> control: TP2", "lep", LEP, STRICT, TP2, true),
    row("E<> control: TP3", "lep", LEP, STRICT, TP3, true),
    row("control: TP1", "lep", LEP, STRICT, TP1, false),
    row("control: TP2", "lep", LEP, STRICT, TP2, false),
    row("control: TP3", "lep", LEP, STRICT, TP3, false),
    row("E<> ranks TP2", "lep", &["3", "4 2", "5 2", "4 3"], RANKS, TP2, true),
    row("E<> ranks TP3", "lep", &["3", "4 2", "5 2", "4 3"], RANKS, TP3, true),
    row(
        "control: all done",
        "jobs",
        &["3", "4", "5", "6", "7", "8", "9", "10"],
        STRICT,
        "A<> t <= D && forall (i : Id) Job(i).Done",
        true,
    ),
    row(
        "control: too late",
        "jobs",
        &["3 -1", "5 -1", "7 -1", "9 -1"],
        STRICT,
        "A<> t <= D && forall (i : Id) Job(i).Done",
        false,
    ),
    row(
        "control: safe",
        "train-game",
        &["2", "3", "4"],
        STRICT,
        "A[] forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i == j",
        true,
    ),
    row(
        "control: across",
        "train-game",
        &["2", "3"],
        STRICT,
        "A[ forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i == j \
         U forall (i : Id) crossed[i] ]",
        true,
    ),
    row(
        "control: no plate falls",
        "production-cell",
        &["2", "3", "4", "5", "6"],
        STRICT,
        "A[] forall (i : Id) !Plate(i).Fallen",
        true,
    ),
    row(
        "control: all through",
        "production-cell",
        &["2", "3", "4", "5", "6"],
        STRICT,
        "A[ forall (i : Id) !Plate(i).Fallen U forall (i : Id) Plate(i).Done ]",
        true,
    ),
];

const fn row(
    name: &'static str,
    family: &'static str,
    sizes: &'static [&'static str],
    options: &'static [&'static str],
    query: &'static str,
    holds: bool,
) -> Row {
    Row { name, family, sizes, options, query, holds }
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    let small = wanted.iter().any(|one| one == "small");
    let named: Vec<&String> = wanted.iter().filter(|one| *one != "small").collect();
    println!(
        "{:40} {:>8} {:>8} {:>8} {:>9} {:>7} {:>6} {:>9}",
        "game", "states", "edges", "zones", "seconds", "growth", "MiB", "two thr."
    );
    for row in ROWS {
        let mut before = None;
        let sizes = if small { &row.sizes[..2] } else { row.sizes };
        for size in sizes {
            let name = format!("{} {size}, {}", row.family, row.name);
            if named.is_empty() || named.iter().any(|one| name.contains(one.as_str())) {
                before = Some(measure(&name, row, size, before));
            }
        }
    }
}

fn measure(name: &str, row: &Row, size: &str, before: Option<f64>) -> f64 {
    let arguments = ["bench", row.family, "--"].into_iter().chain(size.split(' '));
    let instance = Instance::parse_from(arguments);
    let path = std::env::temp_dir().join(format!("tioga-bench-{}.tioga", std::process::id()));
    std::fs::write(&path, instance.family.text(Format::Tioga).unwrap()).unwrap();
    let cooperative = if row.name.starts_with("E<>") { "E<> " } else { "" };
    let query = format!("{cooperative}control: {}", row.query);
    let solve = |threads: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tioga"))
            .args(["--format", "json", "solve", "--threads", threads, "-q", &query])
            .args(row.options)
            .arg(&path)
            .output()
            .unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["result"]["holds"], row.holds, "{name}: {value:#}");
        value["result"]["stats"].clone()
    };
    let (one, two) = (solve("1"), solve("2"));
    assert_eq!(one["zones"], two["zones"], "the number of threads changes nothing");
    let number = |stats: &Value, key: &str| stats[key].as_f64().unwrap();
    let seconds = number(&one, "seconds");
    let growth = before
        .filter(|before| *before > 0.0)
        .map_or_else(String::new, |before| format!("{:.1}", seconds / before));
    println!(
        "{name:40} {:>8} {:>8} {:>8} {seconds:>9.3} {growth:>7} {:>6.0} {:>9.3}",
        one["states"].to_string(),
        one["edges"].to_string(),
        one["zones"].to_string(),
        number(&one, "peak_bytes") / f64::from(1 << 20),
        number(&two, "seconds"),
    );
    let _ = std::fs::remove_file(&path);
    seconds
}
