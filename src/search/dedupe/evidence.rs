//! Whether two games with the same moves, or of which one begins with the other, are the same game.
//!
//! Moves alone do not say so: short draws repeat, and so do traps and prepared lines, also between the same players. Each
//! thing that two games tell about themselves counts for or against. The weights follow from 482,774 over-the-board
//! games, in which pairs were looked at by hand: with the same players, 40 plies in common were the same game except
//! where the dates were years apart, 60 always; below 30, games of other years, and games of the same day in another
//! round, were as often two. A name that contradicts is never outweighed.

use crate::model::date::DateSpan;
use crate::model::game_result::GameResult;
use crate::search::dedupe::DedupeMode;
use crate::search::dedupe::face::{Face, Text, Texts};
use crate::search::dedupe::names::Likeness;

/// Evidence that is enough.
const ENOUGH: i32 = 6;
/// Below so many plies the moves mean next to nothing, and two games must agree in the rest.
const MEANINGLESS_PLIES: u32 = 4;
/// Plies in common from which the beginning of another game says something.
pub(super) const LEAST_BEGINNING: u32 = 8;

/// What two games have in common of their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) n_plies: u32,
    /// Whether one of them goes on.
    pub(super) is_beginning: bool,
}

/// What two games say about each other, better ones later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// They are two.
    Different,
    /// Nothing says that they are two, and not enough that they are one.
    Unclear,
    /// They are one.
    Same,
}

/// Whether two games are the same.
pub(super) fn judge(
    a: &Face,
    b: &Face,
    shared: Shared,
    mode: DedupeMode,
    texts: &Texts,
) -> Verdict {
    let likeness = |a, b| texts.name(a).compare(texts.name(b));
    let names = likeness(a.white, b.white).min(likeness(a.black, b.black));
    let is_spelt_alike = |x, y| texts.get(x).first_alike == texts.get(y).first_alike;
    if names == Likeness::Other
        || shared.is_beginning && mode != DedupeMode::Embedded
        || mode == DedupeMode::Exact
            && !(is_spelt_alike(a.white, b.white) && is_spelt_alike(a.black, b.black))
    {
        return Verdict::Different;
    }
    let is_same_roster = a.roster(texts) == b.roster(texts) && result(a.result, b.result) == 0;
    // A copy is a copy however short it is. A game of few moves that agrees with another in everything, its date known, is
    // a stub of it.
    if is_same_roster && (!shared.is_beginning || names > Likeness::Unknown && a.date.is_some()) {
        return Verdict::Same;
    }
    let rounds = rounds(texts.get(a.round), texts.get(b.round), shared);
    let evidence = [
        moves(shared),
        match names {
            Likeness::Same | Likeness::Reordered => 3,
            Likeness::Variant => 2,
            Likeness::Misspelt => 1,
            Likeness::Unknown | Likeness::Other => -2,
        },
        dates(a.date, b.date),
        places(a, b, texts),
        rounds,
        if rounds < 0 && shared.n_plies < 40 && are_other_days(a.date, b.date) {
            // Each alone is a slip of a pen. Together they are two games of a match.
            -5
        } else {
            0
        },
        result(a.result, b.result),
    ];
    let is_uncontradicted = evidence[2..].iter().all(|&weight| weight >= 0);
    let least = if shared.is_beginning {
        LEAST_BEGINNING
    } else {
        MEANINGLESS_PLIES
    };
    // Nothing speaks against it, and the players are those.
    let is_plain = is_uncontradicted
        && !shared.is_beginning
        && match names {
            Likeness::Same | Likeness::Reordered => true,
            Likeness::Variant => shared.n_plies >= 16 || dates(a.date, b.date) > 0,
            _ => false,
        };
    let is_enough = evidence.iter().sum::<i32>() >= ENOUGH || is_plain;
    let says_something =
        shared.n_plies >= least && (names != Likeness::Misspelt || shared.n_plies >= 30);
    if is_enough && says_something {
        Verdict::Same
    } else if is_uncontradicted && names != Likeness::Misspelt {
        Verdict::Unclear
    } else {
        Verdict::Different
    }
}

/// Whether two sets of games are one, given what each says of each: at least one pair is the same game, and none is two.
pub(super) fn is_one(verdicts: impl Iterator<Item = Verdict>) -> bool {
    let mut is_one = false;
    for verdict in verdicts {
        match verdict {
            Verdict::Different => return false,
            Verdict::Unclear => {}
            Verdict::Same => is_one = true,
        }
    }
    is_one
}

fn moves(shared: Shared) -> i32 {
    let weight = match shared.n_plies {
        0..4 => 0,
        4..8 => 1,
        8..12 => 2,
        12..20 => 3,
        20..30 => 4,
        30..40 => 6,
        40..60 => 8,
        _ => 10,
    };
    match shared.is_beginning {
        false => weight,
        true if shared.n_plies < 30 => weight - 3,
        true => weight - 2,
    }
}

