//! Piece letters, one set a language: the only table of them in the crate.
//!
//! The sets are those of the PGN standard, section 17, where it has the language (cs da de en es et fi fr hu is it nl
//! no pl pt ro sv; compared letter by letter), else those of the table "names of the pieces" in Wikipedia's article on
//! algebraic notation (bg, ca, hr, el and the kings, queens and rooks of the others also in E. Rehder's list).
//! Doubtful and harmless, because pawn letters are almost never written: Wikipedia gives the Estonian pawn as E
//! (ettur) and the Finnish one as S (sotilas), the PGN standard P for both; Slovene P is no Slovene word (kmet).
//! Russian and Ukrainian kings have two letters. The same letter means different pieces in different sets, which is why
//! nothing outside this room may guess a set.

use std::fmt;

use shakmaty::Role;

/// A set of piece letters, named by its language.
///
/// # Examples
///
/// ```
/// use pgndex::notation::Language;
///
/// let german = Language::from_code("de").expect("the table has German");
/// assert_eq!(german.name(), "German");
/// assert_eq!(german.letter(shakmaty::Role::Knight), "S");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(usize);

struct Letters {
    code: &'static str,
    name: &'static str,
    /// King, queen, rook, bishop, knight, pawn.
    pieces: [&'static str; 6],
}

const fn set(code: &'static str, name: &'static str, pieces: [&'static str; 6]) -> Letters {
    Letters { code, name, pieces }
}

const N_SETS: usize = 27;

const SETS: [Letters; N_SETS] = [
    set("en", "English", ["K", "Q", "R", "B", "N", "P"]),
    set("bg", "Bulgarian", ["Ц", "Д", "Т", "О", "К", "П"]),
    set("ca", "Catalan", ["R", "D", "T", "A", "C", "P"]),
    set("cs", "Czech", ["K", "D", "V", "S", "J", "P"]),
    set("da", "Danish", ["K", "D", "T", "L", "S", "B"]),
    set("de", "German", ["K", "D", "T", "L", "S", "B"]),
    set("el", "Greek", ["Ρ", "Β", "Π", "Α", "Ι", "Σ"]),
    set("es", "Spanish", ["R", "D", "T", "A", "C", "P"]),
    set("et", "Estonian", ["K", "L", "V", "O", "R", "P"]),
    set("fi", "Finnish", ["K", "D", "T", "L", "R", "P"]),
    set("fr", "French", ["R", "D", "T", "F", "C", "P"]),
    set("hr", "Croatian", ["K", "D", "T", "L", "S", "P"]),
    set("hu", "Hungarian", ["K", "V", "B", "F", "H", "G"]),
    set("is", "Icelandic", ["K", "D", "H", "B", "R", "P"]),
    set("it", "Italian", ["R", "D", "T", "A", "C", "P"]),
    set("nl", "Dutch", ["K", "D", "T", "L", "P", "O"]),
    set("no", "Norwegian", ["K", "D", "T", "L", "S", "B"]),
    set("pl", "Polish", ["K", "H", "W", "G", "S", "P"]),
    set("pt", "Portuguese", ["R", "D", "T", "B", "C", "P"]),
    set("ro", "Romanian", ["R", "D", "T", "N", "C", "P"]),
    set("ru", "Russian", ["Кр", "Ф", "Л", "С", "К", "п"]),
    set("sk", "Slovak", ["K", "D", "V", "S", "J", "P"]),
    set("sl", "Slovene", ["K", "D", "T", "L", "S", "P"]),
    set("sr", "Serbian", ["К", "Д", "Т", "Л", "С", "П"]),
    set("sv", "Swedish", ["K", "D", "T", "L", "S", "B"]),
    set("tr", "Turkish", ["Ş", "V", "K", "F", "A", "P"]),
    set("uk", "Ukrainian", ["Кр", "Ф", "Т", "С", "К", "П"]),
];

/// English, then the others by how many people grew up with them, roughly: what is named first where nothing else decides.
const BY_SPEAKERS: [&str; N_SETS] = [
    "en", "es", "pt", "ru", "tr", "de", "fr", "it", "pl", "uk", "ro", "nl", "el", "hu", "cs", "sv",
    "sr", "bg", "da", "fi", "no", "sk", "hr", "ca", "sl", "et", "is",
];

/// The roles in the order of [`Letters::pieces`], which is also that of the chess glyphs in Unicode.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The white glyphs in the order of [`ROLES`].
const GLYPHS: [&str; 6] = ["♔", "♕", "♖", "♗", "♘", "♙"];

impl Language {
    /// English, the letters of PGN.
    pub const ENGLISH: Language = Language(0);

    /// The set of a two-letter language code, in any case.
    pub fn from_code(code: &str) -> Option<Language> {
        Language::all().find(|l| l.code().eq_ignore_ascii_case(code))
    }

    /// Every set: English first, the others by code.
    pub fn all() -> impl Iterator<Item = Language> + Clone {
        (0..N_SETS).map(Language)
    }

    /// The two-letter code.
    pub fn code(self) -> &'static str {
        self.letters().code
    }

    /// The English name of the language.
    pub fn name(self) -> &'static str {
        self.letters().name
    }

