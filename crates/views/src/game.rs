//! A solved game to look at: the ranks of each discrete state over two clocks, and what the tester should do there.

use serde_json::{Map, Value, json};
use tioga_base::{Diagnostic, Id, Rational, Sources};
use tioga_concrete::{State, label_of, step_record};
use tioga_model::{ClockBound, ClockId, Composer, DiscreteState, Model, Step, Steps};
use tioga_testcase::{Advice, ModelSource, RankTable, Ranked, Rule, rank_of};

use crate::plot;
use crate::results::state::number_json;
use crate::results::{solve as solve_result, strategy};
use crate::simulation::axes;
use tioga::games::{
    GameOptions, Question, data_view, observation_limits, questions, require_observation, solve,
};
use tioga::words::{action, alternatives, clocks, discrete_state, edges};
use tioga::{DataView, Effort, Failure, Loaded, read, with_purpose};

/// How many discrete states a game may have.
const STATES: usize = 100_000;

/// What a tester wants.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Aim {
    /// What a query asks for.
    Query(String),
    /// To be in one of these locations: processes with their locations.
    Locations(Vec<(String, String)>),
    /// What a purpose of the model accepts.
    Purpose(String),
}

impl Aim {
    /// The query that asks for locations.
    fn query(&self) -> Option<String> {
        match self {
            Self::Query(query) => Some(query.clone()),
            Self::Locations(all) => {
                let names: Vec<String> =
                    all.iter().map(|(process, at)| format!("{process}.{at}")).collect();
                Some(format!("control: A<> {}", names.join(" || ")))
            }
            Self::Purpose(_) => None,
        }
    }
}

/// A game with its answer.
#[derive(Debug)]
pub struct SolvedGame {
    model: Model,
    view: Option<DataView>,
    /// The ranks, and what to do where.
    pub table: RankTable,
    /// Whether the objective says what to avoid.
    pub avoids: bool,
    /// What was asked.
    pub query: String,
    /// The answer, as `tioga solve --ranks --format json` prints it.
    result: Value,
    /// What has to be known to read the ranks.
    note: Option<String>,
}

impl SolvedGame {
    /// Solves a game with ranks.
    ///
    /// # Errors
    /// If the model or the aim is wrong, or a limit is reached.
    pub fn solve(source: ModelSource, aim: &Aim, effort: &mut Effort<'_>) -> Result<Self, Failure> {
        let mut texts = Sources::new();
        let queries: Vec<String> = aim.query().into_iter().collect();
        let loaded = read(source, &queries, &mut texts)?;
        let (model, question) = asked(loaded, aim)?;
        let view = data_view(&model, &question, effort)?;
        let over = view.as_ref().map_or(&model, DataView::model);
        let limits = observation_limits(effort, Some(STATES));
        let note = require_observation(over, limits)
            .err()
            .map(|failure| format!("ranks are those of a tester that sees every step: {failure}"));
        let options =
            GameOptions { ranks: true, max_states: Some(STATES), ..GameOptions::default() };
        let answered = solve(over, question, &options, effort)?;
        effort.check("solving the game")?;
        let (_, result) = solve_result::described(over, &answered, true, view.as_ref());
        let solution = answered.cooperative.as_ref().unwrap_or(&answered.solution);
        let (table, avoids) = (solution.table(), solution.avoids());
        let query = answered.question.text.clone();
        drop(answered);
        Ok(Self { table, avoids, query, result, note, view, model })
    }

    /// The model that the game is played on: with classes of data, one of their representatives.
    pub fn model(&self) -> &Model {
        self.view.as_ref().map_or(&self.model, DataView::model)
    }

    /// The answer, and the discrete states that have ranks.
    pub fn overview(&self) -> Value {
        let model = self.model();
        let initial = Composer::new(model).initial();
        let scope = self.table.terms.scope;
        let places = self.table.places.iter().map(|(state, ranked)| {
            let ranks = ranked.levels.iter().map(|level| strategy::rank(scope, level.rank));
            json!({
                "name": self.named(state),
                "locations": locations(model, state),
                "initial": *state == initial,
                "ranks": ranks.collect::<Vec<_>>(),
            })
        });
        json!({
            "query": self.query,
            "answer": self.result,
            "note": self.note,
            "avoids": self.avoids,
            "complete": self.table.complete,
            "clocks": clocks::names(model),
            "places": places.collect::<Vec<_>>(),
        })
    }

    fn named(&self, state: &DiscreteState) -> String {
        match &self.view {
            Some(view) => view.state_text(state),
            None => discrete_state(self.model(), state),
        }
    }

    fn place(&self, position: usize) -> Result<(&DiscreteState, &Ranked), Failure> {
        self.table.places.iter().nth(position).ok_or_else(|| {
            Diagnostic::global("no-such-place", "the game has no such discrete state").into()
        })
    }

