//! Raw games to played games: every move is resolved on a board, and every position gets its key.
//!
//! The rule for bad games, in one place: nothing is guessed. The first move that is illegal, ambiguous or in foreign
//! letters ends the game there; the legal moves before it are kept (`Partial`), nothing after it is played. A game whose
//! FEN is no position, or whose variant is not known, has no moves to keep (`Rejected`). Variations are commentary: a
//! bad move in one cuts that variation and leaves the main line alone.
//!
//! Every variant is played by its own rules, and a game that has ended by them (the third check, an exploded king, a king
//! in the centre) has no legal move left: the move that ended it belongs to the game, the next word is an illegal move.
//!
//! Replay takes the words that `parse` found in a second pass instead of being a visitor of the first: the words of a
//! game are in the cache anyway, and one reader can serve importing, exporting and verifying.

mod fast;
mod lines;
mod score;

use std::borrow::Cow;

use shakmaty::san::San;
use shakmaty::variant::VariantPosition;
use shakmaty::{KnownOutcome, Outcome};

pub use lines::{LineEvent, VariationLine, play_variations, walk_lines};
pub use score::{Score, canonical_san, uci};

use lines::has_variations;
use score::check_spelling;

use crate::model::diagnostic::{Class, Note};
use crate::model::fen::{FenPosition, FenUse, read_fen};
use crate::model::game_result::GameResult;
use crate::model::move_token::{Check, MoveToken};
use crate::model::playable::{Playable, start_of};
use crate::model::position_key::{PositionKey, RunningKey};
use crate::model::variant::Variant;
use crate::notation::{
    self, Form, GameReading, Language, LanguageSet, MoveError, PlayedMove, Reading,
};
use crate::parse::header::Header;
use crate::parse::word::is_null_move;
use crate::parse::{RawGame, Word, WordKind, decode};

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

/// Sees a game go by; what is not looked at need not be written down.
pub trait PlyVisitor {
    /// The position at ply 0. A game may begin a second time, when it turns out only late that it must stop earlier.
    fn start(&mut self, _pos: &impl Playable, _key: PositionKey) {}

    /// `played` is about to be played from `pos`.
    fn before(&mut self, _pos: &impl Playable, _played: PlayedMove) {}

    /// `played` has led to `pos`, where the side to move stands in `check` or not; a side that has lost by the rules of
    /// its variant stands in mate.
    fn after(
        &mut self,
        _pos: &impl Playable,
        _played: PlayedMove,
        _key: PositionKey,
        _check: Check,
    ) {
    }
}

/// Looks at nothing, for those who only want to know how far a game could be played.
impl PlyVisitor for () {}

/// What came of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How much could be played.
    pub status: Status,
    /// The rules; standard for a rejected game of an unknown variant.
    pub variant: Variant,
    /// Number of plies played.
    pub plies: u32,
    /// How its moves are written: what was asked for, in the language that was found where none was named.
    pub reading: Reading,
    /// The languages in which it is the same game, if one of them had to be found.
    pub languages: LanguageSet,
}

/// Plays the main line of `game` before `visitor` and adds notes to the game.
///
/// A game that is to tell its own language is tried in others only when it stops in English letters, and always ends in
/// the same one: stored games are read again by this.
pub fn replay(
    bytes: &[u8],
    game: &mut RawGame,
    header: &Header,
    reading: impl Into<GameReading>,
    scrutiny: Scrutiny,
    visitor: &mut impl PlyVisitor,
) -> Replayed {
    let reading = reading.into();
    let start = match header.variant {
        Some(_) => noted_start(bytes, game, header),
        None => None,
    };
    // Once for the game, not once for each ply: standard chess is played by code that knows no other rules.
    match start {
        Some(VariantPosition::Chess(start)) => {
            replay_from(&start, bytes, game, header, reading, scrutiny, visitor)
        }
        Some(start) => replay_from(&start, bytes, game, header, reading, scrutiny, visitor),
        None => Replayed {
            status: Status::Rejected,
            variant: header.variant.unwrap_or_default(),
            plies: 0,
            reading: reading.first(),
            languages: LanguageSet::default(),
        },
    }
}

