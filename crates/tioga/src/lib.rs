//! Test synthesis for timed systems: the pipeline as named calls on values.
//!
//! A model goes in as text with options; test cases, verdicts and explanations come out as values.
//! Nothing here prints. Long calls take an [`Effort`]: limits, cancellation and a listener for
//! progress. A call without a result returns a [`Failure`]: whether the input, a limit or Tioga is at
//! fault, with diagnostics that point into the [`Sources`] of the texts.
//!
//! # The pipeline
//!
//! | call | from | to |
//! |---|---|---|
//! | [`open()`] | a name and options | a [`ModelSource`]: text, format and options as one value |
//! | [`read()`] | a source | a [`Loaded`] model; the only way from a text to a model |
//! | [`check()`] | a model | its properties, and the assumptions of testing |
//! | [`reach()`] | a model and a question | whether states can be reached, with a run |
//! | [`games::solve`] | a model and a question | the objectives that a tester can enforce, with a strategy |
//! | [`product()`] | a model and a purpose | their product as a model |
//! | [`determinized`] | a model | a deterministic view of it |
//! | [`compare`] | two models | whether one conforms to the other |
//! | [`diff()`] | two versions of a model, and a suite | changes, differences in behaviour, test cases that still hold |
//! | [`synthesize`] | a model and an [`Aim`] | test cases, and goals without one |
//! | [`certify()`] | a model and a suite, strategy or ranks | the result of the independent checker |
//! | [`prepare`], [`Prepared::run`] | settings | verdicts |
//! | [`explained`], [`replayed`], [`shrunk`] | a recorded run | its explanation, a repetition, a shorter run |
//! | [`mutation()`] | a model and a suite | which faults the suite detects |
//! | [`monitor::Monitor`] | a model and a log | whether the log conforms |
//! | [`symbolic()`] | a model with data and a purpose | a complete test graph, stage by stage |
//! | [`machines::machine_suite`] | a finite machine | a complete suite for it |
//! | [`grids::grid_suite`] | a model, a purpose and a granularity | test cases of words of the grid |
//! | [`confirm::confirm_suite`] | a timed extended machine and configurations | test cases that confirm them |
//! | [`hand::HandRun`] | a model and choices | a run, which can be undone |
//! | [`scaffold()`], [`project()`] | a name and a language; a folder | a new project; the contents of its project file |
//!
//! # Parse
//!
//! ```
//! use tioga::{ModelSource, Sources, read};
//!
//! let text = "input touch; output on;
//!     automaton Lamp {
//!       clock x;
//!       init location Dark;
//!       location Waking invariant x <= 2;
//!       location Bright;
//!       Dark -> Waking : touch? do x = 0;
//!       Waking -> Bright : on! when x >= 1;
//!     }";
//! let mut texts = Sources::new();
//! let source = ModelSource::of_text("lamp.tioga", text).expect("the extension is known");
//! let lamp = read(source, &[], &mut texts)?;
//! assert_eq!(lamp.model.processes.len(), 1);
//!
//! let wrong = ModelSource::of_text("lamp.tioga", "automaton Lamp { init locatoin Dark; }").unwrap();
//! let failure = read(wrong, &[], &mut texts).unwrap_err();
//! assert!(failure.diagnostics.has_errors());
//! # Ok::<(), tioga::Failure>(())
//! ```
//!
//! # Check
//!
//! ```
//! use tioga::{Effort, OpenOptions, Sources, check, open, read};
//!
//! let mut texts = Sources::new();
//! let source = open("@smart-light", &OpenOptions::default(), &mut texts)?;
//! let light = read(source, &[], &mut texts)?;
//! let checked = check(&light.model, 10_000, &mut Effort::default());
//! let explored = checked.explored.expect("states were allowed").expect("the model is supported");
//! assert!(explored.survey.incomplete.is_none());
//! # Ok::<(), tioga::Failure>(())
//! ```
//!
//! # Solve
//!
//! ```
//! use tioga::games::{GameOptions, plan, questions, solve};
//! use tioga::{Effort, OpenOptions, Sources, open, read};
//!
//! let mut texts = Sources::new();
//! let source = open("@conveyor-game", &OpenOptions::default(), &mut texts)?;
//! let belt = read(source, &[], &mut texts)?;
//! let question = questions(&belt)?.remove(0);
//! let options = GameOptions { ranks: true, ..GameOptions::default() };
//! let answered = solve(&belt.model, question, &options, &mut Effort::default())?;
//! // Where the system has to cooperate, and how.
//! for luck in plan(&belt.model, &answered.solution, None).luck {
//!     assert!(luck.hoped.is_some() || !luck.feared.is_empty());
//! }
//! # Ok::<(), tioga::Failure>(())
//! ```
//!
//! # Synthesise, run in process, explain
//!
//! ```
//! use tioga::{
//!     Aim, Cancel, Effort, OpenOptions, Outcome, GivenPurpose, Recorded, RunOptions, Sources, Suite,
//!     SynthesisOptions, SystemRef, explained, open, prepare, read, settings, synthesize,
//! };
//!
//! let mut texts = Sources::new();
//! let source = open("@smart-light", &OpenOptions::default(), &mut texts)?;
//! let purposes = vec!["reach Light.Bright".parse::<GivenPurpose>().expect("it is a purpose")];
//! let light = read(source, &GivenPurpose::queries(&purposes), &mut texts)?;
//! let mut effort = Effort::default();
//! let aim = Aim::Purposes(purposes);
//! let made = synthesize(&light, &aim, &SynthesisOptions::default(), &mut effort)?;
//! assert_eq!((made.cases.len(), made.missed.len()), (1, 0));
//!
//! let suite = Suite::of_model(light.source.clone(), made.cases);
//! let (itself, options) = (SystemRef::Itself, RunOptions::default());
//! let settings = settings(suite, None, itself, &options, Some(&light.model))?;
//! let prepared = prepare(settings, Some(light), &mut texts, &mut effort)?;
//! let record = prepared.records(Cancel::new())?.remove(0);
//! assert_eq!(record.outcome().map(|(outcome, _)| outcome), Some(Outcome::Pass));
//!
//! let model = prepared.specification.as_ref().map(|light| &light.model);
//! let recorded = Recorded { settings: prepared.settings.clone(), record };
//! let explanation = explained(&recorded, model, 20)?;
//! assert!(explanation.conclusion.finding.is_none());
//! # Ok::<(), tioga::Failure>(())
//! ```

