//! Queries about whole runs, against TChecker's nested search and Couvreur's algorithm on random networks.
//! Runs where `tck-liveness` is installed; `TIOGA_NETWORKS` says how many networks are asked about.
//!
//! TChecker looks for a run that meets a label infinitely often. Runs that stay in a set of locations are all
//! runs once the other locations are left out. For `a --> b`, locations have a second copy without `b`, which
//! begins where `a` is entered. Every location has a way to a sink outside the set, so that no run ends inside
//! it. Time diverges on the runs on which one more process ticks infinitely often.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use crate::binary::Folder;

/// Numbers that look random, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn clock(&mut self) -> &'static str {
        ["x", "y"][self.below(2) as usize]
    }
}

struct Edge {
    source: String,
    target: String,
    event: &'static str,
    attributes: String,
}

/// A process with the invariants of its locations, the first of which is the initial one.
struct Process {
    locations: Vec<(String, Option<String>)>,
    edges: Vec<Edge>,
}

impl Process {
    fn random(random: &mut Random, prefix: &str, locations: u64, events: &[&'static str]) -> Self {
        let named = |number: u64| format!("{prefix}{number}");
        let mut process = Self { locations: Vec::new(), edges: Vec::new() };
        for number in 0..locations {
            process.locations.push((named(number), None));
        }
        for _ in 0..1 + random.below(2 * locations) {
            let guards: Vec<String> = (0..random.below(3))
                .map(|_| {
                    let op = ["<=", "<", ">=", ">", "=="][random.below(5) as usize];
                    format!("{}{op}{}", random.clock(), random.below(4))
                })
                .collect();
            let resets: Vec<String> = ["x", "y"]
                .iter()
                .filter(|_| random.percent(40))
                .map(|clock| format!("{clock}=0"))
                .collect();
            let mut attributes = Vec::new();
            if !guards.is_empty() {
                attributes.push(format!("provided: {}", guards.join("&&")));
            }
            if !resets.is_empty() {
                attributes.push(format!("do: {}", resets.join(";")));
            }
            process.edges.push(Edge {
                source: named(random.below(locations)),
                target: named(random.below(locations)),
                event: events[random.below(events.len() as u64) as usize],
                attributes: attributes.join(" : "),
            });
        }
        process
    }
}

/// Two processes and two clocks. The first has a sink, and where time may pass for ever an idle step.
fn network(random: &mut Random) -> (Process, Process) {
    let locations = 2 + random.below(3);
    let mut first = Process::random(random, "l", locations, &["a", "a", "b"]);
    let step = |source: &str, target: &str, event| Edge {
        source: source.to_owned(),
        target: target.to_owned(),
        event,
        attributes: String::new(),
    };
    for (name, invariant) in &mut first.locations {
        first.edges.push(step(name, "sink", "s"));
        if random.percent(70) {
            *invariant = Some(format!("{}<={}", random.clock(), 1 + random.below(3)));
        } else {
            first.edges.push(step(name, name, "i"));
        }
    }
    first.locations.push(("sink".to_owned(), None));
    first.edges.push(step("sink", "sink", "i"));
    let locations = 1 + random.below(3);
    (first, Process::random(random, "m", locations, &["b", "c"]))
}

/// What is asked: whether a run stays in these locations, or whether the first leads to the second.
enum Question {
    Stays(BTreeSet<String>),
    Leads(String, String),
}

const TICKING: &str = "clock:1:t\nevent:tick\nevent:tock\nprocess:Tick
location:Tick:W{initial: : invariant: t<=1}\nlocation:Tick:A{labels: again : committed:}
edge:Tick:W:A:tick{provided: t==1 : do: t=0}\nedge:Tick:A:W:tock{}\n";

/// The network for TChecker: as it is, or changed for a question.
fn text((first, second): &(Process, Process), asked: Option<(&Question, bool)>) -> String {
    let mut text = String::from("system:s\nclock:1:x\nclock:1:y\n");
    for event in ["a", "b", "c", "s", "i"] {
        writeln!(text, "event:{event}").unwrap();
    }
    let location = |process: &str,
                    name: &str,
                    initial: bool,
                    invariant: &Option<String>,
                    label: Option<&str>| {
        let invariant = invariant.as_ref().map(|one| format!("invariant: {one}"));
        let label = label.map(|label| format!("labels: {label}"));
        let parts = [initial.then(|| "initial: ".to_owned()), invariant, label];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("location:{process}:{name}{{{}}}\n", parts.join(" : "))
    };
    text.push_str("process:P\n");
    let (stays, leads) = match asked {
        Some((Question::Stays(inside), _)) => (Some(inside), None),
        Some((Question::Leads(a, b), _)) => (None, Some((a, b))),
        None => (None, None),
    };
    let divergent = asked.is_some_and(|(_, divergent)| divergent);
    let label = asked.map(|_| if divergent { "inside" } else { "again" });
    let kept = |name: &String| stays.is_none_or(|inside| inside.contains(name));
    for (number, (name, invariant)) in
        first.locations.iter().enumerate().filter(|(_, (name, _))| kept(name))
    {
        text.push_str(&location(
            "P",
            name,
            number == 0,
            invariant,
            label.filter(|_| stays.is_some()),
        ));
        if let Some((a, b)) = leads
            && name != b
        {
            text.push_str(&location(
                "P",
                &format!("{name}_2"),
                number == 0 && name == a,
                invariant,
                label,
            ));
        }
    }
    for Edge { source, target, event, attributes } in
        first.edges.iter().filter(|edge| kept(&edge.source) && kept(&edge.target))
    {
        writeln!(text, "edge:P:{source}:{target}:{event}{{{attributes}}}").unwrap();
        if let Some((a, b)) = leads {
            if target == a {
                writeln!(text, "edge:P:{source}:{target}_2:{event}{{{attributes}}}").unwrap();
            }
            if source != b && target != b {
                writeln!(text, "edge:P:{source}_2:{target}_2:{event}{{{attributes}}}").unwrap();
            }
        }
    }
    text.push_str("process:Q\n");
    for (number, (name, invariant)) in second.locations.iter().enumerate() {
        text.push_str(&location("Q", name, number == 0, invariant, None));
    }
    for Edge { source, target, event, attributes } in &second.edges {
        writeln!(text, "edge:Q:{source}:{target}:{event}{{{attributes}}}").unwrap();
    }
    text.push_str("sync:P@b:Q@b\n");
    if divergent {
        text.push_str(TICKING);
    }
    text
}

/// Whether TChecker finds a run; both algorithms have to say the same where both apply.
fn found(folder: &Folder, text: &str, divergent: bool) -> bool {
    folder.write("asked.tck", text);
    // The nested search wants all labels in one state.
    let (labels, algorithms): (_, &[&str]) = match divergent {
        true => ("again,inside", &["couvscc"]),
        false => ("again", &["couvscc", "ndfs"]),
    };
    let mut answers = BTreeSet::new();
    for algorithm in algorithms {
        let run = Command::new("tck-liveness")
            .args(["-a", algorithm, "-l", labels])
            .arg(folder.0.join("asked.tck"))
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(out.contains("CYCLE "), "{out}{}\n{text}", String::from_utf8_lossy(&run.stderr));
        answers.insert(out.contains("CYCLE true"));
    }
    assert_eq!(answers.len(), 1, "{text}");
    answers.contains(&true)
}

#[test]
fn tchecker_finds_a_run_exactly_if_there_is_one() {
    if Command::new("tck-liveness").arg("-h").output().is_err() {
        eprintln!("skipped: tck-liveness is not installed");
        return;
    }
    let networks = std::env::var("TIOGA_NETWORKS").ok().and_then(|text| text.parse().ok());
    let folder = Folder::new("tchecker-liveness");
    let mut counts = [0; 2];
    for seed in 0..networks.unwrap_or(30) {
        let mut random = Random(seed);
        let network = network(&mut random);
        let names: Vec<&String> = network.0.locations.iter().map(|(name, _)| name).collect();
        let (sink, others) = names.split_last().unwrap();
        let some = others[random.below(others.len() as u64) as usize];
        let inside: BTreeSet<String> = [others[0].clone(), some.clone()].into();
        let all: BTreeSet<String> = others.iter().map(|one| (*one).clone()).collect();
        let questions = [
            Question::Stays(inside),
            Question::Stays(all),
            Question::Leads(others[0].clone(), others[1].clone()),
            Question::Leads(some.clone(), (*sink).clone()),
        ];
        folder.write("network.tck", text(&network, None));
        for question in &questions {
            let query = match question {
                Question::Stays(inside) => {
                    let parts: Vec<String> =
                        inside.iter().map(|name| format!("P.{name}")).collect();
                    format!("E[] {}", parts.join(" || "))
                }
                Question::Leads(a, b) => format!("P.{a} --> P.{b}"),
            };
            for divergent in [false, true] {
                let mut arguments = vec!["reach", "network.tck", "-q", query.as_str()];
                arguments.extend(divergent.then_some("--non-zeno"));
                let run = folder.tioga(&arguments, "");
                assert!(run.code <= 1, "{query}: {}{}", run.out, run.err);
                let ours = (run.code == 0) == matches!(question, Question::Stays(_));
                let theirs =
                    found(&folder, &text(&network, Some((question, divergent))), divergent);
                assert_eq!(ours, theirs, "network {seed}, {query}, divergent: {divergent}");
                counts[usize::from(ours)] += 1;
            }
        }
    }
    eprintln!("{} runs found, {} times there is none", counts[1], counts[0]);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}
