//! `tioga resume`: goes on with a campaign that was interrupted.

use tioga_execute::Campaign;

use super::run::{Begun, Teller};
use crate::args::ResumeArgs;
use crate::exit::{Exit, Stop};
use crate::journal_file;
use crate::output::Session;
use crate::systems::{Source, limit};
use crate::testers::Testers;

/// Runs the command.
pub fn run(args: &ResumeArgs, session: &mut Session) -> Result<Exit, Stop> {
    let path = &args.journal;
    let mut done = Vec::new();
    let wanted = session.format == crate::output::OutputFormat::Json;
    let opened = Campaign::resume(path, args.keep_going, |summary| {
        if wanted {
            done.push(summary.clone());
        }
    });
    let (journal, mut settings, tally) =
        opened.map_err(|error| journal_file::refused(session, path, &error))?;
    if let Some(system) = &args.sut {
        settings.system.clone_from(system);
    }
    limit(session, &mut settings, &args.limits)?;
    let source = Source::open(session, &settings)?;
    let testers = Testers::open(session, &settings)?;
    let mut teller = Teller::new(session, &tally);
    done.iter().for_each(|summary| teller.remember(summary));
    let (path, journal) = (Some(path.clone()), Some(journal));
    Begun { settings, source, testers, path, journal, tally, teller }.finish(&args.pace, session)
}
