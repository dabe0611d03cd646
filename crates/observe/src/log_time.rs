//! Times of existing logs: numbers, moments between two, and timestamps of ISO 8601. Everything is
//! exact.

use tioga_base::{Moment, Overflow, ParseRationalError, Rational};

/// How a time of a log is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoggedTime {
    /// As a number, in units of the log.
    Number,
    /// As a timestamp, which becomes seconds since 1970 in UTC.
    Timestamp,
}

impl LoggedTime {
    /// Reads a moment; otherwise why it is none.
    pub fn read(text: &str) -> Result<(Moment, Self), String> {
        if looks_like_timestamp(text) {
            let between = match text.split_once("..") {
                None => timestamp(text).map(Moment::exactly),
                Some((from, until)) => timestamp(from).and_then(|from| {
                    Moment::between(from, timestamp(until)?).ok_or(Wrong::Malformed)
                }),
            };
            return match between {
                Ok(moment) => Ok((moment, Self::Timestamp)),
                Err(Wrong::Malformed) => {
                    Err(format!("`{text}` is no timestamp such as `2024-05-31T12:30:00.250Z`"))
                }
                Err(Wrong::TooFine) => Err(too_fine(text)),
            };
        }
        let moment =
            Rational::with_exponent(text).map(Moment::exactly).or_else(|| text.parse().ok());
        match (moment, text.parse::<Rational>()) {
            (Some(moment), _) => Ok((moment, Self::Number)),
            (None, Err(ParseRationalError::Unrepresentable)) => Err(too_fine(text)),
            (None, _) => Err(format!("`{text}` is no moment such as `3/2` or `3..4`")),
        }
    }
}

fn too_fine(text: &str) -> String {
    format!("`{text}` is too large or too fine to be exact in 64 bits")
}

/// A line as its time and what follows. Date and time of day may be apart.
pub(crate) fn split_time(content: &str) -> Option<(&str, &str)> {
    let (first, rest) = content.split_once(char::is_whitespace)?;
    if first.len() == DATE && looks_like_timestamp(first) {
        let rest = rest.trim_start();
        let end = rest.find(char::is_whitespace)?;
        if rest.as_bytes().get(2) == Some(&b':') {
            let length = content.len() - rest.len() + end;
            return Some((&content[..length], &rest[end..]));
        }
    }
    Some((first, rest))
}

/// How long a date is.
const DATE: usize = "2024-05-31".len();

/// Whether a text begins as a date does.
fn looks_like_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= DATE
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[..4].iter().all(u8::is_ascii_digit)
}

/// Why a text is no timestamp.
enum Wrong {
    Malformed,
    TooFine,
}

impl From<Overflow> for Wrong {
    fn from(_: Overflow) -> Self {
        Self::TooFine
    }
}

/// Seconds since 1970 in UTC. A time of day without an offset is one of UTC.
fn timestamp(text: &str) -> Result<Rational, Wrong> {
    let (date, rest) = text.split_at_checked(DATE).ok_or(Wrong::Malformed)?;
    let [year, month, day] = numbers(date, '-')?;
    let days = days_since_1970(year, month, day).ok_or(Wrong::Malformed)?;
    let rest = rest.trim_start_matches(['T', 't', ' ', '_']);
    let (time, offset) = match rest.find(['Z', 'z', '+', '-']) {
        Some(at) => (&rest[..at], offset(&rest[at..])?),
        None => (rest, 0),
    };
    let (whole, fraction) = match time.split_once(['.', ',']) {
        Some((whole, digits)) => {
            let fraction = format!("0.{digits}").parse::<Rational>();
            let fraction = fraction.map_err(|error| match error {
                ParseRationalError::Malformed => Wrong::Malformed,
                ParseRationalError::Unrepresentable => Wrong::TooFine,
            })?;
            (whole, fraction)
        }
        None => (time, Rational::ZERO),
    };
    let [hour, minute, second] = numbers(whole, ':')?;
    // A leap second is the last of its minute.
    if hour > 24 || minute > 59 || second > 60 {
        return Err(Wrong::Malformed);
    }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Ok(Rational::integer(seconds).add(fraction)?)
}

