//! How fast Tioga is: simulated moves per second, and megabytes read per second in each format,
//! with how the time grows when the size doubles. Run by `cargo bench -p tioga-cli`; a part of a
//! row's name as argument selects rows.
//!
//! A figure is the best of several repetitions, because everything else a machine does only slows
//! it down. A growth near 2 is linear; near 4, quadratic.
#![allow(clippy::unwrap_used, reason = "a measurement that fails should stop")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tioga_base::{Diagnostics, FileId};
use tioga_concrete::{WalkOptions, walk};
use tioga_model::Model;
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse};

/// The size of the largest text, in bytes.
const LARGEST: usize = 5 << 20;
const MOVES: u64 = 20_000;

fn main() {
    // Cargo adds `--bench`; what else is said selects rows.
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    let selected = |name: &str| wanted.is_empty() || wanted.iter().any(|one| name.contains(one));
    println!("{:28} {:>14}", "simulation", "moves/s");
    for (name, text) in simulated() {
        if selected(&name) {
            simulation(&name, &text);
        }
    }
    println!();
    let head = ["MB", "parse MB/s", "growth", "to model MB/s", "growth"];
    println!(
        "{:28} {:>6} {:>12} {:>8} {:>14} {:>8}",
        "reading", head[0], head[1], head[2], head[3], head[4]
    );
    for (name, format, generate) in generators() {
        if selected(name) {
            reading(name, format, generate);
        }
    }
}

fn best(repetitions: u32, mut work: impl FnMut()) -> Duration {
    let mut times = (0..repetitions).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    let first = times.next().unwrap();
    times.fold(first, Duration::min)
}

fn document(format: Format, text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    document.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().next()))
}

fn model(document: &Document) -> Model {
    let mut diagnostics = Diagnostics::new();
    let network = lower(document, &Options::default(), &mut diagnostics);
    let network = network.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().next()));
    network.validate().unwrap()
}

/// The models that are simulated, as `.tioga` texts.
fn simulated() -> Vec<(String, String)> {
    let example = |name: &str| {
        let path = format!("{}/../../examples/{name}/{name}.tioga", env!("CARGO_MANIFEST_DIR"));
        (name.to_owned(), std::fs::read_to_string(path).unwrap())
    };
    let mut models = vec![example("smart-light"), example("train-gate")];
    models.extend([5, 20].map(|count| (format!("fischer, {count} processes"), fischer(count))));
    models
}

/// Fischer's protocol for mutual exclusion.
fn fischer(count: usize) -> String {
    format!(
        "const int N = {count};
typedef int[1, N] Id;
int[0, N] id;
automaton P(const Id pid) {{
  clock x;
  init location A;
  location req invariant x <= 2;
  location wait, cs;
  A -> req : when id == 0 do x = 0;
  req -> wait : when x <= 2 do x = 0, id = pid;
  wait -> req : when id == 0 do x = 0;
  wait -> cs : when x > 2 && id == pid;
  cs -> A : do id = 0;
}}
system P;
"
    )
}

fn simulation(name: &str, text: &str) {
    let model = model(&document(Format::Tioga, text));
    let options = WalkOptions { steps: MOVES, ..WalkOptions::default() };
    let moves = walk(&model, &options).unwrap().trace.records.len();
    assert!(moves as u64 >= MOVES, "{name} gets stuck");
    let time = best(5, || {
        black_box(walk(&model, &options).unwrap());
    });
    println!("{name:28} {:>14}", u128::from(MOVES) * 1_000_000_000 / time.as_nanos().max(1));
}

type Generator = fn(usize) -> String;

