//! The language of queries, clause by clause: what operators, dates and tags mean, and what is wrong with a bad one.

use pgndex::Error;
use pgndex::index::{IndexStore, verify};
use pgndex::ingest::Lines as Indexed;
use pgndex::notation::Reading;
use shakmaty::variant::VariantPosition;

use super::World;
use super::clauses::{self, Clauses};
use crate::support::{self, BY_ID, count, hits, sample, scratch};

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
        (
            format!("NOT ({a} plies:>40)"),
            format!("((NOT {a}) OR (NOT plies:>40))"),
        ),
        (
            "NOT event:\"casual game\"".to_owned(),
            "(* AND (NOT event:\"casual game\"))".to_owned(),
        ),
        (
            "player:\"von barde\"*".to_owned(),
            "player:\"von bardeleben\"".to_owned(),
        ),
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
        clauses::position("fen", &VariantPosition::default()),
        clauses::board(&VariantPosition::default()),
        clauses.number(),
    ] {
        world.check(&query);
    }
    world.check_explore(&VariantPosition::default(), None);
    assert!(hits(&world.searcher, "", BY_ID, 0, 10).is_empty());
}
