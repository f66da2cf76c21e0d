//! Games whose line is the beginning of another's, as far as they may be the same game.
//!
//! A short line is the beginning of very many games, nearly all of which have nothing to do with it. So pairs are left out
//! here that the evidence cannot join: those whose names begin with other letters, and, below the plies that mean
//! something, those of which no two members agree in all tags.

use std::collections::HashMap;

use crate::error::Result;
use crate::search::Searcher;
use crate::search::dedupe::evidence::LEAST_BEGINNING;
use crate::search::dedupe::face::{Candidate, Roster, Texts};
use crate::search::dedupe::groups::{COMPARED_FREELY, Group, word_pairs};
use crate::search::dedupe::lines::Ends;

const NO_GROUP: u32 = u32::MAX;

/// Pairs of groups of which the first has a line that the second goes on with; ascending.
pub(super) fn find(
    searcher: &Searcher,
    candidates: &[Candidate],
    texts: &Texts,
    groups: &[Group],
) -> Result<Vec<(u32, u32)>> {
    let mut group_of = vec![NO_GROUP; candidates.len()];
    for (number, group) in (0..).zip(groups) {
        group_of[group.members[0] as usize] = number;
    }
    let line = |group: &Group| candidates[group.members[0] as usize].line;
    let ends = Ends::new(groups.iter().map(line).zip(0..));
    let narrow = Narrow::new(&ends, groups, texts);
    let mut pairs = Vec::new();
    for (number, group) in (0..).zip(groups) {
        if group.n_plies() > 0 {
            narrow.stubs_of(NO_GROUP, group, texts, |stub| pairs.push((stub, number)));
        }
    }
    ends.beginnings_of(searcher, candidates, |idx, shorter| {
        let long = group_of[idx];
        if long != NO_GROUP {
            narrow.each(shorter, &groups[long as usize], texts, |short| {
                pairs.push((short, long));
            });
        }
    })?;
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

/// Ways to those groups of a line that may be the same game as another one. A line is known by its first group.
struct Narrow<'a> {
    groups: &'a [Group],
    /// Groups of short lines by what they must agree in. Under no line: games without moves.
    stubs: HashMap<(u32, Roster), Vec<u32>>,
    /// Groups of lines that many groups have, by words of the players.
    by_words: HashMap<(u32, &'a str, &'a str), Vec<u32>>,
}

impl<'a> Narrow<'a> {
    fn new(ends: &Ends, groups: &'a [Group], texts: &'a Texts) -> Narrow<'a> {
        let mut narrow = Narrow {
            groups,
            stubs: HashMap::new(),
            by_words: HashMap::new(),
        };
        for (number, group) in (0..).zip(groups).filter(|(_, group)| group.n_plies() == 0) {
            narrow.add_stub(NO_GROUP, number, group, texts);
        }
        for numbers in ends.lines() {
            let line = numbers[0];
            let n_plies = groups[line as usize].n_plies();
            for &number in numbers {
                let group = &groups[number as usize];
                if (1..LEAST_BEGINNING).contains(&n_plies) {
                    narrow.add_stub(line, number, group, texts);
                } else if numbers.len() > COMPARED_FREELY {
                    for (white, black) in word_pairs(&group.faces[0].0, texts) {
                        let of_words = narrow.by_words.entry((line, white, black)).or_default();
                        of_words.push(number);
                    }
                }
            }
        }
        narrow
    }

    fn add_stub(&mut self, line: u32, number: u32, group: &Group, texts: &Texts) {
        for (face, _) in &group.faces {
            let alike = self.stubs.entry((line, face.roster(texts))).or_default();
            if alike.last() != Some(&number) {
                alike.push(number);
            }
        }
    }

    /// Calls `visit` with the stubs of a line that a member of a group agrees with.
    fn stubs_of(&self, line: u32, group: &Group, texts: &Texts, mut visit: impl FnMut(u32)) {
        for (face, _) in &group.faces {
            let alike = self.stubs.get(&(line, face.roster(texts)));
            alike.into_iter().flatten().copied().for_each(&mut visit);
        }
    }

    /// Calls `visit` with those of the groups of one line that may be the same game as another group.
    fn each(&self, numbers: &[u32], long: &Group, texts: &'a Texts, mut visit: impl FnMut(u32)) {
        let line = numbers[0];
        let face = &long.faces[0].0;
        if self.groups[line as usize].n_plies() < LEAST_BEGINNING {
            self.stubs_of(line, long, texts, visit);
        } else if numbers.len() > COMPARED_FREELY {
            for (white, black) in word_pairs(face, texts) {
                let alike = self.by_words.get(&(line, white, black));
                alike.into_iter().flatten().copied().for_each(&mut visit);
            }
        } else {
            let share = |a, b| texts.name(a).letters & texts.name(b).letters != 0;
            for &number in numbers {
                let other = &self.groups[number as usize].faces[0].0;
                if share(face.white, other.white) && share(face.black, other.black) {
                    visit(number);
                }
            }
        }
    }
}
