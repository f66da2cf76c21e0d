//! The terms of the tags of a segment, gathered value by value.
//!
//! Games of an archive repeat their tags: a tournament has one name for hundreds of games, a player one spelling.
//! tantivy's own writer makes terms of every tag of every game and looks each of them up. Here a tag is looked up once, as
//! a whole, and what comes of it, its words and its value, is made when the segment is written, once for each different
//! value. That takes less than half the time. What is written is what tantivy's own writer would have written but for the
//! positions of words, which begin anew in each tag: in tantivy's files, to be read and merged by tantivy.

mod batch;
mod files;
mod fst;
mod lists;
mod order;
mod values;

use std::collections::BTreeMap;

use tantivy::Segment;
use tantivy::schema::Field;
use tantivy::tokenizer::{TokenStream, Tokenizer};

use crate::index::fold::{TagTokenizer, fold};
use crate::index::games::DocId;
use crate::index::tags::batch::{BATCH, Batch};
use crate::index::tags::files::{TermWriter, write_terms};
use crate::index::tags::lists::Lists;
use crate::index::tags::order::order;
use crate::index::tags::values::Values;

/// Between the words of two tags of a game that have the same name: more than a tag can have words, so that no phrase
/// reaches from one into the other.
const GAP: u32 = 1 << 24;

/// Number of tags from which on names are counted in a map. Real games have some twenty, where a scan is faster; only in a
/// game of a hundred thousand tags would it never end.
const MANY_TAGS: usize = 64;

/// How often names stand in a game of many tags.
#[derive(Debug, Default)]
struct Names {
    counts: BTreeMap<String, u32>,
    /// How many tags of the game are counted.
    n_tags: usize,
}

/// Gathers the tags of games.
#[derive(Debug, Default)]
pub(crate) struct TagsWriter {
    values: Values,
    /// Values of all games, one game after the other.
    postings: Vec<u32>,
    /// Where the values of each game end.
    ends: Vec<usize>,
    /// The tags of the last game.
    last: Vec<LastTag>,
}

/// A tag of the last game.
#[derive(Debug)]
struct LastTag {
    value: u32,
    /// How many tags of the same name stand before it.
    place: u32,
    /// Length of its name with the NUL, if it has one.
    name_len: Option<usize>,
}

/// Where a term stands: under which value, at which of its words.
#[derive(Clone, Copy)]
struct Place {
    term: u32,
    value: u32,
    position: u32,
}

impl TagsWriter {
    /// Adds the tags of the next game, each as `Name NUL value`. Games come in order, from 0 on.
    pub(crate) fn add<'a>(&mut self, doc: DocId, tags: impl Iterator<Item = &'a str>) {
        debug_assert_eq!(doc as usize, self.ends.len(), "games in order");
        let mut n_tags = 0;
        let mut names = Names::default();
        for tag in tags {
            // Games of a tournament follow each other, so the last game mostly had tags of the same names, many of them
            // with the same value. As long as the names are the same, so are the places.
            let value = match self.last.get_mut(n_tags) {
                Some(last) if self.values.bytes(last.value) == tag.as_bytes() => last.value,
                Some(last) if last.has_name_of(tag, &self.values) => {
                    last.value = self.values.number_of(tag, last.place);
                    last.value
                }
                _ => {
                    self.last.truncate(n_tags);
                    self.add_of_other_name(tag, &mut names)
                }
            };
            self.postings.push(value);
            n_tags += 1;
        }
        self.last.truncate(n_tags);
        self.ends.push(self.postings.len());
    }

    fn add_of_other_name(&mut self, tag: &str, names: &mut Names) -> u32 {
        let name = name_of(tag);
        let name_before = |last: &LastTag| name_of(self.values.get(last.value).0);
        let place = if self.last.len() < MANY_TAGS {
            self.last
                .iter()
                .filter(|last| is_same_name(name_before(last), name))
                .count() as u32
        } else {
            for last in &self.last[names.n_tags..] {
                let name = fold(name_before(last)).into_owned();
                *names.counts.entry(name).or_default() += 1;
            }
            names.n_tags = self.last.len();
            names.counts.get(&*fold(name)).copied().unwrap_or(0)
        };
        let value = self.values.number_of(tag, place);
        self.last.push(LastTag {
            value,
            place,
            name_len: tag.find('\0').map(|len| len + 1),
        });
        value
    }

    /// Bytes in use, with those that writing will need.
    pub(crate) fn mem_usage(&self) -> usize {
        // A value makes some three terms of its own length, and each of them has a place. The games of each value are
        // listed, and one list of games can be as long as all games.
        self.values.mem_usage() * 4 + self.postings.capacity() * 8 + self.ends.capacity() * 16
    }

    /// Writes the terms of all tags.
    pub(crate) fn write(self, segment: &Segment, field: Field) -> tantivy::Result<()> {
        let docs = Lists::new(self.values.len(), self.postings_by_game());
        let (terms, places) = terms_of(&self.values);
        let order = order(terms.len() as u32, |term| terms.bytes(term));
        let mut ranks = vec![0; order.len()];
        for (&term, rank) in order.iter().zip(0..) {
            ranks[term as usize] = rank;
        }
        // By rank, so that they are read one after the other.
        let places_of = Lists::new(
            terms.len(),
            places
                .iter()
                .map(|place| (ranks[place.term as usize], (place.value, place.position))),
        );
        let n_tokens = places
            .iter()
            .map(|place| docs.of(place.value).len() as u64)
            .sum();
        drop(places);
        write_terms(segment, field, n_tokens, |out| {
            let mut batch = Batch::default();
            let mut found = Vec::new();
            for (first, numbers) in (0..).step_by(BATCH).zip(order.chunks(BATCH)) {
                batch.fill(numbers, &terms);
                for (text, rank) in batch.texts().zip(first..) {
                    match *places_of.of(rank) {
                        [(value, position)] => write_of_one(out, text, docs.of(value), position)?,
                        ref places => write_of_many(out, text, &docs, places, &mut found)?,
                    }
                }
            }
            Ok(())
        })
    }

    /// Value and game of all postings, in the order of games.
    fn postings_by_game(&self) -> impl Iterator<Item = (u32, DocId)> + Clone {
        let mut start = 0;
        self.ends.iter().zip(0..).flat_map(move |(&end, doc)| {
            let values = &self.postings[start..end];
            start = end;
            values.iter().map(move |&value| (value, doc))
        })
    }
}

