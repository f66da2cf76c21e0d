//! Hits: which games match, at which plies, in which order, and how many.

use std::cmp::Reverse;
use std::str::FromStr;

use serde::Serialize;
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocSet, TERMINATED};

use crate::error::Result;
use crate::index::schema::Column;
use crate::index::writer::eco_text;
use crate::index::{Aggregate, DocId, sum_up};
use crate::model::game_result::GameResult;
use crate::notation::{OutputNotation, Reading};
use crate::search::chess::{Sought, match_positions, wanted};
use crate::search::compile::{Plan, compile, plan};
use crate::search::matches::{Matches, Place};
use crate::search::position::{LineScope, Wanted, find};
use crate::search::{Searcher, StoredGame};

/// How many games are gathered between two looks at the clock.
const CLOCK_EVERY: usize = 4096;

/// How many games match a query, and how they ended.
///
/// ```json
/// {"games":3,"occurrences":4,"white":1,"draws":1,"black":1,"unknown":0}
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HitCount {
    /// Games; each counts once.
    pub games: u64,
    /// Hits: a game counts at each ply at which it matches.
    pub occurrences: u64,
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games without a known result.
    pub unknown: u64,
}

impl HitCount {
    fn add(&mut self, sums: Aggregate) {
        self.games += sums.games;
        self.white += sums.white;
        self.draws += sums.draws;
        self.black += sums.black;
        self.unknown += sums.unknown();
    }

    fn add_game(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            GameResult::Unknown => self.unknown += 1,
        }
    }
}

/// One search result: a game, and where in it.
///
/// ```json
/// {"id":12,"source":"club.pgn","game":12,"ply":5,"fen":"r1bqkbnr/…","white":"Greco","black":"NN","white_elo":null,
///  "black_elo":null,"result":"1-0","date":"1620.??.??","event":"London","eco":"C41","plies":15}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// Number of the game in the index.
    pub id: u64,
    /// Its source.
    pub source: String,
    /// Number in its source, from 0.
    pub game: u64,
    /// Where a chess clause matched: the ply that was reached. None when only header clauses matched.
    pub ply: Option<u32>,
    /// In a variation, the ply of the main line at which it, or the variation that it is part of, leaves the main line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_ply: Option<u32>,
    /// The position there.
    pub fen: Option<String>,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The result.
    pub result: &'static str,
    /// The Date tag.
    pub date: String,
    /// The Event tag.
    pub event: String,
    /// The ECO code.
    pub eco: Option<String>,
    /// Plies of the main line.
    pub plies: u32,
    /// The move that led there, with its number, when a notation was asked for.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
}

/// What hits can be sorted by, besides the order of import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// Order of import.
    Id,
    /// First day of the date.
    Date,
    /// White's rating.
    WhiteElo,
    /// Black's rating.
    BlackElo,
    /// Mean rating.
    MeanElo,
    /// Length.
    Plies,
    /// ECO code.
    Eco,
}

/// A sort key and its direction. Games without a value come last either way; equal ones stay in the order of import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortOrder {
    /// What to compare.
    pub key: SortKey,
    /// Highest first.
    pub descending: bool,
}

impl FromStr for SortOrder {
    type Err = String;

    /// Reads `date` or `-date`.
    fn from_str(text: &str) -> Result<SortOrder, String> {
        let (descending, name) = text
            .strip_prefix('-')
            .map_or((false, text), |name| (true, name));
        let key = match name {
            "id" => SortKey::Id,
            "date" | "year" => SortKey::Date,
            "white_elo" => SortKey::WhiteElo,
            "black_elo" => SortKey::BlackElo,
            "elo" | "mean_elo" => SortKey::MeanElo,
            "plies" => SortKey::Plies,
            "eco" => SortKey::Eco,
            _ => {
                return Err(format!(
                    "`{name}` is no sort key: id date white_elo black_elo mean_elo plies eco"
                ));
            }
        };
        Ok(SortOrder { key, descending })
    }
}

impl SortKey {
    fn column(self) -> Column {
        match self {
            SortKey::Id => Column::Sequence,
            SortKey::Date => Column::DateFirst,
            SortKey::WhiteElo => Column::WhiteElo,
            SortKey::BlackElo => Column::BlackElo,
            SortKey::MeanElo => Column::EloSum,
            SortKey::Plies => Column::Plies,
            SortKey::Eco => Column::Eco,
        }
    }
}

