//! The tags that mean something to an index, read into values: result, ratings, date, time control, variant, set-up.
//!
//! Tag names are compared as the PGN standard spells them, only SetUp and FEN in any case, because writers disagree on
//! them. What cannot be read is noted and counts as absent; the tag's text stays in the game.

use crate::model::date::{DateSpan, TagDate, tag_date};
use crate::model::diagnostic::{Class, Note};
use crate::model::fen::{Chess960Hint, chess960_hint};
use crate::model::game_result::{GameResult, Spelling, is_double_forfeit};
use crate::model::rating::{TagRating, tag_rating};
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::parse::{RawGame, RawTag, WordKind};

mod stray;

/// What the tags of a game say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The Result tag when it names a winner or a draw, else the termination marker.
    pub result: GameResult,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The Date tag (or UTCDate, when Date is unknown).
    pub date: Option<DateSpan>,
    /// The class of the time control.
    pub speed: Speed,
    /// The rules; none if the Variant tag names a variant that is not known.
    pub variant: Option<Variant>,
    /// Index in the game's tags of a FEN that is to be used.
    pub fen_tag: Option<usize>,
    /// Where a position stands that is in no tag of that name, so that nobody knows whether the game begins there.
    pub stray_fen: Option<usize>,
}

impl Header {
    /// The mean of both ratings when both are known.
    pub fn mean_elo(&self) -> Option<u16> {
        Some(u16::midpoint(self.white_elo?, self.black_elo?))
    }
}

/// Reads the header of `game` and adds notes on what is wrong with it.
pub fn read_header(bytes: &[u8], game: &mut RawGame) -> Header {
    let mut header = Header {
        variant: Some(Variant::Standard),
        ..Header::default()
    };
    let mut notes = std::mem::take(&mut game.notes);
    let mut tag_result = None;
    let mut tag_is_double_forfeit = false;
    let mut setup = None;
    let mut utc_date = None;
    let mut other_position = None;
    for (idx, tag) in game.tags.iter().enumerate() {
        let note = |class| Note::warning(class, tag.name.start, tag.value.end - tag.name.start);
        match &bytes[tag.name.clone()] {
            b"Result" => {
                let value = game.tag_value(bytes, tag);
                tag_is_double_forfeit = is_double_forfeit(&value);
                match GameResult::from_tag(&value) {
                    Some((result, spelling)) => {
                        tag_result = Some(result);
                        if spelling == Spelling::Nonstandard {
                            notes.push(note(Class::ResultNonstandard));
                        }
                    }
                    None if matches!(value.trim(), "" | "?") => {}
                    None => notes.push(note(Class::ResultNonstandard)),
                }
            }
            b"WhiteElo" => header.white_elo = rating(&game.tag_value(bytes, tag), tag, &mut notes),
            b"BlackElo" => header.black_elo = rating(&game.tag_value(bytes, tag), tag, &mut notes),
            b"Date" => match tag_date(&game.tag_value(bytes, tag)) {
                TagDate::Known(span) => {
                    header.date = Some(span);
                    if !span.exists() {
                        notes.push(note(Class::DateMalformed));
                    }
                }
                TagDate::Unknown => {}
                TagDate::Malformed => notes.push(note(Class::DateMalformed)),
            },
            b"UTCDate" => utc_date = DateSpan::parse(&game.tag_value(bytes, tag)),
            b"TimeControl" => header.speed = Speed::from_time_control(&game.tag_value(bytes, tag)),
            b"Variant" => {
                header.variant = game.tag_value(bytes, tag).parse().ok();
                if header.variant.is_none() {
                    notes.push(Note {
                        severity: crate::model::diagnostic::Severity::Error,
                        ..note(Class::UnsupportedVariant)
                    });
                }
            }
            name if name.eq_ignore_ascii_case(b"FEN") => header.fen_tag = Some(idx),
            name if name.eq_ignore_ascii_case(b"SetUp") => setup = Some(idx),
            name if stray::is_placement(&bytes[tag.value.clone()]) => {
                let at = Some(tag.value.start);
                if stray::means_start(name) {
                    header.stray_fen = at;
                } else {
                    other_position = at;
                }
            }
            _ => {}
        }
    }
    header.date = header.date.or(utc_date);
    if tag_is_double_forfeit {
        end_with_forfeit(bytes, game);
    }
    check_setup(bytes, game, &mut header, setup, &mut notes);
    header.stray_fen = match header.fen_tag {
        Some(_) => None,
        None => header
            .stray_fen
            .or_else(|| stray::before_moves(bytes, game))
            // Where there is said to be a position, any may be meant.
            .or(other_position.filter(|_| {
                setup.is_some_and(|idx| game.tag_value(bytes, &game.tags[idx]).trim() == "1")
            })),
    };
    header.result = match tag_result {
        Some(result) if result != GameResult::Unknown => result,
        _ => game.marker.unwrap_or_default(),
    };
    match game.marker {
        None => notes.push(Note::warning(Class::NoResultMarker, game.range.end, 0)),
        Some(marker) if tag_result.is_some_and(|result| result != marker) => {
            notes.push(Note::warning(Class::ResultMismatch, game.range.start, 0));
        }
        Some(_) => {}
    }
    game.notes = notes;
    header
}

