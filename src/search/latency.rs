//! How long answers take, positions by how often they occur and a few questions of other kinds: what `pgndex bench` prints.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::model::playable::{Playable, start_of};
use crate::model::variant::Variant;
use crate::notation::Reading;
use crate::search::position::LineScope;
use crate::search::{Searcher, Selection, Wishes};

/// Positions of one frequency class, and how long they took.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Latency {
    /// The class: how many games reached the position.
    pub class: &'static str,
    /// Positions asked for.
    pub n: usize,
    /// Median, microseconds.
    pub p50_us: f64,
    /// 99th percentile, microseconds.
    pub p99_us: f64,
}

/// A question, and how long its answer took.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Question {
    /// The question.
    pub question: &'static str,
    /// Games in the answer.
    pub games: u64,
    /// Times it was asked.
    pub n: usize,
    /// Median, microseconds.
    pub p50_us: f64,
    /// 99th percentile, microseconds.
    pub p99_us: f64,
}

/// Hits that are asked for besides the count.
const HITS: usize = 10;

/// What `time_questions` asks besides statistics, with the queries: sequences of frequent moves and of rare ones.
const QUERIES: [(&str, &str); 3] = [
    ("moves in sequence: Nf3 Nc6 Bb5", "moves:\"Nf3 Nc6 Bb5\""),
    (
        "moves in sequence: Bxh7+ Kxh7 Ng5+",
        "moves:\"Bxh7+ Kxh7 Ng5+\"",
    ),
    ("a word of a name: carlsen", "carlsen"),
];

impl Searcher {
    /// Asks for about `n` positions drawn from the index, each for its count and its first hits, and times the answers.
    /// The same index is asked the same questions.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn time_positions(&self, n: usize) -> Result<Vec<Latency>> {
        let mut times: BTreeMap<usize, Vec<Duration>> = BTreeMap::new();
        let mut positions = vec![start_of(Variant::Standard)];
        // A multiplicative generator is random enough to spread over games and plies, and repeats itself.
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        let mut draw = |below: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below.max(1)
        };
        for _ in 0..n {
            let segment = draw(self.views.len());
            let Some(view) = self.views.get(segment) else {
                break;
            };
            let game = self.stored(segment, draw(view.reader.max_doc() as usize) as u32)?;
            let played = &game.score().positions;
            // Half of the draws are from the first plies, where positions are shared.
            let ply = if draw(2) == 0 {
                draw(played.len().min(16))
            } else {
                draw(played.len())
            };
            let Some(pos) = played.get(ply).filter(|pos| pos.as_chess().is_some()) else {
                continue;
            };
            positions.push(pos.clone());
            positions.extend(pos.passed().filter(|_| draw(8) == 0));
        }
        for pos in positions {
            let sought = vec![(Variant::Standard, pos)];
            let started = Instant::now();
            let count = self.count_position(&sought, LineScope::Main)?;
            self.first_hits(&sought, LineScope::Main, HITS)?;
            let elapsed = started.elapsed();
            let class = CLASSES
                .iter()
                .rposition(|&(_, least)| count.games >= least)
                .unwrap_or(0);
            times.entry(class).or_default().push(elapsed);
        }
        Ok(times
            .into_iter()
            .map(|(class, times)| {
                let n = times.len();
                let [p50_us, p99_us] = percentiles(times);
                Latency {
                    class: CLASSES[class].0,
                    n,
                    p50_us,
                    p99_us,
                }
            })
            .collect())
    }

    /// Asks each of a few questions `n` times and times the answers: statistics of the start position, of all games and of
    /// those of the higher rated, and searches for moves in sequence and for a name.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn time_questions(&self, n: usize) -> Result<Vec<Question>> {
        let statistics = |selection: Selection| {
            let start = start_of(Variant::Standard);
            let wishes = Wishes {
                n_top: HITS,
                ..Wishes::default()
            };
            let answer = self.continuations(&start, Variant::Standard, &selection, wishes)?;
            Ok(answer.results.games())
        };
        let selected = Selection {
            ratings: Some(vec![2400..=4000]),
            since: Some(20_000_101),
            ..Selection::default()
        };
        let mut asked = vec![
            time("statistics of the start position", n, || {
                statistics(Selection::default())
            })?,
            time("the same, rated 2400 or more, since 2000", n, || {
                statistics(selected.clone())
            })?,
        ];
        for (question, query) in QUERIES {
            asked.push(time(question, n, || {
                Ok(self.count(query, Reading::default())?.0.games)
            })?);
        }
        Ok(asked)
    }
}

/// Asks a question so many times.
fn time(
    question: &'static str,
    n: usize,
    mut ask: impl FnMut() -> Result<u64>,
) -> Result<Question> {
    let (mut times, mut games) = (Vec::new(), 0);
    for _ in 0..n.max(1) {
        let started = Instant::now();
        games = ask()?;
        times.push(started.elapsed());
    }
    let n = times.len();
    let [p50_us, p99_us] = percentiles(times);
    Ok(Question {
        question,
        games,
        n,
        p50_us,
        p99_us,
    })
}

/// Median and 99th percentile of at least one time, in microseconds.
fn percentiles(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    [0.5, 0.99].map(|share| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6)
}

/// Names of the classes and the least number of games of each.
const CLASSES: [(&str, u64); 5] = [
    ("absent", 0),
    ("1 game", 1),
    ("2 to 99 games", 2),
    ("100 to 9999 games", 100),
    ("10000 games and more", 10_000),
];
