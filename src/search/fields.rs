//! Header clauses as tantivy queries: words and values of tags, ranges of columns.

use std::ops::Bound;

use tantivy::Term;
use tantivy::query::{
    BooleanQuery, EmptyQuery, ExistsQuery, Occur, PhrasePrefixQuery, PhraseQuery, Query,
    RangeQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy_query_grammar::UserInputBound;

use crate::index::fold::{
    fold, folded_value, has_value_terms, value_prefix, value_term, word_term, words,
};
use crate::index::schema::{Column, column_name};
use crate::index::writer::eco_number;
use crate::model::date::DateSpan;
use crate::model::game_result::GameResult;
use crate::model::rating::MAX_RATING;
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::search::Searcher;

/// A query, or what is wrong with it in one clause.
pub(crate) type FieldResult = Result<Box<dyn Query>, String>;

/// The tags that a text field stands for.
pub(crate) fn tags_of(field: &str) -> Option<Vec<String>> {
    let tags: &[&str] = match field {
        "white" => &["White"],
        "black" => &["Black"],
        "player" => &["White", "Black"],
        "event" => &["Event"],
        "site" => &["Site"],
        "round" => &["Round"],
        "opening" => &["Opening"],
        "time_control" => &["TimeControl"],
        _ => {
            return field
                .strip_prefix("tag.")
                .filter(|name| !name.is_empty())
                .map(|name| vec![name.to_owned()]);
        }
    };
    Some(tags.iter().map(|&tag| tag.to_owned()).collect())
}

/// The field to ask instead of `tag.NAME`, for tags that are kept as numbers.
pub(crate) fn field_of(field: &str) -> &str {
    let Some(tag) = field.strip_prefix("tag.") else {
        return field;
    };
    let instead = [
        ("Result", "result"),
        ("WhiteElo", "white_elo"),
        ("BlackElo", "black_elo"),
        ("Date", "date"),
        ("UTCDate", "date"),
    ];
    let found = instead
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(tag));
    found.map_or(field, |(_, instead)| *instead)
}

/// Fields that words without a field are looked for in.
pub(crate) const DEFAULT_TAGS: [&str; 4] = ["White", "Black", "Event", "Site"];

/// Names of all fields, for messages.
pub(crate) const FIELDS: &str = "white black player event site round date year result eco opening elo white_elo \
    black_elo mean_elo time_control speed plies variant source id status tag.NAME fen board line move moves in";

impl Searcher {
    /// Games in which one of the tags has these words next to each other; with `prefix` the last one may go on.
    pub(crate) fn text(&self, tags: &[&str], text: &str, prefix: bool) -> FieldResult {
        let folded = fold(text).into_owned();
        let found: Vec<&str> = words(&folded).collect();
        if found.is_empty() {
            return Err(no_words(text));
        }
        if names_fen(tags) {
            return Err(FEN_IS_NO_TEXT.to_owned());
        }
        let field = self.store().fields().tags;
        let mut queries = Vec::new();
        for tag in tags {
            let words: Vec<String> = found.iter().map(|word| word_term(tag, word)).collect();
            let terms: Vec<Term> = words
                .iter()
                .map(|word| Term::from_field_text(field, word))
                .collect();
            queries.push(match (&words[..], prefix) {
                ([_], false) => {
                    Box::new(TermQuery::new(terms[0].clone(), IndexRecordOption::Basic))
                        as Box<dyn Query>
                }
                (_, false) => Box::new(PhraseQuery::new(terms)),
                ([word], true) => self.starting_with(word),
                ([.., last], true) => {
                    // tantivy takes this many terms at most, and memory for as many before it looks for the first.
                    let n_terms = self
                        .n_terms_starting_with(last)
                        .map_err(|e| e.to_string())?;
                    let mut query = PhrasePrefixQuery::new(terms);
                    query.set_max_expansions(n_terms);
                    Box::new(query)
                }
                ([], true) => Box::new(EmptyQuery),
            });
        }
        Ok(any(queries))
    }

