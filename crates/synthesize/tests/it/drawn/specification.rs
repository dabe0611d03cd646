//! Random specifications, and implementations that do less than they allow.

use std::fmt::Write;

use fastrand::Rng;

/// An edge with bounds on the clock `x`.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub action: &'static str,
    pub low: u32,
    pub high: Option<u32>,
    pub reset: bool,
}

/// A specification with one clock. Where time is bounded, some output is always possible.
#[derive(Clone, PartialEq, Debug)]
pub struct Specification {
    /// The bounds on `x` in each location. The last location is the goal.
    pub bounds: Vec<Option<u32>>,
    pub edges: Vec<Edge>,
    /// Whether a purpose of its own says what the goal is.
    pub purpose: bool,
}

/// What a specification may leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing.
    Deterministic,
    /// Where an action leads.
    Choices,
    /// Also internal steps.
    Silent,
}

const PURPOSE: &str = "
purpose P {
  clock p;
  init location Start;
  location Heard;
  accept location Done;
  Start -> Heard : u! do p = 0;
  Heard -> Done : v! when p <= 2;
  otherwise self;
}
";

impl Specification {
    pub fn random(kind: Kind, random: &mut Rng) -> Self {
        let count = random.usize(2..=4);
        let mut bounds: Vec<Option<u32>> =
            (0..count).map(|_| random.bool().then(|| random.u32(1..=3))).collect();
        bounds[count - 1] = None;
        let actions: &[&'static str] = match kind {
            Kind::Deterministic | Kind::Choices => &["a?", "b?", "u!", "v!", "u!", "v!"],
            Kind::Silent => &["a?", "b?", "u!", "v!", "u!", "v!", "tau"],
        };
        let mut edges: Vec<Edge> = Vec::new();
        for _ in 0..random.usize(count..=3 * count) {
            let low = random.u32(0..=2);
            edges.push(Edge {
                from: random.usize(0..count),
                to: random.usize(0..count),
                action: random.choice(actions.iter().copied()).unwrap(),
                low,
                high: random.bool().then(|| random.u32(low..=3)),
                reset: random.bool(),
            });
        }
        for from in (0..count).filter(|from| bounds[*from].is_some()) {
            let to = random.usize(0..count);
            edges.push(Edge { from, to, action: "w!", low: 0, high: None, reset: true });
        }
        // A bound that has passed already on arrival would forbid the step there.
        for edge in &mut edges {
            edge.reset |= bounds[edge.to].is_some();
        }
        if kind == Kind::Deterministic {
            let mut seen = Vec::new();
            edges.retain(|edge| {
                let new = !seen.contains(&(edge.from, edge.action));
                seen.push((edge.from, edge.action));
                new
            });
        }
        Self { bounds, edges, purpose: random.u8(0..3) == 0 }
    }

    /// Fewer outputs, later or earlier ones, or shorter deadlines. It need not conform.
    pub fn reduced(&self, random: &mut Rng) -> Self {
        let mut reduced = self.clone();
        for _ in 0..random.usize(1..=2) {
            let outputs: Vec<usize> = (0..reduced.edges.len())
                .filter(|edge| reduced.edges[*edge].action.ends_with('!'))
                .collect();
            let Some(edge) = random.choice(outputs) else { continue };
            match random.u8(0..4) {
                0 => drop(reduced.edges.remove(edge)),
                1 => reduced.edges[edge].low += 1,
                2 => reduced.edges[edge].high = Some(reduced.edges[edge].low),
                _ => {
                    let from = reduced.edges[edge].from;
                    reduced.bounds[from] = Some(reduced.bounds[from].map_or(3, |bound| bound - 1));
                }
            }
        }
        reduced
    }

    pub fn text(&self) -> String {
        let mut text = String::from("input a, b;\noutput u, v, w;\ninternal tau;\n\n");
        text.push_str("automaton A {\n  clock x;\n");
        for (number, bound) in self.bounds.iter().enumerate() {
            let init = if number == 0 { "init " } else { "" };
            let goal = !self.purpose && number + 1 == self.bounds.len();
            let accept = if goal { "accept " } else { "" };
            let invariant = bound.map_or_else(String::new, |c| format!(" invariant x <= {c}"));
            writeln!(text, "  {init}{accept}location l{number}{invariant};").unwrap();
        }
        for Edge { from, to, action, low, high, reset } in &self.edges {
            let high = high.map_or_else(String::new, |high| format!(" && x <= {high}"));
            let reset = if *reset { " do x = 0" } else { "" };
            writeln!(text, "  l{from} -> l{to} : {action} when x >= {low}{high}{reset};").unwrap();
        }
        text.push_str("}\n");
        if self.purpose {
            text.push_str(PURPOSE);
        }
        text
    }
}
