//! The objective-centred tester as a test case, with or without its strategy.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use tioga_base::Id;
use tioga_concrete::{Observable, TraceEvent, label_of};
use tioga_games::{NodeId, Solution};
use tioga_model::{ClockConjunction, ClockId, Composer, Control, Steps};
use tioga_testcase::{
    Action, Advice, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, CaseZone, Judgement, Origin,
    Rank, Side, Verdict, ViewPass, origins, place_name,
};
use tioga_zones::{Bound, Federation, Zone};

use crate::Error;

/// Places with the nodes of the game that they stand for.
pub(crate) type NodePlaces = Vec<(Option<NodeId>, CasePlace)>;

/// A solved game with what its steps show.
pub(crate) struct Tester<'s, 'm> {
    pub solution: &'s Solution<'m>,
    /// What counts as a pass.
    counted: &'s ViewPass,
    /// Whether the model is not an approximation of another.
    exact: bool,
    /// What each edge of each node shows; nothing if it comes at once and alone.
    shown: Vec<Vec<Option<Rc<Action>>>>,
}

const UNCERTAIN: &str =
    "the purpose is reached in some explanations of what happened, but not in all";

/// A verdict for a set of valuations of a node.
pub(crate) struct Judged {
    pub verdict: Verdict,
    pub set: Federation,
    pub reason: &'static str,
    /// Whether a surer pass is out of reach.
    pub settled: bool,
}

/// Something that may happen in a node.
pub(crate) struct Expected {
    /// The side that takes it.
    pub control: Control,
    /// The node it leads to.
    pub target: NodeId,
    /// The steps that do it, at least one, each with those that it takes along.
    pub steps: Vec<Vec<tioga_games::ArenaStep>>,
    /// What is seen.
    pub action: Action,
    /// When it is possible.
    pub guard: Federation,
    /// What it does to the clocks.
    pub sets: Vec<CaseSet>,
}

/// Steps that follow each other at once.
struct Way {
    steps: Vec<tioga_games::ArenaStep>,
    /// The node they lead to.
    target: NodeId,
    /// Where they end in that node, if not everywhere.
    end: Option<Federation>,
}

impl<'s, 'm> Tester<'s, 'm> {
    pub fn new(
        solution: &'s Solution<'m>,
        counted: &'s ViewPass,
        exact: bool,
    ) -> Result<Self, Error> {
        let arena = &solution.game.arena;
        let model = arena.model();
        let mut composer = Composer::new(model);
        let mut steps = Steps::new();
        let mut shown = Vec::new();
        // There are few actions and many edges.
        let mut known: HashMap<Observable, Rc<Action>> = HashMap::new();
        for node in arena.ids() {
            composer.steps(&arena.state(node), &mut steps);
            let taken_for_granted = composer.instant(&arena.state(node), &steps).is_some();
            let actions = arena.edges(node).iter().map(|edge| {
                let step = &steps.list[edge.step as usize];
                let observable = Observable::of(step);
                if let Some(action) = observable.as_ref().and_then(|seen| known.get(seen)) {
                    return Ok(Some(Rc::clone(action)));
                }
                match label_of(model, step) {
                    TraceEvent::Input(channel, values) | TraceEvent::Output(channel, values) => {
                        let action = Rc::new(Action::new(channel, &values));
                        known.extend(observable.map(|seen| (seen, Rc::clone(&action))));
                        Ok(Some(action))
                    }
                    TraceEvent::Internal(_) if taken_for_granted => Ok(None),
                    TraceEvent::Exchange(input, ..) => {
                        Err(Error::NotObservable(format!("when `{input}` is answered")))
                    }
                    TraceEvent::Internal(Some(name)) => {
                        Err(Error::NotObservable(format!("`{name}`")))
                    }
                    TraceEvent::Internal(None) => {
                        Err(Error::NotObservable("some internal step".to_owned()))
                    }
                }
            });
            shown.push(actions.collect::<Result<Vec<_>, _>>()?);
        }
        if let Some([None]) = shown.first().map(|first: &Vec<_>| &first[..]) {
            return Err(Error::NotObservable("what happens before anything else".to_owned()));
        }
        Ok(Self { solution, counted, exact, shown })
    }

    /// What a node is called.
    pub fn name(&self, node: NodeId) -> String {
        let arena = &self.solution.game.arena;
        place_name(arena.model(), &arena.state(node))
    }

