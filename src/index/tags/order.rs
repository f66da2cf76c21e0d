//! The order of terms.
//!
//! Terms begin with the name of their tag, so that neighbours have long beginnings in common, and each comparison of two
//! of them would fetch both from memory. Here seven bytes of each are fetched at a time and sorted as numbers, then the
//! next seven of those that are still equal.

/// How many texts are few enough to be compared as they are.
const FEW: usize = 12;

/// The numbers of `n` different texts in the order of their bytes.
pub(super) fn order<'a>(n: u32, text: impl Fn(u32) -> &'a [u8] + Copy) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = (0..n).map(|number| (0, number)).collect();
    sort(&mut keyed, text, 0);
    keyed.into_iter().map(|(_, number)| number).collect()
}

/// Sorts texts that have their first `depth` bytes in common.
fn sort<'a>(keyed: &mut [(u64, u32)], text: impl Fn(u32) -> &'a [u8] + Copy, depth: usize) {
    if keyed.len() <= FEW {
        keyed.sort_unstable_by_key(|&(_, number)| &text(number)[depth..]);
        return;
    }
    for (key, number) in &mut *keyed {
        *key = key_of(&text(*number)[depth..]);
    }
    keyed.sort_unstable_by_key(|&(key, _)| key);
    for equal in keyed.chunk_by_mut(|a, b| a.0 == b.0) {
        if equal.len() > 1 {
            sort(equal, text, depth + 7);
        }
    }
}

/// The first seven bytes, and how many of them there are: an end comes before any byte. More than seven count as eight,
/// so that only texts that go on can be equal.
fn key_of(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let n = text.len().min(7);
    bytes[..n].copy_from_slice(&text[..n]);
    bytes[7] = text.len().min(8) as u8;
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_come_in_the_order_of_their_bytes(
            texts in prop::collection::btree_set(prop::collection::vec(0..3u8, 0..30), 0..300),
            same in prop::collection::vec(0..2u8, 0..20),
        ) {
            let expected: Vec<Vec<u8>> = texts
                .into_iter()
                .map(|text| [same.clone(), text].concat())
                .collect();
            let mut texts = expected.clone();
            texts.sort_by_key(|text| xxhash_rust::xxh3::xxh3_64(text));
            let ordered: Vec<Vec<u8>> = order(texts.len() as u32, |number| &texts[number as usize])
                .into_iter()
                .map(|number| texts[number as usize].clone())
                .collect();
            prop_assert_eq!(ordered, expected);
        }
    }
}
