//! Every format on the small campaign: as it was when somebody last looked at it, and read again by
//! somebody else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::campaign::{NASTY, runs, seconds, settings, specification};
use crate::texts::{Texts, read_tap, written};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tioga_execute::{Event, Outcome, RunRecord, RunSummary, Settings, Tally};
use tioga_report::{Inconclusive, Keep, Report, Sequence, sequence, table, tally_table};

/// Compares with a file of `tests/golden`. With `TIOGA_BLESS` set, the file is written instead.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("TIOGA_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert!(text == expected, "{name} is not as it was; it is now:\n{text}");
}

fn campaign(inconclusive: Inconclusive) -> Texts {
    written(&settings(), runs(), inconclusive)
}

#[test]
fn every_format_is_as_it_was() {
    let texts = campaign(Inconclusive::Skipped);
    golden("campaign.xml", &texts.junit);
    golden("campaign.tap", &texts.tap);
    golden("campaign.html", &texts.html);
    golden("campaign.json", &texts.json);
    golden("campaign.ttcn", &texts.ttcn);
}

#[test]
fn every_diagram_is_as_it_was() {
    let sequences = runs().iter().map(|run| Sequence::new(run, 400, seconds())).collect::<Vec<_>>();
    let all = |print: fn(&Sequence) -> String| -> String {
        sequences.iter().map(|sequence| print(sequence) + "\n").collect()
    };
    golden("sequences.txt", &all(sequence::text));
    golden("sequences.mmd", &all(sequence::mermaid));
    golden("sequences.puml", &all(sequence::plantuml));
    golden("sequence.svg", &sequence::svg(&sequences[1]));
}

#[test]
fn the_final_table_counts_every_run_once() {
    let settings = settings();
    let mut report = Report::new(&settings, Some(specification()));
    for run in runs() {
        report.add(&run);
    }
    golden("table.txt", &table(&report).text(|_, text| text.to_owned()));
    let painted = table(&report).text(|tells, text| match tells {
        Some(Outcome::Fail) => format!("[{text}]"),
        _ => text.to_owned(),
    });
    assert_eq!(
        painted.matches('[').count(),
        // The numbers of both test cases and of all, and that it is the worst for each.
        3 + 3 + table(&report).text(|_, t| t.into()).matches('[').count()
    );
}

#[test]
fn who_counts_outcomes_only_has_the_same_table() {
    let settings = Settings { keep_going: true, ..settings() };
    let (mut report, mut tally) =
        (Report::new(&settings, Some(specification())), Tally::new(&settings));
    // The last run was interrupted, and counts for nobody who goes on with it.
    for run in &runs()[..5] {
        report.add(run);
        tally.add(RunSummary::of(&settings, run).unwrap(), |_| {});
    }
    let (full, short) = (table(&report), tally_table(&settings, &tally));
    assert_eq!(full.rows.len(), short.rows.len());
    for (full, short) in full.rows.iter().zip(&short.rows) {
        assert_eq!(full[..short.len()], short[..]);
        assert_eq!(full.len(), short.len() + 2);
    }
    assert_eq!(short.rows[1].last().unwrap().text, "fail");
    let none = tally_table(&settings, &Tally::new(&settings));
    assert!(none.rows[1..].iter().all(|row| row.last().unwrap().text == "not run"));
}

#[test]
fn coverage_says_where_runs_went() {
    let settings = settings();
    let mut report = Report::new(&settings, Some(specification()));
    for run in runs() {
        report.add(&run);
    }
    let coverage = &report.coverage.cases[0];
    assert_eq!(coverage.places, [3, 3, 1, 1]);
    assert_eq!(coverage.edges, [vec![3], vec![1, 1], vec![], vec![]]);
    assert_eq!(
        report.runs[4].expected,
        ["`dim` from 1 s to 2.1 s", "`off` from 0 s to 2.1 s", "silence until 2.1 s"]
    );
    let graphs = report.coverage.model(&settings.suite, specification()).unwrap();
    let visits: BTreeMap<&str, Option<u64>> =
        graphs[0].nodes.iter().map(|node| (node.lines[0].as_str(), node.visits)).collect();
    // The second test case is at its start three times more.
    assert_eq!(visits["Off"], Some(6));
    assert_eq!(visits["Rising"], Some(3));
    assert_eq!(visits["Never"], Some(0));
}