/// Three numbers of digits only.
fn numbers(text: &str, separator: char) -> Result<[i64; 3], Wrong> {
    let mut all = [0; 3];
    let mut parts = text.split(separator);
    for number in &mut all {
        let part = parts.next().ok_or(Wrong::Malformed)?;
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = part.parse().ok().filter(|_| digits).ok_or(Wrong::Malformed)?;
    }
    if parts.next().is_some() { Err(Wrong::Malformed) } else { Ok(all) }
}

/// How many seconds a zone is ahead of UTC: `Z`, `+02:00`, `-0530`, `+02`.
fn offset(text: &str) -> Result<i64, Wrong> {
    if text.eq_ignore_ascii_case("z") {
        return Ok(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text[1..].chars().filter(|one| *one != ':').collect();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes) = match digits.len() {
        2 if plain => (digits.as_str(), "0"),
        4 if plain => digits.split_at(2),
        _ => return Err(Wrong::Malformed),
    };
    let number = |text: &str| text.parse::<i64>().map_err(|_| Wrong::Malformed);
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    if hours > 23 || minutes > 59 {
        Err(Wrong::Malformed)
    } else {
        Ok(sign * (hours * 3600 + minutes * 60))
    }
}

/// How many days a date of the Gregorian calendar is after 1970-01-01.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month).ok()?.checked_sub(1)?;
    let length = *lengths.get(before)?;
    if !(1..=length).contains(&day) {
        return None;
    }
    let earlier = year - 1;
    let leap_days = earlier.div_euclid(4) - earlier.div_euclid(100) + earlier.div_euclid(400);
    // 477 leap days come before 1970.
    let years = (year - 1970) * 365 + leap_days - 477;
    Some(years + lengths[..before].iter().sum::<i64>() + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match LoggedTime::read(text) {
            Ok((moment, LoggedTime::Number)) => moment.to_string(),
            Ok((moment, LoggedTime::Timestamp)) => format!("{moment} s"),
            Err(why) => why,
        }
    }

    #[test]
    fn timestamps_are_exact_seconds() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", "0 s"),
            ("2000-02-29T12:00:00Z", "951825600 s"),
            ("2024-05-31T12:30:00.250Z", "6868634401/4 s"),
            ("2024-05-31 14:30:00,250+02:00", "6868634401/4 s"),
            ("2024-05-31T12:30:00.250", "6868634401/4 s"),
            ("2024-05-31T07:00:00.25-0530", "6868634401/4 s"),
            ("1969-12-31T23:59:59Z", "-1 s"),
            ("2024-05-31T12:30:00Z..2024-05-31T12:30:01Z", "1717158600..1717158601 s"),
            ("2016-12-31T23:59:60Z", "1483228800 s"),
        ] {
            assert_eq!(read(text), seconds, "{text}");
        }
        for wrong in [
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-05-31",
            "2024-05-31T25:00:00Z",
            "2024-05-31T12:30",
            "2024-05-31T12:30:00+2",
            "2024-05-31T12:30:0x",
        ] {
            assert!(read(wrong).contains("is no timestamp"), "{wrong}: {}", read(wrong));
        }
        assert!(read("2024-05-31T12:30:00.0123456789123Z").contains("too fine"));
    }

    #[test]
    fn numbers_and_bounds_stay_what_they_are() {
        assert_eq!(read("3/2"), "3/2");
        assert_eq!(read("1.5e3"), "1500");
        assert_eq!(read("1..2"), "1..2");
        assert!(read("soon").contains("is no moment"));
    }

    #[test]
    fn date_and_time_may_be_apart() {
        let split = |text| split_time(text).map(|(time, rest)| (time, rest.trim()));
        assert_eq!(split("3/2 touch?"), Some(("3/2", "touch?")));
        let line = "2024-05-31 12:30:00.250 touch?";
        assert_eq!(split(line), Some(("2024-05-31 12:30:00.250", "touch?")));
        assert_eq!(
            split("2024-05-31T12:30:00Z level(3)!"),
            Some(("2024-05-31T12:30:00Z", "level(3)!"))
        );
    }

    #[test]
    fn days_agree_with_a_walk_through_the_calendar() {
        let mut expected = days_since_1970(1899, 12, 31).unwrap() + 1;
        for year in 1900..2101 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(days) = days_since_1970(year, month, day) {
                        assert_eq!(days, expected);
                        expected += 1;
                    }
                }
            }
        }
        assert_eq!(days_since_1970(1970, 1, 1), Some(0));
    }
}
