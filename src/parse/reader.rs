//! The reader: a state machine over the bytes of a chunk that hands out one raw game at a time.
//!
//! Plan, for each token: plain movetext by [`plain`], which is sure of what it takes and leaves the rest; then skip blanks;
//! comments, escape lines and tag pairs by the functions of `split::lex`, which the splitter uses too; numbers and plain
//! moves by their first bytes; everything else by [`word::meaning`].

use std::collections::BTreeSet;

use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::{GameResult, Spelling};
use crate::notation;
use crate::parse::token::{
    dots_len, len_without_marker, number_end, restarts_numbering, spaced_marker, standard_marker,
    starts_tagless_game, token_end, word_end,
};
use crate::parse::word::{self, Meaning};
use crate::parse::{RawGame, RawTag, Word, WordKind, is_surrogate, plain};
use crate::split::lex::{self, Closed, TagPair};

/// Reads the games of a chunk in order.
#[derive(Debug)]
pub struct GameReader<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// The last game that was read had no tags, or ended where numbers begin again: a game without tags may follow.
    tagless: bool,
    /// The tag pair at `pos`, if the last game ended because of it.
    next_tag: Option<TagPair>,
    /// Notes on what stands before the first game; they go with it.
    before: Vec<Note>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the tag section.
    Tags,
    /// In the movetext.
    Body,
    /// After the termination marker.
    Over,
}

