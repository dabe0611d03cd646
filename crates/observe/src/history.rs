//! What was observed in a run, to be judged again when there were scheduling delays.
//!
//! A run is judged by the declared latencies. Before it fails, it is judged once more, with as much
//! leeway for each message as scheduling delay may have added ([`SchedulingDelays`]). What is explained
//! then is no failure, but no success either: the system may be right, or it was too late itself and
//! the scheduling delay hides it. From there on the run *relies on delay*: it may still fail, but not
//! pass.
//!
//! A system may count its times from when it did something, instead of from when it should have. As
//! long as the declared latencies explain what it does, that makes no difference. Once they do not,
//! everything that follows may be late for the same reason: in a run that relies on delay, every delay
//! from the one of the first such message on counts for all that comes later.

use tioga_adapters::{SchedulingDelay, SchedulingDelays};
use tioga_base::{Cancel, Moment, Overflow, Rational, Times};
use tioga_estimate::{Board, Error, Estimator, Explained, Latencies};
use tioga_testcase::{Action, Verdict};

/// Why a run is over in which an input may have arrived when it was not allowed.
pub fn unspecified(observed: &str) -> String {
    format!("{observed}; an input that arrived when it was not allowed would explain it")
}

/// What would explain a run if inputs that arrived where they are not accepted were lost. An input meets
/// outputs that the tester cannot know of yet, so it may arrive there in spite of all care; what follows
/// proves nothing then.
pub struct Losing<B: Board> {
    /// Nothing where messages take no time, or if there are too many explanations to follow.
    estimator: Option<Estimator<B>>,
    /// Whether this explains the run so far.
    pub explains: bool,
}

impl<B: Board> Losing<B> {
    /// A run that has not begun, which the estimator knows nothing of.
    pub fn new(estimator: Estimator<B>, latency: Latencies) -> Self {
        let estimator = (!latency.is_none()).then(|| estimator.losing_inputs());
        Self { explains: estimator.is_some(), estimator }
    }

    /// Lets the flag end its steps.
    pub fn stop_with(&mut self, cancel: &Cancel) {
        self.estimator.iter_mut().for_each(|estimator| estimator.stop_with(cancel));
    }

    /// Something was observed.
    pub fn observe(&mut self, observed: &Observation, history: &History) {
        let Some(estimator) = self.estimator.as_mut().filter(|_| self.explains) else { return };
        match history.tell(observed, estimator) {
            Ok(explained) => self.explains = explained == Explained::Yes,
            // What is not known does not make a run fail.
            Err(_) => self.estimator = None,
        }
    }

    /// The same run with scheduling delays.
    pub fn again(estimator: Estimator<B>, history: &History) -> Self {
        let mut estimator = estimator.losing_inputs();
        match history.replay(&mut estimator, |_| Ok(())) {
            Ok(explained) => {
                Self { estimator: Some(estimator), explains: explained == Explained::Yes }
            }
            // What is not known does not make a run fail.
            Err(_) => Self { estimator: None, explains: true },
        }
    }
}

/// Something that was observed.
#[derive(Clone)]
pub enum Observation {
    /// An input was sent.
    Sent(Action, Moment),
    /// An output was heard.
    Heard(Action, Moment),
    /// Nothing was heard until then.
    Quiet(Rational),
}

impl Observation {
    /// Since when nothing else can have been observed.
    fn at(&self) -> Moment {
        match self {
            Self::Sent(_, at) | Self::Heard(_, at) => *at,
            Self::Quiet(until) => Moment::exactly(*until),
        }
    }

    /// Tells an estimator.
    fn tell<B: Board>(
        &self,
        estimator: &mut Estimator<B>,
        leeway: Leeway,
    ) -> Result<Explained, Error> {
        estimator.allow(leeway.output);
        Ok(match self {
            Self::Sent(action, at) => estimator.sent_within(action, *at, leeway.input)?,
            Self::Heard(action, at) => estimator.heard(action, *at)?,
            Self::Quiet(until) => estimator.quiet(*until)?,
        })
    }

    /// What happened, in words, given what came of telling it.
    pub fn story(&self, explained: Explained, times: Times) -> String {
        let silence = |until| format!("the system was silent until {}", times.moment(until));
        match self {
            Self::Sent(action, at) => {
                format!("the tester sent `{action}` at {}", times.moment(*at))
            }
            Self::Heard(_, at) if explained == Explained::Late => silence(*at),
            Self::Heard(action, at) => {
                format!("the system answered `{action}` at {}", times.moment(*at))
            }
            Self::Quiet(until) => silence(Moment::exactly(*until)),
        }
    }
}

