//! Replay of observed runs, verdicts, supports and observables (BON09, chapter 3, section 4).

use tioga_grids::words::{Criterion, Wanted, WordGraph, Words};
use tioga_grids::{
    Automaton, GridOptions, Resolution, SupportOptions, TimedWord, Verdict, of_model, of_purpose,
    product, replay, replay_on, supports, verdict,
};
use tioga_testkit::{example, example_text, model};

use crate::support::{example_with, grid, options, plenty, product_of, word};

fn resolution(automaton: &Automaton) -> Resolution {
    Resolution::of(automaton, &GridOptions::default()).unwrap()
}

#[test]
fn the_switch_runs_as_printed() {
    let switch = of_model(&example_with("switch/sw5", 6)).unwrap();
    let run = |text: &str| replay(&switch, &resolution(&switch), &word(text)).unwrap();
    let whole = run("3, on, 3, on, 5, off, 2");
    assert!(whole.complete);
    assert_eq!(whole.locations, [0]);
    let blocked = run("on, 6");
    assert_eq!((blocked.complete, blocked.symbols), (false, 1));
    assert!(run("on, 5").complete);
    let grid = grid(&switch, &options(1, 7));
    let (_, states) = replay_on(&grid, &word("3, on, 3, on, 5, off, 2")).unwrap();
    assert_eq!(grid.state_name(states.last().unwrap()[0]), "q0; Switch.c=2");
    let names = (0..u32::try_from(grid.state_count()).unwrap()).map(|state| grid.state_name(state));
    assert!(names.into_iter().all(|name| name != "q1; Switch.c=6"));
}

#[test]
fn test_cases_are_the_inputs_of_words() {
    let switch = of_model(&example("switch/sw5")).unwrap();
    let case = word("2/3, on, 4/3, on, 5, off").test_case(&switch);
    assert_eq!(case, word("2/3, on, 4/3, on, 5"));
}

#[test]
fn a_test_case_has_the_printed_support_and_observation() {
    let switch = of_model(&example_with("switch/sw5", 6)).unwrap();
    let case = word("on, 5, 3, on, 2");
    for within_delays in [false, true] {
        let how = SupportOptions { within_delays, ..SupportOptions::default() };
        let (found, complete) = supports(&switch, &resolution(&switch), &case, &how).unwrap();
        assert!(complete);
        assert_eq!(found, [word("on, 5, off, 3, on, 2")]);
        assert_eq!(found[0].observed(&switch), word("5, off, 3, 2"));
    }
    // With the other switch there are more, such as one that ends with off.
    let early = of_model(&example_with("switch/swle5", 6)).unwrap();
    let how = SupportOptions::default();
    let (found, _) = supports(&early, &resolution(&early), &case, &how).unwrap();
    assert!(found.contains(&word("on, 5, off, 3, on, 2")));
    assert!(found.contains(&word("on, 5, off, 3, on, 2, off")) && found.len() > 2);
    for support in &found {
        assert_eq!(support.test_case(&early), case);
        assert!(replay(&early, &resolution(&early), support).unwrap().complete, "{support}");
    }
}

/// The runs of an implementation under a test case: what it may answer at which unit of time.
fn observed(implementation: &str, case: &str) -> Vec<TimedWord> {
    let automaton = of_model(&model(implementation)).unwrap();
    let how = SupportOptions { within_delays: true, cut: true, ..SupportOptions::default() };
    supports(&automaton, &resolution(&automaton), &word(case), &how).unwrap().0
}

#[test]
fn verdicts_on_a_fail_purpose_are_positive_or_inconclusive_and_faults_are_flagged() {
    let text = example_text("switch-purpose/sw5");
    let specification = model(&text);
    let switch = of_model(&specification).unwrap();
    let both = product(&switch, &of_purpose(&specification, 0).unwrap()).unwrap();
    let case = "8/3, on, 7/3, on, 5";
    let judged = |runs: &[TimedWord]| {
        let found: Vec<_> =
            runs.iter().map(|run| replay(&both, &resolution(&both), run).unwrap()).collect();
        let conforms =
            runs.iter().all(|run| replay(&switch, &resolution(&switch), run).unwrap().complete);
        (verdict(&both, &found).0.unwrap(), conforms)
    };
    // The switch itself: it turns off in the end, and a fail state is reached.
    let itself = observed(&text, case);
    assert!(itself.contains(&word("8/3 on 7/3 on 5 off")));
    assert_eq!(judged(&itself), (Verdict::Positive, true));
    // An implementation that stays silent: inconclusive, and no fault, as its run ends when off is due.
    let silent = text.replace("q1 -> q0 : off! when c == 5 do c = 0;", "");
    let runs = observed(&silent, case);
    assert_eq!(runs, [word(case)]);
    assert_eq!(judged(&runs), (Verdict::Inconclusive, true));
    // One that turns off after 4: its run has off at 4, which is no run of the switch.
    let early = text
        .replace("off! when c == 5", "off! when c == 4")
        .replace("q1 invariant c <= 5", "q1 invariant c <= 4");
    let runs = observed(&early, case);
    assert!(runs.iter().any(|run| run.to_string().contains("4 off")), "{runs:?}");
    assert_eq!(judged(&runs), (Verdict::Inconclusive, false));
    // One that turns off late: not a run either.
    assert_eq!(judged(&[word("8/3 on 7/3 on 17/3 off")]), (Verdict::Inconclusive, false));
    // A run that the purpose refuses and the switch allows is no fault.
    assert_eq!(judged(&[word("14/3 on")]), (Verdict::Inconclusive, true));
}

