//! The reader: a state machine over the bytes of a chunk that hands out one raw game at a time.
//!
//! Plan, for each token: plain movetext by [`plain`], which is sure of what it takes and leaves the rest; then skip blanks;
//! comments, escape lines and tag pairs by the functions of `split::lex`, which the splitter uses too; numbers and plain
//! moves by their first bytes; everything else by [`word::meaning`].

use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::Spelling;
use crate::notation::Reading;
use crate::parse::gap::{Gap, is_blank_line};
use crate::parse::joins::joins;
use crate::parse::junk::JunkRun;
use crate::parse::names::{Names, begins_next};
use crate::parse::numbering::{Numbering, Verdict};
use crate::parse::start::Starts;
use crate::parse::token::{
    dots_len, half_tag_end, len_without_marker, names_piece, number_end, spaced_marker,
    standard_marker, token_end, word_end,
};
use crate::parse::word::{self, Meaning};
use crate::parse::{RawGame, RawTag, Word, WordKind, is_surrogate, plain};
use crate::split::lex::{self, TagPair};

mod aside;
mod judge;

/// Reads the games of a chunk in order.
#[derive(Debug)]
pub struct GameReader<'a> {
    bytes: &'a [u8],
    reading: Reading,
    pos: usize,
    /// The last game that was read had no tags, or ended where numbers begin again: a game without tags may follow.
    tagless: bool,
    /// The tag pair at `pos`, if the last game ended because of it.
    next_tag: Option<TagPair>,
    /// Where the game without tags begins because of which the last game ended.
    next_start: Option<usize>,
    /// Notes on what stands before the first game; they go with it.
    before: Vec<Note>,
    starts: Starts<'a>,
    numbering: Numbering,
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
    /// A reader over bytes that begin at a game or at the start of a source, whose moves are written so.
    pub fn new(bytes: &'a [u8], reading: Reading) -> GameReader<'a> {
        GameReader {
            bytes,
            reading,
            pos: 0,
            tagless: true,
            next_tag: None,
            next_start: None,
            before: Vec::new(),
            starts: Starts::new(bytes, reading),
            numbering: Numbering::new(),
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
        self.tagless = game.tags.is_empty();
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
        if self.next_tag.is_some() || self.next_start.take().is_some() {
            return Some(self.pos);
        }
        let mut junk = None;
        let found = loop {
            let at = self.pos;
            let Some(&byte) = bytes.get(at) else {
                break None;
            };
            let may_begin = self.tagless
                && !lex::is_blank(byte)
                && !bytes[at..].starts_with(lex::BOM)
                && lex::wide_blank_len(bytes, at) == 0
                && !(byte == b'[' && lex::tag_pair(bytes, at).is_some());
            if may_begin && let Some(start) = self.starts.game_at(at) {
                if start > at {
                    junk.get_or_insert(at..start);
                }
                break Some(start);
            }
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
        // Nothing but comments and blanks stood after the last number.
        let mut after_number = false;
        let mut junk = JunkRun::default();
        // End of the last line that was noted for a bracket without a tag pair: one note a line, found in one search.
        let mut noted_line_end = 0;
        let mut names = Names::default();
        self.numbering.reset();
        loop {
            if state == State::Body && !open_word && !self.numbering.is_waiting() {
                // A run of junk ends at a move.
                let n_words = game.words.len();
                let plain = plain::read(bytes, pos, self.numbering.base(), &mut game.words);
                pos = plain.end;
                if game.words.len() > n_words {
                    junk = JunkRun::default();
                    after_number = false;
                }
                after_number |= plain.ends_with_number;
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
                        let name = &bytes[tag.name.clone()];
                        let repeated = names.is_repeated(bytes, &game.tags, name);
                        if state != State::Tags
                            || repeated && (gap != Gap::None || begins_next(bytes, game, pos, &tag))
                        {
                            self.next_tag = Some(tag);
                            break;
                        }
                        // Text among the tags is no movetext.
                        self.numbering.settle(&mut game.words, &mut game.notes);
                        if let Gap::BlankLine(at) = gap {
                            game.notes
                                .push(Note::warning(Class::BlankLineInTags, at, 0));
                        }
                        gap = Gap::None;
                        if !tag.well_formed {
                            // A tag that the end of the text cuts is no mistake of its writer.
                            let is_cut = tag.end == bytes.len() && bytes[tag.end - 1] != b']';
                            let note = if is_cut {
                                Note::error(Class::Truncated, pos, tag.end - pos)
                            } else {
                                Note::warning(Class::TagMalformed, pos, tag.end - pos)
                            };
                            game.notes.push(note);
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
                    None if half_tag_end(bytes, pos) => {
                        game.notes
                            .push(Note::error(Class::Truncated, pos, bytes.len() - pos));
                        pos = bytes.len();
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
                        if state == State::Over && self.game_follows(tagless, depth, pos) {
                            break;
                        }
                        // Some write variations so; nobody knows whether the moves in it are part of the game.
                        if state == State::Body && bytes.get(pos + 1) != Some(&b'%') {
                            self.unread(game, &mut junk, pos, 1);
                            self.numbering.give_up();
                        } else {
                            junk.note(game, pos, 1);
                        }
                        pos += 1;
                    }
                },
                b'{' => {
                    if state == State::Over && self.game_follows(tagless, depth, pos) {
                        break;
                    }
                    pos = self.comment(game, &mut junk, state, pos);
                    gap = gap.or_text();
                }
                b';' => {
                    let end = lex::line_end(bytes, pos);
                    if state == State::Body && self.hides_moves(game, pos..end) {
                        self.numbering.unread(&mut game.words, pos, end - pos);
                    }
                    pos = end;
                    gap = gap.or_text();
                }
                b'%' if lex::is_line_start(bytes, pos) => pos = lex::line_end(bytes, pos),
                b'(' if state == State::Over => {
                    if self.game_follows(tagless, depth, pos) {
                        break;
                    }
                    junk.note(game, pos, 1);
                    pos += 1;
                }
                b'(' if bytes[pos..].starts_with(b"(=)") => pos += 3,
                b'(' => {
                    state = State::Body;
                    if depth == 0 {
                        outermost_open = pos;
                    }
                    depth += 1;
                    self.numbering.open(game.words.len());
                    game.words.push(Word {
                        start: pos,
                        len: 1,
                        kind: WordKind::Open,
                    });
                    after_number = false;
                    junk = JunkRun::default();
                    pos += 1;
                }
                b')' => {
                    if state == State::Over {
                        junk.note(game, pos, 1);
                    } else if depth == 0 {
                        game.notes.push(Note::warning(Class::UnbalancedRav, pos, 1));
                    } else {
                        depth -= 1;
                        game.words.push(Word {
                            start: pos,
                            len: 1,
                            kind: WordKind::Close,
                        });
                        self.numbering.close(game.words.len());
                        after_number = false;
                        junk = JunkRun::default();
                    }
                    pos += 1;
                }
                b'$' => {
                    if state == State::Over && self.game_follows(tagless, depth, pos) {
                        break;
                    }
                    pos = self.glyph(game, &mut junk, state, pos);
                }
                b'<' => {
                    pos = self.markup(game, &mut junk, state, pos);
                    gap = gap.or_text();
                }
                b'&' if let Some(len) = lex::entity_len(bytes, pos) => {
                    self.entity(game, &mut junk, state, pos..pos + len);
                    gap = gap.or_text();
                    pos += len;
                }
                b if lex::is_blank(b) => pos += 1,
                0xa0 | 0xc2 | 0xe2 | 0xe3 if lex::wide_blank_len(bytes, pos) > 0 => {
                    pos += lex::wide_blank_len(bytes, pos);
                }
                0xef if bytes[pos..].starts_with(lex::BOM) => pos += lex::BOM.len(),
                _ => {
                    let follows = match state {
                        State::Tags => false,
                        State::Body => {
                            !game.words.is_empty() && self.game_follows(false, depth, pos)
                        }
                        State::Over => self.game_follows(tagless, depth, pos),
                    };
                    if follows {
                        break;
                    }
                    // Move numbers first: they are half of all words, and most need no more than this. Looking for the
                    // end of the word first would read `1.2.3.` once for each of its numbers.
                    if byte.is_ascii_digit() {
                        if state != State::Over
                            && let Some((result, len)) = spaced_marker(&bytes[pos..])
                        {
                            if depth == 0 {
                                state = State::Over;
                                junk = JunkRun::after_marker();
                                game.marker = Some(result);
                                game.notes
                                    .push(Note::warning(Class::ResultNonstandard, pos, len));
                            }
                            after_number = false;
                            pos += len;
                            continue;
                        }
                        if let Some(end) = number_end(bytes, pos) {
                            if state == State::Over {
                                junk.number(game, pos, end - pos);
                                pos = end;
                                continue;
                            }
                            // Some write `1)` for `1.`; within a variation the parenthesis closes it.
                            let is_numeral = depth == 0 && bytes.get(end) == Some(&b')');
                            let end = end + usize::from(is_numeral);
                            let was_tags = state == State::Tags;
                            let (verdict, end) = self.number(game, after_number, pos..end);
                            if verdict != Verdict::NoNumber {
                                state = State::Body;
                                junk.unread = false;
                                after_number = true;
                                pos = end;
                                continue;
                            }
                            if was_tags {
                                junk.note(game, pos, end - pos);
                                gap = gap.or_text();
                                pos = end;
                                continue;
                            }
                        } else if state != State::Over
                            && let Some((result, len)) = standard_marker(&bytes[pos..])
                        {
                            if depth == 0 {
                                state = State::Over;
                                junk = JunkRun::after_marker();
                                game.marker = Some(result);
                            }
                            after_number = false;
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
                    let is_plain = word::is_plain_move(token);
                    if state == State::Over {
                        match word::meaning(token, self.reading) {
                            Meaning::Number => junk.number(game, pos, end - pos),
                            meaning => {
                                let is_move = is_plain || meaning == Meaning::Move;
                                junk.word(game, pos, end - pos, is_move);
                            }
                        }
                        pos = end;
                        continue;
                    }
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
                        word::meaning(token, self.reading)
                    };
                    open_word = !is_plain && word::is_open(token);
                    let was_after_number = std::mem::take(&mut after_number);
                    let names_piece = state == State::Body && names_piece(bytes, pos..end, meaning);
                    match meaning {
                        Meaning::Move => {
                            state = State::Body;
                            // What stands before a pawn's move may be the name of another piece, whatever numbers say.
                            if junk.unread && token[0].is_ascii_lowercase() {
                                self.numbering.give_up();
                            }
                            junk = JunkRun::default();
                            let len = u32::try_from(token.len()).unwrap_or(u32::MAX);
                            game.words.push(Word {
                                start: pos,
                                len,
                                kind: WordKind::Move,
                            });
                        }
                        Meaning::Marker(result, spelling) if depth == 0 => {
                            state = State::Over;
                            junk = JunkRun::after_marker();
                            game.marker = Some(result);
                            if spelling == Spelling::Nonstandard {
                                game.notes.push(Note::warning(
                                    Class::ResultNonstandard,
                                    pos,
                                    token.len(),
                                ));
                            }
                        }
                        // After a number a move has to stand, and nothing that could be a remark on one.
                        Meaning::Annotation | Meaning::UnknownAnnotation | Meaning::Ruler
                            if state == State::Body && (was_after_number || names_piece) =>
                        {
                            self.unread(game, &mut junk, pos, token.len());
                        }
                        Meaning::Number | Meaning::Marker(..) | Meaning::Annotation => {
                            after_number = was_after_number && meaning == Meaning::Number;
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
                        Meaning::Ruler => {
                            junk.note(game, pos, token.len());
                            gap = gap.or_text();
                        }
                        Meaning::UnknownAnnotation | Meaning::Junk => {
                            self.unread(game, &mut junk, pos, token.len());
                            gap = gap.or_text();
                        }
                    }
                    pos = end;
                }
            }
        }
        if let Some(start) = self.next_start.filter(|start| *start > pos) {
            junk.note(game, pos, start - pos);
            pos = start;
        }
        self.end(game, depth, state, after_number);
        if depth > 0 && state != State::Over {
            game.notes
                .push(Note::error(Class::UnbalancedRav, outermost_open, 1));
            game.cut = true;
        }
        pos
    }

    /// Whether the token at `pos` announces another game, and remembers where that begins; a game without tags is followed by any of its kind.
    fn game_follows(&mut self, tagless: bool, depth: u32, pos: usize) -> bool {
        if depth > 0 {
            return false;
        }
        let any = if tagless {
            self.starts.game_at(pos)
        } else {
            None
        };
        self.next_start = any.or_else(|| self.starts.game_again_at(pos));
        self.next_start.is_some()
    }

    /// Takes a word that is not understood; the first of a run.
    fn unread(&mut self, game: &mut RawGame, junk: &mut JunkRun, at: usize, len: usize) {
        if !std::mem::replace(&mut junk.unread, true) {
            self.numbering.unread(&mut game.words, at, len);
        }
    }
}
