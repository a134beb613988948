//! Values from three sources, and the typed reading of them.

use super::{
    ConfigError, Env,
    file::File,
    keys::{KEYS, Key},
    units,
};
use std::{collections::BTreeMap, fmt, net::SocketAddr, ops::RangeInclusive, str::FromStr, time::Duration};
use toml::Value;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The file.
    File,
    /// This environment variable.
    Env(String),
}

/// A key as it holds in this process.
#[derive(Clone, Debug)]
pub struct Effective {
    /// The key.
    pub key: &'static Key,
    /// Its value, as written.
    pub value: String,
    /// Where the value came from.
    pub origin: Origin,
}

/// The value of every key, untyped.
#[derive(Debug)]
pub(super) struct Values(BTreeMap<&'static str, (Value, Origin)>);

// === impl Origin ===

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File => f.write_str("file"),
            Self::Env(name) => f.write_str(name),
        }
    }
}

// === impl Values ===

impl Values {
    /// The environment before the file, the file before the default.
    pub(super) fn new(mut file: File, env: Env<'_>) -> Self {
        let value = |key: &'static Key| {
            let from_env = key.variables().into_iter().find_map(|name| Some((env(&name)?, name)));
            let value = match (from_env, file.values.remove(key.name)) {
                (Some((text, name)), _) => (Value::String(text), Origin::Env(name)),
                (None, Some(value)) => (value, Origin::File),
                (None, None) => (Value::String(key.default.to_owned()), Origin::Default),
            };
            (key.name, value)
        };
        Self(KEYS.iter().map(value).collect())
    }

    /// All of them, in the order of the table.
    pub(super) fn effective(&self) -> Vec<Effective> {
        let effective = |key: &'static Key| {
            let (value, origin) = self.0.get(key.name)?;
            Some(Effective { key, value: shown(value), origin: origin.clone() })
        };
        KEYS.iter().filter_map(effective).collect()
    }

    /// Whether somebody set it.
    pub(super) fn is_given(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|(_, origin)| *origin != Origin::Default)
    }

    pub(super) fn text(&self, key: &str) -> Result<String, ConfigError> {
        self.read(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        self.read(key, "true or false", |value| value.as_bool().or_else(|| value.as_str()?.parse().ok()))
    }

    pub(super) fn socket(&self, key: &str) -> Result<SocketAddr, ConfigError> {
        self.parsed(key, "an IP address and a port, such as 127.0.0.1:8787")
    }

    pub(super) fn parsed<T: FromStr>(&self, key: &str, expected: &str) -> Result<T, ConfigError> {
        self.read(key, expected, |value| value.as_str()?.trim().parse().ok())
    }

    /// None when it is empty.
    pub(super) fn optional<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        self.read(key, expected, |value| match value.as_str()?.trim() {
            "" => Some(None),
            text => parse(text).map(Some),
        })
    }

    pub(super) fn number<T: TryFrom<u64>>(&self, key: &str, range: RangeInclusive<u64>) -> Result<T, ConfigError> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &expected, |value| {
            let number = whole(value).or_else(|| value.as_str()?.trim().parse().ok())?;
            T::try_from(number).ok().filter(|_| range.contains(&number))
        })
    }

    pub(super) fn duration(&self, key: &str, range: RangeInclusive<Duration>) -> Result<Duration, ConfigError> {
        let (least, most) = (units::show_duration(*range.start()), units::show_duration(*range.end()));
        let expected = format!("a duration such as 20s, 10m or 24h, from {least} to {most}");
        self.read(key, &expected, |value| {
            let duration = whole(value).map(Duration::from_secs).or_else(|| units::duration(value.as_str()?))?;
            Some(duration).filter(|duration| range.contains(duration))
        })
    }

    pub(super) fn size(&self, key: &str, range: RangeInclusive<u64>) -> Result<u64, ConfigError> {
        let (least, most) = (units::show_size(*range.start()), units::show_size(*range.end()));
        let expected = format!("a size such as 64KiB, 5MB or 1GiB, from {least} to {most}");
        self.read(key, &expected, |value| {
            whole(value).or_else(|| units::size(value.as_str()?)).filter(|size| range.contains(size))
        })
    }

    pub(super) fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, ConfigError> {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        self.read(key, &format!("one of: {}", names.join(", ")), |value| {
            let text = value.as_str()?.trim();
            choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice)
        })
    }

    /// A list, or a text with commas.
    pub(super) fn list<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ConfigError> {
        self.read(key, expected, |value| match value {
            Value::Array(items) => items.iter().map(|item| parse(&scalar(item))).collect(),
            Value::String(text) => text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(&parse).collect(),
            _ => None,
        })
    }

    fn read<T>(&self, key: &str, expected: &str, parse: impl FnOnce(&Value) -> Option<T>) -> Result<T, ConfigError> {
        let (value, origin) =
            self.0.get(key).ok_or_else(|| ConfigError::UnknownKey { name: key.to_owned(), nearest: None })?;
        parse(value).ok_or_else(|| ConfigError::Value {
            key: key.to_owned(),
            value: format!("{:?}", shown(value)),
            origin: origin.to_string(),
            expected: expected.to_owned(),
        })
    }
}

fn whole(value: &Value) -> Option<u64> {
    value.as_integer().and_then(|number| u64::try_from(number).ok())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<_>>().join(", "),
        other => scalar(other),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Datetime(time) => time.to_string(),
        Value::Array(_) => "[…]".to_owned(),
        Value::Table(_) => "{…}".to_owned(),
    }
}
