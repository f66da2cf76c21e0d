//! Tag names that repeat: a mistake within one game, or the first sign of the next.
//!
//! PGN standard, section 8.1.1: a game begins with the seven tags of its roster. Where a game has no moves, or lost them, the
//! next roster follows its tags at once, and whoever reads on gives the moves of one game to the players of another.

use std::collections::BTreeSet;

use crate::parse::start::skip_blanks;
use crate::parse::{RawGame, RawTag};
use crate::split::lex::{self, TagPair};

/// Number of tags from which on names are looked up in a set. Real games have some twenty, where a scan is faster; only
/// in a game of a hundred thousand tags would it never end.
const MANY_TAGS: usize = 64;

/// What is known of the tag names of a game.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// A bit for each that was seen, which some share: most names need not be compared with those before them.
    seen: u64,
    /// Those of the first tags, when there are many.
    first: BTreeSet<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// Whether `tags`, which all have different names, hold one with this name, which is not empty.
    pub(super) fn is_repeated(&mut self, bytes: &'a [u8], tags: &[RawTag], name: &[u8]) -> bool {
        // Of the usual names only two pairs share a bit.
        let ends = 4 * usize::from(name[0]) + 9 * usize::from(name[name.len() - 1]);
        let bit = 1 << ((ends + 6 * name.len()) % 64);
        let may_be = self.seen & bit != 0;
        self.seen |= bit;
        if !may_be {
            return false;
        }
        if tags.len() < MANY_TAGS {
            return tags.iter().any(|tag| &bytes[tag.name.clone()] == name);
        }
        self.first.extend(
            tags[self.first.len()..]
                .iter()
                .map(|tag| &bytes[tag.name.clone()]),
        );
        self.first.contains(name)
    }
}

/// Whether a tag of this name, which repeats one of `tags`, begins the next game: a second Event after other tags, or
/// another tag of the roster after a roster that names both players, with `next` of the roster behind it.
fn begins_next_game(bytes: &[u8], tags: &[RawTag], name: &[u8], next: Option<&[u8]>) -> bool {
    let has = |name: &[u8]| tags.iter().any(|tag| &bytes[tag.name.clone()] == name);
    if name == b"Event" {
        return tags.iter().any(|tag| &bytes[tag.name.clone()] != name);
    }
    is_of_roster(name)
        && has(b"White")
        && has(b"Black")
        && next.is_some_and(|next| next != name && is_of_roster(next) && has(next))
}

fn is_of_roster(name: &[u8]) -> bool {
    matches!(
        name,
        b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"Result"
    )
}

/// Whether a repeated tag at `pos` begins the next game.
pub(super) fn begins_next(bytes: &[u8], game: &RawGame, pos: usize, tag: &TagPair) -> bool {
    let name = &bytes[tag.name.clone()];
    let next = skip_blanks(bytes, tag.end);
    let next = (bytes.get(next) == Some(&b'['))
        .then(|| lex::tag_pair(bytes, next))
        .flatten();
    let next = next.map(|next| &bytes[next.name]);
    (name == b"Event" || lex::is_line_start(bytes, pos))
        && begins_next_game(bytes, &game.tags, name, next)
}
