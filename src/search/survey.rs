//! What the games of a query are like: how many by year, by rating and by source. What charts are drawn from.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::index::Aggregate;
use crate::notation::Reading;
use crate::search::Searcher;

/// Width of a group of ratings.
const RATING_STEP: u64 = 100;

/// Counts of the games of a query.
///
/// ```json
/// {"games":3,"plies":240,"by_year":[{"year":1999,"games":2,"white":1,"draws":0,"black":1,"unknown":0}],"undated":1,
///  "by_rating":[{"from":2700,"to":2799,"games":2,"white":1,"draws":0,"black":1,"unknown":0}],"unrated":1,
///  "sources":[{"name":"club.pgn","games":3}]}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Games.
    pub games: u64,
    /// Plies of their main lines.
    pub plies: u64,
    /// By year, ascending; years without games are left out.
    pub by_year: Vec<YearCount>,
    /// Games of no known year.
    pub undated: u64,
    /// By mean rating, ascending; groups without games are left out.
    pub by_rating: Vec<RatingCount>,
    /// Games in which a rating is missing.
    pub unrated: u64,
    /// Sources with games among them, most games first.
    pub sources: Vec<SourceCount>,
}

/// The games of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct YearCount {
    /// The year.
    pub year: u64,
    /// Its games.
    #[serde(flatten)]
    pub results: ResultCount,
}

/// The games of some mean ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RatingCount {
    /// Lowest of these ratings.
    pub from: u64,
    /// Highest of them.
    pub to: u64,
    /// Their games.
    #[serde(flatten)]
    pub results: ResultCount,
}

/// The games of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceCount {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
}

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ResultCount {
    /// Games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without a known result.
    pub unknown: u64,
}

impl From<Aggregate> for ResultCount {
    fn from(sums: Aggregate) -> ResultCount {
        ResultCount {
            games: sums.games,
            white: sums.white,
            draws: sums.draws,
            black: sums.black,
            unknown: sums.unknown(),
        }
    }
}

impl Searcher {
    /// Counts the games of a query by year, rating and source; also says how ambiguous letters were read.
    ///
    /// # Errors
    ///
    /// When the query cannot be read, or the index is damaged.
    pub fn survey(&self, query: &str, reading: Reading) -> Result<Survey> {
        let mut survey = Survey::default();
        let mut years: BTreeMap<u16, Aggregate> = BTreeMap::new();
        let mut ratings: BTreeMap<u64, Aggregate> = BTreeMap::new();
        let mut sources = vec![0; self.store().manifest().sources.len()];
        for (segment, docs) in self.games_of(query, reading)?.into_iter().enumerate() {
            let (facts, sequences) = (
                self.views[segment].facts()?,
                self.views[segment].sequences()?,
            );
            for doc in docs {
                let game = facts.get(doc);
                survey.games += 1;
                survey.plies += u64::from(game.n_plies);
                match game.year {
                    0 => survey.undated += 1,
                    year => years.entry(year).or_default().add(game.result),
                }
                if game.white_elo == 0 || game.black_elo == 0 {
                    survey.unrated += 1;
                } else {
                    let mean = u64::from(u16::midpoint(game.white_elo, game.black_elo));
                    ratings
                        .entry(mean / RATING_STEP)
                        .or_default()
                        .add(game.result);
                }
                let address = self.addresses().get(sequences.get(doc));
                if let Some(n) = address.and_then(|address| sources.get_mut(address.source)) {
                    *n += 1;
                }
            }
        }
        survey.by_year = years
            .into_iter()
            .map(|(year, sums)| YearCount {
                year: u64::from(year),
                results: sums.into(),
            })
            .collect();
        survey.by_rating = ratings
            .into_iter()
            .map(|(group, sums)| RatingCount {
                from: group * RATING_STEP,
                to: group * RATING_STEP + RATING_STEP - 1,
                results: sums.into(),
            })
            .collect();
        survey.sources = self
            .store()
            .manifest()
            .sources
            .iter()
            .zip(sources)
            .filter(|(_, games)| *games > 0)
            .map(|(source, games)| SourceCount {
                name: source.name.clone(),
                games,
            })
            .collect();
        survey
            .sources
            .sort_by_key(|source| std::cmp::Reverse(source.games));
        Ok(survey)
    }
}
