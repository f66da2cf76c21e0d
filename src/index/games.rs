//! The table of a segment's games: where their plies are, their results and ratings.
//!
//! The facts that statistics need for every game that reached a position, eight bytes a game in one cache line with
//! its neighbours, and the border between games in the numbering of all plies of the segment.
//!
//! A game takes one **slot** for ply 0 and one for each move of its main line; then, for each variation that is indexed,
//! one empty slot and one for each of its moves. The distance of a slot from the game's first is a **place** in the game:
//! in the main line it is the ply.

use crate::index::pages::{Damage, PageFile, PageWriter};
use crate::model::game_result::GameResult;
use crate::model::variant::Variant;

/// Number of a game within its segment.
pub(crate) type DocId = u32;

/// What statistics need to know of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFacts {
    /// The result.
    pub(crate) result: GameResult,
    /// White's rating, 0 for none.
    pub(crate) white_elo: u16,
    /// Black's rating, 0 for none.
    pub(crate) black_elo: u16,
    /// Year of the date, 0 for none.
    pub(crate) year: u16,
    /// The rules.
    pub(crate) variant: Variant,
    /// Plies of the main line.
    pub(crate) n_plies: u16,
}

impl GameFacts {
    /// Sum of both ratings.
    pub(crate) fn elo_sum(self) -> u32 {
        u32::from(self.white_elo) + u32::from(self.black_elo)
    }

    fn pack(self) -> u64 {
        self.result as u64
            | u64::from(self.white_elo) << 2
            | u64::from(self.black_elo) << 14
            | u64::from(self.year.min(4095)) << 26
            | (self.variant as u64) << 38
            | u64::from(self.n_plies) << 42
    }

    fn unpack(bits: u64) -> GameFacts {
        GameFacts {
            result: GameResult::from_code((bits & 3) as u8),
            white_elo: (bits >> 2 & 0xfff) as u16,
            black_elo: (bits >> 14 & 0xfff) as u16,
            year: (bits >> 26 & 0xfff) as u16,
            variant: Variant::from_code((bits >> 38 & 15) as u8).unwrap_or_default(),
            n_plies: (bits >> 42 & 0xffff) as u16,
        }
    }
}

/// Gathers the table while games are added or merged.
#[derive(Debug, Default)]
pub(crate) struct GamesWriter {
    facts: Vec<u64>,
    /// Place of each game in the order of import.
    sequences: Vec<u64>,
    /// Checksum of each game's bytes.
    checksums: Vec<u32>,
    /// First slot of each game.
    starts: Vec<u32>,
    n_slots: u64,
    /// First game of each run in which games stand in the order of import.
    runs: Vec<u32>,
}

impl GamesWriter {
    /// Adds a game of so many slots and returns its first one. `None` when the segment is full.
    pub(crate) fn add(
        &mut self,
        facts: GameFacts,
        n_slots: u32,
        sequence: u64,
        checksum: u32,
    ) -> Option<u32> {
        let start = u32::try_from(self.n_slots).ok()?;
        u32::try_from(self.n_slots + u64::from(n_slots)).ok()?;
        self.facts.push(facts.pack());
        self.starts.push(start);
        self.sequences.push(sequence);
        self.checksums.push(checksum);
        self.n_slots += u64::from(n_slots);
        Some(start)
    }

    /// Says that the next game need not come after the last one in the order of import.
    pub(crate) fn begin_run(&mut self) {
        let first = self.facts.len() as u32;
        if self.runs.last() != Some(&first) {
            self.runs.push(first);
        }
    }

    pub(crate) fn facts(&self, doc: DocId) -> GameFacts {
        GameFacts::unpack(self.facts[doc as usize])
    }

