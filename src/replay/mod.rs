//! Raw games to played games: every move is resolved on a board, and every position gets its key.
//!
//! The rule for bad games, in one place: nothing is guessed. The first move that is illegal, ambiguous or in foreign
//! letters ends the game there; the legal moves before it are kept (`Partial`), nothing after it is played. A game whose
//! FEN is no position, or whose variant is not known, has no moves to keep (`Rejected`). Variations are commentary: a
//! bad move in one cuts that variation and leaves the main line alone.
//!
//! Replay takes the words that `parse` found in a second pass instead of being a visitor of the first: the words of a
//! game are in the cache anyway, and one reader can serve importing, exporting and verifying.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{Chess, Position};

use crate::model::diagnostic::{Class, Note};
use crate::model::fen::{FenUse, read_fen};
use crate::model::move_token::{Check, MoveToken};
use crate::model::position_key::{PositionKey, RunningKey};
use crate::model::variant::Variant;
use crate::notation::{self, MoveError, PlayedMove, Reading};
use crate::parse::header::Header;
use crate::parse::word::is_null_move;
use crate::parse::{RawGame, Word, WordKind};

/// The longest game that is kept, in plies. No game under the 75-move rule comes near (FIDE Laws, article 9.6.2).
pub const MAX_PLIES: u32 = 65_000;

/// How much of a game could be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// All of it.
    #[default]
    Ok,
    /// The moves up to a bad one.
    Partial,
    /// None; the game is not indexed.
    Rejected,
}

impl Status {
    /// The name in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Partial => "partial",
            Status::Rejected => "rejected",
        }
    }
}

/// What to look at besides the moves of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scrutiny {
    /// Nothing: the fast way.
    Moves,
    /// Variations and the spelling of each move too, for a report.
    Everything,
}

/// Sees a game go by.
pub trait PlyVisitor {
    /// The position at ply 0.
    fn start(&mut self, pos: &Chess, key: PositionKey);

    /// One ply: `played` leads from `before` to `after`.
    fn ply(&mut self, before: &Chess, played: PlayedMove, after: &Chess, key: PositionKey);
}

/// What came of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How much could be played.
    pub status: Status,
    /// The rules; standard for a rejected game of an unknown variant.
    pub variant: Variant,
    /// Number of plies played.
    pub plies: u32,
}

/// Plays the main line of `game` before `visitor` and adds notes to the game.
pub fn replay(
    bytes: &[u8],
    game: &mut RawGame,
    header: &Header,
    reading: Reading,
    scrutiny: Scrutiny,
    visitor: &mut impl PlyVisitor,
) -> Replayed {
    let Some((mut pos, variant)) = start_position(bytes, game, header) else {
        let variant = header.variant.unwrap_or_default();
        return Replayed { status: Status::Rejected, variant, plies: 0 };
    };
    let start = (scrutiny == Scrutiny::Everything).then(|| pos.clone());
    let mut status = if game.cut { Status::Partial } else { Status::Ok };
    let mut running = RunningKey::new(&pos, variant);
    visitor.start(&pos, PositionKey::of(&pos, variant));
    let mut plies = 0;
    let mut depth = 0u32;
    let RawGame { words, notes, .. } = game;
    for word in words.iter() {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth -= 1,
            WordKind::Move if depth > 0 => {}
            WordKind::Move => {
                let text = &bytes[word.range()];
                let played = if plies < MAX_PLIES { resolve(text, &pos, reading).map_err(class_of) } else { Err(Class::Truncated) };
                let before = pos.clone();
                let key = match played.and_then(|played| play(&mut pos, played).map(|()| played)) {
                    Ok(PlayedMove::Move(m)) => running.play(&before, m, &pos),
                    Ok(PlayedMove::Null) => {
                        notes.push(note(Note::warning, Class::NullMove, *word, plies));
                        running.pass(&pos, variant)
                    }
                    Err(class) => {
                        notes.push(note(Note::error, class, *word, plies));
                        status = Status::Partial;
                        break;
                    }
                };
                let played = played.unwrap_or(PlayedMove::Null);
                plies += 1;
                if scrutiny == Scrutiny::Everything {
                    check_spelling(text, &before, played, &pos, |class| {
                        notes.push(note(Note::warning, class, *word, plies - 1));
                    });
                }
                visitor.ply(&before, played, &pos, key);
            }
        }
    }
    if let Some(start) = start {
        check_variations(bytes, game, start, reading);
    }
    Replayed { status, variant, plies }
}

fn note(make: fn(Class, usize, usize) -> Note, class: Class, word: Word, plies: u32) -> Note {
    make(class, word.start, word.len as usize).at_ply(plies + 1)
}

/// The position a game begins with and the rules it follows; `None` rejects the game, with a note.
fn start_position(bytes: &[u8], game: &mut RawGame, header: &Header) -> Option<(Chess, Variant)> {
    let variant = header.variant.filter(|v| v.is_supported())?;
    let Some(idx) = header.fen_tag else { return Some((Chess::default(), variant)) };
    let tag = &game.tags[idx];
    let (at, len) = (tag.name.start, tag.value.end - tag.name.start);
    match read_fen(&game.tag_value(bytes, tag), FenUse::Tag) {
        Ok(read) => {
            if read.castling_dropped {
                game.notes.push(Note::warning(Class::FenCastlingDropped, at, len));
            }
            if read.ep_dropped {
                game.notes.push(Note::warning(Class::FenEpDropped, at, len));
            }
            Some((read.pos, variant))
        }
        Err(_) => {
            game.notes.push(Note::error(Class::BadFen, at, len));
            None
        }
    }
}

