//! All lines of a game, main line and variations, in the order of their words.

use shakmaty::{Chess, Position};

use crate::model::move_token::MoveToken;
use crate::model::position_key::PositionKey;
use crate::notation::{PlayedMove, Reading};
use crate::parse::header::Header;
use crate::parse::{RawGame, Word, WordKind};
use crate::replay::{check_in, move_token, pass, resolve, start_position};

/// The moves of one variation, its own variations left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariationLine {
    /// The ply of the position that it begins from.
    pub branch_ply: u32,
    /// Keys of the positions after each move, in the scope of variations.
    pub keys: Vec<u64>,
    /// The moves.
    pub moves: Vec<MoveToken>,
}

pub(super) fn has_variations(game: &RawGame) -> bool {
    game.words.iter().any(|word| word.kind == WordKind::Open)
}

/// Plays the variations of a game that was replayed, in the order in which they begin.
pub fn play_variations(
    bytes: &[u8],
    game: &RawGame,
    header: &Header,
    reading: Reading,
) -> Vec<VariationLine> {
    let mut lines: Vec<VariationLine> = Vec::new();
    if !has_variations(game) {
        return lines;
    }
    let Some(variant) = header.variant.filter(|v| v.is_supported()) else {
        return lines;
    };
    let Ok(start) = start_position(bytes, game, header) else {
        return lines;
    };
    walk_lines(bytes, game, start.pos, reading, |event| match event {
        LineEvent::Begin { branch_ply } => lines.push(VariationLine {
            branch_ply,
            ..VariationLine::default()
        }),
        LineEvent::Move {
            line: Some(line),
            played,
            after,
            ..
        } => {
            if let Some(line) = lines.get_mut(line) {
                line.keys
                    .push(PositionKey::of(after, variant).in_variation().0);
                line.moves.push(move_token(played, after, check_in(after)));
            }
        }
        LineEvent::Move { line: None, .. } | LineEvent::Bad { .. } => {}
    });
    lines
}

/// What happens on a walk through all lines of a game.
#[derive(Debug)]
pub enum LineEvent<'a> {
    /// The next variation begins from the position at this ply.
    Begin {
        /// The ply of the position that it begins from.
        branch_ply: u32,
    },
    /// A move was played.
    Move {
        /// Number of the variation, from 0 in the order in which they begin; none for the main line.
        line: Option<usize>,
        /// The word that names it.
        word: Word,
        /// Where it was played.
        before: &'a Chess,
        /// The move.
        played: PlayedMove,
        /// Where it led.
        after: &'a Chess,
    },
    /// A word is no legal move; the line is cut here.
    Bad {
        /// Number of the variation; none for the main line.
        line: Option<usize>,
        /// The word.
        word: Word,
    },
}

/// One level of the variation tree while it is walked.
struct Level {
    pos: Chess,
    ply: u32,
    /// The position before the last move, where a variation of this level begins.
    previous: Chess,
    line: Option<usize>,
    dead: bool,
}

/// The deepest nesting of variations that is played. A level takes some 300 bytes, so that a file of nothing but opening
/// parentheses would take a hundred times its size.
const MAX_DEPTH: usize = 1 << 16;

/// Plays main line and variations in the order of their words. The stack is on the heap, because
/// variations nest as deep as their author likes; beyond 65,536 levels they are skipped.
pub fn walk_lines(
    bytes: &[u8],
    game: &RawGame,
    start: Chess,
    reading: Reading,
    mut tell: impl FnMut(LineEvent<'_>),
) {
    let mut n_lines = 0;
    // Levels that are open beyond the deepest one that is played.
    let mut n_too_deep = 0u32;
    let mut levels = vec![Level {
        previous: start.clone(),
        pos: start,
        ply: 0,
        line: None,
        dead: false,
    }];
    for word in &game.words {
        let n_levels = levels.len();
        let Some(level) = levels.last_mut() else {
            return;
        };
        match word.kind {
            WordKind::Open if n_too_deep > 0 || n_levels >= MAX_DEPTH => n_too_deep += 1,
            WordKind::Close if n_too_deep > 0 => n_too_deep -= 1,
            WordKind::Move if n_too_deep > 0 => {}
            WordKind::Open => {
                let (pos, dead) = (level.previous.clone(), level.dead);
                let ply = level.ply.saturating_sub(1);
                tell(LineEvent::Begin { branch_ply: ply });
                levels.push(Level {
                    previous: pos.clone(),
                    pos,
                    ply,
                    line: Some(n_lines),
                    dead,
                });
                n_lines += 1;
            }
            WordKind::Close => {
                levels.pop();
            }
            WordKind::Move if level.dead => {}
            WordKind::Move => {
                let before = level.pos.clone();
                let played = match resolve(&bytes[word.range()], &before, reading) {
                    Ok(PlayedMove::Move(m)) => {
                        level.pos.play_unchecked(m);
                        PlayedMove::Move(m)
                    }
                    Ok(PlayedMove::Null) if !before.is_check() => {
                        pass(&mut level.pos);
                        PlayedMove::Null
                    }
                    _ => {
                        level.dead = true;
                        tell(LineEvent::Bad {
                            line: level.line,
                            word: *word,
                        });
                        continue;
                    }
                };
                level.previous = before;
                level.ply += 1;
                tell(LineEvent::Move {
                    line: level.line,
                    word: *word,
                    before: &level.previous,
                    played,
                    after: &level.pos,
                });
            }
        }
    }
}
