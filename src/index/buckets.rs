//! Buckets that grow by pages: what is gathered in any order is parted on its way in, and sorted part by part later.
//!
//! A part is small enough for the cache when its turn comes. Pages are cut from large slabs: as one vector a bucket would
//! be copied and given fresh memory again and again as it grows, which took 4 % of an import, and with a piece of memory
//! of its own for each page the allocator took another 4 %. The pages of a bucket are read once, by the first pass of the
//! sort.

/// Items of a page.
const PAGE: usize = 512;
/// Pages of a slab.
const SLAB_PAGES: usize = 1024;
/// Values of a digit of the sort.
const DIGITS: usize = 256;

/// Gathers items of `N` bytes by bucket.
#[derive(Debug)]
pub(crate) struct Buckets<const N: usize> {
    parts: Vec<Bucket>,
    /// Each of [`SLAB_PAGES`] pages.
    slabs: Vec<Vec<[u8; N]>>,
    n_pages: usize,
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    /// Numbers of its pages; all but the last are full.
    pages: Vec<u32>,
    /// Items in the last page.
    n_last: usize,
}

impl<const N: usize> Buckets<N> {
    pub(crate) fn new(n_buckets: usize) -> Buckets<N> {
        let empty = Bucket {
            pages: Vec::new(),
            n_last: PAGE,
        };
        Buckets {
            parts: vec![empty; n_buckets],
            slabs: Vec::new(),
            n_pages: 0,
        }
    }

    /// Adds an item at the end of a bucket.
    pub(crate) fn push(&mut self, bucket: usize, item: [u8; N]) {
        let bucket = &mut self.parts[bucket];
        if bucket.n_last == PAGE {
            if self.n_pages.is_multiple_of(SLAB_PAGES) {
                // Zeros that the system hands out: memory is used as pages are.
                self.slabs.push(vec![[0; N]; SLAB_PAGES * PAGE]);
            }
            bucket.pages.push(self.n_pages as u32);
            bucket.n_last = 0;
            self.n_pages += 1;
        }
        if let Some(&page) = bucket.pages.last() {
            let (slab, first) = place_of(page);
            self.slabs[slab][first + bucket.n_last] = item;
            bucket.n_last += 1;
        }
    }

    /// Number of items in all buckets.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(Bucket::len).sum()
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.n_pages * PAGE * N
    }

    /// Hands the buckets out in order, each sorted by `key`; items of one key stay in the order in which they came.
    ///
    /// The sort is a radix sort of two passes. It is written out here because the first pass takes items from pages, where
    /// a crate would want them copied into one slice before; that saves 2 % of an import.
    pub(crate) fn drain_sorted<E>(
        self,
        key: impl Fn([u8; N]) -> u16,
        mut each: impl FnMut(&mut [[u8; N]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut by_low, mut sorted) = (Vec::new(), Vec::new());
        for bucket in &self.parts {
            let len = bucket.len();
            if by_low.len() < len {
                by_low.resize(len, [0; N]);
                sorted.resize(len, [0; N]);
            }
            let (mut low, mut high) = ([0; DIGITS], [0; DIGITS]);
            for page in self.pages(bucket) {
                for item in page {
                    let [l, h] = key(*item).to_le_bytes();
                    low[usize::from(l)] += 1;
                    high[usize::from(h)] += 1;
                }
            }
            starts(&mut low);
            starts(&mut high);
            for page in self.pages(bucket) {
                for item in page {
                    let place = &mut low[usize::from(key(*item) as u8)];
                    by_low[*place as usize] = *item;
                    *place += 1;
                }
            }
            for item in &by_low[..len] {
                let place = &mut high[usize::from(key(*item) >> 8)];
                sorted[*place as usize] = *item;
                *place += 1;
            }
            each(&mut sorted[..len])?;
        }
        Ok(())
    }

    fn pages<'a>(&'a self, bucket: &'a Bucket) -> impl Iterator<Item = &'a [[u8; N]]> {
        bucket.pages.iter().enumerate().map(|(i, &page)| {
            let is_last = i + 1 == bucket.pages.len();
            let (slab, first) = place_of(page);
            &self.slabs[slab][first..][..if is_last { bucket.n_last } else { PAGE }]
        })
    }
}

impl Bucket {
    fn len(&self) -> usize {
        (self.pages.len() * PAGE + self.n_last) - PAGE
    }
}

/// The slab of a page, and its first item there.
fn place_of(page: u32) -> (usize, usize) {
    let page = page as usize;
    (page / SLAB_PAGES, page % SLAB_PAGES * PAGE)
}

/// Makes of the number of items with each digit the place of the first of them.
fn starts(counts: &mut [u32; DIGITS]) {
    let mut next = 0;
    for count in counts {
        next += std::mem::replace(count, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bytes to sort by, four that tell items apart.
    fn item(key: u16, number: u32) -> [u8; 6] {
        let mut item = [0; 6];
        item[..2].copy_from_slice(&key.to_le_bytes());
        item[2..].copy_from_slice(&number.to_le_bytes());
        item
    }

    fn key(item: [u8; 6]) -> u16 {
        u16::from_le_bytes([item[0], item[1]])
    }

    #[test]
    fn a_bucket_comes_out_sorted_and_in_the_order_of_its_items() {
        let n_items = (SLAB_PAGES + 3) * PAGE + 7;
        let mut buckets = Buckets::new(5);
        let mut expected: Vec<Vec<[u8; 6]>> = vec![Vec::new(); 5];
        let mut state = 1u32;
        for number in 0..n_items as u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The second bucket stays empty, the third has one key, and the last has few items.
            let (bucket, key) = match state >> 16 {
                n if n < 3 => (4, n as u16),
                n if n % 3 == 0 => (2, 77),
                n if n % 3 == 1 => (3, (n % 700) as u16 * 91),
                n => (0, n as u16),
            };
            buckets.push(bucket, item(key, number));
            expected[bucket].push(item(key, number));
        }
        assert_eq!(buckets.len(), n_items);
        assert!(buckets.mem_usage() >= n_items * 6);
        for items in &mut expected {
            items.sort_by_key(|item| key(*item));
        }
        let mut drained = Vec::new();
        let done: Result<(), ()> = buckets.drain_sorted(key, |items| {
            drained.push(items.to_vec());
            Ok(())
        });
        assert_eq!(done, Ok(()));
        assert!(drained == expected);
    }

    #[test]
    fn buckets_of_nothing_come_out_empty() {
        let mut n = 0;
        let done: Result<(), ()> = Buckets::<6>::new(3).drain_sorted(key, |items| {
            n += 1;
            assert!(items.is_empty());
            Ok(())
        });
        assert_eq!((done, n), (Ok(()), 3));
    }
}