fn replay_from<P: Playable>(
    start: &P,
    bytes: &[u8],
    game: &mut RawGame,
    header: &Header,
    asked: GameReading,
    scrutiny: Scrutiny,
    visitor: &mut impl PlyVisitor,
) -> Replayed {
    let variant = header.variant.unwrap_or_default();
    let n_notes = game.notes.len();
    let last = game.words.last().filter(|_| game.forfeit);
    let forfeit = last.map(|last| last.start);
    let mut line = Line {
        bytes,
        start,
        variant,
        reading: asked.first(),
        scrutiny,
        forfeit,
    };
    let (mut plies, mut stop) = line.play(game, MAX_PLIES, visitor);
    let mut languages = LanguageSet::default();
    if stop.is_some()
        && asked.is_auto()
        && let Some(found) = line.languages(game)
    {
        languages = found;
        line.reading.language = found.most_spoken();
        game.notes.truncate(n_notes);
        (plies, stop) = line.play(game, MAX_PLIES, visitor);
    } else if let Some(bad) = stop
        && reads_plain_san(line.reading)
        && !matches!(bad.class, Class::GameTooLong | Class::UnreadText)
        && let Some(safe) = line.plies_before_foreign(game, plies, bad.class)
    {
        // Letters of another language had been legal by chance before the move that was not. None of them is kept.
        game.notes.truncate(n_notes);
        (plies, stop) = line.play(game, safe, visitor);
        stop = stop.map(|bad| Note {
            class: Class::ForeignLetters,
            ..bad
        });
    }
    if forfeit.is_some() && stop.is_none() && main_line(bytes, game).len() > plies as usize {
        take_as_result(game);
    }
    game.notes.extend(stop);
    let status = if game.cut || stop.is_some() {
        Status::Partial
    } else {
        Status::Ok
    };
    if scrutiny == Scrutiny::Everything {
        let mut bad = Vec::new();
        if has_variations(game) {
            walk_lines(bytes, game, start.clone(), line.reading, |event| {
                if let LineEvent::Bad {
                    line: Some(_),
                    word,
                } = event
                {
                    let class = match word.kind {
                        WordKind::Unread => Class::UnreadText,
                        _ => Class::IllegalMoveInVariation,
                    };
                    bad.push(Note::warning(class, word.start, word.len as usize));
                }
            });
        }
        game.notes.extend(bad);
    }
    Replayed {
        status,
        variant,
        plies,
        reading: line.reading,
        languages,
    }
}

/// The last word is the result and no move.
fn take_as_result(game: &mut RawGame) {
    let Some(word) = game.words.pop() else {
        return;
    };
    game.marker = Some(GameResult::Unknown);
    game.notes
        .retain(|note| note.class != Class::NoResultMarker);
    game.notes.push(Note::warning(
        Class::ResultNonstandard,
        word.start,
        word.len as usize,
    ));
}

/// The main line of a game, about to be played.
struct Line<'a, P> {
    bytes: &'a [u8],
    start: &'a P,
    variant: Variant,
    reading: Reading,
    scrutiny: Scrutiny,
    /// Where a last word `0-0` stands, which is the result of a game that both players lost (FIDE handbook, C.05) if nobody
    /// can castle.
    forfeit: Option<usize>,
}

