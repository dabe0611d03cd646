//! The languages that models are written in: their names and the extensions of their files, in one
//! table for every front end, printer and command.

use std::fmt;
use std::str::FromStr;

/// A language for models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ModelFormat {
    /// Tioga's own language.
    Tioga,
    /// UPPAAL's XML.
    UppaalXml,
    /// UPPAAL's text form.
    Xta,
    /// TChecker's language.
    Tchecker,
    /// SPTG's language. It is read, not written.
    Xlia,
}

/// A row of the table: the format, its name, and the extensions of its files, the usual one first.
type Row = (ModelFormat, &'static str, &'static [&'static str]);

/// The table of formats.
const TABLE: [Row; 5] = [
    (ModelFormat::Tioga, "tioga", &["tioga"]),
    (ModelFormat::UppaalXml, "xml", &["xml"]),
    (ModelFormat::Xta, "xta", &["xta", "ta"]),
    (ModelFormat::Tchecker, "tck", &["tck"]),
    (ModelFormat::Xlia, "xlia", &["xlia"]),
];

impl ModelFormat {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(format, ..)| *format)
    }

    /// The formats that models are written in, too.
    pub fn written() -> impl Iterator<Item = Self> {
        Self::all().filter(|format| *format != Self::Xlia)
    }

    /// What it is called on the command line and in files.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The extensions of its files, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().2
    }

    /// The format that the extension of a file name stands for, in any case.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let named = |row: &&Row| row.2.iter().any(|own| own.eq_ignore_ascii_case(extension));
        TABLE.iter().find(named).map(|(format, ..)| *format)
    }

    fn row(self) -> &'static Row {
        TABLE.iter().find(|(format, ..)| *format == self).expect("every format has a row")
    }
}

impl fmt::Display for ModelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ModelFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = TABLE.iter().find(|(_, name, _)| *name == text);
        named.map(|(format, ..)| *format).ok_or_else(|| {
            let names: Vec<&str> = TABLE.iter().map(|(_, name, _)| *name).collect();
            format!("`{text}` is not a model format; the formats are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_decide_in_any_case() {
        assert_eq!(ModelFormat::from_file_name("a/light.tioga"), Some(ModelFormat::Tioga));
        assert_eq!(ModelFormat::from_file_name("LIGHT.XML"), Some(ModelFormat::UppaalXml));
        assert_eq!(ModelFormat::from_file_name("old.ta"), Some(ModelFormat::Xta));
        assert_eq!(ModelFormat::from_file_name("light.dot"), None);
        assert_eq!(ModelFormat::from_file_name("tioga"), None);
    }

    #[test]
    fn names_are_read_back() {
        for format in ModelFormat::all() {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("yaml".parse::<ModelFormat>().is_err());
    }
}
