//! One binary for all integration tests: they see the library as any other crate does.

// The order of rooms, and which outside crate lives where.
mod layers;

// Whatever the bytes, reading them ends, and soon.
mod arbitrary_bytes;

// pgn-reader and our reader agree on games that both understand.
mod second_opinion;

// Bugs that were, each with its story.
mod regression;

// What the tests of indexing, searching and the command line share.
mod support;

// Search and statistics answer what a linear scan does (law 5), in every scope.
mod search;

// Threads, segments and merges change no answer (law 4); formats, foreign directories, lost files.
mod index;

// Signals, locks and `kill -9`: the last commit stays, and a rerun ends where it should (law 6).
mod interruption;

// The command line as scripts see it.
mod cli;
