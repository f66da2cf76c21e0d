//! A file of sections whose bytes are checked by page: what the files of the ply plugin are written in.
//!
//! Layout: the sections one after the other, then a CRC-32 for each page of [`PAGE_BYTES`], then a footer. tantivy checks
//! its files only when asked to; here every page is checked when it is first looked at, so that a damaged index gives an
//! error and never a wrong answer. FORMAT.md has the bytes.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use tantivy::directory::{FileSlice, OwnedBytes, TerminatingWrite, WritePtr};

/// Size of a page, in bytes. A page is checked in some 2 µs.
pub(crate) const PAGE_BYTES: usize = 16 << 10;

const MAGIC: u32 = u32::from_le_bytes(*b"pgnx");
/// Fixed part of the footer: section count, data length, table and footer CRC, magic.
const TRAILER_BYTES: usize = 4 + 8 + 4 + 4 + 4;

/// Writes sections in order.
pub(crate) struct PageWriter {
    out: WritePtr,
    sections: Vec<u64>,
    crcs: Vec<u32>,
    page: crc32fast::Hasher,
    in_page: usize,
    written: u64,
}

impl PageWriter {
    /// Starts a file.
    pub(crate) fn new(out: WritePtr) -> PageWriter {
        PageWriter {
            out,
            sections: Vec::new(),
            crcs: Vec::new(),
            page: crc32fast::Hasher::new(),
            in_page: 0,
            written: 0,
        }
    }

    /// Bytes written so far.
    pub(crate) fn position(&self) -> u64 {
        self.written
    }

    /// Appends to the current section.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PAGE_BYTES - self.in_page));
            self.page.update(now);
            self.in_page += now.len();
            bytes = later;
            if self.in_page == PAGE_BYTES {
                self.close_page();
            }
        }
        Ok(())
    }

    /// Appends numbers to the current section.
    pub(crate) fn write_numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        for number in numbers {
            self.write(&number.to_le_bytes())?;
        }
        Ok(())
    }

    fn close_page(&mut self) {
        self.crcs.push(std::mem::take(&mut self.page).finalize());
        self.in_page = 0;
    }

    /// Ends the current section; the next one begins here.
    pub(crate) fn end_section(&mut self) {
        self.sections.push(self.written);
    }

    /// Writes page sums and footer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.in_page > 0 {
            self.close_page();
        }
        let mut table =
            Vec::with_capacity(self.crcs.len() * 4 + self.sections.len() * 8 + TRAILER_BYTES);
        for crc in &self.crcs {
            table.extend_from_slice(&crc.to_le_bytes());
        }
        for end in &self.sections {
            table.extend_from_slice(&end.to_le_bytes());
        }
        table.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        table.extend_from_slice(&self.written.to_le_bytes());
        let crc = crc32fast::hash(&table);
        table.extend_from_slice(&crc.to_le_bytes());
        table.extend_from_slice(&(PAGE_BYTES as u32).to_le_bytes());
        table.extend_from_slice(&MAGIC.to_le_bytes());
        self.out.write_all(&table)?;
        self.out.terminate()
    }
}

/// The same file with all checksums set right; `None` if its footer does not tell where they are.
pub(crate) fn with_right_sums(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let trailer_at = bytes.len().checked_sub(TRAILER_BYTES)?;
    let u32_at = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let table_len = (u32_at(trailer_at)? as usize).checked_mul(8)?;
    // Pages of data and four bytes for each: the data are what is left when their own sums are taken off.
    let rest = trailer_at.checked_sub(table_len)?;
    let n_pages = rest.div_ceil(PAGE_BYTES + 4);
    let data_len = rest.checked_sub(n_pages * 4)?;
    for page in 0..n_pages {
        let range = page * PAGE_BYTES..((page + 1) * PAGE_BYTES).min(data_len);
        let crc = crc32fast::hash(bytes.get(range)?);
        let at = data_len + page * 4;
        bytes[at..at + 4].copy_from_slice(&crc.to_le_bytes());
    }
    let data_len_at = trailer_at + 4;
    bytes[data_len_at..data_len_at + 8].copy_from_slice(&(data_len as u64).to_le_bytes());
    let crc = crc32fast::hash(&bytes[data_len..trailer_at + 12]);
    bytes[trailer_at + 12..trailer_at + 16].copy_from_slice(&crc.to_le_bytes());
    bytes[trailer_at + 16..trailer_at + 20].copy_from_slice(&(PAGE_BYTES as u32).to_le_bytes());
    bytes[trailer_at + 20..].copy_from_slice(&MAGIC.to_le_bytes());
    Some(bytes)
}

