//! The relation of models whose state is not known after each trace: most questions about their mutants are decided. And the
//! one relation of all commands: they never give different answers about the same pair of models.

use fastrand::Rng;
use tioga::{
    Aim, CertifyFinding, Cover, Effort, Judge, Loaded, ModelFormat, ModelSource, Outcome, Policy,
    RunOptions, Sources, Status, Suite, SynthesisOptions, SystemRef, TargetFormat, ViewOptions,
    compare, network_text, prepare, read, read_open, settings, synthesize,
};
use tioga_base::Cancel;
use tioga_conform::{Relation, RelationAnswer};
use tioga_explore::{Limits, SearchOptions};
use tioga_mutate::{MutantOptions, mutants};

use crate::hidden_cases::{automaton, certified};
use crate::symbolic_conforming::is_unlike_itself;

/// After an `a` that nothing tells from the others, a `b` comes exactly one time unit later. No automaton without hidden choices has
/// these traces, whatever clocks it has.
const SOME_EARLIER: &str = "output a, b;
automaton S {
  clock x;
  init location L;
  location M;
  L -> L : a!;
  L -> M : a! do x = 0;
  M -> M : a!;
  M -> L : b! when x == 1;
}
";

/// Two services with different deadlines look the same until they answer.
const TWO_SERVICES: &str = "input go, stop;
output left, right, ready;
automaton S {
  clock x, y;
  init location A invariant y <= 4;
  location B invariant x <= 3;
  location C invariant x <= 5;
  location D;
  A -> B : go? do x = 0;
  A -> C : go? do x = 0;
  A -> D : when y >= 2 do x = 0;
  B -> A : left! when x >= 1 do y = 0;
  C -> A : left! when x >= 2 do y = 0;
  C -> A : right! when x >= 4 do y = 0;
  B -> D : stop? do x = 0;
  C -> D : stop? when x <= 1;
  D -> A : ready! when x >= 1 do y = 0;
}
";

fn load(text: &str) -> Loaded {
    let source = ModelSource::of_text("model.tioga", text).unwrap();
    read(source, &[], &mut Sources::new()).unwrap()
}

