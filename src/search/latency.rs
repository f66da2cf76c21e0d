//! How long a position takes to answer, by how often it occurs: what `pgndex bench` prints.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::model::playable::{Playable, start_of};
use crate::model::variant::Variant;
use crate::search::Searcher;
use crate::search::position::LineScope;

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

/// Hits that are asked for besides the count.
const HITS: usize = 10;

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
            .map(|(class, mut times)| {
                times.sort_unstable();
                let at = |share: f64| {
                    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
                };
                Latency {
                    class: CLASSES[class].0,
                    n: times.len(),
                    p50_us: at(0.5),
                    p99_us: at(0.99),
                }
            })
            .collect())
    }
}

/// Names of the classes and the least number of games of each.
const CLASSES: [(&str, u64); 5] = [
    ("absent", 0),
    ("1 game", 1),
    ("2 to 99 games", 2),
    ("100 to 9999 games", 100),
    ("10000 games and more", 10_000),
];
