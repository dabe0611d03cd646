//! How the times of a log become those of the model.

use tioga_base::{Moment, Overflow, Rational, TimeUnit, WallUnit};
use tioga_observe::LoggedTime;

/// Options about the times of a log.
#[derive(Clone, Copy, Debug)]
pub struct LogTimes {
    /// Their format; if missing, the first one decides.
    pub written: Option<WrittenTime>,
    /// Their factor; by default from the time unit of the model.
    pub scale: Option<Rational>,
    /// Whether the first one is subtracted from all.
    pub from_first: bool,
    /// The coarsest rounding, in the time of the model, with which a log is still followed if exact
    /// times do not fit.
    pub resolution: Rational,
}

/// The format of wall-clock times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrittenTime {
    /// As timestamps of ISO 8601.
    Timestamps,
    /// As numbers of this unit.
    Numbers(WallUnit),
}

/// How the times of a log are converted, once its first time is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    /// How they are written.
    pub written: LoggedTime,
    /// Their factor.
    pub factor: Rational,
    /// Whether the first one is subtracted before.
    pub from_first: bool,
}

/// No run lasts longer, in seconds: 30 years. A larger time counts from an epoch.
const LONGEST: i64 = 946_080_000;

/// Numbers since 1970, by their size: seconds, milli-, micro- and nanoseconds.
const EPOCHS: [(i64, WallUnit); 4] = [
    (1_000_000_000_000_000_000, WallUnit::Nanosecond),
    (1_000_000_000_000_000, WallUnit::Microsecond),
    (1_000_000_000_000, WallUnit::Millisecond),
    (1_000_000_000, WallUnit::Second),
];

impl LogTimes {
    /// The conversion of times in the format of the first one; otherwise why there is none.
    pub(super) fn conversion(
        &self,
        written: LoggedTime,
        first: Moment,
        unit: Option<TimeUnit>,
    ) -> Result<Conversion, String> {
        let wall = match (self.written, written) {
            (None | Some(WrittenTime::Timestamps), LoggedTime::Timestamp) => Some(WallUnit::Second),
            (Some(WrittenTime::Numbers(unit)), LoggedTime::Number) => Some(unit),
            (None, LoggedTime::Number) => self.epoch(first, unit),
            (Some(WrittenTime::Timestamps), LoggedTime::Number) => {
                return Err("this is a number, and timestamps are expected".to_owned());
            }
            (Some(WrittenTime::Numbers(_)), LoggedTime::Timestamp) => {
                return Err("this is a timestamp, and numbers are expected".to_owned());
            }
        };
        let Some(wall) = wall else {
            let factor = self.scale.unwrap_or(Rational::ONE);
            return Ok(Conversion { written, factor, from_first: self.from_first });
        };
        let factor = match (self.scale, unit) {
            (Some(scale), _) => scale,
            (None, Some(unit)) => {
                let ratio = unit
                    .nanoseconds()
                    .and_then(|unit| Rational::integer(wall.nanoseconds()).div(unit));
                ratio.map_err(|Overflow| "this time does not fit in 64 bits".to_owned())?
            }
            (None, None) => {
                return Err(
                    "the model does not say how long a time unit is; declare `time unit 1 s;` \
                            in it, or give `--scale`"
                        .to_owned(),
                );
            }
        };
        let absolute = written == LoggedTime::Timestamp || is_long(first, wall);
        Ok(Conversion { written, factor, from_first: self.from_first || absolute })
    }

    /// The unit of numbers that can only count from 1970: nothing if they may as well be times of a run.
    fn epoch(&self, first: Moment, unit: Option<TimeUnit>) -> Option<WallUnit> {
        if self.scale.is_some() || self.from_first {
            return None;
        }
        let unit = unit?.nanoseconds().ok()?;
        let seconds = first.earliest().mul(unit.div(Rational::integer(1_000_000_000)).ok()?);
        let short = seconds.is_ok_and(|seconds| seconds < Rational::integer(LONGEST));
        let number = first.earliest().floor();
        let fits = EPOCHS.iter().find(|(least, _)| number >= *least).map(|(_, unit)| *unit);
        fits.filter(|wall| !short && is_long(first, *wall))
    }
}

/// Whether a time in this unit is longer than any run.
fn is_long(first: Moment, wall: WallUnit) -> bool {
    let seconds = Rational::new(wall.nanoseconds(), 1_000_000_000)
        .and_then(|seconds| first.earliest().mul(seconds));
    seconds.is_ok_and(|seconds| seconds >= Rational::integer(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(written: Option<WrittenTime>) -> LogTimes {
        LogTimes { written, scale: None, from_first: false, resolution: Rational::ZERO }
    }

    /// The factor, and whether the first time is subtracted.
    fn converted(
        written: Option<WrittenTime>,
        first: &str,
        unit: &str,
    ) -> Result<(String, bool), String> {
        let (moment, kind) = LoggedTime::read(first).unwrap();
        let unit = if unit.is_empty() { None } else { Some(unit.parse().unwrap()) };
        let conversion = times(written).conversion(kind, moment, unit)?;
        Ok((conversion.factor.to_string(), conversion.from_first))
    }

    #[test]
    fn the_first_time_shows_how_times_are_written() {
        let own = |first, unit| converted(None, first, unit).unwrap();
        assert_eq!(own("0", "1 s"), ("1".to_owned(), false));
        assert_eq!(own("2024-05-31T12:30:00Z", "1 ms"), ("1000".to_owned(), true));
        assert_eq!(own("1717158600.25", "1 s"), ("1".to_owned(), true));
        assert_eq!(own("1717158600250", "1 s"), ("1/1000".to_owned(), true));
        assert_eq!(own("1717158600250000", "1 min"), ("1/60000000".to_owned(), true));
        assert_eq!(own("1717158600250000000", "1 s"), ("1/1000000000".to_owned(), true));
        // A second and a half of a model that counts nanoseconds, and times of a model without a unit.
        assert_eq!(own("1500000000", "1 ns"), ("1".to_owned(), false));
        assert_eq!(own("1717158600", ""), ("1".to_owned(), false));
    }

    #[test]
    fn what_is_said_decides() {
        let milliseconds = Some(WrittenTime::Numbers(WallUnit::Millisecond));
        assert_eq!(converted(milliseconds, "1500", "1 s").unwrap(), ("1/1000".to_owned(), false));
        assert!(converted(milliseconds, "1717158600250", "1 s").unwrap().1);
        assert!(converted(milliseconds, "2024-05-31T12:30:00Z", "1 s").is_err());
        assert!(converted(Some(WrittenTime::Timestamps), "3", "1 s").is_err());
        assert!(converted(milliseconds, "1500", "").unwrap_err().contains("`--scale`"));
        let scaled = LogTimes { scale: Some(Rational::integer(2)), ..times(milliseconds) };
        let (moment, kind) = LoggedTime::read("1500").unwrap();
        assert_eq!(scaled.conversion(kind, moment, None).unwrap().factor, Rational::integer(2));
    }
}
