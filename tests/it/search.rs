//! What search and the opening statistics answer is what a linear scan with shakmaty answers (law 5), on games drawn by
//! lot and on the samples: positions, boards, moves, sequences, headers, their combinations, orders, pages and scopes.

mod clauses;
mod continuations;
mod queries;
mod removals;
mod scopes;
mod twin;
mod variations;

use std::collections::BTreeSet;
use std::path::PathBuf;

use pgndex::ingest::{ImportOptions, Lines as Indexed};
use pgndex::search::{Searcher, SortKey, SortOrder};
use serde_json::Value;
use shakmaty::CastlingMode;
use shakmaty::variant::VariantPosition;

use self::clauses::Clauses;
use self::twin::{Game, Query, explore, fen, identity};
use crate::support::{
    self, BY_ID, ODD, Random, count, hits, import_with, options, sample, scratch,
};

/// An index, and the same games for the scan.
struct World {
    searcher: Searcher,
    games: Vec<Game>,
    _dir: tempfile::TempDir,
}

impl World {
    /// Drawn games in two sources, and all samples.
    fn new(seed: u64, n_games: usize) -> World {
        let dir = scratch();
        let drawn = support::games(seed, n_games, ODD);
        let (first, second) = drawn.split_at(n_games / 3);
        let sources = [
            support::write(dir.path(), "first drawn.pgn", first.concat()),
            sample(""),
            sample("broken.txt"),
            sample("dutch.txt"),
            support::write(dir.path(), "second_drawn.pgn", second.concat()),
        ];
        World::of(dir, &sources, Indexed::Main)
    }

    fn of(dir: tempfile::TempDir, sources: &[PathBuf], variations: Indexed) -> World {
        let index = dir.path().join("games.idx");
        import_with(
            &index,
            sources,
            &ImportOptions {
                variations,
                ..options(2)
            },
        );
        let searcher = Searcher::open(&index).expect("an index");
        let games = twin::games(&searcher);
        World {
            searcher,
            games,
            _dir: dir,
        }
    }

    /// Counts and hits of a query are those of the scan.
    #[track_caller]
    fn check(&self, query: &Query) {
        let text = query.text();
        let found: Value = serde_json::from_str(&count(&self.searcher, &text)).expect("JSON");
        assert_eq!(found, query.count(&self.games), "count of {text}");
        let found = hits(&self.searcher, &text, BY_ID, 0, usize::MAX);
        let wanted: Vec<String> = query
            .hits(&self.games)
            .iter()
            .map(|(game, step)| game.hit(*step).to_string())
            .collect();
        assert_eq!(found, wanted, "hits of {text}");
    }

    #[track_caller]
    fn check_explore(&self, pos: &VariantPosition, filter: Option<&Query>) {
        let text = filter.map(Query::text);
        let found = support::explore(&self.searcher, Some(&fen(pos)), text.as_deref());
        let mut found: Value = serde_json::from_str(&found).expect("JSON");
        found.as_object_mut().expect("an object").remove("opening");
        // The counters of a FEN that was asked for mean nothing.
        let without_counters = |value: &mut Value| {
            let fen = value["fen"].as_str().expect("a FEN");
            value["fen"] = fen.split(' ').take(4).collect::<Vec<_>>().join(" ").into();
        };
        let mut wanted = explore(&self.games, pos, filter);
        without_counters(&mut found);
        without_counters(&mut wanted);
        let asked = format!("explore {} with {text:?}", fen(pos));
        for part in [
            "fen",
            "games",
            "white",
            "draws",
            "black",
            "unknown",
            "moves",
            "top_games",
        ] {
            assert_eq!(found[part], wanted[part], "{part} of {asked}");
        }
        assert_eq!(found, wanted, "{asked}");
    }

    /// Positions of games, drawn by lot; half of them near the beginning, where games share them.
    fn positions(&self, random: &mut Random, n: usize, variant: &str) -> Vec<VariantPosition> {
        let games: Vec<&Game> = self
            .games
            .iter()
            .filter(|game| game.variant == variant)
            .collect();
        let mut positions = vec![VariantPosition::new(twin::rules(variant))];
        for _ in 0..n {
            let steps = &random.pick(&games).steps;
            let near = if random.one_in(2) {
                steps.len().min(8)
            } else {
                steps.len()
            };
            positions.push(steps[random.below(near)].pos.clone());
        }
        positions
    }
}

#[test]
fn positions_are_found_where_a_scan_finds_them() {
    let world = World::new(1, 500);
    let mut random = Random::new(1);
    for pos in world.positions(&mut random, 150, "standard") {
        world.check(&clauses::position("fen", &pos));
    }
    // Who asks without the en passant square asks for another position, unless no capture was possible.
    let asked = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq";
    let position = |fen: &str| support::position(fen, CastlingMode::Standard).into();
    let with: VariantPosition = position(&format!("{asked} f6 0 3"));
    let without: VariantPosition = position(&format!("{asked} - 0 3"));
    assert_ne!(identity(&with), identity(&without));
    assert!(
        !clauses::position("fen", &with)
            .hits(&world.games)
            .is_empty()
    );
    for pos in [with, without] {
        world.check(&clauses::position("fen", &pos));
        world.check(&clauses::board(&pos));
    }
}

