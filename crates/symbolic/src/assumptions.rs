//! What test synthesis assumes of a specification, decided on everything reachable: that time can
//! always pass without the tester's help, that something can always be observed again, that no run
//! makes infinitely many steps in finite time, and that a restart is always possible again and leads to
//! the start.
//!
//! Each question asks about all reachable points, and these are closed under delays and steps. So it
//! suffices to ask about each point once: if every reachable point can let one unit of time pass, then
//! every one can do so again and again. (HJM22 3.1, Definition 6.)

use tioga_explore::{SearchOptions, Statistics, Store};
use tioga_model::{ChannelId, ChannelUse, Expr, Label, Model, StepLabel};
use tioga_zones::{Bound, Federation};

use crate::arena::{Arena, ArenaStep};
use crate::effort::Effort;
use crate::endless::endless;
use crate::eventually::eventually;
use crate::lasso::{Lasso, lasso};
use crate::witness::TimedStep;
use crate::{Abstraction, Error, Survey, ZoneGraph};

/// What is known about an assumption.
#[derive(Clone, PartialEq, Debug)]
pub enum AssumptionAnswer {
    /// It holds in every reachable state.
    Holds,
    /// It does not hold in the state where this run ends.
    Fails(Vec<TimedStep>),
    /// It was not decided, for this reason.
    Unknown(String),
}

/// What is known about runs with infinitely many steps in finite time.
#[derive(Clone, PartialEq, Debug)]
pub enum Endless {
    /// There is none.
    None,
    /// Here is one.
    Found(Lasso),
    /// It was not decided, for this reason.
    Unknown(String),
}

/// The assumptions of test synthesis.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumptions {
    /// From every reachable state and for every duration there is a run of that duration without
    /// open inputs. A run that ends in a state where less than one unit of `1 / scale` can pass
    /// refutes it.
    pub non_blocking: AssumptionAnswer,
    /// From every reachable state there is a run that shows an input or an output.
    pub repeatedly_observable: AssumptionAnswer,
    /// Zeno runs of any steps.
    pub zeno: Endless,
    /// Zeno runs without inputs from some moment on: outputs and internal steps only.
    pub zeno_alone: Endless,
    /// What is known of each restart action that a purpose declares.
    pub restarts: Vec<Restart>,
}

/// What is known about a restart action.
#[derive(Clone, PartialEq, Debug)]
pub struct Restart {
    /// The action.
    pub action: StepLabel,
    /// From every reachable state there is a run that takes it.
    pub possible: AssumptionAnswer,
    /// Wherever it is taken, it leads to the start: the initial discrete state with all clocks that
    /// matter there at zero. A run that ends with it somewhere else refutes this.
    pub returns: AssumptionAnswer,
}

/// How many bounds of zones may be looked at for each state that may be visited, and each question.
const EFFORT: u64 = 1000;

impl Assumptions {
    /// Decides the assumptions for a model; a search that does not end may still refute them. If the
    /// model is known to be strongly non-Zeno, that says there are no Zeno runs.
    pub fn of(
        model: &Model,
        strongly_non_zeno: bool,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Self, Error> {
        let graph = ZoneGraph::new(model, Abstraction::M, &[])?;
        let (survey, found) = Survey::in_graph(&graph, options, report);
        Self::after(&survey, &graph, &found, strongly_non_zeno, options)
    }

    /// Nothing is known, for this reason.
    pub fn unknown(model: &Model, reason: &str) -> Self {
        let unknown = AssumptionAnswer::Unknown(reason.to_owned());
        let endless = Endless::Unknown(reason.to_owned());
        let restart =
            |(action, _)| Restart { action, possible: unknown.clone(), returns: unknown.clone() };
        Self {
            non_blocking: unknown.clone(),
            repeatedly_observable: unknown.clone(),
            zeno: endless.clone(),
            zeno_alone: endless,
            restarts: restart_labels(model).into_iter().map(restart).collect(),
        }
    }

    /// Decides the assumptions on what a survey of the graph found.
    pub fn after<'m>(
        survey: &Survey,
        graph: &ZoneGraph<'m>,
        found: &Store<ZoneGraph<'m>>,
        strongly_non_zeno: bool,
        options: &SearchOptions,
    ) -> Result<Self, Error> {
        let model = graph.model();
        let cancel = &options.limits.cancel;
        let limited = Effort::unlimited(cancel.clone());
        let arena = Arena::of(graph, found, survey.incomplete.clone(), &limited)?;
        let states = options.limits.visited.map_or(u64::MAX, |visited| visited.max(1000));
        let effort = states.saturating_mul(EFFORT);
        let asked = Asked { arena: &arena, effort, options };
        let mut zeno_alone = Endless::None;
        let mut zeno = Endless::None;
        if !strongly_non_zeno {
            zeno_alone = asked.endless(|step| !is_input(step));
            let inputs = arena.states.iter().flat_map(|state| &state.steps).any(is_input);
            zeno = match &zeno_alone {
                Endless::None | Endless::Unknown(_) if inputs => asked.endless(|_| true),
                same => same.clone(),
            };
        }
        Ok(Self {
            non_blocking: asked.non_blocking(),
            repeatedly_observable: asked.possible(is_observable),
            zeno,
            zeno_alone,
            restarts: restart_labels(model).into_iter().map(|one| asked.restart(one)).collect(),
        })
    }
}

/// Questions about an arena.
struct Asked<'a, 'g, 'm> {
    arena: &'a Arena<'g, 'm>,
    /// How much may be done for each.
    effort: u64,
    options: &'a SearchOptions,
}

