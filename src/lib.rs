//! pgndex.

pub mod error;
pub mod model;
pub mod notation;
pub mod source;
pub mod split;
pub mod parse;
pub mod replay;
pub mod index;
pub mod ingest;
pub mod search;
pub mod export;

pub use error::{Error, Result};