impl LastTag {
    fn has_name_of(&self, tag: &str, values: &Values) -> bool {
        self.name_len.is_some_and(|len| {
            let before = values.bytes(self.value);
            tag.as_bytes().get(..len) == before.get(..len)
        })
    }
}

/// Writes a term of one value. A game has a value once: the same text again has another place.
fn write_of_one(
    out: &mut TermWriter<'_, '_>,
    term: &[u8],
    docs: &[DocId],
    position: u32,
) -> tantivy::Result<()> {
    out.new_term(term, docs.len() as u32)?;
    for &doc in docs {
        out.write_doc(doc, &[position]);
    }
    out.close_term()
}

/// Writes a term of some values, each at some position, in the order of games.
fn write_of_many(
    out: &mut TermWriter<'_, '_>,
    term: &[u8],
    docs: &Lists<DocId>,
    places: &[(u32, u32)],
    found: &mut Vec<u64>,
) -> tantivy::Result<()> {
    // Game and position as one number, which is compared at once.
    found.clear();
    for &(value, position) in places {
        let position = u64::from(position);
        let of_doc = |&doc| u64::from(doc) << 32 | position;
        found.extend(docs.of(value).iter().map(of_doc));
    }
    if !found.is_sorted() {
        found.sort_unstable();
    }
    let is_same_doc = |a: &u64, b: &u64| a >> 32 == b >> 32;
    let n_docs = found.chunk_by(is_same_doc).count() as u32;
    out.new_term(term, n_docs)?;
    let mut deltas = Vec::new();
    for of_doc in found.chunk_by(is_same_doc) {
        let doc = (of_doc[0] >> 32) as DocId;
        if let &[posting] = of_doc {
            out.write_doc(doc, &[posting as u32]);
            continue;
        }
        deltas.clear();
        let mut previous = 0;
        for &posting in of_doc {
            deltas.push(posting as u32 - previous);
            previous = posting as u32;
        }
        out.write_doc(doc, &deltas);
    }
    out.close_term()
}

/// The terms of all values, and where they stand, value by value.
fn terms_of(values: &Values) -> (Values, Vec<Place>) {
    // A value makes one term of its own and shares the others.
    let mut terms = Values::with_capacity(values.len() * 2);
    let mut places = Vec::new();
    let mut tokenizer = TagTokenizer::default();
    for value in 0..values.len() as u32 {
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

fn name_of(tag: &str) -> &str {
    tag.split_once('\0').map_or("", |(name, _)| name)
}

/// Whether two tags make terms of the same name.
fn is_same_name(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        a.eq_ignore_ascii_case(b)
    } else {
        fold(a) == fold(b)
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

    /// Each tag was compared with all before it: a game of a hundred thousand, in 2 MB, took 40 s.
    #[test]
    fn a_game_of_a_hundred_thousand_tags_is_not_compared_pair_by_pair() {
        let mut tags: Vec<String> = (0..100_000).map(|i| format!("T{i}\0v")).collect();
        tags.extend(["t7\0v", "Ärger\0a", "aRGER\0b", "T7\0w"].map(str::to_owned));
        let terms = written(&[tags]);
        assert_eq!(terms.len(), 100_003);
        assert_eq!(terms[&word_term("T7", "v")][&0], [0, GAP]);
        assert_eq!(terms[&word_term("T7", "w")][&0], [2 * GAP]);
        assert_eq!(terms[&word_term("arger", "b")][&0], [GAP]);
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
