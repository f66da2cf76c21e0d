//! Values that every room speaks: moves as tokens, position keys, results, dates, ratings, diagnostics.
//!
//! Each has rules of its own (how it is read, ordered or packed) and no knowledge of files or indexes.

pub mod date;
pub mod diagnostic;
pub mod fen;
pub mod game_result;
pub mod move_token;
pub mod playable;
pub mod position_key;
pub mod rating;
pub mod speed;
pub mod variant;
