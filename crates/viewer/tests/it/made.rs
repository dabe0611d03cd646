//! Suites and journals, made as the commands make them.

use std::path::{Path, PathBuf};

use tioga::{
    Aim, Cancel, Effort, GivenPurpose, OpenOptions, RunOptions, Sources, Suite, SynthesisOptions,
    create_journal, open, prepare, read, read_suite, settings, synthesize, system,
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
    std::fs::write(&path, serde_json::to_string(&suite).unwrap()).unwrap();
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
    let options = RunOptions { repeat, keep_going: true, ..RunOptions::default() };
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
