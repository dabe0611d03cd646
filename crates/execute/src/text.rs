//! Moments and times as text, as journals and protocols write them: `3`, `7/2`, `3..7/2`.

use serde::{Deserialize, Deserializer, Serializer};
use tioga_base::{Moment, Rational};

/// A moment as text.
pub fn moment_text(moment: Moment) -> String {
    moment.to_string()
}

/// A moment for people: exact if that is short, and otherwise as thousandths, rounded outwards.
pub fn short_moment(moment: Moment) -> String {
    let (earliest, latest) = (moment.earliest(), moment.latest());
    if moment.is_exact() && earliest.denominator() <= SHORT {
        return moment.to_string();
    }
    let thousandths = |time: Rational| time.mul(Rational::integer(1000));
    let (Ok(earliest), Ok(latest)) = (thousandths(earliest), thousandths(latest)) else {
        return moment.to_string();
    };
    let (earliest, latest) = (earliest.floor(), latest.ceil());
    let decimals = |number: i64| {
        let sign = if number < 0 { "-" } else { "" };
        let number = number.unsigned_abs();
        format!("{sign}{}.{:03}", number / 1000, number % 1000)
    };
    if earliest == latest {
        return decimals(earliest);
    }
    format!("{}..{}", decimals(earliest), decimals(latest))
}

/// Fractions with larger denominators than this say little to people.
const SHORT: i64 = 100;

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
    fn people_see_three_decimals_that_enclose_the_moment() {
        let cases = [
            ("353/16", "353/16"),
            ("211359/200000..1057493/1000000", "1.056..1.058"),
            ("51212177/2500000", "20.484..20.485"),
            ("1/3..1/2", "0.333..0.500"),
            ("4..4", "4"),
        ];
        for (exact, shown) in cases {
            assert_eq!(short_moment(parse_moment(exact).unwrap()), shown);
        }
    }

    #[test]
    fn moments_are_read_as_they_are_written() {
        for text in ["0", "7/2", "3..7/2"] {
            assert_eq!(moment_text(parse_moment(text).unwrap()), text);
        }
        assert_eq!(parse_moment("4..3"), None);
        assert_eq!(parse_moment("soon"), None);
    }
}
