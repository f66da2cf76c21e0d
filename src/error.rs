//! The one error type of the library.
//!
//! Only what stops a whole command is an error: I/O, a foreign or damaged index, a query that cannot be read. Bad games
//! are data (see [`crate::model::diagnostic`]): they are counted and reported, and the run goes on.

use std::io;
use std::path::PathBuf;

/// What stopped a command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory holds no index.
    #[error("{}: no pgndex index here; make one with `pgndex import`", .0.display())]
    NoIndex(PathBuf),
    /// The directory holds something else than an index of this program.
    #[error("{}: not a pgndex index ({reason})", path.display())]
    ForeignIndex {
        /// The directory.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The index was written in a format that this version does not read.
    #[error("{}: index format {found}, this version reads {oldest} to {newest}; import the archives again", path.display())]
    FormatVersion {
        /// The directory.
        path: PathBuf,
        /// Version found in the manifest.
        found: u32,
        /// Oldest version that is read.
        oldest: u32,
        /// Newest version that is read and the one that is written.
        newest: u32,
    },
    /// Bytes of the index contradict themselves or their checksum.
    #[error("{}: damaged index: {reason}", path.display())]
    Damaged {
        /// The index directory or the file in it.
        path: PathBuf,
        /// What is wrong and where.
        reason: String,
    },
    /// Another process is writing the index.
    #[error("{}: another import, remove or dedupe is writing this index; try again when it is done", .0.display())]
    Locked(PathBuf),
    /// A removal would take so many games that it wants a word of consent.
    #[error(
        "{games} of {of} games would be removed, more than 1 %; nothing was removed, --yes removes them"
    )]
    TooMany {
        /// Games that would go.
        games: u64,
        /// Games in the index.
        of: u64,
    },
    /// A query that cannot be understood. `column` counts characters from 1.
    #[error("bad query at column {column}: {message}")]
    Query {
        /// Where in the query, in characters from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A FEN or move that was given by the user cannot be read; the text begins with its class.
    #[error("{class}: {message}")]
    Position {
        /// `bad_fen`, `illegal_move`, `ambiguous_move`, `foreign_letters` or `not_a_move`.
        class: &'static str,
        /// The text and what is wrong with it.
        message: String,
    },
    /// A strict import would have lost something.
    #[error(
        "{partial} games would be cut and {rejected} left out, and {cut} sources cannot be read to their end; nothing was \
         committed, as --strict wants it"
    )]
    Lossy {
        /// Games with a bad move.
        partial: u64,
        /// Games that could not be replayed at all.
        rejected: u64,
        /// Sources that end too early or cannot be read.
        cut: u64,
    },
    /// A source that the index has was read again, and fewer of its moves were understood.
    #[error(
        "{name}: read in this way it has {now} plies, and the index has {before} of them already; nothing was changed"
    )]
    FewerMoves {
        /// The source.
        name: String,
        /// Plies of its games in the index.
        before: u64,
        /// Plies in the reading that was refused.
        now: u64,
    },
    /// The user asked to stop; nothing was committed.
    #[error("interrupted; nothing was committed")]
    Interrupted,
    /// A source in a form that cannot be read.
    #[error("{}: {class}: {message}", path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// `unsupported_container` or `unsupported_encoding`.
        class: &'static str,
        /// What it is, and what to do.
        message: String,
    },
    /// The answer took longer than the asker allowed.
    #[error("this takes too long; ask for less")]
    TooSlow,
    /// The search library failed in a way that has no better name.
    #[error("index: {0}")]
    Index(String),
}

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An I/O error with the file it concerns.
    pub fn io(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Io {
            path: path.into(),
            source,
        }
    }
}