    /// The locations of the written model that the system is in for certain.
    pub fn origin(&self, node: NodeId) -> Vec<Origin> {
        let arena = &self.solution.game.arena;
        origins(arena.model(), &arena.state(node))
    }

    /// A set of a node as bounds, in few words.
    pub fn zones(&self, node: NodeId, set: &Federation) -> Vec<CaseZone> {
        self.solution.readable(node, set).iter().map(zone).collect()
    }

    /// The invariant of a node.
    pub fn invariant(&self, node: NodeId) -> Vec<CaseZone> {
        let invariant = self.solution.game.arena.elapse(node).invariant();
        tioga_games::conjunctions(invariant).iter().map(zone).collect()
    }

    /// From where in a node no time may pass.
    pub fn urgent(&self, node: NodeId) -> Vec<CaseZone> {
        let place = self.solution.game.arena.elapse(node);
        if !place.passes_time() {
            return vec![CaseZone::new()];
        }
        tioga_games::conjunctions(place.urgent()).iter().map(zone).collect()
    }

    /// Where the purpose is reached.
    pub fn pass(&self, node: NodeId) -> Federation {
        let empty = Federation::empty(self.solution.game.arena.dimension());
        self.solution.game.aim(node).map_or(empty, |aim| aim.goal.clone())
    }

    /// Where the test passes: where the goal is reached, and where it is out of reach and something else counts.
    pub fn passes(&self, node: NodeId) -> Vec<Judged> {
        let (verdict, set) = (self.counted.goal, self.pass(node));
        let reason = match verdict {
            Verdict::Uncertain => UNCERTAIN,
            _ => "the purpose is reached",
        };
        let mut passes = vec![Judged { verdict, set, reason, settled: false }];
        passes.extend(self.settled_in(node, &self.out_of_reach(node)));
        passes
    }

    /// Where a test that gives up settles for a pass that is less sure, whether or not the goal is in reach.
    pub fn settled(&self, node: NodeId) -> Vec<Judged> {
        self.settled_in(node, &self.solution.game.arena.reached(node).clone())
    }

    fn settled_in(&self, node: NodeId, within: &Federation) -> Vec<Judged> {
        let mut rest = within.clone();
        let mut all = Vec::new();
        let location = self.solution.game.arena.state(node).locations.first().copied();
        for settled in self.counted.settled.iter().filter(|one| location == Some(one.location)) {
            let mut set = set_of(&settled.clocks, rest.dimension());
            set.intersect(&rest);
            rest.subtract(&set);
            set.merge();
            let verdict = settled.verdict;
            let reason = match verdict {
                Verdict::Uncertain => UNCERTAIN,
                _ => "the purpose is reached in one explanation of what happened",
            };
            all.push(Judged { verdict, set, reason, settled: true });
        }
        all.retain(|one| !one.set.is_empty());
        all
    }

    /// A verdict as test cases have it.
    pub fn judgement(&self, node: NodeId, judged: &Judged) -> Judgement {
        let zones = self.zones(node, &judged.set);
        let settled = judged.settled;
        Judgement { settled, ..Judgement::new(judged.verdict, zones, judged.reason) }
    }

    /// From where in a node the goal of the game is out of reach.
    fn out_of_reach(&self, node: NodeId) -> Federation {
        let mut rest = self.solution.game.arena.reached(node).clone();
        if let Some(hopeful) = self.solution.levels[node.index()].last() {
            rest.subtract(hopeful);
        }
        rest.merge();
        rest
    }

