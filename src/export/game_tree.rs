//! A game as a tree of moves with everything an annotator wrote: what a board with a move list is drawn from.
//!
//! Import and search have no use for comments and glyphs, so the reader skips them. They are read here, from the text
//! between the words that it did keep, and hung on the moves around them.

use std::collections::HashMap;

use serde::Serialize;

use crate::index::replay_stored;
use crate::model::diagnostic::Severity;
use crate::model::fen::write_fen;
use crate::notation::{
    Form, OutputNotation, Reading, each_sign, is_annotation, nag_of, strip_annotations,
};
use crate::parse::{RawGame, WordKind, decode};
use crate::replay::{LineEvent, Score, Status, canonical_san, start_position, uci, walk_lines};
use crate::search::{Opening, StoredGame, TagMap, opening_on};
use crate::split::lex;

/// Deepest variation that is shown. A tree is as deep as its variations nest, and whoever reads or drops it may use the
/// stack for that; no annotator nests further.
const MAX_DEPTH: usize = 64;

/// A game, move by move.
///
/// ```json
/// {"id":0,"source":"club.pgn","game":0,"status":"ok","variant":"standard","tags":{"White":"Anderssen"},"result":"1-0",
///  "plies":1,"start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
///  "final_fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
///  "opening":{"eco":"B00","name":"King's Pawn Game"},"comments":["a friendly game"],
///  "moves":[{"ply":1,"san":"e4","uci":"e2e4","text":"e4","fen":"…","comments":["best by test"],"nags":[1],
///            "variations":[[{"ply":1,"san":"d4","uci":"d2d4","text":"d4","fen":"…"}]]}]}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameTree {
    /// Number of the game in the index; none for a game that is in no index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Name of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its number there, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// `ok`, `partial` when it was cut at a bad move, or `rejected` when nothing of it can be played.
    pub status: &'static str,
    /// The rules.
    pub variant: &'static str,
    /// Tags in their order.
    pub tags: TagMap,
    /// The result.
    pub result: &'static str,
    /// Plies of the main line.
    pub plies: u32,
    /// Position at ply 0; empty for a rejected game.
    pub start_fen: String,
    /// Position after the last ply.
    pub final_fen: String,
    /// What cut the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// The deepest named position.
    pub opening: Option<Opening>,
    /// Comments before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The main line.
    pub moves: Vec<GameMove>,
}

/// A move of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameMove {
    /// Ply of the position after it.
    pub ply: u32,
    /// Canonical SAN.
    pub san: String,
    /// UCI.
    pub uci: String,
    /// In the notation that was asked for.
    pub text: String,
    /// The position after it.
    pub fen: String,
    /// Comments before the first move of a variation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments_before: Vec<String>,
    /// Comments after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Lines that could have been played instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Vec<GameMove>>,
}

/// What cut a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Its class, as in import reports.
    pub class: &'static str,
    /// The word that could not be read.
    pub token: String,
    /// The ply that it would have led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
}

impl GameTree {
    /// The tree of a stored game.
    pub fn of(game: &StoredGame, notation: Option<OutputNotation>) -> Option<GameTree> {
        let tree = GameTree::read(game.bytes(), game.reading(), notation)?;
        Some(GameTree {
            id: Some(game.address().id),
            source: Some(game.source().to_owned()),
            game: Some(game.address().game),
            ..tree
        })
    }

    /// The tree of the first game of a text; `None` when there is none.
    pub fn read(
        bytes: &[u8],
        reading: Reading,
        notation: Option<OutputNotation>,
    ) -> Option<GameTree> {
        let mut score = Score::default();
        let (raw, header, replayed) = replay_stored(bytes, reading, &mut score)?;
        let notation = notation.unwrap_or(OutputNotation {
            form: Form::San,
            language: None,
        });
        let start = start_position(bytes, &raw, &header).ok();
        let mut played = HashMap::new();
        if let Some(start) = start.filter(|_| replayed.status != Status::Rejected) {
            let mut main = 0;
            walk_lines(bytes, &raw, start.pos, replayed.reading, |event| {
                if let LineEvent::Move {
                    line,
                    word,
                    before,
                    played: m,
                    after,
                } = event
                {
                    main += u32::from(line.is_none());
                    if line.is_some() || main <= replayed.plies {
                        played.insert(
                            word.start,
                            GameMove {
                                san: canonical_san(before, m, after),
                                uci: uci(before, m),
                                text: notation.write(m, before),
                                fen: write_fen(after),
                                ..GameMove::default()
                            },
                        );
                    }
                }
            });
        }
        let mut builder = Builder {
            bytes,
            raw: &raw,
            levels: vec![Level::default()],
            comments: Vec::new(),
            n_too_deep: 0,
        };
        builder.build(&mut played);
        let moves = builder.levels.swap_remove(0).moves;
        let comments = builder.comments;
        let problem = raw
            .notes
            .iter()
            .find(|note| note.severity == Severity::Error && replayed.status != Status::Ok)
            .map(|note| Problem {
                class: note.class.as_str(),
                token: decode(
                    bytes
                        .get(note.offset..note.offset + note.len as usize)
                        .unwrap_or_default(),
                )
                .chars()
                .take(60)
                .collect(),
                ply: note.ply,
            });
        let mut tags = TagMap::new();
        for tag in &raw.tags {
            let name = decode(&bytes[tag.name.clone()]).into_owned();
            tags.insert(name, raw.tag_value(bytes, tag).into());
        }
        Some(GameTree {
            id: None,
            source: None,
            game: None,
            status: replayed.status.as_str(),
            variant: replayed.variant.as_str(),
            tags,
            result: header.result.as_str(),
            plies: replayed.plies,
            start_fen: score.positions.first().map(write_fen).unwrap_or_default(),
            final_fen: score.positions.last().map(write_fen).unwrap_or_default(),
            problem,
            opening: opening_on(&score.positions, replayed.variant),
            comments,
            moves,
        })
    }
}

