//! The TOML file: found, read, and laid out flat by full key name.

use super::{
    ConfigError, Env,
    keys::{KEYS, nearest},
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// A configuration is read by people; one beyond this size is something else.
const LARGEST: u64 = 1 << 20;

/// A file, as far as it can be understood without its keys' meaning.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Where it lies. None when there is none.
    pub(super) path: Option<PathBuf>,
    /// The values by full key name. All names are known ones.
    pub(super) values: BTreeMap<String, Value>,
    /// The `[[caller]]` tables.
    pub(super) callers: Vec<Table>,
}

/// Reads the file that is asked for by `asked` or `SIFT_CONFIG`, which must be there; or the user's own, which may be.
pub(super) fn read(asked: Option<&Path>, env: Env<'_>) -> Result<File, ConfigError> {
    let asked =
        asked.map(Path::to_owned).or_else(|| env("SIFT_CONFIG").filter(|path| !path.is_empty()).map(Into::into));
    let must_exist = asked.is_some();
    let Some(path) = asked.or_else(|| Some(user_directory(env, "XDG_CONFIG_HOME", ".config")?.join("config.toml")))
    else {
        return Ok(File::default());
    };
    let text = match small_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => return Ok(File::default()),
        Err(error) => return Err(ConfigError::Unreadable { path, why: error.to_string() }),
    };
    let (values, callers) = parse(&path, &text)?;
    Ok(File { path: Some(path), values, callers })
}

/// `sift` within the directory that `variable` names, or within its place under the home directory.
pub(super) fn user_directory(env: Env<'_>, variable: &str, under_home: &str) -> Option<PathBuf> {
    // A relative path in these variables is to be ignored (XDG Base Directory Specification).
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute(variable).or_else(|| Some(absolute("HOME")?.join(under_home)))?;
    Some(base.join("sift"))
}

/// A file's text, if it is small. A directory, a device or a dump is an error, not a surprise.
pub(super) fn small_text(path: &Path) -> io::Result<String> {
    let about = fs::metadata(path)?;
    if about.len() > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 MiB"));
    }
    fs::read_to_string(path)
}

fn parse(path: &Path, text: &str) -> Result<(BTreeMap<String, Value>, Vec<Table>), ConfigError> {
    let mut table: Table = toml::from_str(text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        line: error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1),
        // The message alone: the whole error quotes the line, and that may hold a token.
        what: error.message().to_owned(),
    })?;
    let callers = match table.remove("caller") {
        None => Vec::new(),
        Some(Value::Array(callers)) => callers.into_iter().map(caller).collect::<Result<_, _>>()?,
        Some(other) => vec![caller(other)?],
    };
    Ok((flat(table)?, callers))
}

fn caller(value: Value) -> Result<Table, ConfigError> {
    match value {
        Value::Table(table) => Ok(table),
        _ => Err(ConfigError::Caller { caller: "?".to_owned(), what: "write it as a [[caller]] section".to_owned() }),
    }
}

/// Lays tables out as dotted names. A name that no key has or begins with is an error.
fn flat(table: Table) -> Result<BTreeMap<String, Value>, ConfigError> {
    let mut values = BTreeMap::new();
    let mut open = vec![(String::new(), table)];
    while let Some((prefix, table)) = open.pop() {
        for (name, value) in table {
            let name = format!("{prefix}{name}");
            let is_section =
                KEYS.iter().any(|key| key.name.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.')));
            match value {
                Value::Table(table) if is_section => open.push((format!("{name}."), table)),
                value if KEYS.iter().any(|key| key.name == name) => drop(values.insert(name, value)),
                _ => return Err(unknown(name)),
            }
        }
    }
    Ok(values)
}

fn unknown(name: String) -> ConfigError {
    let sections = KEYS.iter().filter_map(|key| Some(key.name.rsplit_once('.')?.0)).chain(["caller"]);
    let nearest =
        if name.contains('.') { nearest(&name, KEYS.iter().map(|key| key.name)) } else { nearest(&name, sections) };
    ConfigError::UnknownKey { nearest: nearest.map(str::to_owned), name }
}
