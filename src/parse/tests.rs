//! The first two laws of reading: splitting changes nothing, and no token goes by without a word.
//!
//! Each is held against a slow obvious twin: splitting against reading the whole, the reader's tokens against a lexer
//! that goes byte by byte. [`pgn_text`] writes the games, as nasty as archives have them.

mod pgn_text;
mod plain;
mod slow;
mod splitting;
mod streaming;
mod tags;
mod tokens;
mod wanted;
