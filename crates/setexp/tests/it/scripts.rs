//! Scripts: written and read again they are the same, and moments that are not known exactly are followed in every
//! order.

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_setexp::{Message, Script, ScriptFollower, Verdict};
use tioga_terms::Exact;

use crate::sptg::PATHS;
use crate::stages::{example, stages};

#[test]
fn written_and_read_again_they_are_the_same() {
    for (name, purpose, _) in PATHS {
        let stages = stages(&example(&format!("sptg/{name}.tioga")), purpose);
        let script = Script::of(&stages.graph, &stages.game, |node| node.to_string()).unwrap();
        let case = script.to_case().unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let again = Script::of_case(&case).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        assert_eq!(again.steps.len(), script.steps.len(), "{name} {purpose}");
        assert_eq!(again.to_case().unwrap(), case, "{name} {purpose}");
    }
}

/// After a request, the answer comes after 2 to 5 time units.
const ECHO: &str = "
model echo;
input req(integer m);
output ack(integer v);
automaton Echo {
  clock c;
  integer last;
  init location Idle;
  location Busy invariant c <= 5;
  Idle -> Busy : req(m)? do last = m, c = 0;
  Busy -> Idle : ack(last)! when c >= 2;
}
purpose Once {
  init location Start;
  accept location A;
  Start -> A : ack(v)!;
  otherwise self;
}";

fn moment(from: &str, to: &str) -> Moment {
    Moment::between(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

/// The verdict after a request between these moments and an answer between those.
fn judged(sent: (&str, &str), heard: (&str, &str), value: i64) -> Option<Verdict> {
    let stages = stages(ECHO, "Once");
    let script = Script::of(&stages.graph, &stages.game, |node| node.to_string()).unwrap();
    let mut solver = Exact::new();
    let mut follower = ScriptFollower::new(&script, BTreeMap::new(), &mut solver).unwrap();
    let message = |action: &str, value: i64| Message {
        action: action.to_owned(),
        values: vec![Rational::integer(value)],
    };
    let over = follower.sent(moment(sent.0, sent.1), &message("req", 7), &mut solver).unwrap();
    assert_eq!(over, None);
    let over = follower.heard(moment(heard.0, heard.1), &message("ack", value), &mut solver);
    over.unwrap().map(|(verdict, _)| verdict)
}

#[test]
fn a_fail_means_that_no_moment_explains_the_run() {
    let exact = ("1", "1");
    for (heard, verdict) in [
        (("2.9", "2.9"), Verdict::Fail),
        (("3", "3"), Verdict::Pass),
        (("6", "6"), Verdict::Pass),
        (("6.1", "6.1"), Verdict::Fail),
        (("2.5", "2.9"), Verdict::Fail),
        (("2.9", "3"), Verdict::Pass),
        (("2.9", "3.1"), Verdict::Pass),
        (("6", "7"), Verdict::Pass),
        (("6.1", "7"), Verdict::Fail),
    ] {
        assert_eq!(judged(exact, heard, 7), Some(verdict), "{heard:?}");
        assert_eq!(judged(exact, heard, 8), Some(Verdict::Fail), "{heard:?}");
    }
    // The request may have been earlier or later.
    assert_eq!(judged(("1", "1.5"), ("2.9", "2.9"), 7), Some(Verdict::Fail));
    assert_eq!(judged(("0.5", "1"), ("2.9", "2.9"), 7), Some(Verdict::Pass));
    assert_eq!(judged(("1", "1.5"), ("6.4", "6.4"), 7), Some(Verdict::Pass));
}

#[test]
fn silence_is_late_only_after_its_deadline() {
    let stages = stages(ECHO, "Once");
    let script = Script::of(&stages.graph, &stages.game, |node| node.to_string()).unwrap();
    let mut solver = Exact::new();
    let mut follower = ScriptFollower::new(&script, BTreeMap::new(), &mut solver).unwrap();
    let request = Message { action: "req".to_owned(), values: vec![Rational::integer(7)] };
    assert_eq!(follower.sent(moment("1", "1.5"), &request, &mut solver).unwrap(), None);
    for now in ["3.5", "6", "6.5"] {
        assert_eq!(follower.quiet(moment(now, now), &mut solver).unwrap(), None, "{now}");
    }
    // At the last instant an answer is still in time.
    let mut answered = follower.clone();
    let answer = Message { action: "ack".to_owned(), values: vec![Rational::integer(7)] };
    let over = answered.heard(moment("6.5", "6.5"), &answer, &mut solver).unwrap();
    assert_eq!(over.map(|(verdict, _)| verdict), Some(Verdict::Pass));
    let over = follower.quiet(moment("6.6", "6.6"), &mut solver).unwrap();
    assert_eq!(over.map(|(verdict, _)| verdict), Some(Verdict::Fail));
}
