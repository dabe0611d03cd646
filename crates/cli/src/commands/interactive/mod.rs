//! `tioga simulate --interactive`: a run made by hand. Commands are lines on standard input, so a
//! session can be typed, piped and tested alike.

mod player;

use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::json;
use tioga::hand::HandRun;
use tioga::words::{amount, count};
use tioga_model::Model;

use super::typed::read_line;
use super::walks::{failed, fault_warning, steps, write_trace};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::state;
use player::{Done, obey, view};

/// Runs the session and writes the trace to `out` at its end.
pub fn run(model: &Model, out: Option<&Path>, session: &mut Session) -> Result<Exit, Stop> {
    let mut run = match HandRun::new(model) {
        Ok(run) => run,
        Err(error) => return failed(session, error),
    };
    session.print(&format!("{}; ? shows the commands\n", model.name))?;
    let mut input = io::stdin().lock();
    let echo = !io::stdin().is_terminal();
    let mut shown = true;
    let mut options = None;
    loop {
        let current = match options.take() {
            Some(options) => options,
            None => match run.options() {
                Ok(options) => options,
                Err(error) => return failed(session, error),
            },
        };
        for fault in &current.faults {
            session.diagnostics.push(fault_warning(fault));
        }
        if std::mem::take(&mut shown) {
            session.print(&view(&run, &current))?;
        }
        session.print("> ")?;
        let Some(line) = read_line(&mut input) else {
            session.print("\n")?;
            break;
        };
        if echo {
            session.print(&format!("{}\n", line.trim()))?;
        }
        match obey(&mut run, line.trim(), &current, session)? {
            Done::Quit => break,
            Done::Changed => shown = true,
            Done::Show => (shown, options) = (true, Some(current)),
            Done::Said(text) => {
                session.print(&text)?;
                options = Some(current);
            }
        }
    }
    if let Some(path) = out {
        write_trace(session, path, &run.trace)?;
    }
    let made = count(steps(&run.trace), "step");
    session.print(&format!("{made} in {}\n", amount(model, run.time)))?;
    session.set_result(json!({
        "model": model.name,
        "moves": steps(&run.trace),
        "time": state::number_json(run.time),
        "records": run.trace.record_values(),
        "end": state::json(model, &run.state),
    }));
    Ok(Exit::Success)
}
