//! Moments and times as journals and protocols write them: `3`, `7/2`, `3..7/2`.

use serde::{Deserialize, Deserializer, Serializer};
use tioga_base::{Moment, Rational};

/// The number that a text says exactly, also with an exponent as JSON allows it.
pub(crate) fn exact(text: &str) -> Option<Rational> {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return text.parse().ok();
    };
    let mantissa: Rational = mantissa.parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let power = Rational::integer(10i64.checked_pow(exponent.unsigned_abs())?);
    if exponent < 0 { mantissa.div(power).ok() } else { mantissa.mul(power).ok() }
}

/// For `#[serde(with = "text::moment")]`.
pub(crate) mod moment {
    use super::*;

    pub fn serialize<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(moment)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is no moment")))
    }
}

/// For `#[serde(with = "text::optional_time")]`.
pub(crate) mod optional_time {
    use super::*;

    pub fn serialize<S: Serializer>(
        time: &Option<Rational>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_some(&time.map(|time| time.to_string()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Rational>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let time = text.map(|text| text.parse::<Rational>()).transpose();
        time.map_err(serde::de::Error::custom)
    }
}

/// For `#[serde(serialize_with = "text::maybe_moment")]`.
pub(crate) fn maybe_moment<S: Serializer>(
    moment: &Option<Moment>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => serializer.collect_str(moment),
        None => serializer.serialize_none(),
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
