//! The body of `POST /v2/scrape`: every key of Firecrawl's v2 contract, and none besides.

use super::{
    errors::Failure,
    fields::{Fields, Issue},
    formats::Formats,
};
use crate::surface::{Rules, headers};
use http::header;
use serde_json::Value;
use sift_handlers::Reading;
use sift_layers::{PageUrl, Terms};
use std::{sync::Arc, time::Duration};

/// How long a caller waits that doesn't say: below the 60 seconds after which its own client gives up on us.
const PATIENCE: Duration = Duration::from_secs(45);
/// The longest wait that a request gets.
const LONGEST_PATIENCE: Duration = Duration::from_mins(3);
/// The longest `waitFor`, in milliseconds.
const LONGEST_WAIT: u64 = 60_000;

/// Options that change what a caller is promised, so that ignoring them would be a lie. Accepted while they are off.
const REFUSED: [&str; 10] = [
    "auditMetadata",
    "checkPromptInjection",
    "domainTools",
    "notifyOnCompletion",
    "profile",
    "redactPII",
    "safeMode",
    "threatProtection",
    "toolDetail",
    "useMock",
];

/// A request, checked.
pub(super) struct Scrape {
    /// The address as sent, with its scheme.
    pub(super) asked: String,
    /// The address.
    pub(super) url: PageUrl,
    /// How it is fetched and read.
    pub(super) terms: Arc<Terms>,
    /// What the answer holds.
    pub(super) formats: Formats,
    /// How a paginated document is shown.
    pub(super) pdf: PdfOptions,
    /// Whether pictures inside the Markdown make room for a word.
    pub(super) remove_base64_images: bool,
    /// A copy younger than this is none.
    pub(super) min_age: Option<Duration>,
    /// Whether the cache alone may answer, by the name that has its own error.
    pub(super) lockdown: bool,
    /// What the caller has to know of its own request.
    pub(super) warnings: Vec<String>,
}

/// The `pdf` entry of `parsers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PdfOptions {
    /// Only the first pages.
    pub(super) max_pages: Option<u32>,
    /// Fills `data.pages`.
    pub(super) pages: bool,
    /// Firecrawl's own marks between pages.
    pub(super) page_markers: bool,
    /// `parsers` without `pdf`, which asks for the file itself.
    pub(super) unparsed: bool,
}

// === impl Scrape ===

impl Scrape {
    /// Reads a body.
    pub(super) fn parse(body: &[u8], rules: &Rules) -> Result<Self, Failure> {
        let body: Value = serde_json::from_slice(body).map_err(|_| Failure::invalid_json())?;
        let mut fields = Fields::of_body(body)?;
        refuse(&mut fields)?;
        let asked = fields.text("url")?.ok_or_else(|| fields.issue("url", "is required"))?;
        let asked = with_scheme(asked.trim());
        let mut warnings = Vec::new();
        let (formats, pdf) = (Formats::take(&mut fields)?, PdfOptions::take(&mut fields, &mut warnings)?);
        if !formats.left_out.is_empty() {
            warnings.push(format!("formats left out, since sift does not serve them: {}", formats.left_out.join(", ")));
        }
        let reading = reading(&mut fields, &formats)?;
        let patience = patience(&mut fields)?;
        let headers = headers(&mut fields, rules)?;
        let (min_age, lockdown) = (milliseconds(&mut fields, "minAge")?, fields.bool("lockdown")?.unwrap_or_default());
        // Lockdown takes a copy of any age.
        let max_age = milliseconds(&mut fields, "maxAge")?.filter(|_| !lockdown);
        let keep = fields.bool("storeInCache")?.unwrap_or(true);
        let remove_base64_images = fields.bool("removeBase64Images")?.unwrap_or(true);
        let no_trace = fields.bool("zeroDataRetention")?.unwrap_or_default();
        accept(&mut fields)?;
        fields.end()?;
        let url = PageUrl::parse(&asked).map_err(Failure::from)?;
        let terms = Terms {
            reading: Arc::new(reading),
            max_age,
            cache_only: lockdown || min_age.is_some(),
            no_store: !keep || no_trace || lockdown,
            patience: Some(patience),
            headers,
        };
        let terms = Arc::new(terms);
        Ok(Self { asked, url, terms, formats, pdf, remove_base64_images, min_age, lockdown, warnings })
    }
}

/// Options that can't be honoured and must not be ignored.
fn refuse(fields: &mut Fields) -> Result<(), Failure> {
    if fields.items("actions")?.is_some_and(|actions| !actions.is_empty()) {
        return Err(Failure::actions());
    }
    for key in REFUSED {
        if fields.take(key).is_some_and(|value| is_on(&value)) {
            return Err(fields.issue(key, "is not supported by sift").into());
        }
    }
    if fields.take_prefixed("__").iter().any(is_on) {
        return Err(fields.issue("__*", "is not supported by sift").into());
    }
    Ok(())
}