    /// The ranks of a discrete state over two clocks, the others at these values. Of several levels, the first that
    /// has a valuation is its rank.
    ///
    /// # Errors
    /// If there is no such state, or numbers do not fit.
    pub fn ranks(
        &self,
        place: usize,
        names: Option<&(String, String)>,
        others: &[Rational],
    ) -> Result<Value, Failure> {
        let model = self.model();
        let (state, ranked) = self.place(place)?;
        let Some(axes) = axes(model, names, &[]) else {
            return Ok(json!({ "name": self.named(state), "plot": null }));
        };
        let others = all_clocks(model, others);
        let too_large = |_| {
            Failure::limit(Diagnostic::global("limit", "the plot needs numbers that are too large"))
        };
        let mut levels = Vec::new();
        for level in &ranked.levels {
            let mut polygons = Vec::new();
            for zone in &level.zones {
                let polygon = plot::slice(zone, model.scale, &axes, &others).map_err(too_large)?;
                polygons.extend(polygon.as_ref().map(plot::json));
            }
            let [losses, steps, risks] = [level.rank.losses, level.rank.steps, level.rank.risks];
            levels.push(json!({
                "rank": strategy::rank(self.table.terms.scope, level.rank),
                "losses": losses,
                "steps": steps,
                "risks": risks,
                "polygons": polygons,
            }));
        }
        let short = clocks::names(model);
        Ok(json!({
            "name": self.named(state),
            "x": short[axes.x.index()],
            "y": axes.y.map(|clock| short[clock.index()].clone()),
            "limit": number_json(axes.limit),
            "levels": levels,
        }))
    }

    /// The rank of a valuation of a discrete state, and what the tester should do there.
    ///
    /// # Errors
    /// If there is no such state.
    pub fn advice(&self, place: usize, values: &[Rational]) -> Result<Value, Failure> {
        let model = self.model();
        let (discrete, ranked) = self.place(place)?;
        let clocks = all_clocks(model, values).into_boxed_slice();
        let state = State { discrete: discrete.clone(), clocks };
        let rank = rank_of(&self.table, model.scale, &state);
        let holds = |rule: &&Rule| {
            rule.zones
                .iter()
                .any(|zone| zone.iter().all(|bound| satisfies(&state, model.scale, bound)))
        };
        let advice = ranked.rules.iter().find(holds).map(|rule| self.told(discrete, rule));
        Ok(json!({
            "rank": rank.map(|rank| strategy::rank(self.table.terms.scope, rank)),
            "won": rank.is_some_and(|rank| rank.losses == 0 && rank.risks == 0) != self.avoids,
            "advice": advice,
        }))
    }

    /// What a rule says, in words.
    fn told(&self, state: &DiscreteState, rule: &Rule) -> String {
        let model = self.model();
        let mut possible = Steps::new();
        Composer::new(model).steps(state, &mut possible);
        let name = |step: &Step| match &self.view {
            Some(view) => view.move_text(state, step).0,
            None => action(&label_of(model, step)),
        };
        let names = |steps: &[u32]| {
            let mut all: Vec<String> = Vec::new();
            for step in steps {
                let one = name(&possible.list[*step as usize]);
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            all
        };
        match &rule.advice {
            Advice::Done => "the objective is reached".to_owned(),
            Advice::Play(step) => {
                let step = &possible.list[*step as usize];
                let taken = edges(&step_record(model, step).edges.unwrap_or_default());
                format!("take {} now ({taken})", name(step))
            }
            Advice::Wait { awaited, feared } => {
                let (awaited, feared) = (names(awaited), names(feared));
                let mut text = match awaited.is_empty() {
                    true => "wait".to_owned(),
                    false => format!("wait for {}", alternatives(&awaited)),
                };
                let harmful: Vec<String> =
                    feared.into_iter().filter(|one| !awaited.contains(one)).collect();
                if !harmful.is_empty() && !rule.rank.is_controlled() {
                    text.push_str(&format!(
                        "; the system must not answer {} first",
                        alternatives(&harmful)
                    ));
                }
                text
            }
        }
    }
}

/// The model and the question of an aim.
fn asked(loaded: Loaded, aim: &Aim) -> Result<(Model, Question), Failure> {
    let Aim::Purpose(purpose) = aim else {
        let question = questions(&loaded)?.swap_remove(0);
        return Ok((loaded.model, question));
    };
    let model = with_purpose(&loaded.model, purpose)?;
    let question = model.queries.iter().find_map(|query| Question::of(query, String::new()));
    let question = question.ok_or_else(|| {
        Diagnostic::global("no-query", format!("the purpose `{purpose}` accepts nothing"))
    })?;
    Ok((model, question))
}

/// A value for each clock; those that are not given are zero.
fn all_clocks(model: &Model, values: &[Rational]) -> Vec<Rational> {
    let given = |index: usize| values.get(index).copied().unwrap_or(Rational::ZERO);
    (0..model.clocks.len()).map(given).collect()
}

fn locations(model: &Model, state: &DiscreteState) -> Map<String, Value> {
    let all = model.processes.iter().zip(&state.locations);
    all.map(|(process, at)| (process.name.clone(), process.locations[*at].name.clone().into()))
        .collect()
}

/// Whether a state satisfies a bound in units of `1 / scale`.
fn satisfies(state: &State, scale: i64, bound: &ClockBound) -> bool {
    let value = |clock: Option<ClockId>| clock.map_or(Rational::ZERO, |one| state.clock(one));
    let difference = value(bound.left).sub(value(bound.right));
    match (difference, Rational::new(bound.bound, scale)) {
        (Ok(difference), Ok(limit)) if bound.strict => difference < limit,
        (Ok(difference), Ok(limit)) => difference <= limit,
        _ => false,
    }
}