/// A file of sections, opened.
pub(crate) struct PageFile {
    bytes: OwnedBytes,
    data_len: usize,
    sections: Vec<Range<usize>>,
    crc_table: Range<usize>,
    /// One bit for each page that was found good.
    checked: Vec<AtomicU64>,
}

/// What is wrong with a file, in one clause.
pub(crate) type Damage = String;

impl PageFile {
    /// Opens a file and checks its footer; pages are checked when they are read.
    pub(crate) fn open(file: &FileSlice) -> Result<PageFile, Damage> {
        let bytes = file.read_bytes().map_err(|e| e.to_string())?;
        let short = || "file is too short".to_owned();
        let trailer_at = bytes.len().checked_sub(TRAILER_BYTES).ok_or_else(short)?;
        let u32_at =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
        if u32_at(bytes.len() - 4) != MAGIC || u32_at(bytes.len() - 8) != PAGE_BYTES as u32 {
            return Err("footer is damaged".to_owned());
        }
        let n_sections = u32_at(trailer_at) as usize;
        let data_len = u64::from_le_bytes(
            bytes[trailer_at + 4..trailer_at + 12]
                .try_into()
                .unwrap_or_default(),
        );
        let data_len = usize::try_from(data_len).map_err(|_| short())?;
        let n_pages = data_len.div_ceil(PAGE_BYTES);
        let table_len = n_sections
            .checked_mul(8)
            .and_then(|n| n.checked_add(n_pages.checked_mul(4)?))
            .ok_or_else(short)?;
        if data_len.checked_add(table_len) != Some(trailer_at) {
            return Err("length differs from the footer".to_owned());
        }
        if crc32fast::hash(&bytes[data_len..trailer_at + 12]) != u32_at(trailer_at + 12) {
            return Err("footer checksum differs".to_owned());
        }
        let crc_table = data_len..data_len + n_pages * 4;
        let mut sections = Vec::with_capacity(n_sections);
        let mut start = 0;
        for end in bytes[crc_table.end..trailer_at].chunks_exact(8) {
            let end = u64::from_le_bytes(end.try_into().unwrap_or_default()) as usize;
            if end < start || end > data_len {
                return Err("sections overlap".to_owned());
            }
            sections.push(start..end);
            start = end;
        }
        let checked = (0..n_pages.div_ceil(64))
            .map(|_| AtomicU64::new(0))
            .collect();
        Ok(PageFile {
            bytes,
            data_len,
            sections,
            crc_table,
            checked,
        })
    }

    /// The range of a section; empty when there is none with this number.
    pub(crate) fn section(&self, idx: usize) -> Range<usize> {
        self.sections
            .get(idx)
            .cloned()
            .unwrap_or(self.data_len..self.data_len)
    }

    /// Bytes of the file, after their pages were checked.
    pub(crate) fn read(&self, range: Range<usize>) -> Result<&[u8], Damage> {
        if range.start > range.end || range.end > self.data_len {
            return Err(format!(
                "bytes {}..{} are beyond the end",
                range.start, range.end
            ));
        }
        if !range.is_empty() {
            for page in range.start / PAGE_BYTES..=(range.end - 1) / PAGE_BYTES {
                self.check_page(page)?;
            }
        }
        Ok(&self.bytes[range])
    }

    /// The numbers of a section.
    pub(crate) fn numbers(&self, section: usize) -> Result<Vec<u64>, Damage> {
        let (numbers, _) = self.read(self.section(section))?.as_chunks();
        Ok(numbers.iter().copied().map(u64::from_le_bytes).collect())
    }

    fn check_page(&self, page: usize) -> Result<(), Damage> {
        let flags = &self.checked[page / 64];
        let flag = 1 << (page % 64);
        if flags.load(Ordering::Relaxed) & flag != 0 {
            return Ok(());
        }
        let range = page * PAGE_BYTES..((page + 1) * PAGE_BYTES).min(self.data_len);
        let at = self.crc_table.start + page * 4;
        let wanted = u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap_or_default());
        if crc32fast::hash(&self.bytes[range.clone()]) != wanted {
            return Err(format!(
                "checksum differs in bytes {}..{}",
                range.start, range.end
            ));
        }
        flags.fetch_or(flag, Ordering::Relaxed);
        Ok(())
    }
}
