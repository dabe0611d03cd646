//! Values of options that several commands share: durations and numbers.

use std::time::Duration;

use tioga_base::{GivenTime, Rational};

/// An amount of time of the machine: `250us`, `10ms`, `1.5s`, `10m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let needed = || "write a number and a unit: 250us, 10ms, 30s, 5m, 2h".to_owned();
    let Ok(GivenTime::Wall { amount, unit }) = text.parse() else { return Err(needed()) };
    let exact =
        amount.mul(Rational::integer(unit.nanoseconds())).ok().and_then(Rational::to_integer);
    match exact.map(u64::try_from) {
        Some(Ok(nanoseconds)) if nanoseconds > 0 => Ok(Duration::from_nanos(nanoseconds)),
        _ => Err("the duration must be a whole number of nanoseconds, at least 1".to_owned()),
    }
}

/// A time limit: a number of seconds, such as `60` or `0.5`, or with a unit, such as `10m`.
pub fn time_limit(text: &str) -> Result<Duration, String> {
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let plain = !text.contains(|c: char| c.is_ascii_alphabetic());
    if plain { duration(&format!("{text}s")) } else { duration(text) }
}

/// A percentage from 0 to 100: `95%` or `95`.
pub fn percent(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<u32>() {
        Ok(percent @ 1..=100) => Ok(percent),
        _ => Err("write a whole number from 1 to 100, such as 95%".to_owned()),
    }
}

/// An amount of memory in bytes: `500M`, `2G`, `64MiB`; units are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    const HELP: &str = "write a number and a unit: 500M, 2G";
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let shift = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err(HELP.to_owned()),
    };
    let number: Rational = number.trim().parse().map_err(|error| format!("{error}"))?;
    let bytes = number.mul(Rational::integer(1 << shift)).map_err(|error| error.to_string())?;
    match u64::try_from(bytes.floor()) {
        Ok(bytes) if bytes > 0 => Ok(bytes),
        _ => Err(HELP.to_owned()),
    }
}

/// An amount of model time, which is not negative.
/// A number that is not negative.
pub fn time(text: &str) -> Result<Rational, String> {
    let time: Rational = text.parse().map_err(|error| format!("{error}"))?;
    if time.is_negative() { Err("the number must not be negative".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_are_exact() {
        assert_eq!(duration("10ms"), Ok(Duration::from_millis(10)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["10", "s", "-1s", "0s", "1/3ns", "1 day", "9223372036854775807h", ""] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_limits_are_seconds_unless_they_say_otherwise() {
        assert_eq!(time_limit("60"), Ok(Duration::from_secs(60)));
        assert_eq!(time_limit("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(
            (time_limit("10m"), time_limit("0")),
            (Ok(Duration::from_secs(600)), Ok(Duration::ZERO))
        );
        assert!(time_limit("-1").is_err() && time_limit("soon").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!((size("2G"), size("0.5GiB")), (Ok(2 << 30), Ok(1 << 29)));
        for wrong in ["10", "M", "-1M", "0M", "1X", "99999999999T", ""] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
