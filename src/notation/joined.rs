//! What belongs to a move although it does not look so: a mark behind a blank, a bracket, a hyphen between blanks.
//!
//! Descriptive notation puts squares and promotions into brackets, `RxN (N5)`, where PGN has its variations, and old
//! books set `R-K sq.` and `P - K4`. Both the reader of archives and the lines of queries ask here, so that one text is
//! cut in one way. Nothing here knows a position: whether the joined text is a legal move is asked later, and a text
//! that was joined and then cannot be played stops its game. That is safer than to take half a move for a whole one.

use super::descriptive::{self, Dialect};
use super::signs::is_mark;
use super::word::Word;

/// The longest inside of a bracket that belongs to a move: `QKt sq.`.
const MAX_INNER: usize = 7;

/// The longest half move: `QKt (QKt sq.) -`.
const MAX_HALF: usize = 20;

/// Whether `word` goes on with the move `last`: a mark that stands apart (`exd6 e.p.`, `Ra8 mate`, `R-K sq.`,
/// `Castles K`), a bracket (`P-B8 (Q)`) or a part of a move that was written with blanks (`Cc6 x Cd4`, `P - K4`).
///
/// The move that is asked about next is `last` with the word behind it, so that `B-B5 dbl. ch.` is joined word by word.
pub fn continues_move(last: &str, word: &str) -> bool {
    if matches!(word, "x" | ":" | "×") || is_mark(word) {
        return true;
    }
    // A colon may also end a capture (`Hd5:`), so it leaves a move open only when no square came yet.
    if last.ends_with(['x', '×'])
        || last.ends_with(':') && !last.contains(|c: char| c.is_ascii_digit())
    {
        return true;
    }
    match word {
        "K" | "Q" | "KR" | "QR" => last.eq_ignore_ascii_case("castles"),
        "sq" | "sq." => lacks_rank(last),
        _ => match word.strip_prefix('(') {
            // `(KR sq.)` has a blank in it, so the bracket may still be open.
            Some(inner) => bracket_belongs(last, inner.split(')').next().unwrap_or_default()),
            None => goes_on(last, word),
        },
    }
}

/// Whether the bracket `(inner)`, which stands directly behind `last` or after blanks, belongs to the move or half move
/// `last` of descriptive notation, English or Spanish, and is no variation.
///
/// That is so if it holds nothing but a square, file, rank or piece of that notation, or, behind `Castles`, a wing.
/// Where a move cannot have such a bracket (`N-B3 (R)`) the bracket still is no variation, since no move is in it.
///
/// # Examples
///
/// ```
/// use pgndex::notation::bracket_belongs;
///
/// assert!(bracket_belongs("N", "KN1") && bracket_belongs("RxN", "N5") && bracket_belongs("P-B8", "Q"));
/// assert!(!bracket_belongs("N-KB3", "N-QB3") && !bracket_belongs("RxN", "Nc3") && !bracket_belongs("e8", "Q"));
/// ```
pub fn bracket_belongs(last: &str, inner: &str) -> bool {
    // Most brackets are variations and fail here: they are long.
    let inner = inner.trim();
    if inner.is_empty()
        || inner.len() > MAX_INNER
        || !last.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return false;
    }
    // Not cleaned of marks as a move is: `(1.` is a number and `(!)` nothing.
    let mut buffer = ['\0'; MAX_INNER];
    let mut n_chars = 0;
    for (place, c) in buffer
        .iter_mut()
        .zip(inner.chars().filter(|c| !c.is_whitespace()))
    {
        *place = c;
        n_chars += 1;
    }
    let inner = &buffer[..n_chars];
    let Some(last) = Word::new(last) else {
        return false;
    };
    if last.castling() == Some(None) {
        return matches!(inner, ['K' | 'Q'] | ['K' | 'Q', 'R']);
    }
    [Dialect::English, Dialect::Spanish]
        .into_iter()
        .any(|dialect| {
            dialect.is_place_or_piece(inner)
                && (descriptive::is_half_move(last.chars(), dialect)
                    || descriptive::parse(last.chars(), dialect).is_some())
        })
}

