//! Moments and times as text, as journals and protocols write them: `3`, `7/2`, `3..7/2`.

use serde::{Deserialize, Deserializer, Serializer};
use tioga_base::{Moment, Rational};

/// A moment as text.
pub fn moment_text(moment: Moment) -> String {
    moment.to_string()
}

/// The moment that a text says.
pub fn parse_moment(text: &str) -> Option<Moment> {
    let time = |part: &str| part.trim().parse::<Rational>().ok();
    match text.split_once("..") {
        None => Some(Moment::exactly(time(text)?)),
        Some((earliest, latest)) => Moment::between(time(earliest)?, time(latest)?),
    }
}

/// For `#[serde(with = "text::moment")]`.
pub(crate) mod moment {
    use super::*;

    pub fn serialize<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(moment)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_moment(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no moment")))
    }
}

/// For `#[serde(with = "text::time")]`.
pub(crate) mod time {
    use super::*;

    pub fn serialize<S: Serializer>(time: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(time)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is no time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for text in ["0", "7/2", "3..7/2"] {
            assert_eq!(moment_text(parse_moment(text).unwrap()), text);
        }
        assert_eq!(parse_moment("4..3"), None);
        assert_eq!(parse_moment("soon"), None);
    }
}
