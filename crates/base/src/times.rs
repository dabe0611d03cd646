//! Times for people: how they are shown, and how they are written in options. Everything that shows a
//! time to people does so with [`Times`].

use std::fmt;
use std::str::FromStr;

use crate::{Moment, Overflow, Rational};

/// What one unit of model time is in wall-clock terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeUnit {
    /// How many of `unit`, positive.
    pub amount: Rational,
    /// The unit of wall-clock time.
    pub unit: WallUnit,
}

/// Units of wall-clock time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WallUnit {
    /// `ns`
    Nanosecond,
    /// `us`
    Microsecond,
    /// `ms`
    Millisecond,
    /// `s`
    Second,
    /// `min`
    Minute,
    /// `h`
    Hour,
}

impl WallUnit {
    /// All units with their short names, smallest first.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Nanosecond, "ns"),
        (Self::Microsecond, "us"),
        (Self::Millisecond, "ms"),
        (Self::Second, "s"),
        (Self::Minute, "min"),
        (Self::Hour, "h"),
    ];

    /// The short name.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The unit of this name; `m` stands for minutes.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "m" { "min" } else { name };
        Self::ALL.iter().find(|(_, own)| *own == name).map(|(unit, _)| *unit)
    }

    /// How many nanoseconds it has.
    pub fn nanoseconds(self) -> i64 {
        match self {
            Self::Nanosecond => 1,
            Self::Microsecond => 1_000,
            Self::Millisecond => 1_000_000,
            Self::Second => 1_000_000_000,
            Self::Minute => 60_000_000_000,
            Self::Hour => 3_600_000_000_000,
        }
    }
}

impl TimeUnit {
    /// How many nanoseconds it has.
    pub fn nanoseconds(self) -> Result<Rational, Overflow> {
        self.amount.mul(Rational::integer(self.unit.nanoseconds()))
    }

    /// A unit of so many nanoseconds, in the largest unit of the wall clock that divides it.
    pub fn of_nanoseconds(count: i64) -> Self {
        let divides = |unit: &WallUnit| count % unit.nanoseconds() == 0;
        let units = WallUnit::ALL.iter().rev().map(|(unit, _)| *unit);
        let unit = units.into_iter().find(divides).unwrap_or(WallUnit::Nanosecond);
        Self { amount: Rational::integer(count / unit.nanoseconds()), unit }
    }
}

/// `1 s`, `1/2 ms`.
impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.unit.name())
    }
}

/// Reads `1 s`, `1/2 ms` and `10ms`.
impl FromStr for TimeUnit {
    type Err = GivenTimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            GivenTime::Wall { amount, unit } if amount > Rational::ZERO => {
                Ok(Self { amount, unit })
            }
            _ => Err(GivenTimeError::Malformed),
        }
    }
}

/// How times are shown: as decimals where these are exact, in the unit of the model if it declares one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    unit: Option<TimeUnit>,
}

/// Decimals with more places are not shown.
const PLACES: u32 = 9;
/// Fractions with a larger denominator are hard to read.
const READABLE: i64 = 1000;

/// Which way a number is rounded that is hard to read.
#[derive(Clone, Copy)]
enum Rounding {
    Down,
    Up,
}

impl Times {
    /// Times of a model that declares this unit, or none.
    pub const fn of(unit: Option<TimeUnit>) -> Self {
        Self { unit }
    }

    /// The unit, if there is one.
    pub const fn unit(self) -> Option<TimeUnit> {
        self.unit
    }

    /// An exact time: `2.5 s`, `1/3 s`; without a unit `2.5`.
    pub fn exact(self, time: Rational) -> String {
        self.with_unit(time, decimal)
    }

    /// A lower bound, rounded down to three digits if it is hard to read.
    pub fn at_least(self, time: Rational) -> String {
        self.with_unit(time, |time| rounded(time, Rounding::Down))
    }

    /// An upper bound, rounded up to three digits if it is hard to read.
    pub fn at_most(self, time: Rational) -> String {
        self.with_unit(time, |time| rounded(time, Rounding::Up))
    }

