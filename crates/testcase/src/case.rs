//! Test cases: inputs of the tester, expected outputs, and verdicts of observations.
//!
//! A test case is a deterministic automaton that follows the events between tester and system
//! (HJM22 3.3, BJSK12 5.2). It is independent of its model and its synthesis: places with clock
//! bounds, expected outputs, useful inputs, verdicts, and, unless the choice is left open, advice.
//! The tester that runs it keeps one place and exact clock values.
//!
//! # Following
//! A run starts in place 0 with all clocks at their initial values. Time passes while the place's
//! invariant holds; if time passes beyond it, the system has failed: it should have answered. On an
//! output, the edge with this action whose guard holds is taken; if there is none the system has
//! failed. On an input likewise; a tester sends only inputs that have an edge. A valuation has the
//! verdict of the first entry of [`CasePlace::verdicts`] that holds there.
//!
//! # Urgency
//! No time passes from a valuation of [`CasePlace::urgent`], and none from one after which
//! every delay, however short, passes through such valuations: an event must come at once. If time
//! passes there nevertheless, the verdict depends on the side that could have moved at that moment. If
//! some output was expected, the system should have answered at once and has failed. Otherwise only the
//! tester could have moved; the system is not at fault, and the test is inconclusive. A test case with
//! advice never waits there.
//!
//! Clock bounds are in units of `1 / scale`.

use std::num::{NonZeroU32, NonZeroU64};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tioga_base::{Rational, TimeUnit, Times};

use crate::older::read_goal;
use crate::{CaseData, Goal, ModelSource, Rank, Side, SymbolicCase, Verdict, Walk};

/// The version of the file form.
pub const CASE_VERSION: u32 = 3;

/// The oldest version that is read.
const OLDEST_VERSION: u32 = 2;

/// A test case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "case")]
pub struct TestCase {
    /// Its name.
    pub name: String,
    /// The shape it was asked for in.
    pub shape: Shape,
    /// Its origin and its quality.
    pub summary: Summary,
    /// Clock constants count in units of `1 / scale`.
    #[schemars(range(min = 1))]
    pub scale: i64,
    /// The clocks.
    pub clocks: Vec<String>,
    /// The inputs that the tester may send.
    pub inputs: Vec<Action>,
    /// The outputs that the system may emit.
    pub outputs: Vec<Action>,
    /// Inputs that are no messages: moves of the environment that the tester makes by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_moves: Vec<String>,
    /// How often it is run in each repetition of the suite, if its result depends on chance; otherwise once. A random
    /// walk says it itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<NonZeroU32>,
    /// How long the tester waits at most for an output that the system may leave out, in units of `1 / scale`;
    /// derived from the constants of the model. Where it is missing, those of the test case decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub patience: Option<i64>,
    /// How it is run, if it is a random walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<Walk>,
    /// The places; a run starts in the first.
    #[schemars(length(min = 1))]
    pub places: Vec<CasePlace>,
    /// Its data, if messages carry many values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<CaseData>,
    /// The test graph of a symbolic test case, which decides everything; its places then only say what the
    /// interface is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<SymbolicCase>,
}

impl TestCase {
    /// Whether an input is a move of the tester's own environment, which needs no message.
    pub fn is_own_move(&self, input: &Action) -> bool {
        self.own_moves.contains(&input.channel)
    }

    /// Whether the tester follows the model of the suite in its runs, and not the places.
    pub fn is_online(&self) -> bool {
        self.walk.is_some_and(|walk| walk.online)
    }

    /// Whether a run passes before anything is sent or heard and before time passes.
    pub fn passes_at_once(&self) -> bool {
        let holds = |bound: &CaseBound| bound.bound > 0 || (bound.bound == 0 && !bound.strict);
        let verdicts = self.places.first().into_iter().flat_map(|place| &place.verdicts);
        let mut passes = verdicts.filter(|one| one.verdict == Verdict::Pass);
        self.symbolic.is_none()
            && passes.any(|one| one.zones.iter().any(|zone| zone.iter().all(holds)))
    }

