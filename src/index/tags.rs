//! The terms of the tags of a segment, gathered value by value.
//!
//! Games of an archive repeat their tags: a tournament has one name for hundreds of games, a player one spelling.
//! tantivy's own writer makes terms of every tag of every game and looks each of them up. Here a tag is looked up once, as
//! a whole, and what comes of it, its words and its value, is made when the segment is written, once for each different
//! value. That takes half the time. What is written is what tantivy's own writer would have written but for the positions
//! of words, which begin anew in each tag: in tantivy's files, by tantivy's serializer, to be read and merged by tantivy.

use hashbrown::HashTable;
use tantivy::Segment;
use tantivy::postings::InvertedIndexSerializer;
use tantivy::schema::Field;
use tantivy::tokenizer::{TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::index::fold::{TagTokenizer, fold};
use crate::index::games::DocId;

/// Between the words of two tags of a game that have the same name: more than a tag can have words, so that no phrase
/// reaches from one into the other.
const GAP: u32 = 1 << 24;

/// Gathers the tags of games.
#[derive(Debug, Default)]
pub(crate) struct TagsWriter {
    values: Values,
    /// Value and game, in the order of games.
    postings: Vec<(u32, DocId)>,
    /// How many of them belong to the last game.
    n_last: usize,
}

/// Different texts, numbered in the order in which they were first seen.
#[derive(Debug, Default)]
struct Values {
    text: String,
    /// End of each text, and how many tags of the same name stand before it in its game.
    ends: Vec<(usize, u32)>,
    numbers: HashTable<u32>,
}

impl Values {
    /// A text, and how many tags of the same name stand before it in its game.
    fn get(&self, number: u32) -> (&str, u32) {
        text_of(&self.text, &self.ends, number)
    }

    /// The number of a text, a new one if it was not seen before.
    fn number_of(&mut self, text: &str, place: u32) -> u32 {
        let hash = |text: &str, place| xxh3_64_with_seed(text.as_bytes(), u64::from(place));
        let get = |number: &u32| text_of(&self.text, &self.ends, *number);
        let is_same = |number: &u32| get(number) == (text, place);
        let hash_again = |number: &u32| {
            let (text, place) = get(number);
            hash(text, place)
        };
        let entry = self
            .numbers
            .entry(hash(text, place), is_same, hash_again)
            .or_insert(self.ends.len() as u32);
        let number = *entry.get();
        if number as usize == self.ends.len() {
            self.text.push_str(text);
            self.ends.push((self.text.len(), place));
        }
        number
    }
}

fn text_of<'a>(text: &'a str, ends: &[(usize, u32)], number: u32) -> (&'a str, u32) {
    let start = match number {
        0 => 0,
        _ => ends[number as usize - 1].0,
    };
    let (end, place) = ends[number as usize];
    (&text[start..end], place)
}

/// Where a term stands: under which value, at which of its words.
#[derive(Clone, Copy)]
struct Place {
    term: u32,
    value: u32,
    position: u32,
}