/// Options that mean nothing to a fetch without a browser and a proxy: checked, and then ignored. That goes for
/// `skipTlsVerification` above all: SDKs send it unasked.
fn accept(fields: &mut Fields) -> Result<(), Issue> {
    for key in ["onlyCleanContent", "mobile", "fastMode", "blockAds", "skipTlsVerification"] {
        fields.bool(key)?;
    }
    for key in ["integration", "origin"] {
        fields.text(key)?;
    }
    fields.one_of("proxy", &["basic", "stealth", "enhanced", "auto"])?;
    Ok(())
}

fn reading(fields: &mut Fields, formats: &Formats) -> Result<Reading, Issue> {
    Ok(Reading {
        main_only: fields.bool("onlyMainContent")?.unwrap_or(true),
        include: fields.texts("includeTags")?,
        exclude: fields.texts("excludeTags")?,
        keep_sources: formats.need_sources(),
        ..Reading::default()
    })
}

/// `timeout`, and `waitFor` against it. Nothing on a page moves without a browser, so nobody sleeps.
fn patience(fields: &mut Fields) -> Result<Duration, Issue> {
    let timeout = fields.integer("timeout", 1000..=u64::MAX)?;
    let wait = fields.integer("waitFor", 0..=LONGEST_WAIT)?.unwrap_or_default();
    if timeout.is_some_and(|timeout| wait > timeout / 2) {
        return Err(fields.issue("waitFor", "must not exceed half of timeout"));
    }
    Ok(timeout.map_or(PATIENCE, Duration::from_millis).min(LONGEST_PATIENCE))
}

fn headers(fields: &mut Fields, rules: &Rules) -> Result<http::HeaderMap, Issue> {
    let own = fields.object("headers")?.map(Fields::rest).unwrap_or_default();
    let mut headers = headers::read(own.iter().map(|(name, value)| (name, value.as_str())), rules.allow_cookies)
        .map_err(|wrong| fields.issue("headers", &wrong))?;
    // Not strict: Firecrawl takes other keys here, too.
    let Some(mut location) = fields.object("location")? else { return Ok(headers) };
    location.text("country")?;
    let languages = location.texts("languages")?;
    let language = headers::accept_language(&languages).map_err(|wrong| location.issue("languages", wrong))?;
    if let Some(language) = language.filter(|_| !headers.contains_key(header::ACCEPT_LANGUAGE)) {
        headers.insert(header::ACCEPT_LANGUAGE, language);
    }
    Ok(headers)
}

fn milliseconds(fields: &mut Fields, key: &str) -> Result<Option<Duration>, Issue> {
    Ok(fields.integer(key, 0..=u64::MAX)?.map(Duration::from_millis))
}

/// Puts `http://` before an address without a scheme.
fn with_scheme(address: &str) -> String {
    let is_scheme = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    match address.split_once("://") {
        Some((scheme, _)) if is_scheme(scheme) => address.to_owned(),
        _ => format!("http://{}", address.trim_start_matches("//")),
    }
}

/// Whether an option is switched on, as JavaScript sees it.
fn is_on(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Bool(true) | Value::Array(_) | Value::Object(_) => true,
    }
}

// === impl PdfOptions ===

impl PdfOptions {
    fn take(fields: &mut Fields, warnings: &mut Vec<String>) -> Result<Self, Issue> {
        let mut options = Self::default();
        let Some(items) = fields.items("parsers")? else { return Ok(options) };
        options.unparsed = true;
        for item in items {
            let (name, mut own) = item.typed_fields()?;
            match name.as_str() {
                "pdf" => options.read(&mut own, warnings)?,
                "image" => {}
                _ => return Err(own.issue("type", "must be one of pdf, image")),
            }
            own.end()?;
        }
        Ok(options)
    }

    fn read(&mut self, own: &mut Fields, warnings: &mut Vec<String>) -> Result<(), Issue> {
        if own.one_of("mode", &["fast", "auto", "ocr"])? == Some("ocr") {
            warnings.push("mode ocr is not supported: a PDF's own text layer is read".to_owned());
        }
        if own.bool("blocks")? == Some(true) {
            warnings.push("blocks is not supported and was left out".to_owned());
        }
        let most = own.integer("maxPages", 1..=10_000)?;
        self.max_pages = most.and_then(|most| u32::try_from(most).ok());
        // `pageMarkdown` is the older name.
        let (pages, older) = (own.bool("pages")?, own.bool("pageMarkdown")?);
        self.pages = pages.or(older).unwrap_or_default();
        self.page_markers = own.bool("pageMarkers")?.unwrap_or_default();
        self.unparsed = false;
        Ok(())
    }
}
