//! A suite as a skeleton in TTCN-3 (ETSI ES 201 873-1).
//!
//! Every test case becomes a `testcase` that goes from place to place until there is a verdict. A place
//! becomes a function, which judges, sends or waits, and an altstep, which says what may come
//! meanwhile; the default says what everything else means. Clocks are the moments at which they were zero, and the time is read from one timer that
//! runs all the while, so that any clock constraint can be written in the core language. A second
//! timer wakes the tester at the next moment at which something changes: the least clock bound ahead.
//!
//! What the user must supply stands at the head of the module: an adapter and codecs, how long a time
//! unit is, and by how much moments may be off. Where a strategy wants something done at one exact
//! moment, a comment says so, because no timer can promise it.

mod condition;
mod place;
mod vocabulary;

use std::fmt::Write;

use tioga_testcase::{Side, Suite};

use crate::text::one_line;
use vocabulary::Vocabulary;

/// The text of the module.
pub fn module(suite: &Suite) -> String {
    let vocabulary = Vocabulary::new(suite);
    let mut text = String::from(HEAD);
    let model = suite.cases.first().map_or("no test cases", |case| case.summary.model.as_str());
    let _ = writeln!(text, "module {} {{\n", vocabulary::identifier("Suite_", model));
    text.push_str(PARAMETERS);
    types(&mut text, &vocabulary);
    component(&mut text, suite, &vocabulary);
    text.push_str(COMMON);
    other(&mut text, &vocabulary);
    for (index, case) in suite.cases.iter().enumerate() {
        let number = index + 1;
        let _ = writeln!(text, "  // ---- {} ----\n", one_line(&case.name));
        if case.is_online() {
            text.push_str("  // It follows the model and has no test steps, so there is nothing to execute.\n\n");
            continue;
        }
        for position in 0..case.places.len() {
            place::place(&mut text, &vocabulary, case, number, position);
        }
        test(&mut text, suite, index);
    }
    let _ = writeln!(text, "  control {{");
    for (index, _) in suite.cases.iter().enumerate().filter(|(_, case)| !case.is_online()) {
        let _ = writeln!(text, "    execute(tc_{}());", index + 1);
    }
    text.push_str("  }\n}\n");
    text
}

const HEAD: &str = "\
// A skeleton. To run it, supply
// - an adapter that maps the port `sut` to the system, and codecs for the types In_... and Out_...;
// - PX_UNIT, how many seconds a time unit of the model has;
// - PX_TOLERANCE, by how many time units moments may be off, latency included. It is added in favour of
//   the system: nothing is called too early or too late that may have been in time;
// - PX_PATIENCE, how long to wait where the system may be silent for ever.
// Moments are read after a message was taken from its queue. With the real-time extension (ES 202 782)
// f_read can take them from `receive ... -> timestamp` instead, and PX_TOLERANCE can be smaller.

";

const PARAMETERS: &str = "  modulepar float PX_UNIT := 1.0;
  modulepar float PX_TOLERANCE := 0.05;
  modulepar float PX_PATIENCE := 60.0;
  // The longest a run may take in seconds; the timer that time is read from stops there.
  modulepar float PX_LONGEST := 86400.0;
  // The most places a run may go through.
  modulepar integer PX_STEPS := 100000;

";

const COMMON: &str = "  // Reads the time, in units of the model, from the start of the run.
  function f_read() runs on Tester {
    if (t_run.running) {
      v_now := t_run.read / PX_UNIT;
    } else {
      v_now := PX_LONGEST / PX_UNIT;
    }
  }

  // Ends the run.
  function f_end(verdicttype p_verdict, charstring p_reason) runs on Tester {
    setverdict(p_verdict, p_reason);
    v_done := true;
  }

  // Begins to find out how long to wait.
  function f_begin() runs on Tester {
    v_wait := PX_PATIENCE;
    v_open := true;
  }

  // Waits no longer than until a clock has this value, unless it is past it already.
  function f_until(float p_value, float p_zero) runs on Tester {
    var float v_left := p_value - (v_now - p_zero);
    if (v_left >= 0.0 and v_left < v_wait) {
      v_wait := v_left;
      v_open := false;
    }
  }

  // The wait is over, and nothing came.
  function f_silence() runs on Tester {
    if (v_open) {
      f_end(inconc, \"the system stayed silent, which it may for ever\");
    }
  }

";

fn types(text: &mut String, vocabulary: &Vocabulary) {
    for (side, title) in [(Side::Tester, "What is sent"), (Side::System, "What is received")] {
        let _ = writeln!(text, "  // {title}.");
        for message in vocabulary.messages(side) {
            let fields: Vec<String> = message
                .fields
                .iter()
                .enumerate()
                .map(|(index, field)| {
                    let optional = if index >= message.always { " optional" } else { "" };
                    format!(" {} value{}{optional}", field.name(), index + 1)
                })
                .collect();
            let space = if fields.is_empty() { "" } else { " " };
            let _ = writeln!(
                text,
                "  type record {} {{{}{space}}} // {}",
                message.name,
                fields.join(","),
                one_line(&message.channel)
            );
        }
        text.push('\n');
    }
}

/// The default, for what no place expects. A port on which nothing comes cannot be received from.
fn other(text: &mut String, vocabulary: &Vocabulary) {
    text.push_str(
        "  // The default: outputs that are not expected, silence, and the end of time.\n",
    );
    text.push_str("  altstep a_other() runs on Tester {\n");
    if vocabulary.messages(Side::System).next().is_some() {
        text.push_str(
            "    [] sut.receive {
      t_wait.stop;
      f_end(fail, \"an output came that is not allowed in place \" & int2str(v_place));
    }\n",
        );
    }
    text.push_str(
        "    [] t_wait.timeout {
      f_silence();
    }
    [] t_run.timeout {
      t_wait.stop;
      f_end(inconc, \"the run took longer than PX_LONGEST\");
    }
  }\n\n",
    );
}