/// Where a hit is: segment, game, and place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HitAt {
    pub(crate) segment: usize,
    pub(crate) doc: DocId,
    pub(crate) place: Option<Place>,
}

/// The hits of a query, in order; their games are read one by one.
#[derive(Debug)]
pub struct HitList<'a> {
    searcher: &'a Searcher,
    hits: std::vec::IntoIter<HitAt>,
    last: Option<(usize, DocId, StoredGame)>,
    /// How ambiguous piece letters in the query were read.
    pub notes: Vec<String>,
    /// The notation in which hits show the move that led to them; none to leave it out.
    pub notation: Option<OutputNotation>,
}

impl Searcher {
    /// Counts what matches a query.
    ///
    /// # Errors
    ///
    /// When the query cannot be read, or the index is damaged.
    pub fn count(&self, query: &str, reading: Reading) -> Result<(HitCount, Vec<String>)> {
        match plan(query, reading)? {
            Plan::Position(sought, scope) => {
                Ok((self.count_position(&sought, scope.lines)?, Vec::new()))
            }
            Plan::Everything(_) if query.trim().is_empty() => self.count_general("*", reading),
            _ => self.count_general(query, reading),
        }
    }

    fn count_general(&self, query: &str, reading: Reading) -> Result<(HitCount, Vec<String>)> {
        let (ast, _) = crate::search::compile::parse(query);
        let compiled = compile(self, query, &ast, reading)?;
        let docs = self.matching(&*compiled.query)?;
        let count = self.count_matching(&docs, compiled.places.as_ref())?;
        Ok((count, compiled.notes))
    }

    fn count_matching(&self, docs: &[Vec<DocId>], places: Option<&Matches>) -> Result<HitCount> {
        let mut count = HitCount::default();
        for (segment, docs) in docs.iter().enumerate() {
            let facts = self.views[segment].facts()?;
            let places = places.map(|places| &places.segments[segment][..]);
            for_each_place(docs, places, |_, n| {
                count.occurrences += n.len().max(1) as u64;
            });
            for &doc in docs {
                count.add_game(facts.get(doc).result);
            }
        }
        Ok(count)
    }

    /// A position is counted from its lists; the sums of long ones stand ready.
    pub(crate) fn count_position(&self, sought: &Sought, lines: LineScope) -> Result<HitCount> {
        let mut count = HitCount::default();
        if lines == LineScope::All {
            // A game may match in its main line and in a variation, and counts once.
            let matches = match_positions(self, sought, lines)?;
            for (view, segment) in self.views.iter().zip(&matches.segments) {
                count.occurrences += segment.len() as u64;
                let facts = view.facts()?;
                for game in segment.chunk_by(|a, b| a.0 == b.0) {
                    count.add_game(facts.get(game[0].0).result);
                }
            }
            return Ok(count);
        }
        for wanted in sought.iter().flat_map(|sought| wanted(sought, lines)) {
            for (segment, view) in self.views.iter().enumerate() {
                let found = find(self, segment, &wanted)?;
                let facts = view.facts()?;
                let mut rest = found.sparse;
                if let Some(list) = &found.dense {
                    match list.sums().filter(|_| !view.reader.has_deletes()) {
                        Some(sums) => {
                            count.add(sums.total);
                            count.occurrences += list.n_postings() as u64;
                        }
                        None => {
                            rest.extend(list.postings().filter(|p| view.is_alive(p.doc)));
                            rest.sort_by_key(|p| (p.doc, p.ply));
                        }
                    }
                }
                count.occurrences += rest.len() as u64;
                let (total, _) = sum_up(rest.into_iter().map(|p| (p, facts.get(p.doc))));
                count.add(total);
            }
        }
        Ok(count)
    }