    /// How many terms begin so, in the segment that has most of them.
    fn n_terms_starting_with(&self, prefix: &str) -> tantivy::Result<u32> {
        let field = self.store().fields().tags;
        let end = format!("{prefix}{}", char::MAX);
        let mut most = 0;
        for view in self.views.iter() {
            let index = view.reader.inverted_index(field)?;
            let terms = index
                .terms()
                .range()
                .ge(prefix.as_bytes())
                .lt(end.as_bytes());
            let mut terms = terms.into_stream()?;
            let mut n_terms = 0;
            while terms.advance() {
                n_terms += 1;
            }
            most = most.max(n_terms);
        }
        Ok(most)
    }

    /// Games in which one of the tags is exactly this, or begins with it in any spelling.
    pub(crate) fn raw(&self, tags: &[&str], text: &str, prefix: bool) -> FieldResult {
        if let Some(tag) = tags.iter().find(|tag| !has_value_terms(tag)) {
            return Err(format!(
                "whole values of {tag} are not kept; tag.{tag}:\"…\" finds its words"
            ));
        }
        let field = self.store().fields().tags;
        Ok(any(tags.iter().map(|tag| {
            if prefix {
                self.starting_with(&value_prefix(tag, text))
            } else {
                let term = Term::from_field_text(field, &value_term(tag, text));
                Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
            }
        })))
    }

    /// Games in which a tag is exactly this, in any case and with any accents.
    pub(crate) fn valued(&self, tag: &str, text: &str) -> Box<dyn Query> {
        self.starting_with(&folded_value(tag, text))
    }

    fn starting_with(&self, prefix: &str) -> Box<dyn Query> {
        let field = self.store().fields().tags;
        let end = format!("{prefix}{}", char::MAX);
        Box::new(RangeQuery::new(
            Bound::Included(Term::from_field_text(field, prefix)),
            Bound::Excluded(Term::from_field_text(field, &end)),
        ))
    }

    /// Games that have one of the tags.
    pub(crate) fn has_tag(&self, tags: &[&str]) -> FieldResult {
        if names_fen(tags) {
            return Err(FEN_IS_NO_TEXT.to_owned());
        }
        Ok(any(tags
            .iter()
            .map(|tag| self.starting_with(&word_term(tag, "")))))
    }

    /// Games whose column is within the bounds.
    pub(crate) fn column_range(
        &self,
        column: Column,
        low: Bound<u64>,
        high: Bound<u64>,
    ) -> Box<dyn Query> {
        let field = self.store().fields().column(column);
        let term = |bound: Bound<u64>| match bound {
            Bound::Included(n) => Bound::Included(Term::from_field_u64(field, n)),
            Bound::Excluded(n) => Bound::Excluded(Term::from_field_u64(field, n)),
            Bound::Unbounded => Bound::Unbounded,
        };
        match (low, high) {
            (Bound::Unbounded, Bound::Unbounded) => {
                Box::new(ExistsQuery::new(column_name(column).to_owned(), false))
            }
            (low, high) => Box::new(RangeQuery::new(term(low), term(high))),
        }
    }

    fn column_is(&self, column: Column, number: u64) -> Box<dyn Query> {
        self.column_range(column, Bound::Included(number), Bound::Included(number))
    }

