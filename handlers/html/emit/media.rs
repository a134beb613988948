//! Embedded media, which become links.

use super::Addresses;
use crate::html::dom::{Dom, Id, Name};
use url::Url;

/// Hosts whose frames are content: a video, a talk, a recording.
const PLAYERS: [&str; 8] = [
    "youtube.com",
    "youtube-nocookie.com",
    "youtu.be",
    "vimeo.com",
    "dailymotion.com",
    "soundcloud.com",
    "spotify.com",
    "ted.com",
];

/// A link to a piece of media.
pub(super) struct Media {
    pub(super) address: String,
    /// Its title, or its address.
    pub(super) label: String,
}

/// Whether the element embeds something from elsewhere.
pub(super) fn is_media(name: Name) -> bool {
    matches!(name, Name::Iframe | Name::Embed | Name::Object | Name::Video | Name::Audio)
}

/// What an element embeds, if it is content.
pub(super) fn media(dom: &Dom, id: Id, addresses: &Addresses) -> Option<Media> {
    let source =
        || (id..dom.end(id)).filter(|id| dom.name(*id) == Name::Source).find_map(|source| dom.attr(source, "src"));
    let own = ["src", "data", "data-src"].into_iter().find_map(|name| dom.attr(id, name));
    let address = addresses.resolve_source(own.or_else(source)?)?;
    if !is_content(dom, id, &address) {
        return None;
    }
    let titles = ["title", "aria-label"].into_iter().filter_map(|name| dom.attr(id, name));
    let title = titles.map(str::trim).find(|title| !title.is_empty());
    let label = title.map_or_else(|| address.clone(), str::to_owned);
    Some(Media { address, label })
}

fn is_content(dom: &Dom, id: Id, address: &str) -> bool {
    let kind = dom.attr(id, "type").unwrap_or_default();
    if matches!(dom.name(id), Name::Video | Name::Audio) || kind == "application/pdf" || kind.starts_with("video/") {
        return true;
    }
    let Ok(url) = Url::parse(address) else { return false };
    let host = url.host_str().unwrap_or_default();
    let is_of = |player: &str| host.strip_suffix(player).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    url.path().to_ascii_lowercase().ends_with(".pdf") || PLAYERS.iter().any(|player| is_of(player))
}
