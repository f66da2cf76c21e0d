//! The memory map: the only unsafe code of the crate.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

use memmap2::{Advice, Mmap, UncheckedAdvice};

/// A whole file as a read-only slice.
#[derive(Debug)]
pub(super) struct Mapping(Mmap);

impl Mapping {
    /// Maps a regular file that is not empty.
    #[expect(
        unsafe_code,
        reason = "a memory map cannot be made safe against other processes"
    )]
    pub(super) fn new(file: &File) -> io::Result<Mapping> {
        // SAFETY: the map is read-only and private to us, and no reference outlives it. Another process may still change
        // or truncate the file: changed bytes are only ever parsed, never trusted, but reading a page beyond a new, shorter
        // end raises SIGBUS. The file must not be truncated while it is imported; README says so.
        let map = unsafe { Mmap::map(file)? };
        // The advice is a hint; a system that does not know it loses only speed.
        let _ = map.advise(Advice::Sequential);
        Ok(Mapping(map))
    }

    /// Lets go of the memory behind a part that will not be read again soon. Reading it again is slower, nothing else.
    #[expect(
        unsafe_code,
        reason = "memmap2 marks advice that can drop dirty pages; these pages are never written"
    )]
    pub(super) fn release(&self, range: Range<usize>) {
        if !range.is_empty() {
            // SAFETY: the map is a read-only view of a file, so dropped pages come back from the file, unchanged.
            let _ = unsafe {
                self.0
                    .unchecked_advise_range(UncheckedAdvice::DontNeed, range.start, range.len())
            };
        }
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
