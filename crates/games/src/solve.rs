//! Solving a game from some roots.

use tioga_base::Id;
use tioga_base::{Cancel, Rational, Span};
use tioga_model::{Composer, Condition, DiscreteState, Model, Objective, Predicate};
use tioga_testcase::{Concept, Rank, Scope, Terms};
use tioga_zones::{Bound, Point, Zone};

use crate::on_the_fly::{End, OnTheFly, Watch};
use crate::{Arena, Error, Game, Levels, avoid, backward, spoil};

/// Which algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SolveMethod {
    /// Ranks while exploring, see [`crate::on_the_fly`].
    #[default]
    OnTheFly,
    /// Layer by layer after exploring, see [`crate::backward`].
    Backward,
}

/// How to solve.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Which algorithm.
    pub method: SolveMethod,
    /// Whether to end as soon as the first root has a rank, which may not be the least then.
    pub early: bool,
    /// How many threads work; the result does not depend on it. None means one.
    pub threads: usize,
    /// How many discrete states may be explored; all if `None`.
    pub max_nodes: Option<usize>,
    /// Ends the computation when set from outside.
    pub cancel: Cancel,
}

/// How far a computation has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolveProgress {
    /// The discrete states found.
    pub nodes: usize,
    /// How often the sets of one were recomputed.
    pub updates: u64,
}

/// A concrete state from which to play; clocks are in written time units.
#[derive(Clone, PartialEq, Debug)]
pub struct Root {
    /// Locations and data.
    pub state: DiscreteState,
    /// The value of each clock.
    pub clocks: Box<[Rational]>,
}

impl Root {
    /// Where the model starts.
    pub fn initial(model: &Model) -> Self {
        let clocks = vec![Rational::ZERO; model.clocks.len()].into();
        Self { state: Composer::new(model).initial(), clocks }
    }
}

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It has a rank.
    Rank(Rank),
    /// It has none.
    None,
    /// It is a failure: the invariant does not hold, or, in a fair game, a location is marked
    /// `fail`.
    Fail,
}

/// A solved game.
pub struct Solution<'m> {
    /// The game, with what was explored of it.
    pub game: Game<'m>,
    /// The sets of each node.
    pub levels: Vec<Levels>,
    /// Whether ranks are exact; otherwise they are upper bounds.
    pub complete: bool,
    /// Whether the board is a trap: the system can keep the first root away from the objective by
    /// the moves on it, and nothing else was looked at. [`Solution::trap`] tells more.
    pub trapped: bool,
    /// What it took.
    pub progress: SolveProgress,
}

/// Solves a game from some states. The span is that of the query, for complaints.
///
/// `report` is told now and then how far the computation is.
pub fn solve<'m>(
    model: &'m Model,
    terms: Terms,
    span: Span,
    roots: &[Root],
    options: &SolveOptions,
    report: &mut dyn FnMut(SolveProgress),
) -> Result<Solution<'m>, Error> {
    let mut arena = Arena::new(model)?;
    if options.early {
        arena.set_guide(guide(&terms));
    }
    for root in roots {
        arena.reach(&root.state, around(model, &root.clocks)?)?;
    }
    let until = roots
        .first()
        .filter(|_| options.early)
        .and_then(|root| Some((arena.find(&root.state)?, point(model, &root.clocks)?)));
    let avoiding = matches!(terms.objective, Objective::Stay(_) | Objective::WeakUntil(..));
    let scope = terms.scope;
    let terms_are_strict = terms.concept == Concept::Strict;
    if avoiding && scope != Scope::Winning {
        return Err(Error::Refused(
            "an objective that says what to avoid has no cooperative states".to_owned(),
        ));
    }
    let first_scope = if scope == Scope::SafetyFirst { Scope::Cooperative } else { scope };
    let mut game = Game::new(arena, Terms { scope: first_scope, ..terms }, span)?;
    let mut go_on = |nodes: usize, updates: u64| {
        report(SolveProgress { nodes, updates });
        !options.cancel.is_cancelled() && options.max_nodes.is_none_or(|limit| nodes <= limit)
    };
    if avoiding {
        let levels = avoid::ranks(&mut game, &options.cancel, &mut go_on)?;
        let progress = SolveProgress { nodes: game.arena.len(), updates: 0 };
        let complete = levels.is_some();
        let levels = levels.unwrap_or_else(|| vec![Levels::default(); game.arena.len()]);
        return Ok(Solution { game, levels, complete, trapped: false, progress });
    }
    if options.method == SolveMethod::Backward {
        game.set_scope(scope);
        let levels = backward::ranks(&mut game, &options.cancel, &mut go_on)?;
        let progress = SolveProgress { nodes: game.arena.len(), updates: 0 };
        let complete = levels.is_some();
        let levels = levels.unwrap_or_else(|| vec![Levels::default(); game.arena.len()]);
        return Ok(Solution { game, levels, complete, trapped: false, progress });
    }
    if options.early && scope == Scope::Winning && terms_are_strict {
        let mut board = Arena::new(model)?;
        board.set_guide(guide(game.terms()));
        for root in roots.iter().take(1) {
            board.reach(&root.state, around(model, &root.clocks)?)?;
        }
        let mut trap = Game::new(board, game.terms().clone(), span)?;
        if spoil::succeeds(&mut trap, &mut go_on)? {
            let levels = vec![Levels::default(); trap.arena.len()];
            let progress = SolveProgress { nodes: trap.arena.len(), updates: 0 };
            return Ok(Solution { game: trap, levels, complete: false, trapped: true, progress });
        }
    }
    let mut solver = OnTheFly::new(game);
    solver.threads = options.threads.max(1);
    // What is a risk is known only when all cooperative states are.
    let (first, second) = if scope == Scope::SafetyFirst { (None, until) } else { (until, None) };
    let mut watch = Watch { cancel: options.cancel.clone(), until: first, report: &mut go_on };
    let mut end = solver.run(&mut watch)?;
    if scope == Scope::SafetyFirst && end == End::Complete {
        watch.until = second;
        solver.game.set_scope(scope);
        solver.restart_with_risks();
        end = solver.run(&mut watch)?;
    }
    let progress = SolveProgress { nodes: solver.game.arena.len(), updates: solver.updates };
    let OnTheFly { game, mut levels, .. } = solver;
    levels.resize(game.arena.len(), Levels::default());
    Ok(Solution { game, levels, complete: end == End::Complete, trapped: false, progress })
}

