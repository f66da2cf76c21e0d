//! The move index of a segment: for each move token, the slots at which it was played.
//!
//! Every ply of every game has a slot (`games.rs`), one after the other, so a list of slots is one ascending sequence
//! whose gaps take about `log2(slots / occurrences) + 1.5` bits, and plies follow each other in a game exactly when
//! their slots do: a sequence of moves is an intersection of shifted lists. tantivy's own postings with positions do the
//! same in more bytes, and hashing each token on its way in was the largest single cost of an import.

use crate::index::bits::{BitReader, BitWriter, rice_parameter};
use crate::index::buckets::Buckets;
use crate::index::pages::{Damage, PageFile, PageWriter};
use crate::index::slot_map::SlotMap;
use crate::model::move_token::{MOVE_TOKEN_BITS, MoveToken};

/// Gathers moves in the order of their slots, already parted by the first bits of their order.
#[derive(Debug)]
pub(crate) struct MovesWriter {
    moves: Buckets<{ size_of::<Move>() }>,
    n_slots: u64,
}

/// A move within its part, in the bytes in which it is gathered: the rest of its order, and its slot.
type Move = [u8; 6];

fn new_move(rest: u16, slot: u32) -> Move {
    let mut bytes = [0; 6];
    bytes[..2].copy_from_slice(&rest.to_le_bytes());
    bytes[2..].copy_from_slice(&slot.to_le_bytes());
    bytes
}

fn rest([low, high, ..]: Move) -> u16 {
    u16::from_le_bytes([low, high])
}

fn slot([_, _, slot @ ..]: Move) -> u32 {
    u32::from_le_bytes(slot)
}

/// In a window of slots, one at which no move was played.
const NO_MOVE: u32 = u32::MAX;
/// Parts in which moves are sorted, by the first bits of their order: each fits the cache, and two bytes are left to be
/// sorted by.
const PART_BITS: u32 = MOVE_TOKEN_BITS - u16::BITS;

impl Default for MovesWriter {
    fn default() -> MovesWriter {
        MovesWriter {
            moves: Buckets::new(1 << PART_BITS),
            n_slots: 0,
        }
    }
}

/// Lists stand in the order of this number: origin and target square first, which spread evenly over the parts that
/// are sorted.
fn order(bits: u32) -> u32 {
    (bits & 0xfff) << (MOVE_TOKEN_BITS - 12) | bits >> 12
}

/// The token with this place in the order.
fn bits_of(order: u32) -> u32 {
    order >> (MOVE_TOKEN_BITS - 12) | (order & ((1 << (MOVE_TOKEN_BITS - 12)) - 1)) << 12
}

impl MovesWriter {
    /// Adds a line of a game: an empty slot and one for each move.
    pub(crate) fn add_line(&mut self, moves: &[MoveToken]) {
        for (slot, token) in (self.n_slots + 1..).zip(moves) {
            let order = order(token.bits());
            // The table of games refuses a game whose slots take more than 32 bits.
            let of_part = new_move(order as u16, slot as u32);
            self.moves.push((order >> u16::BITS) as usize, of_part);
        }
        self.n_slots += 1 + moves.len() as u64;
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.moves.mem_usage()
    }

    /// Writes the lists of all tokens.
    ///
    /// Sorting at the end, in parts, costs a fifth of looking up every token on its way in.
    pub(crate) fn write(self, out: PageWriter) -> std::io::Result<()> {
        let mut lists = ListWriter::new(out, self.n_slots);
        let mut part = 0;
        // The sort is stable, so the slots of a token stay in their order.
        self.moves.drain_sorted(
            rest,
            |_, _, m| m,
            rest,
            |moves| {
                for list in moves.chunk_by(|a, b| rest(*a) == rest(*b)) {
                    let bits = bits_of(part << u16::BITS | u32::from(rest(list[0])));
                    lists.list(bits, list.iter().copied().map(slot))?;
                }
                part += 1;
                Ok::<(), std::io::Error>(())
            },
        )?;
        lists.finish()
    }
}

/// Writes lists in their order.
struct ListWriter {
    out: PageWriter,
    n_slots: u64,
    buffer: Vec<u8>,
    slots: Vec<u32>,
    directory: Vec<u8>,
}

