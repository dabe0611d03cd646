//! Failures of systems that answer at other times in each run, made shorter.

use std::sync::{Arc, Mutex};

use crate::shrink::{sent, shop_settings, shrunk};
use tioga_adapters::{Fault, Heard, System};
use tioga_base::{Moment, Rational};
use tioga_concrete::Chance;
use tioga_execute::{Again, Event, Outcome, RunFailure, RunRecord, SystemFactory};
use tioga_testcase::Action;
use tioga_testkit::model;

/// A desk that answers everything within five time units.
const DESK: &str = "\
input press, ping;
output ok, pong, alarm;
automaton Desk {
  clock x;
  init location Idle;
  location Pressed, Pinged invariant x <= 5;
  Idle -> Pressed : press? do x = 0;
  Pressed -> Idle : ok!;
  Idle -> Pinged : ping? do x = 0;
  Pinged -> Idle : pong!;
}
";

/// A desk whose answers jitter, whatever the seed, and which answers the fourth press with an alarm.
struct Jittery {
    chance: Arc<Mutex<Chance>>,
    now: Rational,
    presses: u32,
    answer: Option<(Rational, Action)>,
    /// One time in so many the fourth press is answered in order after all.
    spares: usize,
}

impl System for Jittery {
    fn begin(&mut self, _: u64) -> Result<(), Fault> {
        (self.now, self.presses, self.answer) = (Rational::ZERO, 0, None);
        Ok(())
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        let mut chance = self.chance.lock().unwrap();
        let delay = Rational::new(chance.number(3..=19), 4).unwrap();
        let press = input.channel == "press";
        self.presses += u32::from(press);
        let spared = self.spares > 0 && chance.position(self.spares) == 0;
        let answer = match press {
            true if self.presses == 4 && !spared => "alarm",
            true => "ok",
            false => "pong",
        };
        // An input that comes before the answer to the one before is lost on it.
        if self.answer.is_none() {
            self.answer = Some((self.now.add(delay).unwrap(), Action::new(answer, &[] as &[i64])));
        }
        Ok(self.now())
    }

    fn wait(&mut self, until: Rational, _: &[Action]) -> Result<Heard, Fault> {
        if let Some((at, action)) = self.answer.take_if(|(at, _)| *at <= until) {
            self.now = at;
            return Ok(Heard::Output { at: self.now(), action });
        }
        self.now = self.now.max(until);
        Ok(Heard::Nothing { now: self.now() })
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Four presses among 27 pings, each sent a while after the answer to the one before.
fn recorded_at_desk(systems: &SystemFactory<'_>) -> RunRecord {
    let mut system = systems().unwrap();
    system.begin(0).unwrap();
    let mut events = vec![Event::Begin { case: "shop".to_owned(), seed: 0 }];
    for number in 0..31 {
        let pause = system.now().latest().add(Rational::new(number % 3, 2).unwrap()).unwrap();
        system.wait(pause, &[]).unwrap();
        let input = if [6, 13, 22, 30].contains(&number) { "press" } else { "ping" };
        let action = Action::new(input, &[] as &[i64]);
        let at = system.send(&action).unwrap();
        events.push(Event::Sent { at, action });
        let by = system.now().latest().add(Rational::integer(5)).unwrap();
        let Heard::Output { at, action } = system.wait(by, &[]).unwrap() else {
            panic!("the desk answers")
        };
        events.push(Event::Heard { at, action });
    }
    let at = system.now();
    let (outcome, reason) = (Outcome::Fail, "an alarm".to_owned());
    let (longest_delay, ignored, stopped, delays) = (Rational::ZERO, None, None, Vec::new());
    events.push(Event::End { outcome, reason, at, longest_delay, ignored, stopped, delays });
    RunRecord { run: 0, events }
}

#[test]
fn answers_that_jitter_do_not_keep_a_failure_long() {
    let specification = model(DESK);
    for (seed, spares) in [(1, 0), (2, 0), (3, 0), (4, 3), (5, 3)] {
        let chance = Arc::new(Mutex::new(Chance::new(seed)));
        let desk = |spares| Jittery {
            chance: chance.clone(),
            now: Rational::ZERO,
            presses: 0,
            answer: None,
            spares,
        };
        let record = recorded_at_desk(&|| Ok(Box::new(desk(0))));
        let systems: &SystemFactory<'_> = &|| Ok(Box::new(desk(spares)));
        let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 2000);
        assert_eq!(result.failure, Some(RunFailure::Output("alarm".to_owned())), "{seed}");
        assert_eq!((result.before, result.after), (31, 4), "{seed}: {:?}", sent(&result.record));
        assert!(result.complete, "{seed}");
        // How often it fails is told: always, or two times in three.
        let Again { tries, failed } = result.again;
        assert_eq!(tries, 10);
        assert!(if spares == 0 { failed == 10 } else { (1..10).contains(&failed) }, "{failed}");
    }
}
