//! Timed sequence diagrams as SVG: no scripts, no fonts or files from elsewhere, and colours for
//! light and dark surroundings. Whole pixels only, so that a picture is the same everywhere.

use std::fmt::Write;

use tioga_base::Times;
use tioga_execute::Outcome;

use super::{Drawn, Sequence, moment};
use crate::text::{counted, escape, wrap};

const ROW: i64 = 30;
const TOP: i64 = 64;
const TESTER: i64 = 150;
const CHARACTER: i64 = 8;
/// How many characters of the verdict stand in a line.
const VERDICT: usize = 68;

/// What the classes of a diagram look like. Rules apply below `.sequence` only, so that diagrams can
/// stand in a page.
pub(crate) const STYLE: &str = "\
.sequence{background:#fff}.sequence text{font:13px Helvetica,Arial,sans-serif;fill:#222}\
.sequence .time{text-anchor:end;fill:#666}.sequence .mid{text-anchor:middle}\
.sequence .quiet{text-anchor:middle;fill:#666;font-style:italic}\
.sequence .lane{stroke:#999;stroke-dasharray:3 4}.sequence .arrow{stroke:#225ea8;stroke-width:1.5}\
.sequence .head{fill:#225ea8}.sequence .cross{stroke:#8e0152;stroke-width:2}.sequence .box{fill:#eef2f8;stroke:#999}\
.sequence .pass{fill:#1b7837}.sequence .fail{fill:#c51b1b}.sequence .error{fill:#8e0152}\
.sequence .inconclusive{fill:#8a6100}.sequence .verdict{font-weight:bold}\
@media (prefers-color-scheme:dark){.sequence{background:#16181d}.sequence text{fill:#e6e6e6}\
.sequence .time,.sequence .quiet{fill:#aaa}.sequence .lane{stroke:#777}\
.sequence .arrow{stroke:#7db4ff}.sequence .head{fill:#7db4ff}.sequence .cross{stroke:#f291d0}\
.sequence .box{fill:#2a2f3a;stroke:#777}.sequence .pass{fill:#6fd08c}.sequence .fail{fill:#ff8080}\
.sequence .error{fill:#f291d0}.sequence .inconclusive{fill:#e8c04a}}";

/// The diagram as a file of its own.
pub fn svg(sequence: &Sequence) -> String {
    drawing(sequence, &format!("<style>{STYLE}</style>\n"))
}

/// The diagram as an element of a page that has the [`style`] of diagrams.
pub fn element(sequence: &Sequence) -> String {
    drawing(sequence, "")
}

/// What the classes of diagrams look like.
pub fn style() -> &'static str {
    STYLE
}

/// The diagram as an element; `head` goes first into it.
pub(crate) fn drawing(sequence: &Sequence, head: &str) -> String {
    let labels = sequence.steps.iter().map(|step| match step {
        Drawn::Input { what, .. } | Drawn::Output { what, .. } => what.chars().count(),
        _ => 0,
    });
    let longest = i64::try_from(labels.max().unwrap_or(0)).unwrap_or(0).min(120);
    let system = TESTER + (longest * CHARACTER + 60).max(260);
    let mut picture = Picture { body: String::new(), system, y: TOP, times: sequence.times };
    for step in &sequence.steps {
        picture.step(step);
    }
    let bottom = picture.y;
    picture.verdict(sequence);
    let title = escape(&sequence.title());
    let faults = sequence.steps.iter().any(|step| matches!(step, Drawn::Fault { .. }));
    let wide = i64::try_from(VERDICT).unwrap_or(0) * CHARACTER + TESTER;
    let width = (system + if faults { 420 } else { 90 }).max(wide);
    let height = picture.y + 10;
    let mut svg = format!(
        "<svg class=\"sequence\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{title}</title>\n{head}"
    );
    for (x, name) in [(TESTER, "tester"), (system, "system")] {
        let _ = writeln!(
            svg,
            "<line class=\"lane\" x1=\"{x}\" y1=\"40\" x2=\"{x}\" y2=\"{bottom}\"/>\n\
             <rect class=\"box\" x=\"{}\" y=\"16\" width=\"80\" height=\"24\" rx=\"4\"/>\n\
             <text class=\"mid\" x=\"{x}\" y=\"33\">{name}</text>",
            x - 40
        );
    }
    let _ = writeln!(svg, "<text class=\"time\" x=\"{}\" y=\"33\">time</text>", TESTER - 60);
    svg.push_str(&picture.body);
    svg.push_str("</svg>\n");
    svg
}

struct Picture {
    body: String,
    /// Where the lane of the system is.
    system: i64,
    /// Where the next row is.
    y: i64,
    /// How times are shown.
    times: Times,
}

impl Picture {
    fn text(&mut self, class: &str, x: i64, y: i64, text: &str) {
        let text = escape(text);
        let _ = writeln!(self.body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
    }

    fn step(&mut self, step: &Drawn) {
        let (y, middle) = (self.y, (TESTER + self.system) / 2);
        self.text("time", TESTER - 60, y + 4, &moment(step, self.times));
        match step {
            Drawn::Input { what, at } => {
                self.arrow(TESTER, self.system, y);
                let doubt = if at.is_none() { " (not confirmed)" } else { "" };
                self.text("mid", middle, y - 6, &format!("{what}{doubt}"));
            }
            Drawn::Output { what, .. } => {
                self.arrow(self.system, TESTER, y);
                self.text("mid", middle, y - 6, what);
            }
            Drawn::Quiet { .. } => self.text("quiet", middle, y + 4, "quiet"),
            Drawn::LeftOut { steps } => {
                let steps = u64::try_from(*steps).unwrap_or(u64::MAX);
                let left_out = format!("{} left out", counted(steps, "step"));
                self.text("quiet", middle, y + 4, &left_out);
            }
            Drawn::Fault { what, .. } => {
                let x = self.system;
                let _ = writeln!(
                    self.body,
                    "<path class=\"cross\" d=\"M {} {} l 12 12 m 0 -12 l -12 12\"/>",
                    x - 6,
                    y - 6
                );
                for line in wrap(what, 48) {
                    self.text("error", x + 14, self.y + 4, &line);
                    self.y += 16;
                }
                self.y -= 16;
            }
        }
        self.y += ROW;
    }

    fn arrow(&mut self, from: i64, to: i64, y: i64) {
        let back = if to > from { -9 } else { 9 };
        let _ = writeln!(
            self.body,
            "<line class=\"arrow\" x1=\"{from}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\"/>\n\
             <path class=\"head\" d=\"M {to} {y} l {back} -4 v 8 z\"/>",
            to + back
        );
    }

    fn verdict(&mut self, sequence: &Sequence) {
        self.y += 6;
        let class = match sequence.end.as_ref().map(|end| end.outcome) {
            Some(Outcome::Pass) => "verdict pass",
            Some(Outcome::Fail) => "verdict fail",
            Some(Outcome::Error) => "verdict error",
            Some(Outcome::Inconclusive) | None => "verdict inconclusive",
        };
        if let Some(end) = &sequence.end {
            self.text("time", TESTER - 60, self.y, &sequence.times.moment(end.at));
        }
        for line in wrap(&sequence.verdict(), VERDICT) {
            self.text(class, TESTER - 40, self.y, &line);
            self.y += 18;
        }
    }
}
