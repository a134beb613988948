//! Re-indents JSON token by token: duplicate keys, the order of keys and the spelling of numbers stay.

/// Deeper values stay on one line.
const MAX_DEPTH: usize = 512;

/// JSON on several lines.
pub(super) struct Indented {
    pub(super) text: String,
    /// The keys of the outermost object, and where each stands in `text`, in bytes.
    pub(super) keys: Vec<(String, usize)>,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A value or `]`.
    ValueOrEnd,
    /// A key or `}`.
    KeyOrEnd,
    Key,
    Colon,
    /// `,`, or the end of the array or object; another value at the outermost level.
    Comma,
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// The open brackets.
    open: Vec<u8>,
    keys: Vec<(String, usize)>,
    values: usize,
}

/// Re-indents one value, or several in a row (NDJSON, one a line). None when it is not JSON.
pub(super) fn indented(text: &str) -> Option<Indented> {
    let mut writer = Writer {
        text,
        at: 0,
        out: String::with_capacity(text.len() * 2),
        open: Vec::new(),
        keys: Vec::new(),
        values: 0,
    };
    writer.run()?;
    Some(Indented { text: writer.out, keys: if writer.values == 1 { writer.keys } else { Vec::new() } })
}

// === impl Writer ===

impl Writer<'_> {
    fn run(&mut self) -> Option<()> {
        let mut expect = Expect::Value;
        while let Some(byte) = self.next_byte() {
            expect = self.token(byte, expect)?;
        }
        (self.open.is_empty() && expect == Expect::Comma).then_some(())
    }

    fn next_byte(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        // A record separator begins every value of a JSON text sequence.
        let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x1E))?;
        self.at += blanks;
        rest.get(blanks).copied()
    }

    fn token(&mut self, byte: u8, expect: Expect) -> Option<Expect> {
        match (byte, expect) {
            (b'"', Expect::Key | Expect::KeyOrEnd) => {
                self.indent();
                let key = self.string()?;
                if self.open.len() == 1 {
                    self.keys.push((unescaped(key), self.out.len()));
                }
                self.out.push_str(key);
                Some(Expect::Colon)
            }
            (b':', Expect::Colon) => {
                self.at += 1;
                self.out.push_str(": ");
                Some(Expect::Value)
            }
            (b',', Expect::Comma) if !self.open.is_empty() => {
                self.at += 1;
                self.out.push(',');
                Some(if self.open.last() == Some(&b'{') { Expect::Key } else { Expect::Value })
            }
            (b'}', Expect::KeyOrEnd | Expect::Comma) if self.open.last() == Some(&b'{') => {
                Some(self.close(byte, expect))
            }
            (b']', Expect::ValueOrEnd | Expect::Comma) if self.open.last() == Some(&b'[') => {
                Some(self.close(byte, expect))
            }
            (_, Expect::Comma) if self.open.is_empty() => self.value(byte),
            (_, Expect::Value | Expect::ValueOrEnd) => self.value(byte),
            _ => None,
        }
    }

    fn value(&mut self, byte: u8) -> Option<Expect> {
        match self.open.last() {
            Some(b'[') => self.indent(),
            None => {
                if self.values > 0 {
                    self.out.push('\n');
                }
                self.values += 1;
            }
            _ => {}
        }
        if matches!(byte, b'{' | b'[') {
            self.at += 1;
            self.out.push(char::from(byte));
            self.open.push(byte);
            return Some(if byte == b'{' { Expect::KeyOrEnd } else { Expect::ValueOrEnd });
        }
        let literal = if byte == b'"' { self.string()? } else { self.literal()? };
        self.out.push_str(literal);
        Some(Expect::Comma)
    }

    fn close(&mut self, byte: u8, expect: Expect) -> Expect {
        self.at += 1;
        self.open.pop();
        // An empty array or object stays on its line.
        if expect == Expect::Comma {
            self.indent();
        }
        self.out.push(char::from(byte));
        Expect::Comma
    }

    /// Begins a line, except below the depth limit: indentation would grow with the square of the input.
    fn indent(&mut self) {
        if self.open.len() > MAX_DEPTH {
            if self.out.ends_with(',') {
                self.out.push(' ');
            }
            return;
        }
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', 2 * self.open.len().min(MAX_INDENT)));
    }
}

