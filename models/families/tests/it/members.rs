//! Small members of every family: they are valid, equal the reference files where these are
//! installed, and behave alike in both languages.

use crate::layers::layers;
use clap::Parser;
use tioga_base::{Diagnostics, FileId};
use tioga_families::{Family, Format, NoGames};
use tioga_model::Model;
use tioga_parse::{Options, lower, parse};

/// Parameters as the command line has them, one member of a family per line.
const SMALL: &[&str] = &[
    "fischer 1",
    "fischer 2",
    "fischer 3 2",
    "csmacd 1",
    "csmacd 2",
    "csmacd 3 9 2",
    "fddi 1",
    "fddi 2",
    "fddi 3 5 2 1",
    "train_gate 2",
    "train_gate 3",
    "train_gate 4",
    "critical-region 1",
    "critical-region 2",
    "critical-region 3 2",
    "leader-election 2",
    "leader-election 3",
    "leader-election 4 1",
    "job-shop 1 1 1 1",
    "job-shop 2 2 3 8",
    "job-shop 4 2 3 8 2",
    "job-shop 5 3 2 6 3",
    "job-shop 9 12 99 50",
];

/// Games, which have no text for TChecker.
const GAMES: &[&str] = &[
    "lep 3",
    "lep 4 2",
    "lep 5 1 1",
    "jobs 1",
    "jobs 4",
    "jobs 9 -3",
    "train-game 2",
    "train-game 3 100",
    "production-cell 1",
    "production-cell 3",
    "production-cell 3 0",
];

/// The reference files, and the members they are.
const TWINS: &[(&str, &str)] = &[
    ("fischer_5", "fischer 5"),
    ("fischer_8", "fischer 8"),
    ("csmacd_5", "csmacd 5"),
    ("csmacd_8", "csmacd 8"),
    ("fddi_5", "fddi 5"),
    ("train_gate_3", "train_gate 3"),
    ("train_gate_4", "train_gate 4"),
    ("critical-region_3", "critical-region 3"),
    ("critical-region_4", "critical-region 4"),
    ("leader-election_3", "leader-election 3"),
    ("job-shop_2_2", "job-shop 2 2 3 8"),
];

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    family: Family,
}

fn member(line: &str) -> Family {
    let words = std::iter::once("families").chain(line.split(' '));
    Line::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}")).family
}

fn text(line: &str, format: Format) -> String {
    member(line).text(format).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The validated model. Building it must not even give a warning, except that chance may leave a
/// machine of a job shop without work.
fn model(name: &str, format: Format, text: &str) -> Model {
    let format = match format {
        Format::Tck => tioga_parse::Format::Tchecker,
        Format::Tioga => tioga_parse::Format::Tioga,
    };
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    let network = document.and_then(|d| lower(&d, &Options::default(), &mut diagnostics));
    let network = network.unwrap_or_else(|| panic!("{name}: {diagnostics:?}\n{text}"));
    let idle = |code: &str| name.starts_with("job-shop") && code == "one-sided";
    let expected = diagnostics.iter().all(|diagnostic| idle(diagnostic.code));
    assert!(expected, "{name}: {diagnostics:?}\n{text}");
    network.validate().unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}\n{text}"))
}

#[test]
fn small_members_are_valid_in_both_languages() {
    for line in SMALL {
        for format in [Format::Tck, Format::Tioga] {
            model(line, format, &text(line, format));
        }
    }
    for line in GAMES {
        model(line, Format::Tioga, &text(line, Format::Tioga));
        assert_eq!(member(line).text(Format::Tck), Err(NoGames), "{line}");
    }
}

/// Job shops are left out: their tables are easier to read with a row per job.
#[test]
fn tioga_texts_are_laid_out_as_the_formatter_does() {
    for line in SMALL.iter().chain(GAMES).filter(|line| !line.starts_with("job-shop")) {
        let text = text(line, Format::Tioga);
        let mut diagnostics = Diagnostics::new();
        let document = parse(tioga_parse::Format::Tioga, FileId(0), &text, &mut diagnostics);
        let formatted = tioga_parse::tioga::print(&document.unwrap()).unwrap();
        for (written, wanted) in text.lines().zip(formatted.lines()) {
            assert_eq!(written, wanted, "{line}");
        }
        assert_eq!(text.lines().count(), formatted.lines().count(), "{line}");
    }
}

#[test]
fn tck_texts_equal_the_reference_files() {
    let folder = tioga_testkit::root().join("../shared/models/tck");
    if !folder.is_dir() {
        return; // They are not installed everywhere.
    }
    for (file, line) in TWINS {
        let twin = std::fs::read_to_string(folder.join(format!("{file}.tck"))).unwrap();
        let twin = model(file, Format::Tck, &twin);
        let ours = model(line, Format::Tck, &text(line, Format::Tck));
        assert_eq!(sizes(&ours), sizes(&twin), "{file}");
        let print = |model| tioga_parse::tchecker::print(model).unwrap();
        assert_eq!(print(&ours), print(&twin), "{file}");
    }
}

/// Processes, locations, edges, vectors, clocks and data.
fn sizes(model: &Model) -> [usize; 6] {
    let locations = model.processes.iter().map(|process| process.locations.len()).sum();
    let edges = model.processes.iter().map(|process| process.edges.len()).sum();
    let (syncs, clocks) = (model.syncs.len(), model.clocks.len());
    [model.processes.len(), locations, edges, syncs, clocks, model.slots.len()]
}

#[test]
fn both_languages_give_graphs_of_the_same_shape() {
    for line in SMALL {
        let explore = |format| layers(&model(line, format, &text(line, format)));
        assert_eq!(explore(Format::Tck), explore(Format::Tioga), "{line}");
    }
}

#[test]
fn different_members_give_graphs_of_different_shape() {
    let explore = |line| layers(&model(line, Format::Tioga, &text(line, Format::Tioga)));
    assert_ne!(explore("fischer 2 3"), explore("fischer 2 4"));
    assert_ne!(explore("leader-election 3 1"), explore("leader-election 3 2"));
    assert_ne!(explore("job-shop 4 2 3 8 2"), explore("job-shop 4 2 3 8 3"));
}

#[test]
fn members_grow_with_their_first_parameter() {
    for family in ["fischer", "csmacd", "fddi", "train_gate", "critical-region", "leader-election"]
    {
        let processes = |n: u32| {
            let line = format!("{family} {n}");
            model(&line, Format::Tck, &text(&line, Format::Tck)).processes.len()
        };
        assert!(processes(2) < processes(3) && processes(3) < processes(9), "{family}");
    }
}