/// Whether `text` is the beginning of a descriptive move that cannot stand alone: `N`, `N(KN1)`, `P -`, `R-K`.
///
/// Such a word is a move only together with what follows it; alone it may be anything (`N` is a novelty).
pub fn is_half_move(text: &str) -> bool {
    text.len() <= MAX_HALF
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && Word::new(text).is_some_and(|word| {
            [Dialect::English, Dialect::Spanish]
                .into_iter()
                .any(|dialect| descriptive::is_half_move(word.chars(), dialect))
        })
}

/// The length in bytes of the castling that `text` begins with, if it is written with blanks: `0 - 0`, `O - O - O`,
/// `0 – 0`, also with no-break spaces. A result, `0 - 1`, is none, nor is castling without blanks.
///
/// # Examples
///
/// ```
/// use pgndex::notation::spaced_castling;
///
/// assert_eq!(spaced_castling("0 - 0 Nd4"), Some(5));
/// assert_eq!(spaced_castling("O - O-O, e4"), Some(7));
/// assert_eq!(spaced_castling("0 - 1"), None);
/// assert_eq!(spaced_castling("0-0 - 0"), Some(7));
/// ```
pub fn spaced_castling(text: &str) -> Option<usize> {
    let mut n_zeros = 0;
    let mut has_blanks = false;
    let mut rest = text;
    let after = loop {
        let zero = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '0' | 'O' | 'o'))?;
        n_zeros += 1;
        let after = &rest[zero.len_utf8()..];
        let hyphen = after.trim_start();
        let Some(dash) = hyphen.chars().next().filter(|&c| is_dash(c)) else {
            break after;
        };
        rest = hyphen[dash.len_utf8()..].trim_start();
        has_blanks |= dash.len_utf8() + rest.len() < after.len();
    };
    let ends_word = !after.starts_with(char::is_alphanumeric);
    (has_blanks && ends_word && matches!(n_zeros, 2 | 3)).then_some(text.len() - after.len())
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−')
}

/// Whether `last` is a descriptive move to a file, `R-K`, whose rank is `sq`.
fn lacks_rank(last: &str) -> bool {
    last.contains('-') && is_half_move(last) && !last.ends_with('-')
        || last.contains('(') && !last.contains(')')
}

/// Whether `word` is the next part of a descriptive move that was written with blanks.
fn goes_on(last: &str, word: &str) -> bool {
    let is_open_bracket = last.rfind('(') > last.rfind(')');
    let has_sign = |c: char| is_dash(c) || matches!(c, 'x' | 'X' | '×' | ':');
    if !is_open_bracket && !last.ends_with(has_sign) && !word.starts_with(has_sign) {
        return false;
    }
    // A move that is whole does not go on.
    (is_open_bracket || is_half_move(last)) && is_move_or_half(&[last, word].concat())
}

