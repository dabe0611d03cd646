//! Grids against the zone graph, which knows every real delay: what a grid reaches is reachable, and a grid that is
//! fine enough reaches everything that is.

use std::collections::BTreeSet;

use tioga_base::{Budget, Id};
use tioga_explore::SearchOptions;
use tioga_grids::{Ends, GridAutomaton, GridOptions, Resolution, of_model};
use tioga_symbolic::Survey;
use tioga_testkit::model;

use crate::support::random_text;

#[test]
fn edges_and_locations_of_a_grid_are_those_of_the_zone_graph() {
    let (mut models, mut hidden) = (0, 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = random_text(&mut rng, false);
        let model = model(&text);
        let options = SearchOptions { threads: 1, ..SearchOptions::default() };
        let survey = Survey::of(&model, &options, &mut |_| ()).unwrap();
        assert!(survey.incomplete.is_none());
        let taken: BTreeSet<usize> = survey.edges[0].iter().map(|edge| edge.index()).collect();
        let reached: BTreeSet<usize> = survey.locations[0].iter().map(|one| one.index()).collect();
        let automaton = of_model(&model).unwrap();
        for parts in [2, 8] {
            let options = GridOptions { parts: Some(parts), ..GridOptions::default() };
            let resolution = Resolution::of(&automaton, &options).unwrap();
            let budget = &mut Budget::steps(100_000);
            let grid =
                GridAutomaton::new(automaton.clone(), &resolution, Ends::Expanded, budget).unwrap();
            let edges: BTreeSet<usize> =
                (0..automaton.edges.len()).filter(|edge| grid.taken_edges()[*edge]).collect();
            let states = 0..u32::try_from(grid.state_count()).unwrap();
            let locations: BTreeSet<usize> = states.map(|state| grid.location(state)).collect();
            assert!(edges.is_subset(&taken) && locations.is_subset(&reached), "1/{parts}\n{text}");
            if parts == 8 {
                assert_eq!((&edges, &locations), (&taken, &reached), "1/{parts}\n{text}");
                models += 1;
            } else {
                hidden += usize::from(edges != taken);
            }
        }
    }
    assert!(models == 300 && hidden > 3, "{models} {hidden}");
}

/// No granularity suits all models: so many positive delays within one unit need so many parts.
#[test]
fn the_classical_granularity_hides_what_needs_many_delays_in_one_unit() {
    let mut text = "input a; automaton M { clock x, y; init location l0;".to_owned();
    (1..=6).for_each(|number| text.push_str(&format!(" location l{number};")));
    for number in 1..=6 {
        let from = number - 1;
        text.push_str(&format!("\n l{from} -> l{number} : a? when x < 1 && y > 0 do y = 0;"));
    }
    text.push_str("\n}");
    let model = model(&text);
    let survey =
        Survey::of(&model, &SearchOptions { threads: 1, ..Default::default() }, &mut |_| ());
    assert_eq!(survey.unwrap().edges[0].len(), 6);
    let automaton = of_model(&model).unwrap();
    for (parts, expected) in [(1, 0), (4, 3), (6, 5), (7, 6)] {
        let options = GridOptions { parts: Some(parts), ..GridOptions::default() };
        let resolution = Resolution::of(&automaton, &options).unwrap();
        let budget = &mut Budget::steps(100_000);
        let grid =
            GridAutomaton::new(automaton.clone(), &resolution, Ends::Expanded, budget).unwrap();
        assert_eq!(
            grid.taken_edges().iter().filter(|taken| **taken).count(),
            expected,
            "1/{parts}"
        );
    }
}
