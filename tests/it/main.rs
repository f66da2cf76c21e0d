//! One binary for all integration tests: they see the library as any other crate does.

// The order of rooms, and which outside crate lives where.
mod layers;

// Whatever the bytes, reading them ends, and soon.
mod arbitrary_bytes;

// pgn-reader and our reader agree on games that both understand.
mod second_opinion;

// Bugs that were, each with its story.
mod regression;
