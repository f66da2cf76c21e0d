//! Moves without a position: the set of all moves that a text fits.
//!
//! Search compiles a [`MovePattern`] to the stored tokens that it matches. The rules of reading are those of
//! `read`, with two differences that the missing position forces: signs restrict instead of being checked (`x`, `-`,
//! `+`, `#`), and a letter that is in no English set is looked up in the others.

use shakmaty::Color;

use super::shape::{Capture, Kind, Shape};
use super::word::{CheckSign, Word};
use super::{Form, Language, Reading, algebraic, foreign_readings, shape_of, without_move_number};
use crate::model::move_token::{Check, MoveToken};

/// A set of moves, tested by token.
#[derive(Clone, Debug, PartialEq)]
pub struct MovePattern {
    shape: Shape,
    check: CheckSign,
    /// Whether `++` may be the double check of older German books.
    plus_plus_is_check: bool,
    color: Option<Color>,
}

impl MovePattern {
    /// Whether the played move is in the set.
    pub fn matches(&self, token: MoveToken) -> bool {
        let check = match self.check {
            CheckSign::Absent => true,
            CheckSign::Check => token.check() != Check::None,
            CheckSign::DoublePlus if self.plus_plus_is_check => token.check() != Check::None,
            CheckSign::DoublePlus | CheckSign::Mate => token.check() == Check::Mate,
        };
        check && self.color.is_none_or(|c| c == token.color()) && self.shape.matches(token)
    }

    /// The moves of the set that `color` played.
    #[must_use]
    pub fn for_side(self, color: Color) -> MovePattern {
        MovePattern {
            color: Some(color),
            ..self
        }
    }
}

/// A pattern and how it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternReading {
    /// The set of moves.
    pub pattern: MovePattern,
    /// How a letter was read that is not English: `read as German: Nf3; Dutch has no S`.
    pub note: Option<String>,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The text is a move in no form that was asked for.
    #[error("`{0}` is not a move")]
    NotAMove(String),
    /// The text is no move in the letters of the language that was asked for.
    #[error("`{text}` is not a move in {language} letters")]
    NotInLanguage {
        /// The text.
        text: String,
        /// The language.
        language: Language,
    },
    /// The sets that have the letter disagree on its piece.
    #[error("`{text}` means different moves: {readings}; choose one with --lang")]
    LettersDisagree {
        /// The text.
        text: String,
        /// The readings: `Nf3 in Danish, Bf3 in Czech`.
        readings: String,
    },
}

/// The sets whose reading counts where sets disagree: German for Latin letters, Russian for Cyrillic ones.
///
/// Without this hardly a letter could be asked for: `S` is also the Czech and Slovak bishop and `L` the Estonian queen.
/// The note names the sets that read otherwise. Letters that these two do not have (`H`, `V`, `A`) need `--lang`.
const PREFERRED: [&str; 2] = ["de", "ru"];

/// The moves that `text` fits.
///
/// # Errors
///
/// [`PatternError`], one lower-case line, if `text` is no move or the piece of its letter is open.
///
/// # Examples
///
/// ```
/// use pgndex::notation::{Reading, pattern};
///
/// let found = pattern("Sf3", Reading::default()).expect("German has an S");
/// assert_eq!(found.note.as_deref(), Some("read as German: Nf3; Czech, Slovak: Bf3; Dutch has no S"));
/// ```
pub fn pattern(text: &str, reading: Reading) -> Result<PatternReading, PatternError> {
    let not_a_move = || PatternError::NotAMove(text.trim().to_owned());
    let word = Word::new(without_move_number(text)).ok_or_else(not_a_move)?;
    let found = |shape: Shape, note| {
        let is_letter_form = matches!(
            reading.form,
            None | Some(Form::San | Form::Fide | Form::Long)
        );
        // A sign makes `e2-e4` long algebraic; bare `e2e4` are the coordinates of any piece.
        let has_sign = shape.capture != Capture::Unsaid;
        let shape = if is_letter_form && (has_sign || reading.form.is_some()) {
            algebraic::as_pawn_move(shape)
        } else {
            shape
        };
        let german = reading.language.is_some_and(|l| l.code() == "de");
        PatternReading {
            pattern: MovePattern {
                shape,
                check: word.check.sign,
                plus_plus_is_check: german,
                color: None,
            },
            note,
        }
    };
    if word.is_null() {
        return Ok(found(Shape::new(Kind::Null), None));
    }
    if let Some((_, shape)) = shape_of(&word, reading.form, reading.language) {
        return Ok(found(shape, None));
    }
    if let Some(language) = reading.language {
        let text = text.trim().to_owned();
        return Err(PatternError::NotInLanguage { text, language });
    }
    if !matches!(
        reading.form,
        None | Some(Form::San | Form::Fide | Form::Long)
    ) {
        return Err(not_a_move());
    }
    let (shape, note) = read_foreign(&word, text.trim())?;
    Ok(found(shape, Some(note)))
}

