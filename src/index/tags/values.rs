//! Different texts, each of them once, numbered in the order in which they were first seen.
//!
//! There are many of them and they are asked for in any order, so what costs is to fetch them from memory. A part of each
//! hash stands in the table, so that a text is read only where it is most likely the right one, and never to grow the
//! table.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Texts and their numbers.
#[derive(Debug, Default)]
pub(super) struct Values {
    text: String,
    spans: Vec<Span>,
    /// Hash and number of each text.
    numbers: HashTable<(u32, u32)>,
}

/// Where a text stands, and how many tags of the same name stand before it in its game.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: u32,
    place: u32,
}

impl Values {
    /// No texts yet, and room for `n`.
    pub(super) fn with_capacity(n: usize) -> Values {
        Values {
            text: String::new(),
            spans: Vec::with_capacity(n),
            numbers: HashTable::with_capacity(n),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A text, and how many tags of the same name stand before it in its game.
    pub(super) fn get(&self, number: u32) -> (&str, u32) {
        get(&self.text, &self.spans, number)
    }

    /// The bytes of a text.
    pub(super) fn bytes(&self, number: u32) -> &[u8] {
        let Span { start, len, .. } = self.spans[number as usize];
        &self.text.as_bytes()[start..start + len as usize]
    }

    /// The number of a text, a new one if it was not seen before.
    pub(super) fn number_of(&mut self, text: &str, place: u32) -> u32 {
        let hash = (xxh3_64_with_seed(text.as_bytes(), u64::from(place)) >> 32) as u32;
        let is_same = |&(of_hash, number): &(u32, u32)| {
            of_hash == hash && get(&self.text, &self.spans, number) == (text, place)
        };
        let &mut (_, number) = self
            .numbers
            .entry(spread(hash), is_same, |&(hash, _)| spread(hash))
            .or_insert((hash, self.spans.len() as u32))
            .into_mut();
        if number as usize == self.spans.len() {
            self.spans.push(Span {
                start: self.text.len(),
                len: text.len() as u32,
                place,
            });
            self.text.push_str(text);
        }
        number
    }

    /// Bytes in use.
    pub(super) fn mem_usage(&self) -> usize {
        self.text.capacity()
            + self.spans.capacity() * size_of::<Span>()
            + self.numbers.allocation_size()
    }
}

fn get<'a>(text: &'a str, spans: &[Span], number: u32) -> (&'a str, u32) {
    let Span { start, len, place } = spans[number as usize];
    (&text[start..start + len as usize], place)
}

/// The table looks at the lowest bits of a hash and at the highest ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_have_the_numbers_in_which_they_first_came(
            texts in prop::collection::vec(("[ab]{0,3}|[a-zé]{0,300}", 0..3u32), 0..500)
        ) {
            let mut seen: Vec<(String, u32)> = Vec::new();
            let mut values = Values::default();
            for (text, place) in texts {
                let number = values.number_of(&text, place);
                let text = (text, place);
                let expected = seen.iter().position(|have| *have == text).unwrap_or(seen.len());
                prop_assert_eq!(number as usize, expected);
                if expected == seen.len() {
                    seen.push(text);
                }
            }
            prop_assert_eq!(values.len(), seen.len());
            for (number, (text, place)) in (0..).zip(&seen) {
                prop_assert_eq!(values.get(number), (text.as_str(), *place));
                prop_assert_eq!(values.bytes(number), text.as_bytes());
            }
        }
    }

    #[test]
    fn texts_of_one_hash_in_the_table_stay_apart() {
        // Of this many texts some ten pairs share the 32 bits that the table has of each.
        let mut values = Values::default();
        for i in 0..300_000 {
            assert_eq!(values.number_of(&i.to_string(), 0), i);
        }
        for i in 0..300_000 {
            assert_eq!(values.number_of(&i.to_string(), 0), i);
        }
    }
}
