//! Machines written for these tests, against the same models in Tioga's language.

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId};

use crate::{Format, parse};

/// A machine with these declarations and states.
fn machine(declarations: &str, states: &str) -> String {
    format!(
        "@xlia< system , 1.0 >:\ntimed system S {{ @composite: statemachine M {{ @public: {declarations}
@region: {states} @com: connect< env >{{ }} }} }}"
    )
}

/// The text as a document in Tioga's language, and the codes of all diagnostics.
fn read(text: &str) -> (Option<String>, Vec<&'static str>) {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Xlia, FileId(0), text, &mut diagnostics);
    let printed = document.map(|document| crate::tioga::print(&document).unwrap());
    (printed, diagnostics.iter().map(|one| one.code).collect())
}

#[track_caller]
fn same(xlia: &str, tioga: &str, codes: &[&str]) {
    let (printed, found) = read(xlia);
    assert_eq!(found, codes);
    let mut diagnostics = Diagnostics::new();
    let expected = parse(Format::Tioga, FileId(0), tioga, &mut diagnostics).unwrap();
    let expected = crate::tioga::print(&expected).unwrap();
    // Comments and blank lines of the expected text are its own.
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&printed.unwrap()), lines(&expected));
}

#[test]
fn a_machine_is_an_automaton() {
    let xlia = "@xlia< system , 1.0 >:
timed system Doors {
@composite:
  lifeline statemachine Door {
  @public:
    port input Open( int who, urational );
    port output Moved( int );
    port output Shut;
    const uint LIMIT = 5;
    const uint AUTO;
  @private:
    var int who;
    var rational speed;
    var boolean busy;
    var clock urational cl;
  @region:
    state< start > Closed {
      @init { who := 3; busy := false; }
      transition t1 --> Opening {
        input Open( who, speed );
        guard ( 1 <= who <= 9 && ! busy );
        cl := 0; busy = true;
      }
    }
    state Opening { transition t2 --> Closed { guard cl <= LIMIT; output Moved( who + 1 ); busy := false; } }
    state< terminal > Broken;
  @com:
    connect< env > { input Open; output Moved; output Shut; }
  }
}
// a comment";
    let tioga = "model Doors;
input Open(integer who, rational);
output Moved(integer);
output Shut;
const integer LIMIT = 5;
param integer AUTO where AUTO >= 0;
automaton Door {
  integer who = 3; rational speed; bool busy = false; clock cl;
  init location Closed; location Opening; location Broken;
  Closed -> Opening : Open(who_in, speed_in)? when speed_in >= 0 && (1 <= who_in && who_in <= 9 && !busy)
    do who = who_in, speed = speed_in, cl = 0, busy = true;
  Opening -> Closed : Moved(who + 1)! when cl <= LIMIT do busy = false;
}";
    same(xlia, tioga, &[]);
}

#[test]
fn statements_run_in_order() {
    let declarations =
        "port input A( int ); port output B( int ); var int x; var int y; var clock urational c;";
    let states = "state<start> p {
transition --> q { y := x + 1; input A( x ); guard x < y; x := x * 2; guard x > 4; y += x; c := 0; guard c <= 3; }
transition --> q { x := 7; output B( x + y ); }
transition --> p; } state q;";
    let tioga = "model S; input A(integer); output B(integer);
automaton M { integer x; integer y; clock c; init location p; location q;
  p -> q : A(x_in)? when x_in < x + 1 && x_in * 2 > 4 && 0 <= 3
    do y = x + 1, x = x_in, x = x * 2, y = y + x, c = 0;
  p -> q : B(7 + y)! do x = 7;
  p -> p; }";
    same(&machine(declarations, states), tioga, &[]);
}

#[test]
fn what_a_clock_is_compared_with_is_an_integer() {
    let declarations =
        "port input A( urational ); port output B( urational ); var urational sum; var urational x;
var urational y; var clock urational c;";
    let states =
        "state<start> p { transition --> q { input A( x ); sum := sum + x; y := x; c := 0; } }
state q { transition --> p { guard c == 42 - y; output B( x ); } }";
    let tioga = "model S; input A(integer); output B(rational);
automaton M { rational sum_; integer x; integer y; clock c; init location p; location q;
  p -> q : A(x_in)? when x_in >= 0 do x = x_in, sum_ = sum_ + x, y = x, c = 0;
  q -> p : B(x)! when c == 42 - y; }";
    let codes = ["read-as-integer", "read-as-integer"];
    same(&machine(declarations, states), tioga, &codes);
}

#[test]
fn what_is_not_read_is_told() {
    let port = "port input A( int ); port output B; var int x; var clock urational c;";
    let cases = [
        (
            machine(port, "state<start> p { transition --> p { input A( x ); output B; } }"),
            "unsupported",
        ),
        (machine(port, "state<start> p { transition --> p { input A( 3 ); } }"), "wrong-arguments"),
        (machine(port, "state<start> p { transition --> p { input A( c ); } }"), "wrong-arguments"),
        (machine(port, "state<start> p { transition --> p { input A; } }"), "wrong-arguments"),
        (machine(port, "state<start> p { transition --> p { input B; } }"), "wrong-direction"),
        (machine(port, "state<start> p { transition --> p { output D; } }"), "unknown-name"),
        (machine(port, "state<start> p { transition --> p { guard x[1] > 2; } }"), "unsupported"),
        (machine(port, "state<start> p { transition --> p { guard x > 2 } }"), "syntax"),
        (machine(port, "state<junction> p;"), "unsupported"),
        (machine(port, "state<start> p; state<start> q;"), "unsupported"),
        (machine(port, "state p { @init { x := 1; } }"), "unsupported"),
        (machine(port, "state<start> p { @init { c := 1; } }"), "unsupported"),
        (machine("port input A( clock urational );", "state<start> p;"), "wrong-type"),
        (machine("var string s;", "state<start> p;"), "unsupported"),
        (machine(port, "state<start> p; } statemachine N {"), "unsupported"),
        (machine(port, "").replace("env", "N"), "unsupported"),
        (String::new(), "syntax"),
        ("@xlia".to_owned(), "syntax"),
    ];
    for (text, code) in cases {
        let (document, codes) = read(&text);
        assert!(document.is_none() && codes.contains(&code), "{text}: {codes:?}");
    }
    // Values in the place of names do not explode.
    let doubled = "x := x + x; ".repeat(60);
    let states = format!("state<start> p {{ transition --> p {{ {doubled} guard x > 1; }} }}");
    assert_eq!(read(&machine(port, &states)).1, ["too-long"]);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        read(&text);
    }

    #[test]
    fn no_change_of_a_text_makes_it_panic(at in 0..600usize, length in 0..30usize, put in "[a-z{}();<>=@:&!+-]{0,6}") {
        let states = "state<start> p { @init { x := 1; } transition t --> q { input A( x ); guard( 1 <= x < 9 ); x := x + 1; c := 0; } }
state q { transition --> p { guard c <= x; output B( x ); } }";
        let text = machine("port input A( urational v ); port output B( int ); var urational x; const uint k = 3; var clock urational c;", states);
        let at = at.min(text.len());
        let end = (at + length).min(text.len());
        read(&format!("{}{put}{}", &text[..at], &text[end..]));
    }
}
