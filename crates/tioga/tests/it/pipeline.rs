//! The pipeline in process, from a name to verdicts and explanations, with each text read once.

use tioga::{
    Aim, Cancel, Cause, Cover, Effort, GivenPurpose, ModelSource, OpenOptions, Outcome, Progress,
    Recorded, RunOptions, Sources, Suite, SynthesisOptions, SystemRef, explained, open, prepare,
    read, settings, synthesize, system,
};
use tioga_base::FileId;

/// How many texts were read.
fn texts_read(texts: &Sources) -> u32 {
    (0..).find(|number| texts.get(FileId(*number)).is_none()).unwrap()
}

/// Makes test cases of an example, runs them against the model itself and explains the first run.
fn tested(name: &str, aim: &Aim) -> (Vec<Outcome>, u32) {
    let mut texts = Sources::new();
    let source = open(name, &OpenOptions::default(), &mut texts).unwrap();
    let loaded = read(source, &[], &mut texts).unwrap();
    let mut effort = Effort::default();
    let made = synthesize(&loaded, aim, &SynthesisOptions::default(), &mut effort).unwrap();
    let suite = Suite::of_model(loaded.source.clone(), made.cases);
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let model = Some(&loaded.model);
    let settings = settings(suite, None, SystemRef::Itself, &options, model).unwrap();
    let prepared = prepare(settings, Some(loaded), &mut texts, &mut effort).unwrap();
    let records = prepared.records(Cancel::new()).unwrap();
    let outcomes = records.iter().map(|record| record.outcome().unwrap().0).collect();
    let recorded = Recorded { settings: prepared.settings.clone(), record: records[0].clone() };
    let model = prepared.specification.as_ref().map(|loaded| &loaded.model);
    explained(&recorded, model, 5).unwrap();
    (outcomes, texts_read(&texts))
}

#[test]
fn a_test_of_a_model_against_itself_reads_one_text() {
    let edges = Aim::Cover { what: vec![Cover::Edges], then: true };
    for (name, aim) in [("@smart-light", Aim::Model), ("@smart-light", edges)] {
        let (outcomes, texts) = tested(name, &aim);
        assert!(!outcomes.is_empty() && !outcomes.contains(&Outcome::Fail), "{outcomes:?}");
        assert_eq!(texts, 1);
    }
}

#[test]
fn a_suite_keeps_the_source_of_its_model() {
    let mut texts = Sources::new();
    let mut options = OpenOptions::default();
    options.settings.insert("N".to_owned(), "5".parse().unwrap());
    let text = "param int N = 2; input a; output b;
        automaton P { clock x; init location L; location M invariant x <= N; location K;
          L -> M : a? do x = 0; M -> K : b! when x >= N; }";
    let mut source = ModelSource::of_text("p.tioga", text).unwrap();
    source.options.settings = options.settings.clone();
    let purposes = vec!["reach P.K".parse::<GivenPurpose>().unwrap()];
    let loaded = read(source.clone(), &GivenPurpose::queries(&purposes), &mut texts).unwrap();
    let aim = Aim::Purposes(purposes);
    let mut effort = Effort::default();
    let made = synthesize(&loaded, &aim, &SynthesisOptions::default(), &mut effort).unwrap();
    let suite = Suite::of_model(loaded.source.clone(), made.cases);
    let written = serde_json::to_string(&suite).unwrap();
    let again: Suite = serde_json::from_str(&written).unwrap();
    assert_eq!(again.model, Some(source));
    // Prepared from the suite alone, the specification has the same settings.
    let options = RunOptions::default();
    let settings = settings(again, None, SystemRef::Itself, &options, None).unwrap();
    let prepared = prepare(settings, None, &mut texts, &mut effort).unwrap();
    let records = prepared.records(Cancel::new()).unwrap();
    assert_eq!(records[0].outcome().unwrap().0, Outcome::Pass);
}

#[test]
fn a_system_is_parsed_once_and_the_specification_is_recognised() {
    let mut texts = Sources::new();
    let source = open("@smart-light", &OpenOptions::default(), &mut texts).unwrap();
    let named = |name: &str, texts: &mut Sources| system(name, Some(&source), texts).unwrap();
    assert_eq!(named("model:@smart-light", &mut texts), SystemRef::Itself);
    assert!(matches!(named("model:@problematic-light", &mut texts), SystemRef::Model(_)));
    assert!(matches!(named("tcp:localhost:1", &mut texts), SystemRef::Tcp { .. }));
    assert!(matches!(named("unix:/tmp/s", &mut texts), SystemRef::Unix(_)));
    assert!(matches!(named("tron-listen:9", &mut texts), SystemRef::Listen { .. }));
    assert!(matches!(named("./light --json", &mut texts), SystemRef::Command(_)));
    let missing = system("model:no/such.tioga", Some(&source), &mut texts).unwrap_err();
    assert_eq!(missing.cause, Cause::Input);
}

#[test]
fn progress_is_told_and_work_can_be_cancelled() {
    let mut texts = Sources::new();
    let source = open("@car-alarm", &OpenOptions::default(), &mut texts).unwrap();
    let loaded = read(source, &[], &mut texts).unwrap();
    let aim = Aim::Cover { what: vec![Cover::Edges], then: false };
    let cancel = Cancel::new();
    let mut parts = 0;
    let mut effort = Effort {
        cancel: cancel.clone(),
        progress: Box::new(|progress| {
            if let Progress::Part { done, .. } = progress {
                parts += 1;
                if *done == 2 {
                    cancel.cancel();
                }
            }
        }),
        ..Effort::default()
    };
    let options = SynthesisOptions::default();
    // What was made before is kept.
    let made = synthesize(&loaded, &aim, &options, &mut effort).unwrap();
    assert!((2..32).contains(&made.cases.len()) && made.interrupted, "{}", made.cases.len());
    assert_eq!(made.stopped.map(|why| why.code), Some("limit"));
    // Without anything made there is nothing to keep.
    let failure = synthesize(&loaded, &aim, &options, &mut effort).unwrap_err();
    assert_eq!(failure.cause, Cause::Limit);
    drop(effort);
    assert!((3..20).contains(&parts), "{parts}");
}
