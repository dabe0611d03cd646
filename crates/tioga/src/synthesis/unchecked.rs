//! The look of the independent checker at a test case that was just made, at once or later.

use tioga_base::{Cancel, Diagnostic};
use tioga_certify::{CheckOptions, Error, Flaw, check_case_of_view};
use tioga_model::Model;
use tioga_testcase::{TestCase, ViewPass};

use crate::Failure;
use crate::games::Question;

/// A test case that the independent checker has not looked at, with what it was made from.
#[derive(Clone, Debug)]
pub(crate) struct Unchecked {
    pub model: Model,
    pub question: Question,
    pub counted: ViewPass,
    /// The test case over one representative of each class of data, if there are classes.
    pub classified: Option<TestCase>,
}

impl Unchecked {
    /// Lets the independent checker look at it, as far as that takes little time.
    pub fn check(&self, case: &TestCase, plays: u32, cancel: &Cancel) -> Result<(), Failure> {
        let Self { model, question, counted, classified } = self;
        let case = classified.as_ref().unwrap_or(case);
        check(model, question, counted, case, plays, cancel)
    }
}

/// Lets the independent checker look at a test case, as far as that takes little time.
pub(super) fn check(
    model: &Model,
    question: &Question,
    counted: &ViewPass,
    case: &TestCase,
    plays: u32,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let options = CheckOptions {
        max_regions: 4000,
        plays,
        steps: 20,
        span: question.span,
        cancel: cancel.clone(),
        ..CheckOptions::default()
    };
    match check_case_of_view(model, &question.objective, counted, case, &options) {
        Err(Error::Refuted(refutation)) if refutation.flaw == Flaw::Ambiguous => {
            let message = format!("test cases need a deterministic model: {refutation}");
            let help = "a purpose given as an automaton goes through the deterministic view";
            Err(Diagnostic::global("nondeterministic", message).help(help).into())
        }
        Err(Error::Unsupported(why)) => Err(Diagnostic::global("no-test-case", why).into()),
        Err(Error::Refuted(refutation)) => {
            let message = format!("the test case is wrong: {refutation}");
            let note = "please report this; the model and the purpose suffice to reproduce it";
            Err(Failure::internal(Diagnostic::global("refuted", message).note(note)))
        }
        // What cannot be checked in little time is used all the same.
        Ok(_) | Err(_) => Ok(()),
    }
}
