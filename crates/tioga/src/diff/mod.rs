//! The effect of a change of a model: changed locations, edges and declarations, runs in which the two versions
//! behave differently, and test cases of a suite that still hold for the new version.

mod behaviour;
mod changes;

use tioga_base::Sources;
use tioga_conform::mismatches;
use tioga_parse::raise::difference;
use tioga_testcase::Suite;

pub use behaviour::{BehaviourDifference, Followed};
pub use changes::{ChangeKind, ModelChange};

use crate::certify::{Certificate, Certified, CertifyOptions, certify};
use crate::{Effort, Failure, Loaded};

/// The effect of a change of a model.
#[derive(Debug)]
pub struct ModelDiff {
    /// The changes of the text, in the order of the models.
    pub changes: Vec<ModelChange>,
    /// Why the two versions have no common interface, if they have none: then they are not compared.
    pub interface: Vec<String>,
    /// Whether the new version behaves as the old one allows.
    pub new_follows_old: Option<Followed>,
    /// Whether the old version behaves as the new one allows.
    pub old_follows_new: Option<Followed>,
    /// The results of the independent checker for the test cases against the new version.
    pub suite: Vec<Certified>,
}

impl ModelDiff {
    /// Whether both versions behave in the same way; nothing if that is not known.
    pub fn same(&self) -> Option<bool> {
        if !self.interface.is_empty() {
            return Some(false);
        }
        let both = [&self.new_follows_old, &self.old_follows_new].map(|one| one.as_ref()?.holds());
        match both {
            [Some(false), _] | [_, Some(false)] => Some(false),
            [Some(true), Some(true)] => Some(true),
            _ => None,
        }
    }
}

/// Compares two versions of a model, and checks the test cases of a suite against the new one. The number of
/// visited states is limited for each comparison.
pub fn diff(
    old: &Loaded,
    new: &Loaded,
    suite: Option<&Suite>,
    max_states: Option<u64>,
    texts: &mut Sources,
    effort: &mut Effort<'_>,
) -> Result<ModelDiff, Failure> {
    // What cannot even be compared with itself is refused; what is left in the way is a difference.
    for model in [&old.model, &new.model] {
        let own = mismatches(model, model);
        if own.has_errors() {
            return Err(own.into());
        }
    }
    let mut changes = changes::changes(&old.model, &new.model);
    // Functions, synchronisation vectors and queries are compared as a whole.
    let other = difference(&old.model, &new.model);
    let identical = changes.is_empty() && other.is_none();
    if let (true, Some(what)) = (changes.is_empty(), other) {
        let kind = ChangeKind::Changed;
        changes.push(ModelChange { kind, process: String::new(), what });
    }
    let mismatches = mismatches(&new.model, &old.model);
    let interface: Vec<String> = mismatches.iter().map(|one| named(&one.message)).collect();
    let mut both = [None, None];
    if interface.is_empty() {
        for (way, (own, other)) in
            both.iter_mut().zip([(&new.model, &old.model), (&old.model, &new.model)])
        {
            *way = Some(match identical {
                true => Followed::identical(),
                false => behaviour::followed(own, other, max_states, effort)?,
            });
        }
    }
    let [new_follows_old, old_follows_new] = both;
    let suite = match suite {
        None => Vec::new(),
        Some(suite) => {
            // The question is which test cases hold.
            let suite = Suite { complete: None, ..suite.clone() };
            let certificate = Certificate::Suite(Box::new(suite));
            let options = CertifyOptions::default();
            certify(new.source.clone(), &certificate, None, &options, texts, effort)?
        }
    };
    Ok(ModelDiff { changes, interface, new_follows_old, old_follows_new, suite })
}

/// A message about an implementation and a specification, about the two versions instead.
fn named(message: &str) -> String {
    let message = message.replace("implementation", "new version");
    message.replace("specification", "old version")
}
