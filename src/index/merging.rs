//! Which segments are merged, so that their number stays small, none outgrows what a segment can hold, and the space of
//! removed games comes back.
//!
//! tantivy's policy merges segments of like size, all that there are of one size at once: a single import can leave
//! hundreds. Here they are merged in portions. And its policy leaves large segments alone for good, also those that have
//! lost most of their games; here they are written anew like all others.

use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{LogMergePolicy, MergeCandidate, MergePolicy};

/// A segment that a merge made holds at most this many games, so that its plies can be numbered in 32 bits.
pub(super) const MAX_MERGED_GAMES: usize = 20_000_000;
/// A larger segment is not merged with others: it is what a worker of an import fills with a gigabyte. A merge takes about half
/// as long as importing the same games, and a question to a segment some microseconds, so that merges are for the many small
/// segments of weekly imports, and a large archive is imported as fast as a small one.
const MOST_GAMES_OF_PART: usize = 400_000;
/// A segment that has lost more than this share of its games is written anew without them. Until then removed games
/// cost their space, and lists of positions in their segment are added up where sums stood ready.
const MOST_REMOVED: f32 = 0.1;

/// The policy.
#[derive(Debug)]
pub(super) struct Merging {
    by_size: LogMergePolicy,
    most_games: usize,
}

impl Merging {
    pub(super) fn new() -> Merging {
        Merging::up_to(MAX_MERGED_GAMES)
    }

    /// The same for another greatest size.
    fn up_to(most_games: usize) -> Merging {
        let mut by_size = LogMergePolicy::default();
        by_size.set_max_docs_before_merge(MOST_GAMES_OF_PART.min(most_games / 8));
        by_size.set_del_docs_ratio_before_merge(MOST_REMOVED);
        Merging {
            by_size,
            most_games,
        }
    }
}

impl MergePolicy for Merging {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        let mut portions: Vec<Vec<SegmentId>> = Vec::new();
        for level in self.by_size.compute_merge_candidates(segments) {
            let mut n_games = self.most_games;
            for id in level.0 {
                let segment = segments.iter().find(|segment| segment.id() == id);
                let games = segment.map_or(0, |segment| segment.num_docs() as usize);
                n_games += games;
                match portions.last_mut() {
                    Some(portion) if n_games <= self.most_games => portion.push(id),
                    _ => {
                        n_games = games;
                        portions.push(vec![id]);
                    }
                }
            }
        }
        // What is left over from portions is no merge.
        portions.retain(|portion| portion.len() > 1);
        for segment in segments.iter().filter(|segment| has_lost_many(segment)) {
            if !portions.iter().flatten().any(|id| *id == segment.id()) {
                portions.push(vec![segment.id()]);
            }
        }
        portions.into_iter().map(MergeCandidate).collect()
    }
}

fn has_lost_many(segment: &SegmentMeta) -> bool {
    segment.num_deleted_docs() as f32 > segment.max_doc() as f32 * MOST_REMOVED
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::Index;
    use tantivy::schema::Schema;

    /// The games of the segments that are merged, given the games of all and how many of them were removed.
    fn merged(most_games: usize, segments: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let index = Index::create_in_ram(Schema::builder().build());
        let segments: Vec<SegmentMeta> = segments
            .iter()
            .map(|&(n_games, n_removed)| {
                let meta = index.new_segment_meta(SegmentId::generate_random(), n_games);
                meta.with_delete_meta(n_removed, 1)
            })
            .collect();
        let candidates = Merging::up_to(most_games).compute_merge_candidates(&segments);
        let games = |id: &SegmentId| {
            let segment = segments.iter().find(|segment| segment.id() == *id);
            segment.map_or(0, SegmentMeta::max_doc)
        };
        let games = |candidate: &MergeCandidate| candidate.0.iter().map(games).collect();
        candidates.iter().map(games).collect()
    }

    #[test]
    fn few_segments_of_like_size_are_left_alone_and_eight_are_merged() {
        assert!(merged(1_000_000, &[(20_000, 0); 7]).is_empty());
        assert_eq!(merged(1_000_000, &[(20_000, 0); 8]), [vec![20_000; 8]]);
    }

    // Merging what eight gigabytes of memory had filled took as long as the import.
    #[test]
    fn segments_of_a_large_import_are_left_alone() {
        assert!(merged(MAX_MERGED_GAMES, &[(480_000, 0); 30]).is_empty());
        assert_eq!(merged(MAX_MERGED_GAMES, &[(120_000, 0); 8]).len(), 1);
    }

    // All segments of one size were merged at once: a hundred million games in four hundred segments into a single one,
    // whose plies have no 32-bit numbers.
    #[test]
    fn no_merge_makes_a_segment_that_is_too_large() {
        let portions = merged(1_000_000, &[(100_000, 0); 35]);
        assert_eq!(portions.len(), 4);
        for portion in portions {
            assert!(portion.len() > 1 && portion.iter().sum::<u32>() <= 1_000_000);
        }
        // One that is left over has nothing to be merged with.
        assert_eq!(merged(1_000_000, &[(100_000, 0); 11]), [vec![100_000; 10]]);
    }

    // A segment above an eighth of the greatest size kept the space of removed games for good.
    #[test]
    fn a_large_segment_that_has_lost_many_games_is_written_anew() {
        assert!(merged(1_000_000, &[(900_000, 90_000)]).is_empty());
        assert_eq!(merged(1_000_000, &[(900_000, 90_001)]), [[900_000]]);
        assert_eq!(merged(1_000_000, &[(50_000, 5_001)]), [[50_000]]);
    }
}
