//! The sections of the configuration: their types, and what each of their keys may be.

use super::{ConfigError, Env, file, values::Values};
use ipnet::{IpNet, Ipv6Net};
use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};
use tracing::level_filters::LevelFilter;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_hours(1);
const YEAR: Duration = Duration::from_hours(24 * 365);

/// `[server]`
#[derive(Clone, Debug)]
pub struct Server {
    /// Where the service listens.
    pub listen: SocketAddr,
    /// Requests at once.
    pub max_requests: usize,
    /// Connections at once.
    pub max_connections: usize,
    /// The longest that any request may take.
    pub backstop: Duration,
    /// What requests under way are given at the end.
    pub drain: Duration,
}

/// `[admin]`
#[derive(Clone, Debug)]
pub struct Admin {
    /// Where health and metrics are served.
    pub listen: SocketAddr,
}

/// `[egress]`, by the caller's class.
#[derive(Clone, Debug)]
pub struct Egress {
    /// For fleet callers.
    pub fleet: Reach,
    /// For restricted callers: each key of `[egress.restricted]`, or else that of `[egress]`.
    pub restricted: Reach,
    /// Whether callers may send a `Cookie` header to a target.
    pub allow_cookies: bool,
}

/// What may be fetched from besides the public web.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Networks that are not public.
    pub allow_private: Vec<IpNet>,
    /// Ports besides 80 and 443.
    pub allow_ports: Vec<u16>,
    /// Names that no public host has.
    pub allow_names: Vec<String>,
    /// The prefix under which IPv4 hosts are reached.
    pub nat64_prefix: Option<Ipv6Net>,
}

/// `[pdf]`
#[derive(Clone, Debug)]
pub struct Pdf {
    /// PDFs read at once.
    pub slots: usize,
    /// PDFs that wait.
    pub places: usize,
    /// How long one waits.
    pub patience: Duration,
    /// The longest reading.
    pub deadline: Duration,
    /// Memory of one child, in bytes.
    pub child_memory: u64,
    /// How strict the sandbox is.
    pub sandbox: Sandbox,
    /// Pages read of one PDF.
    pub max_pages: u32,
}

/// How strict the sandbox is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sandbox {
    /// The system-call filter must stand; the rest as the kernel can.
    BestEffort,
    /// Every fence must stand.
    Require,
}

/// `[limits]`
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest PDF, in bytes.
    pub pdf_bytes: u64,
    /// The largest document of any other kind, in bytes, decoded.
    pub others_bytes: u64,
    /// The longest download of a PDF.
    pub pdf_read: Duration,
    /// The longest download of any other kind.
    pub others_read: Duration,
}

/// `[cache]`
#[derive(Clone, Debug)]
pub struct Cache {
    /// Where documents are kept; none: in memory only.
    pub dir: Option<PathBuf>,
    /// Size of the store, in bytes.
    pub max_bytes: u64,
    /// Size of the part in memory, in bytes.
    pub hot_bytes: u64,
    /// How long each kind is fresh.
    pub ttl: Ttl,
}

/// `[cache.ttl]`: how long each kind is fresh.
#[derive(Clone, Debug)]
pub struct Ttl {
    /// PDFs.
    pub pdf: Duration,
    /// Pages.
    pub html: Duration,
    /// JSON.
    pub json: Duration,
    /// Plain text and the like.
    pub text: Duration,
}

/// `[view]`
#[derive(Clone, Debug)]
pub struct View {
    /// Characters in one answer by default.
    pub out_cap: usize,
    /// The most that a request may ask for.
    pub ceiling: usize,
}

/// `[telemetry]`
#[derive(Clone, Debug)]
pub struct Telemetry {
    /// Where spans are sent; none: nowhere.
    pub otlp_endpoint: Option<String>,
    /// The level of sift's own lines.
    pub level: LevelFilter,
    /// How lines are written.
    pub format: LogFormat,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people on a terminal, JSON elsewhere.
    Auto,
    /// One JSON object a line.
    Json,
    /// For people.
    Text,
}

// === impl Server ===

impl Server {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        Ok(Self {
            listen: values.socket("server.listen")?,
            max_requests: values.number("server.max_requests", 1..=100_000)?,
            max_connections: values.number("server.max_connections", 1..=1_000_000)?,
            backstop: values.duration("server.backstop", SECOND..=HOUR)?,
            drain: values.duration("server.drain", Duration::ZERO..=HOUR)?,
        })
    }
}

// === impl Egress ===

impl Egress {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        Ok(Self {
            fleet: Reach::new(values, "")?,
            restricted: Reach::new(values, "restricted.")?,
            allow_cookies: values.flag("egress.allow_cookies")?,
        })
    }
}

// === impl Reach ===