fn component(text: &mut String, suite: &Suite, vocabulary: &Vocabulary) {
    let names = |side: Side| -> Vec<String> {
        vocabulary.messages(side).map(|message| message.name.clone()).collect()
    };
    if names(Side::Tester).is_empty() && names(Side::System).is_empty() {
        let _ = writeln!(text, "  // Nothing is said, but a port has to have a type.");
        let _ = writeln!(text, "  type record In_nothing {{}}\n");
        let _ = writeln!(text, "  type port SystemPort message {{\n    out In_nothing;");
    } else {
        let _ = writeln!(text, "  type port SystemPort message {{");
    }
    for (direction, side) in [("out", Side::Tester), ("in", Side::System)] {
        let names = names(side);
        if !names.is_empty() {
            let _ = writeln!(text, "    {direction} {};", names.join(", "));
        }
    }
    let _ = writeln!(text, "  }}\n\n  type component SystemInterface {{");
    let _ = writeln!(text, "    port SystemPort sut;\n  }}\n\n  type component Tester {{");
    let _ = writeln!(text, "    port SystemPort sut;\n    timer t_run;\n    timer t_wait;");
    let _ = writeln!(text, "    var float v_now := 0.0;\n    var float v_wait := 0.0;");
    let _ = writeln!(text, "    var boolean v_open := false;\n    var boolean v_done := false;");
    let _ = writeln!(text, "    var integer v_place := 0;\n    var integer v_steps := 0;");
    let clocks = suite.cases.iter().map(|case| case.clocks.len()).max().unwrap_or(0);
    if clocks > 0 {
        let _ = writeln!(text, "    // When each clock was zero.");
    }
    for clock in 0..clocks {
        let _ = writeln!(text, "    var float v_zero{clock} := 0.0;");
    }
    text.push_str("  }\n\n");
}

/// The test case itself: from place to place until the end.
fn test(text: &mut String, suite: &Suite, index: usize) {
    let (case, number) = (&suite.cases[index], index + 1);
    let _ = writeln!(text, "  // Purpose: {}", one_line(&case.summary.goal.to_string()));
    for (position, clock) in case.clocks.iter().enumerate() {
        let _ = writeln!(text, "  // v_zero{position} is for the clock {}.", one_line(clock));
    }
    let _ = writeln!(text, "  testcase tc_{number}() runs on Tester system SystemInterface {{");
    let _ = writeln!(text, "    var default v_default := activate(a_other());");
    let _ = writeln!(text, "    map(mtc:sut, system:sut);\n    t_run.start(PX_LONGEST);");
    let _ = writeln!(text, "    while (not v_done) {{\n      v_steps := v_steps + 1;");
    let _ = writeln!(text, "      if (v_steps > PX_STEPS) {{");
    let _ = writeln!(text, "        f_end(inconc, \"there was no verdict after many steps\");");
    let _ = writeln!(text, "        break;\n      }}\n      select (v_place) {{");
    for position in 0..case.places.len() {
        let _ = writeln!(text, "        case ({position}) {{ f_{number}_{position}(); }}");
    }
    let _ = writeln!(text, "        case else {{ f_end(fail, \"there is no such place\"); }}");
    let _ = writeln!(text, "      }}\n    }}\n    t_run.stop;\n    unmap(mtc:sut, system:sut);");
    let _ = writeln!(text, "    deactivate(v_default);");
    let _ = writeln!(text, "  }}\n");
}
