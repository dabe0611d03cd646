//! What to test: a purpose of the model, a condition to reach, or whatever happens for a time.

use std::fmt;
use std::str::FromStr;

use tioga_base::Rational;
use tioga_testcase::Goal;

/// A goal given by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenPurpose {
    /// The purpose automaton of the model with this name.
    Named(String),
    /// A condition to reach, perhaps within a time: `reach CONDITION within TIME`.
    Reach {
        /// The condition, as in a query.
        condition: String,
        /// The time.
        within: Option<Rational>,
    },
    /// Any inputs at any moments until a time has passed: `walk TIME`.
    Walk(Rational),
}

impl GivenPurpose {
    /// The query to add to the model when it is read, if the purpose needs one.
    pub fn query(&self) -> Option<String> {
        match self {
            Self::Named(_) | Self::Walk(_) => None,
            Self::Reach { condition, .. } => Some(format!("E<> control: A<> {condition}")),
        }
    }

    /// The goal of its test cases.
    pub fn goal(&self) -> Goal {
        match self {
            Self::Named(name) => Goal::Purpose(name.clone()),
            Self::Walk(time) => Goal::Walk(*time),
            Self::Reach { within, .. } => {
                Goal::Query { query: self.query().unwrap_or_default(), within: *within }
            }
        }
    }

    /// The goal of online runs.
    pub fn online_goal(&self) -> Goal {
        match self {
            Self::Reach { condition, within } => {
                Goal::Reach { condition: condition.clone(), within: *within }
            }
            Self::Named(_) | Self::Walk(_) => self.goal(),
        }
    }

    /// The queries that some purposes need, in their order.
    pub fn queries(purposes: &[Self]) -> Vec<String> {
        purposes.iter().filter_map(Self::query).collect()
    }
}

impl FromStr for GivenPurpose {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(time) = text.strip_prefix("walk ") {
            return match time.trim().parse::<Rational>() {
                Ok(time) if time > Rational::ZERO => Ok(Self::Walk(time)),
                _ => Err(format!("`{}` is not an amount of time", time.trim())),
            };
        }
        let Some(rest) = text.strip_prefix("reach ") else {
            return Ok(Self::Named(text.to_owned()));
        };
        let (condition, within) = match rest.rsplit_once(" within ") {
            None => (rest, None),
            Some((condition, time)) => match time.trim().parse::<Rational>() {
                Ok(time) if !time.is_negative() => (condition, Some(time)),
                _ => return Err(format!("`{}` is not an amount of time", time.trim())),
            },
        };
        Ok(Self::Reach { condition: condition.to_owned(), within })
    }
}

impl fmt::Display for GivenPurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Walk(time) => write!(f, "walk {time}"),
            Self::Reach { condition, within: None } => write!(f, "reach {condition}"),
            Self::Reach { condition, within: Some(time) } => {
                write!(f, "reach {condition} within {time}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_are_read_as_they_are_written() {
        for text in ["FullAlarm", "reach Light.Bright", "reach x > 1 && A.b within 5/2", "walk 7/2"]
        {
            assert_eq!(text.parse::<GivenPurpose>().unwrap().to_string(), text);
        }
        assert!("reach A.b within never".parse::<GivenPurpose>().is_err());
        assert!("reach A.b within -1".parse::<GivenPurpose>().is_err());
        assert!("walk 0".parse::<GivenPurpose>().is_err());
        assert!("walk home".parse::<GivenPurpose>().is_err());
    }
}