    pub(crate) fn sequence(&self, doc: DocId) -> u64 {
        self.sequences[doc as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(crate) fn n_slots(&self) -> u64 {
        self.n_slots
    }

    pub(crate) fn mem_usage(&self) -> usize {
        self.facts.capacity() * 20 + self.starts.capacity() * 4
    }

    pub(crate) fn write(&self, out: &mut PageWriter) -> std::io::Result<()> {
        for start in &self.starts {
            out.write(&start.to_le_bytes())?;
        }
        out.write(&(self.n_slots as u32).to_le_bytes())?;
        out.end_section();
        for facts in &self.facts {
            out.write(&facts.to_le_bytes())?;
        }
        out.end_section();
        for run in &self.runs {
            out.write(&run.to_le_bytes())?;
        }
        out.end_section();
        // Where every game had a sequence of its own before format 4.
        out.end_section();
        for checksum in &self.checksums {
            out.write(&checksum.to_le_bytes())?;
        }
        out.end_section();
        let mut next = None;
        for (doc, &sequence) in self.sequences.iter().enumerate() {
            if next != Some(sequence) {
                out.write(&(doc as u32).to_le_bytes())?;
                out.write(&sequence.to_le_bytes())?;
            }
            next = sequence.checked_add(1);
        }
        out.end_section();
        Ok(())
    }
}

/// The table, opened.
pub(crate) struct GamesReader {
    file: PageFile,
    n_games: usize,
}

impl GamesReader {
    pub(crate) fn open(file: PageFile, n_games: u32) -> Result<GamesReader, Damage> {
        let n_games = n_games as usize;
        if file.section(0).len() != (n_games + 1) * 4
            || file.section(1).len() != n_games * 8
            || file.section(3).len() != n_games * 8 && !file.section(3).is_empty()
            || !file.section(5).len().is_multiple_of(STRETCH_BYTES)
            || file.section(4).len() != n_games * 4
        {
            return Err(format!("the table is not that of {n_games} games"));
        }
        Ok(GamesReader { file, n_games })
    }

    /// First slots of all games and, last, the number of slots.
    pub(crate) fn starts(&self) -> Result<Starts<'_>, Damage> {
        Ok(Starts(self.file.read(self.file.section(0))?))
    }

    /// Facts of all games.
    pub(crate) fn facts(&self) -> Result<Facts<'_>, Damage> {
        Ok(Facts(self.file.read(self.file.section(1))?))
    }

    /// Places of all games in the order of import.
    pub(crate) fn sequences(&self) -> Result<Sequences<'_>, Damage> {
        let whole = self.file.read(self.file.section(3))?;
        let stretches = self.file.read(self.file.section(5))?;
        // Games that no stretch holds would all be the last ones of all.
        if whole.is_empty() && self.n_games > 0 && !stretches.starts_with(&[0; 4]) {
            return Err("the sequences do not begin with the first game".to_owned());
        }
        Ok(Sequences { whole, stretches })
    }

    /// Checksum of the bytes of a game.
    pub(crate) fn checksum(&self, doc: DocId) -> Result<u32, Damage> {
        let at = self.file.section(4).start + doc as usize * 4;
        let bytes = self.file.read(at..at + 4)?;
        Ok(u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// The runs in which games stand in the order of import, as ranges of games.
    pub(crate) fn runs(&self) -> Result<Vec<std::ops::Range<DocId>>, Damage> {
        let bytes = self.file.read(self.file.section(2))?;
        let mut starts: Vec<DocId> = bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap_or_default()))
            .collect();
        starts.push(self.n_games as DocId);
        if starts[0] != 0 && self.n_games > 0 || !starts.is_sorted() {
            return Err("the runs do not cover the games".to_owned());
        }
        Ok(starts.windows(2).map(|pair| pair[0]..pair[1]).collect())
    }

    pub(crate) fn n_games(&self) -> usize {
        self.n_games
    }
}

/// First slots, by game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starts<'a>(&'a [u8]);

impl Starts<'_> {
    /// The first slot of a game; of the number of games, the number of slots.
    pub(crate) fn get(self, doc: usize) -> u32 {
        self.0.get(doc * 4..doc * 4 + 4).map_or(u32::MAX, |b| {
            u32::from_le_bytes(b.try_into().unwrap_or_default())
        })
    }

    /// Number of slots of a game.
    pub(crate) fn n_slots(self, doc: DocId) -> u32 {
        self.get(doc as usize + 1)
            .wrapping_sub(self.get(doc as usize))
    }

    /// The game that a slot belongs to, looked for from `from` on.
    pub(crate) fn doc_of(self, slot: u32, from: DocId) -> DocId {
        let n_games = self.0.len() / 4 - 1;
        let (mut low, mut step) = (from as usize, 1);
        // Gallop: slots come in ascending order, so the game is near.
        while low + step < n_games && self.get(low + step) <= slot {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(n_games);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if self.get(middle) <= slot {
                low = middle;
            } else {
                high = middle;
            }
        }
        low as DocId
    }
}

