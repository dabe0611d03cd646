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
        _ => Err("a whole number of nanoseconds is needed, more than none".to_owned()),
    }
}

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
}