fn is_move_or_half(text: &str) -> bool {
    text.len() <= 2 * MAX_HALF
        && Word::new(text).is_some_and(|word| {
            [Dialect::English, Dialect::Spanish]
                .into_iter()
                .any(|dialect| {
                    descriptive::is_half_move(word.chars(), dialect)
                        || descriptive::parse(word.chars(), dialect).is_some()
                })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_with_squares_and_pieces_belong_to_descriptive_moves() {
        for (last, inner) in [
            ("N", "KN1"),
            ("R", "R1"),
            ("R", "5"),
            ("N", "Q2"),
            ("Kt", "KKt1"),
            ("RxN", "N5"),
            ("RxKt", "Kt5"),
            ("PxP", "Q4"),
            ("PxN", "Q"),
            ("PxNch", "Q"),
            ("P-B8", "Q"),
            ("P-QB8", "N"),
            ("P-K8 ch", "Q"),
            ("RxN", "R1"),
            ("R(R1)xN", "KN5"),
            ("R", "R sq."),
            ("R", "KRsq"),
            ("Castles", "KR"),
            ("Castles", "K"),
            ("castles", "QR"),
            ("Castles", "Q"),
            ("C", "1CR"),
            ("PxC", "D"),
            ("P8R", "D"),
            ("TxC", "5CR"),
            ("QxP", " Q4 "),
            ("N-B3", "R"),
        ] {
            assert!(bracket_belongs(last, inner), "{last} ({inner})");
        }
    }

    #[test]
    fn brackets_with_moves_are_variations() {
        for (last, inner) in [
            ("N-KB3", "N-QB3"),
            ("P-K4", "1. P-Q4"),
            ("RxN", "Nc3"),
            ("RxN", "Q-K2"),
            ("RxN", "PxP"),
            ("RxN", "or R-K1"),
            ("RxN", "N-B3"),
            ("RxN", "!"),
            ("RxN", ""),
            ("Nf3", "Q"),
            ("e4", "e5"),
            ("e8", "Q"),
            ("bxc3", "B"),
            ("O-O", "K"),
            ("Castles", "B"),
            ("Castles K", "Q"),
            ("Sf3", "Sc6"),
            ("5254", "5755"),
            ("♘f3", "N"),
            ("", "Q"),
        ] {
            assert!(!bracket_belongs(last, inner), "{last} ({inner})");
        }
    }

    #[test]
    fn parts_of_a_move_go_on() {
        for (last, word) in [
            ("R-K", "sq"),
            ("R-K", "sq."),
            ("K-Kt", "sq."),
            ("R-KB", "sq"),
            ("R-K sq", "ch."),
            ("R-K sq.", "dis."),
            ("R-K sq. dis.", "ch."),
            ("B-B5", "dbl."),
            ("Q-R8", "mate"),
            ("Q-R8", "mate."),
            ("Q-R8", "‡"),
            ("P-B8", "(Q)"),
            ("P-B8", "(Q)ch"),
            ("RxN", "(N5)"),
            ("N", "(KN1)-B3"),
            ("N", "(KN1)"),
            ("N (KN1)", "-"),
            ("N (KN1) -", "B3"),
            ("R", "(KR"),
            ("R(R", "sq)-K"),
            ("R (KR", "sq.)"),
            ("R (KR sq.)", "-K"),
            ("R (KR sq.) -K", "sq"),
            ("P", "-"),
            ("P -", "K4"),
            ("P", "-K4"),
            ("P-", "K4"),
            ("P", "xP"),
            ("P x", "P"),
            ("P", "×"),
            ("Castles", "(KR)"),
            ("Castles", "KR"),
            ("castles", "Q"),
            ("exd6", "e.p."),
            ("Кр:", "g8"),
        ] {
            assert!(continues_move(last, word), "{last} {word}");
        }
        for (last, word) in [
            ("R-K1", "sq"),
            ("Re1", "sq"),
            ("P-K4", "P-K4"),
            ("e4", "-"),
            ("QxP", "-"),
            ("QxP", "N-B3"),
            ("N", "B3"),
            ("N", "Nf3"),
            ("K", "N-B3"),
            ("Hd5:", "e4"),
            ("Castles K", "Q"),
            ("Castles K", "N-B3"),
            ("O-O", "K"),
            ("P-K4", "(1."),
            ("P-K4", "(P-Q4)"),
            ("Nf3", "(Q)"),
            ("e8", "(Q)"),
            ("P-B8", "(=)"),
        ] {
            assert!(!continues_move(last, word), "{last} {word}");
        }
    }

    #[test]
    fn half_moves_are_no_whole_ones() {
        for text in [
            "N", "KN", "N(KN1)", "P-", "P -", "Px", "R-K", "BP", "R(R1)x", "Kt",
        ] {
            assert!(is_half_move(text), "{text}");
        }
        for text in [
            "", "Nf3", "e4", "P-K4", "PxP", "R-K1", "n", "O-O", "Castles", "White", "Kp",
        ] {
            assert!(!is_half_move(text), "{text}");
        }
    }

    #[test]
    fn castling_with_blanks_has_a_length() {
        for (text, len) in [
            ("0 - 0", 5),
            ("O - O", 5),
            ("0 -0 e5", 4),
            ("0- 0 0 - 0", 4),
            ("0 - 0 - 0+ e5", 9),
            ("0 – 0", 7),
            ("0 – 0 – 0;", 13),
            ("0\u{a0}-\u{a0}0", 7),
            ("0-0 - 0", 7),
            ("o - o!", 5),
        ] {
            assert_eq!(spaced_castling(text), Some(len), "{text}");
        }
        for text in [
            "0-0",
            "0-0-0",
            "0 - 1",
            "0 - 0 - 1",
            "0",
            "0 -",
            "0 - 0 - ",
            "0 - 0 - 0 - 0",
            "0 0",
            "0 - 00",
            "0 - Oe4",
            "1 - 0",
            "",
            "e4",
        ] {
            assert_eq!(spaced_castling(text), None, "{text}");
        }
    }
}