impl<P: Playable> Line<'_, P> {
    /// Plays at most `limit` plies. Returns how many were played, and the note on the move that stopped the game.
    fn play(
        &self,
        game: &mut RawGame,
        limit: u32,
        visitor: &mut impl PlyVisitor,
    ) -> (u32, Option<Note>) {
        let mut pos = self.start.clone();
        let mut running = RunningKey::new(&pos, self.variant);
        visitor.start(&pos, PositionKey::of(&pos, self.variant));
        let mut plies = 0;
        let mut depth = 0u32;
        let mut check = check_in(&pos);
        let RawGame { words, notes, .. } = game;
        for word in words.iter() {
            match word.kind {
                WordKind::Open => depth += 1,
                WordKind::Close => depth -= 1,
                WordKind::Move | WordKind::Unread if depth > 0 => {}
                WordKind::Skipped => {}
                WordKind::Unread => {
                    let class = class_of_unread(self.bytes, *word);
                    return (plies, Some(note(Note::error, class, *word, plies)));
                }
                WordKind::Move => {
                    let text = &self.bytes[word.range()];
                    let stop = |class| Some(note(Note::error, class, *word, plies));
                    if plies >= limit {
                        return (plies, stop(Class::GameTooLong));
                    }
                    let quick = match pos.as_chess() {
                        Some(pos) if reads_plain_san(self.reading) => {
                            fast::resolve(text, pos, check != Check::None)
                        }
                        _ => None,
                    };
                    let played = match quick.map_or_else(
                        || resolve(text, &pos, self.reading),
                        |m| Ok(PlayedMove::Move(m)),
                    ) {
                        Ok(PlayedMove::Null) if pos.passed().is_none() => {
                            return (plies, stop(Class::IllegalMove));
                        }
                        Ok(played) => played,
                        Err(_) if self.forfeit == Some(word.start) => {
                            return (plies, None);
                        }
                        Err(error) => return (plies, stop(class_of(error))),
                    };
                    let before = (self.scrutiny == Scrutiny::Everything).then(|| pos.clone());
                    visitor.before(&pos, played);
                    let key = match played {
                        PlayedMove::Move(m) => {
                            let turn = pos.turn();
                            pos.play_legal(m);
                            running.play(turn, m, &pos)
                        }
                        PlayedMove::Null => {
                            pass(&mut pos);
                            notes.push(note(Note::warning, Class::NullMove, *word, plies));
                            running.restart(&pos)
                        }
                    };
                    check = check_in(&pos);
                    if let Some(before) = before {
                        check_spelling(text, &before, played, &pos, |class| {
                            notes.push(note(Note::warning, class, *word, plies));
                        });
                    }
                    visitor.after(&pos, played, key, check);
                    plies += 1;
                }
            }
        }
        (plies, None)
    }

    /// The languages that alone make the game whole, all with the same moves; `None` if there are none, or several with
    /// other moves.
    fn languages(&self, game: &RawGame) -> Option<LanguageSet> {
        // What nobody understands is whole in no language.
        if ends_unread(game) {
            return None;
        }
        let words = main_line(self.bytes, game);
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let fits = notation::fitting_languages(self.start, &words, self.reading);
        let [found] = fits[..] else {
            return None;
        };
        if !has_variations(game) {
            return Some(found);
        }
        // Variations have letters that the main line may lack. They rule out who cannot read them, if anybody can.
        let sides = found
            .iter()
            .map(|language| (language, self.side_moves(game, language)));
        let mut sides: Vec<_> = sides.collect();
        let fewest = sides.iter().map(|(_, (_, n_bad))| *n_bad).min()?;
        sides.retain(|(_, (_, n_bad))| *n_bad == fewest);
        let (_, first) = sides.first()?;
        let mut left = LanguageSet::default();
        for (language, moves) in &sides {
            if moves != first {
                return None;
            }
            left.insert(*language);
        }
        Some(left)
    }

    /// The moves of variations in the letters of a language, and how many words are none.
    fn side_moves(&self, game: &RawGame, language: Language) -> (Vec<PlayedMove>, usize) {
        let reading = Reading {
            language: Some(language),
            ..self.reading
        };
        let (mut moves, mut n_bad) = (Vec::new(), 0);
        walk_lines(
            self.bytes,
            game,
            self.start.clone(),
            reading,
            |event| match event {
                LineEvent::Move {
                    line: Some(_),
                    played,
                    ..
                } => moves.push(played),
                LineEvent::Bad { .. } => n_bad += 1,
                LineEvent::Move { .. } | LineEvent::Begin { .. } => {}
            },
        );
        (moves, n_bad)
    }

    /// When the game stopped after `plies` because it is in the letters of another language: how many of its plies mean
    /// the same in English.
    fn plies_before_foreign(&self, game: &RawGame, plies: u32, class: Class) -> Option<u32> {
        let words = main_line(self.bytes, game);
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let foreign = notation::foreign_game(self.start, &words)?;
        // A single bad move of an English game can be legal in other letters by chance; a whole game cannot.
        if !foreign.is_whole && class != Class::ForeignLetters {
            return None;
        }
        u32::try_from(foreign.n_safe_plies)
            .ok()
            .filter(|&safe| safe <= plies)
    }
}

/// Why a line ends at a word that is not understood.
fn class_of_unread(bytes: &[u8], word: Word) -> Class {
    // Numbers that say all along that the game began earlier stand for the moves that are missing.
    let is_number = bytes[word.range()]
        .iter()
        .all(|b| b.is_ascii_digit() || !b.is_ascii_alphabetic());
    if is_number && bytes[word.start].is_ascii_digit() {
        Class::MoveNumberMismatch
    } else {
        Class::UnreadText
    }
}

/// Whether the main line ends at a word that is not understood.
pub fn ends_unread(game: &RawGame) -> bool {
    let mut depth = 0u32;
    game.words.iter().any(|word| {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        word.kind == WordKind::Unread && depth == 0
    })
}

/// The move words of the main line, decoded, up to what is not understood.
pub fn main_line<'a>(bytes: &'a [u8], game: &RawGame) -> Vec<Cow<'a, str>> {
    let mut depth = 0u32;
    let mut words = Vec::new();
    for word in &game.words {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth -= 1,
            WordKind::Move if depth == 0 => words.push(decode(&bytes[word.range()])),
            WordKind::Unread if depth == 0 => break,
            WordKind::Move | WordKind::Unread | WordKind::Skipped => {}
        }
    }
    words
}

/// Gives the turn to the other side, if it can be given.
fn pass<P: Playable>(pos: &mut P) {
    if let Some(passed) = pos.passed() {
        *pos = passed;
    }
}

