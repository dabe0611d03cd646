//! The file formats.

/// A file format for models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Tioga's own language, `.tioga`.
    Tioga,
    /// UPPAAL's XML, `.xml`.
    UppaalXml,
    /// UPPAAL's text form, `.xta` and the older `.ta`.
    Xta,
    /// TChecker's, `.tck`.
    Tchecker,
}

impl Format {
    /// The format a file name's extension stands for.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "tioga" => Some(Self::Tioga),
            "xml" => Some(Self::UppaalXml),
            "xta" | "ta" => Some(Self::Xta),
            "tck" => Some(Self::Tchecker),
            _ => None,
        }
    }
}
