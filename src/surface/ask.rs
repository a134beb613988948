//! What callers may ask of a document, whatever the surface: one struct for `/v1/fetch` and the command line.

use super::{Rules, Wanted, headers, respond::Failure};
use crate::{config, search};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sift_handlers::{Password, Reading};
use sift_layers::{Caller, Error, Fetch, PageUrl, Terms};
use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

/// The body of `POST /v1/fetch`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ask {
    /// What to fetch: http or https.
    pub url: String,
    /// `clean`: the document's text; `raw`: the body as text, no extraction; `digest`: an answer to `question`.
    pub mode: Option<Mode>,
    /// A question for `digest`.
    pub question: Option<String>,
    /// Pages to show: `3`, `3-7`, `3-`, or a list of these. A PDF's own labels work, too: `iv-x`. A number is always a place in the document.
    pub pages: Option<String>,
    /// A pattern (`regex` syntax, at most 200 bytes) whose lines to show.
    pub grep: Option<String>,
    /// How many characters of the text to skip: the continuation of a cut answer.
    pub offset: Option<u64>,
    /// The most characters of content, at least 1,000.
    pub max_chars: Option<u32>,
    /// Words to search for.
    pub search: Option<String>,
    /// How many hits of a search, 10 by default.
    pub top_k: Option<u32>,
    /// The oldest cached copy accepted, in seconds; 0 asks the origin.
    pub max_age: Option<u64>,
    /// How long to wait, in seconds; only downwards from 30 (PDF: 120).
    pub timeout: Option<u64>,
    /// Opens an encrypted PDF.
    pub pdf_password: Option<String>,
    /// Read the pictures of scanned pages.
    pub ocr: Option<bool>,
    /// The language of the scan.
    pub ocr_lang: Option<String>,
    /// Request headers for the target.
    pub headers: Option<BTreeMap<String, String>>,
    /// HTML: the main content (default), or the whole cleaned body.
    pub main_only: Option<bool>,
    /// Add the document's links to the answer.
    pub links: Option<bool>,
}

/// How a document is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The document's text.
    Clean,
    /// An answer to a question.
    Digest,
    /// The body as text.
    Raw,
}

/// The longest any caller waits, in seconds.
const LONGEST_WAIT: u64 = 120;

impl Ask {
    /// Reads a request body. An unknown field is named, with the nearest known one.
    pub fn from_json(body: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(body).map_err(|_| Self::diagnose(body))
    }

    /// What is wrong with a body that is no request.
    fn diagnose(body: &[u8]) -> Failure {
        let bad = |message: &str, hint: &str| Failure::said(Error::BadRequest, message, hint);
        let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(body) else {
            return bad("invalid request", "the body must be a JSON object with a url");
        };
        let known = known_fields();
        if let Some(name) = fields.keys().find(|name| !known.contains(name)) {
            let near = config::nearest(name, known.iter().map(String::as_str));
            let hint = near.map_or_else(String::new, |near| format!("did you mean \"{near}\"?"));
            return bad(&format!("unknown field \"{}\"", shown(name)), &hint);
        }
        for (name, value) in fields {
            let alone = Map::from_iter([(name.clone(), value)]);
            if let Err(error) = serde_json::from_value::<Self>(Value::Object(alone)) {
                // serde's words quote the value: only the expectation behind them is ours to show.
                let words = error.to_string();
                let expected = words.rsplit_once("expected ").map_or("another type", |(_, expected)| expected);
                return bad(&format!("invalid {name}"), &format!("expected {expected}"));
            }
        }
        Error::BadRequest.into()
    }

