//! Whether a place says which state of the model it stands for.

use tioga_testcase::{Shape, Verdict, origins, place_name};

use super::joint::{At, Joint};
use crate::{Error, Flaw};

impl<'t> Joint<'_, 't, '_> {
    /// Compares the name and the origin of a place with the state of the model, once for each pair.
    pub fn label(&mut self, at: &At<'t>) -> Result<(), Error> {
        if self.of_classes
            || !self.labelled.insert((at.checked.index, at.place))
            || self.is_leaf(at.place)
        {
            return Ok(());
        }
        let (model, state) = (self.model(), &at.checked.discrete);
        let place = &self.case.places[at.place];
        let name = place_name(model, state);
        if place.name != name {
            let story = format!("the place is called `{}`, but it is `{name}`", place.name);
            return Err(self.refute(at, Flaw::Label, &story));
        }
        if place.origin != origins(model, state) {
            let said = place.origin.iter().map(|one| format!("`{}.{}`", one.process, one.location));
            let said: Vec<String> = said.collect();
            let said = if said.is_empty() { "no location".to_owned() } else { said.join(", ") };
            let story = format!("the place says that the model is in {said}");
            return Err(self.refute(at, Flaw::Label, &story));
        }
        Ok(())
    }

    /// Whether a place is where a tree gives up, whatever the state of the model is.
    fn is_leaf(&self, place: usize) -> bool {
        let place = &self.case.places[place];
        let leaf = |verdict| match verdict {
            Verdict::Inconclusive => place.name == "inconclusive",
            Verdict::Fail => place.name == "fail",
            Verdict::Pass | Verdict::Uncertain => false,
        };
        self.case.shape == Shape::Tree
            && place.origin.is_empty()
            && place.edges.is_empty()
            && matches!(&place.verdicts[..], [one] if leaf(one.verdict))
    }
}
