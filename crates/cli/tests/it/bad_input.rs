//! Bad models through the real binary: one complaint each, at the right place, and exit code 2.

use crate::binary::{Folder, Json};

const UNKNOWN_CLOCK: &str = "\
automaton Light {
  clock since;
  init location Off;
  location On;
  Off -> On : when sinse >= 4 do since = 0;
}
";

const TYPE_ERROR: &str = "\
automaton Light {
  int levels[3];
  init location Off;
  Off -> self : when levels > 2;
}
";

const CLOCK_AS_NUMBER: &str = "\
automaton Light {
  clock x;
  int level;
  init location Off;
  Off -> self : do level = x;
}
";

const FOREIGN_VARIABLE: &str = "\
automaton Lamp {
  int level;
  init location Off;
  Off -> self : do level = 1;
}

automaton User {
  init location Idle;
  Idle -> self : when level > 0;
}
";

const NO_START: &str = "\
automaton Light {
  clock x;
  init location Off invariant x > 3;
  location On;
  Off -> On : ;
}
";

const NO_INIT: &str = "\
automaton Light {
  location Off, On;
  Off -> On : ;
}
";

const DUPLICATE: &str = "\
automaton Light {
  init location Off;
  location On, Off;
  Off -> On : ;
}
";

const NEGATIVE_CLOCK: &str = "\
automaton Light {
  clock x;
  init location Off;
  Off -> self : do x := -1;
}
";

/// An expression with this many parentheses around it.
fn nested(levels: usize) -> String {
    let (open, close) = ("(".repeat(levels), ")".repeat(levels));
    format!(
        "automaton A {{\n  int n;\n  init location L;\n  L -> self : when {open}n > 0{close};\n}}\n"
    )
}

/// A model in UPPAAL's XML form with these parts of one edge.
fn xml(declarations: &str, locations: &str, labels: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<nta><declaration></declaration>
<template><name>Light</name>
<declaration>{declarations}</declaration>
{locations}
<transition><source ref=\"a\"/><target ref=\"a\"/>{labels}</transition>
</template>
<template><name>Other</name><declaration>int level;</declaration>
<location id=\"o\"><name>O</name></location><init ref=\"o\"/></template>
<system>system Light, Other;</system></nta>
"
    )
}

const ONE_LOCATION: &str = "<location id=\"a\"><name>Off</name></location><init ref=\"a\"/>";

fn guard(text: &str) -> String {
    format!("<label kind=\"guard\">{text}</label>")
}

fn assignment(text: &str) -> String {
    format!("<label kind=\"assignment\">{text}</label>")
}

