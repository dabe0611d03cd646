//! Test synthesis for timed systems: the pipeline as named calls on values.

mod check;
mod conformance;
mod convert;
mod effort;
mod examples;
mod failure;
pub mod games;
mod interface;
pub mod log_lines;
pub mod monitor;
mod mutation;
mod new_file;
mod open;
mod reachability;
mod read;
mod runs;
mod suite;
mod synthesis;
mod tester;
pub mod texts;
pub mod trace;
mod view;
pub mod words;

pub use check::{Checked, Explored, check};
pub use conformance::{Allowed, Compared, allowed, compare};
pub use convert::{
    TargetFormat, converted, drawn, made, network_text, rewritten, target_of, tester_text,
    understood,
};
pub use effort::{Effort, Progress, cores, peak_bytes};
pub use examples::{EXAMPLES, Example, example};
pub use failure::{Cause, Failure};
pub use mutation::{
    Cell, JUDGED_STATES, Judge, JudgeOptions, Judged, Kill, Matrix, MutationOptions, Row, Score,
    Status, Tried, judged, mutation, operators,
};
pub use new_file::NewFile;
pub use open::{OpenOptions, open};
pub use reachability::{ReachOptions, ReachQuestion, Reached, reach, reach_questions};
pub use read::{Loaded, read, read_document, with_purpose, within};
pub use runs::{
    Explained, Prepared, Recorded, RunOptions, TimeLimits, create_journal, explained, fits,
    journal_failure, online_case, prepare, recorded, replayed, settings, shrunk, system,
    unreadable_journal, worst_run,
};
pub use suite::{choose, read_suite};
pub use synthesis::{
    Aim, Cover, DEFAULT_MAX_STATES, Missed, Purpose, Synthesis, SynthesisOptions, WhyMissed,
    largest_constant, synthesize,
};
pub use tioga_testcase::{ModelSource, ReadOptions, Suite};
pub use view::{ViewOptions, determinized};