/// The move that a word means in a position. Plain SAN takes the fast way; only what that cannot play is read as any of
/// the other forms.
pub fn resolve(text: &[u8], pos: &Chess, reading: Reading) -> Result<PlayedMove, MoveError> {
    if reading == Reading::default()
        && let Ok((san, used)) = San::from_ascii_prefix(text)
        && text[used..].iter().all(|b| matches!(b, b'+' | b'#' | b'!' | b'?'))
        && let Ok(m) = san.to_move(pos)
    {
        return Ok(PlayedMove::Move(m));
    }
    let Ok(text) = std::str::from_utf8(text) else { return Err(MoveError::IllegalMove) };
    if is_null_move(text.trim_end_matches(['!', '?'])) {
        return Ok(PlayedMove::Null);
    }
    notation::read(text, pos, reading)
}

fn class_of(error: MoveError) -> Class {
    match error {
        MoveError::AmbiguousMove => Class::AmbiguousMove,
        MoveError::ForeignLetters => Class::ForeignLetters,
        MoveError::IllegalMove | MoveError::NotAMove => Class::IllegalMove,
    }
}

/// Plays a move. A null move is legal unless it leaves the king in check, as nothing else would be.
fn play(pos: &mut Chess, played: PlayedMove) -> Result<(), Class> {
    match played {
        PlayedMove::Move(m) => pos.play_unchecked(m),
        PlayedMove::Null => *pos = pos.clone().swap_turn().map_err(|_| Class::IllegalMove)?,
    }
    Ok(())
}

/// The token of a move, with the check it gives.
pub fn move_token(before: &Chess, played: PlayedMove, after: &Chess) -> MoveToken {
    match played {
        PlayedMove::Null => MoveToken::null(before.turn()),
        PlayedMove::Move(m) => {
            let check = match after.is_check() {
                false => Check::None,
                true if after.legal_moves().is_empty() => Check::Mate,
                true => Check::Check,
            };
            MoveToken::new(before.turn(), m, check)
        }
    }
}

/// The canonical SAN of a move (PGN standard, section 8.2.3), with `+` or `#`.
pub fn canonical_san(before: &Chess, played: PlayedMove, after: &Chess) -> String {
    match played {
        PlayedMove::Null => "--".to_owned(),
        PlayedMove::Move(m) => {
            SanPlus { san: San::from_move(before, m), suffix: Suffix::from_position(after) }.to_string()
        }
    }
}

/// The move in UCI, castling as the king's move in standard chess and as king takes rook in Chess960.
pub fn uci(before: &Chess, played: PlayedMove) -> String {
    match played {
        PlayedMove::Null => "0000".to_owned(),
        PlayedMove::Move(m) => m.to_uci(before.castles().mode()).to_string(),
    }
}

fn check_spelling(text: &[u8], before: &Chess, played: PlayedMove, after: &Chess, mut say: impl FnMut(Class)) {
    if played == PlayedMove::Null {
        return;
    }
    let canonical = canonical_san(before, played, after);
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches(['!', '?']);
    if text == canonical {
        return;
    }
    let marks = |san: &str| san.len() - san.trim_end_matches(['+', '#']).len();
    let (body, suffix) = text.split_at(text.len() - marks(text));
    let (canonical_body, canonical_suffix) = canonical.split_at(canonical.len() - marks(&canonical));
    if body != canonical_body {
        say(Class::NonstandardSan);
    }
    if suffix != canonical_suffix {
        say(Class::BadCheckSuffix);
    }
}

/// One level of the variation tree while it is walked.
struct Level {
    pos: Chess,
    /// The position before the last move, where a variation of this level begins.
    previous: Chess,
    dead: bool,
}

/// Plays all variations and notes the first bad move of each.
fn check_variations(bytes: &[u8], game: &mut RawGame, start: Chess, reading: Reading) {
    if !game.words.iter().any(|word| word.kind == WordKind::Open) {
        return;
    }
    let mut levels = vec![Level { previous: start.clone(), pos: start, dead: false }];
    let RawGame { words, notes, .. } = game;
    for word in words.iter() {
        let Some(level) = levels.last_mut() else { return };
        match word.kind {
            WordKind::Open => {
                let pos = level.previous.clone();
                let dead = level.dead;
                levels.push(Level { previous: pos.clone(), pos, dead });
            }
            WordKind::Close => {
                levels.pop();
            }
            WordKind::Move if level.dead => {}
            WordKind::Move => {
                let before = level.pos.clone();
                let played = resolve(&bytes[word.range()], &before, reading).map_err(class_of);
                if played.and_then(|played| play(&mut level.pos, played)).is_ok() {
                    level.previous = before;
                } else {
                    level.dead = true;
                    if levels.len() > 1 {
                        notes.push(Note::warning(Class::IllegalMoveInVariation, word.start, word.len as usize));
                    }
                }
            }
        }
    }
}

/// A whole game as text: what exports and hits are made of.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Canonical SAN of each ply.
    pub san: Vec<String>,
    /// UCI of each ply.
    pub uci: Vec<String>,
    /// The position of each ply, from ply 0.
    pub positions: Vec<Chess>,
}

impl PlyVisitor for Score {
    fn start(&mut self, pos: &Chess, _key: PositionKey) {
        self.positions.push(pos.clone());
    }

    fn ply(&mut self, before: &Chess, played: PlayedMove, after: &Chess, _key: PositionKey) {
        self.san.push(canonical_san(before, played, after));
        self.uci.push(uci(before, played));
        self.positions.push(after.clone());
    }
}

#[cfg(test)]
mod tests;