mod certify;
mod check;
pub mod confirm;
mod conformance;
mod constants;
mod convert;
pub mod corpus;
mod cover;
mod data;
mod diff;
mod ecdar;
mod effort;
mod examples;
mod failure;
pub mod games;
mod given;
mod given_purpose;
pub mod grids;
pub mod hand;
mod interface;
mod lifted;
pub mod log_lines;
pub mod machines;
pub mod monitor;
mod mutation;
mod new_file;
mod obstacles;
mod older_goals;
mod open;
mod open_options;
mod product;
mod project;
mod purpose_from;
mod reachability;
mod read;
mod runs;
mod scaffold;
mod side_by_side;
mod suite;
mod suites;
mod symbolic_testing;
mod synthesis;
mod tester;
pub mod texts;
pub mod trace;
mod verify;
mod view;
pub mod words;

pub use certify::{
    Certificate, Certified, CertifyFinding, CertifyOptions, certify, certify_made, read_certificate,
};
pub use check::{Checked, Explored, check, states_to_check, timelock};
pub use conformance::{AllowedNext, Compared, allowed, compare};
pub use convert::{
    TargetFormat, converted, drawn, made, network_text, picture_text, rewritten, target_of,
    tester_text, understood,
};
pub use data::DataView;
pub use diff::{BehaviourDifference, ChangeKind, Followed, ModelChange, ModelDiff, diff};
pub use ecdar::{Alphabets, united};
pub use effort::{DEFAULT_VIEW_STEPS, Effort, Progress, ViewOptions, cores, peak_bytes};
pub use examples::{EXAMPLES, Example, example};
pub use failure::{Cause, Failure, Reason};
pub use given::{GivenLatencies, in_run_units, in_units};
pub use given_purpose::GivenPurpose;
pub use mutation::{
    Cell, JUDGED_STATES, Judge, JudgeOptions, Judged, JudgedMutant, Kill, Matrix, MutationOptions,
    MutationRecord, MutationSettings, Row, Score, Status, Tried, judged_each, mutation, operators,
};
pub use new_file::{NewFile, followed};
pub use obstacles::Obstacle;
pub use open::{is_component, open};
pub use open_options::OpenOptions;
pub use product::product;
pub use project::{PROJECT_FILE, Project, build, project};
pub use purpose_from::with_run;
pub use reachability::{ReachOptions, ReachQuestion, Reached, reach, reach_questions};
pub use read::{Loaded, read, read_document, read_of_suite, read_open, with_purpose, within};
pub use runs::{
    Answers, CalibrateOptions, Calibration, Distribution, OnlineCases, OnlineGoal, Prepared,
    Recorded, RunOptions, SAMPLES, Suggested, TimeLimits, calibrate, create_journal, explained,
    fits, given_unit, journal_failure, online_case, online_cover, online_purposes, prepare,
    prepare_aimed, recorded, replayed, settings, shrunk, system, unclosed_journal,
    unreadable_journal, wall_clock, worst_run,
};
pub use scaffold::{ProjectLanguage, scaffold};
pub use suite::{choose, instances, read_suite};
pub use suites::{
    BuiltSuite, Criterion, Killing, Proof, Standing, SuiteOptions, SuiteTarget, SuiteTest,
    build_suite, online_mutants,
};
pub use symbolic_testing::{
    Symbolic, SymbolicCases, SymbolicOptions, SymbolicStage, symbolic, symbolic_suite,
};
pub use synthesis::{
    Aim, DEFAULT_MAX_STATES, Missed, Synthesis, SynthesisOptions, WhyMissed, synthesize,
    synthesize_each,
};
pub use tioga_adapters::{Policy, SystemRef};
pub use tioga_base::{
    Cancel, Diagnostic, Diagnostics, GivenTime, ModelFormat, Rational, Sources, StopReason,
};
pub use tioga_execute::{Outcome, Settings};
pub use tioga_testcase::{Cover, ModelSource, Shape, Suite, TestCase, Verdict};
pub use verify::{Difference, Verified, verified};
pub use view::determinized;
