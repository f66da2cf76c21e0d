//! In whose letters the games of a source are written, as far as its games tell.
//!
//! One game often fits several languages; a whole file seldom does. Games are counted by the languages that make them
//! whole, source by source, and languages are ranked by their games when all have come. Only games that were stopped at
//! foreign letters are looked at, so that an archive in English pays nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::index::SourceEntry;
use crate::model::diagnostic::Class;
use crate::notation::{self, Language, LanguageSet, Reading};
use crate::parse::RawGame;
use crate::parse::header::Header;
use crate::replay::{ends_unread, main_line, start_position};

/// The games of a source that stopped because they are in letters of another language.
///
/// ```json
/// {"source":"dutch.pgn","games":3,"of":3,"languages":[{"codes":["nl"],"games":3}],"alone":3}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForeignSource {
    /// The source.
    pub source: String,
    /// How many there are.
    pub games: u64,
    /// Of how many games that were read of this source.
    pub of: u64,
    /// In which languages they are whole, those first that make more games whole.
    pub languages: Vec<FittingLanguages>,
    /// How many of them are whole in one way only, whatever the others are.
    pub alone: u64,
}

/// Languages that read the games of a source alike, most spoken first, and how many of the games they make whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FittingLanguages {
    /// The languages.
    #[serde(rename = "codes", serialize_with = "codes")]
    pub languages: Vec<Language>,
    /// Games that they make whole.
    pub games: u64,
}

fn codes<S: serde::Serializer>(languages: &[Language], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(languages.iter().map(|l| l.code()))
}

/// The sets of languages that read a game alike, the most plausible one first; `None` if it did not stop at foreign
/// letters.
pub(super) fn languages_of(
    bytes: &[u8],
    raw: &RawGame,
    header: &Header,
    reading: Reading,
) -> Option<Vec<LanguageSet>> {
    let mut notes = raw.notes.iter();
    notes.find(|note| note.class == Class::ForeignLetters)?;
    if ends_unread(raw) {
        return Some(Vec::new());
    }
    let words = main_line(bytes, raw);
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let start = start_position(bytes, raw, header).ok()?;
    Some(notation::fitting_languages(&start.pos, &words, reading))
}

/// Games that were read in a language of their own.
///
/// ```json
/// {"language":"de","games":120}
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReadIn {
    /// The language; where a game is the same in several, the one that reads most games of its source.
    #[serde(serialize_with = "code")]
    pub language: Language,
    /// How many games.
    pub games: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out a reference"
)]
fn code<S: serde::Serializer>(language: &Language, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(language.code())
}

/// Games by source and by what they fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    stopped: BTreeMap<(usize, Vec<LanguageSet>), u64>,
    read: BTreeMap<(usize, LanguageSet), u64>,
}

impl Letters {
    /// Counts a game of a source of this import that was stopped and fits these languages.
    pub(super) fn count_stopped(&mut self, source_idx: usize, fits: Vec<LanguageSet>) {
        *self.stopped.entry((source_idx, fits)).or_default() += 1;
    }

    /// Counts a game that was read, the same in each of these languages.
    pub(super) fn count_read(&mut self, source_idx: usize, languages: LanguageSet) {
        *self.read.entry((source_idx, languages)).or_default() += 1;
    }

    /// Counts what another worker counted.
    pub(super) fn add(&mut self, other: Letters) {
        for (kind, n_games) in other.stopped {
            *self.stopped.entry(kind).or_default() += n_games;
        }
        for (kind, n_games) in other.read {
            *self.read.entry(kind).or_default() += n_games;
        }
    }

    /// How many games of the new sources were read in which language, most first.
    pub(super) fn read_in(&self, n_sources: usize) -> Vec<ReadIn> {
        let mut games: BTreeMap<Language, u64> = BTreeMap::new();
        for source_idx in 0..n_sources {
            let of_source = self.read.iter().filter(|((idx, _), _)| *idx == source_idx);
            let mut kinds: Vec<_> = of_source
                .map(|((_, set), &n)| (std::slice::from_ref(set), n))
                .collect();
            for fit in rank(&kinds) {
                let Some(&language) = fit.languages.first() else {
                    continue;
                };
                kinds.retain(|(fits, n)| {
                    let is_its = fits.iter().any(|set| set.contains(language));
                    if is_its {
                        *games.entry(language).or_default() += n;
                    }
                    !is_its
                });
            }
        }
        let mut read: Vec<ReadIn> = games
            .into_iter()
            .map(|(language, games)| ReadIn { language, games })
            .collect();
        read.sort_by_key(|read| (Reverse(read.games), read.language.rank()));
        read
    }

