//! The figures of BON09, chapter 3: sizes of grids, bounds, products and words. They were computed once from the
//! reconstructed examples, independently of this crate.

use tioga_grids::words::{Criterion, Wanted, WordGraph, Words, count};
use tioga_grids::{
    Ends, GridOptions, GridSymbol, TimedWord, of_model, of_purpose, product, replay_on,
};
use tioga_testkit::{example, model};

use crate::support::{example_with, grid, grid_with, options, plenty, product_of, size, word};

#[test]
fn grids_of_the_switch_have_the_known_sizes() {
    // K, L, parts of a unit, the bound, and states and transitions of both variants.
    let rows = [
        (6, 7, 1, 16, (13, 25), (13, 30)),
        (6, 7, 2, 32, (24, 47), (24, 57)),
        (6, 7, 3, 48, (35, 69), (35, 84)),
        (5, 6, 1, 14, (12, 23), (12, 28)),
        (5, 6, 2, 28, (22, 43), (22, 53)),
        (5, 6, 3, 42, (32, 63), (32, 78)),
    ];
    for (k, l, parts, bound, sharp, early) in rows {
        for (name, expected) in [("switch/sw5", sharp), ("switch/swle5", early)] {
            let grid = grid(&of_model(&example_with(name, k)).unwrap(), &options(parts, l));
            assert_eq!((size(&grid), grid.bound()), (expected, bound), "{name} K={k} 1/{parts}");
        }
    }
}

#[test]
fn grids_of_the_switch_with_two_clocks_have_the_known_sizes() {
    let rows = [
        (1, 98, (31, 61), (31, 86)),
        (2, 392, (106, 211), (106, 306)),
        (4, 1568, (391, 781), (391, 1151)),
    ];
    for (parts, bound, sharp, early) in rows {
        for (name, expected) in [("off5", sharp), ("offle5", early)] {
            let automaton = of_model(&example(&format!("two-clock-switch/{name}"))).unwrap();
            let grid = grid(&automaton, &options(parts, 6));
            assert_eq!((size(&grid), grid.bound()), (expected, bound), "{name} 1/{parts}");
        }
    }
}

#[test]
fn the_printed_run_of_the_switch_with_two_clocks_goes_through_the_printed_states() {
    let automaton = of_model(&example("two-clock-switch/off5")).unwrap();
    let grid = grid(&automaton, &options(2, 6));
    let alpha = word("2, on, 4, on, 5, off");
    let beta = alpha.to_grid(&grid).unwrap();
    let on = GridSymbol::Action(automaton.action("on").unwrap(), Default::default());
    let off = GridSymbol::Action(automaton.action("off").unwrap(), Default::default());
    let ticks = |count: usize| vec![GridSymbol::Tick; count];
    let printed = [ticks(4), vec![on.clone()], ticks(8), vec![on], ticks(10), vec![off]].concat();
    assert_eq!(beta, printed);
    // Back again: symbol by symbol, and together the same delays.
    let back = TimedWord::of_grid(&beta, &automaton, &grid.stepper().resolution);
    assert_eq!(back.0.len(), 25);
    assert_eq!(back.merged().unwrap(), alpha);
    let (end, states) = replay_on(&grid, &alpha).unwrap();
    assert!(end.complete);
    let names: Vec<String> = states
        .iter()
        .map(|set| {
            let [only] = &set[..] else { panic!("the grid is deterministic") };
            grid.state_name(*only).replace("Switch.", "")
        })
        .collect();
    assert_eq!(names.len(), 26);
    assert_eq!(names[0], "s0; c1=0, c2=0");
    assert_eq!(names[5], "s1; c1=0, c2=2");
    assert_eq!(names[13], "s1; c1=4, c2=6");
    for (step, name) in names[14..=24].iter().enumerate() {
        let c2 = if step % 2 == 0 { "6" } else { "13/2" };
        let c1 = if step % 2 == 0 { (step / 2).to_string() } else { format!("{step}/2") };
        assert_eq!(*name, format!("s1; c1={c1}, c2={c2}"));
    }
    assert_eq!(names[25], "s0; c1=0, c2=0");
}