    /// The same test case with clock constants in units of `1 / scale`; nothing if they are no multiples of that, or
    /// become too large.
    pub fn counting_in(mut self, scale: i64) -> Option<Self> {
        if scale == self.scale {
            return Some(self);
        }
        if scale % self.scale != 0 {
            return None;
        }
        let factor = scale / self.scale;
        let mut fits = true;
        let mut grow = |number: &mut i64| match number.checked_mul(factor) {
            Some(grown) => *number = grown,
            None => fits = false,
        };
        self.patience.iter_mut().for_each(&mut grow);
        if let Some(walk) = &mut self.walk {
            grow(&mut walk.longest_wait);
        }
        for place in &mut self.places {
            let verdicts = place.verdicts.iter_mut().flat_map(|verdict| &mut verdict.zones);
            let rules = place.rules.iter_mut().flat_map(|rule| &mut rule.zones);
            let zones = place.invariant.iter_mut().chain(&mut place.urgent).chain(verdicts);
            zones.chain(rules).flatten().for_each(|bound| grow(&mut bound.bound));
            for edge in &mut place.edges {
                edge.guard.iter_mut().flatten().for_each(|bound| grow(&mut bound.bound));
                edge.sets.iter_mut().for_each(|set| grow(&mut set.value));
            }
        }
        self.scale = scale;
        fits.then_some(self)
    }

    /// A test case without a purpose, in which every event is allowed at any time: it only has the
    /// interface.
    pub fn without_purpose(
        name: &str,
        model: &str,
        inputs: Vec<Action>,
        outputs: Vec<Action>,
    ) -> Self {
        let always = vec![CaseZone::new()];
        let edge = |by: Side| {
            let always = always.clone();
            move |action: &Action| {
                let (action, guard) = (action.clone(), always.clone());
                CaseEdge { by, action, guard, sets: Vec::new(), target: 0 }
            }
        };
        let sent = inputs.iter().map(edge(Side::Tester));
        let place = CasePlace {
            name: "anything".to_owned(),
            origin: Vec::new(),
            invariant: always.clone(),
            urgent: Vec::new(),
            verdicts: Vec::new(),
            edges: sent.chain(outputs.iter().map(edge(Side::System))).collect(),
            rules: Vec::new(),
        };
        let summary = Summary { model: model.to_owned(), ..Summary::default() };
        Self {
            name: name.to_owned(),
            shape: Shape::Automaton,
            summary,
            scale: 1,
            clocks: Vec::new(),
            inputs,
            outputs,
            own_moves: Vec::new(),
            runs: None,
            patience: None,
            walk: None,
            places: vec![place],
            data: None,
            symbolic: None,
        }
    }
}

/// How much a test case decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "shape")]
pub enum Shape {
    /// Timing and choice of inputs stay open, as long as the purpose stays in reach (BJSK12).
    Automaton,
    /// Advice for every place and valuation (HJM22).
    Strategy,
    /// A finite tree; leaving the intended run ends the test (DLLN08 Algorithm 1).
    Tree,
}

impl Shape {
    /// Its name on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Self::Automaton => "automaton",
            Self::Strategy => "strategy",
            Self::Tree => "tree",
        }
    }
}

/// The origin of a test case and its quality.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "summary")]
pub struct Summary {
    /// The model.
    pub model: String,
    /// What it is for. In suites of version 2, a sentence called `purpose`.
    #[serde(alias = "purpose", deserialize_with = "read_goal")]
    pub goal: Goal,
    /// Whether verdicts are exact: every wrong answer is a fail. Otherwise why not.
    pub exact: bool,
    /// The approximations with their reasons; empty if exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approximated: Vec<String>,
    /// The rank of the start: risks, control losses, steps.
    pub rank: [u32; 3],
    /// Whether that is an upper bound, because only a part of the game was looked at: another test case may rely less
    /// on cooperation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rank_is_bound: bool,
    /// Where the cooperation of the system is needed on the intended run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<Luck>,
    /// Whether some run may end inconclusively.
    pub may_be_inconclusive: bool,
    /// Whether some run may end with an uncertain pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_uncertain: bool,
    /// Whether the purpose declares a restart action.
    pub restarts: bool,
    /// The wall-clock length of a time unit, if the model declares it: `1 s`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_unit")]
    #[schemars(with = "String")]
    pub unit: Option<TimeUnit>,
}

