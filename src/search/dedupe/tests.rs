//! Duplicates are those that an obvious search finds, which compares every game with every other one move by move.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use super::evidence::{Shared, Verdict, judge};
use super::face::{self, Candidate};
use super::{DedupeMode, dedupe};
use crate::index::verify;
use crate::ingest::{ImportOptions, Lines, Progress, import};
use crate::notation::Reading;
use crate::search::{Consent, Searcher, SortOrder};

const MODES: [DedupeMode; 3] = [DedupeMode::Exact, DedupeMode::Near, DedupeMode::Embedded];

/// Numbers that look random and come back with their seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// A game to be written down.
#[derive(Clone, Debug)]
struct Draft {
    white: String,
    black: String,
    event: String,
    date: String,
    round: String,
    result: String,
    san: Vec<String>,
    comment: String,
}

impl Draft {
    fn pgn(&self) -> String {
        let mut pgn = String::new();
        for (name, value) in [
            ("Event", &self.event),
            ("Date", &self.date),
            ("Round", &self.round),
            ("White", &self.white),
            ("Black", &self.black),
            ("Result", &self.result),
        ] {
            let _ = writeln!(pgn, "[{name} \"{value}\"]");
        }
        pgn.push('\n');
        for (ply, san) in self.san.iter().enumerate() {
            if ply % 2 == 0 {
                let _ = write!(pgn, "{}. ", ply / 2 + 1);
            }
            let _ = write!(pgn, "{san} ");
        }
        if !self.comment.is_empty() {
            let _ = write!(pgn, "{{{}}} ", self.comment);
        }
        pgn + &self.result + "\n\n"
    }
}

/// A game of so many plies; the first ones are drawn from few moves, so that lines meet.
fn playout(random: &mut Random, n_plies: usize) -> Vec<String> {
    let mut pos = Chess::default();
    let mut line = Vec::new();
    for ply in 0..n_plies {
        let legal = pos.legal_moves();
        if legal.is_empty() {
            break;
        }
        let choice = if ply < 6 {
            random.below(2) * 5
        } else {
            random.below(legal.len())
        };
        let m = legal[choice % legal.len()];
        line.push(SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string());
    }
    line
}

