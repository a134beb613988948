//! The surfaces: they parse, call the one fetch stack, show a view and encode the answer.

pub mod v2;

use crate::stack::Fetcher;
use std::sync::Arc;

/// What every surface has at hand.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The fetch stack.
    pub fetcher: Fetcher,
    /// What the operator decided about answers.
    pub rules: Arc<Rules>,
}

/// What the operator decided about answers.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The most characters of content in one answer, when the request doesn't say.
    pub out_cap: usize,
    /// The most that a request may ask for.
    pub out_ceiling: usize,
    /// Whether callers may send a `Cookie` header to a target.
    pub allow_cookies: bool,
}

/// The name of one request, in its answer and on its log lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(pub Arc<str>);

impl Default for Rules {
    fn default() -> Self {
        Self { out_cap: 40_000, out_ceiling: 400_000, allow_cookies: false }
    }
}