/// What exploration should meet soon.
fn guide(terms: &Terms) -> Option<Condition> {
    match &terms.objective {
        Objective::Reach(Predicate::Holds(goal)) | Objective::Until(_, Predicate::Holds(goal)) => {
            Some(goal.clone())
        }
        _ => None,
    }
}

impl Solution<'_> {
    /// What is known of a state. Pre: it is one of the roots, or reachable from them before the
    /// game is over.
    pub fn standing(&self, root: &Root) -> Standing {
        let arena = &self.game.arena;
        let (Some(node), Some(point)) =
            (arena.find(&root.state), point(arena.model(), &root.clocks))
        else {
            return Standing::None;
        };
        if self.game.is_fail(node) || !arena.elapse(node).invariant().contains(&point) {
            return Standing::Fail;
        }
        self.levels[node.index()].rank(&point).map_or(Standing::None, Standing::Rank)
    }

    /// Whether the tester can enforce the objective from a state, if it is known.
    pub fn is_won(&self, root: &Root) -> Option<bool> {
        let avoiding =
            matches!(self.game.terms().objective, Objective::Stay(_) | Objective::WeakUntil(..));
        if self.trapped {
            let arena = &self.game.arena;
            let point = point(arena.model(), &root.clocks)?;
            let inside = arena.reached(arena.find(&root.state)?).contains(&point);
            return inside.then_some(false);
        }
        match (self.standing(root), avoiding) {
            (Standing::Rank(rank), false) if rank.losses == 0 && rank.risks == 0 => Some(true),
            // Of a game that was not solved to its end, ranks are upper bounds.
            (Standing::Rank(_), false) => self.complete.then_some(false),
            (Standing::Rank(_), true) => Some(false),
            (Standing::None | Standing::Fail, avoiding) => self.complete.then_some(avoiding),
        }
    }
}

/// The point of a valuation, in units of the model's zones.
pub(crate) fn point(model: &Model, clocks: &[Rational]) -> Option<Point> {
    let scale = Rational::integer(model.scale);
    let scaled: Option<Vec<Rational>> = clocks.iter().map(|clock| clock.mul(scale).ok()).collect();
    let scaled = scaled?;
    let mut common = 1_i64;
    for value in &scaled {
        common = common.checked_mul(value.denominator() / gcd(common, value.denominator()))?;
    }
    let numerators: Option<Vec<i64>> = scaled
        .iter()
        .map(|value| value.numerator().checked_mul(common / value.denominator()))
        .collect();
    Some(Point::new(&numerators?, common))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The smallest zone that contains a valuation.
fn around(model: &Model, clocks: &[Rational]) -> Result<Zone, Error> {
    let too_large = || Error::Refused("a clock value is too large to be represented".to_owned());
    let scale = Rational::integer(model.scale);
    let mut values = vec![Rational::ZERO];
    for clock in clocks {
        values.push(clock.mul(scale).map_err(|_| too_large())?);
    }
    let mut zone = Zone::universal(values.len());
    for (i, left) in values.iter().enumerate() {
        for (j, right) in values.iter().enumerate() {
            let difference = left.sub(*right).map_err(|_| too_large())?;
            let ceiling = difference.ceil();
            let exact = difference.denominator() == 1;
            let ceiling = i32::try_from(ceiling).map_err(|_| too_large())?;
            let bound = if exact { Bound::le(ceiling) } else { Bound::lt(ceiling) };
            let bound = bound.map_err(|_| too_large())?;
            if i != j {
                zone.constrain(i, j, bound).expect("the valuation satisfies its own bounds");
            }
        }
    }
    Ok(zone)
}