fn dates(a: Option<DateSpan>, b: Option<DateSpan>) -> i32 {
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    let is_day = |span: DateSpan| span.first == span.last;
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    let gap = day_number(second.first) - day_number(first.last);
    if gap <= 0 {
        let longest = days(a).max(days(b));
        return match longest {
            0 => 3,
            1..=31 => 2,
            _ => 1,
        };
    }
    if is_day(a) && is_day(b) {
        // Day and month are exchanged easily, and games end after midnight.
        let swapped = |day: u32| day / 10_000 * 10_000 + day % 100 * 100 + day / 100 % 100;
        return match gap {
            _ if swapped(a.first) == b.first => 1,
            1..=3 => 1,
            4..=31 => -1,
            32..=200 => -4,
            _ => -8,
        };
    }
    // Events that begin in December are given either year.
    match gap {
        1..=31 => -3,
        32..=370 => -6,
        _ => -8,
    }
}

fn are_other_days(a: Option<DateSpan>, b: Option<DateSpan>) -> bool {
    let is_day = |span: &DateSpan| span.first == span.last;
    a.zip(b)
        .is_some_and(|(a, b)| is_day(&a) && is_day(&b) && a != b)
}

/// Days of a span after its first.
fn days(span: DateSpan) -> i32 {
    day_number(span.last) - day_number(span.first)
}

/// Days since an epoch, by months of 31 days and years of 372: a few days too many do not matter here.
fn day_number(day: u32) -> i32 {
    (day / 10_000 * 372 + day / 100 % 100 * 31 + day % 100) as i32
}

/// Words that are in the names of too many events to say anything.
const COMMON_WORDS: [&str; 14] = [
    "open",
    "the",
    "chess",
    "tournament",
    "match",
    "cup",
    "championship",
    "championships",
    "int",
    "masters",
    "team",
    "club",
    "world",
    "rapid",
];

fn places(a: &Face, b: &Face, texts: &Texts) -> i32 {
    let (event, other) = (texts.get(a.event), texts.get(b.event));
    if !event.is_unknown() && event.folded == other.folded {
        return 1;
    }
    let telling = |face: &Face| -> Vec<&str> {
        [face.event, face.site]
            .iter()
            .flat_map(|&text| texts.get(text).folded.split(' '))
            .filter(|word| word.len() >= 3 && !COMMON_WORDS.contains(word))
            .collect()
    };
    let (mine, theirs) = (telling(a), telling(b));
    if event.is_unknown() || other.is_unknown() || mine.iter().any(|word| theirs.contains(word)) {
        0
    } else {
        -1
    }
}

fn rounds(a: &Text, b: &Text, shared: Shared) -> i32 {
    if a.is_unknown() || b.is_unknown() {
        return 0;
    }
    // `03` is `3`, and `3.1` is a board of it.
    let first = |text: &Text| {
        let first = text.folded.split(' ').next().unwrap_or_default().to_owned();
        first
            .parse::<u32>()
            .map_or(first, |number| number.to_string())
    };
    let numbers = |text: &Text| -> Vec<String> {
        let words = text.folded.split(' ');
        words
            .map(|word| {
                word.parse::<u32>()
                    .map_or(word.to_owned(), |n| n.to_string())
            })
            .collect()
    };
    if numbers(a) == numbers(b) {
        1
    } else if first(a) == first(b) {
        0
    } else if shared.is_beginning && shared.n_plies < 40 {
        // The same players drew quickly and began another game in the same way.
        -3
    } else {
        -1
    }
}

