//! A model as it is written: what is wrong with it, its picture, and what can be asked of it.

use serde::Serialize;
use serde_json::{Value, json};
use tioga_base::{Diagnostics, Sources};
use tioga_model::{Direction, Formula, Model};
use tioga_testcase::ModelSource;

use crate::picture::{Picture, picture};
use crate::results::diagnostics;
use tioga::words::clocks;
use tioga::{Loaded, read_document, read_open};

/// A model as it is written.
#[derive(Clone, Debug, Serialize)]
pub struct ModelView {
    /// Whether it is a valid model.
    pub valid: bool,
    /// What is wrong or noteworthy, as `--format json` prints it.
    pub diagnostics: Value,
    /// The picture; nothing if the text is not understood at all.
    pub picture: Option<Picture>,
    /// The queries, in the order of the text.
    pub queries: Vec<QueryLine>,
    /// The names of the clocks, short where that is unambiguous.
    pub clocks: Vec<String>,
    /// The names of the purposes.
    pub purposes: Vec<String>,
    /// What crosses the interface.
    pub interface: Value,
}

/// A query that can be asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QueryLine {
    /// As it is written.
    pub text: String,
    /// What its author says.
    pub comment: Option<String>,
    /// Whether it is about what a tester can enforce.
    pub game: bool,
    /// Where it is written, in bytes.
    pub start: u32,
    /// The line, from 1.
    pub line: usize,
}

/// Looks at a model. A text that is no valid model still has its diagnostics and, if it can be parsed, its picture.
pub fn model_view(source: &ModelSource) -> ModelView {
    let mut texts = Sources::new();
    match read_open(source.clone(), &[], &mut texts) {
        Ok(loaded) => of_loaded(&loaded, &texts),
        Err(failure) => {
            let mut own = Sources::new();
            let drawn = read_document(source, &mut own).ok();
            ModelView {
                valid: false,
                diagnostics: diagnostics::json(&failure.diagnostics, &texts),
                picture: drawn.map(|(document, _)| picture(&document, None, &own)),
                queries: Vec::new(),
                clocks: Vec::new(),
                purposes: Vec::new(),
                interface: Value::Null,
            }
        }
    }
}

fn of_loaded(loaded: &Loaded, texts: &Sources) -> ModelView {
    let model = &loaded.model;
    let queries = model.queries.iter().map(|query| QueryLine {
        text: loaded.query_text(query),
        comment: query.comment.clone(),
        game: matches!(query.formula, Formula::Control(_) | Formula::Cooperative(_)),
        start: query.span.start,
        line: texts
            .get(query.span.file)
            .map_or(0, |file| file.line_column(query.span.start as usize).0),
    });
    ModelView {
        valid: true,
        diagnostics: shown(&loaded.warnings, texts),
        picture: Some(picture(&loaded.document, Some(model), texts)),
        queries: queries.collect(),
        clocks: clocks::names(model),
        purposes: model.purposes.iter().map(|one| one.process.name.clone()).collect(),
        interface: interface(model),
    }
}

fn shown(warnings: &Diagnostics, texts: &Sources) -> Value {
    diagnostics::json(warnings, texts)
}

fn interface(model: &Model) -> Value {
    let named = |wanted: Direction| -> Vec<&str> {
        let own = model.channels.iter().filter(|one| one.direction == Some(wanted));
        own.map(|channel| channel.name.as_str()).collect()
    };
    json!({ "inputs": named(Direction::Input), "outputs": named(Direction::Output) })
}
