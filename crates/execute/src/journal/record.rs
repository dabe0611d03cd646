//! What is kept of a run: everything that happened in it.

use super::event::{Event, Outcome};
use super::settings::Settings;

/// What happened in one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRecord {
    /// Its number in the campaign, from 0: repetitions of the suite one after the other.
    pub run: u64,
    /// The events, from `Begin` to `End`; without `End` the run was interrupted.
    pub events: Vec<Event>,
}

impl RunRecord {
    /// The name of the test case.
    pub fn case(&self) -> Option<&str> {
        self.events.iter().find_map(|event| match event {
            Event::Begin { case, .. } => Some(case.as_str()),
            _ => None,
        })
    }

    /// The seed of its choices.
    pub fn seed(&self) -> Option<u64> {
        self.events.iter().find_map(|event| match event {
            Event::Begin { seed, .. } => Some(*seed),
            _ => None,
        })
    }

    /// How often it began again because only scheduling delay explained it, in a campaign with
    /// this seed.
    pub fn repeated(&self, campaign: u64) -> u64 {
        self.seed().map_or(0, |seed| Settings::attempt_of(campaign, self.run, seed))
    }

    /// What it means and why; nothing if it was interrupted.
    pub fn outcome(&self) -> Option<(Outcome, &str)> {
        self.events.iter().rev().find_map(|event| match event {
            Event::End { outcome, reason, .. } => Some((*outcome, reason.as_str())),
            _ => None,
        })
    }
}
