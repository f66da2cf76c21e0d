//! Games by their numbers in the index.

use crate::error::Result;
use crate::index::DocId;
use crate::search::hits::HitAt;
use crate::search::{HitList, Searcher, StoredGame};

impl Searcher {
    /// The game with this number; `None` when it was rejected, removed, or never there.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn game(&self, id: u64) -> Result<Option<StoredGame>> {
        match self.locate(id)? {
            Some((segment, doc)) => self.stored(segment, doc).map(Some),
            None => Ok(None),
        }
    }

    /// The games with these numbers, in the order of the numbers; those that are not there are left out.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn games(&self, ids: &[u64]) -> Result<HitList<'_>> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let mut hits = Vec::new();
        for id in ids {
            hits.extend(self.locate(id)?.map(|(segment, doc)| HitAt {
                segment,
                doc,
                place: None,
            }));
        }
        Ok(self.list(hits, 0, usize::MAX, Vec::new()))
    }

    /// Where the game with this number is. Within a run games stand in the order of import, so a run is halved, not read.
    fn locate(&self, id: u64) -> Result<Option<(usize, DocId)>> {
        // A number beyond all games can run over into that of another one's chunk.
        let is_of = |sequence: &u64| {
            self.addresses()
                .get(*sequence)
                .is_some_and(|at| at.id == id)
        };
        let Some(wanted) = self.addresses().sequence_of(id).filter(is_of) else {
            return Ok(None);
        };
        for (segment, view) in self.views.iter().enumerate() {
            let sequences = view.sequences()?;
            for run in view.runs()? {
                let (mut low, mut high) = (run.start, run.end);
                while low < high {
                    let middle = low + (high - low) / 2;
                    if sequences.get(middle) < wanted {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                if low < run.end && sequences.get(low) == wanted {
                    return Ok(view.is_alive(low).then_some((segment, low)));
                }
            }
        }
        Ok(None)
    }
}
