//! The tags that mean something to an index, read into values: result, ratings, date, time control, variant, set-up.
//!
//! Tag names are compared as the PGN standard spells them, only SetUp and FEN in any case, because writers disagree on
//! them. What cannot be read is noted and counts as absent; the tag's text stays in the game.

use crate::model::date::{DateSpan, TagDate, tag_date};
use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::{GameResult, Spelling};
use crate::model::rating::{TagRating, tag_rating};
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::parse::{RawGame, RawTag, word};

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
    /// Whether the Result tag says that both players lost, `0-0`.
    pub is_double_forfeit: bool,
    /// Index in the game's tags of a FEN that is to be used.
    pub fen_tag: Option<usize>,
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
    let mut setup = None;
    let mut utc_date = None;
    for (idx, tag) in game.tags.iter().enumerate() {
        let note = |class| Note::warning(class, tag.name.start, tag.value.end - tag.name.start);
        match &bytes[tag.name.clone()] {
            b"Result" => {
                let value = game.tag_value(bytes, tag);
                header.is_double_forfeit = word::is_double_zero(value.as_bytes());
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
            _ => {}
        }
    }
    header.date = header.date.or(utc_date);
    check_setup(bytes, game, &mut header, setup, &mut notes);
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

/// PGN standard, section 9.7: SetUp and FEN belong together. A FEN alone is enough; an empty one is none.
fn check_setup(
    bytes: &[u8],
    game: &RawGame,
    header: &mut Header,
    setup: Option<usize>,
    notes: &mut Vec<Note>,
) {
    if let Some(idx) = header.fen_tag {
        let value = game.tag_value(bytes, &game.tags[idx]);
        if matches!(value.trim(), "" | "?" | "-" | "startpos") {
            header.fen_tag = None;
        }
    }
    let says = setup.map(|idx| game.tag_value(bytes, &game.tags[idx]).trim().to_owned());
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