/// How much longer than the jitter messages may take.
#[derive(Clone, Copy, Debug)]
struct Leeway {
    /// The input that was sent.
    input: Rational,
    /// Outputs that were heard, or should have been.
    output: Rational,
}

impl Leeway {
    const NONE: Self = Self { input: Rational::ZERO, output: Rational::ZERO };
}

/// A run so far, and whether its judgement relies on delay.
#[derive(Clone)]
pub struct History {
    observed: Vec<Observation>,
    /// Whether a run may have to be judged again at all.
    keeps: bool,
    declared: Latencies,
    times: Times,
    delays: SchedulingDelays,
    /// How many delays were known when the run was judged last; nothing while the declared latencies
    /// alone explain it.
    considered: Option<u64>,
    /// Why the run can no longer pass.
    reliance: Option<Reliance>,
}

/// Something that only scheduling delay explains.
#[derive(Clone)]
struct Reliance {
    /// What, and how.
    reason: String,
    /// Since when delays may have made it late.
    since: Rational,
    /// When it was observed.
    at: Rational,
}

impl History {
    /// Nothing was observed yet; reasons show times so.
    pub fn new(declared: Latencies, times: Times) -> Self {
        let (observed, delays) = (Vec::new(), SchedulingDelays::default());
        Self { observed, keeps: true, declared, times, delays, considered: None, reliance: None }
    }

    /// How times are shown.
    pub fn times(&self) -> Times {
        self.times
    }

    /// Time is virtual: there is no scheduling delay, nothing is judged again, and nothing has to be
    /// kept. So however long a run is, it takes no more memory.
    pub fn keep_nothing(&mut self) {
        self.keeps = false;
        self.observed = Vec::new();
    }

    /// There was a scheduling delay.
    pub fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Overflow> {
        self.delays.add(delay)
    }

    /// Something was observed, which the estimator is told. Only the last of several silences in a
    /// row matters.
    pub fn add<B: Board>(
        &mut self,
        observed: &Observation,
        estimator: &mut Estimator<B>,
    ) -> Result<Explained, Error> {
        match (self.observed.last_mut(), observed) {
            (Some(Observation::Quiet(last)), Observation::Quiet(until)) => *last = *until,
            _ if self.keeps => self.observed.push(observed.clone()),
            _ => {}
        }
        self.tell(observed, estimator)
    }

    /// Tells an estimator what was observed, with the leeway that the run is judged by now.
    pub fn tell<B: Board>(
        &self,
        observed: &Observation,
        estimator: &mut Estimator<B>,
    ) -> Result<Explained, Error> {
        let leeway = if self.considered.is_some() { self.leeway(observed)? } else { Leeway::NONE };
        observed.tell(estimator, leeway)
    }

    /// What scheduling delay may have added to the messages that an observation tells about.
    fn leeway(&self, observed: &Observation) -> Result<Leeway, Overflow> {
        let Latencies { input, output, jitter } = self.declared;
        let at = observed.at();
        let mut output = self.delays.before(at.earliest(), output.latest().add(jitter)?)?;
        if let Some(reliance) = self.reliance.as_ref().filter(|reliance| reliance.at <= at.latest())
        {
            output = output.max(self.delays.total(reliance.since, at.latest())?);
        }
        let input = match observed {
            Observation::Sent(..) => {
                self.delays.after((at.earliest(), at.latest()), input.latest().add(jitter)?)?
            }
            _ => Rational::ZERO,
        };
        Ok(Leeway { input, output })
    }

    /// Whether there is a reason to judge the run once more: there was a scheduling delay, and it is
    /// not yet known what that explains.
    pub fn reconsider(&mut self) -> bool {
        let noticed = self.delays.noticed();
        let news = self.keeps && noticed > self.considered.unwrap_or(0);
        if news {
            self.considered = Some(noticed);
        }
        news
    }

    /// Tells a lenient estimator that knows nothing yet what was observed, with as much leeway as
    /// scheduling delay explains, up to what it cannot explain. After each observation that it
    /// explains, `then` has a look.
    pub fn replay<B: Board>(
        &self,
        estimator: &mut Estimator<B>,
        then: impl FnMut(&mut Estimator<B>) -> Result<(), Error>,
    ) -> Result<Explained, Error> {
        self.retell(&self.observed, estimator, then)
    }

    /// The same without what was observed last, about which there is more to be said.
    pub fn replay_earlier<B: Board>(
        &self,
        estimator: &mut Estimator<B>,
    ) -> Result<Explained, Error> {
        let earlier = self.observed.split_last().map_or(&[][..], |(_, earlier)| earlier);
        self.retell(earlier, estimator, |_| Ok(()))
    }

