//! A JSON object in a file whose list is written as its items are made, so that none has to be kept.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use tioga::{Failure, NewFile};
use tioga_base::Diagnostic;

use crate::item::write_item;
use crate::output::Session;

/// A file under way.
#[derive(Debug)]
pub struct ListFile {
    file: NewFile,
    path: PathBuf,
    /// The name of the list.
    list: &'static str,
    empty: bool,
}

impl ListFile {
    /// Begins a file with an object whose list is empty so far.
    pub fn begin(
        session: &mut Session,
        path: &Path,
        object: &Value,
        list: &'static str,
    ) -> Result<Self, Failure> {
        let begun = session.new_file(path).and_then(|mut file| {
            file.write_all(parts(object, list).0.as_bytes())?;
            Ok(Self { file, path: path.to_owned(), list, empty: true })
        });
        begun.map_err(|error| unwritten(path, &error))
    }

    /// Writes an item.
    pub fn add(&mut self, item: &impl Serialize) -> Result<(), Failure> {
        let separator = if std::mem::take(&mut self.empty) { "\n    " } else { ",\n    " };
        let written = write!(self.file, "{separator}");
        let written = written.and_then(|()| write_item(&mut self.file, item, "    ", false));
        written.map_err(|error| unwritten(&self.path, &error))
    }

    /// Completes the file with what the object is now; its list is still empty there. What comes before the
    /// list must be as it was.
    pub fn finish(mut self, object: &Value) -> Result<(), Failure> {
        let end = if self.empty { "" } else { "\n  " };
        let rest = parts(object, self.list).1;
        let written = writeln!(self.file, "{end}{rest}").and_then(|()| self.file.finish());
        written.map_err(|error| unwritten(&self.path, &error))
    }
}

/// The text of an object up to the first item of its empty list, and from there on.
fn parts(object: &Value, list: &str) -> (String, String) {
    let text = format!("{object:#}");
    let start = format!("\n  \"{list}\": [");
    // Line ends within strings are escaped, so this is the list itself.
    let at = text.find(&start).map_or(text.len(), |at| at + start.len());
    let (head, rest) = text.split_at(at);
    (head.to_owned(), rest.to_owned())
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write `{}`: {error}", path.display());
    Diagnostic::global("cannot-write", message).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_written_item_by_item_is_the_whole_object() {
        let folder = std::env::temp_dir().join(format!("tioga-list-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("list.json");
        let object = |items: &[Value]| json!({ "a": "text \"\n  \\\"items\": []", "items": items, "z": [1, { "y": [] }] });
        for items in [vec![], vec![json!(1)], vec![json!({ "x": [1, 2] }), json!("a\nb")]] {
            let mut session = Session::default();
            let mut file = ListFile::begin(&mut session, &path, &object(&[]), "items").unwrap();
            for item in &items {
                file.add(item).unwrap();
            }
            file.finish(&object(&[])).unwrap();
            let whole = format!("{:#}\n", object(&items));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
