//! From the text of a selector to its tests.

use super::{Combinator, Complex, Compound, MAX_COMPOUNDS, MAX_LIST, MAX_SIBLINGS, Operator, Test};

/// What is left of a selector.
struct Rest<'a>(&'a str);

const SPACES: [char; 5] = [' ', '\t', '\n', '\r', '\x0C'];

/// Reads a whole list of selectors.
pub(super) fn list(source: &str) -> Option<Vec<Complex>> {
    let mut rest = Rest(source);
    let mut list = Vec::new();
    loop {
        list.push(rest.complex()?);
        rest.spaces();
        if rest.0.is_empty() {
            return Some(list);
        }
        if !rest.take(',') || list.len() >= MAX_LIST {
            return None;
        }
    }
}

// === impl Rest ===

impl Rest<'_> {
    fn take(&mut self, expected: char) -> bool {
        let rest = self.0.strip_prefix(expected);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Whether there was white space.
    fn spaces(&mut self) -> bool {
        let length = self.0.len();
        self.0 = self.0.trim_start_matches(SPACES);
        self.0.len() < length
    }

    fn complex(&mut self) -> Option<Complex> {
        self.spaces();
        let mut compounds = vec![self.compound(true)?];
        let mut combinators = Vec::new();
        loop {
            let spaced = self.spaces();
            let combinator = match self.0.chars().next() {
                Some('>') => Combinator::Child,
                Some('+') => Combinator::Next,
                Some('~') => Combinator::Later,
                Some(',') | None => break,
                _ if spaced => Combinator::Descendant,
                _ => return None,
            };
            if combinator != Combinator::Descendant {
                self.0 = &self.0[1..];
                self.spaces();
            }
            if compounds.len() >= MAX_COMPOUNDS {
                return None;
            }
            combinators.push(combinator);
            compounds.push(self.compound(true)?);
        }
        let subject = compounds.pop()?;
        let before = combinators.into_iter().zip(compounds).rev().collect();
        Some(Complex { subject, before })
    }

    /// `negatable`: `:not()` may stand here.
    fn compound(&mut self, negatable: bool) -> Option<Compound> {
        let mut tests = Vec::new();
        loop {
            let test = match self.0.chars().next() {
                Some('*') if tests.is_empty() => {
                    self.take('*');
                    Test::Any
                }
                Some('#') => {
                    self.take('#');
                    Test::Id(self.identifier()?)
                }
                Some('.') => {
                    self.take('.');
                    Test::Class(self.identifier()?)
                }
                Some('[') => self.attribute()?,
                Some(':') => self.pseudo_class(negatable, &mut tests)?,
                Some(first) if tests.is_empty() && is_name(first) => Test::Tag(self.identifier()?.to_ascii_lowercase()),
                _ => return (!tests.is_empty()).then_some(tests),
            };
            tests.push(test);
        }
    }

    fn pseudo_class(&mut self, negatable: bool, tests: &mut Compound) -> Option<Test> {
        self.take(':');
        let name = self.identifier()?.to_ascii_lowercase();
        Some(match name.as_str() {
            "first-child" => Test::FirstChild,
            "last-child" => Test::LastChild,
            "only-child" => {
                tests.push(Test::FirstChild);
                Test::LastChild
            }
            "nth-child" if self.take('(') => {
                self.spaces();
                let digits = self.0.len() - self.0.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
                let number = self.0[..digits].parse().ok().filter(|number| (1..=MAX_SIBLINGS).contains(number))?;
                self.0 = &self.0[digits..];
                self.close()?;
                Test::NthChild(number)
            }
            "not" if negatable && self.take('(') => {
                let mut none_of = Vec::new();
                loop {
                    self.spaces();
                    none_of.push(self.compound(false)?);
                    self.spaces();
                    if !self.take(',') {
                        break;
                    }
                }
                self.close()?;
                Test::Not(none_of)
            }
            _ => return None,
        })
    }

    fn close(&mut self) -> Option<()> {
        self.spaces();
        self.take(')').then_some(())
    }

    fn attribute(&mut self) -> Option<Test> {
        self.take('[');
        self.spaces();
        let name = self.identifier()?.to_ascii_lowercase();
        self.spaces();
        let operators = [
            ("=", Operator::Equals),
            ("~=", Operator::Word),
            ("|=", Operator::Dash),
            ("^=", Operator::Prefix),
            ("$=", Operator::Suffix),
            ("*=", Operator::Contains),
        ];
        let found = operators.into_iter().find(|(text, _)| self.0.starts_with(text));
        let Some((text, operator)) = found else {
            let test = Test::Attr { name, operator: Operator::Exists, value: String::new(), ignore_case: false };
            return self.take(']').then_some(test);
        };
        self.0 = &self.0[text.len()..];
        self.spaces();
        let value = match self.0.chars().next()? {
            quote @ ('"' | '\'') => {
                self.take(quote);
                let value = self.text(|character| character != quote);
                self.take(quote).then_some(value)?
            }
            _ => self.identifier()?,
        };
        self.spaces();
        let ignore_case = self.take('i') || self.take('I');
        if !ignore_case && !self.take('s') {
            self.take('S');
        }
        self.spaces();
        self.take(']').then_some(Test::Attr { name, operator, value, ignore_case })
    }

    fn identifier(&mut self) -> Option<String> {
        Some(self.text(is_name)).filter(|name| !name.is_empty())
    }

    /// Text of these characters and escaped ones.
    fn text(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while let Some(character) = self.0.chars().next() {
            if character == '\\' {
                text.extend(self.escaped());
            } else if belongs(character) {
                text.push(character);
                self.0 = &self.0[character.len_utf8()..];
            } else {
                break;
            }
        }
        text
    }

    /// The character behind a backslash, or the one whose number stands there in hexadecimal.
    fn escaped(&mut self) -> Option<char> {
        self.take('\\');
        let digits = self.0.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let number = u32::from_str_radix(&self.0[..digits], 16).ok();
            self.0 = &self.0[digits..];
            let space = self.0.chars().next().filter(|character| SPACES.contains(character));
            self.0 = &self.0[space.map_or(0, char::len_utf8)..];
            return Some(number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let character = self.0.chars().next()?;
        self.0 = &self.0[character.len_utf8()..];
        Some(character)
    }
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '\\') || !character.is_ascii()
}