/// Texts of about this many automata, all different in their names.
fn generators() -> [(&'static str, Format, Generator); 4] {
    [
        (".tioga", Format::Tioga, tioga),
        (".xml", Format::UppaalXml, xml),
        (".xta", Format::Xta, xta),
        (".tck", Format::Tchecker, tck),
    ]
}

fn reading(name: &str, format: Format, generate: Generator) {
    let one = generate(100).len() / 100;
    let count = LARGEST / one;
    let mut previous: Option<(Duration, Duration)> = None;
    for count in [count / 4, count / 2, count] {
        let text = generate(count);
        let parsing = best(3, || {
            black_box(document(format, &text));
        });
        let read = document(format, &text);
        let lowering = best(2, || {
            black_box(model(&read));
        });
        let growth = |now: Duration, before: Duration| {
            tenths(now.as_nanos() * 10 / before.as_nanos().max(1))
        };
        let (first, second) = match previous {
            Some((parsed, lowered)) => (growth(parsing, parsed), growth(lowering, lowered)),
            None => (String::new(), String::new()),
        };
        let size = tenths(text.len() as u128 * 10 / (1 << 20));
        println!(
            "{name:28} {size:>6} {:>12} {first:>8} {:>14} {second:>8}",
            rate(text.len(), parsing),
            rate(text.len(), lowering)
        );
        previous = Some((parsing, lowering));
    }
}

/// Megabytes per second, with a decimal.
fn rate(bytes: usize, time: Duration) -> String {
    tenths(bytes as u128 * 10 * 1_000_000_000 / (1 << 20) / time.as_nanos().max(1))
}

fn tenths(value: u128) -> String {
    format!("{}.{}", value / 10, value % 10)
}

fn tioga(count: usize) -> String {
    let mut text = String::from("// Many automata.\ninput touch;\noutput dim;\n");
    for index in 0..count {
        let _ = write!(
            text,
            "
automaton Light{index} {{
  clock x, y;
  int[0, 10] level = 3;

  init location Off;
  location Dim invariant x <= 20;
  location Bright invariant x <= 30 && y <= 40;

  Off -> Dim : touch? when x < 20 && level < 10 do x = 0, level = level + 1;
  Dim -> Bright : touch? when x >= 4 || y > 7 do y = 0;
  Bright -> Off : dim! when level > 0 do level = level - 1, x = 0;
  Dim -> Off : when y >= 2 * 3 + 1;
}}
"
        );
    }
    text
}

/// The system line of models of the automata `Light0`, `Light1`, ….
fn system(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|index| format!("Light{index}")).collect();
    format!("system {};", names.join(", "))
}

fn xta(count: usize) -> String {
    let mut text = String::from("// Many automata.\nchan touch, dim;\n");
    for index in 0..count {
        let _ = write!(
            text,
            "
process Light{index}() {{
  clock x, y;
  int[0, 10] level = 3;
  state Off, Dim {{ x <= 20 }}, Bright {{ x <= 30 && y <= 40 }};
  init Off;
  trans
    Off -> Dim {{ guard x < 20 && level < 10; sync touch?; assign x = 0, level = level + 1; }},
    Dim -> Bright {{ guard x >= 4 && y > 7; sync touch?; assign y = 0; }},
    Bright -> Off {{ guard level > 0; sync dim!; assign level = level - 1, x = 0; }},
    Dim -> Off {{ guard y >= 2 * 3 + 1; }};
}}
"
        );
    }
    text + &system(count)
}

fn xml(count: usize) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta><declaration>chan touch, dim;</declaration>\n",
    );
    for index in 0..count {
        let _ = write!(
            text,
            "<template><name x=\"5\" y=\"5\">Light{index}</name>
<declaration>clock x, y;
int[0, 10] level = 3;</declaration>
<location id=\"id0\" x=\"0\" y=\"0\"><name x=\"1\" y=\"1\">Off</name></location>
<location id=\"id1\" x=\"90\" y=\"0\"><name>Dim</name><label kind=\"invariant\">x &lt;= 20</label></location>
<location id=\"id2\" x=\"90\" y=\"90\"><name>Bright</name><label kind=\"invariant\">x &lt;= 30 &amp;&amp; y &lt;= 40</label></location>
<init ref=\"id0\"/>
<transition><source ref=\"id0\"/><target ref=\"id1\"/><label kind=\"guard\">x &lt; 20 &amp;&amp; level &lt; 10</label><label kind=\"synchronisation\">touch?</label><label kind=\"assignment\">x = 0, level = level + 1</label></transition>
<transition><source ref=\"id1\"/><target ref=\"id2\"/><label kind=\"guard\">x &gt;= 4 &amp;&amp; y &gt; 7</label><label kind=\"synchronisation\">touch?</label><label kind=\"assignment\">y = 0</label></transition>
<transition><source ref=\"id2\"/><target ref=\"id0\"/><label kind=\"guard\">level &gt; 0</label><label kind=\"synchronisation\">dim!</label><label kind=\"assignment\">level = level - 1, x = 0</label></transition>
</template>
"
        );
    }
    let _ = writeln!(text, "<system>{}</system></nta>", system(count));
    text
}

fn tck(count: usize) -> String {
    let mut text = String::from("# Many automata.\nsystem:many\nevent:touch\nevent:dim\n");
    for index in 0..count {
        let _ = write!(
            text,
            "
process:Light{index}
clock:1:x{index}
clock:1:y{index}
int:1:0:10:3:level{index}
location:Light{index}:Off{{initial:}}
location:Light{index}:Dim{{invariant: x{index} <= 20}}
location:Light{index}:Bright{{invariant: x{index} <= 30 && y{index} <= 40}}
edge:Light{index}:Off:Dim:touch{{provided: x{index} < 20 && level{index} < 10 : do: x{index} = 0; level{index} = level{index} + 1}}
edge:Light{index}:Dim:Bright:touch{{provided: x{index} >= 4 && y{index} > 7 : do: y{index} = 0}}
edge:Light{index}:Bright:Off:dim{{provided: level{index} > 0 : do: level{index} = level{index} - 1; x{index} = 0}}
"
        );
    }
    text
}
