//! Every key of the configuration, with its default and its meaning: what the program reads, `sift doctor` prints and
//! the documentation shows.

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The full name: section and key.
    pub name: &'static str,
    /// The default, as one would write it; for a few keys a sentence on where it comes from.
    pub default: &'static str,
    /// What it decides, in one line.
    pub meaning: &'static str,
}

/// All keys but those of `[[caller]]`, which are a list: [`CALLER_KEYS`].
pub const KEYS: &[Key] = &[
    key("server.listen", "127.0.0.1:8787", "address and port of the service; SIFT_LISTEN works, too"),
    key("server.max_requests", "256", "requests at once; the next is answered 503"),
    key("server.max_connections", "4096", "open connections; more wait to be accepted"),
    key("server.backstop", "240s", "the longest that any request may take"),
    key("server.drain", "70s", "what requests under way are given when the service is told to stop"),
    key("admin.listen", "127.0.0.1:8788", "address and port of /healthz, /readyz and /metrics"),
    key("egress.allow_private", "", "networks that may be fetched from although they are not public"),
    key("egress.allow_ports", "", "ports besides 80 and 443"),
    key("egress.allow_names", "", "host names that no public host has, such as `wiki.internal`"),
    key("egress.nat64_prefix", "", "the prefix under which this network reaches IPv4 hosts"),
    key("egress.allow_cookies", "false", "whether callers may send a Cookie header to a target"),
    key("egress.restricted.allow_private", AS_EGRESS, "the same for restricted callers"),
    key("egress.restricted.allow_ports", AS_EGRESS, "the same for restricted callers"),
    key("egress.restricted.allow_names", AS_EGRESS, "the same for restricted callers"),
    key("egress.restricted.nat64_prefix", AS_EGRESS, "the same for restricted callers"),
    key("pdf.slots", "2", "PDFs read at once"),
    key("pdf.places", "4", "PDFs that may wait for a slot; the next is answered 503"),
    key("pdf.patience", "20s", "how long one waits for a slot"),
    key("pdf.deadline", "60s", "the longest that reading one PDF may take"),
    key("pdf.child_memory", "384MiB", "memory of one reading process"),
    key(
        "pdf.sandbox",
        "best-effort",
        "`require`: read no PDF unless every fence stands; `best-effort`: Landlock may lack",
    ),
    key("pdf.max_pages", "2000", "pages read of one PDF"),
    key("limits.pdf_bytes", "100MiB", "the largest PDF"),
    key("limits.others_bytes", "5MiB", "the largest document of any other kind, decoded"),
    key("limits.pdf_read", "120s", "the longest download of a PDF"),
    key("limits.others_read", "30s", "the longest download of any other kind"),
    key("cache.dir", "sift in the user's cache directory", "where documents are kept; empty: in memory only"),
    key("cache.max_bytes", "1GiB", "size of the store on disk"),
    key("cache.hot_bytes", "128MiB", "size of the documents held in memory"),
    key("cache.ttl.pdf", "24h", "how long a PDF is fresh"),
    key("cache.ttl.html", "10m", "how long a page is fresh"),
    key("cache.ttl.json", "10m", "how long JSON is fresh"),
    key("cache.ttl.text", "10m", "how long plain text is fresh"),
    key("view.out_cap", "40000", "characters in one answer, unless the request says less or more"),
    key("view.ceiling", "400000", "the most characters that a request may ask for"),
    key(
        "telemetry.otlp_endpoint",
        "",
        "where spans are sent by OTLP over HTTP, such as http://127.0.0.1:4318; empty: nowhere",
    ),
    key("telemetry.level", "info", "of sift's own log lines: off, error, warn, info, debug or trace"),
    key("telemetry.format", "auto", "of log lines: json, text, or auto (text on a terminal)"),
];

/// The keys of one `[[caller]]`. They have no defaults, and none can be set by the environment.
pub const CALLER_KEYS: &[Key] = &[
    key("name", "", "its name on log lines; letters, digits and any of `._@-`"),
    key("class", "", "`fleet`, or `restricted`: whose reading leaves no trace outside its own partition"),
    key("token_sha256", "", "the SHA-256 of its token, in 64 hexadecimal digits"),
    key("token_file", "", "or a file with the token, relative to the configuration"),
    key("max_in_flight", "", "its requests at once; without: no limit of its own"),
    key("rate", "", "its requests per minute; without: no limit"),
];

const AS_EGRESS: &str = "as in [egress]";

const fn key(name: &'static str, default: &'static str, meaning: &'static str) -> Key {
    Key { name, default, meaning }
}

impl Key {
    /// The environment variables that override it, the first being the strongest.
    pub fn variables(&self) -> Vec<String> {
        let own = format!("SIFT_{}", self.name.replace('.', "_").to_ascii_uppercase());
        if self.name == "server.listen" { vec!["SIFT_LISTEN".to_owned(), own] } else { vec![own] }
    }
}

/// The one of `known` that looks most like `word`, if it looks like any.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words can't be near, and nobody's typing error makes the edit distance quadratic in much.
    let word: String = word.chars().take(64).collect();
    let distances = known.into_iter().map(|known| (strsim::levenshtein(&word, known), known));
    distances.min().filter(|(distance, known)| *distance <= known.len().div_ceil(3)).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        for (word, expected) in [
            ("pdf.slot", Some("pdf.slots")),
            ("pdf.slosts", Some("pdf.slots")),
            ("pdf.slots", Some("pdf.slots")),
            ("server.lisen", Some("server.listen")),
            ("zzzzzzzzzzzz", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, KEYS.iter().map(|key| key.name)), expected, "{word}");
        }
    }

    #[test]
    fn a_key_s_variable_is_its_name_in_capitals() {
        let variables = |name| KEYS.iter().find(|key| key.name == name).unwrap().variables();
        assert_eq!(variables("cache.ttl.pdf"), ["SIFT_CACHE_TTL_PDF"]);
        assert_eq!(variables("admin.listen"), ["SIFT_ADMIN_LISTEN"]);
        assert_eq!(variables("server.listen"), ["SIFT_LISTEN", "SIFT_SERVER_LISTEN"]);
    }
}
