//! A system that does not hear of what the tester does by itself.

use tioga_base::{Moment, Rational};
use tioga_testcase::{Action, TestCase};

use crate::fault::Fault;
use crate::scheduling_delay::SchedulingDelay;
use crate::system::{Heard, Ignored, System};

/// A system to which moves of the tester's own environment are not sent: they need no message.
pub struct WithoutOwnMoves<S> {
    system: S,
    own: Vec<String>,
}

impl<S> WithoutOwnMoves<S> {
    /// The system as the tester of these test cases sees it.
    pub fn new<'c>(system: S, cases: impl IntoIterator<Item = &'c TestCase>) -> Self {
        let own = cases.into_iter().flat_map(|case| case.own_moves.iter().cloned());
        Self { system, own: own.collect() }
    }
}

impl<S: System> System for WithoutOwnMoves<S> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.system.begin(seed)
    }

    fn is_exact(&self) -> bool {
        self.system.is_exact()
    }

    fn now(&self) -> Moment {
        self.system.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        match self.own.contains(&input.channel) {
            true => Ok(self.system.now()),
            false => self.system.send(input),
        }
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        self.system.wait(until, awaited)
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        self.system.scheduling_delays()
    }

    fn ignored(&self) -> Option<Ignored> {
        self.system.ignored()
    }

    fn stopped(&self) -> Option<Moment> {
        self.system.stopped()
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.system.finish()
    }
}

impl System for Box<dyn System + '_> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.as_mut().begin(seed)
    }

    fn is_exact(&self) -> bool {
        self.as_ref().is_exact()
    }

    fn now(&self) -> Moment {
        self.as_ref().now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.as_mut().send(input)
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        self.as_mut().wait(until, awaited)
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        self.as_mut().scheduling_delays()
    }

    fn ignored(&self) -> Option<Ignored> {
        self.as_ref().ignored()
    }

    fn stopped(&self) -> Option<Moment> {
        self.as_ref().stopped()
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.as_mut().finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remembers what it was sent.
    #[derive(Default)]
    struct Listener(Vec<String>);

    impl System for Listener {
        fn begin(&mut self, _: u64) -> Result<(), Fault> {
            Ok(())
        }

        fn is_exact(&self) -> bool {
            true
        }

        fn now(&self) -> Moment {
            Moment::START
        }

        fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
            self.0.push(input.channel.clone());
            Ok(Moment::START)
        }

        fn wait(&mut self, _: Rational, _: &[Action]) -> Result<Heard, Fault> {
            Ok(Heard::Nothing { now: Moment::START })
        }

        fn finish(&mut self) -> Result<(), Fault> {
            Ok(())
        }
    }

    #[test]
    fn the_system_hears_of_messages_only() {
        let action = |channel: &str| Action { channel: channel.to_owned(), values: Vec::new() };
        let inputs = vec![action("ask"), action("think")];
        let mut case = TestCase::without_purpose("case", "model", inputs, Vec::new());
        case.own_moves = vec!["think".to_owned()];
        let mut system = WithoutOwnMoves::new(Listener::default(), [&case]);
        for input in ["think", "ask", "think"] {
            assert_eq!(system.send(&action(input)).unwrap(), Moment::START);
        }
        assert_eq!(system.system.0, ["ask"]);
    }
}
