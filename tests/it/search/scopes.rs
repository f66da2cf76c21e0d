//! Variants and variations are scopes of their own: what a search finds in each, and what it says about letters.

use pgndex::ingest::Lines as Indexed;
use pgndex::notation::{Language, Reading};

use super::World;
use super::clauses::{self, Clauses};
use super::twin::{Lines, Query};
use crate::support::{self, ANNOTATED, BY_ID, Random, VARIANTS, count, hits, sample, scratch};

const VARIANT_NAMES: [&str; 9] = [
    "standard",
    "chess960",
    "crazyhouse",
    "antichess",
    "atomic",
    "horde",
    "kingofthehill",
    "racingkings",
    "threecheck",
];

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
        let twice = vec![Query::Variant("chess960"), Query::Variant("chess960")];
        world.check_explore(&pos, Some(&Query::Or(twice)));
    }
    world.check(&Query::Variant("chess960"));
    world.check(&Query::Not(Box::new(Query::Variant("chess960"))));
}

#[test]
fn every_variant_is_searched_by_its_own_rules() {
    let dir = scratch();
    let drawn = support::games(11, 240, VARIANTS);
    let sources = [
        support::write(dir.path(), "drawn.pgn", drawn.concat()),
        sample("variants.pgn"),
    ];
    let world = World::of(dir, &sources, Indexed::WithVariations);
    let whole = |game: &&super::twin::Game| game.record["status"] == "ok";
    assert_eq!(world.games.len(), world.games.iter().filter(whole).count());
    support::sound(world.searcher.store().path());
    let mut random = Random::new(11);
    for variant in VARIANT_NAMES {
        let scoped =
            |lines, query| Query::And(vec![Query::Variant(variant), Query::In(lines), query]);
        let n_games = world.games.iter().filter(|g| g.variant == variant).count();
        assert!(n_games > 8, "{n_games} games of {variant}");
        let mut n_hits = 0;
        for pos in world.positions(&mut random, 16, variant) {
            for lines in [Lines::Main, Lines::Variations, Lines::All] {
                let position = scoped(lines, clauses::position("fen", &pos));
                n_hits += position.hits(&world.games).len();
                world.check(&position);
                world.check(&scoped(lines, clauses::board(&pos)));
                let filter = Query::And(vec![Query::Variant(variant), Query::In(lines)]);
                world.check_explore(&pos, Some(&filter));
            }
        }
        assert!(n_hits > 40, "{n_hits} hits in {variant}");
        let mut clauses = Clauses::of_variant(11, &world.games, variant);
        for _ in 0..20 {
            let n = 1 + clauses.random.below(3);
            let moves = clauses.moves(n);
            world.check(&scoped(Lines::Main, moves));
        }
    }
    // A board does not tell what lies beside it.
    let refused = world.searcher.count(
        "variant:crazyhouse board:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\"",
        Reading::default(),
    );
    let message = refused.expect_err("no pockets").to_string();
    assert!(message.contains("pockets"), "{message}");
}

#[test]
fn a_castling_rook_is_part_of_the_position_however_often_it_occurs() {
    let board = "1r1kr2r/p2pp2p/8/8/8/8/P2PP2P/1R1KR2R w";
    let game = |rights: &str| {
        format!(
            "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"{board} {rights} - 0 1\"]\n[Result \"1-0\"]\n\n1. a3 1-0\n\n"
        )
    };
    // So many that the index believes its list without a replay.
    let games = [game("EBeb").repeat(7), game("KQkq").repeat(9)].concat();
    let dir = scratch();
    let source = support::write(dir.path(), "rooks.pgn", games);
    let world = World::of(dir, &[source], Indexed::Main);
    for (rights, n) in [("EBeb", 7), ("EQeq", 7), ("HBhb", 9), ("KQkq", 9)] {
        let query = format!("variant:chess960 fen:\"{board} {rights} -\"");
        let counted = count(&world.searcher, &query);
        assert!(
            counted.starts_with(&format!("{{\"games\":{n},")),
            "{rights}: {counted}"
        );
        let fen = format!("{board} {rights} - 0 1");
        let explored = support::explore(&world.searcher, Some(&fen), Some("variant:chess960"));
        assert!(
            explored.contains(&format!("\"games\":{n},")),
            "{rights}: {explored}"
        );
    }
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
        language: Language::from_code("de"),
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
