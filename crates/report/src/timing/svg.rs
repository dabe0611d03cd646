//! Timing diagrams as SVG: no scripts, no fonts or files from elsewhere, colours for light and dark surroundings. Whole
//! pixels only, and the widths of texts are those that pictures of automata use.

use std::collections::BTreeMap;
use std::fmt::Write;

use tioga_base::Rational;
use tioga_execute::Outcome;
use tioga_testcase::Side;

use super::axis::{Axis, Stop, rows};
use super::{ExpectedWindow, Stay, TimedEvent, Timing};
use crate::picture::metric::{LABEL_SIZE, LINE, SIZE, width};
use crate::sequence::capitals;
use crate::text::{counted, escape, wrap};

const MARGIN: i64 = 16;
/// The height of a band and of a row of windows.
const BAND: i64 = 26;
const ROW: i64 = 20;
/// Between the lanes of tester and system.
const LANES: i64 = 40;
/// The longest name of a location or row that is shown in full.
const NAME: i64 = 170;
/// How many outputs have a row for when they were expected.
const OUTPUTS: usize = 12;
/// How many characters of the verdict stand in a line.
const VERDICT: usize = 96;

/// What the classes of a diagram look like. Rules apply below `.timing` only, so that diagrams can stand in a page.
pub(crate) const STYLE: &str = "\
.timing{color-scheme:light dark;background:#fff}.timing text{font:12px Helvetica,Arial,sans-serif;fill:#1d2129}\
.timing .name{font-size:13px}.timing .time,.timing .note{fill:#5c6370}\
.timing .lane,.timing .tick{stroke:#b8bfca;stroke-width:1}.timing .tick{stroke-dasharray:2 3}\
.timing .stay{fill:#e8eef8;stroke:#6b7a90}.timing .other{fill:#f7f0e2}.timing .window{fill:#cfe8cf;stroke:#7fb58a}\
.timing .open{stroke-dasharray:4 3}.timing .row{fill:#f6f7f9;stroke:none}\
.timing .input{stroke:#1f5fbf;stroke-width:1.5}.timing .output{stroke:#b35806;stroke-width:1.5}\
.timing .head.input{fill:#1f5fbf;stroke:none}.timing .head.output{fill:#b35806;stroke:none}\
.timing .wrong{stroke:#c51b1b;stroke-width:2}.timing .head.wrong{fill:#c51b1b;stroke:none}\
.timing .moment{stroke-width:2;stroke:#5c6370}\
.timing .moment.fail{stroke:#c51b1b}.timing .moment.error{stroke:#8e0152}.timing .moment.pass{stroke:#1b7837}\
.timing .moment.inconclusive{stroke:#8a6100}\
.timing .verdict{font-weight:bold}.timing text.pass{fill:#1b7837}.timing text.fail{fill:#c51b1b}\
.timing text.error{fill:#8e0152}.timing text.inconclusive{fill:#8a6100}\
@media (prefers-color-scheme:dark){.timing{background:#16181d}.timing text{fill:#e4e6ea}\
.timing .time,.timing .note{fill:#9aa1ad}.timing .lane,.timing .tick{stroke:#596171}\
.timing .stay{fill:#26313f;stroke:#8b9bb3}.timing .other{fill:#37301f}.timing .window{fill:#1d3a26;stroke:#4f8a62}\
.timing .row{fill:#1d2026}\
.timing .input{stroke:#7fb0ff}.timing .output{stroke:#f0a35e}\
.timing .head.input{fill:#7fb0ff}.timing .head.output{fill:#f0a35e}\
.timing .wrong{stroke:#ff8080}.timing .head.wrong{fill:#ff8080}.timing .moment{stroke:#9aa1ad}\
.timing .moment.fail{stroke:#ff8080}.timing .moment.error{stroke:#f291d0}.timing .moment.pass{stroke:#6fd08c}\
.timing .moment.inconclusive{stroke:#e8c04a}\
.timing text.pass{fill:#6fd08c}.timing text.fail{fill:#ff8080}\
.timing text.error{fill:#f291d0}.timing text.inconclusive{fill:#e8c04a}}";

/// The diagram as a file of its own.
pub fn svg(timing: &Timing) -> String {
    drawing(timing, &format!("<style>{STYLE}</style>\n"))
}

/// The diagram as an element of a page that has the [`style`] of timing diagrams.
pub fn element(timing: &Timing) -> String {
    drawing(timing, "")
}

/// What the classes of timing diagrams look like.
pub fn style() -> &'static str {
    STYLE
}