fn result(a: GameResult, b: GameResult) -> i32 {
    if a == b || a == GameResult::Unknown || b == GameResult::Unknown {
        0
    } else {
        -2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [DedupeMode; 3] = [DedupeMode::Exact, DedupeMode::Near, DedupeMode::Embedded];

    /// A game as its tags tell it.
    #[derive(Clone, Debug)]
    struct Draft {
        white: &'static str,
        black: &'static str,
        event: &'static str,
        date: &'static str,
        round: &'static str,
        result: &'static str,
        n_plies: u32,
    }

    impl Draft {
        fn face(&self, texts: &mut Texts) -> Face {
            Face {
                white: texts.intern(self.white),
                black: texts.intern(self.black),
                event: texts.intern(self.event),
                site: texts.intern("?"),
                round: texts.intern(self.round),
                date: DateSpan::parse(self.date),
                result: GameResult::from_tag(self.result).map_or_else(GameResult::default, |r| r.0),
            }
        }
    }

    /// In which modes a game and a copy with the same moves, or the first of them, are one game; each is changed.
    #[track_caller]
    fn check(
        n_plies: u32,
        first: impl Fn(&mut Draft),
        second: impl Fn(&mut Draft),
        wanted: &[DedupeMode],
    ) {
        let game = Draft {
            white: "Kestrel, Gwen",
            black: "Müller, Jörg",
            event: "Open 2031",
            date: "2031.03.05",
            round: "3",
            result: "1/2-1/2",
            n_plies,
        };
        let (mut a, mut b) = (game.clone(), game);
        first(&mut a);
        second(&mut b);
        let mut texts = Texts::default();
        let (x, y) = (a.face(&mut texts), b.face(&mut texts));
        let shared = Shared {
            n_plies: a.n_plies.min(b.n_plies),
            is_beginning: a.n_plies != b.n_plies,
        };
        let in_modes = |x, y| -> Vec<DedupeMode> {
            let mut modes = MODES.to_vec();
            modes.retain(|&mode| judge(x, y, shared, mode, &texts) == Verdict::Same);
            modes
        };
        assert_eq!(in_modes(&x, &y), wanted, "{a:?} / {b:?}");
        assert_eq!(in_modes(&y, &x), wanted, "{b:?} / {a:?}");
    }

    const SAME: fn(&mut Draft) = |_| {};

    #[test]
    fn copies_are_found_in_every_mode() {
        for n_plies in [0, 2, 9, 30, 80] {
            check(n_plies, SAME, SAME, &MODES);
            check(n_plies, SAME, |b| b.result = "*", &MODES);
            check(n_plies, SAME, |b| b.white = "KESTREL,  Gwen", &MODES);
            check(n_plies, SAME, |b| b.event = "OPEN (2031)", &MODES);
        }
        for n_plies in [9, 30, 80] {
            check(n_plies, SAME, |b| b.date = "????.??.??", &MODES);
            check(n_plies, SAME, |b| b.date = "2031.??.??", &MODES);
            check(n_plies, SAME, |b| b.round = "?", &MODES);
            check(n_plies, SAME, |b| b.round = "17", &MODES);
            check(n_plies, SAME, |b| b.event = "?", &MODES);
            check(n_plies, SAME, |b| b.date = "2031.03.06", &MODES);
        }
        // A wrong result among much that agrees.
        check(30, SAME, |b| b.result = "1-0", &MODES);
    }

    #[test]
    fn spellings_of_a_name_are_found_by_near() {
        let near = &[DedupeMode::Near, DedupeMode::Embedded];
        for name in [
            "Kestrel, G",
            "Gwen Kestrel",
            "G. Kestrel",
            "Kestrel",
            "Kestrel, Gwen (ENG)",
        ] {
            for n_plies in [10, 30, 80] {
                check(n_plies, SAME, |b| b.white = name, near);
                let more = |b: &mut Draft| {
                    b.white = name;
                    b.black = "Mueller, J";
                    b.round = "5";
                    b.result = "*";
                };
                check(n_plies, SAME, more, near);
            }
        }
        check(60, SAME, |b| b.white = "Kestrell, Gwen", near);
    }

    #[test]
    fn beginnings_are_found_by_embedded() {
        let embedded = &[DedupeMode::Embedded];
        for (n_plies, n_left) in [(80, 60), (80, 30), (40, 24), (30, 12), (20, 5), (30, 0)] {
            check(n_plies, SAME, |b| b.n_plies = n_left, embedded);
            check(n_plies, |a| a.n_plies = n_left, SAME, embedded);
        }
        let vague = |b: &mut Draft| {
            b.n_plies = 50;
            b.white = "Kestrel, G";
            b.date = "2031.??.??";
            b.result = "*";
        };
        check(80, SAME, vague, embedded);
    }

    #[test]
    fn other_games_with_the_same_moves_are_left_alone() {
        let none: &[DedupeMode] = &[];
        for n_plies in [6, 14, 24, 36, 80] {
            // Other players, whatever else agrees.
            check(n_plies, SAME, |b| b.white = "Finch, Gwen", none);
            check(n_plies, SAME, |b| b.white = "Kestrel, Anna", none);
            check(
                n_plies,
                SAME,
                |b| std::mem::swap(&mut b.white, &mut b.black),
                none,
            );
        }
        for n_plies in [6, 14, 24, 36, 50] {
            // The same players in another year.
            check(n_plies, SAME, |b| b.date = "2033.03.05", none);
            check(
                n_plies,
                SAME,
                |b| b.date = "2032.??.??",
                if n_plies < 40 { none } else { &MODES },
            );
            let rematch = |b: &mut Draft| {
                b.date = "2032.04.01";
                b.event = "Return Match";
                b.round = "1";
            };
            check(n_plies, SAME, rematch, none);
        }
        for n_plies in [6, 14, 24, 30] {
            // Two draws of a match.
            let next = |b: &mut Draft| {
                b.date = "2031.03.07";
                b.round = "5";
            };
            check(n_plies, SAME, next, none);
            // A short draw, and a game that began like it.
            let cut = |b: &mut Draft| {
                next(b);
                b.n_plies = b.n_plies * 2 / 3;
            };
            check(n_plies, |a| a.result = "1-0", cut, none);
        }
        // Nobody is no player.
        check(
            14,
            |a| a.white = "?",
            |b| {
                b.white = "NN";
                b.event = "Elsewhere";
            },
            none,
        );
    }
}
