//! `tioga resume`: continues an interrupted campaign.

use tioga::{journal_failure, prepare, system};
use tioga_base::Diagnostic;
use tioga_execute::{Campaign, JournalError, JournalReader};

use super::mutation;
use super::run::finish;
use crate::args::ResumeArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::{OutputFormat, Session};
use crate::teller::Teller;

/// Runs the command.
pub fn run(args: &ResumeArgs, session: &mut Session) -> Result<Exit, Stop> {
    let path = &args.journal;
    if matches!(JournalReader::open(path), Err(JournalError::Mutation)) {
        if args.sut.is_some() || args.keep_going {
            let message = "a mutation campaign has no system and no runs that stop it";
            let help = "leave out `--sut` and `--keep-going`";
            return Err(Diagnostic::global("mutation-journal", message).help(help).into());
        }
        return mutation::resume(path, args.pace.stop_after, session);
    }
    let mut done = Vec::new();
    let wanted = session.format == OutputFormat::Json;
    let opened = Campaign::resume(path, args.keep_going, |summary| {
        if wanted {
            done.push(summary.clone());
        }
    });
    let (journal, mut settings, tally) = opened.map_err(|error| journal_failure(path, &error))?;
    if let Some(name) = &args.sut {
        settings.system = system(name, settings.model(), &mut session.texts)?;
    }
    args.limits.limits().apply(&mut settings)?;
    let mut effort = session.effort(WorkLimits::default());
    let prepared = prepare(settings, None, &mut session.texts, &mut effort)?;
    drop(effort);
    let mut teller = Teller::new(session, &tally);
    done.iter().for_each(|summary| teller.remember(summary));
    finish(&prepared, Some((path.clone(), journal)), tally, teller, &args.pace, session)
}