impl<'a> GameReader<'a> {
    /// A reader over bytes that begin at a game or at the start of a source.
    pub fn new(bytes: &'a [u8]) -> GameReader<'a> {
        GameReader {
            bytes,
            pos: 0,
            tagless: true,
            next_tag: None,
            before: Vec::new(),
        }
    }

    /// Reads the next game into `game`, whatever it held before. `false` at the end.
    pub fn read(&mut self, game: &mut RawGame) -> bool {
        let Some(start) = self.find_start() else {
            return false;
        };
        game.reset(start);
        game.notes.append(&mut self.before);
        let end = self.read_game(game);
        game.range.end = end;
        self.pos = end;
        self.tagless = game.tags.is_empty() || restarts_numbering(self.bytes, end);
        let bytes = &self.bytes[game.range.clone()];
        if !bytes.is_ascii()
            && let Err(error) = std::str::from_utf8(bytes)
        {
            let is_letter = is_surrogate(&bytes[error.valid_up_to()..]);
            let len = if is_letter { 3 } else { 1 };
            let at = game.range.start + error.valid_up_to();
            game.notes
                .push(Note::warning(Class::EncodingFallback, at, len));
        }
        if let Some(at) = memchr::memchr(0, bytes) {
            let len = bytes[at..].iter().take_while(|b| **b == 0).count();
            let at = game.range.start + at;
            game.notes.push(Note::warning(Class::JunkText, at, len));
        }
        true
    }

    /// Notes on junk after the last game of a source that holds no game at all.
    pub fn leftover_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.before)
    }

    /// Skips to the first byte of the next game.
    fn find_start(&mut self) -> Option<usize> {
        let bytes = self.bytes;
        if self.next_tag.is_some() {
            return Some(self.pos);
        }
        let mut junk = None;
        let found = loop {
            let at = self.pos;
            let Some(&byte) = bytes.get(at) else {
                break None;
            };
            self.pos = match byte {
                b'[' if lex::tag_pair(bytes, at).is_some() => break Some(at),
                b'{' => lex::comment_end(bytes, at).0,
                b';' | b'%' if lex::skip_line_comment(bytes, at).is_some() => {
                    lex::line_end(bytes, at)
                }
                0 => {
                    junk.get_or_insert(at..at + 1);
                    at + 1
                }
                b if lex::is_blank(b) => at + 1,
                _ if bytes[at..].starts_with(lex::BOM) => at + lex::BOM.len(),
                _ if lex::wide_blank_len(bytes, at) > 0 => at + lex::wide_blank_len(bytes, at),
                _ => {
                    let markup = match byte {
                        b'<' => lex::markup_end(bytes, at),
                        b'&' => lex::entity_len(bytes, at).map(|len| at + len),
                        _ => None,
                    };
                    let end = markup.unwrap_or(word_end(bytes, at).max(at + 1));
                    if self.tagless && starts_tagless_game(bytes, at) {
                        break Some(at);
                    }
                    junk.get_or_insert(at..end);
                    end
                }
            };
        };
        if let Some(junk) = junk {
            self.before
                .push(Note::warning(Class::JunkText, junk.start, junk.len()));
        }
        found
    }

    /// Reads the game that begins at `game.range.start` and returns the first byte of the next.
    fn read_game(&mut self, game: &mut RawGame) -> usize {
        let bytes = self.bytes;
        let mut pos = game.range.start;
        let mut state = if bytes[pos] == b'[' {
            State::Tags
        } else {
            State::Body
        };
        let tagless = state == State::Body;
        // In the tag section: something other than white space within lines stood between the last two tag pairs.
        let mut gap = Gap::None;
        let mut depth = 0u32;
        let mut outermost_open = 0;
        // The last word is a move of which a part is still to come: `Cc6 x`.
        let mut open_word = false;
        let mut junk_noted = false;
        // End of the last line that was noted for a bracket without a tag pair: one note a line, found in one search.
        let mut noted_line_end = 0;
        let mut names = Names::default();
        loop {
            if state == State::Body && !open_word {
                // A run of junk ends at a move.
                let n_words = game.words.len();
                pos = plain::read(bytes, pos, &mut game.words);
                junk_noted &= game.words.len() == n_words;
            }
            let Some(&byte) = bytes.get(pos) else { break };
            match byte {
                b' ' | b'\t' => pos += 1,
                b'\n' | b'\r' => {
                    if state == State::Tags && gap == Gap::None && is_blank_line(bytes, pos) {
                        gap = Gap::BlankLine(pos);
                    }
                    pos += 1;
                }
                b'[' => match self.next_tag.take().or_else(|| lex::tag_pair(bytes, pos)) {
                    Some(tag) => {
                        let repeated =
                            names.is_repeated(bytes, &game.tags, &bytes[tag.name.clone()]);
                        if state != State::Tags || repeated && gap != Gap::None {
                            self.next_tag = Some(tag);
                            break;
                        }
                        if let Gap::BlankLine(at) = gap {
                            game.notes
                                .push(Note::warning(Class::BlankLineInTags, at, 0));
                        }
                        gap = Gap::None;
                        if !tag.well_formed {
                            game.notes
                                .push(Note::warning(Class::TagMalformed, pos, tag.end - pos));
                        }
                        if repeated {
                            game.notes
                                .push(Note::warning(Class::TagDuplicate, pos, tag.end - pos));
                        } else {
                            game.tags.push(RawTag {
                                name: tag.name,
                                value: tag.value,
                                has_escapes: tag.has_escapes,
                            });
                        }
                        // Nearly always the next tag pair begins the next line.
                        pos = match bytes[tag.end..] {
                            [b'\n', b'[', ..] => tag.end + 1,
                            [b'\r', b'\n', b'[', ..] => tag.end + 2,
                            _ => tag.end,
                        };
                    }
                    None if state == State::Tags
                        && let Some(tag) = lex::meant_pair(bytes, pos) =>
                    {
                        let note = |class| Note::warning(class, pos, tag.end - pos);
                        game.notes.push(note(Class::TagMalformed));
                        if names.is_repeated(bytes, &game.tags, &bytes[tag.name.clone()]) {
                            game.notes.push(note(Class::TagDuplicate));
                        } else {
                            game.tags.push(RawTag {
                                name: tag.name,
                                value: tag.value,
                                has_escapes: tag.has_escapes,
                            });
                        }
                        pos = tag.end;
                    }
                    None if state == State::Tags => {
                        if pos >= noted_line_end {
                            noted_line_end = lex::line_end(bytes, pos);
                            game.notes.push(Note::warning(
                                Class::TagMalformed,
                                pos,
                                noted_line_end - pos,
                            ));
                        }
                        // What is within brackets is no movetext, or a number there would begin it, and the next tag
                        // another game. Without the second one only the first is consumed: a comment that begins on
                        // this line is still a comment.
                        pos = lex::bracketed_end(bytes, pos).unwrap_or(pos + 1);
                        gap = gap.or_text();
                    }
                    None => {
                        note_junk(game, &mut junk_noted, pos, 1);
                        pos += 1;
                    }
                },
                b'{' => {
                    let (end, closed) = lex::comment_end(bytes, pos);
                    if closed == Closed::No {
                        // After the marker a comment can hide nothing of this game.
                        let lossy = state != State::Over;
                        let note = if lossy { Note::error } else { Note::warning };
                        game.notes.push(note(Class::UnterminatedComment, pos, 1));
                        game.cut |= lossy;
                    }
                    gap = gap.or_text();
                    pos = end;
                }
                b';' => {
                    pos = lex::line_end(bytes, pos);
                    gap = gap.or_text();
                }
                b'%' if lex::is_line_start(bytes, pos) => pos = lex::line_end(bytes, pos),
                b'(' if state == State::Over => {
                    note_junk(game, &mut junk_noted, pos, 1);
                    pos += 1;
                }
                b'(' if bytes[pos..].starts_with(b"(=)") => pos += 3,
                b'(' => {
                    state = State::Body;
                    if depth == 0 {
                        outermost_open = pos;
                    }
                    depth += 1;
                    game.words.push(Word {
                        start: pos,
                        len: 1,
                        kind: WordKind::Open,
                    });
                    pos += 1;
                }
                b')' => {
                    if state == State::Over {
                        note_junk(game, &mut junk_noted, pos, 1);
                    } else if depth == 0 {
                        game.notes.push(Note::warning(Class::UnbalancedRav, pos, 1));
                    } else {
                        depth -= 1;
                        game.words.push(Word {
                            start: pos,
                            len: 1,
                            kind: WordKind::Close,
                        });
                    }
                    pos += 1;
                }
                b'$' => {
                    let digits = bytes[pos + 1..]
                        .iter()
                        .take_while(|b| b.is_ascii_digit())
                        .count();
                    let glyph = &bytes[pos + 1..pos + 1 + digits];
                    // PGN standard, section 8.2.4: from 0 to 255.
                    if !std::str::from_utf8(glyph).is_ok_and(|text| text.parse::<u8>().is_ok()) {
                        game.notes
                            .push(Note::warning(Class::UnknownAnnotation, pos, 1 + digits));
                    }
                    pos += 1 + digits;
                }
                b'<' => {
                    let end = lex::markup_end(bytes, pos).unwrap_or(pos + 1);
                    note_junk(game, &mut junk_noted, pos, end - pos);
                    gap = gap.or_text();
                    pos = end;
                }
                b'&' if let Some(len) = lex::entity_len(bytes, pos) => {
                    note_junk(game, &mut junk_noted, pos, len);
                    gap = gap.or_text();
                    pos += len;
                }
                b if lex::is_blank(b) => pos += 1,
                0xa0 | 0xc2 | 0xe2 | 0xe3 if lex::wide_blank_len(bytes, pos) > 0 => {
                    pos += lex::wide_blank_len(bytes, pos);
                }
                0xef if bytes[pos..].starts_with(lex::BOM) => pos += lex::BOM.len(),
                _ => {
                    // Move numbers first: they are half of all words, and most need no more than this. Looking for the
                    // end of the word first would read `1.2.3.` once for each of its numbers.
                    if byte == b'1'
                        && bytes.get(pos + 1) == Some(&b'.')
                        && depth == 0
                        && (state == State::Over || !game.words.is_empty())
                        && restarts_numbering(bytes, pos)
                    {
                        break;
                    }
                    if byte.is_ascii_digit() && state != State::Over {
                        if let Some((result, len)) = spaced_marker(&bytes[pos..]) {
                            if depth == 0 {
                                state = State::Over;
                                junk_noted = false;
                                game.marker = Some(result);
                                game.notes
                                    .push(Note::warning(Class::ResultNonstandard, pos, len));
                            }
                            pos += len;
                            continue;
                        }
                        if let Some(end) = number_end(bytes, pos) {
                            state = State::Body;
                            // Some write `1)` for `1.`; within a variation the parenthesis closes it.
                            let is_numeral = depth == 0 && bytes.get(end) == Some(&b')');
                            pos = end + usize::from(is_numeral);
                            continue;
                        }
                        if let Some((result, len)) = standard_marker(&bytes[pos..]) {
                            if depth == 0 {
                                state = State::Over;
                                junk_noted = false;
                                game.marker = Some(result);
                            }
                            pos += len;
                            continue;
                        }
                    }
                    if state != State::Over {
                        // The dots of `12. ...Kf3` stand before their move without a blank.
                        let dots = dots_len(&bytes[pos..]);
                        if dots > 0 {
                            state = State::Body;
                            pos += dots;
                            continue;
                        }
                    }
                    let mut end = token_end(bytes, pos);
                    if state != State::Over {
                        end = pos + len_without_marker(&bytes[pos..end]);
                    }
                    let token = &bytes[pos..end];
                    if state == State::Over {
                        if tagless && depth == 0 && starts_tagless_game(bytes, pos) {
                            break;
                        }
                        note_junk(game, &mut junk_noted, pos, end - pos);
                        pos = end;
                        continue;
                    }
                    let is_plain = word::is_plain_move(token);
                    if let Some(last) = game.words.last_mut()
                        && last.kind == WordKind::Move
                        && (open_word || !is_plain)
                        && joins(bytes, *last, pos..end)
                    {
                        last.len = u32::try_from(end - last.start).unwrap_or(u32::MAX);
                        open_word = word::is_open(&bytes[last.range()]);
                        pos = end;
                        continue;
                    }
                    let meaning = if is_plain {
                        Meaning::Move
                    } else {
                        word::meaning(token)
                    };
                    open_word = !is_plain && word::is_open(token);
                    match meaning {
                        Meaning::Move => {
                            state = State::Body;
                            junk_noted = false;
                            let len = u32::try_from(token.len()).unwrap_or(u32::MAX);
                            game.words.push(Word {
                                start: pos,
                                len,
                                kind: WordKind::Move,
                            });
                        }
                        Meaning::Marker(result, spelling) if depth == 0 => {
                            state = State::Over;
                            junk_noted = false;
                            game.marker = Some(result);
                            if spelling == Spelling::Nonstandard {
                                game.notes.push(Note::warning(
                                    Class::ResultNonstandard,
                                    pos,
                                    token.len(),
                                ));
                            }
                        }
                        Meaning::Number | Meaning::Marker(..) | Meaning::Annotation => {
                            if state == State::Tags && matches!(meaning, Meaning::Annotation) {
                                gap = gap.or_text();
                            } else {
                                state = State::Body;
                            }
                        }
                        Meaning::UnknownAnnotation if state == State::Body => {
                            game.notes.push(Note::warning(
                                Class::UnknownAnnotation,
                                pos,
                                token.len(),
                            ));
                        }
                        Meaning::UnknownAnnotation | Meaning::Junk => {
                            note_junk(game, &mut junk_noted, pos, token.len());
                            gap = gap.or_text();
                        }
                    }
                    pos = end;
                }
            }
        }
        if depth > 0 && state != State::Over {
            game.notes
                .push(Note::error(Class::UnbalancedRav, outermost_open, 1));
            game.cut = true;
        }
        pos
    }
}

