//! `tioga studio`: a page on the loopback interface, until Ctrl-C.

use std::path::{Path, PathBuf};

use serde_json::json;
use tioga::{OpenOptions, system};
use tioga_base::Diagnostic;
use tioga_viewer::{Server, StudioOptions, Workspace};
use tioga_views::campaign::CampaignPlan;

use crate::args::StudioArgs;
use crate::exit::{Exit, Stop};
use crate::measure::{Limited, WorkLimits};
use crate::output::{OutputFormat, Session};

/// Runs the command.
pub fn run(args: &StudioArgs, session: &mut Session) -> Result<Exit, Stop> {
    let closed = session.closed && !args.load.interface.open;
    let workspace = Workspace::new(&args.what, OpenOptions { closed, ..args.load.options() })?;
    let campaign = if args.shows_journal() { None } else { campaign(args, session)? };
    let workspace = match &campaign {
        Some(plan) => workspace.and(&plan.journal),
        None => workspace,
    };
    let limited = Limited::new(WorkLimits::default());
    let sut = args.sut.clone();
    let options = StudioOptions { workspace, campaign, sut, port: args.port, limit: args.timeout };
    let server = Server::new(options, limited.cancel.clone())?;
    let address = server.address().to_string();
    match session.format {
        OutputFormat::Text => session.print(&format!("{address}\nCtrl-C ends the studio\n"))?,
        // Whoever reads JSON has to know where the page is before it ends.
        OutputFormat::Json => {
            session.write_stdout(&format!("{}\n", json!({ "address": address })))?
        }
    }
    // Other users can read the command line of the browser, so the token is not in it.
    if !args.no_open && open::that_detached(server.ticket()?).is_err() {
        session.warn_first(Diagnostic::global(
            "no-browser",
            "no browser was found; open the address by hand",
        ));
    }
    server.serve();
    drop(limited);
    session.set_result(json!({ "address": address }));
    Ok(Exit::Success)
}

/// The campaign that the page may start. Everything that can be wrong with it is told now.
fn campaign(args: &StudioArgs, session: &mut Session) -> Result<Option<CampaignPlan>, Stop> {
    let Some(sut) = &args.sut else { return Ok(None) };
    let suite = PathBuf::from(&args.what);
    let read = session.read_suite(Path::new(&args.what))?;
    system(sut, read.model.as_ref(), &mut session.texts)?;
    let journal = args.journal();
    session.expect_files([&journal])?;
    Ok(Some(CampaignPlan { suite, sut: sut.clone(), options: args.run_options(), journal }))
}
