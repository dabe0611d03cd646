//! `tioga certify`: whether a suite, a strategy or ranks are right, by the independent checker.

use serde_json::json;
use tioga::{Certificate, CertifyFinding, CertifyOptions, certify, read_certificate};

use crate::args::{CertifyArgs, MemoryArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::certify::{line, to_json};

/// Runs the command.
pub fn run(args: &CertifyArgs, session: &mut Session) -> Result<Exit, Stop> {
    let mut certificate = read_certificate(&mut session.texts, &args.certificate)?;
    if let Certificate::Suite(suite) = &mut certificate {
        session.warn_of_changes(suite, &args.certificate);
    }
    // Strategies and ranks are answers about the model as `solve` reads it.
    session.closed = !matches!(certificate, Certificate::Suite(_));
    let made = match &certificate {
        Certificate::Suite(suite) => std::slice::from_ref(&**suite),
        Certificate::Strategy(_) | Certificate::Ranks(_) => &[],
    };
    let source = session.open_as_in(&args.model.model, &args.model.load, made)?;
    let options =
        CertifyOptions { max_regions: args.max_regions, plays: args.plays, seed: args.seed };
    let mut effort = session.effort(MemoryArgs::default().limits(args.timeout));
    let purpose = args.purpose.as_deref();
    let texts = &mut session.texts;
    let all = certify(source, &certificate, purpose, &options, texts, &mut effort)?;
    drop(effort);
    let text: String = all.iter().map(line).collect();
    session.print(&text)?;
    session.set_result(json!({ "certified": all.iter().map(to_json).collect::<Vec<_>>() }));
    Ok(Exit::of_queries(all.iter().map(|one| match one.finding {
        CertifyFinding::Right(_) | CertifyFinding::Complete(_) => Some(true),
        CertifyFinding::Wrong(_) => Some(false),
        CertifyFinding::Open(_) => None,
    })))
}