#[test]
fn the_product_of_the_switch_with_its_purpose_is_that_of_table_1() {
    let product = product_of("switch-purpose/sw5");
    assert_eq!((product.locations.len(), product.edges.len()), (6, 9));
    let names = |fail: bool| -> Vec<&str> {
        let all = product.locations.iter().filter(|location| location.fail == fail);
        let mut names: Vec<&str> = all.map(|location| location.name.as_str()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(true), ["(q0,s3)", "(q1,s3)"]);
    assert_eq!(names(false), ["(q0,s0)", "(q0,s1)", "(q1,s1)", "(q1,s2)"]);
    // The invariants, by which delays they allow from 0 of both clocks.
    let invariants = [("(q0,s0)", 5, 3), ("(q1,s1)", 5, 5), ("(q0,s1)", 5, 5), ("(q1,s2)", 5, 10)];
    for (name, c, d) in invariants {
        let location = product.locations.iter().find(|one| one.name == name).unwrap();
        let mut bounds = Vec::new();
        location.invariant.each_comparison(&mut |one| bounds.push(format!("{one:?}")));
        assert_eq!(bounds.len(), 2, "{name}");
        assert!(bounds[0].contains(&format!("numer: {c}")), "{name}: {}", bounds[0]);
        assert!(bounds[1].contains(&format!("numer: {d}")), "{name}: {}", bounds[1]);
    }
    for name in names(true) {
        let location = product.locations.iter().find(|one| one.name == name).unwrap();
        let mut count = 0;
        location.invariant.each_comparison(&mut |_| count += 1);
        assert_eq!(count, 1, "{name}");
    }
}

#[test]
fn grids_and_words_of_the_product_have_the_known_numbers() {
    // Parts, bound, then for both variants: size, fail states, size without what follows them, words of
    // the shape on, on, off, and loop-free words.
    type Row =
        (i64, u128, [((usize, usize), (usize, usize), &'static str, &'static str); 2], usize);
    let rows: [Row; 3] = [
        (
            1,
            864,
            [((128, 244), (80, 138), "18", "117"), ((148, 351), (100, 220), "74", "19786")],
            54,
        ),
        (
            2,
            3456,
            [((438, 854), (251, 462), "56", "4058"), ((503, 1234), (316, 747), "406", "24709157")],
            198,
        ),
        (
            3,
            7776,
            [
                ((934, 1836), (518, 978), "115", "130935"),
                ((1069, 2655), (653, 1587), "1195", "25729893467"),
            ],
            432,
        ),
    ];
    for (parts, bound, variants, fails) in rows {
        for (name, (whole, cut, shaped, free)) in
            ["switch-purpose/sw5", "switch-purpose/swle5"].into_iter().zip(variants)
        {
            let product = product_of(name);
            let grid = grid(&product, &options(parts, 11));
            assert_eq!((size(&grid), grid.bound()), (whole, bound), "{name} 1/{parts}");
            let states = 0..u32::try_from(grid.state_count()).unwrap();
            assert_eq!(
                states.filter(|state| grid.ends(*state).0).count(),
                fails,
                "{name} 1/{parts}"
            );
            assert_eq!(size(&grid_with(&product, &options(parts, 11), Ends::Final)), cut);
            let actions = ["on", "on", "off"].map(str::to_owned).to_vec();
            let wanted = Wanted { actions: Some(actions) };
            let graph = WordGraph::new(&grid, &wanted, &mut plenty()).unwrap();
            let counted = |graph: &WordGraph| {
                count(graph, Criterion::LoopFree, &mut plenty()).unwrap().to_string()
            };
            assert_eq!(counted(&graph), shaped, "{name} 1/{parts}");
            let graph = WordGraph::new(&grid, &Wanted::default(), &mut plenty()).unwrap();
            assert_eq!(counted(&graph), free, "{name} 1/{parts}");
        }
    }
}

#[test]
fn the_printed_words_are_among_those_of_the_grid() {
    let grid = grid(&product_of("switch-purpose/sw5"), &options(3, 11));
    let actions = ["on", "on", "off"].map(str::to_owned).to_vec();
    let graph = WordGraph::new(&grid, &Wanted { actions: Some(actions) }, &mut plenty()).unwrap();
    let mut words = Words::new(&graph, Criterion::LoopFree);
    let mut found = Vec::new();
    while let Some(way) = words.next_way() {
        found.push(TimedWord::of_labels(way.labels, &grid));
    }
    assert_eq!(found.len(), 115);
    let mut printed = vec![word("2/3, on, 4/3, on, 5, off")];
    printed.extend((1..=9).map(|i| word(&format!("{i}/3, on, {}/3, on, 5, off", 15 - i))));
    for one in &printed {
        assert!(found.contains(one), "{one}");
    }
    assert!(printed.contains(&word("8/3, on, 7/3, on, 5, off")));
    for other in ["on, on, 4, off", "2/3, on, 13/3, on, 17/3, off"] {
        assert!(!found.contains(&word(other)), "{other}");
    }
}

#[test]
fn the_first_of_25_billion_words_come_at_once() {
    let grid = grid(&product_of("switch-purpose/swle5"), &options(3, 11));
    let graph = WordGraph::new(&grid, &Wanted::default(), &mut plenty()).unwrap();
    let mut words = Words::new(&graph, Criterion::LoopFree);
    let mut before: Vec<u32> = Vec::new();
    for number in 0..10_000 {
        let way = words.next_way().unwrap();
        assert_eq!(way.labels[..way.kept], before[..way.kept], "word {number}");
        assert!(number == 0 || way.labels.get(way.kept) != before.get(way.kept));
        before = way.labels.to_vec();
        let (end, _) = replay_on(&grid, &TimedWord::of_labels(way.labels, &grid)).unwrap();
        assert!(end.complete && end.reached_fail);
    }
}

#[test]
fn a_bound_for_each_clock_makes_no_grid_larger_and_no_word_different() {
    let product = product_of("switch-purpose/sw5");
    for parts in [1, 2, 3] {
        let uniform = grid(&product, &options(parts, 11));
        let own = GridOptions { parts: Some(parts), ..GridOptions::default() };
        let own = grid(&product, &own);
        assert_eq!(own.stepper().resolution.clocks, [6, 11]);
        assert!(own.state_count() <= uniform.state_count() && own.bound() < uniform.bound());
        // The words up to a length are those of the language.
        let count = |grid| {
            let graph = WordGraph::new(grid, &Wanted::default(), &mut plenty()).unwrap();
            let most = usize::try_from(20 * parts).unwrap();
            count(&graph, Criterion::UpTo(most), &mut plenty()).unwrap()
        };
        assert_eq!(count(&own), count(&uniform));
    }
}

#[test]
fn the_product_refuses_what_the_switch_alone_allows() {
    let model = example("switch-purpose/sw5");
    let switch = of_model(&model).unwrap();
    let both = product(&switch, &of_purpose(&model, 0).unwrap()).unwrap();
    let late = word("14/3, on");
    let run = |automaton| {
        let resolution = tioga_grids::Resolution::of(automaton, &GridOptions::default()).unwrap();
        tioga_grids::replay(automaton, &resolution, &late).unwrap().complete
    };
    assert_eq!((run(&switch), run(&both)), (true, false));
}

#[test]
fn clocks_are_reset_to_any_constant() {
    let text = "input a; output b;
        automaton M { clock x;
          init location p invariant x <= 3; location q invariant x <= 5/2;
          p -> q : a? when x >= 1 do x = 3/2; q -> p : b! when x == 5/2 do x = 0; }";
    let automaton = of_model(&model(text)).unwrap();
    let grid = grid(&automaton, &GridOptions::default());
    assert_eq!(grid.stepper().resolution.parts, 2);
    let (end, states) = replay_on(&grid, &word("1, a, 1, b, 3")).unwrap();
    assert!(end.complete);
    assert_eq!(grid.state_name(states[3][0]), "q; M.x=3/2");
}
