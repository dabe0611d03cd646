//! Goals of older suites, whose sentences only the model explains.

use std::borrow::Cow;

use tioga_model::Model;
use tioga_testcase::{Cover, CoverItem, Goal};

use crate::Loaded;
use crate::cover::targets;

/// The goal that an older suite means, if it has a sentence for one: a query of the model, or coverage items.
pub(crate) fn renewed<'g>(loaded: &Loaded, goal: &'g Goal) -> Cow<'g, Goal> {
    let Some(sentence) = goal.sentence() else { return Cow::Borrowed(goal) };
    let mut queries = loaded.model.queries.iter();
    if queries.any(|query| loaded.query_text(query) == sentence) {
        return Cow::Owned(Goal::query(sentence));
    }
    match items_of_sentence(&loaded.model, sentence) {
        Some(items) => Cow::Owned(Goal::Cover(items)),
        None => Cow::Owned(Goal::query(sentence)),
    }
}

/// The items that a sentence of an older suite means.
fn items_of_sentence(model: &Model, sentence: &str) -> Option<Vec<CoverItem>> {
    let all = || Cover::ALL.into_iter().flat_map(|cover| targets(model, cover));
    let item = |part: &str| {
        all().filter(|target| part.starts_with(target.text.as_str())).find_map(|target| {
            let items = target.ways(model, true).into_iter().map(|way| target.item(&way));
            items.into_iter().find(|item| item.to_string() == part)
        })
    };
    sentence.split("; and then ").map(item).collect()
}
