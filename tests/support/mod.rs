//! What the contract tests stand on: a scripted origin, the real binary, and PDFs made by code.

pub mod dns;
pub mod origin;
pub mod pdfs;
pub mod script;
pub mod world;

pub use dns::Dns;
pub use origin::{Origin, Reply};
pub use script::{Scripted, Step};
pub use world::World;