/// The diagram as an element; `head` goes first into it.
pub(crate) fn drawing(timing: &Timing, head: &str) -> String {
    let mut picture = Picture::new(timing);
    picture.messages();
    picture.expected();
    picture.bands();
    picture.times();
    picture.verdict();
    let (wide, high) = (picture.right + MARGIN, picture.y + MARGIN / 2);
    let title = escape(&timing.title());
    format!(
        "<svg class=\"timing\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide}\" \
         height=\"{high}\" viewBox=\"0 0 {wide} {high}\">\n<title>{title}</title>\n{head}{}</svg>\n",
        picture.body
    )
}

/// The end of an order of stops at the same time: after everything else.
const LAST: usize = usize::MAX;

struct Picture<'t> {
    timing: &'t Timing,
    axis: Axis,
    /// For each output that was expected, its row.
    outputs: Vec<&'t str>,
    left: i64,
    right: i64,
    /// Where the next part goes.
    y: i64,
    /// Where the parts begin that the moment of the verdict goes through.
    top: i64,
    body: String,
}

/// The stop of an event: that of the step it shows if both are at the same time.
fn stop(timing: &Timing, event: &TimedEvent, position: usize) -> Stop {
    let at = event.at.latest();
    match event.step {
        Some(step) if entered(timing, step + 1) == Some(at) => (at, 2 * (step + 1)),
        // After the steps of the model, in order.
        _ => (at, LAST / 2 + position),
    }
}

/// When a step of the model's run was made, as the stays tell.
fn entered(timing: &Timing, step: usize) -> Option<Rational> {
    let stays = || timing.bands.iter().flat_map(|band| &band.stays);
    let before = stays().find(|stay| stay.steps.1 == step).map(|stay| stay.until);
    before.or_else(|| stays().find(|stay| stay.steps.0 == step).map(|stay| stay.from))
}

/// The stops at which a stay begins and ends.
fn ends(timing: &Timing, stay: &Stay, last: bool) -> (Stop, Stop) {
    let begin = if stay.from > timing.from || stay.steps.0 > 0 { 2 * stay.steps.0 } else { 0 };
    let end = if last { LAST / 2 - 1 } else { 2 * stay.steps.1 };
    ((stay.from, begin), (stay.until, end))
}

/// The stop at which a window opens: that of the event after which something was expected, if it opens at once.
fn opening(timing: &Timing, window: &ExpectedWindow) -> Stop {
    let position = window.after.checked_sub(timing.left_out + 1);
    let event = position.and_then(|position| Some((position, timing.events.get(position)?)));
    match event {
        Some((position, event)) if event.at.latest() >= window.from => {
            stop(timing, event, position)
        }
        _ => (window.from, 0),
    }
}

/// The stop at which a window closes: after everything else that happens at that time but the verdict.
fn closing(until: Rational) -> Stop {
    (until, LAST - 2)
}

/// The stop of the verdict: that of the event that fails, if it does at once.
fn judged(timing: &Timing) -> Option<Stop> {
    let at = timing.end.as_ref()?.at.latest().max(timing.from);
    let last = timing.events.last().filter(|event| event.wrong && event.at.latest() == at);
    Some(last.map_or((at, LAST - 1), |event| stop(timing, event, timing.events.len() - 1)))
}

fn shortened(text: &str, size: i64, most: i64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() && width(&short, size) + width("...", size) > most {}
    short + "..."
}

impl<'t> Picture<'t> {
    fn new(timing: &'t Timing) -> Self {
        let mut outputs: Vec<&str> = Vec::new();
        for window in &timing.windows {
            if !outputs.contains(&window.what.as_str()) {
                outputs.push(&window.what);
            }
        }
        outputs.truncate(OUTPUTS);
        let names =
            timing.bands.iter().map(|band| band.process.as_str()).chain(outputs.iter().copied());
        let names = names.map(|name| width(name, SIZE).min(NAME)).max().unwrap_or(0);
        let left = MARGIN + names.max(width("expected", SIZE)) + MARGIN;
        let (mut stops, mut rooms) = (vec![(timing.from, 0), (timing.until, LAST)], Vec::new());
        for band in &timing.bands {
            for (index, stay) in band.stays.iter().enumerate() {
                let (begin, end) = ends(timing, stay, index + 1 == band.stays.len());
                stops.extend([begin, end]);
                let room = width(&stay.location, LABEL_SIZE).min(NAME) + 12;
                rooms.push((begin, end, room));
            }
        }
        for (position, event) in timing.events.iter().enumerate() {
            stops.push(stop(timing, event, position));
        }
        for window in timing.windows.iter().filter(|one| outputs.contains(&one.what.as_str())) {
            stops.push(opening(timing, window));
            stops.extend(window.until.map(closing));
        }
        stops.extend(judged(timing));
        let axis = Axis::new(left, stops, &rooms);
        let right = axis.right() + MARGIN;
        let mut picture =
            Self { timing, axis, outputs, left, right, y: MARGIN, top: 0, body: String::new() };
        let title = timing.title();
        picture.y += LINE;
        picture.text("name", MARGIN, picture.y - 4, SIZE, &title);
        if timing.left_out > 0 {
            let count = u64::try_from(timing.left_out).unwrap_or(u64::MAX);
            let text = format!("{} left out before", counted(count, "event"));
            picture.y += LINE;
            picture.text("note", MARGIN, picture.y - 4, LABEL_SIZE, &text);
        }
        picture.y += MARGIN / 2;
        picture
    }