/// A line that is being built.
#[derive(Default)]
struct Level {
    /// Ply of the position that it begins from.
    ply: u32,
    moves: Vec<GameMove>,
    /// Comments before its first move.
    before: Vec<String>,
    /// A word of it was no move, so that nothing after it is shown.
    ended: bool,
}

struct Builder<'a> {
    bytes: &'a [u8],
    raw: &'a RawGame,
    /// The main line and the variations that are open.
    levels: Vec<Level>,
    comments: Vec<String>,
    /// Variations that are open beyond the deepest one that is shown.
    n_too_deep: u32,
}

impl Builder<'_> {
    fn build(&mut self, played: &mut HashMap<usize, GameMove>) {
        let mut at = self
            .raw
            .tags
            .last()
            .map_or(self.raw.range.start, |tag| tag.value.end);
        for word in &self.raw.words {
            // What was no move may be a comment or hold a sign, and what came to stand before the first move is a number.
            if word.kind == WordKind::Skipped || word.start < at {
                continue;
            }
            self.remark(at..word.start);
            at = word.range().end;
            match word.kind {
                WordKind::Open if self.n_too_deep > 0 || self.levels.len() > MAX_DEPTH => {
                    self.n_too_deep += 1;
                }
                WordKind::Close if self.n_too_deep > 0 => self.n_too_deep -= 1,
                WordKind::Move | WordKind::Unread if self.n_too_deep > 0 => {}
                WordKind::Skipped => {}
                WordKind::Unread => {
                    if let Some(level) = self.levels.last_mut() {
                        level.ended = true;
                    }
                }
                WordKind::Open => {
                    let level = self.levels.last();
                    let ply = level
                        .map_or(0, |l| l.ply + l.moves.len() as u32)
                        .saturating_sub(1);
                    // What begins after a word that is no move hangs on nothing.
                    let ended = level.is_none_or(|l| l.ended || l.moves.is_empty());
                    self.levels.push(Level {
                        ply,
                        ended,
                        ..Level::default()
                    });
                }
                WordKind::Close => self.close(),
                WordKind::Move => {
                    let Some(level) = self.levels.last_mut() else {
                        return;
                    };
                    match played.remove(&word.start).filter(|_| !level.ended) {
                        Some(mut m) => {
                            m.ply = level.ply + level.moves.len() as u32 + 1;
                            m.comments_before = std::mem::take(&mut level.before);
                            m.nags.extend(suffix_glyphs(&self.bytes[word.range()]));
                            level.moves.push(m);
                        }
                        None => level.ended = true,
                    }
                }
            }
        }
        self.remark(at..self.raw.range.end.max(at));
        while self.levels.len() > 1 {
            self.close();
        }
    }

    /// Ends the innermost variation and hangs it on the move that it replaces.
    fn close(&mut self) {
        if self.levels.len() < 2 {
            return;
        }
        let line = self.levels.pop().map(|level| level.moves);
        if let (Some(line), Some(level)) = (line.filter(|l| !l.is_empty()), self.levels.last_mut())
            && let Some(last) = level.moves.last_mut()
        {
            last.variations.push(line);
        }
    }

    /// Reads the comments and glyphs of the text between two words.
    fn remark(&mut self, range: std::ops::Range<usize>) {
        let bytes = self.bytes;
        let mut at = range.start;
        while at < range.end {
            match bytes[at] {
                b'{' => {
                    let (end, closed) = lex::comment_end(bytes, at);
                    let inner = at + 1..end - usize::from(closed == lex::Closed::Yes);
                    self.comment(inner.start..inner.end.max(inner.start));
                    at = end;
                }
                b';' => {
                    let end = lex::line_end(bytes, at);
                    self.comment(at + 1..end);
                    at = end;
                }
                b'%' if lex::is_line_start(bytes, at) => at = lex::line_end(bytes, at),
                b'$' => {
                    let digits = bytes[at + 1..range.end]
                        .iter()
                        .take_while(|b| b.is_ascii_digit())
                        .count();
                    let number = std::str::from_utf8(&bytes[at + 1..at + 1 + digits]);
                    self.glyph(number.ok().and_then(|number| number.parse().ok()));
                    at += 1 + digits;
                }
                byte if lex::is_blank(byte) => at += 1,
                _ => {
                    let ends = |b: &u8| lex::is_blank(*b) || matches!(b, b'{' | b';' | b'$');
                    let len = bytes[at..range.end].iter().position(ends);
                    let end = len.map_or(range.end, |len| at + len.max(1));
                    let word = decode(&bytes[at..end]);
                    if is_annotation(&word) {
                        for sign in each_sign(&word) {
                            self.glyph(nag_of(sign));
                        }
                    }
                    at = end;
                }
            }
        }
    }

    fn comment(&mut self, range: std::ops::Range<usize>) {
        let text = decode(&self.bytes[range]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let n_levels = self.levels.len();
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        if text.is_empty() || level.ended || self.n_too_deep > 0 {
            return;
        }
        match level.moves.last_mut() {
            Some(last) => last.comments.push(text),
            None if n_levels == 1 => self.comments.push(text),
            None => level.before.push(text),
        }
    }

    fn glyph(&mut self, nag: Option<u8>) {
        if self.n_too_deep == 0
            && let Some(level) = self.levels.last_mut().filter(|level| !level.ended)
            && let Some(last) = level.moves.last_mut()
        {
            last.nags.extend(nag);
        }
    }
}