impl Asked<'_, '_, '_> {
    fn effort(&self) -> Effort {
        Effort::new(self.effort, self.options.limits.cancel.clone())
    }

    /// Whether one unit of time can pass from every reachable point, without open inputs. Then
    /// another can, and so on.
    fn non_blocking(&self) -> AssumptionAnswer {
        let arena = self.arena;
        let unit = Bound::le(-1).expect("1 is in range");
        let seed = |state: usize, effort: &mut Effort| {
            let mut late = arena.states[state].domain.clone();
            late.constrain(0, arena.stopwatch(), unit);
            arena.earlier(state, &late, effort)
        };
        let channels = &arena.model().channels;
        let own = |step: &ArenaStep| match step.label {
            StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => !channels[channel].open,
            StepLabel::Output(_) | StepLabel::Internal(_) => true,
        };
        self.decision(seed, own)
    }

    /// Whether from every reachable point a wanted step is possible eventually.
    fn possible(&self, wanted: impl Fn(&ArenaStep) -> bool) -> AssumptionAnswer {
        let arena = self.arena;
        let seed = |number: usize, effort: &mut Effort| {
            let mut before = Federation::empty(arena.dimension());
            let steps = arena.states[number].steps.iter().enumerate();
            for (index, step) in steps.filter(|(_, step)| wanted(step)) {
                before.unite(&arena.before(number, index, &arena.states[step.target].domain));
            }
            arena.earlier(number, &before, effort)
        };
        self.decision(seed, |_| true)
    }

    /// Whether from all that is reached a run over allowed steps leads into the seeds, one for each
    /// discrete state.
    fn decision(
        &self,
        seed: impl Fn(usize, &mut Effort) -> Result<Federation, Error>,
        allowed: impl Fn(&ArenaStep) -> bool,
    ) -> AssumptionAnswer {
        let (arena, mut effort) = (self.arena, self.effort());
        let seeds: Result<Vec<Federation>, Error> =
            (0..arena.states.len()).map(|state| seed(state, &mut effort)).collect();
        let good = seeds.and_then(|seeds| eventually(arena, seeds, allowed, &mut effort));
        match good.and_then(|good| arena.run_outside(&good, &mut effort)) {
            Ok(None) => self.unless_incomplete(),
            Ok(Some(run)) => AssumptionAnswer::Fails(run),
            Err(error) => AssumptionAnswer::Unknown(error.to_string()),
        }
    }

    fn restart(&self, (action, known): (StepLabel, bool)) -> Restart {
        if !known {
            let reason = "which restart action is meant depends on data".to_owned();
            let unknown = AssumptionAnswer::Unknown(reason);
            return Restart { action, possible: unknown.clone(), returns: unknown };
        }
        let is_restart = |step: &ArenaStep| is_action(step, action);
        let returns = match self.arena.run_elsewhere(is_restart, &self.effort()) {
            Ok(Some(run)) => AssumptionAnswer::Fails(run),
            Ok(None) => self.unless_incomplete(),
            Err(error) => AssumptionAnswer::Unknown(error.to_string()),
        };
        Restart { action, possible: self.possible(is_restart), returns }
    }

    /// What was not refuted holds, if everything was visited.
    fn unless_incomplete(&self) -> AssumptionAnswer {
        let reason = self.arena.incomplete.clone();
        reason.map_or(AssumptionAnswer::Holds, AssumptionAnswer::Unknown)
    }

    fn endless(&self, allowed: impl Fn(&ArenaStep) -> bool) -> Endless {
        let found = endless(self.arena, &allowed, &mut self.effort()).and_then(|sets| {
            let Some((state, stem)) = self.arena.run_inside(&sets)? else { return Ok(None) };
            Ok(Some(lasso(self.arena, &sets, &allowed, state, stem)))
        });
        match found {
            Ok(None) => self.arena.incomplete.clone().map_or(Endless::None, Endless::Unknown),
            Ok(Some(lasso)) => Endless::Found(lasso),
            Err(error) => Endless::Unknown(error.to_string()),
        }
    }
}

fn is_observable(step: &ArenaStep) -> bool {
    !matches!(step.label, StepLabel::Internal(_))
}

fn is_input(step: &ArenaStep) -> bool {
    matches!(step.label, StepLabel::Input(_) | StepLabel::Exchange(_, _))
}

/// Whether a step shows the action, as a part of an exchange too.
fn is_action(step: &ArenaStep, action: StepLabel) -> bool {
    match (step.label, action) {
        (StepLabel::Exchange(input, _), StepLabel::Input(wanted)) => input == wanted,
        (StepLabel::Exchange(_, output), StepLabel::Output(wanted)) => output == wanted,
        (label, action) => label == action,
    }
}

/// The restart actions that purposes declare, each once, and whether each is one action: the position in
/// an array may depend on data.
fn restart_labels(model: &Model) -> Vec<(StepLabel, bool)> {
    let channel = |used: &ChannelUse| {
        let Some((expr, _)) = used.index else { return (used.channel, true) };
        let position = model.code.nodes.get(expr).and_then(|node| match node.expr {
            Expr::Int(position) => u32::try_from(position).ok(),
            _ => None,
        });
        (ChannelId(used.channel.0 + position.unwrap_or(0)), position.is_some())
    };
    let mut labels = Vec::new();
    for purpose in &model.purposes {
        let label = match &purpose.restart {
            Some(Label::Receive(used)) => {
                let (channel, known) = channel(used);
                (StepLabel::Input(channel), known)
            }
            Some(Label::Send(used)) => {
                let (channel, known) = channel(used);
                (StepLabel::Output(channel), known)
            }
            Some(Label::Silent | Label::Plain(_)) | None => continue,
        };
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}