impl TagsWriter {
    /// Adds the tags of a game, each as `Name NUL value`.
    pub(crate) fn add<'a>(&mut self, doc: DocId, tags: impl Iterator<Item = &'a str>) {
        let first = self.postings.len();
        let last = first - self.n_last;
        let mut names: Vec<&str> = Vec::with_capacity(16);
        for (i, tag) in tags.enumerate() {
            let name = tag.split_once('\0').map_or("", |(name, _)| name);
            let place = names.iter().filter(|have| is_same_name(have, name)).count() as u32;
            names.push(name);
            // Games of a tournament follow each other, so the last game mostly had the same tag at the same place.
            let before = self.postings[last..first].get(i).map(|&(value, _)| value);
            let value = match before {
                Some(value) if self.values.get(value) == (tag, place) => value,
                _ => self.values.number_of(tag, place),
            };
            self.postings.push((value, doc));
        }
        self.n_last = self.postings.len() - first;
    }

    /// Bytes in use, with those that writing will need.
    pub(crate) fn mem_usage(&self) -> usize {
        // A value makes some three terms of its own length, and each of them has a place.
        self.values.text.capacity() * 4
            + self.values.ends.capacity() * 64
            + self.postings.capacity() * 16
    }

    /// Writes the terms of all tags.
    pub(crate) fn write(self, segment: &Segment, field: Field) -> tantivy::Result<()> {
        let docs = Lists::new(self.values.ends.len(), self.postings.iter().copied());
        let (terms, places) = terms_of(&self.values);
        let places_of = Lists::new(
            terms.ends.len(),
            places
                .iter()
                .map(|place| (place.term, (place.value, place.position))),
        );
        let mut order: Vec<u32> = (0..terms.ends.len() as u32).collect();
        order.sort_unstable_by_key(|&term| terms.get(term).0);

        let n_tokens = places
            .iter()
            .map(|place| docs.of(place.value).len() as u64)
            .sum();
        let mut serializer = InvertedIndexSerializer::open(segment)?;
        let mut out = serializer.new_field(field, n_tokens, None)?;
        let mut found: Vec<(DocId, u32)> = Vec::new();
        let mut deltas = Vec::new();
        for term in order {
            found.clear();
            for &(value, position) in places_of.of(term) {
                found.extend(docs.of(value).iter().map(|&doc| (doc, position)));
            }
            if !found.is_sorted() {
                found.sort_unstable();
            }
            let n_docs = found.chunk_by(|a, b| a.0 == b.0).count() as u32;
            out.new_term(terms.get(term).0.as_bytes(), n_docs, true)?;
            for of_doc in found.chunk_by(|a, b| a.0 == b.0) {
                deltas.clear();
                let mut previous = 0;
                for &(_, position) in of_doc {
                    deltas.push(position - previous);
                    previous = position;
                }
                out.write_doc(of_doc[0].0, deltas.len() as u32, &deltas);
            }
            out.close_term()?;
        }
        out.close()?;
        serializer.close()?;
        Ok(())
    }
}

/// The terms of all values, and where they stand, value by value.
fn terms_of(values: &Values) -> (Values, Vec<Place>) {
    let mut terms = Values::default();
    let mut places = Vec::new();
    let mut tokenizer = TagTokenizer::default();
    for value in 0..values.ends.len() as u32 {
        let (text, place) = values.get(value);
        let mut tokens = tokenizer.token_stream(text);
        while tokens.advance() {
            let token = tokens.token();
            places.push(Place {
                term: terms.number_of(&token.text, 0),
                value,
                position: place
                    .saturating_mul(GAP)
                    .saturating_add(token.position as u32),
            });
        }
    }
    (terms, places)
}

/// Whether two tags make terms of the same name.
fn is_same_name(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        a.eq_ignore_ascii_case(b)
    } else {
        fold(a) == fold(b)
    }
}

