//! Grids with context (BON09, chapter 5): the multimedia protocol, parameters, linear updates.

use tioga_base::Rational;
use tioga_grids::words::{Criterion, Wanted, WordGraph, Words};
use tioga_grids::{
    Error, GridOptions, GridSymbol, Resolution, TimedWord, Verdict, of_model, of_purpose, product,
    replay, replay_on, verdict,
};
use tioga_testkit::{example, example_text, model};

use crate::support::{grid, plenty, size, word};

fn options(parts: i64, bound: i64, context_bound: i64) -> GridOptions {
    GridOptions {
        parts: Some(parts),
        bound: Some(Rational::integer(bound)),
        context_parts: Some(1),
        context_bound: Some(Rational::integer(context_bound)),
        ..GridOptions::default()
    }
}

#[test]
fn grids_of_the_multimedia_protocol_have_the_known_sizes() {
    let automaton = of_model(&example("multimedia")).unwrap();
    // If the third error left s0 at c1 = 2, the transitions would be others.
    let text = example_text("multimedia")
        .replace("s2, s3 -> s0 : err!", "s2 -> s0 : err!")
        .replace("  // Too late.", "  s0 -> s0 : err! when c1 == 2 do c1 = 0, c2 = 0;");
    let moved = of_model(&model(&text)).unwrap();
    let rows = [
        (1, 2, (66, 116), [18, 12, 18, 18], 900, 116),
        (1, 3, (123, 219), [30, 21, 36, 36], 1600, 217),
        (2, 2, (164, 312), [30, 20, 57, 57], 3600, 306),
        (2, 3, (313, 599), [50, 35, 114, 114], 6400, 585),
    ];
    for (parts, bound, expected, each, most, other) in rows {
        let grid = grid(&automaton, &options(parts, 4, bound));
        assert_eq!((size(&grid), grid.bound()), (expected, most), "1/{parts}, K={bound}");
        let mut locations = [0; 4];
        for state in 0..u32::try_from(grid.state_count()).unwrap() {
            locations[grid.location(state)] += 1;
        }
        assert_eq!(locations, each);
        let moved = crate::support::grid(&moved, &options(parts, 4, bound));
        assert_eq!(size(&moved), (expected.0, other), "1/{parts}, K={bound}");
    }
}

#[test]
fn runs_of_the_multimedia_protocol_are_those_of_the_text() {
    let automaton = of_model(&example("multimedia")).unwrap();
    let grid = grid(&automaton, &options(2, 4, 3));
    let end = |text: &str| {
        let (end, states) = replay_on(&grid, &word(text)).unwrap();
        assert_eq!(replay(&automaton, &grid.stepper().resolution, &word(text)).unwrap(), end);
        end.complete.then(|| grid.state_name(states.last().unwrap()[0]).replace("Protocol.", ""))
    };
    let round = "1/2 img 1/2 snd 1/2 ack(1,1) rst";
    assert_eq!(end(round).as_deref(), Some("s0; c1=0, c2=0, w=1, v=1"));
    assert_eq!(end("img 2 err").as_deref(), Some("s0; c1=0, c2=0, w=1, v=0"));
    assert_eq!(end("img 2 snd"), None);
    assert_eq!(end("1/2 img 1/2 snd 1/2 ack(1,2)"), None);
}

#[test]
fn observed_values_are_bounded_before_they_are_replayed() {
    let automaton = of_model(&example("multimedia")).unwrap();
    let grid = grid(&automaton, &options(1, 4, 3));
    let shown = word("ack(7,1)").to_grid(&grid).unwrap();
    let ack = automaton.action("ack").unwrap();
    assert_eq!(shown, [GridSymbol::Action(ack, [3, 1].into_iter().collect())]);
    assert_eq!(grid.label_name(shown[0].label(&grid).unwrap()), "ack(3,1)!");
    // Seven rounds: the grid takes 7 and 8 for 3, the automaton itself does not.
    let rounds =
        "img snd ack(1,1) rst img snd ack(2,2) rst img snd ack(3,3) rst img snd ack(4,4) rst
                  img snd ack(5,5) rst img snd ack(6,6) rst img snd";
    for (last, exact) in [("ack(7,7)", true), ("ack(8,7)", false), ("ack(2,2)", false)] {
        let run = word(&format!("{rounds} {last}"));
        let on_grid = replay_on(&grid, &run).unwrap().0.complete;
        assert_eq!(on_grid, last != "ack(2,2)", "{last}");
        let found = replay(&automaton, &grid.stepper().resolution, &run).unwrap();
        assert_eq!(found.complete, exact, "{last}");
    }
}

#[test]
fn parameters_are_enumerated_up_to_their_bound() {
    let text = "input a(rational p, rational q); output b;
        automaton M { rational w; init location s; location t;
          s -> t : a(p, q)? when q <= 1 do w = 2 * w + p + 1; t -> s : b! when w <= 1; }";
    let automaton = of_model(&model(text)).unwrap();
    let built = grid(&automaton, &options(1, 2, 2));
    let inputs = |grid: &tioga_grids::GridAutomaton| {
        grid.transitions(0).filter(|(label, _)| *label != tioga_grids::TICK).count()
    };
    // 3 · 3 values of p and q, of which q = 2 is filtered by the guard.
    assert_eq!(inputs(&built), 6);
    let free = of_model(&model(&text.replace("when q <= 1 ", ""))).unwrap();
    assert_eq!(inputs(&grid(&free, &options(1, 2, 2))), 9);
    // Halves: 6 · 6 values.
    let halves = GridOptions { context_parts: Some(2), ..options(1, 2, 2) };
    assert_eq!(inputs(&grid(&free, &halves)), 36);
}

