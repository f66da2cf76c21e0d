//! The dense part: lists under whole keys, in buckets of some 16 keys.
//!
//! The highest bits of a key choose its bucket. A bucket is its keys, the lengths of their lists, and the lists, so that a
//! lookup reads one bucket and a merge holds one bucket of each part.

use crate::index::bits::{read_varint, write_varint};
use crate::index::pages::{Damage, PageFile, PageWriter};
use crate::index::positions::dense::DenseList;

/// Keys of a bucket, in the mean.
const BUCKET_KEYS: u64 = 16;
/// Bytes of a key.
const KEY_BYTES: usize = 8;

/// Lists in the order of their keys, one after the other.
#[derive(Default)]
pub(crate) struct Lists {
    keys: Vec<u64>,
    /// Ends of the lists in `bytes`.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Lists {
    pub(crate) fn add(&mut self, key: u64, list: &[u8]) {
        self.bytes.extend_from_slice(list);
        self.keys.push(key);
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let lists = starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.bytes[start..end]);
        self.keys.iter().copied().zip(lists)
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.bytes.clear();
    }
}

/// Writes buckets of lists, in the order of their keys.
pub(crate) struct BucketsWriter {
    out: PageWriter,
    bits: u32,
    key_bytes: usize,
    offsets: Vec<u8>,
    bucket: u64,
    lists: Lists,
    header: Vec<u8>,
    n_keys: u64,
}

impl BucketsWriter {
    /// A writer for about `n_keys` lists.
    pub(crate) fn new(out: PageWriter, n_keys: u64) -> BucketsWriter {
        let bits = (n_keys / BUCKET_KEYS).max(1).ilog2();
        BucketsWriter {
            out,
            bits,
            // The highest bytes are the same in all keys of a bucket.
            key_bytes: KEY_BYTES - bits as usize / 8,
            offsets: Vec::new(),
            bucket: 0,
            lists: Lists::default(),
            header: Vec::new(),
            n_keys: 0,
        }
    }

    /// Adds a list.
    pub(crate) fn add(&mut self, key: u64, list: &[u8]) -> Result<(), Damage> {
        while self.bucket < bucket_of(key, self.bits) {
            self.close_bucket()?;
        }
        self.lists.add(key, list);
        Ok(())
    }

    fn close_bucket(&mut self) -> Result<(), Damage> {
        let Lists { keys, ends, bytes } = &self.lists;
        self.offsets
            .extend_from_slice(&self.out.position().to_le_bytes());
        self.header.clear();
        write_varint(&mut self.header, keys.len() as u64);
        for key in keys {
            self.header
                .extend_from_slice(&key.to_le_bytes()[..self.key_bytes]);
        }
        let mut start = 0;
        for &end in ends {
            write_varint(&mut self.header, (end - start) as u64);
            start = end;
        }
        let written = self.out.write(&self.header);
        written
            .and_then(|()| self.out.write(bytes))
            .map_err(|e| e.to_string())?;
        self.n_keys += keys.len() as u64;
        self.lists.clear();
        self.bucket += 1;
        Ok(())
    }

    /// Writes the last buckets and the directory.
    pub(crate) fn finish(mut self) -> Result<PageWriter, Damage> {
        while self.bucket < 1 << self.bits {
            self.close_bucket()?;
        }
        let mut out = self.out;
        self.offsets
            .extend_from_slice(&out.position().to_le_bytes());
        out.end_section();
        out.write(&self.offsets).map_err(|e| e.to_string())?;
        out.end_section();
        out.write_numbers(&[u64::from(self.bits), self.n_keys, self.key_bytes as u64])
            .map_err(|e| e.to_string())?;
        out.end_section();
        Ok(out)
    }
}

fn bucket_of(key: u64, bits: u32) -> u64 {
    key.checked_shr(u64::BITS - bits).unwrap_or(0)
}

/// Section numbers in the file, after the three of the sparse part.
const BUCKETS: usize = 3;
const OFFSETS: usize = 4;
const SHAPE: usize = 5;

/// The part, opened.
pub(crate) struct DenseReader {
    bits: u32,
    key_bytes: usize,
    n_keys: u64,
}

