//! Colours, as far as the question goes whether something is white.

use hayro_syntax::object::{Array, Dict, Number, Object, Stream};

/// From where on a component is white.
const WHITE: f32 = 250.5 / 255.0;
/// Up to where ink can't be seen.
const NO_INK: f32 = 4.5 / 255.0;
/// How many colour spaces may be named by one another.
const MAX_NESTED: usize = 4;

/// What fills or strokes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    space: Space,
    /// Whether the colour is white, or none.
    white: bool,
    alpha: f32,
}

/// How components make a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Zero is black.
    Light,
    /// Process colours and inks: zero is white.
    Ink,
    /// Lightness comes first, from 0 to 100, and the others tint.
    Lab,
    /// Patterns, and what can't be told cheaply.
    Other,
}

// === impl Paint ===

impl Paint {
    pub(super) const BLACK: Self = Self { space: Space::Light, white: false, alpha: 1.0 };

    /// Whether nothing of it is seen on white.
    pub(super) fn is_white(self) -> bool {
        self.white || self.alpha < NO_INK
    }

    /// Whether it hides what lies under it.
    pub(super) fn is_opaque(self) -> bool {
        self.alpha >= 1.0 && self.space != Space::Other
    }

    /// Changes the colour space; the colour is its first one, which is dark in all of them.
    pub(super) fn set_space(&mut self, space: Space) {
        (self.space, self.white) = (space, false);
    }

    /// Changes the colour.
    pub(super) fn set(&mut self, components: impl Iterator<Item = Number>) {
        let mut any = false;
        let all = |test: fn(usize, f32) -> bool| {
            components.enumerate().all(|(n, number)| {
                any = true;
                test(n, number.as_f32())
            })
        };
        let white = match self.space {
            Space::Light => all(|_, value| value >= WHITE),
            Space::Ink => all(|_, value| value <= NO_INK),
            Space::Lab => all(|n, value| if n == 0 { value >= 98.5 } else { value.abs() < 3.0 }),
            Space::Other => false,
        };
        self.white = white && any;
    }

    /// Changes the space and the colour.
    pub(super) fn set_in(&mut self, space: Space, components: impl IntoIterator<Item = Number>) {
        self.space = space;
        self.set(components.into_iter());
    }

    /// Changes how much of it is seen.
    pub(super) fn set_alpha(&mut self, alpha: f32) {
        self.alpha = alpha;
    }
}

// === impl Space ===

impl Space {
    /// The space that `name` means in a page whose resources have `spaces`.
    pub(super) fn named(name: &[u8], spaces: &Dict<'_>) -> Self {
        Self::device(name)
            .unwrap_or_else(|| spaces.get::<Object<'_>>(name).map_or(Self::Light, |space| Self::read(space)))
    }

    fn device(name: &[u8]) -> Option<Self> {
        match name {
            b"DeviceGray" | b"G" | b"DeviceRGB" | b"RGB" | b"CalGray" | b"CalRGB" => Some(Self::Light),
            b"DeviceCMYK" | b"CMYK" => Some(Self::Ink),
            b"Pattern" => Some(Self::Other),
            _ => None,
        }
    }

    fn read(mut space: Object<'_>) -> Self {
        for _ in 0..MAX_NESTED {
            let array: Array<'_> = match space {
                Object::Name(name) => return Self::device(&name).unwrap_or(Self::Light),
                Object::Array(array) => array,
                _ => return Self::Light,
            };
            let mut items = array.iter::<Object<'_>>();
            let Some(family) = items.next().and_then(Object::into_name) else { return Self::Light };
            match &*family {
                b"ICCBased" => {
                    let profile: Option<Stream<'_>> = items.next().and_then(Object::into_stream);
                    let components = profile.and_then(|profile| profile.dict().get::<u32>(b"N"));
                    return if components == Some(4) { Self::Ink } else { Self::Light };
                }
                b"Separation" | b"DeviceN" => return Self::Ink,
                b"Lab" => return Self::Lab,
                b"Indexed" | b"I" | b"Pattern" => return Self::Other,
                name => match Self::device(name) {
                    Some(device) => return device,
                    // A device space in an array of its own.
                    None => match items.next() {
                        Some(inner) => space = inner,
                        None => return Self::Light,
                    },
                },
            }
        }
        Self::Light
    }
}
