//! From pairs that may be the same game to groups of which each is one.
//!
//! Games are taken in the order in which they would survive. Each joins the first group in which one member is the same
//! game and none is another, or begins one; so a vague name never links two that contradict each other. First games with
//! the same line are grouped. Then, if beginnings are looked for, whole groups join groups whose line goes on, if they
//! hold two that are the same game and none that are two.
//!
//! Nothing here is quadratic in the size of an archive: games that agree in all tags are compared once, and where very
//! many games have the same line, only those are compared whose players share a word.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::error::Result;
use crate::search::Searcher;
use crate::search::dedupe::evidence::{Shared, is_one, judge};
use crate::search::dedupe::face::{Candidate, Face, Roster, Texts};
use crate::search::dedupe::{DedupeMode, beginnings};

/// Games with the same line of which each is compared with each.
pub(super) const COMPARED_FREELY: usize = 64;
/// Members of a group that a game is compared with, and groups that it is compared with. Only archives that are made for
/// it have more.
const MOST_COMPARED: usize = 64;

/// Games that are one game: the survivor first, then the others as they would survive.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) members: Vec<u32>,
    /// What the members' tags say, each once, with the plies of its line.
    pub(super) faces: Vec<(Face, u32)>,
}

impl Group {
    /// Plies of the survivor.
    pub(super) fn n_plies(&self) -> u32 {
        self.faces[0].1
    }
}

/// The order in which games survive: the longer line, more annotation, more tags; the first id last.
fn rank(candidate: &Candidate) -> impl Ord + use<> {
    (
        Reverse(candidate.n_plies),
        Reverse(candidate.annotation),
        Reverse(candidate.n_tags),
        candidate.id,
    )
}

/// Groups of two games and more, in the order of their survivors.
pub(super) fn find(
    searcher: &Searcher,
    candidates: &[Candidate],
    texts: &Texts,
    mode: DedupeMode,
) -> Result<Vec<Group>> {
    let mut order: Vec<u32> = (0..candidates.len() as u32).collect();
    order.sort_unstable_by_key(|&idx| {
        let candidate = &candidates[idx as usize];
        // Games with the same line next to each other.
        (Reverse(candidate.n_plies), candidate.line, rank(candidate))
    });
    let mut groups = Vec::new();
    for block in order.chunk_by(|&a, &b| {
        let (a, b) = (&candidates[a as usize], &candidates[b as usize]);
        a.line == b.line && a.n_plies == b.n_plies
    }) {
        group_block(block, candidates, texts, mode, &mut groups);
    }
    drop(order);
    groups.sort_unstable_by_key(|group: &Group| rank(&candidates[group.members[0] as usize]));
    if mode == DedupeMode::Embedded {
        groups = join_beginnings(searcher, candidates, texts, groups)?;
    }
    groups.retain(|group| group.members.len() > 1);
    Ok(groups)
}

/// Groups the games of a block, which have the same line and stand in the order of survival.
fn group_block(
    block: &[u32],
    candidates: &[Candidate],
    texts: &Texts,
    mode: DedupeMode,
    groups: &mut Vec<Group>,
) {
    let of_block = groups.len();
    let mut by_face: HashMap<Face, u32> = HashMap::new();
    let mut by_words: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
    for &idx in block {
        let Candidate { face, n_plies, .. } = candidates[idx as usize];
        let shared = Shared {
            n_plies,
            is_beginning: false,
        };
        let fits = |group: &Group| {
            let faces = group.faces.iter().take(MOST_COMPARED);
            is_one(faces.map(|(other, _)| judge(&face, other, shared, mode, texts)))
        };
        let known = by_face.get(&face).copied();
        let joined = known.or_else(|| {
            if block.len() <= COMPARED_FREELY {
                (of_block..groups.len())
                    .map(|group| group as u32)
                    .find(|&group| fits(&groups[group as usize]))
            } else {
                let mut near: Vec<u32> = word_pairs(&face, texts)
                    .filter_map(|pair| by_words.get(&pair))
                    .flatten()
                    .copied()
                    .collect();
                near.sort_unstable();
                near.dedup();
                near.truncate(MOST_COMPARED);
                near.into_iter()
                    .find(|&group| fits(&groups[group as usize]))
            }
        });
        let group = joined.unwrap_or_else(|| {
            groups.push(Group::default());
            groups.len() as u32 - 1
        });
        groups[group as usize].members.push(idx);
        if known.is_none() {
            groups[group as usize].faces.push((face, n_plies));
            by_face.insert(face, group);
            if block.len() > COMPARED_FREELY {
                for pair in word_pairs(&face, texts) {
                    let near = by_words.entry(pair).or_default();
                    if near.last() != Some(&group) {
                        near.push(group);
                    }
                }
            }
        }
    }
}