/// Number of tags from which on names are looked up in a set. Real games have some twenty, where a scan is faster; only
/// in a game of a hundred thousand tags would it never end.
const MANY_TAGS: usize = 64;

/// What is known of the tag names of a game.
#[derive(Default)]
struct Names<'a> {
    /// A bit for each that was seen, which some share: most names need not be compared with those before them.
    seen: u64,
    /// Those of the first tags, when there are many.
    first: BTreeSet<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// Whether `tags`, which all have different names, hold one with this name, which is not empty.
    fn is_repeated(&mut self, bytes: &'a [u8], tags: &[RawTag], name: &[u8]) -> bool {
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

/// Whether the token belongs to the move before it, from which only blanks part it: `Cc6 x Cd4`, `Castles K`. A mark
/// after a plain move, as in `Nf3 +`, is an annotation of its own.
fn joins(bytes: &[u8], last: Word, token: std::ops::Range<usize>) -> bool {
    let word = &bytes[last.range()];
    // No move is as long. Without a limit `x x x …` would be read once for each of its signs.
    if word.len() > 64 {
        return false;
    }
    let between = &bytes[last.range().end..token.start];
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let (Some(word_text), Some(token_text)) = (text(word), text(&bytes[token.clone()])) else {
        return false;
    };
    let is_capture_sign = matches!(token_text, "x" | ":" | "×");
    // PGN standard, section 8.2.3.5: a check sign is appended to its move, so on another line it is none. Words may be
    // parted by the end of a line, which is white space like a blank; an empty line ends what was being said.
    let is_check_sign = token_text.starts_with(['+', '#']);
    let most_line_ends = usize::from(!is_check_sign);
    (is_capture_sign || word::is_open(word) || !word::is_plain_move(word))
        && notation::continues_move(word_text, token_text)
        && GameResult::from_marker(token_text).is_none()
        && between.iter().all(|b| lex::is_blank(*b))
        && lex::n_line_ends(between) <= most_line_ends
}

/// What stood between two tag pairs of one section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    BlankLine(usize),
    Text,
}

impl Gap {
    fn or_text(self) -> Gap {
        if self == Gap::None { Gap::Text } else { self }
    }
}

/// One note for a run of junk words: the first says where, and a reader looks there anyway. A run ends at a move, and at
/// the marker, because moves after it are junk that somebody will miss.
fn note_junk(game: &mut RawGame, noted: &mut bool, at: usize, len: usize) {
    if !std::mem::replace(noted, true) {
        game.notes.push(Note::warning(Class::JunkText, at, len));
    }
}

/// Whether the line end at `at` is followed by an empty line.
fn is_blank_line(bytes: &[u8], at: usize) -> bool {
    let line = at
        + if bytes[at..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
    let text = line
        + bytes[line.min(bytes.len())..]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
    // The `\n` of a CRLF pair is reached on its own; what follows it was looked at from the `\r`.
    !(bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r')
        && matches!(bytes.get(text), Some(b'\n' | b'\r'))
}
