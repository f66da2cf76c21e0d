//! What is known of each game when duplicates are looked for: some hundred bytes a game, texts as numbers.
//!
//! Everything but the moves is read from the games' own bytes, once and in order. Texts are interned: an archive has few
//! players and events for its games, and comparing two games is then mostly comparing numbers.

use std::collections::HashMap;

use crate::error::Result;
use crate::index::DocId;
use crate::index::fold::{fold, words};
use crate::model::date::DateSpan;
use crate::model::game_result::GameResult;
use crate::parse::header::{Header, read_header};
use crate::parse::{GameReader, RawGame, WordKind};
use crate::search::Searcher;
use crate::search::dedupe::names::Name;

/// Number of an interned text.
pub(super) type TextId = u32;

/// What the tags of a game say about which game it is. Equal ones are compared once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Face {
    pub(super) white: TextId,
    pub(super) black: TextId,
    pub(super) event: TextId,
    pub(super) site: TextId,
    pub(super) round: TextId,
    pub(super) date: Option<DateSpan>,
    pub(super) result: GameResult,
}

/// What two games agree in, players and result apart, if they are copies. Texts stand as the first one that folds to the
/// same.
pub(super) type Roster = (Option<DateSpan>, TextId, TextId, TextId);

impl Face {
    pub(super) fn roster(&self, texts: &Texts) -> Roster {
        let first = |text: TextId| texts.get(text).first_alike;
        (
            self.date,
            first(self.event),
            first(self.site),
            first(self.round),
        )
    }
}

/// A game, and what it is worth among its duplicates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) id: u64,
    pub(super) segment: u32,
    pub(super) doc: DocId,
    pub(super) n_plies: u32,
    /// Bytes of comments, and words of variations.
    pub(super) annotation: u32,
    /// Tags that say something.
    pub(super) n_tags: u32,
    pub(super) face: Face,
    /// Hash of variant and start position, 0 for the usual ones.
    pub(super) start: u64,
    /// Hash of these and of the main line.
    pub(super) line: u128,
}

/// Texts by number, and the names among them taken apart.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: HashMap<Box<str>, TextId>,
    /// The first text of each folded form.
    folded: HashMap<Box<str>, TextId>,
    by_number: Vec<Text>,
}

/// An interned text.
#[derive(Debug)]
pub(super) struct Text {
    /// As a player's name; of other texts it is not used.
    pub(super) name: Name,
    /// Its words, folded, with blanks between them.
    pub(super) folded: String,
    /// Number of the first text with the same words.
    pub(super) first_alike: TextId,
}

impl Text {
    /// Whether it says nothing: empty, `?`, `-`.
    pub(super) fn is_unknown(&self) -> bool {
        self.folded.is_empty()
    }
}

impl Texts {
    pub(super) fn intern(&mut self, text: &str) -> TextId {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.by_number.len() as TextId;
        let folded = words(&fold(text)).collect::<Vec<_>>().join(" ");
        let alike = self.folded.entry(folded.as_str().into());
        self.by_number.push(Text {
            name: Name::new(text),
            first_alike: *alike.or_insert(number),
            folded,
        });
        self.numbers.insert(text.into(), number);
        number
    }

    pub(super) fn get(&self, number: TextId) -> &Text {
        &self.by_number[number as usize]
    }

    pub(super) fn name(&self, number: TextId) -> &Name {
        &self.get(number).name
    }
}

/// All games of an index, by segment and game, and their texts.
pub(super) fn read_all(searcher: &Searcher) -> Result<(Vec<Candidate>, Texts)> {
    let mut candidates = Vec::new();
    let mut texts = Texts::default();
    let mut raw = RawGame::default();
    for (segment, view) in searcher.views.iter().enumerate() {
        let facts = view.facts()?;
        for doc in view.docs() {
            let bytes = view.game_bytes(doc)?;
            let reading = searcher.reading_of(segment, doc)?;
            if !GameReader::new(&bytes, reading.first()).read(&mut raw) {
                return Err(view.damaged(format!("the bytes of game {doc} hold no game")));
            }
            let header = read_header(&bytes, &mut raw);
            let mut text = |name: &str| {
                let value = raw.find_tag(&bytes, name);
                texts.intern(value.as_deref().unwrap_or_default())
            };
            let face = Face {
                white: text("White"),
                black: text("Black"),
                event: text("Event"),
                site: text("Site"),
                round: text("Round"),
                date: header.date,
                result: header.result,
            };
            candidates.push(Candidate {
                id: searcher.address_of(segment, doc)?.id,
                segment: segment as u32,
                doc,
                n_plies: u32::from(facts.get(doc).n_plies),
                annotation: annotation(&bytes, &raw),
                n_tags: n_tags(&bytes, &raw),
                face,
                start: start(&bytes, &raw, &header),
                line: 0,
            });
        }
    }
    Ok((candidates, texts))
}

/// Hash of variant and start position: 0 for standard chess from its start position. Counters are left out; castling
/// rights that are spelt in two ways make two lines, which only misses a duplicate.
fn start(bytes: &[u8], raw: &RawGame, header: &Header) -> u64 {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let start = header.fen_tag.map_or(0, |idx| {
        let fen = raw.tag_value(bytes, &raw.tags[idx]);
        let position: Vec<&str> = fen.split_ascii_whitespace().take(4).collect();
        let position = position.join(" ");
        if position == START {
            0
        } else {
            xxhash_rust::xxh3::xxh3_64(position.as_bytes())
        }
    });
    start ^ (header.variant.unwrap_or_default() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// How much there is besides the main line: bytes of comments, words of variations.
fn annotation(bytes: &[u8], raw: &RawGame) -> u32 {
    let mut depth = 0u32;
    let mut n_words = 0;
    for word in &raw.words {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth = depth.saturating_sub(1),
            WordKind::Move => n_words += u32::from(depth > 0),
            WordKind::Unread | WordKind::Skipped => {}
        }
    }
    let from = raw.tags.last().map_or(raw.range.start, |tag| tag.value.end);
    let mut rest = &bytes[from.min(raw.range.end)..raw.range.end];
    let mut n_bytes = 0;
    while let Some(open) = memchr::memchr(b'{', rest) {
        rest = &rest[open + 1..];
        let end = memchr::memchr(b'}', rest).unwrap_or(rest.len());
        n_bytes += end as u32;
        rest = &rest[end..];
    }
    n_words + n_bytes
}

fn n_tags(bytes: &[u8], raw: &RawGame) -> u32 {
    let says_something = |value: &str| {
        value
            .bytes()
            .any(|b| !matches!(b, b'?' | b'-' | b'.' | b' ' | b'*'))
    };
    let telling = raw
        .tags
        .iter()
        .filter(|tag| says_something(&raw.tag_value(bytes, tag)));
    telling.count() as u32
}