/// Each word of White's name with each of Black's, as they sound. Unknown players have one word in common.
pub(super) fn word_pairs<'a>(
    face: &Face,
    texts: &'a Texts,
) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
    let words = |number| {
        let name = texts.name(number);
        let unknown = name.is_unknown().then_some("");
        let known = (!name.is_unknown()).then(|| name.sounds());
        unknown.into_iter().chain(known.into_iter().flatten())
    };
    let (white, black) = (face.white, face.black);
    words(white).flat_map(move |white| words(black).map(move |black| (white, black)))
}

/// Joins groups whose line is the beginning of another's with it.
fn join_beginnings(
    searcher: &Searcher,
    candidates: &[Candidate],
    texts: &Texts,
    mut groups: Vec<Group>,
) -> Result<Vec<Group>> {
    let pairs = beginnings::find(searcher, candidates, texts, &groups)?;
    // Groups stand in the order of survival, so those that go on have found their place before. A game that goes beyond
    // a group that was joined with another is in that other's line as well.
    for of_group in pairs.chunk_by(|a, b| a.0 == b.0) {
        let short = of_group[0].0 as usize;
        let into = of_group
            .iter()
            .map(|&(_, long)| long as usize)
            .filter(|&long| !groups[long].members.is_empty())
            .take(MOST_COMPARED)
            .filter(|&long| are_one(&groups[short], &groups[long], texts))
            .min_by_key(|&long| Reverse(agreement(&groups[short], &groups[long], texts)));
        if let Some(into) = into {
            let Group { members, faces } = std::mem::take(&mut groups[short]);
            groups[into].members.extend(members);
            groups[into].faces.extend(faces);
        }
    }
    Ok(groups)
}

/// In how many of date, event, site and round two groups agree, at best. Games of a match may begin with the same moves
/// as one that was cut, and the one whose tags it has is the one that it was cut from.
fn agreement(short: &Group, long: &Group, texts: &Texts) -> usize {
    let rosters = |group: &Group| -> Vec<Roster> {
        let faces = group.faces.iter().take(MOST_COMPARED);
        faces.map(|(face, _)| face.roster(texts)).collect()
    };
    let theirs = rosters(long);
    let agreements = rosters(short).into_iter().flat_map(|a| {
        let agreement = move |b: &Roster| [a.0 == b.0, a.1 == b.1, a.2 == b.2, a.3 == b.3];
        theirs.iter().map(agreement).collect::<Vec<_>>()
    });
    let count = |agree: [bool; 4]| agree.into_iter().filter(|yes| *yes).count();
    agreements.map(count).max().unwrap_or(0)
}

fn are_one(short: &Group, long: &Group, texts: &Texts) -> bool {
    let faces = short.faces.iter().take(MOST_COMPARED);
    is_one(faces.flat_map(|(face, n_plies)| {
        let others = long.faces.iter().take(MOST_COMPARED);
        others.map(move |(other, n_other)| {
            let shared = Shared {
                n_plies: *n_plies,
                is_beginning: n_other > n_plies,
            };
            judge(face, other, shared, DedupeMode::Embedded, texts)
        })
    }))
}
