//! A campaign that is started from a page, against the system that was named when the program started.

use std::path::PathBuf;

use serde::Serialize;
use tioga_base::{Cancel, Sources};
use tioga_execute::Tally;

use tioga::{
    Effort, Failure, RunOptions, create_journal, prepare, read_of_suite, read_suite, settings,
    system,
};

/// What to run, on what, and where its journal goes.
#[derive(Clone, Debug)]
pub struct CampaignPlan {
    /// The suite.
    pub suite: PathBuf,
    /// The system under test, as `--sut` names it.
    pub sut: String,
    /// How the runs are made.
    pub options: RunOptions,
    /// The journal that is written.
    pub journal: PathBuf,
}

/// How far a campaign is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CampaignState {
    /// Whether it is running.
    pub running: bool,
    /// How often it was started.
    pub started: u64,
    /// Why the last one ended early, if it did.
    pub failure: Option<String>,
}

impl CampaignPlan {
    /// Runs the campaign to its end. What happens is in the journal.
    ///
    /// # Errors
    /// If the suite, the system or the journal cannot be used.
    pub fn run(&self, cancel: Cancel) -> Result<(), Failure> {
        let mut texts = Sources::new();
        let suite = read_suite(&mut texts, &self.suite)?;
        let named = system(&self.sut, suite.model.as_ref(), &mut texts)?;
        let specification = match suite.model.clone() {
            Some(source) => Some(read_of_suite(&suite, source, &[], &mut texts)?),
            None => None,
        };
        let model = specification.as_ref().map(|loaded| &loaded.model);
        let settings = settings(suite, None, named, &self.options, model)?;
        let mut effort = Effort { cancel: cancel.clone(), ..Effort::default() };
        let prepared = prepare(settings, specification, &mut texts, &mut effort)?;
        let journal = create_journal(&self.journal, &prepared.settings)?;
        let tally = Tally::new(&prepared.settings);
        prepared.run(1, Some(journal), tally, &mut (), cancel)?;
        Ok(())
    }
}
