//! The figures of chapter 2 of BON09, as the digest of the thesis corrects them.

use tioga_machines::complete::{Completeness, Domain, survivor};
use tioga_machines::partition::{by_words, count, difference, equivalence, refinements};
use tioga_machines::separation::characterises;
use tioga_machines::{
    Error, Machine, Method, Transition, Word, WordSuite, cover, g, prefix_free, suite, total_length,
};

use crate::support::{answers, machine, text, words};

/// Example 28, specification and implementation, as far as the text determines them.
const SPEC28: &str = "s0: a->1/0 b->2/1 c->3/1 | s1: a->3/0 b->2/0 c->0/0 | s2: a->0/0 b->1/0 c->3/0 | s3: a->3/0 b->2/0 c->0/0";
const IMPL28: &str = "s0: a->1/0 b->1/1 c->4/1 | s1: a->2/0 b->0/0 c->0/0 | s2: a->0/0 b->3/0 c->1/0 | s3: a->2/0 b->0/0 c->0/0 | s4: a->2/0 b->0/0 c->0/0";
/// Example 29.
const SPEC29: &str =
    "s0: a->1/0 b->2/0 | s1: a->3/0 b->2/0 | s2: a->0/1 b->0/0 | s3: a->0/0 b->0/0";

/// M_n: `a` goes on and answers 1 in the last state only, `b` goes back and answers 0; in M'_n the last
/// state answers 1 to `b` as well.
fn family(n: usize, changed: bool) -> Machine {
    let mut transitions = Vec::new();
    for i in 0..=n {
        let (last, name) = (i == n, |i: usize| format!("s{i}"));
        for (input, output, target) in
            [("a", last, if last { n } else { i + 1 }), ("b", last && changed, 0)]
        {
            transitions.push(Transition {
                source: name(i),
                input: input.to_owned(),
                output: u8::from(output).to_string(),
                target: name(target),
            });
        }
    }
    Machine::new("family", [], "s0", &transitions).unwrap()
}

/// All words of a product, each once.
fn product(left: &[Word], right: &[Word]) -> Vec<Word> {
    let all = left.iter().flat_map(|one| {
        right.iter().map(move |other| one.iter().chain(other).copied().collect::<Word>())
    });
    all.collect::<std::collections::BTreeSet<Word>>().into_iter().collect()
}

#[test]
fn a_missing_transition_is_named() {
    let partial = machine("s0: a->1/0 b->0/0 | s1: a->0/1");
    let error = suite(&partial, Method::W, 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "state `s1` has no transition for input `b`, and the method W needs a complete machine"
    );
}

#[test]
fn words_are_run() {
    let machine = family(3, false);
    let run: Vec<String> = (0..4).map(|state| answers(&machine, state, "aaaa")).collect();
    assert_eq!(run, ["0001", "0011", "0111", "1111"]);
}

#[test]
fn states_that_cannot_be_reached_are_named() {
    let machine = machine("s0: a->0/0 b->0/1 | s1: a->0/1 b->0/1");
    assert_eq!(cover::transitions(&machine).unwrap_err(), Error::Unreachable(vec!["s1".into()]));
    assert_eq!(machine.unreachable(), [1]);
}

#[test]
fn the_tree_covers_all_transitions() {
    let texts = |machine: &Machine| {
        let words = cover::transitions(machine).unwrap();
        words.iter().map(|word| text(machine, word)).collect::<Vec<_>>()
    };
    let chain = ["", "a", "b", "aa", "ab", "aaa", "aab", "aaaa", "aaab"];
    assert_eq!(texts(&family(3, false)), chain);
    let example = ["", "a", "b", "aa", "ab", "ba", "bb", "aaa", "aab"];
    assert_eq!(texts(&machine(SPEC29)), example);
    // As printed the tree has 4095 words here.
    let rows: Vec<String> = (0..11)
        .map(|i| {
            format!("s{i}: a->{t}/{o} b->{t}/0", t = (i + 1).min(10), o = usize::from(i == 10))
        })
        .collect();
    assert_eq!(texts(&machine(&rows.join("|"))).len(), 23);
}

#[test]
fn a_cover_is_checked() {
    let machine = machine(SPEC28);
    let printed = ["", "aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"];
    let mut cover = words(&machine, &printed);
    assert!(cover::uncovered(&machine, &cover).is_some());
    cover.extend(words(&machine, &["a", "b", "c"]));
    assert_eq!(cover::uncovered(&machine, &cover), None);
}