    /// What there is to say about the new sources.
    pub(super) fn foreign_sources(&self, new: &[SourceEntry]) -> Vec<ForeignSource> {
        let each = new.iter().enumerate().map(|(source_idx, entry)| {
            let of_source = self
                .stopped
                .iter()
                .filter(|((idx, _), _)| *idx == source_idx);
            let kinds: Vec<_> = of_source
                .map(|((_, fits), &n)| (fits.as_slice(), n))
                .collect();
            ForeignSource {
                source: entry.name.clone(),
                games: kinds.iter().map(|(_, n)| n).sum(),
                of: entry.n_games(),
                languages: rank(&kinds),
                alone: kinds
                    .iter()
                    .filter(|(fits, _)| fits.len() == 1)
                    .map(|(_, n)| n)
                    .sum(),
            }
        });
        each.filter(|source| source.games > 0).collect()
    }
}

/// The languages of a source, given its games by what they fit: first those that make most games whole, then those that
/// are plausible in more of them.
fn rank(kinds: &[(&[LanguageSet], u64)]) -> Vec<FittingLanguages> {
    // Languages that stand in the same set of each game are one answer.
    let mut classes: Vec<(Vec<Option<usize>>, LanguageSet)> = Vec::new();
    for language in Language::all() {
        let place = |fits: &[LanguageSet]| fits.iter().position(|set| set.contains(language));
        let places: Vec<_> = kinds.iter().map(|(fits, _)| place(fits)).collect();
        if places.iter().all(Option::is_none) {
            continue;
        }
        match classes.iter_mut().find(|(known, _)| *known == places) {
            Some((_, set)) => set.insert(language),
            None => {
                let mut set = LanguageSet::default();
                set.insert(language);
                classes.push((places, set));
            }
        }
    }
    let count = |places: &[Option<usize>], counts: fn(usize) -> bool| -> u64 {
        let games = places
            .iter()
            .zip(kinds)
            .filter(|(place, _)| place.is_some_and(counts));
        games.map(|(_, (_, n))| n).sum()
    };
    classes.sort_by_key(|(places, set)| {
        let (whole, first) = (count(places, |_| true), count(places, |place| place == 0));
        (
            Reverse(whole),
            Reverse(first),
            set.most_spoken().map(Language::rank),
        )
    });
    let answer = |(places, set): (Vec<Option<usize>>, LanguageSet)| FittingLanguages {
        languages: set.iter().collect(),
        games: count(&places, |_| true),
    };
    classes.into_iter().map(answer).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing test may panic")]
mod tests {
    use super::*;

    fn set(codes: &str) -> LanguageSet {
        let mut set = LanguageSet::default();
        for code in codes.split(' ') {
            set.insert(Language::from_code(code).unwrap());
        }
        set
    }

    /// Games as `sets/sets`, and what comes of them.
    fn check(kinds: &[(&[&str], u64)], want: &str) {
        let kinds: Vec<(Vec<LanguageSet>, u64)> = kinds
            .iter()
            .map(|&(fits, n)| (fits.iter().map(|codes| set(codes)).collect(), n))
            .collect();
        let kinds: Vec<_> = kinds
            .iter()
            .map(|(fits, n)| (fits.as_slice(), *n))
            .collect();
        let ranked = rank(&kinds).into_iter().map(|fit| {
            let codes: Vec<_> = fit.languages.iter().map(|l| l.code()).collect();
            format!("{}:{}", codes.join(" "), fit.games)
        });
        assert_eq!(ranked.collect::<Vec<_>>().join(", "), want);
    }

    #[test]
    fn what_makes_more_games_whole_comes_first() {
        check(&[(&["de da sv"], 3)], "de sv da:3");
        // By itself the second game says less than the first.
        check(&[(&["nl"], 2), (&["fi hr", "nl"], 1)], "nl:3, fi hr:1");
        check(&[(&["nl", "fi"], 1), (&[], 4)], "nl:1, fi:1");
        check(&[(&["de"], 1), (&["nl"], 1)], "de:1, nl:1");
        check(&[(&[], 4)], "");
    }

    #[test]
    fn a_game_that_several_languages_read_alike_counts_for_that_of_its_source() {
        let mut letters = Letters::default();
        for (source_idx, codes, n) in [(0, "de nl", 2), (0, "nl", 3), (1, "de nl", 1)] {
            for _ in 0..n {
                letters.count_read(source_idx, set(codes));
            }
        }
        let read = letters.read_in(2).into_iter();
        let read: Vec<_> = read
            .map(|read| (read.language.code(), read.games))
            .collect();
        assert_eq!(read, [("nl", 5), ("de", 1)]);
    }
}
