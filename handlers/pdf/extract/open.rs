//! Opens a file, decrypts it, and rebuilds it when it is damaged.

use super::{
    Refused, bombs,
    damage::Damage,
    repair,
    streams::{self, Budget},
};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use std::{cell::Cell, sync::Arc};

/// An opened file.
pub(super) struct Opened {
    /// With at least one page.
    pub(super) pdf: Pdf,
    /// Whether it is encrypted.
    pub(super) encrypted: bool,
    /// Whether it had to be rebuilt.
    pub(super) repaired: bool,
}

/// Opens `bytes` with `password`, or with none where none is needed.
pub(super) fn open(mut bytes: Vec<u8>, password: Option<&str>) -> Result<Opened, Refused> {
    let encrypted = is_encrypted(&bytes);
    bombs::defuse(&mut bytes);
    let length = bytes.len();
    let is_cut = is_cut(&bytes);
    let shared = Arc::new(bytes);
    let mut damage = None;
    match try_open(&PdfData::from(shared.clone()), password) {
        Ok(pdf) if !pdf.pages().is_empty() => {
            let found = Damage::of(&pdf);
            let locked = encrypted && is_locked(&pdf);
            if !locked && !is_cut && !found.is_any() {
                return Ok(Opened { pdf, encrypted, repaired: false });
            }
            damage = Some((pdf.pages().len(), found, locked));
        }
        Err(Refused::Encrypted) => return Err(Refused::Encrypted),
        Ok(_) | Err(_) => {}
    }
    // The bytes are taken back: what a repair adds stands behind them, without a copy.
    let bytes = Arc::try_unwrap(shared).map_err(|_| Refused::Unreadable)?;
    let refused = Cell::new(Refused::Unreadable);
    let opener = |data: PdfData| try_open(&data, password).map_err(|why| refused.set(why)).ok();
    let with_orphans = damage.is_none_or(|(_, found, _)| is_cut || found.pages + found.strangers + found.contents > 0);
    let (rebuilt, shared) = repair::rebuild(bytes, with_orphans, &opener);
    let rebuilt = rebuilt.filter(|rebuilt| !rebuilt.pages().is_empty());
    let Some((held, found, locked)) = damage else {
        return rebuilt.map(|pdf| Opened { pdf, encrypted, repaired: true }).ok_or(refused.get());
    };
    let is_better = |rebuilt: &Pdf| {
        rebuilt.pages().len() > held
            || (locked && !is_locked(rebuilt))
            || (rebuilt.pages().len() == held && Damage::of(rebuilt).links() < found.links())
    };
    if let Some(pdf) = rebuilt.filter(is_better) {
        return Ok(Opened { pdf, encrypted, repaired: true });
    }
    let mut bytes = Arc::try_unwrap(shared).map_err(|_| Refused::Unreadable)?;
    bytes.truncate(length);
    let pdf = try_open(&PdfData::from(bytes), password)?;
    Ok(Opened { pdf, encrypted, repaired: false })
}

/// Whether the file ends among its objects.
fn is_cut(bytes: &[u8]) -> bool {
    let last = memchr::memmem::rfind(bytes, b"startxref").unwrap_or_default();
    last == 0 || memchr::memmem::find(&bytes[last..], b"endobj").is_some()
}

/// Tries the password, then none: a file that only restricts its use opens without.
fn try_open(data: &PdfData, password: Option<&str>) -> Result<Pdf, Refused> {
    let with = |password: &str| {
        Pdf::new_with_password(data.clone(), password).map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Refused::Encrypted,
            LoadPdfError::Decryption(_) | LoadPdfError::Invalid => Refused::Unreadable,
        })
    };
    match password.filter(|password| !password.is_empty()).map(with) {
        Some(Ok(pdf)) => Ok(pdf),
        Some(Err(_)) | None => with(""),
    }
}

/// Whether no page can be read: the library opens a file whose trailer is lost without decrypting it, and what comes
/// out then shows nothing.
fn is_locked(pdf: &Pdf) -> bool {
    let budget = Budget::default();
    let shows = |content: &[u8]| [&b"BT"[..], b" Do"].iter().any(|mark| memchr::memmem::find(content, mark).is_some());
    let mut with_contents = pdf.pages().iter().filter(|page| page.raw().contains_key(b"Contents")).take(3).peekable();
    with_contents.peek().is_some()
        && with_contents.all(|page| !streams::content(page, &budget.page()).is_some_and(|content| shows(&content)))
}

/// Whether a trailer names an encryption dictionary. The library keeps its trailer to itself.
fn is_encrypted(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, b"/Encrypt").any(|at| {
        let rest = bytes[at + b"/Encrypt".len()..].trim_ascii_start();
        rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"<<")
    })
}