/// Indentation stops to grow at this many levels: 1,000 nested brackets are no 1,000,000 spaces.
const MAX_INDENT: usize = 32;

impl<'a> Writer<'a> {
    /// The string literal at hand, with its quotes.
    fn string(&mut self) -> Option<&'a str> {
        let (text, start) = (self.text, self.at);
        let bytes = text.as_bytes();
        let mut at = start + 1;
        loop {
            match *bytes.get(at)? {
                b'"' => break,
                b'\\' => at += 2,
                // Control characters are not allowed, but harmless.
                _ => at += 1,
            }
        }
        self.at = at + 1;
        text.get(start..=at)
    }

    /// The number or word at hand.
    fn literal(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|character: char| !character.is_ascii_alphanumeric() && !matches!(character, '+' | '-' | '.'));
        let literal = &rest[..end.unwrap_or(rest.len())];
        self.at += literal.len();
        let number = || literal.bytes().any(|byte| byte.is_ascii_digit()) && literal.bytes().all(is_of_number);
        // JavaScript's numbers that JSON doesn't have occur in the wild.
        (matches!(literal, "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity") || number()).then_some(literal)
    }
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E')
}

/// A key without its quotes, and with its escapes read if they can be.
fn unescaped(literal: &str) -> String {
    serde_json::from_str(literal).unwrap_or_else(|_| literal.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn got(text: &str) -> Option<String> {
        indented(text).map(|indented| indented.text)
    }

    #[test]
    fn numbers_and_keys_stay_as_they_are_written() {
        let text = r#"{"z":1.0e+2,"a":12345678901234567890.10,"z":[ ],"e":{},"s":"a\u00e9\"} "}"#;
        let want = "{\n  \"z\": 1.0e+2,\n  \"a\": 12345678901234567890.10,\n  \"z\": [],\n  \"e\": {},\n  \"s\": \"a\\u00e9\\\"} \"\n}";
        assert_eq!(got(text).as_deref(), Some(want));
    }

    #[test]
    fn every_line_of_ndjson_is_a_value() {
        assert_eq!(got("{\"a\":1}\n\n2\n\"x\"\n").as_deref(), Some("{\n  \"a\": 1\n}\n2\n\"x\""));
        assert!(indented("{\"a\":1}\n{\"b\":1}").unwrap().keys.is_empty());
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\"}",
            "[1 2]",
            "]",
            "{1:2}",
            "nul",
            "\"open",
            "[}",
            "1,2",
            "--",
            "é",
        ] {
            assert_eq!(got(text), None, "{text}");
        }
    }

    #[test]
    fn nesting_of_any_depth_is_read_without_recursion_and_without_swelling() {
        for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 1_000_000] {
            let text = "[".repeat(depth) + "1" + &"]".repeat(depth);
            let indented = got(&text).unwrap();
            assert_eq!(indented.split_whitespace().collect::<String>(), text);
            assert!(indented.len() <= text.len() + MAX_DEPTH * 150);
        }
    }

    #[test]
    fn the_keys_of_the_outermost_object_are_found_at_their_places() {
        let indented = indented(r#"{"a":{"b":1},"c\n":2}"#).unwrap();
        assert_eq!(indented.keys.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "c\n"]);
        assert!(indented.keys.iter().all(|(_, at)| indented.text[*at..].starts_with('"')));
    }

    proptest! {
        #[test]
        fn the_value_stays_the_same(json in any_json()) {
            let text = json.to_string();
            let again: serde_json::Value = serde_json::from_str(&got(&text).unwrap()).unwrap();
            prop_assert_eq!(again, json);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]{}:,\"\\\\a1 é\n]{0,40}") {
            let _ = got(&text);
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            ".{0,8}".prop_map(serde_json::Value::from),
            Just(serde_json::Value::Null),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
                proptest::collection::hash_map(".{0,4}", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
