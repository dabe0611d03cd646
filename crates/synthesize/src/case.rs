//! From a solved game to a test case of the shape asked for.

use tioga_games::{NodeId, Root, Solution, Standing};
use tioga_model::{Direction, DiscreteState};
use tioga_testcase::{
    Action, CasePlace, Goal, Judgement, Luck, Shape, Side, Summary, TestCase, Verdict, ViewPass,
    Walk,
};

use crate::automaton::{NodePlaces, Tester};
use crate::played::played;
use crate::{Error, tree};

/// What is said about a test case that the game does not know.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct About {
    /// The name of the test case.
    pub name: String,
    /// What it is for.
    pub goal: Goal,
    /// What is approximated, if verdicts are not exact.
    pub approximated: Vec<String>,
    /// What counts as a pass.
    pub pass: ViewPass,
    /// Where the system's cooperation is needed.
    pub luck: Vec<Luck>,
    /// The steps of the environment that are inputs of the model and need no message.
    pub own_moves: Vec<String>,
    /// Whether the purpose declares a restart action.
    pub restarts: bool,
    /// How it is run, if it is a random walk; then its choices are left open.
    pub walk: Option<Walk>,
    /// How long the tester waits for an optional output, in units of `1 / scale`.
    pub patience: i64,
}

/// A test case with the states of the model that its places stand for.
#[derive(Clone, PartialEq, Debug)]
pub struct MadeCase {
    /// The test case.
    pub case: TestCase,
    /// The discrete state of each place; none for a leaf that only has a verdict.
    pub states: Vec<Option<DiscreteState>>,
}

/// Makes a test case of a solved game.
///
/// Pre: the game was solved for ranks, from the initial state. For a tree, upper bounds of the ranks suffice: it gives up
/// where they do not fall.
pub fn test_case(solution: &Solution<'_>, shape: Shape, about: About) -> Result<MadeCase, Error> {
    if !solution.complete && shape != Shape::Tree {
        return Err(Error::Incomplete);
    }
    let model = solution.game.arena.model();
    let Standing::Rank(rank) = solution.standing(&Root::initial(model)) else {
        return Err(Error::Unreachable);
    };
    let exact = about.approximated.is_empty();
    let tester = Tester::new(solution, &about.pass, exact)?;
    let shape = if about.walk.is_some() { Shape::Automaton } else { shape };
    let places: NodePlaces = match shape {
        Shape::Tree => tree::places(&tester, rank, about.patience)?,
        Shape::Automaton => {
            let ids = solution.game.arena.ids();
            reachable(ids.map(|node| (Some(node), tester.place(node, false))).collect())
        }
        Shape::Strategy => played(|number| tester.place(NodeId(number), true)),
    };
    let (nodes, places): (Vec<Option<NodeId>>, Vec<CasePlace>) = places.into_iter().unzip();
    let state = |node: &Option<NodeId>| node.map(|node| solution.game.arena.state(node));
    let states = nodes.iter().map(state).collect();
    let mut clocks: Vec<String> = model.clocks.iter().map(|clock| clock.name.clone()).collect();
    if shape == Shape::Tree {
        clocks.push(tree::CLOCK.to_owned());
    }
    let actions = |side: Side| {
        let edges = places.iter().flat_map(|place: &CasePlace| &place.edges);
        let mut all: Vec<Action> =
            edges.filter(|edge| edge.by == side).map(|edge| edge.action.clone()).collect();
        // A strategy keeps no edges for what it never leads to, but a wrong system may lead there.
        if shape == Shape::Strategy {
            all.extend(tester.actions(side));
        }
        // The rest of the interface, as far as it carries no values.
        let direction = match side {
            Side::Tester => Direction::Input,
            Side::System => Direction::Output,
        };
        let channels = model.channels.iter().filter(|channel| {
            channel.direction == Some(direction) && channel.parameters.is_empty()
        });
        all.extend(channels.map(|channel| {
            let channel = channel.name.clone();
            Action { channel, values: Vec::new() }
        }));
        all.sort();
        all.dedup();
        all
    };
    let may_be = |verdict: Verdict| {
        let mut verdicts = places.iter().flat_map(|place| &place.verdicts);
        verdicts.any(|own: &Judgement| own.verdict == verdict && !own.zones.is_empty())
    };
    let case = TestCase {
        name: about.name,
        shape,
        summary: Summary {
            model: model.name.clone(),
            goal: about.goal,
            exact,
            approximated: about.approximated,
            rank: [rank.risks, rank.losses, rank.steps],
            rank_is_bound: !solution.complete,
            luck: about.luck,
            may_be_inconclusive: may_be(Verdict::Inconclusive),
            may_be_uncertain: may_be(Verdict::Uncertain),
            restarts: about.restarts,
            unit: model.time_unit,
        },
        scale: model.scale,
        clocks,
        inputs: actions(Side::Tester),
        outputs: actions(Side::System),
        own_moves: about.own_moves,
        runs: None,
        patience: Some(about.patience),
        walk: about.walk,
        places,
        data: None,
        symbolic: None,
    };
    Ok(MadeCase { case, states })
}

/// The places that the first leads to, in the same order.
fn reachable(places: NodePlaces) -> NodePlaces {
    let mut reached = vec![false; places.len()];
    let mut waiting = vec![0];
    while let Some(place) = waiting.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            waiting.extend(places[place].1.edges.iter().map(|edge| edge.target as usize));
        }
    }
    let mut count = 0;
    let renumbered: Vec<u32> = reached
        .iter()
        .map(|reached| {
            count += u32::from(*reached);
            count.saturating_sub(1)
        })
        .collect();
    let kept = places.into_iter().zip(reached).filter_map(|(place, kept)| kept.then_some(place));
    let renumber = |(node, mut place): (Option<NodeId>, CasePlace)| {
        for edge in &mut place.edges {
            edge.target = renumbered[edge.target as usize];
        }
        (node, place)
    };
    kept.map(renumber).collect()
}
