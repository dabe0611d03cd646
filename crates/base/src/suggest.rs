//! "Did you mean": the known name closest to a misspelt one.

/// The candidate with the least edit distance to `wrong`, if that is small enough to be a slip:
/// at most a third of the longer name, or a difference in case only. Ties go to the first.
pub fn closest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance =
            if candidate.eq_ignore_ascii_case(wrong) { 0 } else { edit_distance(wrong, candidate) };
        let allowed = wrong.chars().count().max(candidate.chars().count()) / 3;
        let better = best.is_none_or(|(least, _)| distance < least);
        if distance <= allowed && better && candidate != wrong {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and exchanges of neighbours that turn one into the other
/// (optimal string alignment).
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(64).collect();
    let right: Vec<char> = right.chars().take(64).collect();
    let mut before = vec![0; right.len() + 1];
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut row = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let replace = previous[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            row[j] = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            let exchanged =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if exchanged {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_leaves_strangers_alone() {
        let names = ["touch", "dim", "bright", "off"];
        assert_eq!(closest("tuoch", names), Some("touch"));
        assert_eq!(closest("Dim", names), Some("dim"));
        assert_eq!(closest("brigth", names), Some("bright"));
        assert_eq!(closest("zebra", names), None);
        assert_eq!(closest("x", ["y", "z"]), None);
    }
}