/// Lists that stand one after the other, made of pairs of list and item by counting.
struct Lists<T> {
    /// Where each list begins, and where the last one ends.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    fn new(n_lists: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Lists<T> {
        let mut starts = vec![0; n_lists + 1];
        for (list, _) in pairs.clone() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..n_lists {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[n_lists]];
        for (list, item) in pairs {
            items[next[list as usize]] = item;
            next[list as usize] += 1;
        }
        Lists { starts, items }
    }

    fn of(&self, list: u32) -> &[T] {
        &self.items[self.starts[list as usize]..self.starts[list as usize + 1]]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use proptest::prelude::*;
    use tantivy::postings::Postings;
    use tantivy::schema::IndexRecordOption;
    use tantivy::{DocSet, Index, SegmentReader, TERMINATED};

    use crate::index::builder::SegmentBuilder;
    use crate::index::fold::{TAG_TOKENIZER, word_term};
    use crate::index::plugin::PlyPlugin;
    use crate::index::schema::{fields, schema};

    /// Postings of each term: game, and positions in it.
    type Terms = BTreeMap<String, BTreeMap<DocId, Vec<u32>>>;

    /// What a segment holds that was written from these games.
    fn written(games: &[Vec<String>]) -> Terms {
        let index = Index::builder()
            .schema(schema())
            .register_plugin(Arc::new(PlyPlugin))
            .create_in_ram()
            .expect("an index");
        index
            .tokenizers()
            .register(TAG_TOKENIZER, TagTokenizer::default());
        let fields = fields(&index.schema()).expect("fields");
        let segment = index.new_segment();
        let mut builder = SegmentBuilder::new(segment.clone(), fields, 15_000_000, Path::new(""))
            .expect("a segment");
        for tags in games {
            builder.add_tags(tags).expect("added");
        }
        if builder.finish().expect("written").is_none() {
            return Terms::new();
        }
        let reader =
            SegmentReader::open(&segment.with_max_doc(games.len() as u32)).expect("a segment");
        let inverted = reader.inverted_index(fields.tags).expect("terms");
        let mut terms = Terms::new();
        let mut stream = inverted.terms().stream().expect("terms");
        while stream.advance() {
            let term = String::from_utf8(stream.key().to_vec()).expect("UTF-8");
            let of_term = terms.entry(term).or_default();
            let mut postings = inverted
                .read_postings_from_terminfo(
                    stream.value(),
                    IndexRecordOption::WithFreqsAndPositions,
                )
                .expect("postings");
            while postings.doc() != TERMINATED {
                let mut positions = Vec::new();
                postings.positions(&mut positions);
                assert_eq!(positions.len() as u32, postings.term_freq());
                of_term.insert(postings.doc(), positions);
                postings.advance();
            }
            assert_eq!(stream.value().doc_freq as usize, of_term.len());
        }
        terms
    }

    /// The same, tag by tag and word by word.
    fn expected(games: &[Vec<String>]) -> Terms {
        let mut terms = Terms::new();
        for (doc, tags) in games.iter().enumerate() {
            let mut seen: Vec<String> = Vec::new();
            for tag in tags {
                let name = fold(tag.split_once('\0').expect("a name").0).into_owned();
                let place = seen.iter().filter(|have| **have == name).count() as u32;
                seen.push(name);
                let mut tokenizer = TagTokenizer::default();
                let mut tokens = tokenizer.token_stream(tag);
                while tokens.advance() {
                    let position = place * GAP + tokens.token().position as u32;
                    let of_term = terms.entry(tokens.token().text.clone()).or_default();
                    of_term.entry(doc as DocId).or_default().push(position);
                }
            }
        }
        for positions in terms.values_mut().flat_map(BTreeMap::values_mut) {
            positions.sort_unstable();
        }
        terms
    }

    fn tag() -> impl Strategy<Value = String> {
        let name = prop::sample::select(vec!["White", "Event", "Site", "white", "Ärger", "ECO"]);
        let words = prop::collection::vec(
            prop::sample::select(vec!["a", "b", "A", "c-d", "é", "", "12"]),
            0..4,
        );
        (name, words).prop_map(|(name, words)| format!("{name}\0{}", words.join(" ")))
    }

    proptest! {
        #[test]
        fn terms_are_those_of_each_tag_of_each_game(
            games in prop::collection::vec(prop::collection::vec(tag(), 0..5), 0..200)
        ) {
            prop_assert_eq!(written(&games), expected(&games));
        }
    }

    #[test]
    fn a_term_of_many_blocks_keeps_its_games() {
        let games: Vec<Vec<String>> = (0..5000)
            .map(|i| {
                vec![
                    format!("Site\0https://example.org/{i}"),
                    "White\0Kestrel Kestrel".to_owned(),
                ]
            })
            .collect();
        let terms = written(&games);
        assert_eq!(terms, expected(&games));
        assert_eq!(terms[&word_term("Site", "org")].len(), 5000);
        assert_eq!(terms[&word_term("White", "kestrel")][&77], [0, 1]);
    }
}
