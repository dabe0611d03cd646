//! One goal after the other: the product with the purpose, its deterministic view if the observations
//! do not determine the state, the solved game, the test case, and the independent check.

use std::collections::BTreeSet;
use std::rc::Rc;

use tioga_base::{Diagnostic, Rational};
use tioga_determinize::{Acceptance, Determinized, Exactness, Loss, Subject};
use tioga_explore::Limits;
use tioga_games::{Root, SolveOptions, Standing};
use tioga_model::{Model, Network, Objective, Predicate};
use tioga_synthesize::{About, Error, MadeCase, test_case};
use tioga_testcase::{Concept, Scope, Settled, Shape, Terms, TestCase, Verdict, ViewPass};

use super::data::{classified, over_data};
use super::marks::marked_query;
use super::task::Task;
use super::unchecked::{Unchecked, check};
use super::waits::{waiting, walk};
use super::wanted::{Missed, SynthesisOptions, WhyMissed};
use crate::cover::Covered;
use crate::data::DataView;
use crate::failure::stopped;
use crate::games::{
    Observation, Question, is_plain, observation, observation_limits, plan, questions,
    require_observation, solved,
};
use crate::read::{validated, walking, with_purpose, within};
use crate::view::NoView;
use crate::{Effort, Failure, Loaded};

/// How many steps of work a deterministic view may take for each discrete state that may be explored.
const STEPS_FOR_A_STATE: u64 = 100;

/// How many discrete states a game may have for a tree to follow its least ranks. In larger games it follows the first
/// cooperative strategy that is found.
const RANKED_FOR_A_TREE: usize = 50_000;

/// Makes test cases.
pub(super) struct Maker<'m, 'e, 't> {
    pub loaded: &'m Loaded,
    pub options: &'m SynthesisOptions,
    pub effort: &'m mut Effort<'e>,
    /// How many were made.
    pub count: usize,
    /// The names of those that were made.
    pub names: BTreeSet<String>,
    /// How many goals share the random plays of the independent checker.
    pub beside: usize,
    /// The goals without a test case.
    pub missed: Vec<Missed>,
    /// Whether moves of the environment get names that nothing else shows.
    pub names_own_moves: bool,
    /// Whether it is known that the observations determine the state of the model.
    pub clear: bool,
    /// How many discrete states games have explored.
    pub explored: usize,
    /// The discrete states of the largest search that was complete.
    pub searched: usize,
    /// Which test cases are of use. Others are neither checked nor passed on.
    pub useful: &'t mut dyn FnMut(&TestCase) -> Result<bool, Failure>,
    /// What is still to be checked of the test cases that were passed on, if that is done later.
    pub deferred: Option<Vec<Unchecked>>,
    /// The consumer of test cases.
    pub take: &'t mut dyn FnMut(TestCase) -> Result<(), Failure>,
}

/// What the test cases of a goal are made from.
struct Basis {
    model: Model,
    questions: Vec<Question>,
    /// The moves of the environment that got names.
    own_moves: Vec<String>,
    /// Whether the purpose declares a restart action.
    restarts: bool,
    /// The approximations of the deterministic view.
    approximated: Vec<String>,
    /// What counts as a pass in that view.
    counted: ViewPass,
    /// The same view with a goal that is less sure, for a goal that is out of reach.
    less_sure: Option<Box<Basis>>,
    /// Whether the effort ended before all of the view was known.
    cut_short: bool,
    /// The model with the classes of its data, if its messages carry many values.
    data: Option<Rc<DataView>>,
    /// Whether it is known that the observations determine the state.
    observed: bool,
}

impl Basis {
    /// A model whose queries are all that is asked, none of them written by a user.
    fn of(model: Model) -> Self {
        let queries = model.queries.iter();
        let questions = queries.filter_map(|query| Question::of(query, String::new())).collect();
        let (restarts, approximated, cut_short) = (false, Vec::new(), false);
        let (counted, less_sure) = (ViewPass::default(), None);
        let (own_moves, data, observed) = (Vec::new(), None, false);
        Self {
            model,
            questions,
            own_moves,
            restarts,
            approximated,
            counted,
            less_sure,
            cut_short,
            data,
            observed,
        }
    }
}

impl Basis {
    /// The same where moves of the environment that nothing shows have names.
    fn naming_own_moves(self) -> Result<Self, Failure> {
        let network: &Network = &self.model;
        let (network, own_moves) = network.clone().with_own_moves();
        Ok(Self { model: validated(network)?, own_moves, ..self })
    }

