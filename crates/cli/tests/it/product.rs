//! The product of a model with a purpose as a model: every command answers for it as for the model with
//! the purpose.

use crate::binary::{Folder, Json, Run};
use serde_json::Value;

fn tioga(folder: &Folder, line: &[&str]) -> Run {
    folder.tioga(line, "")
}

/// The result of a command.
fn result(folder: &Folder, line: &[&str]) -> (i32, Value) {
    let mut words = vec!["--format", "json"];
    words.extend(line);
    let run = tioga(folder, &words);
    (run.code, run.json()["result"].clone())
}

/// An exchange, values, data, several processes and a purpose that refuses and restarts.
const RICH: &str = "
input coin(int[1, 2] value), again;
output tea, coffee, note;
internal think;
chan brew;
automaton Till {
  int[0, 2] paid;
  clock x;
  init location Idle;
  location Deciding invariant x <= 2;
  Idle -> Deciding : coin(v)? do paid = v, x = 0;
  Deciding -> Idle : brew! when x >= 1 do paid = 0;
  Idle -> Idle : again?;
}
automaton Kettle {
  clock y;
  init location Cold;
  location Hot invariant y <= 3;
  location Sure invariant y <= 4;
  Cold -> Hot : brew? do y = 0;
  Hot -> Sure : think when y >= 1;
  Hot -> Cold : coffee! when y >= 1;
  Sure -> Cold : tea!;
  Cold -> Cold : again?;
}
purpose Tea {
  clock z;
  init location Start;
  location Paid;
  accept location Done;
  refuse location Wrong;
  Start -> Paid : coin? do z = 0;
  Paid -> Done : tea! when z <= 6;
  Paid -> Wrong : coffee!;
  otherwise self;
}";

/// Clocks decide whether time stands still, for an output and for a channel inside.
const HURRIED: &str = "
input go;
output urgent chan ready;
output done;
urgent chan hurry;
automaton Belt {
  clock x;
  init location Idle;
  location Moving, Arrived;
  Idle -> Moving : go? do x = 0;
  Moving -> self : go?;
  Arrived -> self : go?;
  Moving -> Arrived : ready! when x >= 2;
  Arrived -> Idle : hurry! when x >= 3 do x = 0;
}
automaton Arm {
  clock y;
  init location Rest;
  location Busy invariant y <= 4;
  Rest -> Busy : hurry? do y = 0;
  Busy -> Rest : done! when y >= 1;
}
purpose Done {
  init location Start;
  location Once;
  accept location Twice;
  Start -> Once : done!;
  Once -> Twice : done!;
  otherwise self;
}";

/// Models with a purpose.
const MODELS: [(&str, &str); 4] = [
    ("@bjsk", "LowerBranch"),
    ("@conveyor", "ShipToTwo"),
    ("rich.tioga", "Tea"),
    ("hurried.tioga", "Done"),
];

#[test]
fn every_command_answers_for_the_product_as_for_the_model_with_the_purpose() {
    let folder = Folder::new("product");
    folder.write("rich.tioga", RICH);
    folder.write("hurried.tioga", HURRIED);
    for (model, purpose) in MODELS {
        let made = tioga(&folder, &["product", model, "-p", purpose, "-o", "p.tioga"]);
        assert_eq!((made.code, made.err.as_str()), (0, ""), "{model}: {}", made.out);
        let read = tioga(&folder, &["check", "p.tioga"]);
        assert_eq!((read.code, read.err.as_str()), (0, ""), "{model}: {}", read.out);
        // What it writes reads the same again.
        let again = tioga(&folder, &["fmt", "--check", "p.tioga"]);
        assert_eq!(again.code, 0, "{model}: {}{}", again.out, again.err);

        let holds = |(code, result): (i32, Value)| {
            (code, result["queries"][0]["holds"].clone(), result["queries"][0]["rank"].clone())
        };
        let own = holds(result(&folder, &["solve", model, "--purpose", purpose]));
        assert_eq!(own, holds(result(&folder, &["solve", "p.tioga"])), "{model}");
        let full = ["--ranks", "--full-information"];
        let own = ["solve", model, "--purpose", purpose, full[0], full[1]];
        let own = holds(result(&folder, &own));
        assert_eq!(own, holds(result(&folder, &["solve", "p.tioga", full[0], full[1]])), "{model}");

        let view = |(code, result): (i32, Value)| {
            let parts = ["exactness", "locations", "edges", "resources", "suggestion"];
            (code, parts.map(|part| result[part].clone()))
        };
        let own = view(result(&folder, &["determinize", model, "-p", purpose]));
        assert_eq!(own, view(result(&folder, &["determinize", "p.tioga"])), "{model}");

        let cases = |(code, result): (i32, Value)| {
            let summary = &result["suite"]["cases"][0]["summary"];
            (code, ["rank", "exact", "may_be_inconclusive"].map(|part| summary[part].clone()))
        };
        let own = cases(result(&folder, &["synth", model, "-p", purpose]));
        assert!(own.1[0].is_array(), "{model}: {own:?}");
        assert_eq!(own, cases(result(&folder, &["synth", "p.tioga"])), "{model}");

        // The traces are those of the model.
        for (one, other) in [(model, "p.tioga"), ("p.tioga", model)] {
            let run = tioga(&folder, &["conform", one, other, "--max-states", "20000"]);
            assert!(run.code == 0 || run.code == 3, "{one} {other}: {}{}", run.out, run.err);
        }
        // The specification of BJSK ignores inputs, so no model of it is a system that conforms.
        if model != "@bjsk" {
            let system = ["--sut", "model:p.tioga", "--no-journal"];
            let line = [&["test", model, "-p", purpose][..], &system].concat();
            let run = tioga(&folder, &line);
            assert!([0, 5].contains(&run.code), "{model}: {}{}", run.out, run.err);
        }
    }
}