/// The glyphs of the signs that are glued to a move.
fn suffix_glyphs(word: &[u8]) -> Vec<u8> {
    let word = decode(word);
    let (_, signs) = strip_annotations(&word);
    each_sign(signs).into_iter().filter_map(nag_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> GameTree {
        GameTree::read(text.as_bytes(), Reading::default(), None).expect("a game")
    }

    /// The tree as a line: moves with glyphs, comments and variations.
    fn line(moves: &[GameMove]) -> String {
        let texts = moves.iter().map(|m| {
            let braced = |comment: &String| format!("{{{comment}}}");
            let mut words: Vec<String> = m.comments_before.iter().map(braced).collect();
            words.push(format!("{}.{}", m.ply, m.san));
            words.extend(m.nags.iter().map(|nag| format!("${nag}")));
            words.extend(m.comments.iter().map(braced));
            words.extend(
                m.variations
                    .iter()
                    .map(|moves| format!("({})", line(moves))),
            );
            words.join(" ")
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(line(&tree(text).moves), want, "{text}");
    }

    #[test]
    fn remarks_hang_on_the_moves_around_them() {
        check(
            "1. e4! {one} $14 e5 ; two\n 2. Nf3 ({three} 2. f4 exf4 (2... d5 $6) 3. Nf3) {four} Nc6?! += *",
            "1.e4 $1 $14 {one} 2.e5 {two} 3.Nf3 {four} ({three} 3.f4 4.exf4 (4.d5 $6) 5.Nf3) 4.Nc6 $6 $14",
        );
        let game = tree("[White \"A {b}\"]\n\n{first}{second} 1. e4 *");
        assert_eq!(game.comments, ["first", "second"]);
        assert_eq!(game.tags["White"], "A {b}");
        check("1. e4 {a\n  b} 1-0 {resigns}", "1.e4 {a b} {resigns}");
    }

    #[test]
    fn a_line_ends_at_its_first_bad_word() {
        check(
            "1. e4 (1. d4 Ke5 2. c4 (2. Nf3)) e5 2. Ke3 {x} (2. d4) Nc6 *",
            "1.e4 (1.d4) 2.e5",
        );
        let game = tree("1. e4 e5 2. Ke3 *");
        let problem = game.problem.expect("a problem");
        assert_eq!(
            (game.status, problem.class, problem.ply),
            ("partial", "illegal_move", Some(3))
        );
        assert_eq!(problem.token, "Ke3");
        // The letters are those of another language from the second move on, though `d4` can be read.
        check("1. e4 Sf6 2. d4 *", "1.e4");
        assert_eq!(tree("[FEN \"x\"]\n\n1. e4 *").status, "rejected");
        check("[FEN \"x\"]\n\n1. e4 *", "");
    }

    #[test]
    fn nesting_is_cut_where_it_gets_absurd() {
        let n = 100_000;
        let text = format!("1. e4 {} 1. d4 {} e5 *", "(1. d4 ".repeat(n), ")".repeat(n));
        let mut depth = 0;
        let game = tree(&text);
        let mut moves = &game.moves;
        while let Some(variation) = moves[0].variations.first() {
            (moves, depth) = (variation, depth + 1);
        }
        assert_eq!((depth, game.moves.len()), (MAX_DEPTH, 2));
    }
}