    /// A moment. Ends that are hard to read are rounded outwards to three digits, so that what is shown
    /// includes the moment: `1/3000` becomes `0.000..0.001`.
    pub fn moment(self, moment: Moment) -> String {
        let (earliest, latest) = (moment.earliest(), moment.latest());
        let (shown, suffix) = match (self.scaled(earliest), self.scaled(latest)) {
            (Ok(from), Ok(until)) => ((from, until), self.suffix(Rational::ZERO)),
            (Err(Overflow), _) => ((earliest, latest), self.suffix(earliest)),
            (_, Err(Overflow)) => ((earliest, latest), self.suffix(latest)),
        };
        if moment.is_exact() && is_short(shown.0) {
            return decimal(shown.0) + &suffix;
        }
        let (from, until) = (rounded(shown.0, Rounding::Down), rounded(shown.1, Rounding::Up));
        if from == until { from + &suffix } else { format!("{from}..{until}{suffix}") }
    }

    /// An amount of time in a sentence: `3.5 s`; without a unit `3.5 time units`.
    pub fn amount(self, time: Rational) -> String {
        match self.unit {
            Some(_) => self.exact(time),
            None if time == Rational::ONE => "1 time unit".to_owned(),
            None => format!("{} time units", decimal(time)),
        }
    }

    /// A time as a number and what follows it: `2.5` and ` s`.
    pub fn parts(self, time: Rational) -> (String, String) {
        (decimal(self.scaled(time).unwrap_or(time)), self.suffix(time))
    }

    fn with_unit(self, time: Rational, show: impl Fn(Rational) -> String) -> String {
        show(self.scaled(time).unwrap_or(time)) + &self.suffix(time)
    }

    fn scaled(self, time: Rational) -> Result<Rational, Overflow> {
        match self.unit {
            Some(unit) if unit.amount != Rational::ONE => time.mul(unit.amount),
            _ => Ok(time),
        }
    }

    /// What follows the number. A time too large to be converted is multiplied in words.
    fn suffix(self, time: Rational) -> String {
        match (self.unit, self.scaled(time)) {
            (None, _) => String::new(),
            (Some(unit), Ok(_)) => format!(" {}", unit.unit.name()),
            (Some(unit), Err(Overflow)) => {
                format!(" x {} {}", decimal(unit.amount), unit.unit.name())
            }
        }
    }
}

/// A number for people: a decimal where a few digits are exact, otherwise a fraction.
pub fn decimal(value: Rational) -> String {
    exact_decimal(value).unwrap_or_else(|| value.to_string())
}

/// Whether a number is exact in what is easy to read.
fn is_short(value: Rational) -> bool {
    value.denominator() <= READABLE || exact_decimal(value).is_some()
}

/// The decimal that is exactly this number, if it ends early.
fn exact_decimal(value: Rational) -> Option<String> {
    let mut rest = value.denominator();
    let mut places = [0u32; 2];
    for (places, prime) in places.iter_mut().zip([2, 5]) {
        while rest % prime == 0 {
            rest /= prime;
            *places += 1;
        }
    }
    let places = places[0].max(places[1]);
    if rest != 1 || places > PLACES {
        return None;
    }
    let power = 10i128.pow(places);
    let digits = i128::from(value.numerator()) * (power / i128::from(value.denominator()));
    Some(written(digits, power, places as usize))
}

/// Three digits if the number is hard to read.
fn rounded(value: Rational, rounding: Rounding) -> String {
    if value.denominator() <= READABLE {
        return decimal(value);
    }
    let (numerator, denominator) = (i128::from(value.numerator()) * 1000, value.denominator());
    let digits = match rounding {
        Rounding::Down => numerator.div_euclid(i128::from(denominator)),
        Rounding::Up => -(-numerator).div_euclid(i128::from(denominator)),
    };
    written(digits, 1000, 3)
}

fn written(digits: i128, power: i128, places: usize) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let (digits, power) = (digits.unsigned_abs(), power.unsigned_abs());
    let whole = digits / power;
    match places {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{:0places$}", digits % power),
    }
}

/// An amount of time as it is written in an option: in units of the model, or of the wall clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenTime {
    /// `2.5`: in units of the model.
    Units(Rational),
    /// `10ms`: by the wall clock.
    Wall {
        /// How many.
        amount: Rational,
        /// Of what.
        unit: WallUnit,
    },
}

/// Why a text is no amount of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenTimeError {
    /// Neither `2.5`, `1/3` nor `10ms`.
    Malformed,
    /// Below zero.
    Negative,
    /// The second bound is below the first.
    Order,
}

