//! One binary for all integration tests: they see the library as any other crate does.

#![allow(
    clippy::struct_field_names,
    clippy::redundant_closure,
    clippy::redundant_closure_for_method_calls,
    clippy::needless_for_each,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::case_sensitive_file_extension_comparisons,
    clippy::semicolon_if_nothing_returned,
    clippy::items_after_statements,
    reason = "tests build messages and compare file names; speed and portability are not at stake"
)]

// The order of rooms, and which outside crate lives where.
mod layers;

// Whatever the bytes, reading them ends, and soon.
mod arbitrary_bytes;

// The laws of the fuzz targets, over their seeds.
mod fuzzing;

// pgn-reader and our reader agree on games that both understand.
mod second_opinion;

// Damaged tokens never make another game.
mod mutations;

// Bugs that were, each with its story.
mod regression;

// What the tests of indexing, searching and the command line share.
mod support;

// Search and statistics answer what a linear scan does (law 5), in every scope.
mod search;

// Threads, segments and merges change no answer (law 4); formats, foreign directories, lost files.
mod index;

// Containers, pipes, and sources that come again.
mod sources;

// Signals, locks and `kill -9`: the last commit stays, and a rerun ends where it should (law 6).
mod interruption;

// The command line as scripts see it.
mod cli;

// HTTP: the answers of the command line, the explorer API of Lichess, and limits against those who ask too much.
#[cfg(feature = "server")]
mod server;
