//! Questions about a game.

use tioga_base::{Diagnostic, Span};
use tioga_model::{Formula, Objective, Query};

use crate::{Failure, Loaded, Reason};

/// A query about a game.
#[derive(Clone, Debug)]
pub struct Question {
    /// The query as text.
    pub text: String,
    /// The comment of its author.
    pub comment: Option<String>,
    /// What the tester wants.
    pub objective: Objective,
    /// Whether the system is asked to cooperate.
    pub cooperative: bool,
    /// Where it was written.
    pub span: Span,
}

/// The queries about games: those that were added when the model was read, or else its own.
pub fn questions(loaded: &Loaded) -> Result<Vec<Question>, Failure> {
    let asked = loaded.asked();
    let mut questions = Vec::new();
    for query in if asked.is_empty() { &loaded.model.queries[..] } else { asked } {
        match Question::of(query, loaded.query_text(query)) {
            Some(question) => questions.push(question),
            None if asked.is_empty() => {}
            None => {
                let message = "only `control: …` and `E<> control: …` ask about games";
                return Err(Diagnostic::error("wrong-query", query.span, message).into());
            }
        }
    }
    if questions.is_empty() {
        let nothing = Diagnostic::global("no-query", "there is no objective to solve for");
        return Err(Failure::from(nothing).because(Reason::NoQuery));
    }
    Ok(questions)
}

impl Question {
    /// The question of a query with this text; nothing if it is not about a game. The comment of a
    /// generated query has the question.
    pub fn of(query: &Query, text: String) -> Option<Self> {
        let (objective, cooperative) = match &query.formula {
            Formula::Control(objective) => (objective.clone(), false),
            Formula::Cooperative(objective) => (objective.clone(), true),
            _ => return None,
        };
        let (text, comment) = match query.comment.clone() {
            Some(comment) if text.is_empty() => (comment, None),
            comment => (text, comment),
        };
        Some(Self { text, comment, objective, cooperative, span: query.span })
    }
}
