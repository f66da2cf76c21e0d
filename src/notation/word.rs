//! One written move, cleaned of everything that names no move: typographic variants, check signs, annotations.
//!
//! Every reader of this room works on a [`Word`], so that `0—0`, `N×f3` and `Ra8 mate` are dealt with once. A word
//! lives on the stack: reading a move allocates nothing.

use shakmaty::CastlingSide;

use super::signs::{LETTERS, sign_at_end};

/// The longest move that is read, in characters; the longest one that is written has about twenty.
const MAX_CHARS: usize = 32;

/// How strong a check the text speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CheckSign {
    /// No sign, which says nothing.
    Absent,
    /// `+`, `ch`, `dis ch`, `dbl ch`.
    Check,
    /// `++`: mate for FIDE, double check in older German books.
    DoublePlus,
    /// `#`, `mate`.
    Mate,
}

/// What the text says about check. With a position the position decides, so that this is asked by patterns, and where
/// a descriptive text leaves several moves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CheckMark {
    pub(super) sign: CheckSign,
    /// `dis ch`: the piece that gives check did not move.
    pub(super) is_discovered: bool,
    /// `dbl ch`: two pieces give check.
    pub(super) is_double: bool,
}

impl CheckMark {
    /// No word about check.
    pub(super) const ABSENT: CheckMark = CheckMark {
        sign: CheckSign::Absent,
        is_discovered: false,
        is_double: false,
    };
}

/// The characters of a move without blanks, marks and signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    chars: [char; MAX_CHARS],
    n_chars: usize,
    /// What stood behind the move about check.
    pub(super) check: CheckMark,
    /// Whether `e.p.` stood behind the move.
    pub(super) en_passant: bool,
}

impl Word {
    /// The move in `text`; `None` if it is too long for one.
    pub(super) fn new(text: &str) -> Option<Word> {
        let mut word = Word {
            chars: ['\0'; MAX_CHARS],
            n_chars: 0,
            check: CheckMark::ABSENT,
            en_passant: false,
        };
        for c in text.chars() {
            let Some(c) = fold(c) else { continue };
            if c == '$' {
                break;
            }
            *word.chars.get_mut(word.n_chars)? = c;
            word.n_chars += 1;
        }
        word.strip_marks();
        Some(word)
    }

    /// The word without the letter of an annotation behind it, `e4N` or `Nf3!D`; `None` if there is none.
    ///
    /// Such a letter may as well be a promotion, so this is asked only when nothing else can be read.
    pub(super) fn without_letter_sign(&self) -> Option<Word> {
        let mut word = *self;
        let is_stripped = LETTERS.iter().any(|(letters, _)| word.strip(letters));
        if !is_stripped || word.n_chars == 0 {
            return None;
        }
        word.strip_marks();
        Some(word)
    }

    /// Whether the text spoke of check or of en passant.
    pub(super) fn has_marks(&self) -> bool {
        self.check != CheckMark::ABSENT || self.en_passant
    }

    /// The characters that are left.
    pub(super) fn chars(&self) -> &[char] {
        &self.chars[..self.n_chars]
    }

    /// Whether the text is one of the spellings of a null move.
    pub(super) fn is_null(&self) -> bool {
        ["--", "Z0", "@@@@", "null", "0000"]
            .iter()
            .any(|null| self.chars().iter().copied().eq(null.chars()))
    }

    /// The castling move that the text names; the side is `None` for a bare `Castles`.
    #[expect(
        clippy::option_option,
        reason = "castling may be absent, or present without a side"
    )]
    pub(super) fn castling(&self) -> Option<Option<CastlingSide>> {
        let chars = self.chars();
        match chars.first()? {
            'O' | 'o' | '0' => {}
            'C' | 'c' => return castles_word(chars),
            _ => return None,
        }
        let mut n_zeros = 0;
        let mut after_zero = false;
        for &c in chars {
            match c {
                'O' | 'o' | '0' => n_zeros += 1,
                '-' if after_zero => {}
                _ => return None,
            }
            after_zero = c != '-';
        }
        match (n_zeros, after_zero) {
            (2, true) => Some(Some(CastlingSide::KingSide)),
            (3, true) => Some(Some(CastlingSide::QueenSide)),
            _ => None,
        }
    }

    fn strip_marks(&mut self) {
        loop {
            let Some(&last) = self.chars().last() else {
                return;
            };
            // Most moves end with a digit: they carry no mark and are done.
            if last.is_ascii_digit() {
                return;
            }
            let n_sign = sign_at_end(&self.chars().iter().rev().copied());
            match last {
                _ if n_sign > 0 => self.n_chars -= n_sign,
                '+' | '†' if self.strip("++") || self.strip("††") => {
                    self.note(CheckSign::DoublePlus);
                }
                '+' | '†' => {
                    self.n_chars -= 1;
                    self.note(CheckSign::Check);
                }
                '#' | '‡' | '≠' => {
                    self.n_chars -= 1;
                    self.note(CheckSign::Mate);
                }
                ')' if self.strip("(½)") => {}
                _ if self.strip_word() => {}
                // The end of a sentence.
                '.' | ',' | ';' => self.n_chars -= 1,
                _ => return,
            }
        }
    }

    fn strip_word(&mut self) -> bool {
        if self.strip_any(&["e.p.", "e.p", "ep.", "ep", "i.p.", "i.p", "a.p.", "a.p"]) {
            self.en_passant = true;
        } else if self.strip_any(&["check", "ch.", "ch"]) {
            self.note(CheckSign::Check);
        } else if self.strip_any(&["double", "dble.", "dble", "dbl.", "dbl"]) {
            self.check.is_double = true;
            self.note(CheckSign::Check);
        } else if self.strip_any(&["discovered", "disc.", "disc", "dis.", "dis"]) {
            self.check.is_discovered = true;
            self.note(CheckSign::Check);
        } else if self.strip_any(&["checkmate", "mate.", "mate", "matt", "mat"]) {
            self.note(CheckSign::Mate);
        } else {
            return false;
        }
        true
    }

    /// The strongest sign counts: `Ra8+ mate` is mate.
    fn note(&mut self, sign: CheckSign) {
        self.check.sign = self.check.sign.max(sign);
    }

    fn strip_any(&mut self, ends: &[&str]) -> bool {
        ends.iter().any(|end| self.strip(end))
    }

    fn strip(&mut self, end: &str) -> bool {
        let mut rest = self.chars().iter().rev();
        let ends = end.chars().rev().all(|c| rest.next() == Some(&c));
        if ends {
            self.n_chars = rest.len();
        }
        ends
    }
}