/// The only complaint about a text: its code and what its place shows. Says nothing else on
/// standard output and exits with 2.
fn complaint(name: &str, contents: &[u8]) -> (String, String) {
    let folder = Folder::new(&format!("bad_{}", name.replace('.', "_")));
    folder.write(name, contents);
    let run = folder.tioga(&["--format", "json", "check", name], "");
    assert_eq!(run.code, 2, "{name}: {}", run.out);
    assert_eq!(run.err, "", "{name}");
    let value = run.json();
    let diagnostics = value["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1, "{name}: {}", run.out);
    let primary = &diagnostics[0]["primary"];
    let range =
        primary["start"].as_u64().unwrap() as usize..primary["end"].as_u64().unwrap() as usize;
    let text = String::from_utf8_lossy(contents);
    let shown = text.get(range).unwrap_or_default().to_owned();
    let plain = folder.tioga(&["check", name], "");
    assert_eq!((plain.code, plain.out.as_str()), (2, ""), "{name}");
    assert!(plain.err.contains(&format!("--> {name}:")), "{name}: {}", plain.err);
    (diagnostics[0]["code"].as_str().unwrap().to_owned(), shown)
}

fn expect(name: &str, contents: impl AsRef<[u8]>, code: &str, shown: &str) {
    let (found, place) = complaint(name, contents.as_ref());
    assert_eq!((found.as_str(), place.as_str()), (code, shown), "{name}");
}

#[test]
fn every_bad_tioga_model_gets_one_complaint_at_its_place() {
    expect("clock.tioga", UNKNOWN_CLOCK, "unknown-name", "sinse");
    expect("type.tioga", TYPE_ERROR, "wrong-type", "levels");
    expect("number.tioga", CLOCK_AS_NUMBER, "clock-as-value", "x");
    expect("foreign.tioga", FOREIGN_VARIABLE, "unknown-name", "level");
    expect("start.tioga", NO_START, "unreachable-initial-location", "Off");
    expect("init.tioga", NO_INIT, "no-initial-location", "Light");
    expect("duplicate.tioga", DUPLICATE, "duplicate-name", "Off");
    expect("negative.tioga", NEGATIVE_CLOCK, "negative-clock", "-1");
    expect("nested.tioga", nested(100), "too-deep", "(");
    expect("deeper.tioga", nested(100_000), "too-deep", "(");
    expect("cut.tioga", &UNKNOWN_CLOCK[..60], "syntax", "");
}

#[test]
fn every_bad_uppaal_model_gets_one_complaint_at_its_place() {
    let one = |declarations: &str, labels: &str| xml(declarations, ONE_LOCATION, labels);
    expect("clock.xml", one("clock since;", &guard("sinse &gt;= 4")), "unknown-name", "sinse");
    expect("type.xml", one("int l[3];", &guard("l &gt; 2")), "wrong-type", "l");
    expect("foreign.xml", one("", &guard("level &gt; 0")), "unknown-name", "level");
    expect("negative.xml", one("clock x;", &assignment("x := -1")), "negative-clock", "-1");
    let deep = format!("{}true{}", "(".repeat(100), ")".repeat(100));
    expect("nested.xml", one("", &guard(&deep)), "too-deep", "(");
    let start = "<location id=\"a\"><name>Off</name><label kind=\"invariant\">x &gt; 3</label></location><init ref=\"a\"/>";
    expect("start.xml", xml("clock x;", start, ""), "unreachable-initial-location", "Off");
    let twice = "<location id=\"a\"><name>Off</name></location><location id=\"b\"><name>Off</name></location><init ref=\"a\"/>";
    expect("duplicate.xml", xml("", twice, ""), "duplicate-name", "Off");
    let whole = one("clock x;", "");
    let cut = &whole[..whole.find("</template>").unwrap()];
    expect("cut.xml", cut, "xml", ">");
}

#[test]
fn garbage_is_refused_at_its_first_odd_byte() {
    let bytes: Vec<u8> = [0x7f, b'E', b'L', b'F', 2, 1, 0, 0xff, 0xfe, 0x80].repeat(100);
    for name in ["garbage.tioga", "garbage.xml", "garbage.xta", "garbage.tck", "garbage.xlia"] {
        let (code, _) = complaint(name, &bytes);
        assert_eq!(code, "not-utf-8", "{name}");
    }
    for name in ["zeros.tioga", "zeros.xml", "zeros.xta", "zeros.tck", "zeros.xlia"] {
        expect(name, [0; 64], "not-text", "\0");
    }
}

#[test]
fn a_complaint_shows_the_line_the_reason_and_the_remedy() {
    let folder = Folder::new("bad_shown");
    folder.write("light.tioga", UNKNOWN_CLOCK);
    folder.write("lamp.tioga", FOREIGN_VARIABLE);
    folder.write("start.tioga", NO_START);
    let shown = |name: &str| folder.tioga(&["check", name], "").err;
    let unknown = "\
error[unknown-name]: unknown name `sinse`
 --> light.tioga:5:20
  |
5 |   Off -> On : when sinse >= 4 do since = 0;
  |                    ^^^^^
  |
help: did you mean `since`?
  |
5 -   Off -> On : when sinse >= 4 do since = 0;
5 +   Off -> On : when since >= 4 do since = 0;
  |

";
    assert_eq!(shown("light.tioga"), unknown);
    let foreign = "\
error[unknown-name]: unknown name `level`
 --> lamp.tioga:9:23
  |
9 |   Idle -> self : when level > 0;
  |                       ^^^^^
  |
  = note: `level` is declared in `Lamp`; a process reads only its own and global names

";
    assert_eq!(shown("lamp.tioga"), foreign);
    let start = "\
error[unreachable-initial-location]: no run can start in `Off`
 --> start.tioga:3:17
  |
3 |   init location Off invariant x > 3;
  |                 ^^^
  |
  = note: its invariant does not hold when all clocks are zero

";
    assert_eq!(shown("start.tioga"), start);
}

#[test]
fn several_mistakes_are_told_in_one_run() {
    let folder = Folder::new("bad_several");
    let text = UNKNOWN_CLOCK.replace("}", "  On -> Off : when sincee < 3;\n}");
    folder.write("light.tioga", text);
    let value = folder.tioga(&["--format", "json", "check", "light.tioga"], "").json();
    assert_eq!(value["diagnostics"].as_array().unwrap().len(), 2);
}

#[test]
fn a_bad_trace_and_a_bad_setting_are_bad_input() {
    let folder = Folder::new("bad_trace");
    folder.write("run.trace", "tioga-trace 1\nmodel m\ndelya 3\n");
    let run = folder.tioga(&["replay", "@smart-light", "run.trace"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("did you mean `delay`?"), "{}", run.err);
    let run = folder.tioga(&["simulate", "--set", "nothing=1"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no symbolic constant `nothing`"), "{}", run.err);
    let run = folder.tioga(&["simulate", "--max-time", "-1"], "");
    assert_eq!(run.code, 2);
}
