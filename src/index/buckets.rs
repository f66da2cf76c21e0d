//! Buckets that grow by pages: what is gathered in any order is parted on its way in, and sorted part by part later.
//!
//! A part is small enough for the cache when its turn comes. Pages are cut from large slabs: as one vector a bucket would
//! be copied and given fresh memory again and again as it grows, which took 4 % of an import; and where each page
//! was a piece of memory of its own, allocating took as much. The sort takes items from the pages where they are.

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
    n_items: usize,
    /// Where the next item goes: slab, and place there. It is here so that most items need no look at `pages`.
    slab: usize,
    place: usize,
}

impl<const N: usize> Buckets<N> {
    pub(crate) fn new(n_buckets: usize) -> Buckets<N> {
        Buckets {
            parts: vec![Bucket::default(); n_buckets],
            slabs: Vec::new(),
            n_pages: 0,
        }
    }

    /// Adds an item at the end of a bucket.
    #[inline]
    pub(crate) fn push(&mut self, bucket: usize, item: [u8; N]) {
        let bucket = &mut self.parts[bucket];
        if bucket.n_items.is_multiple_of(PAGE) {
            if self.n_pages.is_multiple_of(SLAB_PAGES) {
                // Zeros that the system hands out: memory is used as pages are.
                self.slabs.push(vec![[0; N]; SLAB_PAGES * PAGE]);
            }
            let page = self.n_pages as u32;
            bucket.pages.push(page);
            (bucket.slab, bucket.place) = place_of(page);
            self.n_pages += 1;
        }
        self.slabs[bucket.slab][bucket.place] = item;
        bucket.place += 1;
        bucket.n_items += 1;
    }

    /// Numbers of items in all buckets.
    pub(crate) fn lens(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|bucket| bucket.n_items)
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.n_pages * PAGE * N
    }

    /// Hands the buckets out in order, each sorted by `key`; items of one key stay in the order in which they came. What
    /// is sorted is what `unpack` makes of an item, given its bucket and its place in it.
    ///
    /// The sort is a radix sort of two passes. It is written out here because the first pass takes items from pages, where
    /// a crate would want them copied into one slice before. With the slabs that saves 5 % of an import.
    pub(crate) fn drain_sorted<T: Copy + Default, E>(
        self,
        packed_key: impl Fn([u8; N]) -> u16,
        mut unpack: impl FnMut(usize, usize, [u8; N]) -> T,
        key: impl Fn(T) -> u16,
        mut each: impl FnMut(&mut [T]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut by_low, mut sorted) = (Vec::new(), Vec::new());
        for (part, bucket) in self.parts.iter().enumerate() {
            let len = bucket.n_items;
            if by_low.len() < len {
                by_low.resize(len, T::default());
                sorted.resize(len, T::default());
            }
            let (mut low, mut high) = ([0; DIGITS], [0; DIGITS]);
            for page in self.pages(bucket) {
                for item in page {
                    let [l, h] = packed_key(*item).to_le_bytes();
                    low[usize::from(l)] += 1;
                    high[usize::from(h)] += 1;
                }
            }
            starts(&mut low);
            starts(&mut high);
            for (page, first) in self.pages(bucket).zip((0..).step_by(PAGE)) {
                for (item, i) in page.iter().zip(first..) {
                    let place = &mut low[usize::from(packed_key(*item) as u8)];
                    by_low[*place as usize] = unpack(part, i, *item);
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
        let firsts = (0..bucket.n_items).step_by(PAGE);
        bucket.pages.iter().zip(firsts).map(|(&page, n_before)| {
            let (slab, first) = place_of(page);
            &self.slabs[slab][first..][..PAGE.min(bucket.n_items - n_before)]
        })
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
        assert_eq!(buckets.lens().sum::<usize>(), n_items);
        assert!(buckets.lens().eq(expected.iter().map(Vec::len)));
        assert!(buckets.mem_usage() >= n_items * 6);
        for items in &mut expected {
            items.sort_by_key(|item| key(*item));
        }
        let mut drained = Vec::new();
        let mut unpacked = [0; 5];
        let unpack = |bucket: usize, place: usize, item| {
            assert_eq!(place, unpacked[bucket]);
            unpacked[bucket] += 1;
            item
        };
        let done: Result<(), ()> = buckets.drain_sorted(key, unpack, key, |items| {
            drained.push(items.to_vec());
            Ok(())
        });
        assert_eq!(done, Ok(()));
        assert!(drained == expected);
    }

    #[test]
    fn buckets_of_nothing_come_out_empty() {
        let mut n = 0;
        let buckets = Buckets::<6>::new(3);
        let done: Result<(), ()> = buckets.drain_sorted(
            key,
            |_, _, item| item,
            key,
            |items| {
                n += 1;
                assert!(items.is_empty());
                Ok(())
            },
        );
        assert_eq!((done, n), (Ok(()), 3));
    }
}
