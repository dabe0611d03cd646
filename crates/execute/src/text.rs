//! Moments and times as text, as journals and protocols write them: `3`, `7/2`, `3..7/2`. For people,
//! fractions that nobody can read become decimals.

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

/// Fractions with a larger denominator are shown as decimals.
const READABLE: i64 = 1000;

/// A moment for people. Ends that are hard to read are rounded outwards to three digits, so that what
/// is shown includes the moment: `268770797/5000000` becomes `53.754..53.755`.
pub fn readable(moment: Moment) -> String {
    let (from, until) = (rounded_down(moment.earliest()), rounded_up(moment.latest()));
    if from == until { from } else { format!("{from}..{until}") }
}

/// A lower bound for people: rounded down to three digits if it is hard to read.
pub fn rounded_down(time: Rational) -> String {
    rounded(time, |numerator, denominator| numerator.div_euclid(denominator))
}

/// An upper bound for people: rounded up to three digits if it is hard to read.
pub fn rounded_up(time: Rational) -> String {
    rounded(time, |numerator, denominator| -(-numerator).div_euclid(denominator))
}

fn rounded(time: Rational, divide: impl Fn(i128, i128) -> i128) -> String {
    if time.denominator() <= READABLE {
        return time.to_string();
    }
    let digits = divide(i128::from(time.numerator()) * 1000, i128::from(time.denominator()));
    let sign = if digits < 0 { "-" } else { "" };
    let digits = digits.unsigned_abs();
    format!("{sign}{}.{:03}", digits / 1000, digits % 1000)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for text in ["0", "7/2", "3..7/2"] {
            assert_eq!(moment_text(parse_moment(text).unwrap()), text);
        }
        assert_eq!(parse_moment("4..3"), None);
        assert_eq!(parse_moment("soon"), None);
    }

    #[test]
    fn what_is_hard_to_read_is_rounded_outwards() {
        let shown = |text: &str| readable(parse_moment(text).unwrap());
        assert_eq!(shown("7/2"), "7/2");
        assert_eq!(shown("1/1000..3"), "1/1000..3");
        assert_eq!(shown("268770797/5000000"), "53.754..53.755");
        assert_eq!(shown("1/3..10001/10000"), "1/3..1.001");
        assert_eq!(shown("-1/5000..1/5000"), "-0.001..0.001");
        assert_eq!(rounded_up("9223372036854775807/2000".parse().unwrap()), "4611686018427387.904");
    }

    proptest! {
        #[test]
        fn what_is_shown_includes_the_moment(
            numerator in any::<i32>(), denominator in 1..i64::MAX, more in 0..1000i64,
        ) {
            let low = Rational::new(numerator.into(), denominator).unwrap();
            let high = low.add(Rational::integer(more)).unwrap_or(low);
            let shown = parse_moment(&readable(Moment::between(low, high).unwrap())).unwrap();
            prop_assert!(shown.earliest() <= low && high <= shown.latest());
            let thousandth = Rational::new(2, 1000).unwrap();
            prop_assert!(shown.earliest().add(thousandth).unwrap() > low || shown.earliest() == low);
        }
    }
}
