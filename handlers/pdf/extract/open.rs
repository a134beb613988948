//! Opens a file, decrypts it, and rebuilds it when it is damaged.

use super::{Refused, repair};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};

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
pub(super) fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Opened, Refused> {
    let data = PdfData::from(bytes);
    let encrypted = is_encrypted(data.as_ref());
    match try_open(&data, password) {
        Ok(pdf) if !pdf.pages().is_empty() => {
            let locked = encrypted && is_locked(&pdf);
            if !locked && !repair::lost_pages(&pdf) {
                return Ok(Opened { pdf, encrypted, repaired: false });
            }
            let held = pdf.pages().len();
            let rebuilt = rebuild(&data, password)
                .filter(|rebuilt| rebuilt.pages().len() > held || (locked && !is_locked(rebuilt)));
            let repaired = rebuilt.is_some();
            return Ok(Opened { pdf: rebuilt.unwrap_or(pdf), encrypted, repaired });
        }
        Err(Refused::Encrypted) => return Err(Refused::Encrypted),
        Ok(_) | Err(_) => {}
    }
    match rebuild(&data, password) {
        Some(pdf) if !pdf.pages().is_empty() => Ok(Opened { pdf, encrypted, repaired: true }),
        _ => Err(Refused::Unreadable),
    }
}

fn rebuild(data: &PdfData, password: Option<&str>) -> Option<Pdf> {
    repair::rebuild(data, |bytes| try_open(&PdfData::from(bytes), password).ok())
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

/// Whether no page can be read: the library opens a file whose trailer is lost without decrypting it.
fn is_locked(pdf: &Pdf) -> bool {
    let mut with_contents = pdf.pages().iter().filter(|page| page.raw().contains_key(b"Contents")).take(3).peekable();
    with_contents.peek().is_some()
        && with_contents.all(|page| page.page_stream().is_none_or(|stream| stream.trim_ascii().is_empty()))
}

/// Whether a trailer names an encryption dictionary. The library keeps its trailer to itself.
fn is_encrypted(bytes: &[u8]) -> bool {
    repair::find_all(bytes, b"/Encrypt").into_iter().any(|at| {
        let rest = &bytes[at + b"/Encrypt".len()..];
        let rest = rest.trim_ascii_start();
        rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"<<")
    })
}