#[test]
fn boards_are_found_whatever_the_rights() {
    let world = World::new(2, 500);
    let mut random = Random::new(2);
    for pos in world.positions(&mut random, 80, "standard") {
        world.check(&clauses::board(&pos));
    }
    // The king went and came back: the same board with other rights.
    let lines = [
        "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 *\n\n",
        "1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 *\n\n",
    ];
    let dir = scratch();
    let source = support::write(dir.path(), "kings.pgn", lines.concat());
    let world = World::of(dir, &[source], Indexed::Main);
    let after = world.games[0].steps[2].pos.clone();
    let board = clauses::board(&after);
    assert_eq!(board.hits(&world.games).len(), 4);
    assert_eq!(clauses::position("fen", &after).hits(&world.games).len(), 3);
    world.check(&board);
}

#[test]
fn moves_and_sequences_are_found_where_a_scan_finds_them() {
    let world = World::new(3, 400);
    let mut clauses = Clauses::new(3, &world.games);
    for _ in 0..150 {
        world.check(&clauses.moves(1));
    }
    for _ in 0..150 {
        let n = 2 + clauses.random.below(3);
        world.check(&clauses.moves(n));
    }
}

#[test]
fn headers_are_found_where_a_scan_finds_them() {
    let world = World::new(4, 250);
    let mut clauses = Clauses::new(4, &world.games);
    for _ in 0..400 {
        world.check(&clauses.header());
    }
}

#[test]
fn clauses_combine_as_the_operators_say() {
    let world = World::new(5, 250);
    let mut clauses = Clauses::new(5, &world.games);
    for _ in 0..250 {
        world.check(&clauses.query(3));
    }
}

#[test]
fn pages_are_slices_of_the_sorted_list() {
    let world = World::new(6, 300);
    let mut clauses = Clauses::new(6, &world.games);
    let mut queries: Vec<Query> = (0..7).map(|_| clauses.query(2)).collect();
    queries.push(clauses::position("fen", &VariantPosition::default()));
    let played = world.games.iter().find_map(|game| game.steps.get(1));
    let played = &played.expect("a game with a move").pos;
    queries.push(clauses::position("fen", played));
    for query in &queries {
        for (key, by) in KEYS {
            for descending in [false, true] {
                let mut wanted = query.hits(&world.games);
                // Stable, and games without a value come last either way.
                wanted.sort_by(|(a, _), (b, _)| match (by(a), by(b)) {
                    (Some(a), Some(b)) if descending => b.cmp(&a),
                    (Some(a), Some(b)) => a.cmp(&b),
                    (a, b) => a.is_none().cmp(&b.is_none()),
                });
                let wanted: Vec<String> = wanted
                    .iter()
                    .map(|(game, step)| game.hit(*step).to_string())
                    .collect();
                let sort = SortOrder { key, descending };
                let text = query.text();
                for (offset, limit) in [
                    (0, usize::MAX),
                    (0, 1),
                    (3, 5),
                    (7, 0),
                    (wanted.len(), 3),
                    (2, usize::MAX),
                ] {
                    let page: Vec<String> =
                        wanted.iter().skip(offset).take(limit).cloned().collect();
                    let found = hits(&world.searcher, &text, sort, offset, limit);
                    assert_eq!(found, page, "{text} by {sort:?}, {limit} from {offset}");
                }
            }
        }
    }
}

type SortBy = fn(&Game) -> Option<u64>;

const KEYS: [(SortKey, SortBy); 7] = [
    (SortKey::Id, |game| Some(game.id)),
    (SortKey::Date, |game| {
        game.days().map(|(first, _)| u64::from(first))
    }),
    (SortKey::WhiteElo, |game| game.elo(shakmaty::Color::White)),
    (SortKey::BlackElo, |game| game.elo(shakmaty::Color::Black)),
    (SortKey::MeanElo, Game::elo_sum),
    (SortKey::Plies, |game| Some(game.plies())),
    (SortKey::Eco, |game| {
        game.eco().map(|eco| {
            u64::from(eco.as_bytes()[0]) * 100 + eco[1..].parse::<u64>().expect("digits")
        })
    }),
];

#[test]
fn statistics_are_those_of_a_scan() {
    let world = World::new(7, 700);
    let mut random = Random::new(7);
    let positions = world.positions(&mut random, 40, "standard");
    assert!(
        clauses::position("fen", &positions[0])
            .hits(&world.games)
            .len()
            > 256,
        "sums of long lists are met"
    );
    for pos in &positions {
        world.check_explore(pos, None);
    }
    let mut clauses = Clauses::new(7, &world.games);
    for pos in positions.iter().take(20) {
        world.check_explore(pos, Some(&clauses.query(2)));
    }
}

#[test]
fn a_line_is_the_position_that_it_leads_to() {
    let world = World::new(8, 200);
    let mut random = Random::new(8);
    for _ in 0..40 {
        let game = &world.games[random.below(world.games.len())];
        let from_start = identity(&game.steps[0].pos) == identity(&VariantPosition::default());
        if game.variant != "standard" || !from_start {
            continue;
        }
        let n = random.below(game.steps.len().min(12));
        let san: Vec<&str> = game.record["san"].as_array().expect("moves")[..n]
            .iter()
            .map(|m| m.as_str().expect("SAN"))
            .collect();
        let query = Query::Position(
            format!("line:\"{}\"", san.join(" ")),
            BTreeSet::from([identity(&game.steps[n].pos)]),
        );
        world.check(&query);
    }
}
