//! All reports of a campaign in one pass over its runs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use thiserror::Error;
use tioga_execute::{RunRecord, Settings};

use crate::{Inconclusive, Json, Report, Specification, Tap, html, junit, ttcn};

/// Where reports go; what has no sink is not made.
#[derive(Default)]
pub struct Outputs<'w> {
    /// JUnit XML.
    pub junit: Option<&'w mut dyn Write>,
    /// TAP 14.
    pub tap: Option<&'w mut dyn Write>,
    /// A page of HTML.
    pub html: Option<&'w mut dyn Write>,
    /// Complete results as JSON.
    pub json: Option<&'w mut dyn Write>,
    /// A TTCN-3 module of the suite.
    pub ttcn: Option<&'w mut dyn Write>,
    /// What formats without a third verdict say of inconclusive runs.
    pub inconclusive: Inconclusive,
}

/// Why reports could not be written.
#[derive(Debug, Error)]
pub enum Error<E> {
    /// The runs could not be read.
    #[error(transparent)]
    Runs(E),
    /// A report could not be written.
    #[error("the report cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// How many runs that ended out of order are held back at most.
const HELD: usize = 1024;

/// Writes every report that is asked for, and gives back what was collected, for the final table.
///
/// The runs are taken one after the other and need not be in memory together. Reports have them by
/// number: what ends out of order, because runs went on side by side, is held back until its turn
/// comes, unless that is too much.
///
/// # Errors
/// If the runs cannot be read or a report cannot be written.
pub fn write_reports<'s, E>(
    settings: &'s Settings,
    specification: Option<Specification<'s>>,
    runs: impl IntoIterator<Item = Result<RunRecord, E>>,
    outputs: Outputs<'_>,
) -> Result<Report<'s>, Error<E>> {
    let inconclusive = outputs.inconclusive;
    let mut writing = Writing {
        report: Report::new(settings, specification),
        tap: outputs.tap.map(|writer| Tap::new(writer, settings, inconclusive)).transpose()?,
        json: outputs.json.map(|writer| Json::new(writer, settings)).transpose()?,
    };
    let mut held: BTreeMap<u64, RunRecord> = BTreeMap::new();
    let mut next = 0;
    for record in runs {
        let record = record.map_err(Error::Runs)?;
        held.insert(record.run, record);
        let mut full = held.len() > HELD;
        while let Some(first) = held.first_entry()
            && (*first.key() <= next || full)
        {
            let (run, record) = first.remove_entry();
            next = next.max(run.saturating_add(1));
            full = false;
            writing.add(&record)?;
        }
    }
    for record in held.values() {
        writing.add(record)?;
    }
    let Writing { report, tap, json } = writing;
    if let Some(tap) = tap {
        tap.finish()?;
    }
    if let Some(json) = json {
        json.finish(&report)?;
    }
    if let Some(writer) = outputs.junit {
        let text = junit(&report, inconclusive).map_err(io::Error::other)?;
        writer.write_all(text.as_bytes())?;
    }
    if let Some(writer) = outputs.html {
        html(&report, writer)?;
    }
    if let Some(writer) = outputs.ttcn {
        writer.write_all(ttcn::module(&settings.suite).as_bytes())?;
    }
    Ok(report)
}

struct Writing<'s, 'w> {
    report: Report<'s>,
    tap: Option<Tap<'s, &'w mut dyn Write>>,
    json: Option<Json<&'w mut dyn Write>>,
}

impl Writing<'_, '_> {
    fn add(&mut self, record: &RunRecord) -> io::Result<()> {
        let line = self.report.add(record);
        if let Some(tap) = &mut self.tap {
            tap.add(line, record)?;
        }
        if let Some(json) = &mut self.json {
            json.add(line, record)?;
        }
        Ok(())
    }
}