fn rating(value: &str, tag: &RawTag, notes: &mut Vec<Note>) -> Option<u16> {
    let class = match tag_rating(value) {
        TagRating::Rated(rating) => return Some(rating),
        TagRating::Unrated => return None,
        TagRating::NotNumeric => Class::EloNotNumeric,
        TagRating::OutOfRange => Class::EloOutOfRange,
    };
    notes.push(Note::warning(
        class,
        tag.name.start,
        tag.value.end - tag.name.start,
    ));
    None
}

/// PGN standard, section 9.7: SetUp and FEN belong together. A FEN alone is enough; an empty one is none, unless it is said
/// that there is one, or nobody knows the start without it. Then it stays, and the game cannot be played.
fn check_setup(
    bytes: &[u8],
    game: &RawGame,
    header: &mut Header,
    setup: Option<usize>,
    notes: &mut Vec<Note>,
) {
    let value = |idx: usize| game.tag_value(bytes, &game.tags[idx]).trim().to_owned();
    let says = setup.map(value);
    if header.fen_tag.is_none() && says.as_ref().is_some_and(|says| says.contains('/')) {
        // Some write the position there.
        header.fen_tag = setup;
    }
    let mut fen = header.fen_tag.map(value);
    let is_usual_start = match fen.as_deref() {
        Some("startpos") => header.variant != Some(Variant::Chess960),
        Some("" | "?" | "-") => {
            header.variant != Some(Variant::Chess960) && says.as_deref() != Some("1")
        }
        _ => false,
    };
    if is_usual_start {
        header.fen_tag = None;
        fen = None;
    }
    if header.variant == Some(Variant::Standard)
        && let Some(fen) = &fen
        && is_chess960(bytes, game, fen)
    {
        header.variant = Some(Variant::Chess960);
    }
    let (class, idx) = match (says.as_deref(), header.fen_tag) {
        (Some("1"), None) => (Class::SetupWithoutFen, setup),
        (Some("0"), Some(fen)) => (Class::SetupContradiction, Some(fen)),
        (None, Some(fen)) => (Class::FenWithoutSetup, Some(fen)),
        _ => return,
    };
    if let Some(idx) = idx {
        let tag = &game.tags[idx];
        notes.push(Note::warning(
            class,
            tag.name.start,
            tag.value.end - tag.name.start,
        ));
    }
}

/// Whether a game that begins with this FEN and names no variant is one of Chess960.
fn is_chess960(bytes: &[u8], game: &RawGame, fen: &str) -> bool {
    let (kings_elsewhere, mut turn) = match chess960_hint(fen) {
        None | Some((Chess960Hint::None, _)) => return false,
        Some((Chess960Hint::Files, _)) => return true,
        Some((Chess960Hint::IfCastling(colors), turn)) => (colors, turn),
    };
    let mut depth = 0u32;
    for word in &game.words {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth = depth.saturating_sub(1),
            WordKind::Unread if depth == 0 => break,
            WordKind::Unread | WordKind::Skipped => {}
            WordKind::Move if depth > 0 => {}
            WordKind::Move => {
                if *kings_elsewhere.get(turn) && is_castling(&bytes[word.range()]) {
                    return true;
                }
                turn = !turn;
            }
        }
    }
    false
}

/// Whether a word is castling in letters or noughts, with whatever stands between them.
fn is_castling(word: &[u8]) -> bool {
    let signs: Vec<u8> = word
        .iter()
        .copied()
        .filter(u8::is_ascii_alphanumeric)
        .collect();
    matches!(
        signs.as_slice(),
        b"OO" | b"OOO" | b"00" | b"000" | b"oo" | b"ooo"
    )
}