/// Bytes of a directory row: token, count, offset of the list.
const ROW_BYTES: usize = 4 + 4 + 8;

impl ListWriter {
    fn new(out: PageWriter, n_slots: u64) -> ListWriter {
        ListWriter {
            out,
            n_slots,
            buffer: Vec::new(),
            slots: Vec::new(),
            directory: Vec::new(),
        }
    }

    fn list(&mut self, token: u32, slots: impl Iterator<Item = u32>) -> std::io::Result<()> {
        self.slots.clear();
        self.slots.extend(slots);
        let Some(&last) = self.slots.last() else {
            return Ok(());
        };
        self.directory.extend_from_slice(&token.to_le_bytes());
        self.directory
            .extend_from_slice(&(self.slots.len() as u32).to_le_bytes());
        self.directory
            .extend_from_slice(&self.out.position().to_le_bytes());
        let k = rice_parameter(u64::from(last), self.slots.len() as u64);
        self.buffer.clear();
        self.buffer.push(k as u8);
        let mut bits = BitWriter::new(&mut self.buffer);
        let mut previous = 0;
        for &slot in &self.slots {
            bits.rice(u64::from(slot - previous), k);
            previous = slot;
        }
        bits.finish();
        self.out.write(&self.buffer)
    }

    fn finish(mut self) -> std::io::Result<()> {
        self.out.end_section();
        self.out.write(&self.directory)?;
        self.out.end_section();
        self.out.write(&self.n_slots.to_le_bytes())?;
        self.out.end_section();
        self.out.finish()
    }
}

/// The move index, opened.
pub(crate) struct MovesReader {
    file: PageFile,
}

/// A list in the directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveList {
    /// The token.
    pub(crate) token: MoveToken,
    /// Number of slots.
    pub(crate) count: u32,
    start: u64,
    end: u64,
}

impl MovesReader {
    pub(crate) fn open(file: PageFile) -> Result<MovesReader, Damage> {
        if !file.section(1).len().is_multiple_of(ROW_BYTES) {
            return Err("the directory has no whole number of rows".to_owned());
        }
        Ok(MovesReader { file })
    }

    /// All lists, in their order.
    pub(crate) fn lists(&self) -> Result<impl Iterator<Item = MoveList> + '_, Damage> {
        let data_end = self.file.section(0).end as u64;
        let rows = self.file.read(self.file.section(1))?;
        let u32_at = |row: &[u8], at: usize| {
            u32::from_le_bytes(row[at..at + 4].try_into().unwrap_or_default())
        };
        let u64_at = |row: &[u8], at: usize| {
            u64::from_le_bytes(row[at..at + 8].try_into().unwrap_or_default())
        };
        let n_rows = rows.len() / ROW_BYTES;
        Ok((0..n_rows).filter_map(move |i| {
            let row = &rows[i * ROW_BYTES..(i + 1) * ROW_BYTES];
            let next = rows.get((i + 1) * ROW_BYTES..(i + 2) * ROW_BYTES);
            Some(MoveList {
                token: MoveToken::from_bits(u32_at(row, 0))?,
                count: u32_at(row, 4),
                start: u64_at(row, 8),
                end: next.map_or(data_end, |next| u64_at(next, 8)),
            })
        }))
    }

    /// Appends the slots of a list, ascending.
    pub(crate) fn slots(&self, list: MoveList, slots: &mut Vec<u32>) -> Result<(), Damage> {
        self.each_slot(list, |slot| slots.push(slot))
    }

    /// Calls `visit` with the slots of a list, ascending.
    pub(crate) fn each_slot(
        &self,
        list: MoveList,
        mut visit: impl FnMut(u32),
    ) -> Result<(), Damage> {
        let bytes = self.file.read(list.start as usize..list.end as usize)?;
        let Some((&k, rest)) = bytes.split_first() else {
            return Err("an empty move list".to_owned());
        };
        let mut bits = BitReader::new(rest, 0);
        let mut slot = 0u64;
        for _ in 0..list.count {
            slot = slot.saturating_add(bits.rice(u32::from(k).min(32)));
            // A count that lies must not be believed further than the bytes go.
            if bits.overrun() {
                break;
            }
            visit(slot as u32);
        }
        if bits.overrun() || slot > u64::from(u32::MAX) {
            Err("a move list is cut short".to_owned())
        } else {
            Ok(())
        }
    }
}