    /// The fetch that this asks for.
    pub fn fetch(&self, caller: Caller, rules: &Rules) -> Result<Fetch, Failure> {
        if self.url.is_empty() {
            return Err(Failure::said(Error::BadUrl, "invalid url", "give the address as \"url\""));
        }
        let url = PageUrl::parse(&self.url)?;
        self.check_question()?;
        self.check_search()?;
        if self.ocr == Some(true) || self.ocr_lang.is_some() {
            return Err(Failure::said(Error::NotBuilt, "ocr is not built in this version", "ask without ocr"));
        }
        let reading = Reading {
            main_only: self.main_only.unwrap_or(true),
            raw: self.mode == Some(Mode::Raw),
            password: self.pdf_password.as_deref().map(Password::new),
            ..Reading::default()
        };
        let given = self.headers.iter().flatten().map(|(name, value)| (name, Some(value.as_str())));
        let headers = headers::read(given, rules.allow_cookies)
            .map_err(|wrong| Failure::said(Error::BadRequest, "invalid headers", format!("headers {wrong}")))?;
        let terms = Terms {
            reading: Arc::new(reading),
            max_age: self.max_age.map(Duration::from_secs),
            patience: self.timeout.map(|seconds| Duration::from_secs(seconds.clamp(1, LONGEST_WAIT))),
            headers,
            ..Terms::default()
        };
        Ok(Fetch { caller, url, terms: Arc::new(terms) })
    }

    /// A question stands alone, and has words; a digest has a question.
    fn check_question(&self) -> Result<(), Failure> {
        let bad = |hint: &str| Err(Failure::said(Error::BadRequest, "invalid question", hint));
        match &self.question {
            None if self.mode == Some(Mode::Digest) => bad("mode digest answers a question: give one"),
            Some(_) if !matches!(self.mode, None | Some(Mode::Digest)) => bad("question goes with mode digest"),
            Some(question) if question.trim().is_empty() => bad("give a question"),
            Some(question) if question.len() > search::MAX_QUERY => bad("a question has at most 1,000 bytes"),
            Some(_)
                if self.search.is_some() || self.grep.is_some() || self.offset.is_some() || self.pages.is_some() =>
            {
                bad("question goes without search, pages, grep and offset: it looks at the whole document")
            }
            _ => Ok(()),
        }
    }

    /// A search stands alone, and has words.
    fn check_search(&self) -> Result<(), Failure> {
        let bad = |hint: &str| Err(Failure::said(Error::BadRequest, "invalid search", hint));
        match &self.search {
            None if self.top_k.is_some() => bad("top_k goes with search"),
            Some(query) if query.trim().is_empty() => bad("give the words to search for"),
            Some(query) if query.len() > search::MAX_QUERY => bad("a search has at most 1,000 bytes"),
            Some(_) if self.grep.is_some() || self.offset.is_some() || self.pages.is_some() => {
                bad("search goes without pages, grep and offset: it looks at the whole document")
            }
            _ if self.top_k.is_some_and(|most| !(1..=search::MAX_TOP_K).contains(&(most as usize))) => {
                bad("top_k is 1 to 100")
            }
            _ => Ok(()),
        }
    }

    /// What is to be looked for, if anything is.
    pub fn wanted(&self) -> Option<Wanted> {
        let most = self.top_k.map_or(search::DEFAULT_TOP_K, |most| most as usize);
        let answer = self.question.clone().map(|question| Wanted::Answer { question });
        answer.or_else(|| self.search.clone().map(|query| Wanted::Hits { query, most }))
    }

    /// The view that this asks for.
    pub fn view(&self, rules: &Rules) -> crate::view::Options {
        let most = self.max_chars.map_or(rules.out_cap, |chars| (chars as usize).clamp(1_000, rules.out_ceiling));
        crate::view::Options {
            pages: self.pages.clone(),
            grep: self.grep.clone(),
            offset: self.offset,
            out_cap: most,
            pages_limit: None,
        }
    }
}

/// `Debug` is blind: the fields hold what a caller reads.
impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ask(..)")
    }
}

/// A name from a request as an error may show it: short, and without anything that isn't plain.
fn shown(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\')).take(40).collect()
}

fn known_fields() -> Vec<String> {
    let schema = schema_for!(Ask);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}
