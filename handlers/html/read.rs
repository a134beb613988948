//! From decoded HTML to a document.

use super::{
    about::About,
    chosen::Chosen,
    content,
    dom::Dom,
    emit::{self, Addresses},
    fallback,
    visible::THIN,
};
use crate::{Document, ExtractError, Page as Part, Reading, Sources, charset::Decoded, outline, parts};
use serde_json::json;
use tokio::time::Instant;
use url::Url;

/// What is said of a page without text.
const NO_TEXT: &str = "no text: the page may need a browser";

/// Reads the page into `document`, which has its kind, hash and size already.
pub(super) fn document(
    mut document: Document,
    decoded: Decoded,
    address: Option<Url>,
    xml: bool,
    reading: &Reading,
    deadline: Instant,
) -> Result<Document, ExtractError> {
    let in_time = || if Instant::now() < deadline { Ok(()) } else { Err(ExtractError::TimedOut) };
    let mut dom = Dom::parse(&decoded.text, xml);
    in_time()?;
    let about = About::read(&dom, address.as_ref());
    about.fill(&mut document);
    let addresses = Addresses::of(&dom, address);
    in_time()?;

    let mut chosen = Chosen::of(&dom, reading, content::is_product(&about.json_ld));
    in_time()?;
    if chosen.mass < THIN
        && reading.main_only
        && reading.include.is_empty()
        && let Some((html, method)) = fallback::best(&dom, &about.json_ld, chosen.mass)
    {
        let spare_dom = Dom::parse(&html, false);
        let whole = Reading { main_only: false, ..reading.clone() };
        let spare = Chosen::of(&spare_dom, &whole, false);
        if spare.mass > chosen.mass {
            chosen = Chosen { method, hidden: chosen.hidden, ..spare };
            dom = spare_dom;
        }
    }
    in_time()?;
    let root = dom.body();
    let text = if reading.raw { decoded.text.clone() } else { emit::markdown(&dom, root, &chosen.kept, &addresses) };
    let parts = parts::split(&text);
    if !reading.raw {
        document.outline = outline::of_markdown(&parts);
    }
    document.pages = (1..).zip(&parts).map(|(number, part)| Part::new(number, part)).collect();
    document.total_pages = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    if text.trim().is_empty() {
        document.note = Some(NO_TEXT.to_owned());
    }
    document.links = emit::links(&dom, root, &chosen.kept, &addresses);
    let digits = |share: f32| (f64::from(share) * 100.0).round() / 100.0;
    let mut extraction = json!({"method": chosen.method, "kept": digits(chosen.share)});
    if let Some(confidence) = chosen.confidence {
        extraction["confidence"] = digits(confidence).into();
    }
    document.metadata.insert("extraction".into(), extraction);
    document.metadata.insert("charset".into(), decoded.encoding.into());
    if chosen.hidden > 0 {
        document.metadata.insert("hidden_elements".into(), chosen.hidden.into());
    }
    if reading.keep_sources {
        document.sources = Some(Sources {
            html: Some(emit::html(&dom, root, &chosen.kept, &addresses)),
            images: emit::images(&dom, root, &chosen.kept, &addresses),
            raw: decoded.text,
        });
    }
    Ok(document)
}
