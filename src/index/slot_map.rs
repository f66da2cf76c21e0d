//! Where the slots of a segment go when it is merged: games that stay together move together.
//!
//! Games keep their order and their slots in a merge, so all slots between two removed games move by the same distance, and
//! those of a segment without removed games are one stretch. Looking for the game of each slot took a sixth of a large import.

use crate::index::pages::Damage;

/// The slots of a segment, in stretches that move by the same distance.
#[derive(Debug, Default)]
pub(crate) struct SlotMap {
    stretches: Vec<Stretch>,
}

#[derive(Debug, PartialEq, Eq)]
struct Stretch {
    /// The first slot beyond.
    end: u32,
    /// What is added to a slot, modulo 2^32; `None` for removed games.
    shift: Option<u32>,
}

impl SlotMap {
    /// Adds a game whose slots go from `start` to before `end`, and now begin at `new_start`, if it stays.
    pub(crate) fn add(&mut self, start: u32, end: u32, new_start: Option<u32>) {
        let shift = new_start.map(|new_start| new_start.wrapping_sub(start));
        match self.stretches.last_mut() {
            Some(last) if last.shift == shift => last.end = end,
            _ => self.stretches.push(Stretch { end, shift }),
        }
    }

    /// Appends the new slots of those that stay; `slots` ascend.
    ///
    /// # Errors
    ///
    /// When a slot is in no game.
    pub(crate) fn map(&self, slots: &[u32], new_slots: &mut Vec<u32>) -> Result<(), Damage> {
        let (mut slots, mut stretches) = (slots, &self.stretches[..]);
        while let Some(&slot) = slots.first() {
            stretches = &stretches[stretches.partition_point(|stretch| stretch.end <= slot)..];
            let Some(stretch) = stretches.first() else {
                return Err(format!("slot {slot} is in no game"));
            };
            let here;
            (here, slots) = slots.split_at(slots.partition_point(|&slot| slot < stretch.end));
            if let Some(shift) = stretch.shift {
                new_slots.extend(here.iter().map(|slot| slot.wrapping_add(shift)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slots_go_where_their_games_go(
            games in prop::collection::vec((1..5u32, any::<bool>()), 0..30),
            first in 0..9u32,
            wanted in prop::collection::btree_set(0..120u32, 0..40),
        ) {
            let (mut map, mut twin) = (SlotMap::default(), Vec::new());
            let (mut start, mut new_start) = (0, first);
            for (n_slots, stays) in games {
                map.add(start, start + n_slots, stays.then_some(new_start));
                for i in 0..n_slots {
                    twin.push(stays.then_some(new_start + i));
                }
                start += n_slots;
                new_start += if stays { n_slots } else { 0 };
            }
            let slots: Vec<u32> = wanted.into_iter().filter(|&slot| slot < start).collect();
            let expected: Vec<u32> = slots.iter().filter_map(|&slot| twin[slot as usize]).collect();
            let mut new_slots = Vec::new();
            map.map(&slots, &mut new_slots).expect("slots of games");
            prop_assert_eq!(new_slots, expected);
            prop_assert!(map.map(&[start], &mut Vec::new()).is_err());
        }
    }
}
