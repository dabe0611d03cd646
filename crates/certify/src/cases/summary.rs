//! Whether the summary of a test case claims the rank that follows, and that its rules say.
//!
//! The rank of the start is zero exactly if the test passes before it begins; otherwise it is the
//! rank of the rule that applies there, if there are rules.

use tioga_testcase::{Rank, Verdict};

use super::joint::Joint;
use crate::{Error, Flaw};

/// Checks the rank of the summary.
pub(crate) fn check(joint: &mut Joint<'_, '_, '_>) -> Result<(), Error> {
    let start = joint.start()?;
    let mut verdicts = joint.case.places.iter().flat_map(|place| &place.verdicts);
    let ends = verdicts.any(|one| one.verdict == Verdict::Inconclusive && !one.zones.is_empty());
    if joint.case.summary.may_be_inconclusive && !ends {
        let story = "the summary says that the test may end inconclusively, but it never does";
        return Err(joint.refute(&start, Flaw::Summary, story));
    }
    let claimed = joint.case.summary.rank;
    let place = &joint.places[start.place];
    let verdict = place.verdict(&start.clocks)?;
    let passes = matches!(verdict, Some(Verdict::Pass | Verdict::Uncertain));
    let zero = claimed == [0; 3];
    if passes != zero {
        let story = if passes {
            "the purpose holds at the start, but the summary says that it takes steps to get there"
        } else {
            "the purpose does not hold at the start, but the summary says so"
        };
        return Err(joint.refute(&start, Flaw::Summary, story));
    }
    if let Some((_, Some(right))) = joint.standing(&start)?
        && claimed != [right.risks, right.losses, right.steps]
    {
        let [risks, losses, steps] = claimed;
        let says = Rank { risks, losses, steps };
        let story = format!("the summary claims the rank {says:#}, but {right:#} is right");
        return Err(joint.refute(&start, Flaw::Summary, &story));
    }
    let rule =
        place.rule(&start.clocks)?.map(|rule| joint.case.places[start.place].rules[rule].rank);
    if let Some(right) = rule.filter(|right| !passes && *right != claimed) {
        let shown = |[risks, losses, steps]: [u32; 3]| format!("({risks}, {losses}, {steps})");
        let (says, is) = (shown(claimed), shown(right));
        let story = format!(
            "the summary claims the rank {says}, but the rule for the start is one for {is}"
        );
        return Err(joint.refute(&start, Flaw::Summary, &story));
    }
    Ok(())
}
