//! Suites and journals, made as the commands make them.

use std::path::{Path, PathBuf};

use tioga::{
    Aim, Cancel, Effort, GivenPurpose, Matrix, MutationOptions, MutationRecord, MutationSettings,
    OpenOptions, Policy, RunOptions, Sources, Suite, SynthesisOptions, create_journal, mutation,
    open, operators, prepare, read, read_suite, settings, synthesize, system,
};
use tioga_views::campaign::CampaignPlan;

/// Writes a suite for the smart light, and says where it is.
pub fn suite(folder: &Path) -> PathBuf {
    let mut texts = Sources::new();
    let source = open("@smart-light", &OpenOptions::default(), &mut texts).unwrap();
    let purposes = vec!["reach Light.Bright".parse::<GivenPurpose>().unwrap()];
    let light = read(source, &GivenPurpose::queries(&purposes), &mut texts).unwrap();
    let options = SynthesisOptions::default();
    let made =
        synthesize(&light, &Aim::Purposes(purposes), &options, &mut Effort::default()).unwrap();
    let suite = Suite::of_model(light.source.clone(), made.cases);
    let path = folder.join("light.json");
    // As `tioga synth -o` writes it: with its keys in order.
    let value = serde_json::to_value(&suite).unwrap();
    std::fs::write(&path, format!("{value:#}\n")).unwrap();
    path
}

/// Runs the suite against a model, so often, and says where the journal is.
pub fn journal(folder: &Path, sut: &str, repeat: u64) -> PathBuf {
    let path = folder.join("light.journal");
    let plan = plan(&suite(folder), sut, repeat, &path);
    plan.run(Cancel::new()).unwrap();
    path
}

pub fn plan(suite: &Path, sut: &str, repeat: u64, journal: &Path) -> CampaignPlan {
    let options = RunOptions { repeat: Some(repeat), keep_going: true, ..RunOptions::default() };
    CampaignPlan {
        suite: suite.to_owned(),
        sut: sut.to_owned(),
        options,
        journal: journal.to_owned(),
    }
}

/// A journal that is never closed, as of a campaign that was killed before its first run.
pub fn begun_journal(folder: &Path) -> PathBuf {
    let mut texts = Sources::new();
    let suite = read_suite(&mut texts, &suite(folder)).unwrap();
    let named = system("model:@smart-light", suite.model.as_ref(), &mut texts).unwrap();
    let settings = settings(suite, None, named, &RunOptions::default(), None).unwrap();
    let prepared = prepare(settings, None, &mut texts, &mut Effort::default()).unwrap();
    let path = folder.join("begun.journal");
    drop(create_journal(&path, &prepared.settings).unwrap());
    path
}

/// Runs the suite against some mutants of the smart light: the journal, and what it should show.
pub fn mutants(folder: &Path) -> (PathBuf, Matrix) {
    let mut texts = Sources::new();
    let suite = read_suite(&mut texts, &suite(folder)).unwrap();
    let source = suite.model.clone().unwrap();
    let light = read(source.clone(), &[], &mut texts).unwrap();
    let options = MutationOptions {
        operators: operators(&["guard".to_owned()]).unwrap(),
        environment: false,
        as_is: false,
        repeat: 3,
        seed: 0,
        policy: Policy::Random,
        patience: None,
        full: false,
        judge_all: false,
        max_states: 10_000,
    };
    let settings = MutationSettings::new(source, suite.cases.clone(), true, None, &options);
    let path = folder.join("mutants.journal");
    let record = MutationRecord::create(&path, &settings).unwrap();
    let matrix =
        mutation(&light.model, suite.cases, true, &options, record, &mut Effort::default());
    (path, matrix.unwrap())
}
