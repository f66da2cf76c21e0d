//! Lists that stand one after the other, made of pairs of list and item by counting.

/// Items by list.
pub(super) struct Lists<T> {
    /// Where each list begins, and where the last one ends.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Lists of the items of `pairs`, each in the order in which they come.
    pub(super) fn new(n_lists: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        // While a list is filled, the number after its own says where its next item goes, which ends up as its end.
        let mut starts = vec![0; n_lists + 2];
        for (list, _) in pairs.clone() {
            starts[list as usize + 2] += 1;
        }
        for list in 2..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut items = vec![T::default(); starts[n_lists + 1]];
        for (list, item) in pairs {
            let next = &mut starts[list as usize + 1];
            items[*next] = item;
            *next += 1;
        }
        Lists { starts, items }
    }

    /// The items of a list.
    pub(super) fn of(&self, list: u32) -> &[T] {
        &self.items[self.starts[list as usize]..self.starts[list as usize + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_stand_in_their_lists_in_order(
            pairs in prop::collection::vec((0..20u32, any::<u8>()), 0..200)
        ) {
            let lists = Lists::new(20, pairs.iter().copied());
            for list in 0..20 {
                let expected: Vec<u8> = pairs
                    .iter()
                    .filter(|pair| pair.0 == list)
                    .map(|pair| pair.1)
                    .collect();
                prop_assert_eq!(lists.of(list), expected);
            }
        }
    }
}
