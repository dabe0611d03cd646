//! Expirations that are programmed, at moments that need not be known exactly, and which of them may come next.

use tioga_base::Rational;

use crate::error::Refusal;
use crate::setexp::Expiration;

/// How many expirations may compete to be the next.
const COMPETING: usize = 8;

/// An expiration that is programmed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pending {
    /// The earliest it may come.
    pub earliest: Rational,
    /// The latest it may come.
    pub latest: Rational,
    /// By which message it was programmed; those of one message keep their distance.
    pub programmed: u32,
    /// How long after that it comes.
    pub delay: Rational,
    /// What it is called.
    pub expiration: Expiration,
}

/// The sets of expirations that may come next, all of a set at one instant, each with the earliest such instant
/// that is not before `since`.
///
/// # Errors
/// If too many compete.
pub fn next_sets(
    pending: &[Pending],
    since: Rational,
) -> Result<Vec<(Vec<Pending>, Rational)>, Refusal> {
    let Some(first) = pending.iter().map(|one| one.latest).min() else { return Ok(Vec::new()) };
    let competing: Vec<&Pending> = pending.iter().filter(|one| one.earliest <= first).collect();
    if competing.len() > COMPETING {
        let why = format!("more than {COMPETING} expirations whose order is not known");
        return Err(Refusal::Limit(why));
    }
    let mut sets = Vec::new();
    for choice in 1_u32..1 << competing.len() {
        let is_in = |position: usize| choice & 1 << position != 0;
        let chosen = competing.iter().enumerate().filter(|(position, _)| is_in(*position));
        let set: Vec<Pending> = chosen.map(|(_, one)| (*one).clone()).collect();
        if let Some(at) = together(&set, pending, since) {
            sets.push((set, at));
        }
    }
    Ok(sets)
}

/// When a set may expire, at the earliest, and the others later.
fn together(set: &[Pending], pending: &[Pending], since: Rational) -> Option<Rational> {
    let at = set.iter().map(|one| one.earliest).max()?.max(since);
    if set.iter().any(|one| one.latest < at) {
        return None;
    }
    let later = |one: &Pending| {
        set.contains(one)
            || at < one.latest
                && set
                    .iter()
                    .all(|first| first.programmed != one.programmed || first.delay < one.delay)
    };
    // Two of one message come together only if they have the same delay.
    let equal = |one: &Pending| {
        set.iter().all(|other| other.programmed != one.programmed || other.delay == one.delay)
    };
    (pending.iter().all(later) && set.iter().all(equal)).then_some(at)
}

/// What expires, as steps name it.
pub fn expirations(due: &[Pending]) -> Vec<Expiration> {
    let mut names: Vec<_> = due.iter().map(|one| one.expiration.clone()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiosa::ClockId;
    use tioga_terms::Term;

    fn pending(programmed: u32, delay: i64, slack: i64) -> Pending {
        let delay = Rational::integer(delay);
        Pending {
            earliest: delay,
            latest: delay.add(Rational::integer(slack)).unwrap(),
            programmed,
            delay,
            expiration: Expiration { clock: ClockId(programmed), threshold: Term::number(delay) },
        }
    }

    fn sizes(pending: &[Pending]) -> Vec<usize> {
        let sets = next_sets(pending, Rational::ZERO).unwrap();
        sets.iter().map(|(set, _)| set.len()).collect()
    }

    #[test]
    fn exact_moments_have_one_order() {
        assert_eq!(sizes(&[pending(0, 2, 0), pending(0, 3, 0)]), [1]);
        assert_eq!(sizes(&[pending(0, 2, 0), pending(1, 2, 0)]), [2]);
        assert_eq!(sizes(&[]), [0; 0]);
    }

    #[test]
    fn overlapping_moments_have_all_orders() {
        assert_eq!(sizes(&[pending(0, 2, 2), pending(1, 3, 2)]), [1, 1, 2]);
        // Those of one message keep their order.
        assert_eq!(sizes(&[pending(0, 2, 2), pending(0, 3, 2)]), [1]);
    }

    #[test]
    fn too_many_are_not_guessed() {
        let many: Vec<_> = (0..9).map(|clock| pending(clock, 2, 1)).collect();
        assert!(next_sets(&many, Rational::ZERO).is_err());
    }
}
