//! Every spelling of a move, in and out. No other room knows a piece letter.
//!
//! In: [`read`] wants a position and finds the one legal move that a text means, or the class of what is wrong;
//! [`pattern`] has no position and makes the set of moves that a text fits; [`looks_like_move`] tells moves from prose.
//! Out: [`write`](write()). [`fitting_languages`], [`forms_that_fit`] and [`foreign_game`] answer what a whole
//! game can be written in.
//!
//! Around moves: [`split_line`] cuts a line into its moves, [`continues_move`] and [`bracket_belongs`] tell what belongs
//! to a move though it stands apart, [`is_annotation`] what belongs to none.
//!
//! The way of a text: `word` cleans it, a parser (`algebraic`, `coordinate`, `descriptive`) makes a `shape` of
//! it, the shape is held against legal moves or stored tokens. The room knows no index and no file.
//!
//! Nothing here guesses: a text that fits two legal moves is ambiguous, and letters of another language are read only
//! when the caller names the language.

mod algebraic;
mod coordinate;
mod descriptive;
mod form;
mod game;
mod game_reading;
mod joined;
mod language;
mod language_set;
mod line;
mod output;
mod pattern;
mod shape;
mod signs;
mod word;
mod write;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test may panic")]
mod tests;

use shakmaty::{Move, Position};

use self::descriptive::Dialect;
use self::shape::{Kind, Shape};
use self::word::{CheckMark, Word};

pub use self::form::{Form, UnknownForm};
pub use self::game::{ForeignGame, fitting_languages, foreign_game, forms_that_fit};
pub use self::game_reading::GameReading;
pub use self::joined::{bracket_belongs, continues_move, is_half_move, spaced_castling};
pub use self::language::Language;
pub use self::language_set::LanguageSet;
pub use self::line::{split_line, without_move_number};
pub use self::output::OutputNotation;
pub use self::pattern::{MovePattern, PatternError, PatternReading, pattern};
pub use self::signs::{each_sign, is_annotation, nag_of, strip_annotations};
pub use self::write::write;

/// How a text is to be read.
///
/// Without a form: SAN and all that is shaped like it, coordinates, English descriptive, ICCF; these exclude each
/// other. Spanish descriptive and Smith are read only when asked for, since their texts also fit other forms. Without a
/// language: English letters. Figurines are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The only form to read; `None` for any.
    pub form: Option<Form>,
    /// The piece letters; `None` for English.
    pub language: Option<Language>,
}

/// Why a text is not one legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum MoveError {
    /// No legal move fits.
    #[error("illegal move")]
    IllegalMove,
    /// Several legal moves fit.
    #[error("ambiguous move")]
    AmbiguousMove,
    /// The piece letters are those of another language.
    #[error("foreign piece letters: name their language with --lang")]
    ForeignLetters,
    /// The text is spelled like no move.
    #[error("not a move")]
    NotAMove,
}

impl MoveError {
    /// The class that reports use.
    pub fn class(self) -> &'static str {
        match self {
            MoveError::IllegalMove => "illegal_move",
            MoveError::AmbiguousMove => "ambiguous_move",
            MoveError::ForeignLetters => "foreign_letters",
            MoveError::NotAMove => "not_a_move",
        }
    }
}

/// What a text means in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedMove {
    /// A legal move.
    Move(Move),
    /// A null move, which only passes the turn.
    Null,
}

