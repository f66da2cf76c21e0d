//! What search and the opening statistics answer is what a linear scan with shakmaty answers (law 5), on games drawn by
//! lot and on the samples: positions, boards, moves, sequences, headers, their combinations, orders, pages and scopes.

mod clauses;
mod twin;

use std::collections::BTreeSet;
use std::path::PathBuf;

use pgndex::Error;
use pgndex::index::{IndexStore, verify};
use pgndex::ingest::{ImportOptions, Lines as Indexed};
use pgndex::notation::Reading;
use pgndex::search::{Searcher, SortKey, SortOrder};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess};

use self::clauses::Clauses;
use self::twin::{Game, Lines, Query, explore, fen, identity};
use crate::support::{
    self, ANNOTATED, BY_ID, ODD, Random, count, hits, import_with, options, sample, scratch,
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
    fn check_explore(&self, pos: &Chess, filter: Option<&Query>) {
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
    fn positions(&self, random: &mut Random, n: usize, variant: &str) -> Vec<Chess> {
        let games: Vec<&Game> = self
            .games
            .iter()
            .filter(|game| game.variant == variant)
            .collect();
        let mut positions = vec![Chess::default()];
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
    let with = support::position(&format!("{asked} f6 0 3"), CastlingMode::Standard);
    let without = support::position(&format!("{asked} - 0 3"), CastlingMode::Standard);
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
fn operators_without_parentheses_mean_what_a_person_means() {
    let world = World::of(scratch(), &[sample("")], Indexed::Main);
    let (a, b, c) = ("white:alekhine", "black:alekhine", "result:1-0");
    for (query, means) in [
        (format!("{a} {c}"), format!("({a} AND {c})")),
        (format!("{a} OR {b} {c}"), format!("(({a} OR {b}) AND {c})")),
        (format!("{c} {a} OR {b}"), format!("(({a} OR {b}) AND {c})")),
        (
            format!("{a} OR {b} AND {c}"),
            format!("({a} OR ({b} AND {c}))"),
        ),
        (
            format!("{c} AND {a} OR {b}"),
            format!("(({c} AND {a}) OR {b})"),
        ),
        (
            format!("{a} OR {b} NOT {c}"),
            format!("(({a} OR {b}) AND (NOT {c}))"),
        ),
        (format!("{a} NOT {c}"), format!("({a} AND (NOT {c}))")),
        (format!("{a} OR NOT {c}"), format!("({a} OR (NOT {c}))")),
        (format!("NOT {a} NOT {b}"), format!("NOT ({a} OR {b})")),
        (format!("NOT NOT {a}"), a.to_owned()),
        (
            "player:(alekhine OR lasker)".to_owned(),
            "(player:alekhine OR player:lasker)".to_owned(),
        ),
        (
            "player:IN [alekhine lasker]".to_owned(),
            "(player:alekhine OR player:lasker)".to_owned(),
        ),
        (format!("+{a} +{c}"), format!("({a} AND {c})")),
        (format!("{a} -{c}"), format!("({a} AND (NOT {c}))")),
    ] {
        let found = hits(&world.searcher, &query, BY_ID, 0, usize::MAX);
        let wanted = hits(&world.searcher, &means, BY_ID, 0, usize::MAX);
        assert_eq!(found, wanted, "{query} means {means}");
        assert!(!found.is_empty(), "{query}");
    }
}

#[test]
fn an_uncertain_date_matches_only_a_range_that_holds_all_its_days() {
    let dates = [
        "1999.??.??",
        "1999.05.??",
        "1999.05.07",
        "????.??.??",
        "2000.02.??",
        "1999.02.??",
        "",
        "1999",
        "?",
    ];
    let games: String = dates
        .iter()
        .map(|date| format!("[Event \"e\"]\n[Date \"{date}\"]\n\n*\n\n"))
        .collect();
    let dir = scratch();
    let source = support::write(dir.path(), "dates.pgn", games);
    let world = World::of(dir, &[source], Indexed::Main);
    let check = |query: &str, ids: &[u64]| {
        let found = world
            .searcher
            .hits(query, Reading::default(), BY_ID, 0, usize::MAX)
            .expect("hits");
        let found: Vec<u64> = found.map(|hit| hit.expect("a hit").id).collect();
        assert_eq!(found, ids, "{query}");
    };
    check("date:1999", &[0, 1, 2, 5, 7]);
    check("year:1999", &[0, 1, 2, 5, 7]);
    check("date:1999.05", &[1, 2]);
    check("date:1999.05.07", &[2]);
    check("date:[1999.05.01 TO 1999.05.31]", &[1, 2]);
    check("date:[1999.05.01 TO 1999.05.30]", &[2]);
    check("date:[1999.05.07 TO *]", &[2, 4]);
    check("date:[* TO 1999.06.01]", &[1, 2, 5]);
    check("date:[2000.02.01 TO 2000.02.29]", &[4]);
    check("date:[2000.02.01 TO 2000.02.28]", &[]);
    check("date:[1999.02.01 TO 1999.02.28]", &[5]);
    check("date:[1999.01.02 TO 1999.12.31]", &[1, 2, 5]);
    check("date:{1999.05 TO 2000.03}", &[4]);
    check("date:>=1999.05.07", &[2, 4]);
    check("date:<1999.05.07", &[5]);
    check("year:[* TO 1999]", &[0, 1, 2, 5, 7]);
    check("year:>1999", &[4]);
    check("date:*", &[0, 1, 2, 4, 5, 7]);
    check("NOT date:*", &[3, 6, 8]);
}

#[test]
fn pages_are_slices_of_the_sorted_list() {
    let world = World::new(6, 300);
    let mut clauses = Clauses::new(6, &world.games);
    let mut queries: Vec<Query> = (0..7).map(|_| clauses.query(2)).collect();
    queries.push(clauses::position("fen", &Chess::default()));
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
        let from_start = identity(&game.steps[0].pos) == identity(&Chess::default());
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

#[test]
fn variants_are_scopes_of_their_own() {
    let world = World::new(9, 600);
    let nxf7 = |world: &World, scope: &str| {
        let hits = hits(
            &world.searcher,
            &format!("{scope} move:Nxf7"),
            BY_ID,
            0,
            usize::MAX,
        );
        hits.iter()
            .filter(|hit| hit.contains("chess960.pgn"))
            .count()
    };
    assert_eq!(nxf7(&world, ""), 0);
    assert_eq!(nxf7(&world, "variant:chess960"), 1);
    assert_eq!(nxf7(&world, "(variant:chess960 OR variant:standard)"), 1);
    assert_eq!(nxf7(&world, "NOT variant:chess960"), 0);
    let mut random = Random::new(9);
    let both = || Query::Or(vec![Query::Variant("chess960"), Query::Variant("standard")]);
    for pos in world.positions(&mut random, 30, "chess960") {
        let position = || clauses::position("fen", &pos);
        world.check(&position());
        world.check(&Query::And(vec![Query::Variant("chess960"), position()]));
        world.check(&Query::And(vec![both(), position()]));
        world.check_explore(&pos, None);
        world.check_explore(&pos, Some(&Query::Variant("chess960")));
        world.check_explore(&pos, Some(&both()));
    }
    world.check(&Query::Variant("chess960"));
    world.check(&Query::Not(Box::new(Query::Variant("chess960"))));
}

#[test]
fn variations_are_scopes_of_their_own() {
    let dir = scratch();
    let drawn = support::games(10, 60, ANNOTATED).concat();
    // The position after 1. e4 e5 stands in the main line and in a variation of the same game.
    let both = "1. e4 e5 (1... d5) 2. Nf3 (2. Nc3) (2. Ke2 Ke7 3. Ke1 (3. d4)) Nc6 (2... Nf6 3. Ng1 Ng8) *\n\n\
                1. e4 (1. e3 e6 2. e4 e5) e6 (1... e5 2. d4) 2. d4 *\n\n1. d4 (1. e4 e5 2. Nf3) d5 *\n\n";
    let sources = [
        sample("annotated.pgn"),
        support::write(dir.path(), "drawn.pgn", drawn),
        support::write(dir.path(), "both.pgn", both),
    ];
    let world = World::of(dir, &sources, Indexed::WithVariations);
    support::sound(world.searcher.store().path());
    let n_steps = |lines| {
        world
            .games
            .iter()
            .flat_map(|game| &game.steps)
            .filter(|s| (s.line > 0) == lines)
            .count()
    };
    assert!(n_steps(true) > 300, "{} steps in variations", n_steps(true));
    let mut random = Random::new(10);
    let mut clauses = Clauses::new(10, &world.games);
    let mut positions = world.positions(&mut random, 40, "standard");
    positions.push(world.games.last().expect("games").steps[1].pos.clone());
    positions.extend(
        world.games[63..]
            .iter()
            .flat_map(|game| game.steps.iter().map(|step| step.pos.clone())),
    );
    for pos in &positions {
        for lines in [Lines::Main, Lines::Variations, Lines::All] {
            let scoped = |query| Query::Beside(vec![Query::In(lines), query]);
            world.check(&scoped(clauses::position("fen", pos)));
            world.check(&scoped(clauses::board(pos)));
            world.check_explore(pos, Some(&Query::In(lines)));
        }
    }
    for _ in 0..60 {
        for lines in [Lines::Main, Lines::Variations, Lines::All] {
            let n = 1 + clauses.random.below(3);
            world.check(&Query::Beside(vec![Query::In(lines), clauses.moves(n)]));
        }
    }
}

#[test]
fn a_move_of_the_samples_is_found_in_its_scope() {
    let dir = scratch();
    let world = World::of(dir, &[sample("")], Indexed::WithVariations);
    let games = |query: &str| {
        let mut games: Vec<(String, u64)> = Vec::new();
        for hit in world
            .searcher
            .hits(query, Reading::default(), BY_ID, 0, usize::MAX)
            .expect("hits")
        {
            let hit = hit.expect("a hit");
            let name = hit.source.rsplit('/').next().expect("a name").to_owned();
            games.push((name, hit.game));
        }
        games.dedup();
        games
    };
    let names = |query: &str| {
        games(query)
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("move:Nxf7"),
        [vec!["classics.pgn"; 6], vec!["from-position.pgn"]].concat()
    );
    assert_eq!(
        games("in:variations move:Nxf7"),
        [("annotated.pgn".to_owned(), 2)]
    );
    assert_eq!(games("in:all move:Nxf7").len(), 8);
    // The README says which captures these are.
    assert_eq!(
        games("in:main moves:\"Bxh7+ Kxh7 Ng5+\" source:classics"),
        [1, 10].map(|game| ("classics.pgn".to_owned(), game))
    );
    assert_eq!(
        games("moves:\"Bxh7+ Kxh7\" source:classics"),
        [1, 8, 10].map(|game| ("classics.pgn".to_owned(), game))
    );
}

#[test]
fn ambiguous_letters_are_explained() {
    let world = World::of(scratch(), &[sample("classics.pgn")], Indexed::Main);
    let ask = |query: &str, reading| {
        let notes = world
            .searcher
            .hits(query, reading, BY_ID, 0, 1)
            .expect("hits")
            .notes;
        assert_eq!(
            world.searcher.count(query, reading).expect("a count").1,
            notes,
            "{query}"
        );
        notes
    };
    assert_eq!(ask("move:Nf3", Reading::default()), [""; 0]);
    let notes = ask("move:Sf3 moves:\"Sf3 Sc6\"", Reading::default());
    assert_eq!(
        notes[0],
        "read as German: Nf3; Czech, Slovak: Bf3; Dutch has no S"
    );
    assert_eq!(notes.len(), 2, "each note once: {notes:?}");
    let german = Reading {
        language: pgndex::notation::Language::from_code("de"),
        ..Reading::default()
    };
    assert_eq!(ask("move:Sf3", german), [""; 0]);
    assert_eq!(
        count(&world.searcher, "move:Sf3"),
        count(&world.searcher, "move:Nf3")
    );
    assert!(
        world
            .searcher
            .hits("move:Nf3", german, BY_ID, 0, 1)
            .is_err(),
        "German has no N"
    );
}

#[test]
fn a_bad_query_is_an_error_with_a_column() {
    let world = World::of(scratch(), &[sample("classics.pgn")], Indexed::Main);
    for (query, wanted) in [
        ("whitte:reti", Some((1, "whitte"))),
        ("white:reti AND blakc:x", Some((16, "blakc"))),
        ("réti whitte:x", Some((6, "whitte"))),
        ("year:abc", Some((1, "abc"))),
        ("year:[abc TO 1999]", Some((1, "abc"))),
        ("date:1999.13", Some((1, "1999.13"))),
        ("white:[a TO b]", Some((1, "white"))),
        ("eco:Z99", Some((1, "Z99"))),
        ("result:2-0", Some((1, "2-0"))),
        ("speed:fast", Some((1, "fast"))),
        ("variant:bogus", Some((1, "bogus"))),
        ("status:odd", Some((1, "odd"))),
        ("in:nowhere move:e4", Some((4, "nowhere"))),
        ("id:x", Some((1, "x"))),
        ("white:/re.*/", Some((1, "regular"))),
        ("move:\"Zz9\"", Some((7, "Zz9"))),
        ("move:\"e4 e5\"", Some((7, "moves"))),
        ("w.fen:\"8/8/8/8/8/8/8/8 w - -\"", None),
        ("white:", Some((7, ""))),
        ("(white:reti", None),
        ("white:\"reti", None),
        ("white:--", Some((1, "letter"))),
        ("source:-", Some((1, "letter"))),
        ("white:\"reti richard\"~2", Some((8, "~"))),
        ("year:19*", Some((1, "19*"))),
        ("tag.WhiteTitle.raw:GM", Some((1, "WhiteTitle"))),
        ("tag.FEN:\"8/8\"", Some((1, "FEN"))),
        ("tag.FEN:*", Some((1, "FEN"))),
        ("fen:\"nonsense\"", None),
        ("fen:\"8/8/8/8/8/8/8/8 w - -\"", None),
        ("line:\"e4 e4\"", None),
        ("board:\"8/8 w\"", None),
    ] {
        let by_count = world
            .searcher
            .count(query, Reading::default())
            .map(|(count, _)| count);
        let by_hits = world
            .searcher
            .hits(query, Reading::default(), BY_ID, 0, 1)
            .map(|hits| hits.len());
        let question = pgndex::search::Explorer {
            filter: Some(query),
            ..Default::default()
        };
        let by_filter = world.searcher.explore(&question).map(|answer| answer.games);
        for error in [
            by_count.map(|_| ()),
            by_hits.map(|_| ()),
            by_filter.map(|_| ()),
        ] {
            let error = error.expect_err(query);
            let message = error.to_string();
            assert!(!message.contains('\n'), "{query}: {message}");
            match (wanted, error) {
                (
                    Some((column, part)),
                    Error::Query {
                        column: found,
                        message,
                    },
                ) => {
                    assert!(message.contains(part), "{query}: {message}");
                    assert_eq!(found, column, "{query}: {message}");
                }
                (None, Error::Position { .. } | Error::Query { .. }) => {}
                (_, other) => panic!("{query}: {other:?}"),
            }
        }
    }
}

#[test]
fn tags_that_are_kept_as_numbers_are_asked_by_their_names_too() {
    let world = World::of(scratch(), &[sample("results.pgn")], Indexed::Main);
    for (by_tag, by_field) in [
        ("tag.Result:1-0", "result:1-0"),
        ("tag.WhiteElo:2785", "white_elo:2785"),
        ("tag.BlackElo:[2700 TO *]", "black_elo:[2700 TO *]"),
        ("tag.Date:1972", "date:1972"),
        ("tag.WhiteElo:*", "white_elo:*"),
        ("source:res*", "source:results"),
        ("player:IN [fischer euwe]", "player:fischer OR player:euwe"),
    ] {
        assert_eq!(
            count(&world.searcher, by_tag),
            count(&world.searcher, by_field),
            "{by_tag}"
        );
        assert!(
            !hits(&world.searcher, by_tag, BY_ID, 0, 1).is_empty(),
            "{by_tag}"
        );
    }
}

#[test]
fn an_empty_index_answers_with_nothing() {
    let dir = scratch();
    let source = support::write(dir.path(), "empty.pgn", "");
    let world = World::of(dir, &[source], Indexed::Main);
    assert_eq!(
        verify(world.searcher.store().path(), |_| ())
            .expect("sound")
            .games,
        0
    );
    assert_eq!(
        IndexStore::open(world.searcher.store().path())
            .expect("an index")
            .manifest()
            .sources
            .len(),
        1
    );
    let mut clauses = Clauses::new(0, &[]);
    for query in [
        clauses::position("fen", &Chess::default()),
        clauses::board(&Chess::default()),
        clauses.number(),
    ] {
        world.check(&query);
    }
    world.check_explore(&Chess::default(), None);
    assert!(hits(&world.searcher, "", BY_ID, 0, 10).is_empty());
}
