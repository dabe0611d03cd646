//! All reports of a campaign in one pass over its runs.

use std::fmt;
use std::io::{self, Write};

use tioga_execute::{RunRecord, Settings};

use crate::{Inconclusive, Json, Report, Tap, html, junit, ttcn};

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
#[derive(Debug)]
pub enum Error<E> {
    /// The runs could not be read.
    Runs(E),
    /// A report could not be written.
    Output(io::Error),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs(error) => error.fmt(f),
            Self::Output(error) => write!(f, "the report cannot be written: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

impl<E> From<io::Error> for Error<E> {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Writes every report that is asked for, and gives back what was collected, for the final table.
/// The runs are taken one after the other and need not be in memory together.
///
/// # Errors
/// If the runs cannot be read or a report cannot be written.
pub fn write_reports<'s, E>(
    settings: &'s Settings,
    runs: impl IntoIterator<Item = Result<RunRecord, E>>,
    outputs: Outputs<'_>,
) -> Result<Report<'s>, Error<E>> {
    let inconclusive = outputs.inconclusive;
    let mut report = Report::new(settings);
    let mut tap = outputs.tap.map(|writer| Tap::new(writer, settings, inconclusive)).transpose()?;
    let mut json = outputs.json.map(|writer| Json::new(writer, settings)).transpose()?;
    for record in runs {
        let record = record.map_err(Error::Runs)?;
        let line = report.add(&record);
        if let Some(tap) = &mut tap {
            tap.add(line, &record)?;
        }
        if let Some(json) = &mut json {
            json.add(line, &record)?;
        }
    }
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
