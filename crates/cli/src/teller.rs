//! How far a campaign is, while it runs.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;
use tioga_execute::{Event, Reporter, RunSummary, Tally};
use tioga_report::CampaignStanding;

use crate::output::{OutputFormat, Session};
use crate::progress::ProgressLine;
use crate::text::campaign::run_json;

/// Shows how far a campaign is, and remembers its runs for `--format json`.
pub struct Teller {
    progress: ProgressLine,
    standing: CampaignStanding,
    /// The names of the test cases of runs under way.
    under_way: BTreeMap<u64, String>,
    /// When it began, and how many runs had ended then.
    begun: (Instant, u64),
    runs: Option<Vec<Value>>,
}

impl Teller {
    /// Nothing to tell but what was done before.
    pub fn new(session: &Session, tally: &Tally) -> Self {
        let mut standing = CampaignStanding::default();
        standing.count(tally);
        Self {
            progress: ProgressLine::new(session.format == OutputFormat::Text),
            begun: (Instant::now(), standing.counts.runs()),
            standing,
            under_way: BTreeMap::new(),
            runs: (session.format == OutputFormat::Json).then(Vec::new),
        }
    }

    /// Ends the line, and gives back the runs.
    pub fn finish(mut self) -> Vec<Value> {
        self.progress.clear();
        self.runs.take().unwrap_or_default()
    }

    /// Remembers a run.
    pub fn remember(&mut self, summary: &RunSummary) {
        if let Some(runs) = &mut self.runs {
            runs.push(run_json(summary));
        }
    }
}

impl Reporter for Teller {
    fn event(&mut self, run: u64, event: &Event) {
        match event {
            Event::Begin { case, .. } => {
                self.under_way.insert(run, case.clone());
            }
            Event::End { .. } => {
                self.under_way.remove(&run);
            }
            _ => {}
        }
        let Self { progress, standing, under_way, begun: (begun, before), .. } = self;
        progress.say(|| {
            standing.under_way = under_way.values().cloned().collect();
            let made = standing.counts.runs().saturating_sub(*before);
            standing.estimate(made, begun.elapsed());
            standing.to_string()
        });
    }

    fn counted(&mut self, summary: &RunSummary, tally: &Tally) {
        self.remember(summary);
        self.standing.count(tally);
    }
}
