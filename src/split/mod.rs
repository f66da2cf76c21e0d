//! Cuts the bytes of a text into chunks that begin at a game, so that chunks can be read in parallel.
//!
//! Pure: bytes in, lengths out. A cut is made only where the sequential reader is certain to begin a new game, namely
//! before a tag pair that starts a line and follows a termination marker or a move. The first tag pair of a text is
//! never cut off: what stands before it may be junk that only looks like movetext, and goes with the first game.
//!
//! To know that such a place is not inside a comment one has to know how the text before it was read. The splitter walks
//! the text and looks at the few bytes that matter (`{ ; % [`), but not at all of them: within the least size of a chunk,
//! where no cut is made anyway, it goes to the last place whose meaning does not hang on what is before it (`anchor.rs`) and
//! begins there. Reading happens elsewhere, in parallel.
//!
//! A text may be at hand as a whole or arrive in blocks ([`Window`]); the chunks are the same, because the splitter
//! decides nothing while bytes to come could change it. So that this cannot need the whole text, a chunk has a
//! greatest size: [`MAX_CHUNK_BYTES`]. Games without tags, between which no cut is certain, are cut apart there, and a
//! single game that is larger is cut in two.
//!
//! What the splitter and the reader must agree on to the byte (comments, escape lines, tag pairs) lives in [`lex`].

mod anchor;
mod eight;
pub mod lex;
mod meant;
mod tag;
mod window;

use std::ops::Range;

pub use window::Window;

use crate::split::lex::Settled;

/// Greatest size of a chunk. Reading movetext of that size takes some ten times as much memory.
pub const MAX_CHUNK_BYTES: usize = 32 << 20;

/// How far back from there a good place is looked for.
const LOOK_BACK_BYTES: usize = 1 << 20;

/// What comes after the bytes at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// More of the text, perhaps.
    More,
    /// Nothing.
    Nothing,
}

/// Where a chunk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Between two games, or at the end of the text.
    Boundary,
    /// Inside a game, because the chunk has the greatest size.
    InsideGame,
}

/// A cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Length of the chunk, in bytes.
    pub len: usize,
    /// Where it ends.
    pub place: Place,
}

/// Walks a text and says where chunks of about a wanted size end. It keeps no reference to the bytes, so that it can
/// live beside them; every call must pass the bytes from the end of the last chunk on.
#[derive(Debug)]
pub struct Splitter {
    chunk_bytes: usize,
    max_bytes: usize,
    /// What is before it in a chunk needs no look, once the walk can begin after it.
    skip_bytes: usize,
    pos: usize,
    /// End of the last comment, escape line or tag pair: what ends before it is no movetext.
    quiet_end: usize,
    /// End of the last markup or entity that holds a `;`. No markup that begins before goes on after it, so nobody looks
    /// back beyond it, and a line of a million entities is looked through once.
    markup_end: usize,
    /// Whether a tag pair went by in this text, so that what follows belongs to a game.
    in_game: bool,
    /// The last `Event` tag that started a line: the next best place for a cut.
    last_event: usize,
    /// With fewer bytes than that there is no use in trying again.
    wanted_bytes: usize,
    needles: [Needle; NEEDLES.len()],
}

const NEEDLES: [u8; 4] = *b"{;%[";

/// What is known of the next place of a needle, so that rare bytes are looked for once.
#[derive(Clone, Copy, Debug, Default)]
struct Needle {
    /// It is not between the splitter's position and here.
    at: usize,
    /// It is here.
    found: bool,
}

/// What a needle turned out to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A tag pair.
    Tag,
    /// A comment or an escape line.
    Quiet,
    /// A bracket, percent sign or semicolon that means nothing, and is part of what stands around it.
    Sign,
}

impl Splitter {
    /// A splitter at the start of a text. Chunks hold at least `chunk_bytes` unless the text ends.
    pub fn new(chunk_bytes: usize) -> Splitter {
        Splitter::with_max(chunk_bytes, MAX_CHUNK_BYTES)
    }

    /// The same with another greatest size, for tests of what happens there.
    pub fn with_max(chunk_bytes: usize, max_bytes: usize) -> Splitter {
        let chunk_bytes = chunk_bytes.clamp(1, max_bytes);
        Splitter {
            chunk_bytes,
            max_bytes,
            // In the second half of the greatest size an `Event` tag could be the next best place.
            skip_bytes: chunk_bytes.min(max_bytes / 2),
            pos: 0,
            quiet_end: 0,
            markup_end: 0,
            in_game: false,
            last_event: 0,
            wanted_bytes: 0,
            needles: [Needle::default(); NEEDLES.len()],
        }
    }

