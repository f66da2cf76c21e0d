//! Cuts the bytes of a source into chunks that begin at a game, so that chunks can be read in parallel.
//!
//! Pure: bytes in, ranges out. A cut is made only where the sequential reader is certain to begin a new game, namely
//! before a tag pair that starts a line and follows a termination marker or a move. The first tag pair of a source is
//! never cut off: what stands before it may be junk that only looks like movetext, and goes with the first game.
//!
//! To know that such a place is not inside a comment one has to have read everything before it, so the splitter walks
//! the whole source, but it only looks at the few bytes that matter (`{ ; % [`) and runs at memory speed; reading happens
//! elsewhere, in parallel.
//!
//! What the splitter and the reader must agree on to the byte (comments, escape lines, tag pairs) lives in [`lex`].

pub mod lex;

use std::ops::Range;

/// Walks a source and hands out chunks of about a wanted size. It keeps no reference to the bytes, so that it can live
/// beside them; every call must pass the same ones.
#[derive(Debug)]
pub struct Splitter {
    chunk_bytes: usize,
    start: usize,
    pos: usize,
    /// End of the last comment, escape line or tag pair: what ends before it is no movetext.
    quiet_end: usize,
    /// Whether a tag pair went by, so that what follows belongs to a game.
    in_game: bool,
    next: [Next; NEEDLES.len()],
}

const NEEDLES: [u8; 4] = *b"{;%[";

/// The next place of a needle: remembered, so that rare bytes are looked for once.
#[derive(Clone, Copy, Debug)]
enum Next {
    Unknown,
    At(usize),
    Never,
}

impl Splitter {
    /// A splitter at the start of a source. Chunks hold at least `chunk_bytes` unless the source ends.
    pub fn new(chunk_bytes: usize) -> Splitter {
        Splitter {
            chunk_bytes: chunk_bytes.max(1),
            start: 0,
            pos: 0,
            quiet_end: 0,
            in_game: false,
            next: [Next::Unknown; NEEDLES.len()],
        }
    }

    /// The next chunk of `bytes`; `None` at their end.
    pub fn next_chunk(&mut self, bytes: &[u8]) -> Option<Range<usize>> {
        if self.start >= bytes.len() {
            return None;
        }
        let mut end = bytes.len();
        while let Some(at) = self.next_needle(bytes) {
            let after = match bytes[at] {
                b'{' => lex::comment_end(bytes, at).0,
                b'%' if !lex::is_line_start(bytes, at) => {
                    self.pos = at + 1;
                    continue;
                }
                b'[' => match lex::tag_pair(bytes, at) {
                    Some(tag) => {
                        if self.in_game
                            && at - self.start >= self.chunk_bytes
                            && self.is_boundary(bytes, at)
                        {
                            end = at;
                        }
                        self.in_game = true;
                        tag.end
                    }
                    None => {
                        self.pos = at + 1;
                        continue;
                    }
                },
                _ => lex::line_end(bytes, at),
            };
            self.pos = after;
            self.quiet_end = after;
            if end == at {
                break;
            }
        }
        let chunk = self.start..end;
        self.start = end;
        Some(chunk)
    }

    /// The nearest byte that matters at or after `pos`.
    fn next_needle(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut nearest = usize::MAX;
        for (needle, next) in NEEDLES.into_iter().zip(&mut self.next) {
            if !matches!(next, Next::Never) && !matches!(next, Next::At(at) if *at >= self.pos) {
                *next = lex::find(needle, bytes, self.pos).map_or(Next::Never, Next::At);
            }
            if let Next::At(at) = next {
                nearest = nearest.min(*at);
            }
        }
        (nearest != usize::MAX).then_some(nearest)
    }

    fn is_boundary(&self, bytes: &[u8], at: usize) -> bool {
        if !lex::is_line_start(bytes, at) {
            return false;
        }
        let before = &bytes[..at];
        let end = before
            .iter()
            .rposition(|b| !lex::is_blank(*b))
            .map_or(0, |last| last + 1);
        if end <= self.quiet_end {
            return false;
        }
        let word_start = before[..end]
            .iter()
            .rposition(|b| lex::is_blank(*b))
            .map_or(0, |blank| blank + 1);
        word_start >= self.quiet_end && lex::certainly_movetext(&before[word_start..end])
    }
}

/// All chunks of a source.
pub fn split(bytes: &[u8], chunk_bytes: usize) -> impl Iterator<Item = Range<usize>> {
    let mut splitter = Splitter::new(chunk_bytes);
    std::iter::from_fn(move || splitter.next_chunk(bytes))
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
