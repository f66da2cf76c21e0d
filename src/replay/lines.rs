//! All lines of a game, main line and variations, in the order of their words.

use shakmaty::variant::VariantPosition;

use crate::model::move_token::MoveToken;
use crate::model::playable::Playable;
use crate::model::position_key::PositionKey;
use crate::model::variant::Variant;
use crate::notation::{PlayedMove, Reading};
use crate::parse::header::Header;
use crate::parse::{RawGame, Word, WordKind};
use crate::replay::{check_in, move_token, pass, resolve, start_position};

/// The moves of one variation, its own variations left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariationLine {
    /// The ply of the position that it begins from.
    pub from_ply: u32,
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
    let (true, Some(variant)) = (has_variations(game), header.variant) else {
        return Vec::new();
    };
    match start_position(bytes, game, header).map(|start| start.pos) {
        Ok(VariantPosition::Chess(start)) => play_from(bytes, game, start, variant, reading),
        Ok(start) => play_from(bytes, game, start, variant, reading),
        Err(_) => Vec::new(),
    }
}

fn play_from<P: Playable>(
    bytes: &[u8],
    game: &RawGame,
    start: P,
    variant: Variant,
    reading: Reading,
) -> Vec<VariationLine> {
    let mut lines: Vec<VariationLine> = Vec::new();
    walk_lines(bytes, game, start, reading, |event| match event {
        LineEvent::Begin { from_ply, .. } => lines.push(VariationLine {
            from_ply,
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
pub enum LineEvent<'a, P> {
    /// The next variation begins.
    Begin {
        /// The ply of the position that it begins from.
        from_ply: u32,
        /// The ply of the main line at which it, or the variation that it is part of, leaves the main line.
        branch_ply: u32,
    },
    /// A move was played.
    Move {
        /// Number of the variation, from 0 in the order in which they begin; none for the main line.
        line: Option<usize>,
        /// The word that names it.
        word: Word,
        /// Where it was played.
        before: &'a P,
        /// The move.
        played: PlayedMove,
        /// Where it led.
        after: &'a P,
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
struct Level<P> {
    pos: P,
    ply: u32,
    /// Where the variation left the main line; none in the main line.
    branch_ply: Option<u32>,
    /// The position before the last move, where a variation of this level begins.
    previous: P,
    line: Option<usize>,
    dead: bool,
}

/// The deepest nesting of variations that is played. A level takes some 300 bytes, so that a file of nothing but opening
/// parentheses would take a hundred times its size.
const MAX_DEPTH: usize = 1 << 16;

/// Plays main line and variations in the order of their words. The stack is on the heap, because
/// variations nest as deep as their author likes; beyond 65,536 levels they are skipped.
pub fn walk_lines<P: Playable>(
    bytes: &[u8],
    game: &RawGame,
    start: P,
    reading: Reading,
    mut tell: impl FnMut(LineEvent<'_, P>),
) {
    let mut n_lines = 0;
    // Levels that are open beyond the deepest one that is played.
    let mut n_too_deep = 0u32;
    let mut levels = vec![Level {
        previous: start.clone(),
        pos: start,
        ply: 0,
        branch_ply: None,
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
            WordKind::Skipped => {}
            WordKind::Move | WordKind::Unread if n_too_deep > 0 => {}
            WordKind::Open => {
                let (pos, dead) = (level.previous.clone(), level.dead);
                let from_ply = level.ply.saturating_sub(1);
                let branch_ply = level.branch_ply.unwrap_or(from_ply);
                tell(LineEvent::Begin {
                    from_ply,
                    branch_ply,
                });
                levels.push(Level {
                    previous: pos.clone(),
                    pos,
                    ply: from_ply,
                    branch_ply: Some(branch_ply),
                    line: Some(n_lines),
                    dead,
                });
                n_lines += 1;
            }
            WordKind::Close => {
                levels.pop();
            }
            WordKind::Move | WordKind::Unread if level.dead => {}
            WordKind::Unread => {
                level.dead = true;
                tell(LineEvent::Bad {
                    line: level.line,
                    word: *word,
                });
            }
            WordKind::Move => {
                let before = level.pos.clone();
                let played = match resolve(&bytes[word.range()], &before, reading) {
                    Ok(PlayedMove::Move(m)) => {
                        level.pos.play_legal(m);
                        PlayedMove::Move(m)
                    }
                    Ok(PlayedMove::Null) if before.passed().is_some() => {
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