#[expect(
    clippy::option_option,
    reason = "castling may be absent, or present without a side"
)]
fn castles_word(chars: &[char]) -> Option<Option<CastlingSide>> {
    let mut rest = chars.iter().skip(1).copied();
    if !"astle".chars().all(|c| rest.next() == Some(c)) {
        return None;
    }
    let mut side = ['\0'; 3];
    let mut n_side = 0;
    for c in rest.filter(|c| !matches!(c, 's' | '(' | ')' | '-' | '.')) {
        *side.get_mut(n_side)? = c;
        n_side += 1;
    }
    match side[..n_side] {
        [] => Some(None),
        ['K'] | ['K', 'R'] => Some(Some(CastlingSide::KingSide)),
        ['Q'] | ['Q', 'R'] => Some(Some(CastlingSide::QueenSide)),
        _ => None,
    }
}

/// The plain character for a typographic variant; `None` for what stands for nothing.
///
/// Small Cyrillic letters become the Latin file letters that they look like; capitals stay, since there a Cyrillic
/// letter is another piece than its Latin twin.
pub(super) fn fold(c: char) -> Option<char> {
    if c.is_ascii_graphic() {
        return Some(if c == 'X' { 'x' } else { c });
    }
    Some(match c {
        '\u{2010}'..='\u{2015}' | '−' => '-',
        '×' | 'х' | '✕' => 'x',
        'а' => 'a',
        'с' => 'c',
        'е' => 'e',
        'о' => 'o',
        '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' | '\u{feff}' => return None,
        c if c.is_whitespace() || c.is_control() => return None,
        c => c,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test may panic")]
mod tests {
    use super::*;

    fn check(text: &str, chars: &str, sign: CheckSign, en_passant: bool) {
        let word = Word::new(text).unwrap();
        assert_eq!(word.chars().iter().collect::<String>(), chars, "{text}");
        assert_eq!(
            (word.check.sign, word.en_passant),
            (sign, en_passant),
            "{text}"
        );
    }

    #[test]
    fn marks_are_stripped() {
        check("Nf3!?", "Nf3", CheckSign::Absent, false);
        check("Nd7+!?", "Nd7", CheckSign::Check, false);
        check("exd6 e.p.", "exd6", CheckSign::Absent, true);
        check("dxe3e.p.+", "dxe3", CheckSign::Check, true);
        check("a5 (=)", "a5", CheckSign::Absent, false);
        check("Ra8 mate", "Ra8", CheckSign::Mate, false);
        check("Qxf7++", "Qxf7", CheckSign::DoublePlus, false);
        check("P-Q7dis.ch", "P-Q7", CheckSign::Check, false);
        check("B-B5dblch", "B-B5", CheckSign::Check, false);
        check("Cc8—g4+.", "Cc8-g4", CheckSign::Check, false);
        check("N×f3", "Nxf3", CheckSign::Absent, false);
        check("♘\u{fe0e}f3$14", "♘f3", CheckSign::Absent, false);
    }

    #[test]
    fn castling_is_recognised() {
        let side = |text: &str| Word::new(text).unwrap().castling();
        let (king, queen) = (CastlingSide::KingSide, CastlingSide::QueenSide);
        for text in [
            "O-O",
            "0-0",
            "o-o",
            "00",
            "0—0",
            "O-O+",
            "Castles K",
            "0-0!?",
        ] {
            assert_eq!(side(text), Some(Some(king)), "{text}");
        }
        for text in ["O-O-O", "0-0-0", "000", "Castles (QR)", "o-o-o#"] {
            assert_eq!(side(text), Some(Some(queen)), "{text}");
        }
        assert_eq!(side("Castles"), Some(None));
        for text in ["0-1", "O-", "0-0-0-0", "0", "Castro", "Cf3", "0000", "0-"] {
            assert_eq!(side(text), None, "{text}");
        }
    }
}