/// The campaign on a machine that was late: run 0 began again twice, run 2 once.
fn late_campaign() -> Texts {
    let settings = settings();
    let mut runs = runs();
    for (run, attempt) in [(0, 2), (2, 1)] {
        let Event::Begin { seed, .. } = &mut runs[run].events[0] else { panic!("it begins") };
        *seed = Settings::attempt_seed(settings.seed, run as u64, attempt);
    }
    written(&settings, runs, Inconclusive::Skipped)
}

#[test]
fn every_format_says_how_often_runs_began_again() {
    let (late, usual) = (late_campaign(), campaign(Inconclusive::Skipped));
    let sentence = "2 runs began again because of a scheduling delay, 3 times in all;";
    assert!(late.html.contains(sentence) && !usual.html.contains("began again because"));
    assert_eq!(late.html.matches("<td class=\"number\">2</td></tr>").count(), 1);
    // The first test case has both runs.
    let property =
        |name: &str, value: u64| format!("<property name=\"tioga.{name}\" value=\"{value}\"/>");
    for property in [property("repeated", 2), property("repetitions", 3)] {
        assert_eq!(late.junit.matches(&property).count(), 1, "{property}");
        assert!(!usual.junit.contains(&property));
    }
    let (points, _) = read_tap(&late.tap);
    let repeated: Vec<Option<&str>> = points
        .iter()
        .map(|point| point.yaml.iter().find_map(|line| line.trim().strip_prefix("repeated: ")))
        .collect();
    assert_eq!(repeated, [Some("2"), None, Some("1"), None, None, None]);
    assert!(!usual.tap.contains("repeated"));
    let json: serde_json::Value = serde_json::from_str(&late.json).unwrap();
    let runs: Vec<u64> = json["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["repeated"].as_u64().unwrap())
        .collect();
    assert_eq!(runs, [2, 0, 1, 0, 0, 0]);
    let of =
        |counts: &serde_json::Value| [counts["repeated"].clone(), counts["repetitions"].clone()];
    assert_eq!(of(&json["cases"][0]["counts"]), [2, 3]);
    assert_eq!(of(&json["cases"][1]["counts"]), [0, 0]);
    assert_eq!(of(&json["totals"]), [2, 3]);
}

/// The rules of Jenkins' `junit-10.xsd`: elements with the attributes and children they may have.
const SCHEMA: &[(&str, &[&str], &[&str])] = &[
    ("testsuites", &["name", "time", "tests", "failures", "errors"], &["testsuite"]),
    (
        "testsuite",
        &["name", "tests", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id"],
        &["testsuite", "properties", "testcase", "system-out", "system-err"],
    ),
    ("properties", &[], &["property"]),
    ("property", &["name", "value"], &[]),
    (
        "testcase",
        &["name", "time", "classname"],
        &["skipped", "error", "failure", "system-out", "system-err"],
    ),
    ("failure", &["type", "message"], &[]),
    ("error", &["type", "message"], &[]),
    ("skipped", &["type", "message"], &[]),
    ("system-out", &[], &[]),
];

#[test]
fn junit_keeps_to_the_schema_of_jenkins() {
    for inconclusive in [Inconclusive::Skipped, Inconclusive::Error] {
        let xml = campaign(inconclusive).junit;
        let document = roxmltree::Document::parse(&xml).unwrap();
        assert_eq!(document.root_element().tag_name().name(), "testsuites");
        for element in document.descendants().filter(roxmltree::Node::is_element) {
            let name = element.tag_name().name();
            let rule = SCHEMA.iter().find(|(own, ..)| *own == name);
            let (_, attributes, children) = rule.unwrap_or_else(|| panic!("<{name}>"));
            for attribute in element.attributes() {
                assert!(attributes.contains(&attribute.name()), "{name}/@{}", attribute.name());
                if attribute.name() == "time" {
                    let value = attribute.value();
                    assert!(value.chars().all(|c| c.is_ascii_digit() || c == '.'), "{value}");
                }
            }
            for child in element.children().filter(roxmltree::Node::is_element) {
                assert!(children.contains(&child.tag_name().name()), "{name}/{child:?}");
            }
        }
        for suite in document.descendants().filter(|node| node.has_tag_name("testsuite")) {
            let count = |tag: &str| suite.descendants().filter(|n| n.has_tag_name(tag)).count();
            let said = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
            assert_eq!(said("tests"), count("testcase"));
            assert_eq!(said("failures"), count("failure"));
            assert_eq!(said("errors"), count("error"));
            assert_eq!(said("skipped"), count("skipped"));
        }
    }
}

#[test]
fn junit_tells_inconclusive_runs_as_it_is_asked_to() {
    let count = |inconclusive, tag: &str| {
        let xml = campaign(inconclusive).junit;
        let document = roxmltree::Document::parse(&xml).unwrap();
        document.descendants().filter(|node| node.has_tag_name(tag)).count()
    };
    // One inconclusive and one interrupted run; one error.
    assert_eq!(count(Inconclusive::Skipped, "skipped"), 2);
    assert_eq!(count(Inconclusive::Skipped, "error"), 1);
    assert_eq!(count(Inconclusive::Error, "skipped"), 0);
    assert_eq!(count(Inconclusive::Error, "error"), 3);
    assert_eq!(count(Inconclusive::Error, "failure"), 2);
}

#[test]
fn junit_names_tests_so_that_tools_can_find_them() {
    let xml = campaign(Inconclusive::Skipped).junit;
    let document = roxmltree::Document::parse(&xml).unwrap();
    let test = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
    assert_eq!(test.attribute("classname"), Some("lamp.lamp-1"));
    assert_eq!(test.attribute("name"), Some("reach Lamp.On #1"));
    // 3/2 units of 1.5 ms.
    assert_eq!(test.attribute("time"), Some("0.002"));
    let properties: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name("property")).collect();
    let seed = properties.iter().find(|one| one.attribute("name") == Some("tioga.seed")).unwrap();
    assert_eq!(seed.attribute("value"), Some("7"));
}

#[test]
fn tap_is_read_as_it_was_meant() {
    let (points, plan) = read_tap(&campaign(Inconclusive::Skipped).tap);
    assert_eq!(plan, 6);
    let ok: Vec<bool> = points.iter().map(|point| point.ok).collect();
    assert_eq!(ok, [true, false, true, false, false, true]);
    assert_eq!(points[0].description, "lamp-1: reach Lamp.On #1");
    assert!(points[1].description.starts_with("<b onclick='x'>&amp; ]]> # SKIP "));
    assert!(points[2].skip.as_ref().unwrap().starts_with("inconclusive: the purpose cannot"));
    assert!(points[1].skip.is_none());
    assert!(points[3].yaml.contains(&"  severity: \"error\"".to_owned()));
    assert!(points[4].yaml.contains(&"    - \"`dim` from 1 s to 2.1 s\"".to_owned()));
    assert!(points.iter().all(|point| point.yaml.iter().any(|line| line.starts_with("  seed: "))));
    let (points, _) = read_tap(&campaign(Inconclusive::Error).tap);
    let ok: Vec<bool> = points.iter().map(|point| point.ok).collect();
    assert_eq!(ok, [true, false, false, false, false, false]);
}

#[test]
fn json_says_everything_exactly() {
    let json: serde_json::Value =
        serde_json::from_str(&campaign(Inconclusive::Skipped).json).unwrap();
    assert_eq!(json["format"], "tioga-results");
    assert_eq!(json["version"], 1);
    assert_eq!(json["runs"][1]["reason"], NASTY);
    assert_eq!(json["totals"]["runs"], 6);
    assert_eq!(json["cases"][0]["places"][1]["edges"][0]["taken"], 1);
    for (run, value) in runs().iter().zip(json["runs"].as_array().unwrap()) {
        let events: Vec<tioga_execute::Event> =
            serde_json::from_value(value["events"].clone()).unwrap();
        assert_eq!(events, run.events);
    }
}

#[test]
fn the_page_needs_nothing_else_and_lets_nothing_through() {
    let html = campaign(Inconclusive::Skipped).html;
    for bad in ["<script", "<link", "<img", "@import", "src=", "<b onclick", "\u{1b}", "\u{202e}"] {
        assert!(!html.contains(bad), "{bad}");
    }
    // Addresses lead to places of the page; `xmlns` is a name and not an address.
    for (at, _) in html.match_indices("href=\"") {
        assert!(html[at..].starts_with("href=\"#"));
    }
    for (at, _) in html.match_indices("url(") {
        assert!(html[at..].starts_with("url(#"));
    }
    for (at, _) in html.match_indices("http") {
        assert!(html[..at].ends_with("xmlns=\""));
    }
    assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    assert!(html.contains("<span class=\"share\">4/5</span> locations"));
    let all: String = html.chars().filter(|c| *c != '\n').collect();
    assert!(!all.chars().any(char::is_control));
}

/// The page of the campaign with another text wherever names, values and messages are nasty.
fn page_with(text: &str) -> String {
    fn replace<T: Serialize + DeserializeOwned>(whole: &T, text: &str) -> T {
        fn inside(value: &mut Value, text: &str) {
            match value {
                Value::String(one) => *one = one.replace(NASTY, text),
                Value::Array(all) => all.iter_mut().for_each(|one| inside(one, text)),
                Value::Object(all) => all.values_mut().for_each(|one| inside(one, text)),
                _ => {}
            }
        }
        let mut value = serde_json::to_value(whole).unwrap();
        inside(&mut value, text);
        serde_json::from_value(value).unwrap()
    }
    let runs = runs().into_iter();
    let runs = runs.map(|run| RunRecord { events: replace(&run.events, text), ..run }).collect();
    written(&replace(&settings(), text), runs, Inconclusive::Skipped).html
}

/// The elements of a page with the names of their attributes, as a browser finds them.
fn elements(page: &str) -> BTreeSet<Vec<String>> {
    let tags = page.split('<').skip(1).map(|part| part.split_once('>').unwrap().0);
    let names = |tag: &str| {
        let outside_quotes: Vec<&str> = tag.split('"').step_by(2).collect();
        let words = outside_quotes.join(" ");
        words.split_whitespace().map(|word| word.trim_end_matches('=').to_owned()).collect()
    };
    tags.map(names).collect()
}

#[test]
fn hostile_texts_add_nothing_to_the_page() {
    let harmless = page_with("harmless");
    let attacks = [
        ("</td><script>alert(1)</script>", "&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("</style></title><!--", "&lt;/style&gt;&lt;/title&gt;&lt;!--"),
        ("\" onload=\"x", "&quot; onload=&quot;x"),
        ("' onload='x", "&#39; onload=&#39;x"),
        ("&lt;script&gt;", "&amp;lt;script&amp;gt;"),
        ("a\0\u{8}\u{1b}[2J\r\nb\u{7f}\u{85}", "a\\u{0}\\u{8}\\u{1b}[2J\\r\\nb\\u{7f}\\u{85}"),
        (
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}",
            "\\u{61c}\\u{200e}\\u{200f}\\u{202a}\\u{202e}\\u{2066}\\u{2069}",
        ),
    ];
    for (attack, shown) in attacks {
        let page = page_with(attack);
        assert!(!page.contains(attack), "{attack:?}");
        assert_eq!(elements(&page), elements(&harmless), "{attack:?}");
        // Diagrams break long texts, so that some are there in parts.
        assert!(page.matches(shown).count() >= 20, "{attack:?}");
        assert!(page.chars().all(|one| one == '\n' || !one.is_control()), "{attack:?}");
    }
}

/// Remembers the longest piece that is written.
#[derive(Default)]
struct Longest(usize);

impl std::io::Write for Longest {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.max(piece.len());
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_page_is_written_while_it_is_made() {
    let settings = settings();
    let longest = |repetitions: u64| {
        let mut report =
            Report::keeping(&settings, Some(specification()), Keep { sequences: 5, steps: 10 });
        for number in 0..repetitions {
            for mut record in runs() {
                record.run += 6 * number;
                report.add(&record);
            }
        }
        let mut longest = Longest::default();
        tioga_report::html(&report, &mut longest).unwrap();
        longest.0
    };
    assert_eq!(longest(300).div_ceil(1000), longest(3).div_ceil(1000));
}

#[test]
fn pictures_in_the_page_are_well_formed_and_do_not_share_identifiers() {
    let html = campaign(Inconclusive::Skipped).html;
    let mut identifiers = std::collections::BTreeSet::new();
    let mut pictures = 0;
    for (at, _) in html.match_indices("<svg") {
        let end = html[at..].find("</svg>").unwrap() + at + "</svg>".len();
        let svg = roxmltree::Document::parse(&html[at..end]).unwrap();
        pictures += 1;
        for node in svg.descendants() {
            if let Some(id) = node.attribute("id") {
                assert!(identifiers.insert(id.to_owned()), "{id} twice");
            }
        }
    }
    // The model, two test cases, and six runs of which none passed twice, each over time and as a sequence.
    assert_eq!(pictures, 1 + 2 + 2 * 6);
}

#[test]
fn diagrams_on_their_own_are_well_formed() {
    for run in runs() {
        let svg = sequence::svg(&Sequence::new(&run, 400, seconds()));
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(document.descendants().all(|node| !node.has_tag_name("script")));
        let mermaid = sequence::mermaid(&Sequence::new(&run, 400, seconds()));
        assert!(mermaid.lines().skip(1).all(|line| line.starts_with("    ")));
        let plantuml = sequence::plantuml(&Sequence::new(&run, 400, seconds()));
        assert_eq!(plantuml.matches("@enduml").count(), 1);
    }
}

#[test]
fn a_campaign_without_runs_has_reports_too() {
    let texts = written(&settings(), Vec::new(), Inconclusive::Skipped);
    assert_eq!(texts.tap, "TAP version 14\n1..0 # no runs\n");
    roxmltree::Document::parse(&texts.junit).unwrap();
    let json: serde_json::Value = serde_json::from_str(&texts.json).unwrap();
    assert_eq!(json["totals"]["runs"], 0);
}

#[test]
fn runs_of_unknown_test_cases_are_counted_and_shown() {
    let mut records = runs();
    for event in &mut records[0].events {
        if let tioga_execute::Event::Begin { case, .. } = event {
            *case = "somebody else's".to_owned();
        }
    }
    let texts = written(&settings(), records, Inconclusive::Skipped);
    assert!(texts.html.contains("somebody else&#39;s"));
    let json: serde_json::Value = serde_json::from_str(&texts.json).unwrap();
    assert_eq!(json["totals"]["pass"], 1);
    let document = roxmltree::Document::parse(&texts.junit).unwrap();
    assert_eq!(document.descendants().filter(|n| n.has_tag_name("testcase")).count(), 6);
}

#[test]
fn few_sequences_are_kept_of_many_runs() {
    let settings = settings();
    let mut report =
        Report::keeping(&settings, Some(specification()), Keep { sequences: 5, steps: 10 });
    for number in 0..1000 {
        for mut record in runs() {
            record.run += 6 * number;
            report.add(&record);
        }
    }
    let kept = |case| report.runs_of(case).filter(|run| run.sequence.is_some()).count();
    assert_eq!((kept(0), kept(1)), (5 + 1, 5));
    assert_eq!(report.totals().runs(), 6000);
}

#[test]
fn the_order_in_which_runs_end_does_not_matter() {
    let ordered = campaign(Inconclusive::Skipped);
    let mut records = runs();
    records.reverse();
    let texts = written(&settings(), records, Inconclusive::Skipped);
    assert_eq!(texts.tap, ordered.tap);
    assert_eq!(texts.json, ordered.json);
    assert_eq!(texts.html, ordered.html);
    assert_eq!(texts.junit, ordered.junit);
}