    /// The hits of a query from number `offset` on, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the query cannot be read, or the index is damaged.
    pub fn hits(
        &self,
        query: &str,
        reading: Reading,
        sort: SortOrder,
        offset: usize,
        limit: usize,
    ) -> Result<HitList<'_>> {
        let plan = plan(query, reading)?;
        if let (
            Plan::Position(sought, scope),
            SortOrder {
                key: SortKey::Id,
                descending: false,
            },
        ) = (&plan, sort)
            && let Some(hits) =
                self.first_hits(sought, scope.lines, offset.saturating_add(limit))?
        {
            return Ok(self.list(hits, offset, limit, Vec::new()));
        }
        let query = if query.trim().is_empty() { "*" } else { query };
        let (ast, _) = crate::search::compile::parse(query);
        let compiled = compile(self, query, &ast, reading)?;
        let docs = self.matching(&*compiled.query)?;
        let hits = self.sorted(docs, compiled.places.as_ref(), sort)?;
        Ok(self.list(hits, offset, limit, compiled.notes))
    }

    pub(crate) fn list(
        &self,
        hits: Vec<HitAt>,
        offset: usize,
        limit: usize,
        notes: Vec<String>,
    ) -> HitList<'_> {
        let hits: Vec<HitAt> = hits.into_iter().skip(offset).take(limit).collect();
        HitList {
            searcher: self,
            hits: hits.into_iter(),
            last: None,
            notes,
            notation: None,
        }
    }

    /// The first hits of a position in the order of import, without reading whole lists: within a run of games that
    /// were imported in order, the first postings are the first hits. `None` when the scope is not one list.
    pub(crate) fn first_hits(
        &self,
        sought: &Sought,
        lines: LineScope,
        n: usize,
    ) -> Result<Option<Vec<HitAt>>> {
        let all: Vec<Wanted> = sought.iter().flat_map(|s| wanted(s, lines)).collect();
        let [wanted] = &all[..] else {
            return Ok(None);
        };
        let mut hits: Vec<(u64, HitAt)> = Vec::new();
        for (segment, view) in self.views.iter().enumerate() {
            let found = find(self, segment, wanted)?;
            let sequences = view.sequences()?;
            let mut push = |doc: DocId, ply: u16| {
                let at = HitAt {
                    segment,
                    doc,
                    place: Some(Place::from(ply)),
                };
                hits.push((sequences.get(doc), at));
            };
            for posting in &found.sparse {
                push(posting.doc, posting.ply);
            }
            let Some(list) = &found.dense else { continue };
            for run in view.runs()? {
                let postings = list
                    .postings_from(run.start)
                    .take_while(|p| p.doc < run.end);
                for posting in postings.filter(|p| view.is_alive(p.doc)).take(n) {
                    push(posting.doc, posting.ply);
                }
            }
        }
        hits.sort_by_key(|(sequence, at)| (*sequence, at.place));
        hits.truncate(n);
        Ok(Some(hits.into_iter().map(|(_, at)| at).collect()))
    }

    /// The hits of a query from number `offset` on, at most `limit`, and the counts of all of them.
    ///
    /// # Errors
    ///
    /// When the query cannot be read, or the index is damaged.
    pub fn page(
        &self,
        query: &str,
        reading: Reading,
        sort: SortOrder,
        offset: usize,
        limit: usize,
    ) -> Result<(HitCount, HitList<'_>)> {
        if let Plan::Position(..) = plan(query, reading)? {
            let (count, _) = self.count(query, reading)?;
            return Ok((count, self.hits(query, reading, sort, offset, limit)?));
        }
        let query = if query.trim().is_empty() { "*" } else { query };
        let (ast, _) = crate::search::compile::parse(query);
        let compiled = compile(self, query, &ast, reading)?;
        let docs = self.matching(&*compiled.query)?;
        let places = compiled.places.as_ref();
        let count = self.count_matching(&docs, places)?;
        let hits = self.sorted(docs, places, sort)?;
        Ok((count, self.list(hits, offset, limit, compiled.notes)))
    }

    /// The games of a query, segment by segment, ascending.
    pub(crate) fn games_of(&self, query: &str, reading: Reading) -> Result<Vec<Vec<DocId>>> {
        plan(query, reading)?;
        let query = if query.trim().is_empty() { "*" } else { query };
        let (ast, _) = crate::search::compile::parse(query);
        self.matching(&*compile(self, query, &ast, reading)?.query)
    }

    /// Games that match, segment by segment, ascending.
    pub(crate) fn matching(&self, query: &dyn Query) -> Result<Vec<Vec<DocId>>> {
        let searcher = self.tantivy();
        let weight = query
            .weight(EnableScoring::disabled_from_searcher(searcher))
            .map_err(|e| self.search_error(e))?;
        let mut segments = Vec::new();
        for view in self.views.iter() {
            let mut scorer = weight
                .scorer(&view.reader, 1.0)
                .map_err(|e| self.search_error(e))?;
            let mut docs = Vec::new();
            let mut doc = scorer.doc();
            while doc != TERMINATED {
                if view.is_alive(doc) {
                    docs.push(doc);
                    if docs.len().is_multiple_of(CLOCK_EVERY) {
                        self.check_time()?;
                    }
                }
                doc = scorer.advance();
            }
            segments.push(docs);
        }
        Ok(segments)
    }

    fn sorted(
        &self,
        docs: Vec<Vec<DocId>>,
        places: Option<&Matches>,
        sort: SortOrder,
    ) -> Result<Vec<HitAt>> {
        let mut hits = Vec::new();
        for (segment, docs) in docs.into_iter().enumerate() {
            self.check_time()?;
            let view = &self.views[segment];
            let sequences = view.sequences()?;
            let keys = view.column(sort.key.column())?;
            let places = places.map(|places| &places.segments[segment][..]);
            for_each_place(&docs, places, |doc, of_game| {
                let sequence = sequences.get(doc);
                let key = keys.first(doc);
                let key = (
                    key.is_none(),
                    if sort.descending {
                        Err(Reverse(key))
                    } else {
                        Ok(key)
                    },
                );
                let mut push = |place| {
                    hits.push((
                        key,
                        sequence,
                        HitAt {
                            segment,
                            doc,
                            place,
                        },
                    ));
                };
                if of_game.is_empty() {
                    push(None);
                }
                for &(_, place) in of_game {
                    push(Some(place));
                }
            });
        }
        hits.sort_by_key(|(key, sequence, at)| (*key, *sequence, at.place));
        Ok(hits.into_iter().map(|(_, _, at)| at).collect())
    }
}