fn note(make: fn(Class, usize, usize) -> Note, class: Class, word: Word, plies: u32) -> Note {
    make(class, word.start, word.len as usize).at_ply(plies + 1)
}

/// The position that a game begins with: that of its FEN tag, or the usual one of its variant.
///
/// # Errors
///
/// Why the FEN is no position, in one clause.
pub fn start_position(
    bytes: &[u8],
    game: &RawGame,
    header: &Header,
) -> Result<FenPosition, String> {
    let variant = header.variant.unwrap_or_default();
    match header.fen_tag {
        None if variant == Variant::Chess960 => {
            Err("a game of Chess960 does not say where it begins".to_owned())
        }
        None if header.stray_fen.is_some() => {
            Err("a position stands in the text that is in no FEN tag".to_owned())
        }
        None => Ok(start_of(variant).into()),
        Some(idx) => read_fen(
            &game.tag_value(bytes, &game.tags[idx]),
            variant,
            FenUse::Game,
        ),
    }
}

/// The same, with notes on what its FEN had to lose; `None` rejects the game, with a note too.
fn noted_start(bytes: &[u8], game: &mut RawGame, header: &Header) -> Option<VariantPosition> {
    let read = start_position(bytes, game, header);
    let Some(idx) = header.fen_tag else {
        if read.is_err() {
            let note = match header.stray_fen {
                Some(at) => Note::error(Class::StrayFen, at, 0),
                None => Note::error(Class::BadFen, game.range.start, 0),
            };
            game.notes.push(note);
        }
        return read.ok().map(|read| read.pos);
    };
    let tag = &game.tags[idx];
    let (at, len) = (tag.name.start, tag.value.end - tag.name.start);
    match read {
        Ok(read) => {
            if read.castling_dropped {
                game.notes
                    .push(Note::warning(Class::FenCastlingDropped, at, len));
            }
            if read.ep_dropped {
                game.notes.push(Note::warning(Class::FenEpDropped, at, len));
            }
            Some(read.pos)
        }
        Err(_) => {
            game.notes.push(Note::error(Class::BadFen, at, len));
            None
        }
    }
}

/// The move that a word means in a position. Plain SAN takes the fast way; only what that cannot
/// play is read as any of the other forms.
///
/// # Errors
///
/// When the word is not exactly one legal move.
pub fn resolve(
    text: &[u8],
    pos: &impl Playable,
    reading: Reading,
) -> Result<PlayedMove, MoveError> {
    if reads_plain_san(reading)
        && let Ok((san, used)) = San::from_ascii_prefix(text)
        && text[used..]
            .iter()
            .all(|b| matches!(b, b'+' | b'#' | b'!' | b'?'))
        && let Ok(m) = san.to_move(pos)
    {
        return Ok(PlayedMove::Move(m));
    }
    let Ok(text) = std::str::from_utf8(text) else {
        return Err(MoveError::IllegalMove);
    };
    if is_null_move(text.trim_end_matches(['!', '?'])) {
        return Ok(PlayedMove::Null);
    }
    notation::read(text, pos, reading)
}

/// Whether English SAN means itself.
fn reads_plain_san(reading: Reading) -> bool {
    reading.language.is_none() && matches!(reading.form, None | Some(Form::San))
}

fn class_of(error: MoveError) -> Class {
    match error {
        MoveError::AmbiguousMove => Class::AmbiguousMove,
        MoveError::ForeignLetters => Class::ForeignLetters,
        MoveError::IllegalMove | MoveError::NotAMove => Class::IllegalMove,
    }
}

/// The check that the side to move is in; mate if it has lost by the rules of its variant.
pub fn check_in(pos: &impl Playable) -> Check {
    if pos.as_chess().is_none()
        && let Outcome::Known(KnownOutcome::Decisive { .. }) = pos.variant_outcome()
    {
        // SAN has no other sign for the end of a game, and the same moves end antichess or a race.
        Check::Mate
    } else if !pos.is_check() {
        Check::None
    } else if pos.as_chess().is_some_and(fast::can_king_step) || !pos.legal_moves().is_empty() {
        // Most kings can step out of a check, and then no other move need be looked for.
        Check::Check
    } else {
        Check::Mate
    }
}

/// The token of a move that led to `after` and gave this check.
pub fn move_token(played: PlayedMove, after: &impl Playable, check: Check) -> MoveToken {
    match played {
        PlayedMove::Null => MoveToken::null(!after.turn()),
        PlayedMove::Move(m) => MoveToken::new(!after.turn(), m, check),
    }
}

#[cfg(test)]
mod tests;