/// Slots whose moves are gathered at a time when all moves are read in order: 8 MiB of them. Tests have small games.
const WINDOW_SLOTS: u64 = if cfg!(test) { 16 } else { 2 << 20 };

impl MovesReader {
    /// Calls `visit` with each slot that holds a move and the bits of its token, in the order of slots, of which the segment
    /// has so many.
    ///
    /// Each list is read once from end to end; memory is a window of slots and a cursor for each list.
    pub(crate) fn in_order(
        &self,
        n_slots: u32,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), Damage> {
        let n_slots = u64::from(n_slots);
        if self.file.read(self.file.section(2))? != n_slots.to_le_bytes() {
            return Err("the number of slots is not that of the games".to_owned());
        }
        let mut cursors = Vec::new();
        for list in self.lists()? {
            cursors.extend(Cursor::new(self, list)?);
        }
        let mut window = Vec::new();
        let mut first = 0u64;
        while first < n_slots {
            let len = WINDOW_SLOTS.min(n_slots - first);
            window.clear();
            window.resize(len as usize, NO_MOVE);
            for cursor in &mut cursors {
                while cursor.slot < first + len {
                    match window.get_mut((cursor.slot - first) as usize) {
                        Some(place) if *place == NO_MOVE => *place = cursor.token,
                        _ => return Err(format!("slot {} has two moves", cursor.slot)),
                    }
                    cursor.advance()?;
                }
            }
            for (slot, &token) in (first..).zip(&window) {
                if token != NO_MOVE {
                    visit(slot as u32, token);
                }
            }
            first += len;
        }
        if cursors.iter().any(|cursor| cursor.slot != END) {
            return Err("a move list goes beyond the slots".to_owned());
        }
        Ok(())
    }
}

/// Slot of a cursor that has read its list.
const END: u64 = u64::MAX;

/// A list that is being read.
struct Cursor<'a> {
    bits: BitReader<'a>,
    k: u32,
    token: u32,
    /// Slots that come after `slot`.
    n_left: u32,
    slot: u64,
}

impl<'a> Cursor<'a> {
    fn new(reader: &'a MovesReader, list: MoveList) -> Result<Option<Cursor<'a>>, Damage> {
        let bytes = reader.file.read(list.start as usize..list.end as usize)?;
        let Some((&k, rest)) = bytes.split_first() else {
            return Err("an empty move list".to_owned());
        };
        let mut cursor = Cursor {
            bits: BitReader::new(rest, 0),
            k: u32::from(k).min(32),
            token: list.token.bits(),
            n_left: list.count,
            slot: 0,
        };
        cursor.advance()?;
        Ok((cursor.slot != END).then_some(cursor))
    }

    fn advance(&mut self) -> Result<(), Damage> {
        if self.n_left == 0 {
            self.slot = END;
            return Ok(());
        }
        self.n_left -= 1;
        self.slot = self.slot.saturating_add(self.bits.rice(self.k));
        if self.bits.overrun() {
            return Err("a move list is cut short".to_owned());
        }
        Ok(())
    }
}

/// Merges the move indexes of segments, of which each has a map of its slots; new slots ascend with the segment.
pub(crate) fn merge(
    readers: &[MovesReader],
    slot_maps: &[SlotMap],
    n_slots: u64,
    out: PageWriter,
) -> Result<(), Damage> {
    let mut directories = Vec::new();
    for reader in readers {
        directories.push(reader.lists()?.peekable());
    }
    let mut writer = ListWriter::new(out, n_slots);
    let (mut slots, mut merged) = (Vec::new(), Vec::new());
    loop {
        let next = directories
            .iter_mut()
            .filter_map(|d| d.peek().map(|list| order(list.token.bits())))
            .min();
        let Some(next) = next else {
            break;
        };
        merged.clear();
        for (segment, directory) in directories.iter_mut().enumerate() {
            if let Some(list) = directory.next_if(|list| order(list.token.bits()) == next) {
                slots.clear();
                readers[segment].slots(list, &mut slots)?;
                slot_maps[segment].map(&slots, &mut merged)?;
            }
        }
        writer
            .list(bits_of(next), merged.iter().copied())
            .map_err(|e| e.to_string())?;
    }
    writer.finish().map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests;
