//! The player of a run made by hand: its state, and what its commands do.

use std::path::Path;

use tioga::games::play::earliest;
use tioga::words::{action, edges, times, window, windows};
use tioga_base::Rational;
use tioga_concrete::{
    Allowed, Choice, Error, Observable, Record, Semantics, State, Trace, observable, step_record,
};
use tioga_model::Awaiting;

use crate::commands::typed::{delay, rational};
use crate::commands::walks::write_trace;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::run::align;
use crate::text::state;

const HELP: &str = "  \
  3        take move 3 as early as possible
  3 5/2    wait for 5/2, then take move 3
  3 (1,2)  take move 3 with the values 1 and 2; a delay may follow
  d 3/2    wait for 3/2
  u        undo the last command that changed the state
  s FILE   save the trace so far, as JSON Lines if FILE ends in .jsonl
  q        quit
  ?        show this help
";

/// What a command led to.
pub enum Done {
    Changed,
    Show,
    Said(String),
    Quit,
}

/// A run in the making.
pub struct Player<'m> {
    pub semantics: Semantics<'m>,
    pub state: State,
    pub time: Rational,
    pub trace: Trace,
    /// Where each change started: the state, the time and the length of the trace.
    pub past: Vec<(State, Rational, usize)>,
}

impl Player<'_> {
    /// The state, the possible moves with their windows, and how long one may wait.
    pub fn view(&self, options: &Allowed) -> String {
        let model = self.semantics.model();
        let mut text = format!("\ntime {}\n", times(model).exact(self.time));
        text.push_str(&state::block(model, &self.state, "  "));
        let mut rows: Vec<[String; 4]> = Vec::new();
        for (index, choice) in options.choices.iter().enumerate() {
            let record = step_record(model, &choice.step);
            let taken = record.edges.as_deref().map_or_else(String::new, edges);
            let after = format!("after {}", windows(&choice.windows, times(model)));
            rows.push([(index + 1).to_string(), action(&record.event), after, taken]);
        }
        for (index, awaiting) in options.awaiting.iter().enumerate() {
            let channel = &model.channels[awaiting.channel];
            let types: Vec<String> = channel.parameters.iter().map(ToString::to_string).collect();
            let shown = format!("{}({})?", channel.name, types.join(", "));
            let number = options.choices.len() + index + 1;
            rows.push([number.to_string(), shown, "with values".to_owned(), String::new()]);
        }
        text.push_str(&align(&rows, &[0]));
        text.push_str(&format!("  d  wait for {}\n", window(&options.delays, times(model))));
        text
    }

    pub fn obey(
        &mut self,
        line: &str,
        options: &Allowed,
        session: &mut Session,
    ) -> Result<Done, Stop> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match word {
            "" => Done::Show,
            "q" | "quit" => Done::Quit,
            "?" | "h" | "help" => Done::Said(HELP.to_owned()),
            "u" | "undo" => self.undo(),
            "d" | "delay" => self.wait(rest, options),
            "s" | "save" if rest.is_empty() => Done::Said("save where? `s FILE`\n".to_owned()),
            "s" | "save" => {
                // A file that cannot be written ends the session: its reader would miss the trace.
                write_trace(session, Path::new(rest), &self.trace)?;
                Done::Said(format!("trace written to {rest}\n"))
            }
            _ => match word.parse::<usize>() {
                Ok(number) => self.take(number, rest, options),
                Err(_) => Done::Said(format!("`{word}` is no command; ? shows them\n")),
            },
        })
    }

    fn undo(&mut self) -> Done {
        let Some((state, time, length)) = self.past.pop() else {
            return Done::Said("nothing to undo\n".to_owned());
        };
        (self.state, self.time) = (state, time);
        self.trace.records.truncate(length);
        Done::Changed
    }

    fn wait(&mut self, text: &str, options: &Allowed) -> Done {
        let shown = times(self.semantics.model());
        let delay = match delay(text, shown) {
            Ok(delay) => delay,
            Err(complaint) => return Done::Said(complaint),
        };
        if !options.delays.contains(delay) {
            return Done::Said(format!(
                "one may wait for {} only\n",
                window(&options.delays, shown)
            ));
        }
        self.change(|player| player.pass(delay))
    }

    /// Takes a move: `rest` may hold values in parentheses, and a delay.
    fn take(&mut self, number: usize, rest: &str, options: &Allowed) -> Done {
        let (values, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((values, rest)) => (Some(values), rest.trim()),
            None => (None, rest),
        };
        let index = number.wrapping_sub(1);
        let choice = match options.choices.get(index) {
            Some(choice) => choice.clone(),
            None => match options.awaiting.get(index.wrapping_sub(options.choices.len())) {
                Some(awaiting) => match self.supplied(*awaiting, values) {
                    Ok(choice) => choice,
                    Err(complaint) => return Done::Said(complaint),
                },
                None => return Done::Said(format!("there is no move {number}\n")),
            },
        };
        let shown = times(self.semantics.model());
        let delay = if rest.is_empty() {
            earliest(&choice.windows)
        } else {
            match delay(rest, shown) {
                Ok(delay) => delay,
                Err(complaint) => return Done::Said(complaint),
            }
        };
        if !choice.windows.contains(delay) {
            return Done::Said(format!(
                "move {number} is possible after {}\n",
                windows(&choice.windows, shown)
            ));
        }
        self.change(|player| {
            player.pass(delay)?;
            player.state = player.semantics.step(&player.state, &choice.step)?;
            let record = step_record(player.semantics.model(), &choice.step);
            player.trace.records.push(Record::Move(record));
            Ok(())
        })
    }

    /// The move that takes an input with these values.
    fn supplied(&mut self, awaiting: Awaiting, values: Option<&str>) -> Result<Choice, String> {
        let model = self.semantics.model();
        let name = model.channels[awaiting.channel].name.clone();
        let Some(values) = values else {
            return Err(format!("`{name}` carries values: write them in parentheses\n"));
        };
        let numbers: Result<Vec<Rational>, String> =
            values.split(',').map(|value| rational(value.trim())).collect();
        let event = tioga_concrete::TraceEvent::Input(name.clone(), numbers?);
        let wanted: Observable = observable(model, &event)
            .map_err(|complaint| format!("{complaint}\n"))?
            .ok_or_else(|| format!("`{name}` is no input\n"))?;
        let options = self.semantics.options_for(&self.state, Some(&wanted));
        let options = options.map_err(|error| format!("{error}\n"))?;
        let fits = |choice: &Choice| {
            let receiver = awaiting.receiver.is_none_or(|(process, edge)| {
                choice
                    .step
                    .participants
                    .iter()
                    .any(|one| (one.process, one.edge) == (process, edge))
            });
            receiver && Observable::of(&choice.step).as_ref() == Some(&wanted)
        };
        let refused = || format!("`{name}` is not possible with these values\n");
        options.choices.into_iter().find(fits).ok_or_else(refused)
    }

    fn pass(&mut self, delay: Rational) -> Result<(), Error> {
        if delay.is_zero() {
            return Ok(());
        }
        self.state = self.state.later(delay)?;
        self.time = self.time.add(delay)?;
        self.trace.records.push(Record::Delay(delay));
        Ok(())
    }

    /// Makes a change that can be undone; one that fails is undone at once.
    fn change(&mut self, change: impl FnOnce(&mut Self) -> Result<(), Error>) -> Done {
        self.past.push((self.state.clone(), self.time, self.trace.records.len()));
        match change(self) {
            Ok(()) => Done::Changed,
            Err(error) => {
                self.undo();
                Done::Said(format!("{error}\n"))
            }
        }
    }
}