    /// Why the purpose is missed if its goal is unreachable here. A view leaves out inputs that the
    /// system may refuse, so only an exact one tells that no run gets there.
    fn unreachable(&self) -> WhyMissed {
        if self.approximated.is_empty() { WhyMissed::Unreachable } else { WhyMissed::OutOfView }
    }
}

/// What counts as a pass where a view is asked to get where these explanations accept: less counts where that is out of
/// reach.
fn counted(view: &Determinized, asked: Acceptance) -> ViewPass {
    let verdict = |own: Acceptance| match own.is_certain() {
        true => Verdict::Pass,
        false => Verdict::Uncertain,
    };
    let less = view.goals.iter().filter(|goal| goal.acceptance < asked);
    let settled = less.map(|goal| {
        let (location, clocks) = (goal.location, goal.clocks.clone());
        Settled { location, clocks, verdict: verdict(goal.acceptance) }
    });
    ViewPass { goal: verdict(asked), settled: settled.collect() }
}

impl<'m, 'e, 't> Maker<'m, 'e, 't> {
    /// One that has made nothing yet.
    pub fn new(
        loaded: &'m Loaded,
        options: &'m SynthesisOptions,
        effort: &'m mut Effort<'e>,
        useful: &'t mut dyn FnMut(&TestCase) -> Result<bool, Failure>,
        take: &'t mut dyn FnMut(TestCase) -> Result<(), Failure>,
    ) -> Self {
        let (names, missed) = (BTreeSet::new(), Vec::new());
        let (count, beside, names_own_moves, clear) = (0, 1, false, false);
        let (explored, searched, deferred) = (0, 0, None);
        Self {
            loaded,
            options,
            effort,
            count,
            names,
            beside,
            missed,
            names_own_moves,
            clear,
            explored,
            searched,
            useful,
            deferred,
            take,
        }
    }

    /// Makes the test cases for one goal. Invisible moves of the environment get names if a tester needs
    /// them: it makes them itself.
    pub fn make(&mut self, goal: &Task<'_>) -> Result<(), Failure> {
        let missed = self.missed.len();
        let mut cases = Vec::new();
        let mut made = self.try_make(goal, &mut cases);
        if let Ok(false) = made {
            cases.clear();
            self.deferred.iter_mut().for_each(Vec::clear);
            self.missed.truncate(missed);
            self.names_own_moves = true;
            made = self.try_make(goal, &mut cases);
        }
        for case in cases {
            self.count += 1;
            self.names.insert(case.name.clone());
            (self.take)(case)?;
        }
        made.map(|_| ())
    }

