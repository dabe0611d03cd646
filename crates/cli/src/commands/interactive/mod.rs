//! `tioga simulate --interactive`: a run made by hand. Commands are lines on standard input, so a
//! session can be typed, piped and tested alike.

mod player;

use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::json;
use tioga::words::{amount, count};
use tioga_base::Rational;
use tioga_concrete::{Semantics, Trace};
use tioga_model::Model;

use super::typed::read_line;
use super::walks::{failed, fault_warning, moves, write_trace};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::state;
use player::{Done, Player};

/// Runs the session and writes the trace to `out` at its end.
pub fn run(model: &Model, out: Option<&Path>, session: &mut Session) -> Result<Exit, Stop> {
    let mut semantics = Semantics::new(model);
    let state = match semantics.initial() {
        Ok(state) => state,
        Err(error) => return failed(session, error),
    };
    let trace = Trace { model: model.name.clone(), seed: None, records: Vec::new() };
    let mut player = Player { semantics, state, time: Rational::ZERO, trace, past: Vec::new() };
    session.print(&format!("{}; ? shows the commands\n", model.name))?;
    let mut input = io::stdin().lock();
    let echo = !io::stdin().is_terminal();
    let mut shown = true;
    let mut options = None;
    loop {
        let current = match options.take() {
            Some(options) => options,
            None => match player.semantics.options(&player.state) {
                Ok(options) => options,
                Err(error) => return failed(session, error),
            },
        };
        for fault in &current.faults {
            session.diagnostics.push(fault_warning(fault));
        }
        if std::mem::take(&mut shown) {
            session.print(&player.view(&current))?;
        }
        session.print("> ")?;
        let Some(line) = read_line(&mut input) else {
            session.print("\n")?;
            break;
        };
        if echo {
            session.print(&format!("{}\n", line.trim()))?;
        }
        match player.obey(line.trim(), &current, session)? {
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
        write_trace(session, path, &player.trace)?;
    }
    let made = count(moves(&player.trace), "move");
    session.print(&format!("{made} in {}\n", amount(model, player.time)))?;
    session.set_result(json!({
        "model": model.name,
        "moves": moves(&player.trace),
        "time": state::number_json(player.time),
        "records": player.trace.record_values(),
        "end": state::json(model, &player.state),
    }));
    Ok(Exit::Success)
}
