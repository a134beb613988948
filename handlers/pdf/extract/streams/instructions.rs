//! Cleans the instructions of a damaged stream.
//!
//! Whoever interprets content stops, or draws at random, where an operator has not what it needs. Here such operators
//! are left out with their operands, and so are inline images, whose data nobody can tell from damage.

use super::values::{Values, is_regular};

/// The most operands of an operator that takes any number of them.
const MAX_OPERANDS: usize = 40;
/// How far the data of an inline image reaches.
const MAX_IMAGE: usize = 1 << 16;

/// Operators by what they take: `n` a number, `s` a string, `a` an array, `/` a name, `*` anything, `+` any number of
/// anything.
const OPERATORS: &[(&str, &str)] = &[
    ("", "BT ET T* q Q h S s f F f* B B* b b* n W W* EMC BX EX"),
    ("n", "Tc Tw Tz TL Ts Tr w J j M i g G"),
    ("nn", "Td TD m l d0"),
    ("nnn", "rg RG"),
    ("nnnn", "re v y k K"),
    ("nnnnnn", "Tm cm c d1"),
    ("s", "Tj '"),
    ("nns", "\""),
    ("a", "TJ"),
    ("an", "d"),
    ("/", "Do gs BMC MP ri cs CS sh"),
    ("/n", "Tf"),
    ("/*", "BDC DP"),
    ("+", "sc SC scn SCN"),
];

/// The instructions of `content` that have what they need.
pub(super) fn clean(content: &[u8]) -> Vec<u8> {
    let mut values = Values { bytes: content, at: 0, is_content: true };
    let mut out = Vec::with_capacity(content.len());
    let mut operands: Vec<Vec<u8>> = Vec::new();
    loop {
        values.skip_white();
        let rest = values.rest();
        let Some(&first) = rest.first() else { return out };
        if first == b'%' {
            values.at += rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            continue;
        }
        let word = rest.iter().take_while(|byte| is_regular(**byte)).count();
        if matches!(first, b'a'..=b'z' | b'A'..=b'Z' | b'\'' | b'"') && !is_value(&rest[..word]) {
            values.at += word;
            if &rest[..word] == b"ID" {
                let data = &rest[..rest.len().min(MAX_IMAGE)];
                values.at += memchr::memmem::find(&data[word..], b"EI").map_or(0, |at| at + 2);
            } else if let Some(takes) = takes(&rest[..word])
                && let Some(operands) = fitting(&operands, takes)
            {
                for operand in operands {
                    out.extend_from_slice(operand);
                    out.push(b' ');
                }
                out.extend_from_slice(&rest[..word]);
                out.push(b'\n');
            }
            operands.clear();
            continue;
        }
        let mut operand = Vec::new();
        if !values.value(&mut operand, 0) {
            values.at += 1;
            continue;
        }
        if operands.len() >= MAX_OPERANDS {
            operands.clear();
        }
        operands.push(operand);
    }
}

fn is_value(word: &[u8]) -> bool {
    matches!(word, b"true" | b"false" | b"null")
}

fn takes(operator: &[u8]) -> Option<&'static str> {
    let is_one = |names: &str| names.split(' ').any(|name| name.as_bytes() == operator);
    OPERATORS.iter().find(|(_, names)| is_one(names)).map(|(takes, _)| *takes)
}

/// The last operands, when they are what the operator takes.
fn fitting<'a>(operands: &'a [Vec<u8>], takes: &str) -> Option<&'a [Vec<u8>]> {
    if takes == "+" {
        return Some(operands);
    }
    let last = &operands[operands.len().checked_sub(takes.len())?..];
    let fits = |(operand, kind): (&Vec<u8>, u8)| match (kind, operand.first()) {
        (b'n', Some(first)) => first.is_ascii_digit() || b"+-.".contains(first),
        (b's', Some(first)) => *first == b'(' || (*first == b'<' && operand.get(1) != Some(&b'<')),
        (b'a', Some(first)) => *first == b'[',
        (b'/', Some(first)) => *first == b'/',
        (_, first) => first.is_some(),
    };
    last.iter().zip(takes.bytes()).all(fits).then_some(last)
}
