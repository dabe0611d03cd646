//! Times and moments in files: as text such as `3`, `7/2` or `3..7/2`, which is exact.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{Moment, Rational};

impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| Error::custom(format!("`{text}` is no time")))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| Error::custom(format!("`{text}` is no moment")))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::{Error, StrDeserializer};
    use serde::de::{Deserialize, IntoDeserializer};

    use crate::{Moment, Rational};

    fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
        let text: StrDeserializer<'de, Error> = text.into_deserializer();
        T::deserialize(text).map_err(|error| error.to_string())
    }

    #[test]
    fn times_and_moments_are_read_from_text() {
        let [three, more] = [Rational::integer(3), Rational::new(7, 2).unwrap()];
        assert_eq!(read("7/2"), Ok(more));
        assert_eq!(read("3"), Ok(Moment::exactly(three)));
        assert_eq!(read("3..7/2"), Ok(Moment::between(three, more).unwrap()));
        assert_eq!(read::<Rational>("soon"), Err("`soon` is no time".to_owned()));
        assert_eq!(read::<Moment>("4..3"), Err("`4..3` is no moment".to_owned()));
    }
}