    /// The same, as it is set; says whether the tester can follow.
    fn try_make(&mut self, goal: &Task<'_>, cases: &mut Vec<TestCase>) -> Result<bool, Failure> {
        for basis in self.bases(goal)? {
            if !self.try_make_from(goal, &basis, cases)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn try_make_from(
        &mut self,
        goal: &Task<'_>,
        basis: &Basis,
        cases: &mut Vec<TestCase>,
    ) -> Result<bool, Failure> {
        if !basis.observed {
            require_observation(&basis.model, self.observation_limits())?;
        }
        for question in &basis.questions {
            let about = self.about(goal, basis, question, cases)?;
            let made = self.case(&basis.model, question, about)?;
            if let (Err(Error::Unreachable), Some(less)) = (&made, &basis.less_sure) {
                if !self.try_make_from(goal, less, cases)? {
                    return Ok(false);
                }
                continue;
            }
            match made {
                Ok(made) => {
                    let whole = match &basis.data {
                        Some(data) => Some(over_data(data, made.clone())?),
                        None => None,
                    };
                    if !(self.useful)(whole.as_ref().unwrap_or(&made.case))? {
                        continue;
                    }
                    if let Some(deferred) = &mut self.deferred {
                        let classified = whole.is_some().then(|| made.case.clone());
                        let (model, counted) = (basis.model.clone(), basis.counted.clone());
                        let question = question.clone();
                        deferred.push(Unchecked { model, question, counted, classified });
                    } else {
                        let cancel = &self.effort.cancel;
                        let plays = self.options.plays_of_each(self.beside);
                        check(&basis.model, question, &basis.counted, &made.case, plays, cancel)?;
                    }
                    cases.push(whole.unwrap_or(made.case));
                }
                Err(Error::Unreachable) if basis.cut_short => return Err(too_much_work()),
                Err(Error::Unreachable) => {
                    self.miss(question.text.clone(), basis.unreachable());
                }
                Err(Error::NotObservable(_)) if !self.names_own_moves => return Ok(false),
                Err(error) => {
                    return Err(Diagnostic::global("no-test-case", error.to_string()).into());
                }
            }
        }
        Ok(true)
    }

    fn miss(&mut self, purpose: String, why: WhyMissed) {
        self.missed.push(Missed { purpose, why });
    }

    /// What the test cases of a goal are made from: the product, or a deterministic view of it for each question.
    /// What there can be no test case for is noted.
    fn bases(&mut self, goal: &Task<'_>) -> Result<Vec<Basis>, Failure> {
        let model = &self.loaded.model;
        let (basis, marked) = match goal {
            Task::Queries => {
                let questions = questions(self.loaded)?;
                let marked = marked_query(model).is_some();
                (Basis { questions, ..Basis::of(model.clone()) }, marked)
            }
            Task::Asked(position, time) => (self.asked(*position, *time)?, false),
            Task::Named(name) => {
                let purpose = model.purposes.iter().find(|own| own.process.name == *name);
                let restarts = purpose.is_some_and(|purpose| purpose.restart.is_some());
                (Basis { restarts, ..Basis::of(with_purpose(model, name)?) }, true)
            }
            Task::Walk(time) => (Basis::of(walking(model, *time)?), false),
            Task::Covered(target, ways) => {
                let Some(way) = ways.first() else { return Ok(Vec::new()) };
                let network = target.network(model, way);
                let marked = !matches!(way.what, Covered::Milestones(_));
                (Basis::of(validated(network)?), marked)
            }
        };
        let basis = if self.names_own_moves { basis.naming_own_moves()? } else { basis };
        let basis = self.classified(basis)?;
        let clear = self.clear && goal.keeps_observations()
            || is_plain(&basis.model)
            || matches!(self.observed(&basis.model)?, Ok(Observation::Clear));
        if clear {
            return Ok(vec![Basis { observed: true, ..basis }]);
        }
        if basis.data.is_some() {
            let message = "the tester cannot tell where the model is, and messages carry too many values to \
                           make a deterministic view of it";
            let help = "`tioga check` says where the tester gets lost";
            return Err(Diagnostic::global("nondeterministic", message).help(help).into());
        }
        // The tester may have to follow what comes after the goal before it is certain, so nothing ends there.
        let (basis, marked) = match goal {
            Task::Covered(target, ways) => match ways
                .first()
                .and_then(|way| target.network_on(model, way))
            {
                Some(network) => {
                    let basis = Basis::of(validated(network)?);
                    (if self.names_own_moves { basis.naming_own_moves()? } else { basis }, false)
                }
                None => (basis, marked),
            },
            _ => (basis, marked),
        };
        let mut views = Vec::new();
        for question in &basis.questions {
            let purpose = goal.goal(self.loaded, question).to_string();
            if matches!(goal, Task::Covered(target, _) if target.hidden) {
                self.miss(purpose, WhyMissed::Unobservable);
                continue;
            }
            let view = self.determinized(&basis, question, marked, &purpose)?;
            match (view.questions.is_empty(), view.cut_short) {
                (false, _) => views.push(view),
                (true, true) => return Err(too_much_work()),
                // Nothing accepts in the view.
                (true, false) => {
                    let states = view.model.processes.iter().map(|one| one.locations.len()).sum();
                    self.searched = self.searched.max(states);
                    self.miss(purpose, view.unreachable());
                }
            }
        }
        Ok(views)
    }

    /// The same on one representative of each class of data, where messages carry many values.
    fn classified(&mut self, basis: Basis) -> Result<Basis, Failure> {
        let Some(view) = classified(&basis.model, &basis.questions, self.effort)? else {
            return Ok(basis);
        };
        let (model, data) = (view.model().clone(), Some(Rc::new(view)));
        Ok(Basis { model, data, ..basis })
    }

    fn observation_limits(&self) -> Limits {
        observation_limits(self.effort, Some(self.options.max_states))
    }

    /// Whether the tester sees where the model is.
    fn observed(
        &self,
        model: &Model,
    ) -> Result<Result<Observation, tioga_symbolic::Error>, Failure> {
        let cancel = &self.effort.cancel;
        let observed = observation(model, self.observation_limits());
        if cancel.is_cancelled() { Err(stopped("synthesis", cancel)) } else { Ok(observed) }
    }

    /// The model with one of the queries that were added as its only one.
    fn asked(&self, position: usize, time: Option<Rational>) -> Result<Basis, Failure> {
        let Some(query) = self.loaded.asked().get(position).cloned() else {
            let message = "the condition to reach was not added when the model was read";
            return Err(Failure::internal(Diagnostic::global("no-query", message)));
        };
        let mut text = self.loaded.query_text(&query);
        let network: &Network = &self.loaded.model;
        let mut model = validated(Network { queries: vec![query], ..network.clone() })?;
        if let Some(time) = time {
            model = within(&model, time)?;
            text.push_str(&format!(" within {time}"));
        }
        let queries = model.queries.iter();
        let questions = queries.filter_map(|query| Question::of(query, text.clone())).collect();
        Ok(Basis { questions, ..Basis::of(model) })
    }

    /// The deterministic view of a product that is asked a question: to reach its marked locations, or a
    /// condition.
    fn determinized(
        &mut self,
        basis: &Basis,
        question: &Question,
        marked: bool,
        purpose: &str,
    ) -> Result<Basis, Failure> {
        let unmarked;
        let subject = match &question.objective {
            _ if marked => Subject::from(&basis.model),
            Objective::Reach(Predicate::Holds(condition)) => {
                unmarked = without_marks(&basis.model)?;
                Subject { model: &unmarked, goal: Some((condition, question.span)) }
            }
            _ => {
                let message = "the tester cannot tell where the model is, and a deterministic view is made only \
                               for conditions to reach";
                let help = "ask for `reach CONDITION`, or write a purpose; `tioga check` says where the tester \
                            gets lost";
                return Err(Diagnostic::global("nondeterministic", message).help(help).into());
            }
        };
        let (mut view, cancel) = (self.effort.view, &self.effort.cancel);
        let most = (self.options.max_states as u64).saturating_mul(STEPS_FOR_A_STATE);
        view.max_steps = view.max_steps.min(most);
        let found = match self.names_own_moves {
            true => view.view_of(subject, cancel),
            false => self.loaded.view.view_of(subject, &self.loaded.model, &view, cancel),
        };
        if cancel.is_cancelled() {
            return Err(stopped("synthesis", cancel));
        }
        let view = found.map_err(|error| match error {
            NoView::Constant(failure) => failure,
            NoView::Error(tioga_determinize::Error::Limit(_)) => too_much_work(),
            NoView::Error(error) => {
                let message = format!("the model cannot be made deterministic: {error}");
                Diagnostic::global("nondeterministic", message).into()
            }
        })?;
        let approximated = match &view.exactness {
            Exactness::Unchanged | Exactness::Exact => Vec::new(),
            Exactness::Approximate { losses, .. } => losses.iter().map(Loss::to_string).collect(),
        };
        let cut_short = view.exactness.is_cut_short();
        let mut surest = None;
        for asked in Acceptance::SUREST_FIRST.into_iter().rev() {
            // If there is no goal at all, the view has no question.
            let goals = view.goals.iter().any(|goal| goal.acceptance == asked);
            if !goals && (surest.is_some() || asked != Acceptance::Everywhere) {
                continue;
            }
            let aiming = Basis {
                own_moves: basis.own_moves.clone(),
                restarts: basis.restarts,
                approximated: approximated.clone(),
                counted: counted(&view, asked),
                less_sure: surest.map(Box::new),
                cut_short,
                data: basis.data.clone(),
                ..Basis::of(validated(view.aimed(asked, purpose))?)
            };
            surest = Some(aiming);
        }
        Ok(surest.expect("the surest goal is there if no other is"))
    }

    fn about(
        &self,
        goal: &Task<'_>,
        basis: &Basis,
        question: &Question,
        cases: &[TestCase],
    ) -> Result<About, Failure> {
        let name = match (goal, named(question)) {
            (Task::Covered(target, _), _) => target.name(&self.loaded.model),
            (Task::Named(name), _) => (*name).to_owned(),
            (Task::Queries, Some(name)) => name.to_owned(),
            (Task::Walk(_), _) => format!("{}-walk", basis.model.name),
            (Task::Queries | Task::Asked(..), _) => {
                format!("{}-{}", basis.model.name, self.count + cases.len() + 1)
            }
        };
        Ok(About {
            name: unused(name, |name| {
                self.names.contains(name) || cases.iter().any(|case| case.name == *name)
            }),
            goal: goal.goal(self.loaded, question),
            restarts: basis.restarts,
            approximated: basis.approximated.clone(),
            pass: basis.counted.clone(),
            own_moves: basis.own_moves.clone(),
            walk: matches!(goal, Task::Walk(_)).then(|| walk(&self.loaded.model)),
            patience: waiting(self.options.window, &self.loaded.model, &basis.model)?,
            ..About::default()
        })
    }

    fn case(
        &mut self,
        model: &Model,
        question: &Question,
        about: About,
    ) -> Result<Result<MadeCase, Error>, Failure> {
        let scope = if self.options.safety_first { Scope::SafetyFirst } else { Scope::Cooperative };
        let terms = Terms { objective: question.objective.clone(), concept: Concept::Fair, scope };
        let how = SolveOptions {
            threads: self.effort.threads,
            max_nodes: Some(self.options.max_states),
            cancel: self.effort.cancel.clone(),
            ..SolveOptions::default()
        };
        let roots = [Root::initial(model)];
        let tree = self.options.shape == Shape::Tree && !self.options.safety_first;
        let tree = tree && about.walk.is_none();
        let most = if tree { RANKED_FOR_A_TREE } else { usize::MAX };
        let ranked =
            SolveOptions { max_nodes: how.max_nodes.map(|own| own.min(most)), ..how.clone() };
        let mut solution = solved(model, question, terms.clone(), &roots, ranked, self.effort)?;
        if tree && !solution.complete && !self.effort.cancel.is_cancelled() {
            let early = SolveOptions { early: true, ..how };
            solution = solved(model, question, terms, &roots, early, self.effort)?;
        }
        let found = tree && matches!(solution.standing(&roots[0]), Standing::Rank(_));
        self.explored += solution.game.arena.len();
        if self.effort.cancel.is_cancelled() {
            return Err(stopped("synthesis", &self.effort.cancel));
        }
        if !solution.complete && !found {
            let states = self.options.max_states;
            let message = format!("`{}` has more than {states} discrete states", question.text);
            let help = "`--max-states` allows more; variables with smaller ranges make fewer";
            return Err(Failure::limit(Diagnostic::global("limit", message).help(help)));
        }
        if solution.complete {
            self.searched = self.searched.max(solution.game.arena.len());
        }
        // Without control loss there is nothing to hope for. A random walk only needs time to pass.
        let luck = match solution.standing(&roots[0]) {
            _ if about.walk.is_some() => Vec::new(),
            Standing::Rank(rank) if (rank.risks, rank.losses) == (0, 0) => Vec::new(),
            _ => plan(model, &solution, None).luck,
        };
        let about = About { luck, ..about };
        let made = test_case(&solution, self.options.shape, about);
        Ok(made.map(|made| match made.case.walk {
            Some(_) => MadeCase { case: conforming(made.case), ..made },
            None => made,
        }))
    }
}

/// The name, with a number if a test case has it already.
pub(crate) fn unused(name: String, used: impl Fn(&String) -> bool) -> String {
    if !used(&name) {
        return name;
    }
    let mut numbered = (2..).map(|number: usize| format!("{name}-{number}"));
    numbered.find(|name| !used(name)).unwrap_or(name)
}

/// A random walk passes by what happened on the way, and not because something was reached.
fn conforming(mut case: TestCase) -> TestCase {
    let verdicts = case.places.iter_mut().flat_map(|place| &mut place.verdicts);
    for passing in verdicts.filter(|one| one.verdict == Verdict::Pass) {
        passing.reason = "everything conformed until the end of the walk".to_owned();
    }
    case
}

/// A model without what its locations are marked with: only a condition counts.
fn without_marks(model: &Model) -> Result<Model, Failure> {
    let mut network = Network::clone(model);
    for location in network.processes.iter_mut().flat_map(|process| process.locations.iter_mut()) {
        (location.marks.accept, location.marks.refuse) = (false, false);
    }
    validated(network)
}

/// What the author of a query calls it, if that is a word and not a sentence.
pub(crate) fn named(question: &Question) -> Option<&str> {
    let name = question.comment.as_deref()?.trim();
    let part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    (!name.is_empty() && name.chars().all(part)).then_some(name)
}

fn too_much_work() -> Failure {
    let message = "it takes too much work to make the model deterministic";
    let help = "`--max-steps` allows more";
    Failure::limit(Diagnostic::global("limit", message).help(help))
}
