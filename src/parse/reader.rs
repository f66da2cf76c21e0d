//! The reader: a state machine over the bytes of a chunk that hands out one raw game at a time.
//!
//! Plan, for each token: plain movetext by [`plain`], which is sure of what it takes and leaves the rest; then skip blanks;
//! comments, escape lines and tag pairs by the functions of `split::lex`, which the splitter uses too; numbers and plain
//! moves by their first bytes; everything else by [`word::meaning`].

use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::{GameResult, Spelling};
use crate::notation::{self, Reading};
use crate::parse::names::{Names, begins_next_game};
use crate::parse::numbering::{Numbering, Printed, Start, Verdict};
use crate::parse::start::{Starts, follows_empty_line, skip_blanks};
use crate::parse::token::{
    dots_len, half_tag_end, len_without_marker, number_end, spaced_marker, standard_marker,
    token_end, word_end,
};
use crate::parse::word::{self, Meaning};
use crate::parse::{RawGame, RawTag, Word, WordKind, is_surrogate, plain};
use crate::split::lex::{self, Closed, TagPair};

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
        self.tagless = game.tags.is_empty()
            || self.next_tag.is_none() && end < self.bytes.len() && self.starts.begins_again(end);
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
                        if state == State::Over && self.starts.begins_again(pos) {
                            break;
                        }
                        junk.note(game, pos, 1);
                        pos += 1;
                    }
                },
                b'{' => {
                    if state == State::Over && self.next_game_begins(tagless, depth, pos) {
                        break;
                    }
                    let (end, closed) = lex::comment_end(bytes, pos);
                    if closed == Closed::No {
                        // After the marker a comment can hide nothing of this game, but a text that ends in one was cut.
                        let lossy = state != State::Over;
                        game.notes.push(match end == bytes.len() {
                            _ if lossy => Note::error(Class::UnterminatedComment, pos, 1),
                            true => Note::error(Class::Truncated, pos, end - pos),
                            false => Note::warning(Class::UnterminatedComment, pos, 1),
                        });
                        game.cut |= lossy;
                    }
                    gap = gap.or_text();
                    pos = end;
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
                    if self.next_game_begins(tagless, depth, pos) {
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
                    if state == State::Over && self.next_game_begins(tagless, depth, pos) {
                        break;
                    }
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
                    junk.note(game, pos, end - pos);
                    gap = gap.or_text();
                    pos = end;
                }
                b'&' if let Some(len) = lex::entity_len(bytes, pos) => {
                    junk.note(game, pos, len);
                    gap = gap.or_text();
                    pos += len;
                }
                b if lex::is_blank(b) => pos += 1,
                0xa0 | 0xc2 | 0xe2 | 0xe3 if lex::wide_blank_len(bytes, pos) > 0 => {
                    pos += lex::wide_blank_len(bytes, pos);
                }
                0xef if bytes[pos..].starts_with(lex::BOM) => pos += lex::BOM.len(),
                _ => {
                    let next_begins = match state {
                        State::Tags => false,
                        State::Body => {
                            depth == 0 && !game.words.is_empty() && self.starts.begins_again(pos)
                        }
                        State::Over => self.next_game_begins(tagless, depth, pos),
                    };
                    if next_begins {
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
                            let (verdict, end) = self.number(game, pos..end);
                            if verdict == Verdict::Number {
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
                    match meaning {
                        Meaning::Move => {
                            state = State::Body;
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
                            if state == State::Body && was_after_number =>
                        {
                            self.unread(game, &mut junk, pos, token.len());
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
        self.end(game, depth, state, after_number);
        if depth > 0 && state != State::Over {
            game.notes
                .push(Note::error(Class::UnbalancedRav, outermost_open, 1));
            game.cut = true;
        }
        pos
    }

    /// Whether another game begins after the termination marker, at the token at `pos`.
    fn next_game_begins(&mut self, tagless: bool, depth: u32, pos: usize) -> bool {
        depth == 0
            && (tagless && self.starts.game_at(pos).is_some() || self.starts.begins_again(pos))
    }

    /// Takes a word that is not understood; the first of a run.
    fn unread(&mut self, game: &mut RawGame, junk: &mut JunkRun, at: usize, len: usize) {
        if !std::mem::replace(&mut junk.unread, true) {
            self.numbering.unread(&mut game.words, at, len);
        }
    }

    /// Reads the number at `at`, and the dots that stand apart from it. Returns where it ends.
    fn number(&mut self, game: &mut RawGame, at: std::ops::Range<usize>) -> (Verdict, usize) {
        let bytes = self.bytes;
        let n_digits = bytes[at.clone()]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let n_dots = |range: &[u8]| match range {
            range if range.starts_with("…".as_bytes()) => 2,
            range => bytecount::count(range, b'.'),
        };
        let signs = &bytes[at.start + n_digits..at.end];
        let more = skip_blanks(bytes, at.end);
        let more_len = dots_len(bytes.get(more..).unwrap_or_default());
        let n_more = n_dots(&bytes[more..more + more_len]);
        let end = if more_len > 0 {
            more + more_len
        } else {
            at.end
        };
        let printed = Printed::new(
            &bytes[at.start..at.start + n_digits],
            n_dots(signs) + n_more > 1,
            !signs.is_empty() || n_more > 0,
        );
        let word = Word {
            start: at.start,
            len: u32::try_from(at.len()).unwrap_or(u32::MAX),
            kind: WordKind::Unread,
        };
        let RawGame {
            words, notes, tags, ..
        } = game;
        let verdict = self
            .numbering
            .number(printed, word, words, notes, || start_of(bytes, tags));
        (verdict, end)
    }

    /// Whether the rest of a line that a semicolon begins was meant to be read: it stands directly behind a move, as a
    /// semicolon does that parts moves, and the next number and a move stand in it (`P-K4; 2. Kt-KB3`). It is a comment all
    /// the same (PGN standard, section 5), so that the game goes on only if the numbers after it say that it may.
    fn hides_moves(&self, game: &RawGame, line: std::ops::Range<usize>) -> bool {
        let bytes = self.bytes;
        let is_glued = game
            .words
            .last()
            .is_some_and(|last| last.kind == WordKind::Move && last.range().end == line.start);
        is_glued && {
            let rest = &bytes[line.start + 1..line.end];
            let n_blanks = rest.iter().take_while(|b| lex::is_blank(**b)).count();
            self.starts
                .is_movetext(line.end - rest.len() + n_blanks..line.end)
        }
    }

    /// What is to be said at the end of the game.
    fn end(&mut self, game: &mut RawGame, depth: u32, state: State, after_number: bool) {
        let bytes = self.bytes;
        let RawGame { words, notes, .. } = game;
        self.numbering
            .end(words, notes, |at| follows_empty_line(bytes, at));
        if state != State::Body || game.marker.is_some() {
            return;
        }
        let last = words.last_mut();
        // Half a word, or a number without its move: here a text was cut.
        let half = last.filter(|last| {
            last.kind == WordKind::Unread && word::is_half_move(&bytes[last.range()])
        });
        if let Some(half) = half {
            half.kind = WordKind::Skipped;
            notes.push(Note::error(Class::Truncated, half.start, half.len as usize));
            game.cut = true;
        } else if after_number {
            let at = words
                .last()
                .map_or(game.range.start, |last| last.range().end);
            notes.push(Note::error(Class::Truncated, at, 0));
            game.cut = true;
        } else if let Some(last) = words
            .last()
            .filter(|last| depth == 0 && last.kind == WordKind::Move)
        {
            let word = &bytes[last.range()];
            game.forfeit = word::is_double_zero(word);
            if last.range().end == bytes.len() && word::is_half_pawn_capture(word) {
                // It may be whole; where a text ends so, nobody knows.
                notes.push(Note::error(Class::Truncated, last.start, last.len as usize));
            }
        }
    }
}

/// What the numbers of a game with these tags begin with.
fn start_of(bytes: &[u8], tags: &[RawTag]) -> Start {
    let fen = tags
        .iter()
        .find(|tag| bytes[tag.name.clone()].eq_ignore_ascii_case(b"FEN"));
    let Some(fen) = fen else {
        return Start::Usual;
    };
    let fields: Vec<&[u8]> = bytes[fen.value.clone()]
        .split(|b| matches!(b, b' ' | b'_'))
        .filter(|field| !field.is_empty())
        .collect();
    let number = fields
        .get(5)
        .and_then(|field| std::str::from_utf8(field).ok()?.parse::<i64>().ok());
    let is_black = fields.get(1) == Some(&&b"b"[..]);
    Start::Position(number.map(|number| 2 * (number - 1) + i64::from(is_black)))
}

/// Whether a repeated tag at `pos` begins the next game.
fn begins_next(bytes: &[u8], game: &RawGame, pos: usize, tag: &TagPair) -> bool {
    let name = &bytes[tag.name.clone()];
    let next = skip_blanks(bytes, tag.end);
    let next = (bytes.get(next) == Some(&b'['))
        .then(|| lex::tag_pair(bytes, next))
        .flatten();
    let next = next.map(|next| &bytes[next.name]);
    (name == b"Event" || lex::is_line_start(bytes, pos))
        && begins_next_game(bytes, &game.tags, name, next)
}

/// A run of words that are no chess.
#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that is said once"
)]
struct JunkRun {
    /// It has its note: the first word says where, and a reader looks there anyway.
    noted: bool,
    /// The same for words that may have been moves.
    unread: bool,
    /// After the termination marker: what came last is the marker, a number or a move, so that a move here is one that
    /// somebody will miss.
    is_movetext: bool,
    /// Moves after the marker have their note.
    loss_noted: bool,
}

impl JunkRun {
    fn after_marker() -> JunkRun {
        JunkRun {
            is_movetext: true,
            ..JunkRun::default()
        }
    }

    fn note(&mut self, game: &mut RawGame, at: usize, len: usize) {
        if !std::mem::replace(&mut self.noted, true) {
            game.notes.push(Note::warning(Class::JunkText, at, len));
        }
    }

    /// A number after the marker.
    fn number(&mut self, game: &mut RawGame, at: usize, len: usize) {
        self.note(game, at, len);
        self.is_movetext = true;
    }

    /// A word after the marker.
    fn word(&mut self, game: &mut RawGame, at: usize, len: usize, is_move: bool) {
        if is_move && self.is_movetext && !std::mem::replace(&mut self.loss_noted, true) {
            game.notes
                .push(Note::error(Class::MovesAfterMarker, at, len));
            game.cut = true;
            self.noted = true;
        } else {
            self.note(game, at, len);
        }
        self.is_movetext = is_move;
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
