//! What the streams of pages show: tells them from other streams, and names the fonts they need.

use hayro_syntax::{content::UntypedIter, object::Object};
use std::collections::BTreeMap;

/// The most names of fonts in one stream.
const MAX_FONTS: usize = 1_000;
/// The share of control characters, in percent, from which a text is not in an encoding of one byte.
const CONTROL_SHARE: usize = 8;

/// The bytes that a font shows.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    all: usize,
    control: usize,
}

/// Whether `content` shows text.
pub(super) fn is_content(content: &[u8]) -> bool {
    let has = |operator: &[u8]| memchr::memmem::find(content, operator).is_some();
    has(b"BT") && (has(b"Tj") || has(b"TJ")) && has(b"Tf")
}

/// The fonts that `content` chooses, and what it shows with each.
pub(super) fn fonts(content: &[u8]) -> BTreeMap<Vec<u8>, Shown> {
    let mut fonts: BTreeMap<Vec<u8>, Shown> = BTreeMap::new();
    let mut current = None;
    let mut operations = UntypedIter::new(content);
    while let Some(operation) = operations.next() {
        match &**operation.operator {
            b"Tf" => {
                let name = operation.operands().find_map(|operand| match operand {
                    Object::Name(name) => Some(name.as_ref().to_vec()),
                    _ => None,
                });
                current = name.filter(|name| fonts.len() < MAX_FONTS || fonts.contains_key(name));
                if let Some(name) = &current {
                    fonts.entry(name.clone()).or_default();
                }
            }
            b"Tj" | b"TJ" | b"'" | b"\"" => {
                let Some(shown) = current.as_ref().and_then(|name| fonts.get_mut(name)) else { continue };
                for operand in operation.operands() {
                    match operand {
                        Object::String(text) => shown.add(text.as_bytes()),
                        Object::Array(parts) => parts.iter::<Object<'_>>().for_each(|part| {
                            if let Object::String(text) = part {
                                shown.add(text.as_bytes());
                            }
                        }),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    fonts
}

// === impl Shown ===

impl Shown {
    fn add(&mut self, text: &[u8]) {
        self.all += text.len();
        // TeX has its ligatures at 11 to 15.
        self.control += text.iter().filter(|byte| matches!(byte, 0..11 | 16..32 | 127..160)).count();
    }

    /// Whether the codes look like an encoding of one byte that most fonts share.
    pub(super) fn is_common(self) -> bool {
        self.all > 0 && self.control * 100 <= self.all * CONTROL_SHARE
    }
}
