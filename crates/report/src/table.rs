//! The last words of a campaign on a terminal: a table with a line for each test case. Also a line
//! that says how far it is.

use tioga_execute::Outcome;

use crate::Report;
use crate::text::one_line;

/// Cells of plain text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The rows, the first of which is the head. All have the same number of cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// What is in it.
    pub text: String,
    /// Which outcome it tells of, so that it can be coloured; nothing where there is nothing to see.
    pub tells: Option<Outcome>,
}

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), tells: None }
    }
}

/// The table of a campaign. Interrupted runs have a column if there are any.
pub fn table(report: &Report<'_>) -> Table {
    let totals = report.totals();
    let mut columns: Vec<Option<Outcome>> = Outcome::ALL.into_iter().map(Some).collect();
    if totals.interrupted > 0 {
        columns.push(None);
    }
    let mut head = vec![Cell::plain("test case"), Cell::plain("runs")];
    head.extend(columns.iter().map(|column| {
        Cell::plain(column.map_or_else(|| "interrupted".to_owned(), |one| one.to_string()))
    }));
    head.extend([Cell::plain("places"), Cell::plain("edges")]);
    let mut rows = vec![head];
    let row = |name: &str, counts: &crate::Counts, shares: [String; 2]| {
        let mut row = vec![Cell::plain(one_line(name)), Cell::plain(counts.runs().to_string())];
        row.extend(columns.iter().map(|column| {
            let count = counts.of(*column);
            Cell { text: count.to_string(), tells: column.filter(|_| count > 0) }
        }));
        row.extend(shares.map(Cell::plain));
        row
    };
    for (position, case) in report.cases() {
        let coverage = &report.coverage.cases[position];
        let shares = [coverage.place_share().to_string(), coverage.edge_share().to_string()];
        rows.push(row(&case.name, &report.counts[position], shares));
    }
    if rows.len() != 2 || report.strangers().next().is_some() {
        rows.push(row("all", &totals, [String::new(), String::new()]));
    }
    Table { rows }
}

impl Table {
    /// The table with aligned columns: the first to the left, the others to the right. Each cell is
    /// coloured by `paint`, which must not change how wide it is.
    pub fn text(&self, paint: impl Fn(Option<Outcome>, &str) -> String) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |cell: &Cell| cell.text.chars().count();
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.rows.iter().filter_map(|row| row.get(column)).map(wide).max())
            .map(Option::unwrap_or_default)
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let space = " ".repeat(widths[column] - wide(cell));
                let painted = paint(cell.tells, &cell.text);
                match column {
                    0 => line.extend([painted, space]),
                    _ => line.extend(["  ".to_owned(), space, painted]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// How far a campaign is, in one line: `17 of 100 runs: 15 pass, 2 fail`.
pub fn progress(report: &Report<'_>) -> String {
    let cases = u64::try_from(report.settings.suite.cases.len()).unwrap_or(u64::MAX);
    let all = report.settings.repeat.saturating_mul(cases);
    let totals = report.totals();
    let outcomes = Outcome::ALL.into_iter().map(Some).chain([None]);
    let parts = outcomes.filter(|outcome| totals.of(*outcome) > 0).map(|outcome| {
        let word = outcome.map_or_else(|| "interrupted".to_owned(), |one| one.to_string());
        format!("{} {word}", totals.of(outcome))
    });
    let parts: Vec<String> = parts.collect();
    let colon = if parts.is_empty() { "" } else { ": " };
    format!("{} of {all} runs{colon}{}", totals.runs(), parts.join(", "))
}