    /// Writes a text, and makes the picture wide enough for it.
    fn text(&mut self, class: &str, x: i64, baseline: i64, size: i64, text: &str) {
        if text.is_empty() {
            return;
        }
        let wide = width(text, size);
        self.right = self.right.max(x + wide);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{baseline}\" textLength=\"{wide}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            escape(text)
        );
    }

    fn line(&mut self, class: &str, from: (i64, i64), to: (i64, i64)) {
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" d=\"M {} {} L {} {}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn rectangle(
        &mut self,
        class: &str,
        (x, y): (i64, i64),
        (wide, high): (i64, i64),
        title: &str,
    ) {
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\">\
             <title>{}</title></rect>",
            escape(title)
        );
    }

    /// The events as arrows between the lanes of tester and system, with their texts above.
    fn messages(&mut self) {
        let timing = self.timing;
        let mut events: Vec<(i64, &TimedEvent)> = Vec::new();
        for (position, event) in timing.events.iter().enumerate() {
            events.push((self.axis.place(stop(timing, event, position)), event));
        }
        events.sort_by_key(|(x, _)| *x);
        let texts: Vec<(i64, i64)> =
            events.iter().map(|(x, event)| (*x, width(&event.what, LABEL_SIZE) + 10)).collect();
        let rows = rows(&texts);
        let most = rows.iter().max().map_or(0, |row| i64::try_from(*row).unwrap_or(0) + 1);
        let tester = self.y + most * LINE + 8;
        let system = tester + LANES;
        self.top = tester;
        for ((x, event), row) in events.iter().zip(&rows) {
            let row = i64::try_from(*row).unwrap_or(0);
            let baseline = tester - 8 - row * LINE;
            self.line("tick", (*x, baseline + 3), (*x, tester));
            self.text("what", x + 4, baseline, LABEL_SIZE, &event.what);
        }
        for (name, y) in [("tester", tester), ("system", system)] {
            self.text("name", MARGIN, y + 4, SIZE, name);
            let end = self.axis.right() + MARGIN;
            self.line("lane", (self.left, y), (end, y));
        }
        for (x, event) in &events {
            let (mut class, from, to) = match event.by {
                Side::Tester => ("input", tester, system),
                Side::System => ("output", system, tester),
            };
            if event.wrong {
                class = "wrong";
            }
            let back = if to > from { -9 } else { 9 };
            self.line(class, (*x, from), (*x, to + back));
            let _ = writeln!(
                self.body,
                "<path class=\"head {class}\" d=\"M {x} {to} l -4 {back} l 8 0 z\"/>"
            );
        }
        self.y = system + MARGIN;
    }

    /// A row for each output, shaded where it was expected.
    fn expected(&mut self) {
        if self.outputs.is_empty() {
            return;
        }
        self.y += LINE;
        self.text("note", MARGIN, self.y - 4, LABEL_SIZE, "expected");
        let mut tops: BTreeMap<&str, i64> = BTreeMap::new();
        for output in self.outputs.clone() {
            tops.insert(output, self.y);
            let wide = self.axis.right() + MARGIN - self.left;
            self.rectangle("row", (self.left, self.y + 2), (wide, ROW - 4), output);
            let name = shortened(output, SIZE, NAME);
            self.text("name", MARGIN, self.y + ROW - 6, SIZE, &name);
            self.y += ROW;
        }
        for (output, top) in tops {
            self.windows(output, top);
        }
        self.y += MARGIN / 2;
    }

    /// The windows of one output; those that overlap as one.
    fn windows(&mut self, output: &str, top: i64) {
        let (timing, times) = (self.timing, self.timing.times);
        // From where to where, until when at the latest, and what is said about it.
        let mut united: Vec<(i64, i64, &str, String)> = Vec::new();
        for window in timing.windows.iter().filter(|window| window.what == output) {
            let from = self.axis.place(opening(timing, window));
            let (to, class) = match window.until {
                Some(until) => (self.axis.place(closing(until)), "window"),
                None => (self.axis.right() + MARGIN, "window open"),
            };
            let since = times.at_least(window.from);
            let title = match window.until {
                Some(until) => format!("{output} from {since} to {}", times.at_most(until)),
                None => format!("{output} from {since} on"),
            };
            match united.iter_mut().find(|other| from <= other.1 && other.0 <= to) {
                Some(other) => {
                    other.0 = other.0.min(from);
                    if to > other.1 {
                        (other.1, other.2) = (to, class);
                    }
                    other.3 = format!("{}; {title}", other.3);
                }
                None => united.push((from, to, class, title)),
            }
        }
        for (from, to, class, title) in united {
            self.rectangle(class, (from, top + 4), ((to - from).max(3), ROW - 8), &title);
        }
    }

    fn bands(&mut self) {
        let timing = self.timing;
        for band in &timing.bands {
            let name = shortened(&band.process, SIZE, NAME);
            self.text("name", MARGIN, self.y + BAND - 9, SIZE, &name);
            for (index, stay) in band.stays.iter().enumerate() {
                let (begin, end) = ends(timing, stay, index + 1 == band.stays.len());
                let (from, to) = (self.axis.place(begin), self.axis.place(end));
                let class = if index % 2 == 0 { "stay" } else { "stay other" };
                let (since, until) =
                    (timing.times.exact(stay.from), timing.times.exact(stay.until));
                let title = format!("{} from {since} to {until}", stay.location);
                let wide = (to - from).max(3);
                self.rectangle(class, (from, self.y + 2), (wide, BAND - 4), &title);
                let name = shortened(&stay.location, LABEL_SIZE, NAME);
                if width(&name, LABEL_SIZE) + 8 <= to - from {
                    let own = width(&name, LABEL_SIZE);
                    self.text("place", (from + to - own) / 2, self.y + BAND - 9, LABEL_SIZE, &name);
                }
            }
            self.y += BAND;
        }
        self.y += MARGIN / 2;
    }

    /// The times of the events, and the moment of the verdict.
    fn times(&mut self) {
        let timing = self.timing;
        let mut shown: BTreeMap<i64, String> = BTreeMap::new();
        shown.insert(self.axis.place((timing.from, 0)), timing.times.exact(timing.from));
        let mut known = String::new();
        for (position, event) in timing.events.iter().enumerate() {
            let text = timing.times.moment(event.at);
            if text != known {
                let x = self.axis.place(stop(timing, event, position));
                shown.insert(x, text.clone());
            }
            known = text;
        }
        let mut moment = None;
        if let (Some(end), Some(stop)) = (&timing.end, judged(timing)) {
            let x = self.axis.place(stop);
            moment = Some((x, end.outcome));
            shown.insert(x, timing.times.moment(end.at));
            // What was expected instead has no event that tells when.
            let own = |one: &&ExpectedWindow| self.outputs.contains(&one.what.as_str());
            for window in timing.windows.iter().filter(own) {
                if window.from > end.at.latest() {
                    let x = self.axis.place(opening(timing, window));
                    shown.insert(x, timing.times.at_least(window.from));
                }
                if let Some(until) = window.until.filter(|until| *until > end.at.latest()) {
                    shown.insert(self.axis.place(closing(until)), timing.times.at_most(until));
                }
            }
        }
        let bottom = self.y;
        if let Some((x, outcome)) = moment {
            self.line(&format!("moment {outcome}"), (x, self.top - 6), (x, bottom + 4));
        }
        let texts: Vec<(i64, String)> = shown.into_iter().collect();
        let sizes: Vec<(i64, i64)> =
            texts.iter().map(|(x, text)| (*x, width(text, LABEL_SIZE) + 10)).collect();
        let rows = rows(&sizes);
        for ((x, text), row) in texts.iter().zip(&rows) {
            let baseline = bottom + LINE + i64::try_from(*row).unwrap_or(0) * LINE;
            self.line("tick", (*x, bottom), (*x, baseline));
            self.text("time", x + 3, baseline, LABEL_SIZE, text);
            self.y = self.y.max(baseline + 4);
        }
    }

    fn verdict(&mut self) {
        let timing = self.timing;
        self.y += MARGIN / 2;
        let (class, text) = match &timing.end {
            Some(end) => {
                let at = timing.times.moment(end.at);
                let text = format!("{} at {at}: {}", capitals(end.outcome), end.reason);
                (format!("verdict {}", end.outcome), text)
            }
            None => ("verdict".to_owned(), "INTERRUPTED: the run has no end".to_owned()),
        };
        let notes = timing.note.iter().map(|note| ("note".to_owned(), format!("({note})")));
        for (class, text) in std::iter::once((class, text)).chain(notes) {
            for line in wrap(&text, VERDICT) {
                self.y += LINE;
                self.text(&class, MARGIN, self.y - 4, SIZE, &line);
            }
        }
        if matches!(timing.end.as_ref().map(|end| end.outcome), Some(Outcome::Fail)) {
            self.y += 2;
        }
    }
}
