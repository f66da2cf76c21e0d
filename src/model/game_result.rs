//! The result of a game and the many ways in which it is written.
//!
//! PGN standard, section 8.2.6, knows four termination markers. Archives hold more spellings; those that leave no doubt
//! are read, and said to be nonstandard.

/// Who won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `*`: unfinished or not known.
    #[default]
    Unknown,
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
}

/// Whether a result was written as the PGN standard wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// One of the four markers.
    Standard,
    /// Another spelling that can mean nothing else.
    Nonstandard,
}

impl GameResult {
    /// All four, in the order of their codes.
    pub const ALL: [GameResult; 4] = [
        GameResult::Unknown,
        GameResult::White,
        GameResult::Black,
        GameResult::Draw,
    ];

    /// The marker of the PGN standard.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The result with this code (its position in [`GameResult::ALL`]); anything else is unknown.
    pub fn from_code(code: u8) -> GameResult {
        GameResult::ALL
            .get(usize::from(code))
            .copied()
            .unwrap_or_default()
    }

    /// Reads a termination marker as it may stand in movetext. Signs that also annotate a move (`=`, `+/-`) are none.
    pub fn from_marker(text: &str) -> Option<(GameResult, Spelling)> {
        for result in GameResult::ALL {
            if text == result.as_str() {
                return Some((result, Spelling::Standard));
            }
        }
        let mut folded = String::with_capacity(16);
        for c in text.chars() {
            match c {
                ' ' | '\t' => {}
                '–' | '—' | '−' | '‐' | '‑' | ':' => folded.push('-'),
                '½' => folded.push_str("1/2"),
                '⁄' => folded.push('/'),
                c => folded.push(c),
            }
        }
        let result = match folded.trim_end_matches(['.', ',', '`', '\'']) {
            "1-0" => GameResult::White,
            "0-1" => GameResult::Black,
            "1/2-1/2" | "1/2" | "0.5-0.5" | "0,5-0,5" => GameResult::Draw,
            _ => return None,
        };
        Some((result, Spelling::Nonstandard))
    }

    /// Reads the value of a Result tag, where `=` and the forfeit signs `+/-` and `-/+` have only one meaning.
    pub fn from_tag(value: &str) -> Option<(GameResult, Spelling)> {
        let value = value.trim();
        GameResult::from_marker(value).or_else(|| {
            let result = match value {
                "=" | "=/=" => GameResult::Draw,
                "+/-" | "+:-" | "+--" => GameResult::White,
                "-/+" | "-:+" | "--+" => GameResult::Black,
                value if is_double_forfeit(value) => GameResult::Unknown,
                _ => return None,
            };
            Some((result, Spelling::Nonstandard))
        })
    }
}

/// Whether the value of a Result tag says that both sides lost by forfeit (FIDE Handbook, C.05: `0-0`, and `-/-` in
/// pairings). It is no win and no draw, and PGN has no marker for it.
pub fn is_double_forfeit(value: &str) -> bool {
    let is_dash = |c| matches!(c, '-' | '–' | '—' | '−' | '‐' | '‑' | ':');
    let folded: String = value
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| {
            if is_dash(c) {
                '-'
            } else {
                c.to_ascii_uppercase()
            }
        })
        .collect();
    matches!(folded.as_str(), "0-0" | "-/-" | "---" | "0F-0F")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_reads_back_from_its_marker() {
        for result in GameResult::ALL {
            assert_eq!(
                GameResult::from_marker(result.as_str()),
                Some((result, Spelling::Standard))
            );
            assert_eq!(GameResult::from_code(result as u8), result);
        }
    }

    #[test]
    fn spellings_without_doubt_are_read() {
        for (text, result) in [
            ("1/2", GameResult::Draw),
            ("½-½", GameResult::Draw),
            ("½–½", GameResult::Draw),
            ("1/2 - 1/2", GameResult::Draw),
            ("0.5-0.5", GameResult::Draw),
            ("1–0", GameResult::White),
            ("1:0", GameResult::White),
            ("1-0.", GameResult::White),
            ("0:1", GameResult::Black),
        ] {
            assert_eq!(
                GameResult::from_marker(text),
                Some((result, Spelling::Nonstandard)),
                "{text}"
            );
        }
        assert_eq!(GameResult::from_marker("="), None);
        assert_eq!(
            GameResult::from_tag("="),
            Some((GameResult::Draw, Spelling::Nonstandard))
        );
        assert_eq!(GameResult::from_tag("?"), None);
        for text in ["0-0", "0:0", "0–0", "0 - 0", "-/-", "-:-", "0F-0F", "0f-0f"] {
            assert_eq!(
                GameResult::from_tag(text),
                Some((GameResult::Unknown, Spelling::Nonstandard)),
                "{text}"
            );
            // In movetext this is castling.
            assert_eq!(GameResult::from_marker(text), None, "{text}");
        }
        assert_eq!(GameResult::from_tag("0-0-0"), None);
        assert_eq!(GameResult::from_tag("--"), None);
    }
}
