//! Whether the index has a text already: all of it, or a shorter version that it continues.
//!
//! Only texts that begin alike are compared, which one look at the first kilobytes tells; a text that may be known is
//! read once to hash it, and once more if there is something to import. Reading and unpacking take a small part of the
//! time that an import takes.
//!
//! A text continues a shorter one when its first bytes have that one's hash. The last chunk of the shorter version is
//! then read twice, as it was and as it is now, because what was appended can change what stands before it: the last
//! game may have been cut in its middle, and a comment that was never closed may be closed now. All games but the last
//! have to be the same; the last one is replaced when it is not.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::error::{Error, Result};
use crate::index::{Continued, HEAD_BYTES, Manifest, SourceEntry};
use crate::ingest::flow::{Chunk, Flow, believable};
use crate::ingest::report::n_lines;
use crate::notation::{GameReading, Reading};
use crate::parse::{GameReader, RawGame};
use crate::source::TextEncoding;
use crate::split::lex;

/// How texts are read now; only what was read alike is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alike {
    pub(super) reading: GameReading,
    pub(super) encoding: Option<TextEncoding>,
    pub(super) variations: bool,
}

impl Alike {
    /// Whether a source was read so, and its games are there.
    pub(super) fn is(self, entry: &SourceEntry) -> bool {
        entry.replaced_by.is_none()
            && self.is_read_alike(entry)
            && entry.variations == self.variations
    }

    /// Whether a source was read otherwise, so that reading its text so replaces it. What is indexed of a game is another
    /// matter: variations that the index has are not dropped by the way.
    fn replaces(self, entry: &SourceEntry) -> bool {
        entry.replaced_by.is_none()
            && !self.is_read_alike(entry)
            && self.variations >= entry.variations
    }

    fn is_read_alike(self, entry: &SourceEntry) -> bool {
        entry.reading() == self.reading
            && entry.encoding.as_deref() == self.encoding.map(TextEncoding::name)
    }
}

/// What is known of a text.
#[derive(Debug)]
pub(super) enum Known {
    /// Nothing.
    New,
    /// The index has this source.
    Unchanged(usize),
    /// The index has the beginning.
    Continues(Resume),
}

/// Where the new part of a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resume {
    /// What comes before it.
    pub(super) before: Continued,
    /// Start of the first chunk with new games, in bytes.
    pub(super) offset: u64,
    /// Games at the start of that chunk that are known.
    pub(super) n_known: usize,
    /// Lines before that chunk.
    pub(super) n_lines: u64,
    /// Whether the first new game takes the place of the last old one.
    pub(super) replaces: bool,
}

/// The start of a text, hashed.
pub(super) fn head(bytes: &[u8]) -> String {
    hex(xxh3_128(&bytes[..bytes.len().min(HEAD_BYTES)]))
}

pub(super) fn hex(hash: u128) -> String {
    format!("{hash:032x}")
}

/// A source that a text may be, or continue, or read again.
pub(super) struct Candidate {
    idx: usize,
    is_alike: bool,
    is_prefix: bool,
    /// The chunk that its last chunk has become, and the lines and games before it.
    last_chunk: Option<(Chunk, u64, u64)>,
}

/// The sources that begin like a text, given its first chunk; of those that were read in another way only the first
/// `n_old`, which were there before this import.
pub(super) fn candidates(
    manifest: &Manifest,
    n_old: usize,
    alike: Alike,
    first: Option<&Chunk>,
) -> Vec<Candidate> {
    let start = first.map_or(&[][..], |chunk| &chunk.part);
    let sources = manifest.sources.iter().enumerate();
    let is_wanted =
        |idx: usize, entry: &SourceEntry| alike.is(entry) || idx < n_old && alike.replaces(entry);
    let candidates =
        sources.filter(|&(idx, entry)| is_wanted(idx, entry) && begins_like(start, entry));
    let candidate = |(idx, entry): (usize, &SourceEntry)| Candidate {
        idx,
        is_alike: alike.is(entry),
        is_prefix: false,
        last_chunk: None,
    };
    candidates.map(candidate).collect()
}

