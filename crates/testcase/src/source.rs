//! The source of a model: its text, its language, and the options for reading it. Suites and
//! journals keep it unchanged, so the same model is read again from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tioga_base::{ModelFormat, Rational};

/// A model as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelSource {
    /// Its name in messages: the file as it was named, or `@NAME` for an embedded example.
    pub name: String,
    /// Its language.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub format: ModelFormat,
    /// Its text.
    pub text: String,
    /// The options for reading it.
    #[serde(default, skip_serializing_if = "ReadOptions::is_empty")]
    pub options: ReadOptions,
}

/// Options for reading a model, beyond its text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadOptions {
    /// Values of symbolic constants; `true` is 1 and `false` is 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "numbers")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub settings: BTreeMap<String, Rational>,
    /// Processes or templates that belong to the environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// Channels that the system under test receives on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<String>,
    /// Channels that the system under test sends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// Channels that stay internal, whichever process uses them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub internal: Vec<String>,
    /// Whether an UPPAAL model that declares no interface is a closed system, in which a channel
    /// without partner blocks; otherwise such a channel is an action of the environment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// Whether the options were given for another model, so that names which this one does not declare
    /// are passed over; otherwise they are errors.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lenient: bool,
    /// Further queries, as in a query file of UPPAAL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryFile>,
    /// Further purposes in the language of Tioga, such as those made from runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purposes: Option<String>,
}

/// A file of queries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryFile {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl ReadOptions {
    /// Whether there are no options.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with the interface and constants that another version of the model was read with, if nothing is said
    /// about them.
    #[must_use]
    pub fn or_as(self, other: &Self) -> Self {
        let interface = |one: &Self| {
            [&one.environment, &one.input, &one.output, &one.internal].map(Vec::is_empty)
        };
        let said = interface(&self).contains(&false) || !self.settings.is_empty();
        let nothing = interface(other) == [true; 4] && other.settings.is_empty();
        if said || nothing {
            return self;
        }
        Self {
            settings: other.settings.clone(),
            environment: other.environment.clone(),
            input: other.input.clone(),
            output: other.output.clone(),
            internal: other.internal.clone(),
            lenient: true,
            ..self
        }
    }
}

impl ModelSource {
    /// A text with a name whose extension decides the language, read without options.
    pub fn of_text(name: impl Into<String>, text: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let format = ModelFormat::from_file_name(&name)?;
        Some(Self { name, format, text: text.into(), options: ReadOptions::default() })
    }

    /// The name without folder, `@` and extension: the name of a model without one of its own.
    /// Nothing for a text from standard input.
    pub fn stem(&self) -> Option<&str> {
        Self::stem_of(&self.name)
    }

    /// The same for a model that is given by this name.
    pub fn stem_of(name: &str) -> Option<&str> {
        if name == "-" {
            return None;
        }
        let path = name.strip_prefix('@').unwrap_or(name);
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        };
        (!stem.is_empty()).then_some(stem)
    }
}

/// Formats by their names.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use tioga_base::ModelFormat;

    pub fn serialize<S: Serializer>(format: &ModelFormat, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(format.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ModelFormat, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// Exact numbers as text, by name.
mod numbers {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer, de};
    use tioga_base::Rational;

    pub fn serialize<S: Serializer>(
        values: &BTreeMap<String, Rational>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(values.iter().map(|(name, value)| (name, value.to_string())))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<String, Rational>, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(from)?;
        let number = |(name, text): (String, String)| Ok((name, text.parse()?));
        let values: Result<_, tioga_base::ParseRationalError> =
            texts.into_iter().map(number).collect();
        values.map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_survives_being_written() {
        let mut source = ModelSource::of_text("a/light.xta", "chan a;").unwrap();
        source.options.settings.insert("N".to_owned(), "5/2".parse().unwrap());
        source.options.environment.push("E".to_owned());
        let text = serde_json::to_string(&source).unwrap();
        assert_eq!(serde_json::from_str::<ModelSource>(&text).unwrap(), source);
        assert!(text.contains("\"format\":\"xta\""), "{text}");
    }

    #[test]
    fn a_model_without_a_name_is_called_after_its_file() {
        let named = |name: &str| ModelSource {
            name: name.to_owned(),
            format: ModelFormat::Tioga,
            text: String::new(),
            options: ReadOptions::default(),
        };
        assert_eq!(named("a/b/light.tioga").stem(), Some("light"));
        assert_eq!(named("@light/dim").stem(), Some("dim"));
        assert_eq!(named("p.model").stem(), Some("p"));
        assert_eq!(named("-").stem(), None);
    }
}