#[test]
fn the_product_and_the_view_of_bjsk_are_those_of_the_paper() {
    let folder = Folder::new("product-bjsk");
    // Figure 3: the specification unfolded by the purpose, with l4 added as the example says.
    let (code, made) = result(&folder, &["product", "@bjsk", "-p", "LowerBranch", "-o", "p.tioga"]);
    assert_eq!((code, &made["locations"], &made["edges"]), (0, &9.into(), &9.into()));
    let text = folder.read("p.tioga");
    for line in [
        "init location l0_Start invariant x <= 1;",
        "accept location l8_Accept;",
        "l0_Start -> l1_Chosen : tau when x == 1;",
        "l0_Start -> l5_Chosen : tau when x == 1 do x = 0;",
        "l5_Chosen -> l6_Asked : a? when x < 1 do x = 0;",
        "l7_Answered -> l8_Accept : b!;",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // Figure 4: the game with one clock and the constant 2 is played on the product.
    let options = ["--clocks", "1", "--max-constant", "2"];
    let line = |head: &[&'static str]| [head, &options[..]].concat();
    let view = result(&folder, &line(&["determinize", "p.tioga"])).1;
    let own = result(&folder, &line(&["determinize", "@bjsk", "-p", "LowerBranch"])).1;
    for part in ["exactness", "locations", "edges", "resources", "game_states", "suggestion"] {
        assert_eq!(view[part], own[part], "{part}");
    }
    assert_eq!((&view["locations"], &view["edges"]), (&8.into(), &9.into()));
    assert_eq!(
        (&view["resources"]["clocks"], &view["exactness"]),
        (&1.into(), &"approximate".into())
    );
}

#[test]
fn what_is_no_purpose_or_too_large_is_refused() {
    let folder = Folder::new("product-wrong");
    let run = tioga(&folder, &["product", "@bjsk", "-p", "LowerBranches"]);
    assert!(run.code == 2 && run.err.contains("did you mean `LowerBranch`?"), "{}", run.err);
    let run = tioga(&folder, &["product", "@bjsk", "-p", "LowerBranch", "--max-states", "2"]);
    assert!(run.code == 3 && run.err.contains("`--max-states` allows more"), "{}", run.err);
}

#[test]
fn time_stands_still_in_the_product_where_it_does_in_the_model() {
    let folder = Folder::new("product-hurried");
    // Without inputs that change nothing, its traces can be compared exactly.
    let hurried = HURRIED.replace("  Moving -> self : go?;\n  Arrived -> self : go?;\n", "");
    assert_ne!(hurried, HURRIED);
    folder.write("hurried.tioga", &hurried);
    let made = tioga(&folder, &["product", "hurried.tioga", "-p", "Done", "-o", "p.tioga"]);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let text = folder.read("p.tioga");
    assert!(text.contains("urgent broadcast chan hurry;"), "{text}");
    // The product allows no delay more, and none less: all of its moves are reached in time.
    let run = tioga(&folder, &["conform", "p.tioga", "hurried.tioga"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = tioga(&folder, &["check", "p.tioga"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let windows = |model: &str| {
        let run = folder.tioga(&["simulate", model, "--interactive"], "1 0\n1 2\nd 1\nq\n");
        let shown = run.out.lines().filter_map(|line| line.split_once("  after "));
        shown.map(|(_, window)| window.split("  ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(windows("p.tioga"), windows("hurried.tioga"));
    assert!(windows("p.tioga").contains(&"{2}".to_owned()), "{:?}", windows("p.tioga"));
    // Without the urgency there are more, so the comparison can fail.
    folder.write("lazy.tioga", text.replace("urgent ", ""));
    let run = tioga(&folder, &["conform", "lazy.tioga", "hurried.tioga"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);

    // An urgent input is the tester's, and an open input is never urgent.
    let closed = hurried.replace("input go;", "input urgent chan go;")
        + "\nautomaton User { clock z; init location U; U -> self : go! when z >= 1 do z = 0; }
           system Belt, Arm environment User;";
    folder.write("closed.tioga", closed);
    let run = tioga(&folder, &["product", "closed.tioga", "-p", "Done"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the urgent input `go`"), "{}", run.err);
    assert!(run.err.contains("closed.tioga:"), "{}", run.err);
}