    /// A clause `field:value` on a column; `None` when the field has none.
    pub(crate) fn column_clause(
        &self,
        field: &str,
        value: &str,
        prefix: bool,
    ) -> Option<FieldResult> {
        let value = value.trim();
        let both = |low: u64, high: u64| {
            (
                UserInputBound::Inclusive(low.to_string()),
                UserInputBound::Inclusive(high.to_string()),
            )
        };
        // The beginning of a number is no number: `year:19*` is not the year 19.
        let number = |text: &str| {
            if prefix {
                Err(format!("`{text}*` is not a number"))
            } else {
                number(text)
            }
        };
        Some(match field {
            "result" => GameResult::from_tag(value)
                .map(|(result, _)| self.column_is(Column::Result, result as u64))
                .ok_or_else(|| format!("`{value}` is no result: 1-0, 0-1, 1/2-1/2 or *")),
            "speed" => value
                .parse::<Speed>()
                .map(|speed| self.column_is(Column::Speed, speed as u64))
                .map_err(|()| {
                    let names: Vec<_> = Speed::ALL.iter().map(|s| s.as_str()).collect();
                    format!("`{value}` is no speed: {}", names.join(", "))
                }),
            "variant" => value
                .parse::<Variant>()
                .map(|v| self.column_is(Column::Variant, v as u64))
                .map_err(|()| {
                    let names: Vec<_> = Variant::ALL.iter().map(|v| v.as_str()).collect();
                    format!("`{value}` is no variant: {}", names.join(", "))
                }),
            "status" => match value {
                "ok" => Ok(self.column_is(Column::Status, 0)),
                "partial" => Ok(self.column_is(Column::Status, 1)),
                _ => Err(format!("`{value}` is no status: ok or partial")),
            },
            "eco" => {
                let prefix = prefix || value.len() < 3;
                self.eco_range(value, value, prefix)
            }
            "date" => DateSpan::parse(value)
                .map(|span| {
                    self.within_dates(u64::from(span.first), u64::from(span.end_of_range()))
                })
                .ok_or_else(|| format!("`{value}` is no date: YYYY, YYYY.MM or YYYY.MM.DD")),
            "id" => number(value).map(|id| self.ids(id, id)),
            "year" | "elo" | "white_elo" | "black_elo" | "mean_elo" | "plies" => {
                match number(value) {
                    Ok(n) => {
                        let (low, high) = both(n, n);
                        self.range_clause(field, &low, &high)?
                    }
                    Err(e) => Err(e),
                }
            }
            _ => return None,
        })
    }

    /// A clause `field:[low TO high]`; `None` when the field has no ranges.
    pub(crate) fn range_clause(
        &self,
        field: &str,
        low: &UserInputBound,
        high: &UserInputBound,
    ) -> Option<FieldResult> {
        let elo = |column: Column, scale: u64| -> FieldResult {
            Ok(self.column_range(
                column,
                number_bound(low, scale)?,
                number_bound(high, scale)?,
            ))
        };
        Some(match field {
            "white_elo" => elo(Column::WhiteElo, 1),
            "black_elo" => elo(Column::BlackElo, 1),
            "elo" => elo(Column::WhiteElo, 1)
                .and_then(|white| Ok(any([white, elo(Column::BlackElo, 1)?]))),
            "mean_elo" => elo(Column::EloSum, 2),
            "plies" => elo(Column::Plies, 1),
            "year" => (|| {
                let first = bound(low, 0, |n| n + 1)?;
                let last = bound(high, 9999, |n| n.saturating_sub(1))?;
                Ok(self.within_dates(first * 10_000, last.min(9999) * 10_000 + 9999))
            })(),
            "date" => (|| {
                let day = |text: &str| {
                    DateSpan::parse(text).ok_or_else(|| format!("`{text}` is no date"))
                };
                let first = match low {
                    UserInputBound::Inclusive(text) => u64::from(day(text)?.first),
                    UserInputBound::Exclusive(text) => u64::from(day(text)?.end_of_range()) + 1,
                    UserInputBound::Unbounded => 0,
                };
                let last = match high {
                    UserInputBound::Inclusive(text) => u64::from(day(text)?.end_of_range()),
                    UserInputBound::Exclusive(text) => {
                        u64::from(day(text)?.first).saturating_sub(1)
                    }
                    UserInputBound::Unbounded => u64::MAX,
                };
                Ok(self.within_dates(first, last))
            })(),
            "eco" => match (low, high) {
                (UserInputBound::Inclusive(low), UserInputBound::Inclusive(high)) => {
                    self.eco_range(low, high, true)
                }
                _ => Err("eco ranges are written eco:[B20 TO B99]".to_owned()),
            },
            "id" => (|| {
                let first = bound(low, 0, |n| n + 1)?;
                let last = bound(high, u64::MAX, |n| n.saturating_sub(1))?;
                Ok(self.ids(first, last))
            })(),
            _ => return None,
        })
    }

    /// Games whose date, with all days that it can mean, lies within.
    fn within_dates(&self, first: u64, last: u64) -> Box<dyn Query> {
        Box::new(BooleanQuery::new(vec![
            (
                Occur::Must,
                self.column_range(Column::DateFirst, Bound::Included(first), Bound::Unbounded),
            ),
            (
                Occur::Must,
                self.column_range(Column::DateLast, Bound::Included(0), Bound::Included(last)),
            ),
        ]))
    }