impl fmt::Display for GivenTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => {
                "write a time such as `2.5` or `1/3` in units of the model, or `10ms`, `2.5s`"
            }
            Self::Negative => "time does not run backwards",
            Self::Order => "write two bounds in order: `0..1/10` or `5ms..20ms`",
        })
    }
}

impl std::error::Error for GivenTimeError {}

/// Reads `2.5`, `1/3`, `10ms`, `2.5 s`.
impl FromStr for GivenTime {
    type Err = GivenTimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, name) = text.split_at(end);
        let amount = number.trim().parse::<Rational>().map_err(|_| GivenTimeError::Malformed)?;
        if amount.is_negative() {
            return Err(GivenTimeError::Negative);
        }
        match name.trim_end() {
            "" => Ok(Self::Units(amount)),
            name => {
                let unit = WallUnit::named(name).ok_or(GivenTimeError::Malformed)?;
                Ok(Self::Wall { amount, unit })
            }
        }
    }
}

/// Why a time of the wall clock is none of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConvertError {
    /// The model does not say how long a time unit is.
    NoUnit,
    /// The result does not fit.
    Overflow,
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoUnit => "the model does not say how long a time unit takes",
            Self::Overflow => "this time does not fit in 64 bits",
        })
    }
}

impl std::error::Error for ConvertError {}

impl GivenTime {
    /// In units of the model.
    pub fn in_units(self, unit: Option<TimeUnit>) -> Result<Rational, ConvertError> {
        match (self, unit) {
            (Self::Units(time), _) => Ok(time),
            // Nothing is nothing in every unit.
            (Self::Wall { amount, .. }, _) if amount.is_zero() => Ok(amount),
            (Self::Wall { .. }, None) => Err(ConvertError::NoUnit),
            (Self::Wall { amount, unit: wall }, Some(unit)) => {
                let ratio = Rational::new(wall.nanoseconds(), unit.unit.nanoseconds());
                let exact = ratio.and_then(|ratio| amount.mul(ratio)?.div(unit.amount));
                exact.map_err(|Overflow| ConvertError::Overflow)
            }
        }
    }
}

/// `2.5`, `10ms`.
impl fmt::Display for GivenTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units(time) => f.write_str(&decimal(*time)),
            Self::Wall { amount, unit } => write!(f, "{}{}", decimal(*amount), unit.name()),
        }
    }
}

/// Bounds on an amount of time as they are written in an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenBounds {
    /// The lower bound.
    pub from: GivenTime,
    /// The upper bound.
    pub until: GivenTime,
}

/// Reads `0..1/10`, `5ms..20ms`, `5..20ms` and `3ms`. A unit of the upper bound alone is that of both.
impl FromStr for GivenBounds {
    type Err = GivenTimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((from, until)) = text.split_once("..") else {
            let time = text.trim().parse()?;
            return Ok(Self { from: time, until: time });
        };
        let (mut from, until): (GivenTime, GivenTime) =
            (from.trim().parse()?, until.trim().parse()?);
        if let (GivenTime::Units(amount), GivenTime::Wall { unit, .. }) = (from, until) {
            from = GivenTime::Wall { amount, unit };
        }
        match (from, until) {
            (GivenTime::Units(low), GivenTime::Units(high)) if low > high => {
                Err(GivenTimeError::Order)
            }
            (GivenTime::Wall { amount, unit }, GivenTime::Wall { amount: more, unit: larger })
                if wide(amount, unit) > wide(more, larger) =>
            {
                Err(GivenTimeError::Order)
            }
            _ => Ok(Self { from, until }),
        }
    }
}

/// A time of the wall clock in nanoseconds, as a fraction that can be compared; too large ones last
/// as long as anything.
fn wide(amount: Rational, unit: WallUnit) -> Rational {
    let exact = amount.mul(Rational::integer(unit.nanoseconds()));
    exact.unwrap_or(Rational::integer(i64::MAX))
}