/// The legal move of `pos` that `text` means.
///
/// Annotations are ignored; a missing capture sign excludes nothing; a capture sign on a quiet move makes it illegal.
/// What a text says about check is ignored, too, but where a descriptive text leaves several moves open: of two captures
/// `QxP mate` is the one that mates. `PxP e.p.` is en passant or nothing.
///
/// # Errors
///
/// [`MoveError`] if no or more than one legal move fits.
///
/// # Examples
///
/// ```
/// use pgndex::notation::{Language, MoveError, Reading, read};
/// use shakmaty::Chess;
///
/// let start = Chess::default();
/// assert_eq!(read("Sf3", &start, Reading::default()), Err(MoveError::ForeignLetters));
/// let german = Reading { language: Language::from_code("de"), ..Reading::default() };
/// assert_eq!(read("Sf3", &start, german), read("g1f3", &start, Reading::default()));
/// ```
pub fn read<P: Position + Clone>(
    text: &str,
    pos: &P,
    reading: Reading,
) -> Result<PlayedMove, MoveError> {
    let word = Word::new(text).ok_or(MoveError::NotAMove)?;
    if word.is_null() {
        return Ok(PlayedMove::Null);
    }
    let Some((word, shape)) = shape_of(&word, reading.form, reading.language) else {
        return Err(if is_foreign(&word, reading) {
            MoveError::ForeignLetters
        } else {
            MoveError::NotAMove
        });
    };
    let shape = Shape {
        en_passant: word.en_passant || shape.en_passant,
        check: if shape.is_descriptive() {
            word.check
        } else {
            CheckMark::ABSENT
        },
        ..shape
    };
    shape.find(pos).map(PlayedMove::Move)
}

/// Whether a word of movetext could be a move in some form, so that a game must stop at it when it cannot be played.
///
/// Of prose, only what is spelled like a move counts: a file letter before a rank digit, castling, a capture between
/// piece letters, two neighbouring files, four ICCF digits, a descriptive square. `also`, `N` and `e.p.` are no moves.
pub fn looks_like_move(text: &[u8], reading: Reading) -> bool {
    let Some(word) = std::str::from_utf8(text).ok().and_then(Word::new) else {
        return false;
    };
    word.is_null()
        || shape_of(&word, reading.form, reading.language).is_some()
        || shape_of(&word, None, None).is_some()
        || is_shaped_like_move(word.chars())
}

/// The shape of a word that is no null move, and the word without the letter of an annotation (`e4N`), if it has one.
///
/// A letter that could be a promotion is one, so it is tried as an annotation last, and never where a pawn could reach
/// the last rank: `d8D` is a promotion in other letters, not a pawn that promotes to nothing.
fn shape_of(word: &Word, form: Option<Form>, language: Option<Language>) -> Option<(Word, Shape)> {
    let whole = |word: &Word| {
        word.castling()
            .map(|side| Shape::new(Kind::Castling(side)))
            .or_else(|| parse_in(word, form, language))
    };
    if let Some(shape) = whole(word) {
        return Some((*word, shape));
    }
    let word = word.without_letter_sign()?;
    let shape = whole(&word).filter(|shape| !shape.lacks_promotion())?;
    Some((word, shape))
}

/// The shape of a word that is neither castling nor a null move.
fn parse_in(word: &Word, form: Option<Form>, language: Option<Language>) -> Option<Shape> {
    let chars = word.chars();
    let letters = language.unwrap_or(Language::ENGLISH);
    // Drops are spelled alike in all forms, in English letters where the form has no others.
    if chars.contains(&'@') {
        let has_letters = form.is_none_or(Form::has_letters);
        return [
            Some(letters).filter(|_| has_letters),
            Some(Language::ENGLISH),
        ]
        .into_iter()
        .flatten()
        .find_map(|letters| algebraic::parse(chars, letters))
        .or_else(|| coordinate::parse_drop(chars));
    }
    match form {
        Some(Form::San | Form::Fide | Form::Long | Form::Figurine) => {
            algebraic::parse(chars, letters)
        }
        Some(Form::Uci) => coordinate::parse_uci(chars),
        Some(Form::Iccf) => coordinate::parse_iccf(chars),
        Some(Form::Smith) => coordinate::parse_smith(chars),
        Some(Form::Descriptive) => descriptive::parse(chars, Dialect::English),
        Some(Form::SpanishDescriptive) => descriptive::parse(chars, Dialect::Spanish),
        None => algebraic::parse(chars, letters)
            .or_else(|| coordinate::parse_uci(chars))
            .or_else(|| descriptive::parse(chars, Dialect::English))
            .or_else(|| coordinate::parse_iccf(chars)),
    }
}