/// Bytes of the row of a stretch: its first game, and the place of that.
const STRETCH_BYTES: usize = 4 + 8;

/// Places in the order of import, by game.
///
/// Games that follow each other in a source mostly do so in a segment: a stretch of games whose places are one apart takes one
/// row. Before format 4 every game had eight bytes of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequences<'a> {
    whole: &'a [u8],
    stretches: &'a [u8],
}

impl Sequences<'_> {
    /// The place of a game; the last of all for a game that is not there.
    pub(crate) fn get(self, doc: DocId) -> u64 {
        if !self.whole.is_empty() {
            return u64_at(self.whole, doc as usize * 8).unwrap_or(u64::MAX);
        }
        let (rows, _) = self.stretches.as_chunks::<STRETCH_BYTES>();
        let n = rows.partition_point(|row| first_game(row) <= doc);
        let place_after = |row: &[u8; STRETCH_BYTES]| {
            let further = doc.wrapping_sub(first_game(row));
            u64_at(row, 4)?.checked_add(u64::from(further))
        };
        let row = rows[..n].last();
        row.and_then(place_after).unwrap_or(u64::MAX)
    }
}

/// The first game of a stretch.
fn first_game(row: &[u8; STRETCH_BYTES]) -> DocId {
    let [a, b, c, d, ..] = *row;
    DocId::from_le_bytes([a, b, c, d])
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Facts, by game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a>(&'a [u8]);

impl Facts<'_> {
    /// The facts of a game; those of a game that is not there are empty.
    pub(crate) fn get(self, doc: DocId) -> GameFacts {
        u64_at(self.0, doc as usize * 8).map_or_else(GameFacts::default, GameFacts::unpack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_packing() {
        let facts = GameFacts {
            result: GameResult::Draw,
            white_elo: 4000,
            black_elo: 1,
            year: 2031,
            variant: Variant::ThreeCheck,
            n_plies: 65_000,
        };
        assert_eq!(GameFacts::unpack(facts.pack()), facts);
        assert_eq!(
            GameFacts::unpack(GameFacts::default().pack()),
            GameFacts::default()
        );
    }

    #[test]
    fn a_sequence_is_that_of_its_stretch() {
        let rows = [(0u32, 700u64), (3, 20), (4, u64::from(u32::MAX) << 7)];
        let mut stretches = Vec::new();
        for (first, place) in rows {
            stretches.extend_from_slice(&first.to_le_bytes());
            stretches.extend_from_slice(&place.to_le_bytes());
        }
        let whole: Vec<u64> = vec![700, 701, 702, 20, u64::from(u32::MAX) << 7];
        let whole_bytes: Vec<u8> = whole.iter().flat_map(|place| place.to_le_bytes()).collect();
        for (whole_bytes, stretches) in [(&whole_bytes[..], &[][..]), (&[], &stretches)] {
            let sequences = Sequences {
                whole: whole_bytes,
                stretches,
            };
            for (doc, &place) in whole.iter().enumerate() {
                assert_eq!(sequences.get(doc as DocId), place);
            }
        }
    }

    #[test]
    fn a_slot_belongs_to_the_game_that_begins_at_or_before_it() {
        let mut bytes = Vec::new();
        for start in [0u32, 1, 5, 5 + 80, 5 + 80 + 3] {
            bytes.extend_from_slice(&start.to_le_bytes());
        }
        let starts = Starts(&bytes);
        for slot in 0..88 {
            let want = (0..4).rfind(|&d| starts.get(d) <= slot).expect("a game") as DocId;
            for from in 0..=want {
                assert_eq!(starts.doc_of(slot, from), want);
            }
        }
    }
}
