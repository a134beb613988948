//! When a page was published and changed.

use super::{
    super::dom::{Id, Name},
    Found, Places, json_ld, line_of,
};

/// Tags that date a page.
const TAGS: [&str; 14] = [
    "datePublished",
    "date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "article.published",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "citation_publication_date",
    "parsely-pub-date",
    "sailthru.date",
];

/// Words of classes of elements that hold the date.
const NAMES: [&str; 7] = ["date", "published", "publish", "posted", "time", "timestamp", "dateline"];

/// The longest text that is taken for a date and what stands before it, in characters.
const MAX_CHARS: usize = 60;

/// The first three letters of the months, or more where languages differ by more.
const MONTHS: [(&str, u32); 61] = [
    ("jan", 1),
    ("ene", 1),
    ("gen", 1),
    ("янв", 1),
    ("feb", 2),
    ("fév", 2),
    ("fev", 2),
    ("фев", 2),
    ("mar", 3),
    ("mär", 3),
    ("maa", 3),
    ("mrz", 3),
    ("мар", 3),
    ("apr", 4),
    ("abr", 4),
    ("avr", 4),
    ("апр", 4),
    ("may", 5),
    ("mai", 5),
    ("mag", 5),
    ("mei", 5),
    ("maj", 5),
    ("мая", 5),
    ("май", 5),
    ("jun", 6),
    ("juin", 6),
    ("giu", 6),
    ("июн", 6),
    ("jul", 7),
    ("juil", 7),
    ("lug", 7),
    ("июл", 7),
    ("aug", 8),
    ("ago", 8),
    ("aoû", 8),
    ("aou", 8),
    ("авг", 8),
    ("sep", 9),
    ("set", 9),
    ("сен", 9),
    ("oct", 10),
    ("okt", 10),
    ("out", 10),
    ("ott", 10),
    ("окт", 10),
    ("nov", 11),
    ("ноя", 11),
    ("dec", 12),
    ("dez", 12),
    ("dic", 12),
    ("déc", 12),
    ("дек", 12),
    ("led", 1),
    ("úno", 2),
    ("bře", 3),
    ("dub", 4),
    ("kvě", 5),
    ("srp", 8),
    ("zář", 9),
    ("říj", 10),
    ("pro", 12),
];

/// JSON-LD, tags, `<time>`, the address, and what a reader sees.
pub(super) fn published(places: &Places<'_>) -> Option<Found> {
    let dated = |value: Option<String>, source| Found::new(value.and_then(|value| iso(&value)), source);
    dated(json_ld::first(places.json_ld, &["datePublished", "dateCreated", "uploadDate"]), "json-ld")
        .or_else(|| dated(places.tags.og("article:published_time"), "og"))
        .or_else(|| dated(places.tags.named(&TAGS), "meta"))
        .or_else(|| dated(marked(places), "time"))
        .or_else(|| Found::new(places.address.and_then(|address| in_path(address.path())), "url"))
        .or_else(|| Found::new(visible(places), "text"))
}

pub(super) fn modified(places: &Places<'_>) -> Option<Found> {
    let dated = |value: Option<String>, source| Found::new(value.and_then(|value| iso(&value)), source);
    dated(json_ld::first(places.json_ld, &["dateModified"]), "json-ld")
        .or_else(|| dated(places.tags.og("article:modified_time").or_else(|| places.tags.og("updated_time")), "og"))
        .or_else(|| dated(places.tags.named(&["dateModified", "last-modified", "dcterms.modified", "revised"]), "meta"))
}

/// The first `<time>`, or what is marked as the date of publication.
fn marked(places: &Places<'_>) -> Option<String> {
    let dom = places.dom;
    let all = || dom.body()..dom.end(dom.body());
    let value = |id: Id| {
        ["datetime", "content", "title"]
            .into_iter()
            .filter_map(|name| dom.attr(id, name))
            .find(|value| iso(value).is_some())
    };
    let is_published = |id: &Id| {
        dom.attr(*id, "pubdate").is_some()
            || dom.attr(*id, "itemprop").is_some_and(|prop| prop.eq_ignore_ascii_case("datePublished"))
    };
    let published =
        all().filter(is_published).find_map(|id| value(id).map(str::to_owned).or_else(|| iso(&line_of(dom, id))));
    published.or_else(|| all().filter(|id| dom.name(*id) == Name::Time).find_map(|id| value(id).map(str::to_owned)))
}

