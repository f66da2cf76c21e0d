//! What stands between two moves, written as PGN has it.
//!
//! A score as books print it has signs of its own behind a move: `exd6 e.p.`, `Qxf7 ++`, `17.a5 (=)`, `½-½`. Where the moves
//! are written anew, the marks go with the old text, evaluations become numeric annotation glyphs (PGN standard, section
//! 8.2.4) and a result becomes the marker of the standard (section 8.2.6). Comments, numbers and all that is not
//! understood stay byte for byte.

use crate::model::game_result::{GameResult, Spelling};
use crate::notation::{each_sign, is_annotation, nag_of};
use crate::parse::{decode, spaced_marker};
use crate::split::lex;

/// Whether the termination marker was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Not yet.
    Open,
    /// What follows is no movetext.
    Over,
}

/// Writes the text behind a move up to the next word.
pub(super) fn write_between(text: &[u8], is_variation: bool, out: &mut Vec<u8>) -> End {
    let mut at = 0;
    let mut blank = 0..0;
    while let Some(&byte) = text.get(at) {
        let end = match byte {
            b if lex::is_blank(b) => {
                let len = text[at..].iter().take_while(|b| lex::is_blank(**b)).count();
                out.extend_from_slice(&text[blank]);
                blank = at..at + len;
                at += len;
                continue;
            }
            b'{' => lex::comment_end(text, at).0,
            b';' => lex::line_end(text, at),
            b'%' if lex::is_line_start(text, at) && at > 0 => lex::line_end(text, at),
            b'(' if text[at..].starts_with(b"(=)") => {
                out.extend_from_slice(&text[blank]);
                out.extend_from_slice(b"{(=)}");
                blank = 0..0;
                at += 3;
                continue;
            }
            _ if let Some((result, len)) = spaced_marker(&text[at..]).filter(|_| !is_variation) => {
                out.extend_from_slice(&text[blank]);
                out.extend_from_slice(result.as_str().as_bytes());
                out.extend_from_slice(&text[at + len..]);
                return End::Over;
            }
            _ => {
                let ends = |b: &u8| lex::is_blank(*b) || matches!(b, b'{' | b';' | b'(' | b')');
                let len = text[at..].iter().position(ends).unwrap_or(text.len() - at);
                let end = at + len.max(1);
                let word = decode(&text[at..end]);
                match GameResult::from_marker(&word).filter(|_| !is_variation) {
                    Some((result, spelling)) => {
                        out.extend_from_slice(&text[blank]);
                        match spelling {
                            Spelling::Standard => out.extend_from_slice(&text[at..end]),
                            Spelling::Nonstandard => {
                                out.extend_from_slice(result.as_str().as_bytes());
                            }
                        }
                        out.extend_from_slice(&text[end..]);
                        return End::Over;
                    }
                    None if is_annotation(&word) && !matches!(&*word, "-" | "~") => {
                        if let Some(glyphs) = glyphs(&word) {
                            out.extend_from_slice(&text[blank]);
                            out.extend_from_slice(glyphs.as_bytes());
                        }
                        blank = 0..0;
                        at = end;
                        continue;
                    }
                    None => end,
                }
            }
        };
        out.extend_from_slice(&text[blank]);
        out.extend_from_slice(&text[at..end]);
        blank = 0..0;
        at = end;
    }
    out.extend_from_slice(&text[blank]);
    End::Open
}

/// The glyphs of signs, `$18` for `+-`; `None` for marks that are part of a move.
pub(super) fn glyphs(signs: &str) -> Option<String> {
    let glyphs: Vec<String> = each_sign(signs)
        .into_iter()
        .filter_map(nag_of)
        .map(|nag| format!("${nag}"))
        .collect();
    (!glyphs.is_empty()).then(|| glyphs.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let mut out = Vec::new();
        write_between(text.as_bytes(), false, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), want, "{text}");
    }

    #[test]
    fn signs_that_stand_apart_take_their_form_of_pgn() {
        check(" e.p. 12. ", " 12. ");
        check(" ++ ", " ");
        check(" dbl ch\n", "\n");
        check(" +- {good} N ", " $18 {good} $146 ");
        check(" (=) ", " {(=)} ");
        check("  ½-½\n", "  1/2-1/2\n");
        check(" 1 - 0 (time)\n", " 1-0 (time)\n");
        check(" 1-0 e.p.", " 1-0 e.p.");
    }

    #[test]
    fn what_is_no_sign_stays() {
        for text in [
            " 12. ",
            " $14 {e.p. +-} ; ++\n 3... ",
            "",
            " * ",
            " resigns ",
            "\n%++\n",
        ] {
            check(text, text);
        }
    }
}
