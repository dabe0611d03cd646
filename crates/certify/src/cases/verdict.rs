//! Whether the verdict of a test case at a joint state is the right one.
//!
//! Where the goal holds, the verdict is a pass, or an uncertain one if the goal is uncertain; fail where a location is
//! marked so. Where the goal cannot be reached any more without what the objective forbids, it is what the test
//! settles for there, or inconclusive. A tree may give up earlier. (That something does not conform is no verdict of
//! a joint state: the model is not there then.)

use tioga_testcase::{Shape, Verdict};

use super::joint::{At, Joint};
use crate::states::Ray;
use crate::{Error, Flaw};

/// Checks the verdict at a joint state; whether the test is over.
pub(crate) fn check<'t>(joint: &Joint<'_, 't, '_>, at: &At<'t>, ray: &Ray) -> Result<bool, Error> {
    let now = ray.now();
    let claimed = joint.places[at.place].verdict(&at.clocks)?;
    let settled = joint.settles_for(at)?;
    let (right, why) = if at.checked.fail {
        (Some(Verdict::Fail), "the specification calls this location a failure")
    } else if now.goal {
        let uncertain = joint.counted.goal == Verdict::Uncertain;
        let doubt = "whether the purpose is reached is uncertain";
        (Some(joint.counted.goal), if uncertain { doubt } else { "the purpose is reached" })
    } else {
        let hopeful = if now.forbidden { Some(false) } else { joint.is_hopeful(at)? };
        match hopeful {
            Some(false) if settled.is_some() => (settled, "its goal is out of reach"),
            Some(false) if now.forbidden => {
                (Some(Verdict::Inconclusive), "the purpose forbids to be here")
            }
            Some(false) => (Some(Verdict::Inconclusive), "the purpose is out of reach"),
            Some(true) => (None, "the purpose is not reached, but in reach"),
            None => (None, "the purpose is not reached"),
        }
    };
    let unsure = joint.case.shape == Shape::Tree || joint.hope.is_none();
    let open = right.is_none() || right == settled && !now.goal;
    let less = joint.hope.is_none() || joint.case.shape == Shape::Tree;
    let given_up =
        claimed == Some(Verdict::Inconclusive) || less && claimed.is_some() && claimed == settled;
    let early = unsure && open && given_up;
    if claimed != right && !early {
        let (says, is) = (verdict_name(claimed), verdict_name(right));
        let story = format!("the test case gives {says}, but {is} is right: {why}");
        return Err(joint.refute(at, Flaw::Verdict { claimed, right }, &story));
    }
    if claimed == Some(Verdict::Inconclusive) && !joint.case.summary.may_be_inconclusive {
        let story = "the test ends inconclusively, but its summary says that it never does";
        return Err(joint.refute(at, Flaw::Summary, story));
    }
    if claimed == Some(Verdict::Uncertain) && !joint.case.summary.may_be_uncertain {
        let story = "the pass is uncertain, but the summary says that it never is";
        return Err(joint.refute(at, Flaw::Summary, story));
    }
    Ok(claimed.is_some())
}

/// A verdict in words.
fn verdict_name(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "no verdict",
        Some(Verdict::Pass) => "the verdict pass",
        Some(Verdict::Uncertain) => "an uncertain pass",
        Some(Verdict::Fail) => "the verdict fail",
        Some(Verdict::Inconclusive) => "the verdict inconclusive",
    }
}
