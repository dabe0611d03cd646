//! Campaigns in every format, and a reader of TAP that shares no code with the writer.

use std::convert::Infallible;

use crate::campaign::specification;
use tioga_execute::{RunRecord, Settings};
use tioga_report::{Inconclusive, Outputs, write_reports};

/// A campaign in every format.
pub struct Texts {
    pub junit: String,
    pub tap: String,
    pub html: String,
    pub json: String,
    pub ttcn: String,
}

/// Writes every format.
pub fn written(settings: &Settings, runs: Vec<RunRecord>, inconclusive: Inconclusive) -> Texts {
    let [mut junit, mut tap, mut html, mut json, mut ttcn] = [const { Vec::<u8>::new() }; 5];
    let outputs = Outputs {
        junit: Some(&mut junit),
        tap: Some(&mut tap),
        html: Some(&mut html),
        json: Some(&mut json),
        ttcn: Some(&mut ttcn),
        inconclusive,
    };
    write_reports::<Infallible>(settings, Some(specification()), runs.into_iter().map(Ok), outputs)
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Texts {
        junit: text(junit),
        tap: text(tap),
        html: text(html),
        json: text(json),
        ttcn: text(ttcn),
    }
}

/// A test line of TAP.
pub struct Point {
    pub ok: bool,
    pub description: String,
    pub skip: Option<String>,
    pub yaml: Vec<String>,
}

/// Reads TAP 14 as far as it is written here.
pub fn read_tap(text: &str) -> (Vec<Point>, usize) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let (mut points, mut plan) = (Vec::<Point>::new(), None);
    while let Some(line) = lines.next() {
        if let Some(count) = line.strip_prefix("1..") {
            plan = Some(count.parse().unwrap());
            continue;
        }
        if line == "  ---" {
            let point = points.last_mut().unwrap();
            point
                .yaml
                .extend(lines.by_ref().take_while(|line| *line != "  ...").map(str::to_owned));
            assert!(point.yaml.iter().all(|line| line.starts_with("  ")));
            continue;
        }
        let (ok, rest) = match line.strip_prefix("not ") {
            Some(rest) => (false, rest),
            None => (true, line),
        };
        let rest = rest.strip_prefix("ok ").unwrap_or_else(|| panic!("what is {line:?}?"));
        let (number, rest) = rest.split_once(" - ").unwrap();
        assert_eq!(number.parse(), Ok(points.len() + 1));
        // A `#` that is not escaped begins the directive.
        let (mut description, mut directive, mut escaped) = (String::new(), None, false);
        for (index, character) in rest.char_indices() {
            match character {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '#' if !escaped => {
                    directive = Some(rest[index..].to_owned());
                    break;
                }
                other => description.push(other),
            }
            escaped = false;
        }
        let skip = directive.map(|text| text.strip_prefix("# SKIP ").unwrap().to_owned());
        points.push(Point { ok, description, skip, yaml: Vec::new() });
    }
    (points, plan.unwrap())
}
