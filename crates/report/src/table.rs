//! The last words of a campaign on a terminal: a table with a line for each test case.

use tioga_execute::{Outcome, Settings, Tally};

use crate::text::one_line;
use crate::{Counts, Report, Share};

/// The outcomes, in the order of their columns.
const COLUMNS: [Outcome; 4] = [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive, Outcome::Error];

/// How many columns are words at first.
const WORDS: usize = 2;

/// The head of the column for the worst outcome, which is a word again.
const WORST: &str = "worst";

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

/// What the table says of a test case.
struct Line {
    name: String,
    purpose: String,
    counts: Counts,
    /// How many places and edges were visited, if that is known.
    shares: Option<[Share; 2]>,
}

/// The table of a report, with what was visited.
pub fn table(report: &Report<'_>) -> Table {
    // Online there are no test cases to visit.
    let visited = report.settings.online.is_none();
    let lines = report.cases().map(|(position, case)| {
        let coverage = &report.coverage.cases[position];
        Line {
            name: case.name.clone(),
            purpose: case.summary.goal.to_string(),
            counts: report.counts[position],
            shares: (visited && !case.is_online())
                .then(|| [coverage.place_share(), coverage.edge_share()]),
        }
    });
    let lines: Vec<Line> = lines.collect();
    rows(&lines, report.totals(), visited)
}

/// The table of a campaign of which only the outcomes are known.
pub fn tally_table(settings: &Settings, tally: &Tally) -> Table {
    let lines = tally.cases.iter().zip(&settings.suite.cases).map(|(counted, case)| Line {
        name: case.name.clone(),
        purpose: case.summary.goal.to_string(),
        counts: Counts::from(counted),
        shares: None,
    });
    let lines: Vec<Line> = lines.collect();
    let totals = lines.iter().fold(Counts::default(), |sum, line| sum.and(line.counts));
    rows(&lines, totals, false)
}

/// How much of a purpose a table shows.
const PURPOSE: usize = 80;

/// The beginning of a text that is too long for a table.
fn short(text: &str) -> String {
    if text.chars().count() <= PURPOSE {
        return text.to_owned();
    }
    let begin: String = text.chars().take(PURPOSE - 1).collect();
    format!("{}…", begin.trim_end())
}

/// One line for each test case. There is a line for all if that says something else, and a column for
/// interrupted runs if there are any.
fn rows(lines: &[Line], totals: Counts, visited: bool) -> Table {
    let mut columns: Vec<Option<Outcome>> = COLUMNS.into_iter().map(Some).collect();
    if totals.interrupted > 0 {
        columns.push(None);
    }
    let mut head: Vec<Cell> = ["case", "purpose", "runs"].map(Cell::plain).into();
    head.extend(columns.iter().map(|column| Cell::plain(word(*column))));
    head.push(Cell::plain(WORST));
    if visited {
        head.extend(["places", "edges"].map(Cell::plain));
    }
    let row = |name: &str, purpose: &str, counts: &Counts, shares: Option<[Share; 2]>| {
        let mut row = [one_line(name), short(&one_line(purpose)), counts.runs().to_string()]
            .map(Cell::plain)
            .to_vec();
        row.extend(columns.iter().map(|column| {
            let count = counts.of(*column);
            Cell { text: count.to_string(), tells: column.filter(|_| count > 0) }
        }));
        let worst = counts.worst();
        let text = match worst {
            None if counts.runs() == 0 => "not run".to_owned(),
            worst => word(worst),
        };
        row.push(Cell { text, tells: worst });
        if visited {
            let texts = shares.map(|shares| shares.map(|share| share.to_string()));
            row.extend(texts.unwrap_or_default().map(Cell::plain));
        }
        row
    };
    let mut rows = vec![head];
    for line in lines {
        rows.push(row(&line.name, &line.purpose, &line.counts, line.shares));
    }
    let counted: u64 = lines.iter().map(|line| line.counts.runs()).sum();
    if lines.len() != 1 || counted != totals.runs() {
        rows.push(row("all", "", &totals, None));
    }
    Table { rows }
}

fn word(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "interrupted".to_owned(), |outcome| outcome.to_string())
}

impl Table {
    /// The table with aligned columns: words to the left, numbers to the right. Each cell is coloured
    /// by `paint`, which must not change how wide it is.
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
                line.push_str("  ");
                let number = column >= WORDS && self.rows[0][column].text != WORST;
                line.extend(if number { [space, painted] } else { [painted, space] });
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