/// How many mutants of a model are equivalent, are not, and are not decided.
fn count(text: &str) -> [usize; 3] {
    let model = load(text).model;
    let limits = Limits { visited: Some(10_000), bytes: None, cancel: Cancel::new() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let judge = Judge::new(&model, false, options, tioga::ViewOptions::default());
    let mut counts = [0; 3];
    for mutant in mutants(&model, &MutantOptions::default()).list {
        match judge.status(&model, &mutant) {
            Status::Equivalent => counts[0] += 1,
            Status::NonConforming { .. } => counts[1] += 1,
            Status::Unknown(reason) => {
                println!("{}: {reason}", mutant.id);
                counts[2] += 1;
            }
        }
    }
    counts
}

#[test]
fn mutants_of_nondeterministic_models_are_decided() {
    for text in [SOME_EARLIER, TWO_SERVICES] {
        let [equivalent, different, unknown] = count(text);
        let all = equivalent + different + unknown;
        assert!(unknown * 20 <= all, "{unknown} of {all} unknown, {equivalent} equivalent: {text}");
        assert!(equivalent > 0 && different > 0, "{equivalent}, {different}: {text}");
    }
}

/// What a command says about a pair of models, if it decides: whether the second conforms to the first.
#[derive(Default, Debug)]
struct Answers {
    mutate: Option<bool>,
    conform: Option<bool>,
    /// Whether some run of a test of the first failed with the second as the system.
    failed: bool,
}

fn answers(
    loaded: &Loaded,
    suite: &Suite,
    judge: &Judge,
    mutant: &tioga_mutate::Mutant,
) -> Answers {
    let model = &loaded.model;
    let mutate = match judge.status(model, mutant) {
        Status::Equivalent => Some(true),
        Status::NonConforming { .. } => Some(false),
        Status::Unknown(_) => None,
    };
    let mut answers = Answers { mutate, ..Answers::default() };
    let Ok(changed) = mutant.network(model).validate() else { return answers };
    let mut effort = Effort { view: few_steps(), ..Effort::default() };
    let compared = compare(&changed, model, Relation::ConformsWhenServed, Some(5000), &mut effort);
    answers.conform = compared.ok().and_then(|(compared, _)| match compared.decided.answer {
        RelationAnswer::Holds => Some(true),
        RelationAnswer::Violated(_) => Some(false),
        RelationAnswer::Unknown(_) => None,
    });
    let text = network_text(&changed, &[], TargetFormat::Model(ModelFormat::Tioga)).unwrap();
    let system = SystemRef::Model(Box::new(ModelSource::of_text("changed.tioga", text).unwrap()));
    let options = RunOptions {
        policy: Some(Policy::Random),
        repeat: Some(5),
        keep_going: true,
        ..RunOptions::default()
    };
    let settings = settings(suite.clone(), None, system, &options, Some(model)).unwrap();
    let mut texts = Sources::new();
    let prepared = prepare(settings, Some(loaded.clone()), &mut texts, &mut effort).unwrap();
    for record in prepared.records(Cancel::new()).unwrap() {
        let fails = matches!(record.outcome().unwrap(), (Outcome::Fail, ..));
        answers.failed |= fails && !is_unlike_itself(&record.events);
    }
    answers
}

fn few_steps() -> ViewOptions {
    ViewOptions { max_steps: 20_000, ..ViewOptions::default() }
}

/// `TIOGA_ROUNDS` takes more models.
#[test]
fn all_commands_answer_the_same_question_alike() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let (mut pairs, mut unknown, mut decided, mut different, mut found) = (0, 0, 0, 0, 0);
    for seed in 0..rounds.unwrap_or(24u64) {
        let mut random = Rng::with_seed(1000 + seed);
        let text = automaton(&mut random);
        let source = ModelSource::of_text("random.tioga", &text).unwrap();
        let Ok(loaded) = read_open(source, &[], &mut Sources::new()) else { continue };
        let aim = Aim::Cover { what: vec![Cover::Edges], then: true };
        let options = SynthesisOptions { max_states: 500, ..SynthesisOptions::default() };
        let mut effort = Effort { view: few_steps(), ..Effort::default() };
        let Ok(made) = synthesize(&loaded, &aim, &options, &mut effort) else { continue };
        for finding in certified(&loaded.source, made.cases.clone()) {
            let wrong = matches!(finding, CertifyFinding::Wrong(_));
            assert!(!wrong, "seed {seed}\n{text}\n{finding:?}");
        }
        let suite = Suite::of_model(loaded.source.clone(), made.cases);
        let limits = Limits { visited: Some(5000), bytes: None, cancel: Cancel::new() };
        let options = SearchOptions { limits, ..SearchOptions::default() };
        let judge = Judge::new(&loaded.model, true, options, few_steps());
        let mut list = mutants(&loaded.model, &MutantOptions::default()).list;
        random.shuffle(&mut list);
        for mutant in list.iter().take(12) {
            let told = || format!("seed {seed}, {}\n{text}", mutant.description);
            let answers = answers(&loaded, &suite, &judge, mutant);
            pairs += 1;
            unknown += u32::from(answers.conform.is_none());
            if let (Some(one), Some(other)) = (answers.mutate, answers.conform) {
                assert_eq!(one, other, "mutate and conform: {}", told());
                decided += 1;
                different += u32::from(!one);
            }
            found += u32::from(answers.failed);
            let conforms = answers.mutate == Some(true) || answers.conform == Some(true);
            assert!(!(answers.failed && conforms), "{answers:?}: {}", told());
        }
    }
    println!("{pairs} pairs, {unknown} unknown to conform, {decided} decided by both commands,");
    println!("{different} of them different, {found} found by tests");
    assert!(unknown * 20 <= pairs, "{unknown} of {pairs} pairs unknown");
    assert!(pairs >= 200 && decided > pairs / 2 && different > 20 && found > 5);
}