impl Summary {
    /// How times of the test case are shown.
    pub fn times(&self) -> Times {
        Times::of(self.unit)
    }

    /// The rank as it is shown: `(1, 2)`, with risks if there are some, or `at most (1, 2)`.
    pub fn rank_text(&self) -> String {
        let [risks, losses, steps] = self.rank;
        let rank = Rank { risks, losses, steps };
        let text = if risks > 0 { format!("{rank:#}") } else { rank.to_string() };
        if self.rank_is_bound { format!("at most {text}") } else { text }
    }
}

/// A time unit as text.
mod optional_unit {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use tioga_base::TimeUnit;

    pub fn serialize<S: Serializer>(unit: &Option<TimeUnit>, to: S) -> Result<S::Ok, S::Error> {
        match unit {
            Some(unit) => to.collect_str(unit),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeUnit>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}

/// A step that needs cooperation of the system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Luck {
    /// The state in words: locations and bounds of clocks.
    pub at: String,
    /// The rank there: risks, control losses, steps.
    pub rank: [u32; 3],
    /// The output that the system must give, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hoped: Option<String>,
    /// After which delay it has to come; missing if at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The outputs that must not come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feared: Vec<String>,
}

impl Luck {
    /// `St, y <= 5: needs the system to answer ship2! after 2 s and not to answer ship1! first`.
    pub fn text(&self, times: Times) -> String {
        let mut text = format!("{}: needs the system ", self.at);
        if let Some(hoped) = &self.hoped {
            text.push_str(&format!("to answer {hoped}"));
            if let Some(after) = &self.after {
                let shown = after.parse::<Rational>().map(|after| times.exact(after));
                text.push_str(&format!(" after {}", shown.as_ref().unwrap_or(after)));
            }
        }
        let [rest @ .., last] = &self.feared[..] else { return text };
        let both = if self.hoped.is_some() { " and " } else { "" };
        let or = if rest.is_empty() { "" } else { " or " };
        text.push_str(&format!("{both}not to answer {}{or}{last} first", rest.join(", ")));
        text
    }
}

/// An action with its parameters.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "action")]
pub struct Action {
    /// The channel.
    pub channel: String,
    /// The values it carries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

impl Action {
    /// The action of a channel that carries these values, as they are printed.
    pub fn new<V: ToString>(channel: impl Into<String>, values: &[V]) -> Self {
        Self { channel: channel.into(), values: values.iter().map(ToString::to_string).collect() }
    }
}

/// The channel, and the values in parentheses if there are some: `level(3, 1/2)`.
impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.channel)?;
        if self.values.is_empty() { Ok(()) } else { write!(f, "({})", self.values.join(", ")) }
    }
}

/// What the tester knows between two moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "place")]
pub struct CasePlace {
    /// Its name: locations and data of the model.
    pub name: String,
    /// The locations of the model that the system is in for certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<Origin>,
    /// Within which valuations time may pass; none means that the place cannot be entered.
    pub invariant: Vec<CaseZone>,
    /// From which valuations no time may pass, because the model is in an urgent or committed
    /// location or an urgent step is possible; one zone without bounds means that none ever may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urgent: Vec<CaseZone>,
    /// Verdicts by valuation, the first that holds decides; none means that the test goes on.
    pub verdicts: Vec<Judgement>,
    /// The possible steps.
    pub edges: Vec<CaseEdge>,
    /// Advice; the first rule that holds decides. Empty if the choice is left open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<CaseRule>,
}

/// A location of the model a test case was made from.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The process, or the purpose.
    pub process: String,
    /// The location.
    pub location: String,
}

/// A verdict for some valuations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "judgement")]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// One of these holds.
    pub zones: Vec<CaseZone>,
    /// Why, for people.
    pub reason: String,
    /// Whether the test settles for this, or gives up: it aims at a surer pass, which is out of reach from here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled: bool,
}