    /// The next chunk, of which `bytes` are the beginning. `None` when more bytes are needed, or there are none.
    pub fn cut(&mut self, bytes: &[u8], rest: Rest) -> Option<Cut> {
        let is_full = bytes.len() > self.max_bytes;
        let may_grow = !is_full && rest == Rest::More;
        let bytes = &bytes[..bytes.len().min(self.max_bytes)];
        let wanted_bytes = self.wanted_bytes.max(self.skip_bytes);
        if bytes.is_empty() || may_grow && bytes.len() < wanted_bytes {
            return None;
        }
        self.skip(bytes);
        while let Some(at) = self.next_needle(bytes) {
            let (kind, after, settled) = match bytes[at] {
                b'{' => {
                    let (end, _, settled) = lex::comment(bytes, at);
                    (Kind::Quiet, end, settled)
                }
                b'%' if !lex::is_line_start(bytes, at) => (Kind::Sign, at + 1, Settled::Yes),
                b'[' => match lex::tag(bytes, at) {
                    (Some(tag), settled) => (Kind::Tag, tag.end, settled),
                    (None, settled) => (Kind::Sign, at + 1, settled),
                },
                b';' => match lex::markup_around(bytes, self.quiet_end.max(self.markup_end), at) {
                    (Some(end), settled) => (Kind::Sign, end, settled),
                    (None, settled) if lex::ends_entity(bytes, self.quiet_end, at) => {
                        (Kind::Sign, at + 1, settled)
                    }
                    (None, _) => line_comment(bytes, at),
                },
                _ => line_comment(bytes, at),
            };
            if settled == Settled::No && may_grow {
                // What could not be decided from so many bytes is tried again with twice as many, and so is read twice
                // at most, however small the blocks are in which a text arrives.
                self.wanted_bytes = 2 * bytes.len() - at;
                return None;
            }
            if kind == Kind::Tag {
                let starts_line = lex::is_line_start(bytes, at);
                if self.in_game
                    && at >= self.chunk_bytes
                    && starts_line
                    && self.is_boundary(bytes, at)
                {
                    self.pos = at;
                    return Some(self.end_chunk(at, Place::Boundary));
                }
                if starts_line && bytes[at..].starts_with(b"[Event ") {
                    self.last_event = at;
                }
                self.in_game = true;
            }
            self.pos = after;
            match (kind, bytes[at]) {
                (Kind::Sign, b';') => self.markup_end = after,
                (Kind::Sign, _) => {}
                _ => self.quiet_end = after,
            }
        }
        if may_grow {
            return None;
        }
        if !is_full {
            return Some(self.end_chunk(bytes.len(), Place::Boundary));
        }
        let (len, place) = self.next_best(bytes);
        // What was read beyond the cut is read again, as the reader of the next chunk does.
        self.pos = len;
        Some(self.end_chunk(len, place))
    }

    /// The next chunk of a text at hand, given the rest of it.
    pub fn next_chunk(&mut self, rest: &[u8]) -> Option<Cut> {
        // Few chunks are much larger than they have to be, and rare bytes are looked for up to the end of what is given.
        let mut n_more = 1 << 14;
        loop {
            let n_bytes = self.chunk_bytes.saturating_add(n_more);
            if n_bytes >= rest.len() {
                return self.cut(rest, Rest::Nothing);
            }
            if let Some(cut) = self.cut(&rest[..n_bytes], Rest::More) {
                return Some(cut);
            }
            n_more = n_more.saturating_mul(2);
        }
    }

    /// Goes on from the last anchor before which no cut can be. What a chunk ends with is then as if all was walked through.
    fn skip(&mut self, bytes: &[u8]) {
        // Before the first tag pair of a text it matters what is one.
        if self.in_game
            && self.pos < self.skip_bytes
            && self.skip_bytes <= bytes.len()
            && let Some(at) = anchor::last(bytes, self.pos..self.skip_bytes)
        {
            // A word before a place for a cut is after the anchor, where a bracket stands.
            self.pos = at;
            self.quiet_end = at;
        }
    }

    /// Counts from the end of the chunk on.
    fn end_chunk(&mut self, len: usize, place: Place) -> Cut {
        self.pos = self.pos.saturating_sub(len);
        self.quiet_end = 0;
        self.markup_end = 0;
        self.last_event = 0;
        self.wanted_bytes = 0;
        for needle in &mut self.needles {
            *needle = if needle.at < len {
                Needle::default()
            } else {
                Needle {
                    at: needle.at - len,
                    ..*needle
                }
            };
        }
        Cut { len, place }
    }

