//! The commands of a run made by hand, and what they show.

use std::path::Path;

use tioga::hand::{HandRun, Refusal};
use tioga::words::{action, edges, times, window, windows};
use tioga_base::{Rational, Times};
use tioga_concrete::{Allowed, step_record};

use crate::commands::typed::{delay, rational};
use crate::commands::walks::write_trace;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::run::align;
use crate::text::state;

const HELP: &str = "  \
  3        take step 3 as early as possible
  3 5/2    wait for 5/2, then take step 3
  3 (1,2)  take step 3 with the values 1 and 2; a delay may follow
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

/// The state, the possible steps with their windows, and how long one may wait.
pub fn view(run: &HandRun<'_>, options: &Allowed) -> String {
    let model = run.model();
    let mut text = format!("\ntime {}\n", times(model).exact(run.time));
    text.push_str(&state::block(model, &run.state, "  "));
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
    run: &mut HandRun<'_>,
    line: &str,
    options: &Allowed,
    session: &mut Session,
) -> Result<Done, Stop> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let shown = times(run.model());
    let changed = match word {
        "" => return Ok(Done::Show),
        "q" | "quit" => return Ok(Done::Quit),
        "?" | "h" | "help" => return Ok(Done::Said(HELP.to_owned())),
        "s" | "save" if rest.is_empty() => Err("save where? `s FILE`\n".to_owned()),
        "s" | "save" => {
            // A file that cannot be written ends the session: its reader would miss the trace.
            write_trace(session, Path::new(rest), &run.trace)?;
            Err(format!("trace written to {rest}\n"))
        }
        "u" | "undo" => run.undo().map_err(|refusal| told(&refusal, options, shown)),
        "d" | "delay" => delay(rest, shown).and_then(|delay| {
            run.wait(delay, options).map_err(|refusal| told(&refusal, options, shown))
        }),
        _ => match word.parse::<usize>() {
            Ok(number) => take(run, number, rest, options),
            Err(_) => Err(format!("`{word}` is no command; ? shows them\n")),
        },
    };
    Ok(changed.map_or_else(Done::Said, |()| Done::Changed))
}

/// Takes a step: `rest` may hold values in parentheses, and a delay.
fn take(run: &mut HandRun<'_>, step: usize, rest: &str, options: &Allowed) -> Result<(), String> {
    let shown = times(run.model());
    let (values, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((values, rest)) => (Some(values), rest.trim()),
        None => (None, rest),
    };
    let numbers = |values: &str| -> Result<Vec<Rational>, String> {
        values.split(',').map(|value| rational(value.trim())).collect()
    };
    let values = values.map(numbers).transpose()?;
    let delay = if rest.is_empty() { None } else { Some(delay(rest, shown)?) };
    run.take(step, values, delay, options).map_err(|refusal| match refusal {
        Refusal::NotThen(then) => {
            format!("step {step} is possible after {}\n", windows(&then, shown))
        }
        other => told(&other, options, shown),
    })
}

fn told(refusal: &Refusal, options: &Allowed, shown: Times) -> String {
    let mut text = match refusal {
        Refusal::NothingToUndo => "nothing to undo".to_owned(),
        Refusal::NotThatLong => format!("one may wait for {} only", window(&options.delays, shown)),
        Refusal::NoStep(step) => format!("there is no step {step}"),
        Refusal::NotThen(then) => format!("the step is possible after {}", windows(then, shown)),
        Refusal::NoValues(name) => format!("`{name}` carries values: write them in parentheses"),
        Refusal::NotWithThese(name) => format!("`{name}` is not possible with these values"),
        Refusal::Values(complaint) => complaint.clone(),
        Refusal::Fault(error) => error.to_string(),
    };
    text.push('\n');
    text
}
