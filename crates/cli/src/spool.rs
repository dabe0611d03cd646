//! A list of the result for `--format json`, kept in a file without a name as its items are made, so that
//! memory does not grow with it. The result is written with the list in its place.

use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, BufWriter, Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use tioga::Failure;
use tioga_base::Diagnostic;

use crate::item::write_item;

/// A list under way.
#[derive(Debug)]
pub struct Spool {
    file: BufWriter<File>,
    /// The names that lead to the list in the output.
    path: &'static [&'static str],
    empty: bool,
}

/// Numbers the files of this process.
static STARTED: AtomicU64 = AtomicU64::new(0);

impl Spool {
    /// An empty list that these names lead to in the output.
    pub fn new(path: &'static [&'static str]) -> Result<Self, Failure> {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!(".tioga-{}-{number}.part", std::process::id());
        let place = std::env::temp_dir().join(name);
        let made = OpenOptions::new().read(true).write(true).create_new(true).open(&place);
        // The file lasts as long as it is open, however the program ends.
        let made = made.and_then(|file| remove_file(&place).map(|()| file));
        let file = made.map_err(|error| unwritten(&error))?;
        Ok(Self { file: BufWriter::new(file), path, empty: true })
    }

    /// Adds an item.
    pub fn add(&mut self, item: &impl Serialize) -> Result<(), Failure> {
        let margin = "  ".repeat(self.path.len() + 1);
        let separator = if std::mem::take(&mut self.empty) { "" } else { "," };
        let written = write!(self.file, "{separator}\n{margin}");
        let written = written.and_then(|()| write_item(&mut self.file, item, &margin, true));
        written.map_err(|error| unwritten(&error))
    }

    /// Writes the output with the list in it, which is empty there.
    pub fn write(self, output: &str, to: &mut dyn Write) -> io::Result<()> {
        let (mut at, mut found) = (0, true);
        for (depth, name) in self.path.iter().enumerate() {
            let list = depth + 1 == self.path.len();
            let bracket = if list { '[' } else { '{' };
            let start = format!("\n{}\"{name}\": {bracket}", "  ".repeat(depth + 1));
            // Line ends within strings are escaped, so this is the name itself.
            match output[at..].find(&start) {
                Some(position) => at += position + start.len(),
                None => found = false,
            }
        }
        let (head, rest) = output.split_at(if found { at } else { output.len() });
        to.write_all(head.as_bytes())?;
        if found && !self.empty {
            let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            io::copy(&mut file, to)?;
            write!(to, "\n{}", "  ".repeat(self.path.len()))?;
        }
        to.write_all(rest.as_bytes())
    }
}

fn unwritten(error: &io::Error) -> Failure {
    let folder = std::env::temp_dir();
    let message = format!("cannot write a file in `{}`: {error}", folder.display());
    Diagnostic::global("cannot-write", message).help("`TMPDIR` names another folder").into()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_output_with_a_spooled_list_is_the_whole_object() {
        let object = |items: &[Value]| json!({ "a": "\n  \"b\": {", "b": { "c": [{ "list": [] }], "list": items, "z": 1 } });
        for items in [vec![], vec![json!(1)], vec![json!({ "x": [1, 2] }), json!("a\nb")]] {
            let mut spool = Spool::new(&["b", "list"]).unwrap();
            for item in &items {
                spool.add(item).unwrap();
            }
            let mut written = Vec::new();
            spool.write(&format!("{:#}\n", object(&[])), &mut written).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), format!("{:#}\n", object(&items)));
        }
    }
}
