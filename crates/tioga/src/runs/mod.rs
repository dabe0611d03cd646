//! Running tests against a system: systems, testers, campaigns with a journal, and the use of recorded
//! runs afterwards.

mod calibrate;
mod campaign;
mod interface;
mod journals;
mod online;
mod recorded;
mod second_opinion;
mod systems;
mod testers;
mod undeclared;
mod walk;

pub use calibrate::{Answers, CalibrateOptions, Calibration, Distribution, Suggested, calibrate};
pub use campaign::{
    Prepared, RunOptions, SAMPLES, TimeLimits, given_unit, prepare, prepare_aimed, settings,
    wall_clock,
};
pub use interface::online_case;
pub(crate) use journals::put_aside;
pub use journals::{create_journal, journal_failure, unclosed_journal, unreadable_journal};
pub use online::{OnlineCases, online_cover, online_purposes};
pub use recorded::{Recorded, explained, recorded, replayed, shrunk, worst_run};
pub use systems::{fits, system};
pub use testers::OnlineGoal;
pub(crate) use walk::{virtual_tester, walk_case, walk_flaw};
