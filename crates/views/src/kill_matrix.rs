//! What the journal of a mutation campaign shows so far: which test case killed which mutant.

use std::path::Path;

use serde_json::{Value, json};

use tioga::{Failure, MutationRecord, Status, unclosed_journal};

/// The mutants with a cell for each test case, as far as the campaign got.
///
/// # Errors
/// If it is no journal of a mutation campaign.
pub fn kill_matrix(path: &Path) -> Result<Value, Failure> {
    let (record, settings) = MutationRecord::look(path)?;
    let columns: Vec<&str> = settings.cases.iter().map(|case| case.name.as_str()).collect();
    let mut rows = Vec::new();
    let (mut killed, mut equivalent) = (0, 0);
    for (mutant, row) in record.last_rows() {
        let status = record.known_status(mutant);
        killed += usize::from(row.kill().is_some());
        equivalent += usize::from(row.kill().is_none() && status == Some(&Status::Equivalent));
        let cells = row.cells.iter().map(|cell| {
            let kill = cell.kill.as_ref();
            json!([cell.runs, cell.passed, cell.errors, kill.map(|kill| kill.reason.clone())])
        });
        rows.push(json!({
            "mutant": mutant,
            "killed": row.kill().is_some(),
            "status": status.map(|status| match status {
                Status::Equivalent => "equivalent",
                Status::NonConforming { .. } => "non-conforming",
                Status::Unknown(_) => "unknown",
            }),
            "cells": cells.collect::<Vec<_>>(),
        }));
    }
    Ok(json!({
        "model": settings.model.name,
        "cases": columns,
        "columns": ["runs", "passed", "errors", "kill"],
        "rows": rows,
        "killed": killed,
        "equivalent": equivalent,
        "mutants": rows.len(),
        "note": unclosed_journal(path).map(|open| open.message),
    }))
}
