//! Which games count.

use tantivy::columnar::Column as FastColumn;

use crate::error::Result;
use crate::index::schema::Column;
use crate::index::{DocId, Facts, GameFacts, SegmentView};
use crate::model::game_result::GameResult;
use crate::model::speed::Speed;
use crate::search::continuations::Selection;

/// Says whether a game counts.
pub(super) struct Judge<'a> {
    selection: &'a Selection,
    facts: Facts<'a>,
    speed: Option<FastColumn<u64>>,
    dates: Option<[FastColumn<u64>; 2]>,
    since_year: u32,
    until_year: u32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        view: &'a SegmentView,
        selection: &'a Selection,
        history: bool,
    ) -> Result<Judge<'a>> {
        let is_dated = history || selection.since.is_some() || selection.until.is_some();
        let column = |column| view.column(column);
        Ok(Judge {
            selection,
            facts: view.facts()?,
            speed: selection
                .speeds
                .as_ref()
                .map(|_| column(Column::Speed))
                .transpose()?,
            dates: if is_dated {
                Some([column(Column::DateFirst)?, column(Column::DateLast)?])
            } else {
                None
            },
            since_year: selection.since.map_or(0, |day| day / 10_000),
            until_year: selection.until.map_or(u32::MAX, |day| day / 10_000),
        })
    }

    /// The facts of a game that counts.
    pub(super) fn admit(&self, doc: DocId) -> Option<GameFacts> {
        let facts = self.facts.get(doc);
        if facts.result == GameResult::Unknown {
            return None;
        }
        if let Some(ratings) = &self.selection.ratings {
            let mean = u16::midpoint(facts.white_elo, facts.black_elo);
            let is_rated = facts.white_elo > 0 && facts.black_elo > 0;
            if !is_rated || !ratings.iter().any(|range| range.contains(&mean)) {
                return None;
            }
        }
        if self.selection.since.is_some() || self.selection.until.is_some() {
            // Only in the first and the last year of the range the day has to be looked at.
            let year = u32::from(facts.year);
            if year == 0 || year < self.since_year || year > self.until_year {
                return None;
            }
            if year == self.since_year || year == self.until_year {
                let (first, last) = self.days(doc)?;
                if self.selection.since.is_some_and(|since| first < since)
                    || self.selection.until.is_some_and(|until| last > until)
                {
                    return None;
                }
            }
        }
        if let (Some(speeds), Some(column)) = (&self.selection.speeds, &self.speed) {
            let speed = column
                .first(doc)
                .and_then(|code| Speed::ALL.get(code as usize));
            if !speed.is_some_and(|speed| speeds.contains(speed)) {
                return None;
            }
        }
        Some(facts)
    }

    /// First and last day that the date of a game can mean.
    fn days(&self, doc: DocId) -> Option<(u32, u32)> {
        let [first, last] = self.dates.as_ref()?;
        Some((first.first(doc)? as u32, last.first(doc)? as u32))
    }

    /// The month of a game, YYYYMM.
    pub(super) fn month(&self, doc: DocId) -> Option<u32> {
        let (first, last) = self.days(doc)?;
        (first / 100 == last / 100).then_some(first / 100)
    }
}