#[test]
fn states_are_told_apart() {
    for n in 0..6 {
        let machine = family(n, false);
        assert_eq!(count(&equivalence(&machine)), n + 1);
        // The thesis takes one `a` more, and calls it minimal.
        let enough = vec![vec![machine.input("a").unwrap(); n]];
        assert_eq!(characterises(&machine, &enough), Ok(()));
    }
    let (spec, built) = (machine(SPEC28), machine(IMPL28));
    assert_eq!((count(&equivalence(&spec)), count(&equivalence(&built))), (3, 3));
    assert_eq!(characterises(&spec, &words(&spec, &["b", "cb"])), Ok(()));
    let example = machine(SPEC29);
    let classes = by_words(&example, &words(&example, &["aa", "ba"]));
    assert_eq!(classes[0], classes[1]);
    assert_eq!(count(&classes), 3);
    assert_eq!(characterises(&example, &words(&example, &["aa", "ba"])), Err((0, 1)));
}

#[test]
fn families_are_stratified_and_partitions_get_finer() {
    let machine = machine(SPEC29);
    let family = cover::stratified(&machine, &words(&machine, &["aa", "ba"]), 2);
    let mut texts: Vec<String> = family.iter().map(|word| text(&machine, word)).collect();
    texts.sort();
    let mut printed = [
        "aa", "ba", "aaa", "aba", "baa", "bba", "aaaa", "abaa", "baaa", "bbaa", "aaba", "abba",
        "baba", "bbba",
    ];
    printed.sort_unstable();
    assert_eq!(texts, printed);
    for depth in 0..3 {
        let sets = |depth| cover::stratified(&machine, &words(&machine, &["aa", "ba"]), depth);
        let classes = |depth| count(&by_words(&machine, &sets(depth)));
        assert!(classes(depth) >= (3 + depth).min(4));
        assert!(classes(depth + 1) >= classes(depth));
    }
    assert_eq!(
        refinements(&machine).iter().map(|one| count(one)).collect::<Vec<_>>().last(),
        Some(&4)
    );
}

#[test]
fn the_g_suite_of_example_29_has_78_words() {
    let machine = machine(SPEC29);
    let set = words(&machine, &["aa", "ba"]);
    let tests = g(&machine, &set, 3, 5).unwrap();
    let cover = cover::transitions(&machine).unwrap();
    // The thesis says 56, which is 4 times 14 and not what its definition gives.
    let all = product(&cover, &cover::stratified(&machine, &set, 2));
    assert_eq!(all.len(), 78);
    assert_eq!(tests.cost().tests, 40);
    assert_eq!(tests.cost().inputs, 256);
    assert_eq!(total_length(2, &all), 256);
    assert_eq!(tests.words(), prefix_free(2, &all));
}

#[test]
fn example_28_needs_a_characterisation_set() {
    let (spec, built) = (machine(SPEC28), machine(IMPL28));
    assert_eq!((answers(&spec, 0, "bbb"), answers(&built, 0, "bbb")), ("100".into(), "101".into()));
    let passes = |suite: &WordSuite| {
        let mut pass = true;
        suite.each(&mut |word| pass &= answers_of(&spec, word) == answers_of(&built, word));
        pass
    };
    let empty = g(&spec, &[Word::new()], 3, 3).unwrap();
    assert!(passes(&empty));
    // The hypothesis is wrong: the empty word tells no states of the implementation apart.
    assert_eq!(count(&by_words(&built, &[Word::new()])), 1);
    let honest = g(&spec, &[Word::new()], 1, 3).unwrap();
    assert_eq!(honest.cost().tests, 81);
    assert!(!passes(&honest));
    let set = words(&spec, &["b", "cb"]);
    let w = g(&spec, &set, 3, 3).unwrap();
    assert!(!passes(&w));
    let all = product(&cover::transitions(&spec).unwrap(), &set);
    assert_eq!(all.len(), 22);
    let finds = all.iter().filter(|word| answers_of(&spec, word) != answers_of(&built, word));
    assert_eq!(finds.count(), 12);
    assert_eq!(difference(&spec, &built).unwrap().len(), 3);
}

fn answers_of(machine: &Machine, word: &[u32]) -> Vec<String> {
    let outputs = machine.answers(machine.initial(), word).unwrap();
    outputs.iter().map(|output| machine.output_name(*output).to_owned()).collect()
}

