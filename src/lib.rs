//! pgndex.

pub mod error;
pub mod export;
pub mod index;
pub mod ingest;
pub mod model;
pub mod notation;
pub mod parse;
pub mod replay;
pub mod search;
#[cfg(feature = "server")]
pub mod server;
pub mod source;
pub mod split;

pub use error::{Error, Result};
