//! PGN to PGN in another notation: the text of moves changes, and signs behind them take the form that PGN has for them
//! (`between.rs`); everything else stays byte for byte.
//!
//! A word that is no legal move stays as it is, and so does the rest of its line, because nothing
//! after it can be read. A game in the letters of another language than was said stays as it is
//! from the first move that could be wrong.

use shakmaty::variant::VariantPosition;

use crate::export::between::{glyphs, write_between};
use crate::model::diagnostic::{Class, Note, Severity};
use crate::model::playable::Playable;
use crate::notation::{GameReading, OutputNotation, strip_annotations};
use crate::parse::header::read_header;
use crate::parse::{GameReader, RawGame, Word, WordKind, decode};
use crate::replay::{LineEvent, Replayed, Scrutiny, Status, replay, start_position, walk_lines};

/// A piece of PGN, converted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// The new text.
    pub bytes: Vec<u8>,
    /// Words that were left as they are, at their offsets in the old text.
    pub notes: Vec<Note>,
    /// Games read.
    pub n_games: usize,
}

/// Converts the games of a chunk.
pub fn convert(bytes: &[u8], from: impl Into<GameReading>, to: OutputNotation) -> Converted {
    let from = from.into();
    let mut reader = GameReader::new(bytes, from.first());
    let mut raw = RawGame::default();
    let mut converted = Converted::default();
    let mut copied = 0;
    while reader.read(&mut raw) {
        converted.n_games += 1;
        let moves = moves_of(bytes, &mut raw, from, to, &mut converted.notes);
        let out = &mut converted.bytes;
        let mut words = raw.words.iter().peekable();
        let mut depth = 0_u32;
        for (word, text) in moves {
            while let Some(other) = words.next_if(|other| other.start < word.start) {
                match other.kind {
                    WordKind::Open => depth += 1,
                    WordKind::Close => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            words.next();
            out.extend_from_slice(&bytes[copied..word.start]);
            out.extend_from_slice(text.as_bytes());
            write_signs(&bytes[word.range()], out);
            copied = word.range().end;
            // What stands behind a move that could be read belongs to it, up to the next word.
            let end = words.peek().map_or(raw.range.end, |next| next.start);
            if copied <= end {
                write_between(&bytes[copied..end], depth > 0, out);
                copied = end;
            }
        }
    }
    converted.bytes.extend_from_slice(&bytes[copied..]);
    converted
}

/// Writes the signs that are glued to a move. Assessments belong to the annotator, not to the notation, so they stay; other
/// signs become glyphs.
fn write_signs(word: &[u8], out: &mut Vec<u8>) {
    let word = decode(word);
    let (_, signs) = strip_annotations(&word);
    let rest = signs.trim_start_matches(['!', '?']);
    out.extend_from_slice(&signs.as_bytes()[..signs.len() - rest.len()]);
    if let Some(glyphs) = glyphs(rest) {
        out.push(b' ');
        out.extend_from_slice(glyphs.as_bytes());
    }
}

/// New texts for the words of a game, in their order.
fn moves_of(
    bytes: &[u8],
    raw: &mut RawGame,
    from: GameReading,
    to: OutputNotation,
    notes: &mut Vec<Note>,
) -> Vec<(Word, String)> {
    let header = read_header(bytes, raw);
    let replayed = replay(bytes, raw, &header, from, Scrutiny::Moves, &mut ());
    let lost = raw
        .notes
        .iter()
        .filter(|note| note.severity == Severity::Error);
    notes.extend(lost.copied());
    if replayed.status == Status::Rejected {
        return Vec::new();
    }
    match start_position(bytes, raw, &header).map(|start| start.pos) {
        Ok(VariantPosition::Chess(start)) => written(bytes, raw, start, replayed, to, notes),
        Ok(start) => written(bytes, raw, start, replayed, to, notes),
        Err(_) => Vec::new(),
    }
}

/// New texts for the words of a game that begins at `start`.
fn written<P: Playable>(
    bytes: &[u8],
    raw: &RawGame,
    start: P,
    replayed: Replayed,
    to: OutputNotation,
    notes: &mut Vec<Note>,
) -> Vec<(Word, String)> {
    let is_foreign = raw
        .notes
        .iter()
        .any(|note| note.class == Class::ForeignLetters);
    let mut plies = 0;
    let mut moves = Vec::new();
    walk_lines(bytes, raw, start, replayed.reading, |event| match event {
        LineEvent::Move {
            line,
            word,
            before,
            played,
            ..
        } => {
            plies += u32::from(line.is_none());
            let is_certain = if line.is_none() {
                plies <= replayed.plies
            } else {
                !is_foreign
            };
            if is_certain {
                moves.push((word, to.write(played, before)));
            }
        }
        LineEvent::Bad {
            line: Some(_),
            word,
        } if !is_foreign => {
            notes.push(Note::warning(
                Class::IllegalMoveInVariation,
                word.start,
                word.len as usize,
            ));
        }
        LineEvent::Bad { .. } | LineEvent::Begin { .. } => {}
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Language, Reading};

    fn check(text: &str, lang: Option<&str>, to: &str, want: &str) {
        let from = Reading {
            form: None,
            language: lang.and_then(Language::from_code),
        };
        let to = to.parse().expect("a notation");
        let converted = convert(text.as_bytes(), from, to);
        assert_eq!(String::from_utf8_lossy(&converted.bytes), want);
    }

    #[test]
    fn only_moves_change() {
        check(
            "[White \"Nf3\"]\n\n1. e4 $1 e5 {Nf3!} 2. Nf3!? (2. f4 exf4 (2... d5) 3. Nf3 ) Nc6 1-0\n",
            None,
            "de",
            "[White \"Nf3\"]\n\n1. e4 $1 e5 {Nf3!} 2. Sf3!? (2. f4 exf4 (2... d5) 3. Sf3 ) Sc6 1-0\n",
        );
        check(
            "[A \"b\"]\n1.Sf3 Sf6 *",
            Some("de"),
            "uci",
            "[A \"b\"]\n1.g1f3 g8f6 *",
        );
        check(
            "[A \"b\"]\n1. e4 e5 2. Nf3 *",
            None,
            "long:nl",
            "[A \"b\"]\n1. e2-e4 e7-e5 2. Pg1-f3 *",
        );
    }

    #[test]
    fn what_cannot_be_read_stays() {
        check(
            "[A \"b\"]\n1. e4 e5 2. Nf6 Nc3 *",
            None,
            "uci",
            "[A \"b\"]\n1. e2e4 e7e5 2. Nf6 Nc3 *",
        );
        check(
            "[A \"b\"]\n1. e4 (1. Nf9 d5) e5 *",
            None,
            "uci",
            "[A \"b\"]\n1. e2e4 (1. Nf9 d5) e7e5 *",
        );
        check(
            "[A \"b\"]\n1. e4 Sf6 2. e5 *",
            None,
            "uci",
            "[A \"b\"]\n1. e2e4 Sf6 2. e5 *",
        );
    }
}