impl Reach {
    fn new(values: &Values, section: &str) -> Result<Self, ConfigError> {
        let key = |name: &str| {
            let own = format!("egress.{section}{name}");
            if section.is_empty() || values.is_given(&own) { own } else { format!("egress.{name}") }
        };
        let network = |text: &str| text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).ok();
        let name = |text: &str| Some(text.trim_end_matches('.').to_ascii_lowercase()).filter(|name| !name.is_empty());
        let prefix = |text: &str| {
            let prefix = text.parse().ok();
            prefix.filter(|prefix: &Ipv6Net| matches!(prefix.prefix_len(), 32 | 40 | 48 | 56 | 64 | 96))
        };
        Ok(Self {
            allow_private: values.list(
                &key("allow_private"),
                "a list of networks, such as [\"10.0.0.0/8\", \"127.0.0.1\"]",
                network,
            )?,
            allow_ports: values.list(&key("allow_ports"), "a list of ports, such as [8080, 8443]", |text| {
                text.parse().ok().filter(|port| *port != 0)
            })?,
            allow_names: values.list(&key("allow_names"), "a list of host names", name)?,
            nat64_prefix: values.optional(
                &key("nat64_prefix"),
                "an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits, such as 64:ff9b::/96",
                prefix,
            )?,
        })
    }
}

// === impl Pdf ===

impl Pdf {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        let sandbox = [("best-effort", Sandbox::BestEffort), ("require", Sandbox::Require)];
        Ok(Self {
            slots: values.number("pdf.slots", 1..=256)?,
            places: values.number("pdf.places", 0..=10_000)?,
            patience: values.duration("pdf.patience", Duration::ZERO..=HOUR)?,
            deadline: values.duration("pdf.deadline", SECOND..=HOUR)?,
            child_memory: values.size("pdf.child_memory", 64 << 20..=1 << 40)?,
            sandbox: values.choice("pdf.sandbox", &sandbox)?,
            max_pages: values.number("pdf.max_pages", 1..=1_000_000)?,
        })
    }
}

// === impl Limits ===

impl Limits {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        Ok(Self {
            pdf_bytes: values.size("limits.pdf_bytes", 1 << 10..=1 << 32)?,
            others_bytes: values.size("limits.others_bytes", 1 << 10..=1 << 30)?,
            pdf_read: values.duration("limits.pdf_read", SECOND..=HOUR)?,
            others_read: values.duration("limits.others_read", SECOND..=HOUR)?,
        })
    }
}

// === impl Cache ===

impl Cache {
    pub(super) fn new(values: &Values, env: Env<'_>) -> Result<Self, ConfigError> {
        let ttl = |key| values.duration(key, Duration::ZERO..=YEAR);
        Ok(Self {
            dir: cache_directory(values, env)?,
            max_bytes: values.size("cache.max_bytes", 1 << 20..=1 << 50)?,
            hot_bytes: values.size("cache.hot_bytes", 0..=1 << 40)?,
            ttl: Ttl {
                pdf: ttl("cache.ttl.pdf")?,
                html: ttl("cache.ttl.html")?,
                json: ttl("cache.ttl.json")?,
                text: ttl("cache.ttl.text")?,
            },
        })
    }
}

// === impl View ===

impl View {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        let ceiling = values.number("view.ceiling", 1000..=100_000_000)?;
        // An answer can't be longer by default than on request.
        Ok(Self {
            out_cap: values.number("view.out_cap", 1000..=ceiling)?,
            ceiling: usize::try_from(ceiling).unwrap_or(usize::MAX),
        })
    }
}

// === impl Telemetry ===

impl Telemetry {
    pub(super) fn new(values: &Values) -> Result<Self, ConfigError> {
        let is_web = |url: &url::Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        let endpoint = |text: &str| url::Url::parse(text).ok().filter(is_web).map(|_| text.to_owned());
        let level = [
            ("off", LevelFilter::OFF),
            ("error", LevelFilter::ERROR),
            ("warn", LevelFilter::WARN),
            ("info", LevelFilter::INFO),
            ("debug", LevelFilter::DEBUG),
            ("trace", LevelFilter::TRACE),
        ];
        let format = [("auto", LogFormat::Auto), ("json", LogFormat::Json), ("text", LogFormat::Text)];
        Ok(Self {
            otlp_endpoint: values.optional("telemetry.otlp_endpoint", "an http or https address", endpoint)?,
            level: values.choice("telemetry.level", &level)?,
            format: values.choice("telemetry.format", &format)?,
        })
    }
}

/// A directory that was asked for, or the user's own. Without a home, documents are kept in memory.
fn cache_directory(values: &Values, env: Env<'_>) -> Result<Option<PathBuf>, ConfigError> {
    if !values.is_given("cache.dir") {
        return Ok(file::user_directory(env, "XDG_CACHE_HOME", ".cache"));
    }
    Ok(Some(values.text("cache.dir")?).filter(|directory| !directory.is_empty()).map(PathBuf::from))
}
