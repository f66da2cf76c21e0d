//! What an import has to say about a game or a source: a class, how grave it is, and where.
//!
//! Inside the rooms that find them, diagnostics are [`Note`]s: offsets into the bytes at hand and no text, so that
//! taking one costs a push. They become report lines only when somebody asked for a report.

use serde::Serialize;

/// Whether something was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing was lost.
    Warning,
    /// Moves or a whole game were lost.
    Error,
}

macro_rules! classes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $message:literal,)*) => {
        /// The kind of a diagnostic. The names are stable: scripts are written against them. Kinds that scripts need not tell
        /// apart share a name; their messages and severities differ.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $($(#[$doc])* $variant,)*
        }

        impl Class {
            /// All classes.
            pub const ALL: &[Class] = &[$(Class::$variant,)*];

            /// The stable name.
            pub fn as_str(self) -> &'static str {
                match self { $(Class::$variant => $name,)* }
            }

            /// What it means, in one clause.
            pub fn message(self) -> &'static str {
                match self { $(Class::$variant => $message,)* }
            }
        }
    };
}

classes! {
    /// A value or comment of the game is not UTF-8.
    EncodingFallback = "encoding_fallback": "not UTF-8; the value or comment in which this stands is read as Windows-1252",
    /// The source is in an encoding that is not read.
    UnsupportedEncoding = "unsupported_encoding": "an encoding that is not read",
    /// A tag pair that breaks the grammar.
    TagMalformed = "tag_malformed": "malformed tag pair",
    /// A tag name for the second time in one game.
    TagDuplicate = "tag_duplicate": "tag repeated, the first one counts",
    /// A blank line between tag pairs of one game.
    BlankLineInTags = "blank_line_in_tags": "blank line inside the tag section",
    /// Words that are no chess.
    JunkText = "junk_text": "text that is neither a tag nor movetext, skipped",
    /// Text that is not understood where a move could stand.
    UnreadText = "junk_text": "text that is not understood, where a move could stand; the line is kept up to here",
    /// A move number that is not that of the move.
    MoveNumberMismatch = "move_number_mismatch": "the printed move number is not that of this move",
    /// Moves after the termination marker that begin no game.
    MovesAfterMarker = "junk_text": "moves after the result belong to no game and are lost",
    /// A game that is longer than one that is kept can be.
    GameTooLong = "truncated": "longer than a game that is kept can be; it is kept up to here",
    /// Variations that are longer than what is indexed of a game.
    VariationsTooLong = "truncated": "the variations are longer than what is indexed of a game; their last positions are not found",
    /// A brace that is never closed.
    UnterminatedComment = "unterminated_comment": "comment is never closed; what it hides is lost",
    /// Parentheses that do not match.
    UnbalancedRav = "unbalanced_rav": "unbalanced parenthesis of a variation",
    /// An annotation sign that is not known.
    UnknownAnnotation = "unknown_annotation": "unknown annotation sign, skipped",
    /// A move that is not written in canonical SAN.
    NonstandardSan = "nonstandard_san": "move is not written in standard algebraic notation",
    /// A check or mate sign that the position does not bear out, or that is missing.
    BadCheckSuffix = "bad_check_suffix": "check or mate sign differs from the position",
    /// A null move.
    NullMove = "null_move": "null move",
    /// No termination marker.
    NoResultMarker = "no_result_marker": "no result after the moves",
    /// Result tag and marker disagree.
    ResultMismatch = "result_mismatch": "Result tag and termination marker disagree, the tag counts",
    /// A result that is not spelt as the standard wants it.
    ResultNonstandard = "result_nonstandard": "nonstandard spelling of the result",
    /// A move that no piece can make.
    IllegalMove = "illegal_move": "illegal move; the game is kept up to here",
    /// The same inside a variation.
    IllegalMoveInVariation = "illegal_move_in_variation": "illegal move in a variation, which is cut here",
    /// A move that several pieces can make.
    AmbiguousMove = "ambiguous_move": "several pieces can make this move; the game is kept up to here",
    /// The text ends within a game.
    Truncated = "truncated": "the text ends inside this game",
    /// A compressed source ends too early.
    TruncatedContainer = "truncated_container": "the compressed source ends too early",
    /// A compressed source of a kind that is not read.
    UnsupportedContainer = "unsupported_container": "a container that is not read",
    /// A chess variant that cannot be replayed.
    UnsupportedVariant = "unsupported_variant": "a variant that is not replayed; the game is left out",
    /// SetUp says there is a position, but there is no FEN.
    SetupWithoutFen = "setup_without_fen": "SetUp tag without a FEN, standard start position assumed",
    /// A FEN without SetUp.
    FenWithoutSetup = "fen_without_setup": "FEN tag without SetUp, the FEN counts",
    /// SetUp says there is no position, but there is a FEN.
    SetupContradiction = "setup_contradiction": "SetUp is 0 but there is a FEN, the FEN counts",
    /// Castling rights in a FEN that king and rooks contradict.
    FenCastlingDropped = "fen_castling_dropped": "impossible castling rights in the FEN, dropped",
    /// An en passant square in a FEN that the pawns contradict.
    FenEpDropped = "fen_ep_dropped": "impossible en passant square in the FEN, dropped",
    /// A FEN that is no position.
    BadFen = "bad_fen": "the FEN is not a legal position; the game is left out",
    /// A position that is in no FEN tag.
    StrayFen = "bad_fen": "a position that is in no FEN tag: nobody knows whether the game begins there; it is left out",
    /// A rating that is no number.
    EloNotNumeric = "elo_not_numeric": "rating is not a number",
    /// A rating that cannot be one.
    EloOutOfRange = "elo_out_of_range": "rating out of range",
    /// A date that is none.
    DateMalformed = "date_malformed": "not a date in the form YYYY.MM.DD",
    /// Piece letters of another language.
    ForeignLetters = "foreign_letters": "piece letters of another language; the game is kept up to here",
}

