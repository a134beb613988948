//! Who asks, and the partition that follows from it.

use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// Who asks. Known by its token; its name is the operator's word for it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    name: Arc<str>,
    class: Class,
}

/// The partition: what one class fetched is invisible to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The operator's own agents.
    Fleet,
    /// Callers whose reading leaves no trace outside their own partition.
    Restricted,
}

// === impl Caller ===

impl Caller {
    /// A caller by the name that the configuration gives it.
    pub fn new(name: &str, class: Class) -> Self {
        Self { name: name.into(), class }
    }

    /// The operator's name for it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its partition.
    pub fn class(&self) -> Class {
        self.class
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.class.as_str())
    }
}

// === impl Class ===

impl Class {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Fleet, Self::Restricted];

    /// `fleet` or `restricted`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fleet => "fleet",
            Self::Restricted => "restricted",
        }
    }
}