impl GivenBounds {
    /// In units of the model; with the times in the wrong order nothing is between them.
    pub fn in_units(self, unit: Option<TimeUnit>) -> Result<Moment, ConvertError> {
        let (from, until) = (self.from.in_units(unit)?, self.until.in_units(unit)?);
        Ok(Moment::between(from, until).unwrap_or(Moment::exactly(from)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn times(unit: &str) -> Times {
        Times::of(if unit.is_empty() { None } else { Some(unit.parse().unwrap()) })
    }

    fn shown(unit: &str, moment: &str) -> String {
        times(unit).moment(moment.parse().unwrap())
    }

    #[test]
    fn times_are_decimals_where_these_are_exact() {
        for (text, expected) in [
            ("408027/1000", "408.027"),
            ("7/2", "3.5"),
            ("1/3", "1/3"),
            ("-5/2", "-2.5"),
            ("129/16", "8.0625"),
            ("12", "12"),
            ("268770797/5000000", "53.7541594"),
            ("1/1000..3", "0.001..3"),
            ("1/3..10001/10000", "1/3..1.001"),
            ("1/3000", "0.000..0.001"),
            ("-1/5000..1/5000", "-0.001..0.001"),
        ] {
            assert_eq!(shown("", text), expected);
        }
        let large: Rational = "9223372036854775807/2000".parse().unwrap();
        assert_eq!(Times::default().at_most(large), "4611686018427387.904");
    }

    #[test]
    fn times_have_the_unit_of_the_model() {
        assert_eq!(shown("1 s", "5/2"), "2.5 s");
        assert_eq!(shown("10 ms", "5/2"), "25 ms");
        assert_eq!(shown("1/2 s", "3"), "1.5 s");
        assert_eq!(shown("1 s", "1/2..5/3"), "0.5..5/3 s");
        assert_eq!(times("1 min").amount(Rational::ONE), "1 min");
        assert_eq!(times("").amount(Rational::ONE), "1 time unit");
        assert_eq!(times("").amount(Rational::integer(3)), "3 time units");
        let large = Moment::exactly(Rational::integer(i64::MAX));
        assert_eq!(times("10 ms").moment(large), "9223372036854775807 x 10 ms");
    }

    #[test]
    fn given_times_are_converted_with_the_unit() {
        let in_units = |text: &str, unit: &str| {
            text.parse::<GivenTime>().unwrap().in_units(times(unit).unit()).map(decimal)
        };
        assert_eq!(in_units("10ms", "1 s").unwrap(), "0.01");
        assert_eq!(in_units("2.5s", "5 ms").unwrap(), "500");
        assert_eq!(in_units("1/3", "").unwrap(), "1/3");
        assert_eq!(in_units("2m", "1 s").unwrap(), "120");
        assert_eq!(in_units("0ms", "").unwrap(), "0");
        assert_eq!(in_units("10ms", ""), Err(ConvertError::NoUnit));
        for wrong in ["", "ms", "10 parsecs", "1e3", "soon", "-1"] {
            assert!(wrong.parse::<GivenTime>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn given_bounds_are_in_order_and_share_a_unit() {
        let in_units = |text: &str| {
            let bounds: GivenBounds = text.parse().unwrap();
            bounds.in_units(times("1 s").unit()).unwrap().to_string()
        };
        assert_eq!(in_units("5ms..20ms"), "1/200..1/50");
        assert_eq!(in_units("5..20ms"), "1/200..1/50");
        assert_eq!(in_units("0..1/10"), "0..1/10");
        assert_eq!(in_units("900ms..1s"), "9/10..1");
        assert_eq!(in_units("3ms"), "3/1000");
        for wrong in ["1..0", "2s..1s", "1s..2ms", "1..", "-1..0"] {
            assert!(wrong.parse::<GivenBounds>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_unit_of_nanoseconds_is_as_large_as_can_be() {
        for (count, text) in [(5_000_000, "5 ms"), (1_000_000_000, "1 s"), (7, "7 ns")] {
            assert_eq!(TimeUnit::of_nanoseconds(count).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_includes_the_moment(
            numerator in any::<i32>(), denominator in 1..i64::MAX, more in 0..1000i64,
        ) {
            let low = Rational::new(numerator.into(), denominator).unwrap();
            let high = low.add(Rational::integer(more)).unwrap_or(low);
            let moment = Moment::between(low, high).unwrap();
            let shown: Moment = Times::default().moment(moment).parse().unwrap();
            prop_assert!(shown.earliest() <= low && high <= shown.latest());
            let thousandth = Rational::new(2, 1000).unwrap();
            prop_assert!(shown.earliest().add(thousandth).unwrap() > low || shown.earliest() == low);
        }
    }
}
