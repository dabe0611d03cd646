//! Who tests in a campaign: test cases, or the model itself on line.

use tioga_base::Diagnostic;
use tioga_execute::{Error, OnlineOptions, OnlineTester, Settings, Tester, TimeBase};
use tioga_games::{Root, SolveOptions, Standing};
use tioga_model::{Model, Objective, Predicate};
use tioga_testcase::{Concept, RankTable, Scope, Terms, TestCase};

use crate::args::{GameArgs, LoadArgs};
use crate::commands::solve::{questions, solved};
use crate::exit::Stop;
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, threads};
use crate::output::Session;

/// Where testers come from.
pub enum Testers {
    /// From the test cases of the suite.
    Cases,
    /// From a model.
    Online(Box<Basis>),
}

/// What testing on line needs.
pub struct Basis {
    model: Model,
    goal: Option<Predicate>,
    guide: Option<RankTable>,
}

impl Testers {
    /// Prepares what the settings want.
    pub fn open(session: &mut Session, settings: &Settings) -> Result<Self, Stop> {
        let Some(online) = &settings.online else { return Ok(Self::Cases) };
        let Some(model) = &settings.model else {
            let message = "the journal does not keep the model that it tests with";
            return Err(session.stop(Diagnostic::global("no-model", message)));
        };
        let query = online.goal.as_ref().map(|goal| format!("E<> control: A<> {goal}"));
        let query: Vec<String> = query.into_iter().collect();
        let Loaded { document, model } = load::kept(session, model, &LoadArgs::default(), &query)?;
        if query.is_empty() {
            return Ok(Self::Online(Box::new(Basis { model, goal: None, guide: None })));
        }
        let game = GameArgs { query, full_information: true, ..GameArgs::default() };
        let question = questions(&game, session, &document, &model)?.swap_remove(0);
        let objective = question.objective.clone();
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let cancel = cancel_flag(None);
        let options = SolveOptions { threads: threads(None), cancel, ..SolveOptions::default() };
        let root = Root::initial(&model);
        let roots = std::slice::from_ref(&root);
        let solution = solved(&game, session, &model, &question, terms, roots, &options)?;
        if !matches!(solution.standing(&root), Standing::Rank(_)) {
            let message = format!("{} cannot be reached, whoever helps", question.text);
            return Err(session.stop(Diagnostic::global("unreachable", message)));
        }
        let guide = Some(solution.table());
        let Objective::Reach(goal) = question.objective else {
            let message = "only something to reach can be tested on line";
            return Err(session.stop(Diagnostic::global("unsupported", message)));
        };
        Ok(Self::Online(Box::new(Basis { model, goal: Some(goal), guide })))
    }

    /// Makes the tester of a run.
    pub fn make<'t>(
        &'t self,
        settings: &Settings,
        case: &'t TestCase,
        seed: u64,
    ) -> Result<Box<dyn Tester + 't>, Error> {
        let (Self::Online(basis), Some(online)) = (self, &settings.online) else {
            return settings.tester(case, seed);
        };
        let options = OnlineOptions {
            goal: basis.goal.as_ref(),
            guide: basis.guide.as_ref(),
            actions: online.actions,
            longest_wait: online.longest_wait,
            latencies: settings.latencies,
            // The system must not draw the same numbers.
            seed: Settings::tester_seed(seed),
        };
        let tester = OnlineTester::new(&basis.model, options)?;
        let exact = settings.time == TimeBase::Virtual;
        Ok(Box::new(if exact { tester.in_virtual_time() } else { tester }))
    }
}