    /// The letter (in Russian and Ukrainian also two) of a piece.
    pub fn letter(self, role: Role) -> &'static str {
        self.letters().pieces[order(role)]
    }

    /// Its place among the languages by the number of people who speak them, from 0.
    pub fn rank(self) -> usize {
        let rank = BY_SPEAKERS.iter().position(|&code| code == self.code());
        rank.unwrap_or(N_SETS)
    }

    /// Its place in the table.
    pub(super) fn number(self) -> usize {
        self.0
    }

    /// Whether two languages have the same letters.
    pub(super) fn is_spelled_like(self, other: Language) -> bool {
        self.letters().pieces == other.letters().pieces
    }

    /// Whether anybody would write these characters in this language: none writes Russian in Latin letters alone.
    ///
    /// A set that the caller names reads look-alikes; where sets are tried out, they would make every `Kf3` a Russian
    /// knight move as well.
    pub(super) fn is_script_of(self, text: impl IntoIterator<Item = char>) -> bool {
        !self.is_foreign_script() || text.into_iter().any(|c| !c.is_ascii() && c.is_alphabetic())
    }

    fn is_foreign_script(self) -> bool {
        matches!(self.code(), "bg" | "el" | "ru" | "sr" | "uk")
    }

    /// The piece whose letter or glyph the text begins with, and the number of characters read.
    ///
    /// The longer letter wins: `Кр` is the Russian king, not a knight. Latin look-alikes of Cyrillic and Greek capitals
    /// are read as these, because scanned and typed scores mix them even within one move.
    pub(super) fn role_at(self, text: &[char]) -> Option<(Role, usize)> {
        let &first = text.first()?;
        if let Some(role) = glyph(first) {
            return Some((role, 1));
        }
        if first.is_ascii_digit() || ('a'..='h').contains(&first) {
            return None;
        }
        let mut found = None;
        for (letter, role) in self.letters().pieces.iter().zip(ROLES) {
            let mut n_read = 0;
            let is_prefix = letter.chars().all(|c| {
                let same = text.get(n_read).is_some_and(|&t| self.is_same(t, c));
                n_read += 1;
                same
            });
            if is_prefix && found.is_none_or(|(_, n)| n < n_read) {
                found = Some((role, n_read));
            }
        }
        found
    }

    /// Like [`Language::role_at`], also in lower case, for the piece behind a promotion.
    pub(super) fn promotion_at(self, text: &[char]) -> Option<(Role, usize)> {
        self.role_at(text).or_else(|| {
            let upper: char = text.first()?.to_uppercase().next()?;
            self.role_at(&[upper])
        })
    }

    fn is_same(self, written: char, letter: char) -> bool {
        written == letter
            || self.is_foreign_script()
                && matches!(
                    (letter, written),
                    ('К', 'K')
                        | ('С', 'C')
                        | ('Т', 'T')
                        | ('О', 'O')
                        | ('р', 'p' | 'P' | 'Р')
                        | ('п', 'П')
                        | ('П', 'п')
                        | ('Ρ', 'P')
                        | ('Β', 'B')
                        | ('Α', 'A')
                        | ('Ι', 'I')
                )
    }

    fn letters(self) -> &'static Letters {
        &SETS[self.0]
    }
}

/// The glyph of a piece, always the white one.
pub(super) fn figurine(role: Role) -> &'static str {
    GLYPHS[order(role)]
}

/// The piece of a chess glyph of either colour.
pub(super) fn glyph(c: char) -> Option<Role> {
    let idx = u32::from(c).checked_sub(0x2654)?;
    (idx < 12).then(|| ROLES[idx as usize % 6])
}

fn order(role: Role) -> usize {
    6 - role as usize
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.code())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test may panic")]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn letters_are_distinct_and_read_back() {
        for language in Language::all() {
            for role in ROLES {
                let letter = chars(language.letter(role));
                assert_eq!(language.role_at(&letter), Some((role, letter.len())));
                assert_eq!(language.role_at(&chars(figurine(role))), Some((role, 1)));
            }
            assert_eq!(Language::from_code(language.code()), Some(language));
            assert!(language.rank() < N_SETS && language.number() < 64);
        }
        assert_eq!(Language::from_code("xx"), None);
    }

    #[test]
    fn look_alikes_are_read_in_their_script_only() {
        let russian = Language::from_code("ru").unwrap();
        assert_eq!(russian.role_at(&chars("Kpf1")), Some((Role::King, 2)));
        assert_eq!(russian.role_at(&chars("Kf3")), Some((Role::Knight, 1)));
        assert_eq!(russian.role_at(&chars("Cf4")), Some((Role::Bishop, 1)));
        let german = Language::from_code("de").unwrap();
        assert_eq!(german.role_at(&chars("Кf3")), None);
    }
}