    /// Why a test is inconclusive where the goal of the game is out of reach.
    pub fn hopeless(&self) -> &'static str {
        if !self.counted.settled.is_empty() {
            "the purpose cannot be reached for certain any more"
        } else if self.exact {
            "the purpose cannot be reached any more"
        } else {
            "the purpose cannot be reached any more, as far as the approximate view tells"
        }
    }

    /// What one side may do anywhere.
    pub fn actions(&self, by: Side) -> BTreeSet<Action> {
        let arena = &self.solution.game.arena;
        let shown =
            arena.ids().flat_map(|node| arena.edges(node).iter().zip(&self.shown[node.index()]));
        let own = shown.filter(|(edge, _)| side(edge.control) == by);
        own.filter_map(|(_, action)| action.as_deref().cloned()).collect()
    }

    /// What may happen in a node: inputs only where the purpose stays in reach. Steps that look the
    /// same and do the same are one.
    pub fn edges(&self, node: NodeId) -> Vec<Expected> {
        let arena = &self.solution.game.arena;
        let mut edges: Vec<Expected> = Vec::new();
        for (edge, action) in arena.edges(node).iter().zip(&self.shown[node.index()]) {
            let Some(action) = action else { continue };
            // Where a way that is shorter ends already.
            let mut ended = Federation::empty(arena.dimension());
            for Way { steps: way, target, end } in self.ways(edge) {
                let hopeful = match edge.control {
                    Control::Uncontrollable => Some(arena.elapse(target).invariant()),
                    Control::Controllable => self.solution.levels[target.index()].last(),
                };
                let Some(hopeful) = hopeful else { continue };
                let mut guard = self.before(&way, hopeful);
                guard.intersect(arena.reached(node));
                guard.subtract(&ended);
                if let Some(end) = end {
                    let before = self.before(&way, &end);
                    guard.intersect(&before);
                    ended.unite(&before);
                }
                if guard.is_empty() {
                    continue;
                }
                let sets: Vec<CaseSet> = way.iter().flat_map(|edge| self.sets(edge)).collect();
                let same = edges.iter_mut().find(|other| {
                    (other.control, other.target) == (edge.control, target)
                        && other.action == **action
                        && other.sets == sets
                });
                match same {
                    Some(same) => {
                        same.guard.unite(&guard);
                        same.steps.push(way);
                    }
                    None => {
                        let (control, steps) = (edge.control, vec![way]);
                        let action = Action::clone(action);
                        edges.push(Expected { control, target, steps, action, guard, sets });
                    }
                }
            }
        }
        edges.iter_mut().for_each(|edge| edge.guard.merge());
        edges
    }

    /// An edge with the internal steps that follow it at once, up to where they end. If the purpose
    /// may be reached or given up in between, or the next step is not possible because it may not arrive, the way may
    /// also end there; what is failed goes no further.
    fn ways(&self, edge: &tioga_games::ArenaStep) -> Vec<Way> {
        let arena = &self.solution.game.arena;
        let (mut steps, mut target) = (vec![*edge], edge.target);
        let mut ways = Vec::new();
        while steps.len() <= arena.len()
            && let ([next], [None]) = (arena.edges(target), &self.shown[target.index()][..])
            && !self.solution.game.is_fail(target)
        {
            let place = arena.elapse(target);
            let mut end = place.invariant().clone();
            end.subtract(&arena.before(next, arena.elapse(next.target).invariant()));
            end.unite(&self.pass(target));
            if let Some(aim) = self.solution.game.aim(target) {
                end.unite(&aim.forbidden);
            }
            if !end.is_empty() {
                ways.push(Way { steps: steps.clone(), target, end: Some(end) });
            }
            steps.push(*next);
            target = next.target;
        }
        ways.push(Way { steps, target, end: None });
        ways
    }

    /// From where some steps, one at once after the other, lead into a set.
    pub fn before(&self, way: &[tioga_games::ArenaStep], set: &Federation) -> Federation {
        let arena = &self.solution.game.arena;
        let mut set = set.clone();
        for edge in way.iter().rev() {
            set.intersect(arena.elapse(edge.target).invariant());
            set = arena.before(edge, &set);
        }
        set
    }

    /// What an edge does to the clocks.
    fn sets(&self, edge: &tioga_games::ArenaStep) -> Vec<CaseSet> {
        let index = |clock: usize| u32::try_from(clock - 1).expect("fewer than 2^32 clocks");
        let jump = self.solution.game.arena.jump(edge);
        let sets = jump.assignments().map(|(clock, source, offset)| CaseSet {
            clock: index(clock),
            source: (source > 0).then(|| index(source)),
            value: i64::from(offset),
        });
        sets.collect()
    }

    /// A node as a place of the tester.
    pub fn place(&self, node: NodeId, with_rules: bool) -> CasePlace {
        let mut hopeless = self.out_of_reach(node);
        let mut judged = self.passes(node);
        judged.iter().for_each(|one| hopeless.subtract(&one.set));
        hopeless.merge();
        let (verdict, reason) = (Verdict::Inconclusive, self.hopeless());
        let settled = !self.counted.settled.is_empty();
        judged.push(Judged { verdict, set: hopeless, reason, settled });
        let mut verdicts = Vec::new();
        if self.solution.game.is_fail(node) {
            let reason = "the specification calls this a failure";
            verdicts.push(Judgement::new(Verdict::Fail, vec![CaseZone::new()], reason));
        } else {
            let judged = judged.iter().filter(|one| !one.set.is_empty());
            verdicts.extend(judged.map(|one| self.judgement(node, one)));
        }
        let edges = self.edges(node);
        let rules = if with_rules { self.rules(node, &edges, |_| true) } else { Vec::new() };
        let edges = edges.into_iter().map(|expected| CaseEdge {
            by: side(expected.control),
            action: expected.action,
            guard: self.zones(node, &expected.guard),
            sets: expected.sets,
            target: expected.target.0,
        });
        CasePlace {
            name: self.name(node),
            origin: self.origin(node),
            invariant: self.invariant(node),
            urgent: self.urgent(node),
            verdicts,
            edges: edges.collect(),
            rules,
        }
    }

    /// The rules of a node, of ranks that are wanted.
    pub fn rules(
        &self,
        node: NodeId,
        edges: &[Expected],
        wanted: impl Fn(Rank) -> bool,
    ) -> Vec<CaseRule> {
        // One step may lead along several ways, depending on the clocks.
        let doing = |step: u32| {
            let does = move |edge: &&Expected| edge.steps.iter().any(|way| way[0].step == step);
            let indexed = edges.iter().enumerate().filter(move |(_, edge)| does(edge));
            indexed
                .map(|(index, edge)| (u32::try_from(index).expect("fewer than 2^32 edges"), edge))
        };
        let mut rules = Vec::new();
        for rule in self.solution.rules(node).into_iter().filter(|rule| wanted(rule.rank)) {
            let Rank { risks, losses, steps } = rule.rank;
            let mut add = |set: &Federation, play, awaited| {
                let zones = self.zones(node, set);
                rules.push(CaseRule { rank: [risks, losses, steps], zones, play, awaited });
            };
            match &rule.advice {
                Advice::Done => {}
                Advice::Play(step) if doing(*step).count() == 1 => {
                    doing(*step).for_each(|(play, _)| add(&rule.set, Some(play), Vec::new()));
                }
                Advice::Play(step) => {
                    for (play, edge) in doing(*step) {
                        let mut set = rule.set.clone();
                        set.intersect(&edge.guard);
                        set.merge();
                        if !set.is_empty() {
                            add(&set, Some(play), Vec::new());
                        }
                    }
                }
                Advice::Wait { awaited, .. } => {
                    let all = awaited.iter().flat_map(|step| doing(*step));
                    let hoped_for = all.filter(|(_, edge)| self.lowers(edge, rule.rank));
                    let mut awaited: Vec<u32> = hoped_for.map(|(index, _)| index).collect();
                    awaited.sort_unstable();
                    awaited.dedup();
                    add(&rule.set, None, awaited);
                }
            }
        }
        rules
    }

    /// Whether something that may happen may lead below a rank.
    fn lowers(&self, edge: &Expected, rank: Rank) -> bool {
        let aim = self.solution.levels[edge.target.index()].at(tioga_games::below(rank));
        aim.is_some_and(|aim| {
            edge.steps.iter().any(|way| self.before(way, aim).intersects(&edge.guard))
        })
    }
}

/// The valuations within some bounds.
fn set_of(bounds: &ClockConjunction, dimension: usize) -> Federation {
    let index = |clock: Option<ClockId>| clock.map_or(0, |clock| clock.index() + 1);
    let mut zone = Zone::universal(dimension);
    for bound in bounds {
        let constant = i32::try_from(bound.bound).expect("bounds of the view are small");
        let limit = if bound.strict { Bound::lt(constant) } else { Bound::le(constant) };
        let limit = limit.expect("bounds of the view are small");
        if zone.constrain(index(bound.left), index(bound.right), limit).is_err() {
            return Federation::empty(dimension);
        }
    }
    Federation::from(zone)
}

pub(crate) fn side(control: Control) -> Side {
    match control {
        Control::Controllable => Side::Tester,
        Control::Uncontrollable => Side::System,
    }
}

fn zone(conjunction: &ClockConjunction) -> CaseZone {
    let bounds = conjunction.iter().map(|bound| CaseBound {
        left: bound.left.map(|clock| clock.0),
        right: bound.right.map(|clock| clock.0),
        strict: bound.strict,
        bound: bound.bound,
    });
    bounds.collect()
}
