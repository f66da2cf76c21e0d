//! Buckets that grow by pages: what is gathered in any order is parted on its way in, and sorted part by part later.
//!
//! A part fits the cache when its turn comes. As one vector a bucket would be copied and given fresh memory again and
//! again as it grows, which took 4 % of an import.

/// Items of a page.
const PAGE: usize = 512;

/// Gathers items by bucket.
#[derive(Debug)]
pub(crate) struct Buckets<T> {
    buckets: Vec<Bucket<T>>,
    n_pages: usize,
}

#[derive(Debug)]
struct Bucket<T> {
    full: Vec<Vec<T>>,
    /// The page that is being filled.
    last: Vec<T>,
}

impl<T: Copy> Buckets<T> {
    pub(crate) fn new(n_buckets: usize) -> Buckets<T> {
        let bucket = || Bucket {
            full: Vec::new(),
            last: Vec::new(),
        };
        Buckets {
            buckets: std::iter::repeat_with(bucket).take(n_buckets).collect(),
            n_pages: 0,
        }
    }

    /// Adds an item at the end of a bucket.
    pub(crate) fn push(&mut self, bucket: usize, item: T) {
        let Bucket { full, last } = &mut self.buckets[bucket];
        if last.len() == last.capacity() {
            self.n_pages += 1;
            let page = std::mem::replace(last, Vec::with_capacity(PAGE));
            if !page.is_empty() {
                full.push(page);
            }
        }
        last.push(item);
    }

    /// Number of items in all buckets.
    pub(crate) fn len(&self) -> usize {
        let lens = self
            .buckets
            .iter()
            .map(|b| b.full.iter().map(Vec::len).sum::<usize>() + b.last.len());
        lens.sum()
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.n_pages * PAGE * size_of::<T>()
    }

    /// Hands the buckets out in order, each as one slice in the order in which its items came.
    pub(crate) fn drain<E>(self, mut each: impl FnMut(&mut [T]) -> Result<(), E>) -> Result<(), E> {
        let mut items = Vec::new();
        for Bucket { full, last } in self.buckets {
            items.clear();
            for page in full.into_iter().chain([last]) {
                items.extend_from_slice(&page);
            }
            each(&mut items)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_keeps_its_items_in_their_order() {
        let items: Vec<usize> = (0..20_000).map(|i| i * i % 7919).collect();
        let mut buckets = Buckets::new(5);
        for &item in &items {
            buckets.push(item % 5, item);
        }
        assert_eq!(buckets.len(), items.len());
        assert!(buckets.mem_usage() >= items.len() * size_of::<usize>());
        let mut drained = Vec::new();
        let done: Result<(), ()> = buckets.drain(|of_bucket| {
            drained.push(of_bucket.to_vec());
            Ok(())
        });
        assert_eq!(done, Ok(()));
        let expected: Vec<Vec<usize>> = (0..5)
            .map(|bucket| {
                items
                    .iter()
                    .copied()
                    .filter(|item| item % 5 == bucket)
                    .collect()
            })
            .collect();
        assert_eq!(drained, expected);
    }
}
