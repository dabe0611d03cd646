//! Whether a picture can be read: no two texts overlap, no text covers a box that is not its own, and no line crosses a
//! box, a text or leaves the picture. Checked on what is drawn.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

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

/// A straight part of a line, or a bend, as points.
type Part = Vec<(i64, i64)>;

/// What a picture consists of.
#[derive(Default)]
struct Drawn {
    boxes: Vec<Area>,
    texts: Vec<(String, Area)>,
    lines: Vec<Vec<Part>>,
    marks: Vec<Vec<Part>>,
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
                drawn.lines.push(parts(child.attribute("d").unwrap(), (dx, dy)));
            }
            // Marks of time go through everything but texts.
            "path" if MARKS.iter().any(|mark| class.starts_with(mark)) => {
                drawn.marks.push(parts(child.attribute("d").unwrap(), (dx, dy)));
            }
            _ => {}
        }
    }
}

/// A path of straight parts and cubic bends as points that are close to each other. A straight part down or across is given
/// by its ends.
fn parts(path: &str, (dx, dy): (i64, i64)) -> Vec<Part> {
    let mut words = path.split_whitespace();
    let (mut parts, mut from): (Vec<Part>, (i64, i64)) = (Vec::new(), (0, 0));
    while let Some(command) = words.next() {
        let mut point = || {
            let mut number = || pixels(words.next().unwrap());
            (number(), number())
        };
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
                from = (x + dx, y + dy);
            }
            "L" | "l" => {
                let (x, y) = point();
                let to = if command == "L" { (x + dx, y + dy) } else { (x + from.0, y + from.1) };
                if from.0 == to.0 || from.1 == to.1 {
                    parts.push(vec![from, to]);
                } else {
                    let step = |step| mixed(&[(from, STEPS - step), (to, step)], STEPS);
                    parts.push((0..=STEPS).map(step).collect());
                }
                from = to;
            }
            "C" => {
                let [one, two, to] = [point(), point(), point()].map(|(x, y)| (x + dx, y + dy));
                let ends = [from, one, two, to];
                let step = |step: i64| {
                    let rest = STEPS - step;
                    let weights =
                        [rest.pow(3), 3 * rest * rest * step, 3 * rest * step * step, step.pow(3)];
                    let parts: Vec<_> = ends.into_iter().zip(weights).collect();
                    mixed(&parts, PIXEL)
                };
                parts.push((0..=STEPS).map(step).collect());
                from = to;
            }
            other => panic!("{other} in {path}"),
        }
    }
    parts
}

/// The areas of a picture by the cells of a grid they reach into, so that only what is near is compared.
struct Near {
    areas: Vec<Area>,
    cells: HashMap<(i64, i64), Vec<usize>>,
}

/// The width and height of a cell.
const CELL: i64 = 128 * PIXEL;

fn cells(area: Area) -> impl Iterator<Item = (i64, i64)> {
    let columns = area.left.div_euclid(CELL)..=area.right.div_euclid(CELL);
    let rows = area.top.div_euclid(CELL)..=area.bottom.div_euclid(CELL);
    columns.flat_map(move |column| rows.clone().map(move |row| (column, row)))
}

impl Near {
    fn new(areas: Vec<Area>) -> Self {
        let mut all: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
        for (index, area) in areas.iter().enumerate() {
            for cell in cells(*area) {
                all.entry(cell).or_default().push(index);
            }
        }
        Self { areas, cells: all }
    }

    /// The areas in the cells of another one, in order.
    fn to(&self, area: Area) -> Vec<usize> {
        let all = cells(area).filter_map(|cell| self.cells.get(&cell));
        let mut near: Vec<usize> = all.flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// An area that a part of a line enters. Most parts are shown to be free by the smallest rectangle around them;
    /// others are followed.
    fn crossed(&self, part: &[(i64, i64)]) -> Option<usize> {
        let around = around(part);
        let touched = |index: &usize| {
            let area = self.areas[*index];
            area.left + PIXEL < around.right
                && around.left < area.right - PIXEL
                && area.top + PIXEL < around.bottom
                && around.top < area.bottom - PIXEL
        };
        let mut near = self.to(around).into_iter().filter(touched).peekable();
        near.peek()?;
        // A straight line down or across is its own rectangle.
        if around.left == around.right || around.top == around.bottom {
            return near.next();
        }
        near.find(|index| part.iter().any(|point| self.areas[*index].contains(*point)))
    }
}

/// The smallest rectangle around some points.
fn around(points: &[(i64, i64)]) -> Area {
    let mut area = Area { left: i64::MAX, top: i64::MAX, right: i64::MIN, bottom: i64::MIN };
    for (x, y) in points {
        area.left = area.left.min(*x);
        area.right = area.right.max(*x);
        area.top = area.top.min(*y);
        area.bottom = area.bottom.max(*y);
    }
    area
}

/// What makes a picture, given as SVG, hard to read.
pub fn picture_flaws(svg: &str) -> Vec<String> {
    let Drawn { boxes, texts, lines, marks, size } = drawn(svg);
    let mut flaws = Vec::new();
    let boxes = Near::new(boxes);
    let (texts, areas): (Vec<String>, Vec<Area>) = texts.into_iter().unzip();
    let areas = Near::new(areas);
    // The frame of an accepting location is drawn twice.
    let inside = |one: &Area, other: &Area| {
        one.left <= other.left
            && one.top <= other.top
            && other.right <= one.right
            && other.bottom <= one.bottom
    };
    for (index, one) in boxes.areas.iter().enumerate() {
        for other in boxes.to(*one).into_iter().take_while(|other| *other < index) {
            let other = &boxes.areas[other];
            if one.overlaps(*other) && !inside(one, other) && !inside(other, one) {
                flaws.push(format!("boxes overlap: {one:?} {other:?}"));
            }
        }
    }
    for (index, (text, area)) in texts.iter().zip(&areas.areas).enumerate() {
        for other in areas.to(*area).into_iter().take_while(|other| *other < index) {
            if area.overlaps(areas.areas[other]) {
                flaws.push(format!("`{text}` overlaps `{}`", texts[other]));
            }
        }
        for own in boxes.to(*area) {
            let own = &boxes.areas[own];
            if area.overlaps(*own) && !inside(own, area) {
                flaws.push(format!("`{text}` covers a box: {area:?} {own:?}"));
            }
        }
        if area.left < 0 || area.top < 0 || area.right > size.0 || area.bottom > size.1 {
            flaws.push(format!("`{text}` leaves the picture"));
        }
    }
    for part in lines.iter().flatten() {
        if let Some(own) = boxes.crossed(part) {
            flaws.push(format!("a line crosses a box: {:?}", boxes.areas[own]));
        }
        if let Some(own) = areas.crossed(part) {
            flaws.push(format!("a line crosses `{}`", texts[own]));
        }
        let around = around(part);
        if around.left < 0 || around.top < 0 || around.right > size.0 || around.bottom > size.1 {
            flaws.push("a line leaves the picture".to_owned());
        }
    }
    for part in marks.iter().flatten() {
        if let Some(own) = areas.crossed(part) {
            flaws.push(format!("a mark crosses `{}`", texts[own]));
        }
    }
    flaws
}
