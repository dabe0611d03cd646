//! Test cases that together take every edge of a specification, or enter every location.

use serde_json::{Value, json};
use tioga_base::{Diagnostic, Rational, Severity};
use tioga_model::{Edge, Label, MaximalConstant, Model, Network, Role, maximal_constants};
use tioga_mutate::edge_text;
use tioga_testcase::TestCase;

use crate::args::CoverArg;
use crate::run_text::{align, count};

/// Something to cover.
#[derive(Clone, Debug)]
pub struct Target {
    /// What its test case is called.
    pub name: String,
    /// What is to happen, in words.
    pub text: String,
    /// The model with that as its only objective.
    pub network: Network,
    /// The same with more to follow, if that is wanted, each with what it is; the best comes first.
    pub then: Vec<(Network, String)>,
    /// Whether it happens, or may happen, without anything to be observed.
    pub hidden: bool,
}

/// What there is no test case for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// What was wanted.
    pub purpose: String,
    /// Why there is none.
    pub why: &'static str,
}

/// Why most purposes have no test case.
pub const UNREACHABLE: &str = "it cannot be reached, whoever helps";
/// Why some edges have none.
pub const HIDDEN: &str = "no observation shows it";

/// Whether an edge does something at the interface.
fn is_visible(model: &Model, edge: &Edge) -> bool {
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return false };
    model.channels[used.channel].direction.is_some()
}

/// What there is to cover in the processes of the system, in order.
pub fn targets(model: &Model, cover: CoverArg, then: bool) -> Vec<Target> {
    let mut all = Vec::new();
    let silence = in_units(model, largest_constant(model));
    let system = model.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    for (process, body) in system {
        let mut put = |place: &str, text: String, network: Network, then, hidden: bool| {
            let name = format!("{}-{}.{place}", model.name, body.name);
            all.push(Target { name, text, network, then, hidden });
        };
        let network: &Network = model;
        match cover {
            CoverArg::Edges => {
                for (edge, taken) in body.edges.iter_ids() {
                    let text = format!("{}: {}", body.name, edge_text(model, process, edge));
                    let mut further = Vec::new();
                    if then {
                        let (output, silent) =
                            (format!("{text}, then an output"), format!("{text}, then silence"));
                        let copy = network.clone();
                        let answered = copy.covering_edge_and_output(process, edge, &output);
                        let copy = network.clone();
                        let waited = copy.covering_edge_and_time(process, edge, silence, &silent);
                        further.extend([(answered, output), (waited, silent)]);
                    }
                    let network = network.clone().covering_edge(process, edge, text.clone());
                    put(&edge.to_string(), text, network, further, !is_visible(model, taken));
                }
            }
            CoverArg::Locations => {
                for (id, location) in body.locations.iter_ids() {
                    let text = format!("{}.{}", body.name, location.name);
                    let network = network.clone().covering_location(process, id, text.clone());
                    let mut entering = body.edges.iter().filter(|edge| edge.target == id);
                    let hidden = entering.any(|edge| !is_visible(model, edge));
                    put(&location.name, text, network, Vec::new(), hidden);
                }
            }
        }
    }
    all
}

/// The largest bound of a clock that is known.
pub fn largest_constant(model: &Model) -> Rational {
    let constants = maximal_constants(model);
    let known = constants.iter().filter_map(|constant| match constant {
        MaximalConstant::Known(value) => Some(*value),
        MaximalConstant::None | MaximalConstant::Unknown(_) => None,
    });
    known.max().unwrap_or(Rational::ZERO)
}

/// A time in units of `1 / scale`, rounded up.
fn in_units(model: &Model, time: Rational) -> i64 {
    time.mul(Rational::integer(model.scale)).map_or(i64::from(i32::MAX), Rational::ceil)
}

/// The test cases as a table, and how much they cover.
pub fn text(cover: CoverArg, cases: &[TestCase], uncovered: &[Missed]) -> String {
    let (what, head) = match cover {
        CoverArg::Edges => ("edge", "edge taken"),
        CoverArg::Locations => ("location", "location entered"),
    };
    let mut rows = vec![["test case", head, "rank", "verdicts"].map(str::to_owned)];
    for case in cases {
        let summary = &case.summary;
        let [risks, losses, steps] = summary.rank;
        let rank = match risks {
            0 => format!("({losses}, {steps})"),
            _ => format!("({risks}, {losses}, {steps})"),
        };
        let exact = if summary.exact { "exact" } else { "approximate" };
        let end = if summary.may_be_inconclusive { ", may be inconclusive" } else { "" };
        let verdicts = format!("{exact}{end}");
        rows.push([case.name.clone(), summary.purpose.clone(), rank, verdicts]);
    }
    let mut text = if cases.is_empty() { String::new() } else { align(&rows, &[]) };
    let all = cases.len() + uncovered.len();
    text.push_str(&format!("{} of {} covered\n", cases.len(), count(all, what)));
    for one in uncovered {
        text.push_str(&format!("not covered: {}: {}\n", one.purpose, one.why));
    }
    text
}

/// What is said where results are not: that something is not covered.
pub fn warning(cover: CoverArg, uncovered: &[Missed]) -> Option<Diagnostic> {
    let what = match cover {
        CoverArg::Edges => "edge",
        CoverArg::Locations => "location",
    };
    let message = format!("there is no test case for {}", count(uncovered.len(), what));
    let mut diagnostic = Diagnostic::global("not-covered", message);
    diagnostic.severity = Severity::Warning;
    diagnostic.notes =
        uncovered.iter().map(|one| format!("{}: {}", one.purpose, one.why)).collect();
    (!uncovered.is_empty()).then_some(diagnostic)
}

/// How much is covered, as JSON.
pub fn to_json(cover: CoverArg, cases: usize, uncovered: &[Missed]) -> Value {
    let what = match cover {
        CoverArg::Edges => "edges",
        CoverArg::Locations => "locations",
    };
    let uncovered: Vec<Value> =
        uncovered.iter().map(|one| json!({ "purpose": one.purpose, "why": one.why })).collect();
    json!({ "of": what, "covered": cases, "uncovered": uncovered })
}