/// Looks a text up among candidates, and says which sources it is, or a longer version of them, read in another way.
/// `first` is its first chunk, and `flow` has the rest. The first `n_old` sources were
/// there before this import; the games of later ones are not counted yet.
pub(super) fn look_up(
    manifest: &Manifest,
    n_old: usize,
    candidates: &mut [Candidate],
    first: Option<Chunk>,
    flow: &mut Flow,
    stop: &AtomicBool,
) -> Result<(Known, Vec<usize>)> {
    let entry = |candidate: &Candidate| &manifest.sources[candidate.idx];
    candidates.sort_by_key(|candidate| entry(candidate).bytes);
    let longest = candidates.last().map_or(0, |last| entry(last).bytes);
    let counts_games = candidates.iter().any(|candidate| candidate.idx >= n_old);
    let name = flow.name().to_owned();
    // Those that count were read as this text is to be read.
    let mut readings = candidates.iter().filter(|candidate| candidate.is_alike);
    let reading = readings
        .next()
        .map_or_else(Reading::default, |first| entry(first).reading().first());

    let mut hash = Xxh3::new();
    let (mut pos, mut lines, mut n_games) = (0, 0, 0);
    let mut chunk = first;
    while let Some(now) = chunk {
        let end = pos + now.part.len() as u64;
        let mut hashed = pos;
        for candidate in &mut *candidates {
            let entry = entry(candidate);
            if entry.last_chunk == pos {
                candidate.last_chunk = Some((now.clone(), lines, n_games));
            }
            if pos < entry.bytes && entry.bytes <= end {
                hash.update(&now.part[(hashed - pos) as usize..(entry.bytes - pos) as usize]);
                hashed = entry.bytes;
                candidate.is_prefix = hex(hash.digest128()) == entry.hash;
            }
        }
        hash.update(&now.part[(hashed - pos) as usize..]);
        lines += n_lines(&now.part);
        if counts_games {
            n_games += games(&now.part, reading).len() as u64;
        }
        pos = end;
        now.part.release();
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        // Nothing that comes can match any more.
        if longest < pos {
            break;
        }
        chunk = flow.next_chunk()?;
    }

    let others = candidates.iter().filter(|c| !c.is_alike && c.is_prefix);
    let read_again = others.map(|c| c.idx).collect();
    for candidate in candidates.iter().rev().filter(|c| c.is_alike) {
        let (idx, entry) = (candidate.idx, entry(candidate));
        if entry.bytes == pos && entry.hash == hex(hash.digest128()) {
            return Ok((Known::Unchanged(idx), Vec::new()));
        }
        if candidate.is_prefix
            && let Some(resume) = resume(candidate, entry, idx < n_old)
            && (!resume.replaces || entry.name == name && idx < n_old)
        {
            return Ok((Known::Continues(resume), read_again));
        }
    }
    Ok((Known::New, read_again))
}

/// Whether a text that begins with `start`, which is as long as a head unless the text is shorter, may begin with a
/// source.
fn begins_like(start: &[u8], entry: &SourceEntry) -> bool {
    let is_short = entry.bytes < HEAD_BYTES as u64;
    // Indexes of the first format have no heads. Their longer sources are looked at whole.
    let wanted = match (entry.head.is_empty(), is_short) {
        (false, _) => &entry.head,
        (true, true) => &entry.hash,
        (true, false) => return true,
    };
    match usize::try_from(entry.bytes) {
        Ok(0) => start.is_empty(),
        Ok(len) if is_short => start.get(..len).is_some_and(|start| head(start) == *wanted),
        _ => head(start) == *wanted,
    }
}

/// Where to go on after a source that a text begins with; `None` when games in it are not the same any more.
fn resume(candidate: &Candidate, entry: &SourceEntry, is_counted: bool) -> Option<Resume> {
    let (chunk, n_lines, n_games_before) = candidate.last_chunk.as_ref()?;
    let whole: &[u8] = &chunk.part;
    let mut old = whole.get(..usize::try_from(entry.bytes - entry.last_chunk).ok()?)?;
    if entry.cut {
        old = &old[..believable(old)];
    }
    let mut new = whole;
    if chunk.trouble.is_some() {
        new = &new[..believable(new)];
    }
    let reading = entry.reading().first();
    let (old_games, new_games) = (games(old, reading), games(new, reading));
    let n_old_games = if is_counted {
        entry.n_games_in_text()
    } else {
        n_games_before + old_games.len() as u64
    };
    let mut n_known = old_games.len();
    let mut replaces = false;
    if let Some(last) = n_known.checked_sub(1) {
        let is_same = old_games.get(..last) == new_games.get(..last)
            && old_games[last].start == new_games.get(last)?.start;
        if !is_same {
            return None;
        }
        let text = |bytes, game: &Range<usize>| trimmed(bytes, game.clone());
        replaces = entry.cut || text(old, &old_games[last]) != text(new, &new_games[last]);
        n_known -= usize::from(replaces);
    }
    Some(Resume {
        before: Continued {
            source: candidate.idx,
            first_game: (n_old_games + n_known as u64).checked_sub(old_games.len() as u64)?,
        },
        offset: entry.last_chunk,
        n_known,
        n_lines: *n_lines,
        replaces,
    })
}

/// The games of a chunk.
fn games(bytes: &[u8], reading: Reading) -> Vec<Range<usize>> {
    let mut reader = GameReader::new(bytes, reading);
    let mut raw = RawGame::default();
    let mut games = Vec::new();
    while reader.read(&mut raw) {
        games.push(raw.range.clone());
    }
    games
}

/// A game without what stands between it and the next.
fn trimmed(bytes: &[u8], game: Range<usize>) -> &[u8] {
    let end = lex::word_before(bytes, game.end).end;
    &bytes[game.start..end.max(game.start)]
}
