//! `[[caller]]`: who may ask.

use super::{
    ConfigError,
    file::{File, small_text},
    keys::{CALLER_KEYS, nearest},
};
use sha2::{Digest, Sha256};
use sift_layers::{Class, auth::Known};
use std::{
    collections::HashSet,
    num::NonZeroU32,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 64;

/// Reads all callers of a file, and the files with tokens that it names.
pub(super) fn read(file: &File) -> Result<Vec<Known>, ConfigError> {
    let directory = file.path.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let (mut names, mut tokens) = (HashSet::new(), HashSet::new());
    let mut callers = Vec::with_capacity(file.callers.len());
    for (index, table) in file.callers.iter().enumerate() {
        let caller = Section { table, directory: &directory, number: index + 1 }.caller()?;
        let fault = if !names.insert(caller.name.clone()) {
            "another caller has the same name"
        } else if !tokens.insert(caller.token_sha256) {
            "another caller has the same token"
        } else {
            callers.push(caller);
            continue;
        };
        return Err(ConfigError::Caller { caller: caller.name, what: fault.to_owned() });
    }
    Ok(callers)
}

struct Section<'a> {
    table: &'a Table,
    directory: &'a Path,
    number: usize,
}

impl Section<'_> {
    fn caller(&self) -> Result<Known, ConfigError> {
        if let Some(unknown) = self.table.keys().find(|name| CALLER_KEYS.iter().all(|key| key.name != **name)) {
            let nearest = nearest(unknown, CALLER_KEYS.iter().map(|key| key.name));
            let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
            return Err(self.fault(format!("unknown key `{unknown}`{hint}")));
        }
        let name = self.table.get("name").and_then(Value::as_str).unwrap_or_default();
        let fits = |char: char| char.is_ascii_alphanumeric() || "._@-".contains(char);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(fits) {
            return Err(self.fault("`name` must be 1 to 64 letters, digits or any of `._@-`".to_owned()));
        }
        let class = self.table.get("class").and_then(Value::as_str);
        let class = Class::ALL.into_iter().find(|known| class == Some(known.as_str()));
        Ok(Known {
            name: name.to_owned(),
            class: class.ok_or_else(|| self.fault("`class` must be \"fleet\" or \"restricted\"".to_owned()))?,
            token_sha256: self.token()?,
            max_in_flight: self.count("max_in_flight")?,
            rate: self.count("rate")?,
        })
    }

    fn token(&self) -> Result<[u8; 32], ConfigError> {
        match (self.table.get("token_sha256"), self.table.get("token_file")) {
            (Some(digest), None) => digest.as_str().and_then(digest_of_hex).ok_or_else(|| {
                self.fault("`token_sha256` must be 64 hexadecimal digits: the SHA-256 of the token".to_owned())
            }),
            (None, Some(path)) => {
                let path = path.as_str().filter(|path| !path.is_empty()).map(PathBuf::from);
                let path = path.ok_or_else(|| self.fault("`token_file` must be a path".to_owned()))?;
                let token = small_text(&self.directory.join(&path));
                let token = token.map_err(|error| self.fault(format!("{} can't be read: {error}", path.display())))?;
                let token = token.trim_ascii();
                if token.is_empty() || token.contains(char::is_whitespace) {
                    return Err(self.fault(format!("{} must hold one token and nothing else", path.display())));
                }
                Ok(Sha256::digest(token).into())
            }
            _ => Err(self.fault("it needs one of `token_sha256` and `token_file`".to_owned())),
        }
    }

    fn count(&self, key: &str) -> Result<Option<NonZeroU32>, ConfigError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let number = value.as_integer().and_then(|number| NonZeroU32::new(u32::try_from(number).ok()?));
        number.map(Some).ok_or_else(|| self.fault(format!("`{key}` must be a whole number from 1 to {}", u32::MAX)))
    }

    fn fault(&self, what: String) -> ConfigError {
        let name = self.table.get("name").and_then(Value::as_str);
        let caller = name.map_or_else(|| format!("number {}", self.number), |name| format!("{name:?}"));
        ConfigError::Caller { caller, what }
    }
}

fn digest_of_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, digits) in digest.iter_mut().zip(0..32) {
        *byte = u8::from_str_radix(&text[2 * digits..2 * digits + 2], 16).ok()?;
    }
    Some(digest)
}