    /// The nearest byte that matters at or after the position.
    fn next_needle(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut nearest = None;
        for (byte, needle) in NEEDLES.into_iter().zip(&mut self.needles) {
            if needle.at < self.pos {
                *needle = Needle {
                    at: self.pos,
                    found: false,
                };
            }
            if !needle.found && needle.at < bytes.len() {
                let found = lex::find(byte, bytes, needle.at);
                *needle = Needle {
                    at: found.unwrap_or(bytes.len()),
                    found: found.is_some(),
                };
            }
            if needle.found && needle.at < bytes.len() && nearest.is_none_or(|at| needle.at < at) {
                nearest = Some(needle.at);
            }
        }
        nearest
    }

    fn is_boundary(&self, bytes: &[u8], at: usize) -> bool {
        let word = lex::word_before(bytes, at);
        word.start >= self.quiet_end && !word.is_empty() && lex::certainly_movetext(&bytes[word])
    }

    /// Where to cut a chunk that has the greatest size: before a game that has no tags or follows one without movetext;
    /// else at the end of a line, and inside a game.
    fn next_best(&self, bytes: &[u8]) -> (usize, Place) {
        let least = bytes.len() / 2;
        if self.last_event > least {
            return (self.last_event, Place::Boundary);
        }
        let from = self
            .quiet_end
            .max(bytes.len().saturating_sub(LOOK_BACK_BYTES));
        let mut last_line = None;
        let mut end = bytes.len();
        while let Some(at) = lex::last_line_end(bytes, from.max(least)..end) {
            let line = at + 1;
            last_line = last_line.or((line < bytes.len()).then_some(line));
            let is_number = bytes.get(line).is_some_and(u8::is_ascii_digit);
            if is_number && lex::is_marker(&bytes[lex::word_before(bytes, line)]) {
                return (line, Place::Boundary);
            }
            end = at;
        }
        (last_line.unwrap_or(bytes.len()), Place::InsideGame)
    }
}

/// A comment, or an escape line, that ends with its line.
fn line_comment(bytes: &[u8], at: usize) -> (Kind, usize, Settled) {
    let end = lex::line_end(bytes, at);
    (Kind::Quiet, end, Settled::if_so(end < bytes.len()))
}

/// All chunks of a text.
pub fn split(bytes: &[u8], chunk_bytes: usize) -> impl Iterator<Item = Range<usize>> {
    let mut splitter = Splitter::new(chunk_bytes);
    let mut start = 0;
    std::iter::from_fn(move || {
        let cut = splitter.next_chunk(&bytes[start..])?;
        let chunk = start..start + cut.len;
        start = chunk.end;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(text: &str) -> Vec<usize> {
        split(text.as_bytes(), 1).map(|chunk| chunk.end).collect()
    }

    #[test]
    fn chunks_cover_the_source() {
        let text = "[Event \"a\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(
            cuts(text),
            [text.find("[Event \"b").expect("second game"), text.len()]
        );
        assert_eq!(cuts(""), Vec::<usize>::new());
    }

    #[test]
    fn a_game_start_in_a_comment_is_none() {
        assert_eq!(
            cuts("[A \"a\"]\n1. e4 {x\n1-0\n[Event \"b\"]\n} e5 *\n").len(),
            1
        );
        assert_eq!(
            cuts("[A \"a\"]\n1. e4 ; 1-0\n[Event \"b\"]\n e5 *\n").len(),
            1
        );
        assert_eq!(
            cuts("[A \"a\"]\n1. e4\n% 1-0\n[Event \"b\"]\n e5 *\n").len(),
            1
        );
        assert_eq!(cuts("[A \"1-0\"]\n[Event \"b\"]\n1. e4 *\n").len(), 1);
    }

    #[test]
    fn what_stands_before_the_first_tag_stays_with_it() {
        assert_eq!(cuts("White won, 1-0\n[Event \"a\"]\n1. e4 *\n").len(), 1);
        assert_eq!(
            cuts("1. e4 1-0\n[Event \"a\"]\n1. e4 *\n[Event \"b\"]\n1. e4 *\n").len(),
            2
        );
    }

    #[test]
    fn an_unclosed_comment_ends_at_the_next_tag_section() {
        assert_eq!(
            cuts("[A \"a\"]\n1. e4 {x\n1-0\n[Event \"b\"]\n\n1. d4 *\n[Event \"c\"]\n1. c4 *")
                .len(),
            2
        );
    }
}