/// A date that an element shows whose class says so, or that stands alone beside the heading.
fn visible(places: &Places<'_>) -> Option<String> {
    let dom = places.dom;
    let is_dated = |id: &Id| {
        dom.name(*id) != Name::Text
            && (dom.name(*id) == Name::Time
                || dom
                    .class(*id)
                    .split(|sign: char| !sign.is_ascii_alphanumeric())
                    .any(|word| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))))
    };
    let shown = |id: Id| {
        let text = if dom.end(id) - id < 30 { line_of(dom, id) } else { String::new() };
        (text.chars().count() <= MAX_CHARS).then(|| in_text(&text)).flatten()
    };
    let by_class = (dom.body()..dom.end(dom.body())).filter(is_dated).find_map(shown);
    by_class.or_else(|| {
        let (heading, _) = places.heading.as_ref()?;
        let from = heading.saturating_sub(40).max(dom.body());
        let to = dom.end(*heading).saturating_add(80).min(dom.end(dom.body()));
        (from..to).map(|id| dom.text(id).trim()).filter(|text| text.len() <= MAX_CHARS).find_map(in_text)
    })
}

/// A date as ISO 8601: as it is when it begins so, else the day.
fn iso(text: &str) -> Option<String> {
    let text = text.trim();
    let is_iso = text.get(..10).is_some_and(|day| {
        day.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
    });
    if is_iso && day(number(text.get(..4)?)?, number(text.get(5..7)?)?, number(text.get(8..10)?)?).is_some() {
        return Some(text.to_owned());
    }
    in_text(text)
}

/// The first date in a text, in any of the common orders.
fn in_text(text: &str) -> Option<String> {
    let words: Vec<&str> =
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).take(24).collect();
    if let Some(at) = text.find('年') {
        let digits = |text: &str| {
            text.split(|sign: char| !sign.is_ascii_digit()).rfind(|part| !part.is_empty()).and_then(number)
        };
        let (month, rest) = text[at..].split_once('月')?;
        return day(digits(&text[..at])?, digits(month)?, digits(rest.split_once('日')?.0)?);
    }
    words.windows(3).find_map(|window| {
        let [one, two, three] = *window else { return None };
        let plain = |word: &str| number(word.trim_end_matches(|sign: char| sign.is_alphabetic()));
        match (month(one), month(two), plain(one), plain(two), plain(three)) {
            (Some(month), _, _, Some(date), Some(year)) if year > 31 => day(year, month, date),
            (_, Some(month), Some(date), _, Some(year)) if year > 31 => day(year, month, date),
            (_, Some(month), Some(year), _, Some(date)) if year > 31 => day(year, month, date),
            (_, _, Some(year), Some(month), Some(date)) if one.len() == 4 => day(year, month, date),
            // Days come first in most of the world; a month beyond twelve shows the American order.
            (_, _, Some(date), Some(month), Some(year)) if three.len() == 4 => {
                let is_american = month > 12 || (text.contains('/') && date <= 12);
                if is_american { day(year, date, month) } else { day(year, month, date) }
            }
            _ => None,
        }
    })
}

/// The day in an address such as `/2024/05/03/title`.
fn in_path(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '-', '_']).collect();
    parts.windows(3).find_map(|window| {
        let [year, month, date] = *window else { return None };
        (year.len() == 4 && month.len() <= 2 && date.len() <= 2)
            .then(|| day(number(year)?, number(month)?, number(date)?))
            .flatten()
    })
}

fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    if !word.starts_with(char::is_alphabetic) {
        return None;
    }
    let known = MONTHS.iter().filter(|(start, _)| start.chars().count() >= 3 && word.starts_with(start));
    known.max_by_key(|(start, _)| start.len()).map(|(_, month)| *month)
}

fn number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// A day that may be one of a page.
fn day(year: u32, month: u32, date: u32) -> Option<String> {
    let is_one = (1990..=2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&date);
    is_one.then(|| format!("{year:04}-{month:02}-{date:02}"))
}