    fn retell<B: Board>(
        &self,
        observed: &[Observation],
        estimator: &mut Estimator<B>,
        mut then: impl FnMut(&mut Estimator<B>) -> Result<(), Error>,
    ) -> Result<Explained, Error> {
        for observed in observed {
            let explained = observed.tell(estimator, self.leeway(observed)?)?;
            if explained != Explained::Yes {
                return Ok(explained);
            }
            then(estimator)?;
        }
        Ok(Explained::Yes)
    }

    /// The latencies without scheduling delay.
    pub fn declared(&self) -> Latencies {
        self.declared
    }

    /// Only scheduling delay explains what was observed last.
    pub fn rely_on_delay(&mut self, story: &str) -> Result<(), Overflow> {
        if self.reliance.is_some() {
            return Ok(());
        }
        let Some(last) = self.observed.last().map(Observation::at) else { return Ok(()) };
        let mut worst = (Rational::ZERO, last);
        // What delayed the last message is the likeliest cause, but it may be an earlier one.
        for observed in self.observed.iter().rev() {
            let Leeway { input, output } = self.leeway(observed)?;
            worst = (input.max(output), observed.at());
            if worst.0 > Rational::ZERO {
                break;
            }
        }
        let late = self.times.at_most(worst.0);
        let at = self.times.moment(Moment::exactly(worst.1.latest()));
        let reason = format!("only scheduling delay ({late} at {at}) explains that {story}");
        let Latencies { output, jitter, .. } = self.declared;
        let way = output.latest().add(jitter)?;
        let since = last.earliest().sub(way)?.sub(self.delays.before(last.earliest(), way)?)?;
        self.reliance = Some(Reliance { reason, since, at: last.latest() });
        Ok(())
    }

    /// Whether the run can no longer pass.
    pub fn relies_on_delay(&self) -> bool {
        self.reliance.is_some()
    }

    /// The verdict that remains of one, with its reason.
    pub fn qualified(&self, verdict: Verdict, reason: String) -> (Verdict, String) {
        let late = self.delays.longest().map_or(Rational::ZERO, |delay| delay.length);
        match (verdict, &self.reliance) {
            (Verdict::Fail, _) if late > self.declared.jitter => {
                let late = self.times.at_most(late);
                let more = format!("{reason}; host delays up to {late}, none here");
                (verdict, more)
            }
            (Verdict::Pass | Verdict::Uncertain, Some(reliance)) => {
                (Verdict::Inconclusive, reliance.reason.clone())
            }
            (Verdict::Inconclusive, Some(reliance)) => {
                (verdict, format!("{reason}; {}", reliance.reason))
            }
            _ => (verdict, reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use tioga_base::{Diagnostics, FileId};
    use tioga_estimate::ModelBoard;
    use tioga_parse::{Format, Options, lower, parse};

    use super::*;

    #[test]
    fn stories_tell_the_values() {
        let wrong = Action::new("wrong", &[2u8]);
        let heard = Observation::Heard(wrong.clone(), Moment::START);
        assert_eq!(
            heard.story(Explained::NoOutput, Times::default()),
            "the system answered `wrong(2)` at 0"
        );
        let sent = Observation::Sent(wrong, Moment::START);
        assert_eq!(
            sent.story(Explained::NoOutput, Times::default()),
            "the tester sent `wrong(2)` at 0"
        );
    }

    #[test]
    fn with_virtual_time_nothing_is_kept() {
        let text = "output a; automaton P { init location L; L -> self : a!; }";
        let mut diagnostics = Diagnostics::new();
        let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
        let network = lower(&document, &Options::default(), &mut diagnostics).unwrap();
        let model = network.validate().unwrap();
        let board = ModelBoard::new(&model, &[]).unwrap();
        let mut estimator = Estimator::new(board, Latencies::NONE).unwrap();
        let heard = Observation::Heard(Action::new("a", &[0u8; 0]), Moment::START);
        let delay =
            SchedulingDelay { from: Rational::ZERO, until: Rational::ONE, length: Rational::ONE };

        let mut history = History::new(Latencies::NONE, Times::default());
        history.add(&heard, &mut estimator).unwrap();
        assert_eq!(history.observed.len(), 1);
        history.scheduling_delay(delay).unwrap();
        assert!(history.reconsider());

        let mut history = History::new(Latencies::NONE, Times::default());
        history.keep_nothing();
        assert_eq!(history.add(&heard, &mut estimator).unwrap(), Explained::Yes);
        assert_eq!(history.observed.capacity(), 0);
        // What is not kept cannot be judged again.
        history.scheduling_delay(delay).unwrap();
        assert!(!history.reconsider());
    }
}