fn read_foreign(word: &Word, text: &str) -> Result<(Shape, String), PatternError> {
    let readings: Vec<(Language, Shape)> = foreign_readings(word).collect();
    let Some(&first) = readings.first() else {
        return Err(PatternError::NotAMove(text.to_owned()));
    };
    let mut distinct: Vec<Shape> = Vec::new();
    for &(_, shape) in &readings {
        if !distinct.contains(&shape) {
            distinct.push(shape);
        }
    }
    let sets_with = |shape: Shape| {
        let names = readings.iter().filter(|r| r.1 == shape);
        let names: Vec<&str> = names.map(|r| r.0.name()).collect();
        names.join(", ")
    };
    let english_of = |shape: Shape| {
        let (language, _) = readings.iter().find(|r| r.1 == shape).unwrap_or(&first);
        to_english(word.chars(), *language)
    };
    let preferred = readings.iter().find(|r| PREFERRED.contains(&r.0.code()));
    let (language, shape) = match preferred {
        Some(&reading) => reading,
        // French names a shared reading better than Catalan, the first by code, does.
        None if distinct.len() == 1 => {
            let french = readings.iter().find(|r| r.0.code() == "fr");
            *french.unwrap_or(&first)
        }
        None => {
            let each = distinct
                .iter()
                .map(|&shape| format!("{} in {}", english_of(shape), sets_with(shape)));
            return Err(PatternError::LettersDisagree {
                text: text.to_owned(),
                readings: each.collect::<Vec<_>>().join("; "),
            });
        }
    };
    let mut note = format!("read as {language}: {}", english_of(shape));
    for &other in distinct.iter().filter(|&&other| other != shape) {
        note += &["; ", &sets_with(other), ": ", &english_of(other)].concat();
    }
    if let Some((without, letter)) = set_without(&readings, word.chars(), language) {
        note += &["; ", without.name(), " has no ", &letter].concat();
    }
    Ok((shape, note))
}

/// A widely used set that cannot read the text, and the letter that it lacks.
fn set_without(
    readings: &[(Language, Shape)],
    chars: &[char],
    language: Language,
) -> Option<(Language, String)> {
    let without = ["nl", "fr", "de"]
        .into_iter()
        .filter_map(Language::from_code)
        .find(|l| readings.iter().all(|r| r.0 != *l))?;
    let at = (0..chars.len()).find(|&at| {
        language.role_at(&chars[at..]).is_some() && without.role_at(&chars[at..]).is_none()
    })?;
    let (role, _) = language.role_at(&chars[at..])?;
    Some((without, language.letter(role).to_owned()))
}

/// The text with its letters replaced by the English ones.
fn to_english(chars: &[char], language: Language) -> String {
    let mut text = String::with_capacity(chars.len());
    let mut rest = chars;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some((role, n_read)) = language.role_at(rest) {
            text.push_str(Language::ENGLISH.letter(role));
            rest = &rest[n_read..];
        } else {
            text.push(first);
            rest = tail;
        }
    }
    text
}