impl Judgement {
    /// A verdict for some valuations.
    pub fn new(verdict: Verdict, zones: Vec<CaseZone>, reason: impl Into<String>) -> Self {
        Self { verdict, zones, reason: reason.into(), settled: false }
    }
}

/// All of these bounds hold; none means always.
pub type CaseZone = Vec<CaseBound>;

/// `left − right ≤ bound`, or `<` if strict; a missing clock counts as zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "bound")]
pub struct CaseBound {
    /// The position of the clock counted positively.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub left: Option<u32>,
    /// The position of the clock counted negatively.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub right: Option<u32>,
    /// Whether equality is excluded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// The bound.
    pub bound: i64,
}

/// A possible step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "edge")]
pub struct CaseEdge {
    /// The side that takes it.
    pub by: Side,
    /// The visible action.
    pub action: Action,
    /// When: one of these holds. Where guards of edges of the same side with the same action hold
    /// together, the edges do the same: they have the same `sets` and `target`.
    pub guard: Vec<CaseZone>,
    /// Assignments of clocks, in order.
    pub sets: Vec<CaseSet>,
    /// The place it leads to.
    pub target: u32,
}

/// `clock := source + value`; without a source, `clock := value`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "set")]
pub struct CaseSet {
    /// The position of the clock.
    pub clock: u32,
    /// The position of the clock it is set from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub source: Option<u32>,
    /// The added constant.
    pub value: i64,
}

/// Advice for some valuations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "rule")]
pub struct CaseRule {
    /// The rank of these valuations: risks, control losses, steps.
    pub rank: [u32; 3],
    /// One of these holds.
    pub zones: Vec<CaseZone>,
    /// The position of an edge of the tester to take now; missing if it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub play: Option<u32>,
    /// While waiting: positions of edges of the system that bring the tester nearer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<u32>,
}

/// Finite machines for which a suite is complete: each that passes all test cases is equivalent to the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "complete_for")]
pub struct CompleteFor {
    /// How many states they have at most.
    pub states: u64,
    /// How many different answers the words get at least among their states. Missing if nothing is assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub classes: Option<u64>,
    /// The words of this assumption, as inputs separated by blanks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// The digests of the parts of a suite.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "digest")]
pub struct Digest {
    /// Those of the test cases, by name.
    pub cases: BTreeMap<String, String>,
    /// That of everything else.
    pub rest: String,
}

/// Test cases in a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Tioga test suite, version 3")]
pub struct Suite {
    /// Always `tioga-suite`.
    #[schemars(extend("const" = "tioga-suite"))]
    pub format: String,
    /// The version of the form.
    #[schemars(extend("const" = CASE_VERSION))]
    pub version: u32,
    /// The source of the model that the test cases were made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSource>,
    /// How often each test case is run, if its results against mutants depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<NonZeroU64>,
    /// The systems for which the suite is complete, if it is a complete suite of a finite machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<CompleteFor>,
    /// What the test cases and the rest were when the suite was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The test cases.
    pub cases: Vec<TestCase>,
}

impl Suite {
    /// A suite of the present version, without its model.
    pub fn new(cases: Vec<TestCase>) -> Self {
        let (format, version) = ("tioga-suite".to_owned(), CASE_VERSION);
        let (model, repeat, complete, digest) = (None, None, None, None);
        Self { format, version, model, repeat, complete, digest, cases }
    }

    /// Whether suites of a version are read.
    pub fn reads(version: u64) -> bool {
        (u64::from(OLDEST_VERSION)..=u64::from(CASE_VERSION)).contains(&version)
    }

    /// A suite that was read, in the present version. Its digest is that of another form, so it is left out.
    #[must_use]
    pub fn renewed(self) -> Self {
        match self.version {
            CASE_VERSION => self,
            _ => Self { version: CASE_VERSION, digest: None, ..self },
        }
    }

    /// A suite of the present version, made from this model.
    pub fn of_model(model: ModelSource, cases: Vec<TestCase>) -> Self {
        Self { model: Some(model), ..Self::new(cases) }
    }
}