const PLAYERS: [&str; 16] = [
    "Kestrel, Gwen",
    "Kestrel, G",
    "Gwen Kestrel",
    "KESTREL, GWEN",
    "Kestrel, Anna",
    "Kestrell, Gwen",
    "Kestrel",
    "Müller, Jörg",
    "Mueller, J",
    "Muller, Jorg (GER)",
    "Kortschnoj, Viktor",
    "Korchnoi, V.",
    "?",
    "NN",
    "Ivanov, Sergey",
    "Ivanov, S",
];
const EVENTS: [&str; 5] = [
    "Open 2031",
    "open, 2031",
    "Club Night",
    "?",
    "Berg Memorial Open",
];
const DATES: [&str; 9] = [
    "2031.03.05",
    "2031.03.06",
    "2031.05.03",
    "2031.03.??",
    "2031.??.??",
    "2032.03.05",
    "2030.??.??",
    "????.??.??",
    "1998.01.02",
];
const ROUNDS: [&str; 6] = ["3", "03", "3.1", "4", "?", "-"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

fn draft(random: &mut Random) -> Draft {
    let n_plies = random.pick(&[0, 1, 3, 5, 9, 14, 22, 33, 45, 66]);
    Draft {
        white: random.pick(&PLAYERS).to_owned(),
        black: random.pick(&PLAYERS).to_owned(),
        event: random.pick(&EVENTS).to_owned(),
        date: random.pick(&DATES).to_owned(),
        round: random.pick(&ROUNDS).to_owned(),
        result: random.pick(&RESULTS).to_owned(),
        san: playout(random, n_plies),
        comment: String::new(),
    }
}

/// A copy in which some things are changed.
fn changed(random: &mut Random, draft: &Draft) -> Draft {
    let mut copy = draft.clone();
    for _ in 0..random.below(4) {
        match random.below(8) {
            0 => copy.white = random.pick(&PLAYERS).to_owned(),
            1 => copy.black = random.pick(&PLAYERS).to_owned(),
            2 => copy.event = random.pick(&EVENTS).to_owned(),
            3 => copy.date = random.pick(&DATES).to_owned(),
            4 => copy.round = random.pick(&ROUNDS).to_owned(),
            5 => copy.result = random.pick(&RESULTS).to_owned(),
            6 => copy.san.truncate(random.below(copy.san.len() + 1)),
            _ => copy.comment = "x".repeat(random.below(5)),
        }
    }
    copy
}

fn index_of(dir: &Path, drafts: &[Draft]) -> PathBuf {
    let index = dir.join("games.idx");
    // Two sources, so that groups reach over segments. They begin differently, since a source that begins with all of
    // another one is a longer version of it.
    let half = drafts.len() / 2;
    for (name, start, part) in [
        ("a.pgn", "", &drafts[..half]),
        ("b.pgn", "\n", &drafts[half..]),
    ] {
        let source = dir.join(name);
        let games = part.iter().map(Draft::pgn).collect::<String>();
        fs::write(&source, start.to_owned() + &games).expect("a file");
        let options = ImportOptions {
            threads: 1,
            memory_bytes: 1 << 28,
            reading: Reading::default().into(),
            encoding: None,
            variations: Lines::Main,
            strict: true,
        };
        import(&index, &[source], &options, None, &Progress::default()).expect("an import");
    }
    index
}

fn found(index: &Path, mode: DedupeMode) -> Vec<Vec<u64>> {
    dedupe(index, mode, Consent::DryRun).expect("groups").groups
}

/// The same groups, by comparing everything with everything.
fn obvious(index: &Path, mode: DedupeMode) -> Vec<Vec<u64>> {
    let searcher = Searcher::open(index).expect("an index");
    let (candidates, texts) = face::read_all(&searcher).expect("games");
    let by_id: SortOrder = "id".parse().expect("an order");
    let mut games = searcher
        .hits("*", Reading::default(), by_id, 0, usize::MAX)
        .expect("games");
    let mut moves: Vec<(u64, Vec<String>)> = Vec::new();
    while let Some(game) = games.next_game().expect("a game") {
        moves.push((game.address().id, game.score().uci.clone()));
    }
    let moves_of = |candidate: &Candidate| {
        let at = moves.binary_search_by_key(&candidate.id, |(id, _)| *id);
        &moves[at.expect("a game")].1
    };
    let mut order: Vec<&Candidate> = candidates.iter().collect();
    order.sort_by_key(|c| {
        (
            Reverse(c.n_plies),
            Reverse(c.annotation),
            Reverse(c.n_tags),
            c.id,
        )
    });
    let verdict = |a: &Candidate, b: &Candidate| {
        let (short, long) = (moves_of(a), moves_of(b));
        let (short, long) = if short.len() <= long.len() {
            (short, long)
        } else {
            (long, short)
        };
        let shared = Shared {
            n_plies: short.len() as u32,
            is_beginning: short.len() < long.len(),
        };
        if long.starts_with(short) {
            judge(&a.face, &b.face, shared, mode, &texts)
        } else {
            Verdict::Different
        }
    };
    let are_one = |some: &[&Candidate], others: &[&Candidate]| {
        let each = || some.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
        each().all(|(a, b)| verdict(a, b) != Verdict::Different)
            && each().any(|(a, b)| verdict(a, b) == Verdict::Same)
    };
    let mut groups: Vec<Vec<&Candidate>> = Vec::new();
    for candidate in order {
        let with_same_moves = |group: &&mut Vec<&Candidate>| {
            moves_of(group[0]) == moves_of(candidate) && are_one(&[candidate], group)
        };
        match groups.iter_mut().find(with_same_moves) {
            Some(group) => group.push(candidate),
            None => groups.push(vec![candidate]),
        }
    }
    groups.sort_by_key(|group| {
        let c = group[0];
        (
            Reverse(c.n_plies),
            Reverse(c.annotation),
            Reverse(c.n_tags),
            c.id,
        )
    });
    if mode == DedupeMode::Embedded {
        for short in 1..groups.len() {
            let goes_on = |long: &usize| {
                !groups[*long].is_empty()
                    && groups[*long][0].n_plies > groups[short][0].n_plies
                    && are_one(&groups[short], &groups[*long])
            };
            // The first of those that agree in most of date, event, site and round.
            let agreement = |long: &usize| {
                let each = groups[short].iter().flat_map(|a| {
                    let others = groups[*long].iter();
                    others.map(|b| (a.face.roster(&texts), b.face.roster(&texts)))
                });
                let counts = each.map(|(a, b)| {
                    [a.0 == b.0, a.1 == b.1, a.2 == b.2, a.3 == b.3]
                        .map(usize::from)
                        .iter()
                        .sum::<usize>()
                });
                Reverse(counts.max())
            };
            if let Some(long) = (0..short).filter(goes_on).min_by_key(agreement) {
                let members = std::mem::take(&mut groups[short]);
                groups[long].extend(members);
            }
        }
    }
    let mut ids: Vec<Vec<u64>> = Vec::new();
    for group in groups.iter().filter(|group| group.len() > 1) {
        let mut group: Vec<u64> = group.iter().map(|c| c.id).collect();
        group[1..].sort_unstable();
        ids.push(group);
    }
    ids.sort_unstable();
    ids
}

#[test]
fn groups_are_those_of_an_obvious_search() {
    let mut n_groups = [0; 3];
    for seed in 0..8 {
        let mut random = Random(9000 + seed);
        let mut drafts: Vec<Draft> = (0..60).map(|_| draft(&mut random)).collect();
        for _ in 0..140 {
            let copy = random.pick(&drafts);
            drafts.push(changed(&mut random, &copy));
        }
        let dir = tempfile::tempdir().expect("a directory");
        let index = index_of(dir.path(), &drafts);
        for (mode, n_groups) in MODES.into_iter().zip(&mut n_groups) {
            let wanted = obvious(&index, mode);
            assert_eq!(found(&index, mode), wanted, "seed {seed}, {mode:?}");
            *n_groups += wanted.len();
        }
    }
    assert!(n_groups.iter().all(|&n| n > 50), "{n_groups:?} groups");
}

/// Where very many games have one line, only those are compared whose players share a word.
#[test]
fn very_many_games_with_one_line_are_grouped_as_few_are() {
    let mut random = Random(77);
    let dir = tempfile::tempdir().expect("a directory");
    let mut drafts = Vec::new();
    let short = playout(&mut random, 12);
    let mut long = short.clone();
    long.extend(playout_from(&mut random, &short, 30));
    for i in 0..220usize {
        let players = [
            "Kestrel", "Finch", "Wren", "Heron", "Müller", "Gull", "Raven",
        ];
        let name = |random: &mut Random, i: usize| {
            let (family, given) = (players[i % 7], ["Anna", "Bert", "A", "B."][random.below(4)]);
            match random.below(3) {
                0 => format!("{given} {family}"),
                1 => family.to_owned(),
                _ => format!("{family}, {given}"),
            }
        };
        drafts.push(Draft {
            white: name(&mut random, i),
            black: name(&mut random, i / 7),
            event: "Open".to_owned(),
            date: random
                .pick(&["2031.03.05", "2031.??.??", "2029.01.01"])
                .to_owned(),
            round: random.pick(&["1", "?"]).to_owned(),
            result: "1/2-1/2".to_owned(),
            san: if i % 5 == 0 {
                long.clone()
            } else {
                short.clone()
            },
            comment: String::new(),
        });
    }
    let index = index_of(dir.path(), &drafts);
    for mode in MODES {
        let wanted = obvious(&index, mode);
        assert_eq!(found(&index, mode), wanted, "{mode:?}");
        assert!(
            mode == DedupeMode::Exact || wanted.len() > 15,
            "{}",
            wanted.len()
        );
    }
}

fn playout_from(random: &mut Random, line: &[String], n_plies: usize) -> Vec<String> {
    let mut pos = Chess::default();
    for san in line {
        let m = san.parse::<SanPlus>().expect("SAN").san.to_move(&pos);
        pos.play_unchecked(m.expect("a legal move"));
    }
    let mut rest = Vec::new();
    for _ in 0..n_plies {
        let legal = pos.legal_moves();
        let m = legal[random.below(legal.len())];
        rest.push(SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string());
    }
    rest
}

const SAME: fn(&mut Draft) = |_| {};

// Two games of a match began with the same moves, and a copy of the shorter one, cut while they still agreed, was taken for a
// copy of the longer one.
#[test]
fn a_game_that_was_cut_goes_with_the_one_whose_tags_it_has() {
    let mut random = Random(12);
    let shared = playout(&mut random, 40);
    let game = |round: &str, san: Vec<String>, result: &str| Draft {
        white: "Kestrel, Gwen".to_owned(),
        black: "Finch, Anna".to_owned(),
        event: "Match".to_owned(),
        date: "2031.03.05".to_owned(),
        round: round.to_owned(),
        result: result.to_owned(),
        san,
        comment: String::new(),
    };
    let goes_on = |random: &mut Random, n_plies| {
        let rest = playout_from(random, &shared, n_plies);
        [shared.clone(), rest].concat()
    };
    let longer = game("2.24", goes_on(&mut random, 40), "0-1");
    let shorter = game("2.22", goes_on(&mut random, 20), "0-1");
    let cut = game("2.22", shared.clone(), "*");
    let dir = tempfile::tempdir().expect("a directory");
    let index = index_of(dir.path(), &[longer, shorter, cut]);
    assert_eq!(found(&index, DedupeMode::Embedded), [[1, 2]]);
}

#[test]
fn the_fuller_game_survives() {
    let survivor = |changes: [fn(&mut Draft); 3]| {
        let mut random = Random(6);
        let game = Draft {
            san: playout(&mut random, 40),
            white: "Kestrel, Gwen".to_owned(),
            black: "Finch, A".to_owned(),
            date: "2031.03.05".to_owned(),
            ..draft(&mut random)
        };
        let drafts: Vec<Draft> = changes
            .iter()
            .map(|change| {
                let mut copy = game.clone();
                (copy.event, copy.round, copy.result) =
                    ("?".to_owned(), "?".to_owned(), "1-0".to_owned());
                change(&mut copy);
                copy
            })
            .collect();
        let dir = tempfile::tempdir().expect("a directory");
        let index = index_of(dir.path(), &drafts);
        let groups = found(&index, DedupeMode::Embedded);
        assert_eq!(groups.len(), 1, "{groups:?}");
        assert_eq!(groups[0].len(), 3, "{groups:?}");
        groups[0][0]
    };
    assert_eq!(survivor([SAME, SAME, SAME]), 0);
    assert_eq!(survivor([SAME, |b| b.event = "Open".to_owned(), SAME]), 1);
    assert_eq!(
        survivor([
            SAME,
            |b| b.event = "Open".to_owned(),
            |b| b.comment = "why".to_owned()
        ]),
        2
    );
    assert_eq!(
        survivor([
            |b| b.san.truncate(38),
            SAME,
            |b| {
                b.san.truncate(38);
                b.comment = "a long one".to_owned();
            }
        ]),
        1
    );
}

/// A vague name does not link two games that contradict each other.
#[test]
fn every_member_of_a_group_is_the_same_game_as_every_other() {
    let mut random = Random(8);
    let game = draft(&mut random);
    let drafts: Vec<Draft> = ["Polgar, J", "Polgar, Judit", "Polgar, Julia", "Polgar"]
        .iter()
        .map(|name| Draft {
            white: (*name).to_owned(),
            black: "Finch, A".to_owned(),
            date: "2031.03.05".to_owned(),
            san: playout(&mut Random(3), 60),
            comment: String::new(),
            ..game.clone()
        })
        .collect();
    let dir = tempfile::tempdir().expect("a directory");
    let index = index_of(dir.path(), &drafts);
    assert_eq!(found(&index, DedupeMode::Near), [vec![0, 1, 3]]);
}

#[test]
fn what_is_removed_is_what_was_shown() {
    let mut random = Random(40);
    let mut drafts: Vec<Draft> = (0..40).map(|_| draft(&mut random)).collect();
    for _ in 0..60 {
        let copy = random.pick(&drafts);
        drafts.push(changed(&mut random, &copy));
    }
    let dir = tempfile::tempdir().expect("a directory");
    let index = index_of(dir.path(), &drafts);
    for mode in MODES {
        let shown = dedupe(&index, mode, Consent::DryRun).expect("groups");
        let done = dedupe(&index, mode, Consent::All).expect("a removal");
        assert_eq!(done.groups, shown.groups);
        assert!(done.games > 0, "{mode:?}");
        assert_eq!(verify(&index, |_| ()).expect("sound").games, done.left);
        // All of them: what is left has no duplicates.
        assert_eq!(found(&index, mode), Vec::<Vec<u64>>::new(), "{mode:?}");
    }
}
