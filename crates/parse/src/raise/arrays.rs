//! Arrays of clocks and channels, found again in the names of their elements.

use crate::raise::refused::Refused;

/// A row of things declared together: an array, or a single one without dimensions.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The name without indices.
    pub base: String,
    /// The position of its first element.
    pub first: usize,
    /// The first index and the length of each dimension, outermost first.
    pub dimensions: Vec<(i64, u32)>,
}

impl Row {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.dimensions.iter().map(|(_, length)| *length as usize).product()
    }

    /// The indices of an element by its position in the row.
    pub fn indices(&self, position: usize) -> Vec<i64> {
        let mut rest = position;
        let mut indices = Vec::new();
        for (first, length) in self.dimensions.iter().rev() {
            let length = (*length).max(1) as usize;
            indices.push(first.saturating_add(i64::try_from(rest % length).unwrap_or(i64::MAX)));
            rest /= length;
        }
        indices.reverse();
        indices
    }
}

/// Elements that follow each other as an array's do, and look alike, are one row. All others are
/// rows of their own, under their full names.
pub fn rows<'a, K: PartialEq>(elements: impl IntoIterator<Item = (&'a str, K)>) -> Vec<Row> {
    let elements: Vec<(&str, K)> = elements.into_iter().collect();
    let mut rows = Vec::new();
    let mut at = 0;
    while let Some((name, key)) = elements.get(at) {
        let row = row(name, at, |position| {
            elements.get(position).filter(|(_, other)| other == key).map(|(name, _)| *name)
        });
        at += row.len();
        rows.push(row);
    }
    rows
}

/// The longest row that begins with an element.
fn row<'a>(name: &str, first: usize, element: impl Fn(usize) -> Option<&'a str>) -> Row {
    let single = Row { base: name.to_owned(), first, dimensions: Vec::new() };
    let Some((base, start)) = split(name) else { return single };
    let mut last = start.clone();
    let mut end = first;
    while let Some((other, indices)) = element(end + 1).and_then(split)
        && other == base
        && indices.len() == start.len()
        && indices > last
    {
        last = indices;
        end += 1;
    }
    let mut dimensions = Vec::new();
    for (first, last) in start.iter().zip(&last) {
        let length = last.checked_sub(*first).and_then(|length| u32::try_from(length).ok());
        let Some(length) = length.and_then(|length| length.checked_add(1)) else { return single };
        dimensions.push((*first, length));
    }
    let found = Row { base: base.to_owned(), first, dimensions };
    let complete = found.len() == end + 1 - first;
    let fits = |position: usize| {
        element(first + position).and_then(split).is_some_and(|(_, i)| i == found.indices(position))
    };
    if complete && (1..found.len()).all(fits) { found } else { single }
}

/// The name of an array and the indices of an element: `a[1][2]`.
fn split(full: &str) -> Option<(&str, Vec<i64>)> {
    let (base, rest) = full.split_at(full.find('[')?);
    let inner = rest.strip_prefix('[')?.strip_suffix(']')?;
    let indices = inner.split("][").map(|index| index.parse().ok()).collect::<Option<Vec<i64>>>();
    Some((base, indices?))
}

/// The row of an element and its position there.
pub fn find(rows: &[Row], element: usize) -> Result<(usize, usize), Refused> {
    let row = rows.partition_point(|row| row.first <= element).checked_sub(1);
    let found = row.filter(|row| element - rows[*row].first < rows[*row].len());
    let row = found.ok_or_else(|| Refused::new("something that is not declared is used"))?;
    Ok((row, element - rows[row].first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(names: &[&str]) -> Vec<(String, Vec<(i64, u32)>)> {
        let found = rows(names.iter().map(|name| (*name, ())));
        found.into_iter().map(|row| (row.base, row.dimensions)).collect()
    }

    #[test]
    fn elements_in_order_are_an_array() {
        let names = ["x", "a[1]", "a[2]", "b[0][4]", "b[0][5]", "b[1][4]", "b[1][5]", "c[0]"];
        let expected = [
            ("x".to_owned(), vec![]),
            ("a".to_owned(), vec![(1, 2)]),
            ("b".to_owned(), vec![(0, 2), (4, 2)]),
            ("c".to_owned(), vec![(0, 1)]),
        ];
        assert_eq!(rows_of(&names), expected);
    }

    #[test]
    fn elements_with_gaps_stand_alone() {
        let names = ["a[0]", "a[2]", "b[0][0]", "b[1][1]"];
        let found = rows_of(&names);
        assert_eq!(found.len(), 4);
        assert_eq!(found[0], ("a[0]".to_owned(), vec![]));
    }

    #[test]
    fn elements_that_differ_are_apart() {
        let found = rows([("a[0]", 1), ("a[1]", 2)]);
        assert_eq!(found[0].dimensions, [(0, 1)]);
        assert_eq!(found[1], Row { base: "a".to_owned(), first: 1, dimensions: vec![(1, 1)] });
    }

    #[test]
    fn positions_have_indices() {
        let row = Row { base: "a".to_owned(), first: 3, dimensions: vec![(0, 2), (5, 3)] };
        assert_eq!(row.indices(4), [1, 6]);
        assert_eq!(find(&[row], 7).unwrap(), (0, 4));
    }
}