/// A diagnostic as its finder takes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is.
    pub class: Class,
    /// How grave.
    pub severity: Severity,
    /// Where the token stands, in bytes of the slice being read.
    pub offset: usize,
    /// Length of the token in bytes; 0 when there is none.
    pub len: u32,
    /// The ply the move would have led to, for moves.
    pub ply: Option<u32>,
}

impl Note {
    /// A note of something that lost nothing.
    pub fn warning(class: Class, offset: usize, len: usize) -> Note {
        Note {
            class,
            severity: Severity::Warning,
            offset,
            len: u32::try_from(len).unwrap_or(u32::MAX),
            ply: None,
        }
    }

    /// A note of a loss.
    pub fn error(class: Class, offset: usize, len: usize) -> Note {
        Note {
            severity: Severity::Error,
            ..Note::warning(class, offset, len)
        }
    }

    /// The same note, about the move that would have led to `ply`.
    #[must_use]
    pub fn at_ply(self, ply: u32) -> Note {
        Note {
            ply: Some(ply),
            ..self
        }
    }
}

/// One line of an import report.
///
/// ```json
/// {"class":"illegal_move","severity":"error","source":"club.pgn","game":12,"offset":48213,"line":731,"ply":13,
///  "token":"Kd4","message":"illegal move; the game is kept up to here"}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable name of the class.
    pub class: &'static str,
    /// `error` when something was lost, else `warning`.
    pub severity: Severity,
    /// The source's name.
    pub source: String,
    /// The game's number in its source, from 0; none for what concerns the whole source.
    pub game: Option<u64>,
    /// Where, in bytes from the start of the source.
    pub offset: Option<u64>,
    /// The line of that byte, from 1.
    pub line: Option<u64>,
    /// For a bad move, the ply it would have led to: 1 for the first.
    pub ply: Option<u32>,
    /// The text in question, cut at 60 characters.
    pub token: Option<String>,
    /// What it means.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_messages_of_their_own() {
        let messages: std::collections::BTreeSet<_> =
            Class::ALL.iter().map(|c| c.message()).collect();
        assert_eq!(messages.len(), Class::ALL.len());
    }
}
