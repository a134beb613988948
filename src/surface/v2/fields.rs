//! A JSON object that is read key by key, so that every unknown key and every wrong type is named.

use serde::Serialize;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// How much of an unknown key is repeated in an answer, in characters.
const LONGEST_KEY: usize = 60;

/// An object of the request, and where in the body it stands.
pub(super) struct Fields {
    path: Vec<Value>,
    map: Map<String, Value>,
}

/// One thing that is wrong with a request: an entry of `details`.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Issue {
    /// Keys and indices from the body down to it.
    path: Vec<Value>,
    /// What is wrong, with the path in words.
    pub(super) message: String,
}

/// An element of an array, and where it stands.
pub(super) struct Item {
    path: Vec<Value>,
    value: Value,
}

// === impl Fields ===

impl Fields {
    /// The body itself.
    pub(super) fn of_body(value: Value) -> Result<Self, Issue> {
        Item { path: Vec::new(), value }.fields()
    }

    /// Takes a key out. `null` is as good as absent.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Takes out every key that begins with `prefix`.
    pub(super) fn take_prefixed(&mut self, prefix: &str) -> Vec<Value> {
        let keys: Vec<_> = self.map.keys().filter(|key| key.starts_with(prefix)).cloned().collect();
        keys.iter().filter_map(|key| self.take(key)).collect()
    }

    /// A boolean.
    pub(super) fn bool(&mut self, key: &str) -> Result<Option<bool>, Issue> {
        self.typed(key, "must be true or false", Value::as_bool)
    }

    /// A whole number within a range. `3.0` is one: the senders know no other numbers.
    pub(super) fn integer(&mut self, key: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Issue> {
        let wanted = match (*range.start(), *range.end()) {
            (start, u64::MAX) => format!("must be a whole number, at least {start}"),
            (start, end) => format!("must be a whole number from {start} to {end}"),
        };
        self.typed(key, &wanted, |value| whole(value).filter(|number| range.contains(number)))
    }

    /// A string.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, Issue> {
        self.typed(key, "must be a string", |value| value.as_str().map(str::to_owned))
    }

    /// One of some strings.
    pub(super) fn one_of(&mut self, key: &str, known: &[&'static str]) -> Result<Option<&'static str>, Issue> {
        self.typed(key, &format!("must be one of {}", known.join(", ")), |value| {
            known.iter().copied().find(|name| value.as_str() == Some(name))
        })
    }

    /// An array of strings; empty when absent.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, Issue> {
        let items = self.items(key)?.unwrap_or_default();
        items.into_iter().map(|item| item.text().ok_or_else(|| self.issue(key, "must hold strings only"))).collect()
    }

    /// An array.
    pub(super) fn items(&mut self, key: &str) -> Result<Option<Vec<Item>>, Issue> {
        let Some(values) = self.typed(key, "must be an array", |value| value.as_array().cloned())? else {
            return Ok(None);
        };
        let path = |index: usize| self.path.iter().cloned().chain([key.into(), index.into()]).collect();
        Ok(Some(values.into_iter().enumerate().map(|(index, value)| Item { path: path(index), value }).collect()))
    }

    /// An object within this one.
    pub(super) fn object(&mut self, key: &str) -> Result<Option<Self>, Issue> {
        let path = self.path.iter().cloned().chain([key.into()]).collect();
        self.take(key).map(|value| Item { path, value }.fields()).transpose()
    }

    /// What is left, for objects whose keys are the caller's own.
    pub(super) fn rest(self) -> Map<String, Value> {
        self.map
    }

    /// Refuses what nobody has taken.
    pub(super) fn end(self) -> Result<(), Issue> {
        if self.map.is_empty() {
            return Ok(());
        }
        let names: Vec<_> =
            self.map.keys().map(|key| format!("{:?}", key.chars().take(LONGEST_KEY).collect::<String>())).collect();
        let message = format!("unknown key in {}: {}", words(&self.path), names.join(", "));
        Err(Issue { path: self.path, message })
    }

    /// That something is wrong with a key.
    pub(super) fn issue(&self, key: &str, message: &str) -> Issue {
        Issue::at(self.path.iter().cloned().chain([key.into()]).collect(), message)
    }

    fn typed<T>(
        &mut self,
        key: &str,
        wanted: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Issue> {
        let Some(value) = self.take(key) else { return Ok(None) };
        read(&value).map(Some).ok_or_else(|| self.issue(key, wanted))
    }
}

// === impl Issue ===

impl Issue {
    fn at(path: Vec<Value>, message: &str) -> Self {
        let message = format!("{} {message}", words(&path));
        Self { path, message }
    }
}

// === impl Item ===

impl Item {
    /// Its text, if it is one.
    pub(super) fn text(&self) -> Option<String> {
        self.value.as_str().map(str::to_owned)
    }

    /// Its keys, if it is an object.
    pub(super) fn fields(self) -> Result<Fields, Issue> {
        match self.value {
            Value::Object(map) => Ok(Fields { path: self.path, map }),
            _ => Err(Issue::at(self.path, "must be an object")),
        }
    }

    /// A string, which stands for an object with nothing but a `type`, or that object.
    pub(super) fn typed_fields(self) -> Result<(String, Fields), Issue> {
        if let Some(name) = self.text() {
            return Ok((name, Fields { path: self.path, map: Map::new() }));
        }
        let mut fields = self.fields()?;
        let name = fields.text("type")?.ok_or_else(|| fields.issue("type", "is required"))?;
        Ok((name, fields))
    }
}

fn whole(value: &Value) -> Option<u64> {
    // The guard makes the cast exact: every whole number below 2^53 is one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let of_float = |number: f64| {
        (number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number)).then_some(number as u64)
    };
    value.as_u64().or_else(|| value.as_f64().and_then(of_float))
}

/// `formats[0].type`, or `body`.
fn words(path: &[Value]) -> String {
    let mut words = String::new();
    for step in path {
        match step {
            Value::String(key) if words.is_empty() => words.push_str(key),
            Value::String(key) => words.extend([".", key]),
            index => words.extend(["[", &index.to_string(), "]"]),
        }
    }
    if words.is_empty() { "body".to_owned() } else { words }
}