#[test]
fn updates_that_subtract_are_refused() {
    let refused = |update: &str| {
        let text = format!(
            "input a(rational p); automaton M {{ rational v, w; init location s;
               s -> self : a(p)? do {update}; }}"
        );
        of_model(&model(&text)).map(|_| ())
    };
    assert_eq!(refused("w = 2 * w + p + 1"), Ok(()));
    for (update, message) in [
        ("v = 10 - w", "the coefficient -1 is negative"),
        ("w = w - 1", "the constant -1 is negative"),
        ("w = w / 2", "a quotient is not linear with integers"),
        ("w = v * w", "a product of two variables is not linear"),
        ("w = w * 1/2", "no integer"),
    ] {
        let error = refused(update).unwrap_err();
        assert!(matches!(error, Error::NotLinear { .. }), "{update}: {error}");
        let quotient = "a quotient is not linear with integers";
        assert!(
            [message, quotient].iter().any(|one| error.to_string().contains(one)),
            "{update}: {error}"
        );
    }
}

#[test]
fn clocks_that_are_set_under_a_condition_are_refused() {
    let of = |update: &str| {
        let text = format!(
            "input a; automaton M {{ clock x; int[0, 3] n; init location s;
               s -> self : a? when x < 2 do {update}; }}"
        );
        of_model(&model(&text)).map(|_| ())
    };
    assert_eq!(of("x = 0"), Ok(()));
    let error = of("x = n == 1 ? 0 : x").unwrap_err();
    assert!(error.to_string().contains("set under no condition on data"), "{error}");
}

/// Why: with `v := 10 - w` and the bound 5, w = 7 gives 3, but 5 by way of the bounded w.
#[test]
fn context_constants_fit_the_granularity_of_context() {
    let text =
        "input a; automaton M { rational w; init location s; s -> self : a? when w <= 1/3; }";
    let automaton = of_model(&model(text)).unwrap();
    let halves = GridOptions { context_parts: Some(2), ..GridOptions::default() };
    let error = Resolution::of(&automaton, &halves).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the constant 1/3 of `M.w` is not a multiple of the granularity 1/2"
    );
    let help = error.help("", "--granularity", "--context-granularity").unwrap();
    assert!(help.starts_with("`--context-granularity 1/3` is fine enough"), "{help}");
}

/// The thesis allows a bound for each variable without saying that those of sources must not be lower.
#[test]
fn a_variable_is_not_bounded_lower_than_what_it_goes_into() {
    let text = "input a, b, c; output d; automaton M { rational v, w; init location s;
        s -> self : a? do w = w + 1; s -> self : b? do v = w; s -> self : d! when v >= 5; }";
    let automaton = of_model(&model(text)).unwrap();
    let bounds = vec![("M.w".to_owned(), Rational::integer(3))];
    let error = Resolution::of(&automaton, &GridOptions { bounds, ..GridOptions::default() });
    assert!(matches!(error, Err(Error::HidingBound { bound: 3, needed: 6, .. })), "{error:?}");
    let own = Resolution::of(&automaton, &GridOptions::default()).unwrap();
    assert_eq!(own.context, [6, 6]);
    // With the bound 3 for w, d would be out of reach; with 6 it is reached after six a.
    let grid = grid(&automaton, &GridOptions::default());
    assert!(replay_on(&grid, &word("a a a a a a a b d")).unwrap().0.complete);
    assert!(!replay_on(&grid, &word("a a a a b d")).unwrap().0.complete);
}

#[test]
fn words_of_a_round_replayed_end_as_desired() {
    let model = example("multimedia");
    let (protocol, purpose) = (of_model(&model).unwrap(), of_purpose(&model, 0).unwrap());
    let both = product(&protocol, &purpose).unwrap();
    let grid = grid(&both, &options(1, 4, 2));
    let graph = WordGraph::new(&grid, &Wanted::default(), &mut plenty()).unwrap();
    let mut words = Words::new(&graph, Criterion::Shortest(20));
    let mut runs = Vec::new();
    while let Some(way) = words.next_way() {
        let word = TimedWord::of_labels(way.labels, &grid);
        let case = word.test_case(&protocol);
        assert!(case.0.iter().all(|symbol| symbol.name() != Some("ack")));
        let run = replay(&both, &grid.stepper().resolution, &word).unwrap();
        assert!(run.complete && run.ends_desired, "{word}");
        runs.push(run);
    }
    assert_eq!(runs.len(), 20);
    assert_eq!(verdict(&both, &runs), (None, Some(Verdict::Positive)));
    let other = replay(&both, &grid.stepper().resolution, &word("img 2 err")).unwrap();
    runs.push(other);
    assert_eq!(verdict(&both, &runs), (None, Some(Verdict::Inconclusive)));
}

#[test]
fn a_purpose_may_ask_for_the_values_of_an_output() {
    let text = example_text("multimedia").replace(
        "p2 -> p3 : ack(i, s)! when d <= 3;",
        "p2 -> p3 : ack(i, s)! when d <= 3 && i >= 2 && s == 1;",
    );
    let model = model(&text);
    let both = product(&of_model(&model).unwrap(), &of_purpose(&model, 0).unwrap()).unwrap();
    let resolution = Resolution::of(&both, &GridOptions::default()).unwrap();
    let ends = |text: &str| replay(&both, &resolution, &word(text)).unwrap().ends_desired;
    // Two images and one sound: the first image was too late for its sound.
    assert!(ends("img 2 err img snd ack(2,1)"));
    assert!(!ends("img snd ack(1,1)"));
    assert!(!ends("img 2 err img snd ack(1,1)"));
}