/// In a game that both sides lost by forfeit, `0-0` at its end is the result and no castling.
fn end_with_forfeit(bytes: &[u8], game: &mut RawGame) {
    if game.marker.is_none()
        && let Some(last) = game.words.last().copied()
        && last.kind == WordKind::Move
        && is_castling(&bytes[last.range()])
        && std::str::from_utf8(&bytes[last.range()]).is_ok_and(is_double_forfeit)
    {
        game.words.pop();
        game.forfeit = false;
        game.marker = Some(GameResult::Unknown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::read_games;

    /// The variant, the FEN tag that counts, and the classes of what there is to say.
    fn header(text: &str) -> (Header, Option<String>, Vec<&'static str>) {
        let mut game = read_games(text.as_bytes()).swap_remove(0);
        let header = read_header(text.as_bytes(), &mut game);
        let fen = header.fen_tag.map(|idx| {
            game.tag_value(text.as_bytes(), &game.tags[idx])
                .into_owned()
        });
        let classes = game.notes.iter().map(|note| note.class.as_str()).collect();
        (header, fen, classes)
    }

    #[test]
    fn an_unknown_fen_is_none_only_where_the_start_is_known() {
        for (tags, want) in [
            ("[FEN \"\"]", None),
            ("[FEN \"?\"]", None),
            ("[FEN \"-\"]\n[Variant \"Horde\"]", None),
            ("[SetUp \"1\"]\n[FEN \"startpos\"]", None),
            ("[SetUp \"0\"]\n[FEN \"?\"]", None),
            ("[SetUp \"1\"]\n[FEN \"?\"]", Some("?")),
            ("[SetUp \"1\"]\n[FEN \"\"]", Some("")),
            ("[Variant \"Chess960\"]\n[FEN \"\"]", Some("")),
            ("[FEN \"-\"]\n[Variant \"Fischerandom\"]", Some("-")),
            (
                "[SetUp \"4k3/8/8/8/8/8/8/4K3 w - -\"]",
                Some("4k3/8/8/8/8/8/8/4K3 w - -"),
            ),
        ] {
            assert_eq!(
                header(&format!("{tags}\n\n1. e4 *")).1.as_deref(),
                want,
                "{tags}"
            );
        }
    }

    #[test]
    fn files_and_castling_of_a_king_elsewhere_make_it_chess960() {
        let variant = |fen: &str, moves: &str| {
            let text = format!("[FEN \"{fen}\"]\n\n{moves} *");
            header(&text).0.variant
        };
        let elsewhere = "1r1kr2r/p2pp2p/8/8/8/8/P2PP2P/1R1KR2R w KQkq - 0 1";
        for (moves, want) in [
            ("1. d3 d6", Variant::Standard),
            ("1. d3 O-O", Variant::Chess960),
            ("1. 0-0-0+", Variant::Chess960),
            ("1. d3 (1. O-O) d6", Variant::Standard),
        ] {
            assert_eq!(variant(elsewhere, moves), Some(want), "{moves}");
        }
        let files = elsewhere.replace("KQkq", "HBhb");
        assert_eq!(variant(&files, "1. d3"), Some(Variant::Chess960));
        let usual = "r3k2r/8/8/8/8/8/8/R3KR2 w KQkq - 0 1";
        assert_eq!(variant(usual, "1. O-O"), Some(Variant::Standard));
    }

    #[test]
    fn noughts_at_the_end_of_a_double_forfeit_are_its_result() {
        for (text, n_words) in [
            ("[Result \"0-0\"]\n\n0-0", 0),
            ("[Result \"0-0\"]\n\n1. e4 e5 0-0", 2),
            ("[Result \"0-0\"]\n\n1. e4 e5 2. O-O *", 3),
            ("[Result \"1-0\"]\n\n1. e4 e5 0-0", 3),
        ] {
            let mut game = read_games(text.as_bytes()).swap_remove(0);
            let header = read_header(text.as_bytes(), &mut game);
            assert_eq!(game.words.len(), n_words, "{text}");
            assert_eq!(header.result == GameResult::Unknown, text.contains("t \"0"));
        }
        let (_, _, classes) = header("[Result \"0-0\"]\n\n0-0");
        assert_eq!(classes, ["result_nonstandard"]);
    }
}
