//! Absolute addresses.

use crate::html::dom::{Dom, Name};
use url::Url;

/// What the addresses of a page are resolved by.
pub(crate) struct Addresses {
    /// The document's address, changed by `<base>`.
    pub(crate) base: Option<Url>,
    /// The document's own address: a fragment is a place in it, whatever `<base>` says of other links.
    pub(crate) document: Option<Url>,
}

/// Schemes that lead a reader somewhere.
const SCHEMES: [&str; 5] = ["http", "https", "mailto", "tel", "ftp"];

// === impl Addresses ===

impl Addresses {
    /// Those of a page that was found at an address.
    pub(crate) fn of(dom: &Dom, document: Option<Url>) -> Self {
        let mut bases = (dom.root()..dom.end(dom.root())).filter(|id| dom.name(*id) == Name::Base);
        let declared = bases.find_map(|id| dom.attr(id, "href"));
        let base = match (&document, declared) {
            (Some(document), Some(href)) => document.join(href.trim()).ok(),
            (None, Some(href)) => Url::parse(href.trim()).ok(),
            (_, None) => None,
        };
        // A base that isn't an address of the web (`data:`, `file:`) would make nonsense of every link.
        let base = base.filter(|base| matches!(base.scheme(), "http" | "https")).or_else(|| document.clone());
        Self { base, document }
    }

    /// The absolute form of an address. None when it leads nowhere: scripts, inlined data, the page itself, and without a base all that
    /// isn't absolute.
    pub(crate) fn resolve(&self, href: &str) -> Option<String> {
        let href = href.trim();
        // Where a script waits for a click.
        if matches!(href, "" | "#" | "#!") {
            return None;
        }
        let cleaned: String;
        let href = if href.contains(['\n', '\r', '\t']) {
            cleaned = href.replace(['\n', '\r', '\t'], "");
            &cleaned
        } else {
            href
        };
        let url = match &self.base {
            Some(base) if href.starts_with('#') => self.document.as_ref().unwrap_or(base).join(href),
            Some(base) => base.join(href),
            None => Url::parse(href),
        };
        let url = url.ok()?;
        SCHEMES.contains(&url.scheme()).then(|| String::from(url))
    }

    /// The same for what is loaded: only addresses of the web.
    pub(super) fn resolve_source(&self, source: &str) -> Option<String> {
        self.resolve(source).filter(|address| address.starts_with("http"))
    }

    /// Whether a link leads to a place in the page itself.
    pub(super) fn is_own_fragment(&self, href: &str) -> bool {
        let href = href.trim();
        let (page, fragment) = href.split_once('#').unwrap_or((href, ""));
        !fragment.is_empty()
            && (page.is_empty()
                || self.document.as_ref().is_some_and(|own| {
                    own.join(page).is_ok_and(|url| url.path() == own.path() && url.host_str() == own.host_str())
                }))
    }
}