/// Whether a word that could not be read is an algebraic move in the letters of another language.
fn is_foreign(word: &Word, reading: Reading) -> bool {
    let is_letter_form = matches!(
        reading.form,
        None | Some(Form::San | Form::Fide | Form::Long | Form::Figurine)
    );
    let is_read = |word: &Word| foreign_readings(word).next().is_some();
    is_letter_form && (is_read(word) || word.without_letter_sign().as_ref().is_some_and(is_read))
}

/// The languages in whose letters `text` is a legal move of `pos`, or if it is legal in none, those that have its letters.
///
/// # Examples
///
/// ```
/// use pgndex::notation::{Language, languages_of_move};
///
/// let found = languages_of_move("Hf3", &shakmaty::Chess::default());
/// assert_eq!(found.into_iter().map(Language::code).collect::<Vec<_>>(), ["hu"]);
/// ```
pub fn languages_of_move<P: Position + Clone>(text: &str, pos: &P) -> Vec<Language> {
    let Some(word) = Word::new(text) else {
        return Vec::new();
    };
    let spelled: Vec<Language> = foreign_readings(&word)
        .chain(word.without_letter_sign().iter().flat_map(foreign_readings))
        .map(|reading| reading.0)
        .collect();
    let is_legal = |&&language: &&Language| {
        let reading = Reading {
            form: None,
            language: Some(language),
        };
        read(text, pos, reading).is_ok()
    };
    let legal: Vec<Language> = spelled.iter().filter(is_legal).copied().collect();
    if legal.is_empty() { spelled } else { legal }
}

/// What the word means in each set of letters that its script allows.
fn foreign_readings(word: &Word) -> impl Iterator<Item = (Language, Shape)> {
    Language::all()
        .filter(|l| l.is_script_of(word.chars().iter().copied()))
        .filter_map(|l| Some((l, algebraic::parse(word.chars(), l)?)))
}

/// The rule of thumb for words that no parser reads: impossible squares, letters of no set.
fn is_shaped_like_move(chars: &[char]) -> bool {
    // A capture between pieces (`TxT`, also with a two-letter king).
    if let [first, 'x' | ':', second] | [first, _, 'x' | ':', second] = *chars
        && is_capital(first)
        && is_capital(second)
    {
        return true;
    }
    // Letters in the wrong case, `nf3`, `NF3`, `E4`. They are no spelling of any notation, but were they prose, the move
    // would be skipped and the next one played by the wrong side.
    let (mover, square) = chars.split_at(chars.len().saturating_sub(2));
    if matches!(square, ['a'..='h' | 'A'..='H', '1'..='8'])
        && mover.len() <= 4
        && mover.first().is_none_or(char::is_ascii_alphabetic)
        && mover
            .iter()
            .skip(1)
            .all(|c| matches!(c, 'a'..='h' | 'A'..='H' | '1'..='8' | 'x' | 'X'))
    {
        return true;
    }
    // A descriptive square: `N-K9`.
    if let [first, .., file, rank] = *chars
        && let Some(mover) = chars.split(|&c| c == '-').next()
        && mover.len() < chars.len()
        && is_capital(first)
        && mover.iter().all(|c| c.is_alphabetic())
        && chars.len() < 12
        && file.is_alphabetic()
        && rank.is_ascii_digit()
    {
        return true;
    }
    // A piece, up to three characters of an origin or sign, a square, and no word after it: `Zz9`, `Qxq9`, but neither
    // `game2` nor `d4-pawns`.
    let rest = match chars {
        [first, rest @ ..] if is_capital(*first) => rest,
        rest => rest,
    };
    let is_square = |at: usize| match rest[at..] {
        [file, rank, ..] => file.is_ascii_lowercase() && rank.is_ascii_digit(),
        _ => false,
    };
    let is_before_square = |c: &char| matches!(c, 'a'..='h' | '0'..='9' | 'x' | ':' | '-' | 'р');
    let goal = (0..rest.len().min(4)).find(|&at| is_square(at));
    goal.is_some_and(|at| {
        let n_letters = rest[at..].iter().filter(|c| c.is_alphabetic()).count();
        rest[..at].iter().all(is_before_square) && n_letters < 5
    })
}

fn is_capital(c: char) -> bool {
    c.is_ascii_uppercase() || !c.is_ascii() && !c.is_lowercase()
}