impl DenseReader {
    pub(crate) fn open(file: &PageFile) -> Result<DenseReader, Damage> {
        let (bits, n_keys, key_bytes) = match file.numbers(SHAPE)?[..] {
            [bits, n_keys, key_bytes] => (bits, n_keys, key_bytes),
            // Before format 4 keys were whole.
            [bits, n_keys] => (bits, n_keys, KEY_BYTES as u64),
            _ => return Err("the dense part has no shape".to_owned()),
        };
        if bits > 40 || file.section(OFFSETS).len() as u64 != ((1 << bits) + 1) * 8 {
            return Err("the dense part has another number of buckets".to_owned());
        }
        // What the number of the bucket says of a key, and what is written of it, make the whole.
        if key_bytes > KEY_BYTES as u64 || bits + key_bytes * 8 < u64::BITS.into() {
            return Err("the dense part has keys of another length".to_owned());
        }
        // A list takes a byte or more. A merge makes as many buckets as the number of lists asks for.
        if n_keys > file.section(BUCKETS).len() as u64 {
            return Err("the dense part has an impossible number of lists".to_owned());
        }
        Ok(DenseReader {
            bits: bits as u32,
            key_bytes: key_bytes as usize,
            n_keys,
        })
    }

    /// Number of lists.
    pub(crate) fn len(&self) -> u64 {
        self.n_keys
    }

    pub(crate) fn n_buckets(&self) -> usize {
        1 << self.bits
    }

    /// Finds the list of a key.
    pub(crate) fn lookup<'a>(
        &self,
        file: &'a PageFile,
        key: u64,
    ) -> Result<Option<DenseList<'a>>, Damage> {
        let bucket = self.open_bucket(file, bucket_of(key, self.bits) as usize)?;
        let mut start = 0;
        let mut lens = bucket.lens;
        for i in 0..bucket.n_keys {
            let len = read_varint(&mut lens).ok_or("a dense bucket is cut short")? as usize;
            if bucket.key(i) == key {
                // The lists begin where the lengths end, and those must be read to know where that is.
                for _ in i + 1..bucket.n_keys {
                    read_varint(&mut lens).ok_or("a dense bucket is cut short")?;
                }
                let list = lens
                    .get(start..start + len)
                    .ok_or("a dense list is beyond its bucket")?;
                return DenseList::parse(list).map(Some);
            }
            start += len;
        }
        Ok(None)
    }

    /// All lists of a bucket, by key.
    pub(crate) fn bucket<'a>(
        &self,
        file: &'a PageFile,
        idx: usize,
    ) -> Result<Vec<(u64, DenseList<'a>)>, Damage> {
        let bucket = self.open_bucket(file, idx)?;
        let mut lens = bucket.lens;
        let mut sizes = Vec::new();
        for _ in 0..bucket.n_keys {
            sizes.push(read_varint(&mut lens).ok_or("a dense bucket is cut short")? as usize);
        }
        let mut lists = Vec::new();
        for (i, size) in sizes.into_iter().enumerate() {
            let (list, rest) = lens
                .split_at_checked(size)
                .ok_or("a dense list is beyond its bucket")?;
            lists.push((bucket.key(i), DenseList::parse(list)?));
            lens = rest;
        }
        Ok(lists)
    }

    fn open_bucket<'a>(&self, file: &'a PageFile, idx: usize) -> Result<Bucket<'a>, Damage> {
        let at = file.section(OFFSETS).start + idx * 8;
        let bytes = file.read(at..at + 16)?;
        let offset = |at: usize| {
            u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default()) as usize
        };
        if offset(8) > file.section(BUCKETS).end || offset(0) < file.section(BUCKETS).start {
            return Err("a dense bucket is beyond its section".to_owned());
        }
        let mut bytes = file.read(offset(0)..offset(8))?;
        let n_keys = read_varint(&mut bytes).ok_or("a dense bucket has no length")? as usize;
        let (keys, lens) = n_keys
            .checked_mul(self.key_bytes)
            .and_then(|len| bytes.split_at_checked(len))
            .ok_or("a dense bucket is too short for its keys")?;
        let first = (idx as u64).checked_shl(u64::BITS - self.bits).unwrap_or(0);
        Ok(Bucket {
            n_keys,
            first,
            key_bytes: self.key_bytes,
            keys,
            lens,
        })
    }
}

struct Bucket<'a> {
    n_keys: usize,
    /// The least key that belongs here.
    first: u64,
    key_bytes: usize,
    keys: &'a [u8],
    lens: &'a [u8],
}

impl Bucket<'_> {
    fn key(&self, idx: usize) -> u64 {
        let mut key = self.first.to_le_bytes();
        let kept = &self.keys[idx * self.key_bytes..][..self.key_bytes];
        key[..self.key_bytes].copy_from_slice(kept);
        u64::from_le_bytes(key)
    }
}