/// Calls `visit` with each game and its places.
fn for_each_place(
    docs: &[DocId],
    places: Option<&[(DocId, Place)]>,
    mut visit: impl FnMut(DocId, &[(DocId, Place)]),
) {
    let mut rest = places.unwrap_or_default();
    for &doc in docs {
        rest = &rest[rest.partition_point(|&(other, _)| other < doc)..];
        let (of_game, after) =
            rest.split_at(rest.iter().take_while(|&&(other, _)| other == doc).count());
        visit(doc, of_game);
        rest = after;
    }
}

impl HitList<'_> {
    /// Number of hits that are left.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Whether no hit is left.
    pub fn is_empty(&self) -> bool {
        self.hits.len() == 0
    }

    /// The next game among the hits, each once when its hits follow each other.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn next_game(&mut self) -> Result<Option<&StoredGame>> {
        let previous = self.last.as_ref().map(|(segment, doc, _)| (*segment, *doc));
        while let Some(at) = self.hits.next() {
            if previous != Some((at.segment, at.doc)) {
                return self.load(at).map(Some);
            }
        }
        Ok(None)
    }

    fn load(&mut self, at: HitAt) -> Result<&StoredGame> {
        self.searcher.check_time()?;
        if self
            .last
            .as_ref()
            .is_none_or(|(segment, doc, _)| (*segment, *doc) != (at.segment, at.doc))
        {
            self.last = Some((
                at.segment,
                at.doc,
                self.searcher.stored(at.segment, at.doc)?,
            ));
        }
        match &self.last {
            Some((_, _, game)) => Ok(game),
            None => Err(self.searcher.views[at.segment].damaged("a game vanished".to_owned())),
        }
    }
}

impl Iterator for HitList<'_> {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        let at = self.hits.next()?;
        let notation = self.notation;
        Some(self.load(at).map(|game| hit(game, at.place, notation)))
    }
}

/// A hit in a stored game.
pub(crate) fn hit(
    game: &StoredGame,
    place: Option<Place>,
    notation: Option<OutputNotation>,
) -> Hit {
    let at = place.and_then(|place| game.moment(place, notation));
    let header = game.header();
    let eco = game
        .tag("ECO")
        .and_then(|eco| crate::index::writer::eco_number(&eco))
        .map(eco_text);
    Hit {
        id: game.address().id,
        source: game.source().to_owned(),
        game: game.address().game,
        ply: at.as_ref().map(|at| at.ply),
        branch_ply: at.as_ref().and_then(|at| at.branch_ply),
        white: game.tag("White").unwrap_or_default(),
        black: game.tag("Black").unwrap_or_default(),
        white_elo: header.white_elo,
        black_elo: header.black_elo,
        result: header.result.as_str(),
        date: game.tag("Date").unwrap_or_default(),
        event: game.tag("Event").unwrap_or_default(),
        eco,
        plies: game.replayed().plies,
        played: at.as_ref().and_then(|at| at.played.clone()),
        fen: at.map(|at| at.fen),
    }
}
