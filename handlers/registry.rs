//! Which handlers there are, and which of them gets a response.

use crate::{
    document::Kind,
    handler::{Claim, ContentHandler, Head, Limits},
    html::Html,
    json::Json,
    pdf::Pdf,
    text::Text,
};
use std::{collections::HashMap, fmt, sync::Arc};

/// The handlers of a program, in the order of their registration, and the operator's word on their limits.
#[derive(Clone, Default)]
pub struct Registry {
    handlers: Vec<Arc<dyn ContentHandler>>,
    limits: HashMap<Kind, Limits>,
}

impl Registry {
    /// All built-in kinds: one line each.
    pub fn standard(pdf: Pdf) -> Self {
        Self::default().with(pdf).with(Html).with(Json).with(Text)
    }

    /// Adds a handler behind the others.
    #[must_use]
    pub fn with(mut self, handler: impl ContentHandler) -> Self {
        self.handlers.push(Arc::new(handler));
        self
    }

    /// Puts `limits` in place of a kind's own.
    #[must_use]
    pub fn limited(mut self, kind: Kind, limits: Limits) -> Self {
        self.limits.insert(kind, limits);
        self
    }

    /// What a response of a handler's kind may cost.
    pub fn limits(&self, handler: &dyn ContentHandler) -> Limits {
        self.limits.get(&handler.kind()).copied().unwrap_or_else(|| handler.limits())
    }

    /// The handler with the strongest claim, or none that wants it.
    pub fn pick(&self, head: &Head) -> Option<Arc<dyn ContentHandler>> {
        let mut best: Option<(Claim, &Arc<dyn ContentHandler>)> = None;
        for handler in &self.handlers {
            let claim = handler.claim(head);
            if claim > best.map_or(Claim::None, |(claim, _)| claim) {
                best = Some((claim, handler));
            }
        }
        best.map(|(_, handler)| handler.clone())
    }

    /// The handler of a kind.
    pub fn named(&self, kind: &str) -> Option<Arc<dyn ContentHandler>> {
        self.handlers.iter().find(|handler| handler.kind().as_str() == kind).cloned()
    }

    /// The kinds, in the order of their registration.
    pub fn kinds(&self) -> Vec<Kind> {
        self.handlers.iter().map(|handler| handler.kind()).collect()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registry").field(&self.kinds()).finish()
    }
}