#[test]
fn a_desired_purpose_is_positive_only_if_every_run_ends_there() {
    let text = example_text("switch-purpose/sw5").replace("fail location", "desired location");
    let specification = model(&text);
    let switch = of_model(&specification).unwrap();
    let both = product(&switch, &of_purpose(&specification, 0).unwrap()).unwrap();
    let run = |text: &str| replay(&both, &resolution(&both), &word(text)).unwrap();
    let (good, other) = (run("1 on 1 on 5 off"), run("1 on 1 on 5"));
    let judged = |runs: &[tioga_grids::Replayed]| verdict(&both, runs);
    assert_eq!(judged(&[good.clone(), good.clone()]), (None, Some(Verdict::Positive)));
    assert_eq!(judged(&[good, other]), (None, Some(Verdict::Inconclusive)));
    assert_eq!(judged(&[]), (None, Some(Verdict::Inconclusive)));
}

/// Replay without a grid and on one agree wherever the grid knows the numbers, and memory does not grow with
/// the run.
#[test]
fn replay_without_a_grid_is_replay_on_the_grid() {
    let both = product_of("switch-purpose/swle5");
    let grid = grid(&both, &options(3, 11));
    let graph = WordGraph::new(&grid, &Wanted::default(), &mut plenty()).unwrap();
    let mut words = Words::new(&graph, Criterion::LoopFree);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut complete = 0;
    for _ in 0..300 {
        for _ in 0..rng.usize(1..50) {
            words.next_way().unwrap();
        }
        let mut run = TimedWord::of_labels(words.next_way().unwrap().labels, &grid);
        if rng.bool() {
            let (one, other) = (rng.usize(..run.0.len()), rng.usize(..run.0.len()));
            run.0.swap(one, other);
            run.0.remove(rng.usize(..run.0.len()));
        }
        let exact = replay(&both, &grid.stepper().resolution, &run).unwrap();
        assert_eq!(replay_on(&grid, &run).unwrap().0, exact, "{run}");
        assert_eq!(exact.most_explanations, 1);
        complete += usize::from(exact.complete);
    }
    assert!((50..300).contains(&complete), "{complete}");
}

#[test]
fn a_nondeterministic_model_is_followed_on_all_its_ways() {
    let text = "input a; output b, c; automaton M { clock x; init location p; location q, r;
        p -> q : a? do x = 0; p -> r : a? do x = 0; q -> p : b! when x >= 1; r -> p : c! when x >= 2; }";
    let automaton = of_model(&model(text)).unwrap();
    let grid = grid(&automaton, &GridOptions::default());
    assert!(!grid.is_deterministic());
    for (run, expected) in
        [("a 1 b", true), ("a 1 c", false), ("a 2 c a 1 b", true), ("a a", false)]
    {
        let exact = replay(&automaton, &resolution(&automaton), &word(run)).unwrap();
        assert_eq!((exact.complete, exact.most_explanations), (expected, 2), "{run}");
        assert_eq!(replay_on(&grid, &word(run)).unwrap().0, exact, "{run}");
    }
}

#[test]
fn endless_outputs_and_long_delays_are_cut_and_said_to_be() {
    let text = "input a; output c; automaton M { clock x; rational w; init location p;
        p -> self : a? do x = 0; p -> self : c! do w = w + 1; }";
    let automaton = of_model(&model(text)).unwrap();
    let how = SupportOptions { most: 200, ..SupportOptions::default() };
    let (found, complete) =
        supports(&automaton, &resolution(&automaton), &word("a 1 a"), &how).unwrap();
    assert!(!complete && !found.is_empty());
    let how = SupportOptions { within_delays: true, ..SupportOptions::default() };
    let error = supports(&automaton, &resolution(&automaton), &word("a 100000 a"), &how);
    assert!(error.unwrap_err().to_string().contains("more than 3000 units"));
    let switch = of_model(&example_with("switch/sw5", 6)).unwrap();
    let far = replay_on(&grid(&switch, &options(1, 7)), &word("1000000000000 on"));
    assert!(far.unwrap_err().to_string().contains("units of the granularity"));
    // Without a grid a long delay is one step.
    let run = replay(&switch, &resolution(&switch), &word("1000000000000 on")).unwrap();
    assert_eq!(run.symbols, 0);
}