#[test]
fn the_family_has_the_sizes_of_the_epilogue() {
    // alpha = a/2, n, m, words of PZ_R, their length, words of PZ_W, prefix-free, their length.
    let table = [
        (3, 2, 4, 7, 47, 31, 16, 116),
        (3, 3, 5, 9, 74, 39, 20, 176),
        (3, 4, 7, 11, 118, 95, 48, 544),
        (3, 6, 10, 15, 221, 255, 128, 1968),
        (3, 8, 13, 19, 356, 639, 320, 6208),
        (3, 10, 16, 23, 523, 1535, 768, 17984),
        (4, 2, 5, 7, 54, 63, 32, 264),
        (4, 4, 9, 11, 140, 383, 192, 2560),
        (4, 6, 13, 15, 266, 2047, 1024, 18816),
        (4, 8, 17, 19, 432, 10239, 5120, 119_808),
    ];
    for (alpha, n, m, words_r, length_r, words_w, free_w, length_w) in table {
        let machine = family(n, false);
        let a = machine.input("a").unwrap();
        let extra = (n + 1) * (alpha - 2) / 2 + ((n + 1) * (alpha - 2)) % 2;
        assert_eq!(m + 1, ((n + 1) * alpha).div_ceil(2));
        let mut r = vec![a; m];
        r.push(machine.input("b").unwrap());
        let short = g(&machine, &[r.clone()], m + 1, m + 1).unwrap();
        let cover = cover::transitions(&machine).unwrap();
        assert_eq!(product(&cover, &[r]).len(), words_r);
        assert_eq!((short.cost().tests, short.cost().inputs), (words_r as u64, length_r));
        let w = vec![vec![a; n + 1]];
        let long = g(&machine, &w, n + 1, n + 1 + extra).unwrap();
        let all = product(&cover, &cover::stratified(&machine, &w, extra));
        assert_eq!(all.len(), words_w);
        assert_eq!((long.cost().tests, long.cost().inputs), (free_w, length_w));
    }
}

#[test]
fn a_short_suite_kills_the_larger_machine() {
    let (spec, built) = (family(3, false), family(7, true));
    assert_eq!((count(&equivalence(&spec)), count(&equivalence(&built))), (4, 8));
    let mut r = vec![spec.input("a").unwrap(); 7];
    r.push(spec.input("b").unwrap());
    // The first stage kills it, and its shortest witness is a^7 b.
    let tests = g(&spec, &[r], 8, 8).unwrap().words();
    let kills = |word: &&Word| answers_of(&spec, word) != answers_of(&built, word);
    let witness = tests.iter().filter(kills).min_by_key(|word| word.len());
    assert_eq!(witness.map(|word| text(&spec, word)).as_deref(), Some("aaaaaaab"));
    let both = [&spec, &built].map(|machine| answers(machine, 0, "aaaaaaab"));
    assert_eq!(both, ["00011110", "00000001"]);
}

#[test]
fn prefix_free_sets_obey_lemma_32() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut set = |count: usize| -> Vec<Word> {
        (0..count).map(|_| (0..rng.usize(0..4)).map(|_| rng.u32(0..2)).collect()).collect()
    };
    for _ in 0..500 {
        let (one, other) = (set(5), set(5));
        let whole = prefix_free(2, &product(&one, &other));
        // A set of the empty word only has it as its longest word.
        let mut free = prefix_free(2, &other);
        if free.is_empty() {
            free.push(Word::new());
        }
        assert_eq!(whole, prefix_free(2, &product(&one, &free)));
    }
}

#[test]
fn bounds_that_contradict_each_other_are_refused() {
    let machine = machine(SPEC29);
    let set = words(&machine, &["aa"]);
    assert_eq!(g(&machine, &set, 6, 5).unwrap_err(), Error::Bounds { classes: 6, states: 5 });
    assert_eq!(g(&machine, &[], 1, 5).unwrap_err(), Error::NoWords);
}

#[test]
fn the_checker_finds_what_a_weak_suite_misses() {
    let spec = machine("s0: a->1/0 b->0/0 | s1: a->0/1 b->1/0");
    let weak = words(&spec, &["aa"]);
    let found = survivor(&spec, &weak, &Domain::of_states(2), 10_000, &|| true);
    let Completeness::Survivor(found, shown) = found else { panic!() };
    assert_ne!(answers_of(&spec, &shown), answers_of(&found, &shown));
    assert_eq!(answers_of(&spec, &weak[0]), answers_of(&found, &weak[0]));
}
