//! Whether a picture can be read: no two texts overlap, no text covers a box that is not its own, and no line crosses a
//! box, a text or leaves the picture. Checked on what is drawn.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use roxmltree::{Document, Node as Element};

/// Pixels are counted in parts, so that points on bends are exact.
const PIXEL: i64 = STEPS * STEPS * STEPS;

/// In how many steps a line is followed.
const STEPS: i64 = 64;

/// The classes of lines that mark moments and messages.
const MARKS: [&str; 5] = ["tick", "input", "output", "wrong", "moment"];

/// A rectangle from the left top to the right bottom.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Area {
    /// Whether two areas have more than their borders in common.
    fn overlaps(self, other: Self) -> bool {
        self.left + PIXEL / 2 < other.right
            && other.left + PIXEL / 2 < self.right
            && self.top + PIXEL / 2 < other.bottom
            && other.top + PIXEL / 2 < self.bottom
    }

    fn contains(self, (x, y): (i64, i64)) -> bool {
        let across = self.left + PIXEL < x && x < self.right - PIXEL;
        across && self.top + PIXEL < y && y < self.bottom - PIXEL
    }
}

/// What a picture consists of.
#[derive(Default)]
struct Drawn {
    boxes: Vec<Area>,
    texts: Vec<(String, Area)>,
    lines: Vec<Vec<(i64, i64)>>,
    marks: Vec<Vec<(i64, i64)>>,
    size: (i64, i64),
}

fn pixels(text: &str) -> i64 {
    text.parse::<i64>().unwrap() * PIXEL
}

fn number(element: Element<'_, '_>, name: &str) -> i64 {
    pixels(element.attribute(name).unwrap_or_else(|| panic!("no {name}")))
}

fn drawn(svg: &str) -> Drawn {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    let mut drawn =
        Drawn { size: (number(root, "width"), number(root, "height")), ..Drawn::default() };
    collect(root, (0, 0), &mut drawn);
    drawn
}

fn collect(element: Element<'_, '_>, (dx, dy): (i64, i64), drawn: &mut Drawn) {
    for child in element.children().filter(Element::is_element) {
        let class = child.attribute("class").unwrap_or("");
        match child.tag_name().name() {
            "g" => {
                let moved = child.attribute("transform").map_or((dx, dy), |text| {
                    let inner = text.strip_prefix("translate(").unwrap().strip_suffix(')').unwrap();
                    let (x, y) = inner.split_once(' ').unwrap();
                    (dx + pixels(x), dy + pixels(y))
                });
                collect(child, moved, drawn);
            }
            "rect" => {
                let (left, top) = (number(child, "x") + dx, number(child, "y") + dy);
                let (right, bottom) =
                    (left + number(child, "width"), top + number(child, "height"));
                drawn.boxes.push(Area { left, top, right, bottom });
            }
            "text" if class != "title" => {
                // From the descent of the letters to their height.
                let (left, baseline) = (number(child, "x") + dx, number(child, "y") + dy);
                let right = left + number(child, "textLength");
                let (top, bottom) = (baseline - 10 * PIXEL, baseline + 3 * PIXEL);
                let text = child.text().unwrap_or("").to_owned();
                drawn.texts.push((text, Area { left, top, right, bottom }));
            }
            "path" if class.starts_with("edge") => {
                drawn.lines.push(points(child.attribute("d").unwrap(), (dx, dy)));
            }
            // Marks of time go through everything but texts.
            "path" if MARKS.iter().any(|mark| class.starts_with(mark)) => {
                drawn.marks.push(points(child.attribute("d").unwrap(), (dx, dy)));
            }
            _ => {}
        }
    }
}

/// Points along a path of straight parts and cubic bends, close to each other.
fn points(path: &str, (dx, dy): (i64, i64)) -> Vec<(i64, i64)> {
    let mut words = path.split_whitespace();
    let mut points: Vec<(i64, i64)> = Vec::new();
    while let Some(command) = words.next() {
        let mut point = || {
            let mut number = || pixels(words.next().unwrap());
            (number(), number())
        };
        let from = points.last().copied().unwrap_or_default();
        // The weights add up to `total`.
        let mixed = |parts: &[((i64, i64), i64)], total: i64| {
            let sum = |of: fn((i64, i64)) -> i64| -> i64 {
                parts.iter().map(|(one, part)| of(*one) / total * part).sum()
            };
            (sum(|one| one.0), sum(|one| one.1))
        };
        match command {
            "M" => {
                let (x, y) = point();
                points.push((x + dx, y + dy));
            }
            "L" | "l" => {
                let (x, y) = point();
                let to = if command == "L" { (x + dx, y + dy) } else { (x + from.0, y + from.1) };
                for step in 1..=STEPS {
                    points.push(mixed(&[(from, STEPS - step), (to, step)], STEPS));
                }
            }
            "C" => {
                let [one, two, to] = [point(), point(), point()].map(|(x, y)| (x + dx, y + dy));
                for step in 1..=STEPS {
                    let rest = STEPS - step;
                    let weights =
                        [rest.pow(3), 3 * rest * rest * step, 3 * rest * step * step, step.pow(3)];
                    let ends = [from, one, two, to];
                    let parts: Vec<_> = ends.into_iter().zip(weights).collect();
                    points.push(mixed(&parts, PIXEL));
                }
            }
            other => panic!("{other} in {path}"),
        }
    }
    points
}

/// What makes a picture, given as SVG, hard to read.
pub fn picture_flaws(svg: &str) -> Vec<String> {
    let Drawn { boxes, texts, lines, marks, size } = drawn(svg);
    let mut flaws = Vec::new();
    // The frame of an accepting location is drawn twice.
    let inside = |one: &Area, other: &Area| {
        one.left <= other.left
            && one.top <= other.top
            && other.right <= one.right
            && other.bottom <= one.bottom
    };
    for (index, one) in boxes.iter().enumerate() {
        for other in &boxes[..index] {
            if one.overlaps(*other) && !inside(one, other) && !inside(other, one) {
                flaws.push(format!("boxes overlap: {one:?} {other:?}"));
            }
        }
    }
    for (index, (text, area)) in texts.iter().enumerate() {
        for (other, own) in &texts[..index] {
            if area.overlaps(*own) {
                flaws.push(format!("`{text}` overlaps `{other}`"));
            }
        }
        for own in &boxes {
            if area.overlaps(*own) && !inside(own, area) {
                flaws.push(format!("`{text}` covers a box: {area:?} {own:?}"));
            }
        }
        if area.left < 0 || area.top < 0 || area.right > size.0 || area.bottom > size.1 {
            flaws.push(format!("`{text}` leaves the picture"));
        }
    }
    for line in &lines {
        for point in line {
            if let Some(own) = boxes.iter().find(|own| own.contains(*point)) {
                flaws.push(format!("a line crosses a box at {point:?}: {own:?}"));
                break;
            }
            if let Some((text, _)) = texts.iter().find(|(_, area)| area.contains(*point)) {
                flaws.push(format!("a line crosses `{text}` at {point:?}"));
                break;
            }
        }
    }
    for point in marks.iter().flatten() {
        if let Some((text, _)) = texts.iter().find(|(_, area)| area.contains(*point)) {
            flaws.push(format!("a mark crosses `{text}` at {point:?}"));
        }
    }
    flaws
}