    fn eco_range(&self, low: &str, high: &str, prefix: bool) -> FieldResult {
        let code = |text: &str, fill: &str| {
            let digits = if prefix {
                text.trim_end_matches('*')
            } else {
                text
            };
            let missing = 3usize.saturating_sub(digits.len());
            let whole = format!("{digits}{}", fill.repeat(if prefix { missing } else { 0 }));
            eco_number(&whole)
                .filter(|_| whole.len() == 3)
                .map(u64::from)
                .ok_or_else(|| format!("`{text}` is no ECO code: A00 to E99"))
        };
        Ok(self.column_range(
            Column::Eco,
            Bound::Included(code(low, "0")?),
            Bound::Included(code(high, "9")?),
        ))
    }

    fn ids(&self, first: u64, last: u64) -> Box<dyn Query> {
        let Some(first) = self.addresses().sequence_of(first) else {
            return Box::new(EmptyQuery);
        };
        let last = self.addresses().sequence_of(last).unwrap_or(u64::MAX);
        self.column_range(
            Column::Sequence,
            Bound::Included(first),
            Bound::Included(last),
        )
    }

    /// Games of sources whose name has these words next to each other, the last of which may go on with `prefix`; with
    /// `raw`, whose name is exactly this or begins so.
    pub(crate) fn sources(&self, text: &str, raw: bool, prefix: bool) -> FieldResult {
        let folded = fold(text).into_owned();
        let wanted: Vec<&str> = words(&folded).collect();
        if wanted.is_empty() && !raw {
            return Err(no_words(text));
        }
        let has_words = |name: &str| {
            let folded = fold(name).into_owned();
            let have: Vec<&str> = words(&folded).collect();
            have.windows(wanted.len()).any(|run| {
                let mut pairs = run.iter().zip(&wanted);
                let last = pairs.next_back();
                let ends = last.is_some_and(|(have, wanted)| {
                    have == wanted || prefix && have.starts_with(wanted)
                });
                ends && pairs.all(|(have, wanted)| have == wanted)
            })
        };
        let fits = |name: &str| match (raw, prefix) {
            (true, false) => name == text,
            (true, true) => name.starts_with(text),
            (false, _) => has_words(name),
        };
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        let mut first = 0;
        for source in &self.store().manifest().sources {
            let next = first + source.n_games();
            if next > first && fits(&source.name) {
                queries.push(self.ids(first, next - 1));
            }
            first = next;
        }
        Ok(any(queries))
    }
}

const FEN_IS_NO_TEXT: &str = "the FEN tag is not kept as text; fen: and board: find positions";

fn names_fen(tags: &[&str]) -> bool {
    tags.iter().any(|tag| tag.eq_ignore_ascii_case("FEN"))
}

/// What is wrong with a text that names no word.
fn no_words(text: &str) -> String {
    format!("`{text}` has no letter or digit to look for; FIELD.raw:\"…\" finds whole values")
}

/// Games that fit at least one of the queries.
pub(crate) fn any(queries: impl IntoIterator<Item = Box<dyn Query>>) -> Box<dyn Query> {
    let mut queries: Vec<Box<dyn Query>> = queries.into_iter().collect();
    match queries.len() {
        1 => queries.remove(0),
        0 => Box::new(EmptyQuery),
        _ => Box::new(BooleanQuery::union(queries)),
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number"))
}

fn number_bound(bound: &UserInputBound, scale: u64) -> Result<Bound<u64>, String> {
    let scaled = |text: &str| number(text).map(|n| n.saturating_mul(scale));
    Ok(match bound {
        UserInputBound::Inclusive(text) => Bound::Included(scaled(text)?),
        UserInputBound::Exclusive(text) => Bound::Excluded(scaled(text)?),
        UserInputBound::Unbounded => Bound::Unbounded,
    })
}

fn bound(bound: &UserInputBound, open: u64, inside: fn(u64) -> u64) -> Result<u64, String> {
    match bound {
        UserInputBound::Inclusive(text) => number(text),
        UserInputBound::Exclusive(text) => number(text).map(inside),
        UserInputBound::Unbounded => Ok(open),
    }
}

// A rating column holds what a tag can say, so that a range up to the highest rating is the whole column.
const _: () = assert!(MAX_RATING < 4096);
