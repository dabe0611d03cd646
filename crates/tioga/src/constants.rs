//! Symbolic constants with initial conditions, `param int p where p > 0;`: the conditions, and whether values satisfy
//! them.

use tioga_base::Diagnostic;
use tioga_model::{Evaluator, Formula, Predicate, Stack};
use tioga_parse::syntax::{DeclarationKind, Document, Formula as Written, Item, Query};

use crate::{Failure, Loaded, Reason};

/// The initial conditions of a document, as questions whether they can hold.
pub(crate) fn conditions(document: &Document) -> Vec<Query> {
    let mut found = Vec::new();
    for item in &document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { condition: Some(condition), .. } = &declaration.kind
        else {
            continue;
        };
        let (formula, span) = (Written::Reachable(condition.clone()), condition.span);
        found.push(Query { formula, comment: None, span });
    }
    found
}

/// Whether constants with initial conditions have values, and these satisfy them.
pub(crate) fn fixed(loaded: &Loaded) -> Result<(), Failure> {
    let given = &loaded.source.options.settings;
    for item in &loaded.document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { condition: Some(_), declarators, .. } = &declaration.kind
        else {
            continue;
        };
        for one in declarators {
            let name = &one.name.text;
            if one.initializer.is_none() && !given.contains_key(name) {
                let message = format!("the symbolic constant `{name}` has no value");
                let help = format!(
                    "give it one with `--set {name}=VALUE`, or a default with `= VALUE`; `tioga symbolic` needs none"
                );
                let found = Diagnostic::error("no-value", one.name.span, message);
                return Err(Failure::from(found.help(help)).because(Reason::NoValue));
            }
        }
    }
    let model = &loaded.model;
    let data: Vec<i64> = model.slots.iter().map(|slot| slot.initial).collect();
    let locations: Vec<_> = model.processes.iter().map(|process| process.initial).collect();
    for query in &loaded.initially {
        let Formula::Reachable(Predicate::Holds(condition)) = &query.formula else {
            let message = "the initial condition is no condition on data";
            return Err(Diagnostic::error("wrong-condition", query.span, message).into());
        };
        let mut stack = Stack::default();
        let mut evaluator = Evaluator::reading(&model.code, &locations, &data, &mut stack);
        let holds = condition.disjuncts.iter().any(|one| {
            one.clocks.is_empty()
                && one.data.is_none_or(|data| evaluator.holds(data).unwrap_or(false))
        });
        if !holds {
            let message = "the values of symbolic constants contradict their initial condition";
            let help = "give other values with `--set`";
            let found = Diagnostic::error("wrong-value", query.span, message);
            return Err(found.help(help).into());
        }
    }
    Ok(())
}
