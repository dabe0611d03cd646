//! The file formats of models and how they are told apart: by an option, else by the extension.

use std::path::Path;

use clap::ValueEnum;
use tioga_parse::Format;

/// A format a model can be read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelFormat {
    /// Tioga's own language (.tioga)
    Tioga,
    /// UPPAAL XML (.xml)
    Xml,
    /// UPPAAL text (.xta, .ta)
    Xta,
    /// TChecker (.tck)
    Tck,
}

impl ModelFormat {
    /// The format a file of this name has.
    pub fn of_path(path: &Path) -> Option<Self> {
        Some(match extension(path)?.as_str() {
            "tioga" => Self::Tioga,
            "xml" => Self::Xml,
            "xta" | "ta" => Self::Xta,
            "tck" => Self::Tck,
            _ => return None,
        })
    }

    /// The front end that reads it.
    pub fn front_end(self) -> Format {
        match self {
            Self::Tioga => Format::Tioga,
            Self::Xml => Format::UppaalXml,
            Self::Xta => Format::Xta,
            Self::Tck => Format::Tchecker,
        }
    }
}

/// A format a model can be converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TargetFormat {
    /// Tioga's own language (.tioga)
    Tioga,
    /// UPPAAL XML (.xml)
    Xml,
    /// UPPAAL text (.xta)
    Xta,
    /// TChecker (.tck)
    Tck,
    /// A picture as GraphViz source (.dot)
    Dot,
    /// A picture as SVG (.svg)
    Svg,
}

impl TargetFormat {
    /// The format a file of this name should get.
    pub fn of_path(path: &Path) -> Option<Self> {
        Some(match extension(path)?.as_str() {
            "dot" | "gv" => Self::Dot,
            "svg" => Self::Svg,
            _ => match ModelFormat::of_path(path)? {
                ModelFormat::Tioga => Self::Tioga,
                ModelFormat::Xml => Self::Xml,
                ModelFormat::Xta => Self::Xta,
                ModelFormat::Tck => Self::Tck,
            },
        })
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_decide_whatever_their_case() {
        let model = |name: &str| ModelFormat::of_path(Path::new(name));
        assert_eq!(model("a/light.tioga"), Some(ModelFormat::Tioga));
        assert_eq!(model("LIGHT.XML"), Some(ModelFormat::Xml));
        assert_eq!(model("old.ta"), Some(ModelFormat::Xta));
        assert_eq!(model("light.dot"), None);
        assert_eq!(model("tioga"), None);
        assert_eq!(TargetFormat::of_path(Path::new("light.gv")), Some(TargetFormat::Dot));
        assert_eq!(TargetFormat::of_path(Path::new("light.tck")), Some(TargetFormat::Tck));
        assert_eq!(TargetFormat::of_path(Path::new("light.png")), None);
    }
}
