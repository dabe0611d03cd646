//! New output in the shape of the old: what a document shows of an output, brought up to date. A
//! line `...` stays and hides what it hid; every other line is replaced by the line that took its
//! place. This is the cheapest edit from the old lines to the new ones, where hiding is free.

/// What it costs to show a line that was not there, or to leave out one that was.
const LINE: usize = 2;

fn is_dots(line: &str) -> bool {
    line.trim() == "..."
}

/// What it costs to replace a line: nothing if it is the same, less if it has words in common.
fn replacing(old: &str, new: &str) -> usize {
    if old == new {
        return 0;
    }
    let common = old.split_whitespace().filter(|word| new.contains(word)).count();
    if 2 * common >= old.split_whitespace().count() { 1 } else { LINE }
}

/// The lines to show for an output, given those that were shown for it before.
pub fn renewed(old: &[String], new: &[String]) -> Vec<String> {
    // What it costs to make the rest of the new lines of the rest of the old ones.
    let mut costs = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..=old.len()).rev() {
        for j in (0..=new.len()).rev() {
            costs[i][j] = edits(old, new, i, j, &costs).map(|(cost, _)| cost).min().unwrap_or(0);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    // The first of the cheapest: a line is rather replaced than left out.
    while let Some((_, edit)) = edits(old, new, i, j, &costs).min_by_key(|(cost, _)| *cost) {
        match edit {
            Edit::Replace => {
                lines.push(new[j].clone());
                (i, j) = (i + 1, j + 1);
            }
            Edit::Hide => j += 1,
            Edit::EndHiding => {
                lines.push(old[i].clone());
                i += 1;
            }
            Edit::Add => {
                lines.push(new[j].clone());
                j += 1;
            }
            Edit::Remove => i += 1,
        }
    }
    lines
}

#[derive(Clone, Copy)]
enum Edit {
    Replace,
    Hide,
    EndHiding,
    Add,
    Remove,
}

/// The edits possible at two positions, with their costs and what follows.
fn edits(
    old: &[String],
    new: &[String],
    i: usize,
    j: usize,
    costs: &[Vec<usize>],
) -> impl Iterator<Item = (usize, Edit)> {
    let hides = old.get(i).is_some_and(|line| is_dots(line));
    let (one, other) = (i < old.len() && !hides, j < new.len());
    let replace =
        (one && other).then(|| (costs[i + 1][j + 1] + replacing(&old[i], &new[j]), Edit::Replace));
    let hide = (hides && other).then(|| (costs[i][j + 1], Edit::Hide));
    let end = hides.then(|| (costs[i + 1][j], Edit::EndHiding));
    let add = other.then(|| (costs[i][j + 1] + LINE, Edit::Add));
    let remove = one.then(|| (costs[i + 1][j] + LINE, Edit::Remove));
    [replace, end, hide, add, remove].into_iter().flatten()
}

#[test]
fn dots_stay_and_other_lines_are_renewed() {
    let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for (old, new, expected) in [
        ("a b c", "a b c", "a b c"),
        ("a b c", "a x c", "a x c"),
        ("a c", "a b c d", "a b c d"),
        ("a b c", "a c", "a c"),
        ("a ... d", "a b c d", "a ... d"),
        ("a ... d", "a b c x", "a ... x"),
        ("a ... d", "x y z", "x ... z"),
        ("... d", "a b d e", "... d e"),
        ("a ...", "b", "b ..."),
        ("a ...", "", "..."),
        ("...", "a b", "..."),
        ("a ... c ... e", "a b c d x", "a ... c ... x"),
    ] {
        assert_eq!(renewed(&lines(old), &lines(new)).join(" "), expected, "{old} to {new}");
    }
}
