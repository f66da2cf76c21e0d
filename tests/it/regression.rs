//! Bugs that were, one test each, with the story above it. Those that were a matter of time alone (a megabyte of `[`, of
//! `1.`, of `x `, of different tags) have their inputs in `arbitrary_bytes`.

use pgndex::model::diagnostic::{Class, Note, Severity};
use pgndex::model::game_result::GameResult;
use pgndex::notation::Reading;
use pgndex::parse::header::read_header;
use pgndex::parse::{GameReader, RawGame, WordKind, read_games};
use pgndex::replay::{Replayed, Score, Scrutiny, Status, play_variations, replay};
use pgndex::split::split;
use shakmaty::{Color, Position};

fn replay_first(text: &str) -> (RawGame, Replayed, Score) {
    let mut game = read_games(text.as_bytes()).remove(0);
    let header = read_header(text.as_bytes(), &mut game);
    let mut score = Score::default();
    let replayed = replay(
        text.as_bytes(),
        &mut game,
        &header,
        Reading::default(),
        Scrutiny::Everything,
        &mut score,
    );
    (game, replayed, score)
}

fn places(notes: &[Note]) -> Vec<(Class, usize)> {
    notes.iter().map(|note| (note.class, note.offset)).collect()
}

// The splitter took a result or a move in the prose before the first game for the end of a game and cut there. The junk
// then was a chunk of its own: its note no longer belonged to the first game, so the report depended on the chunk size.
#[test]
fn a_result_in_the_prose_before_the_first_game_is_no_border() {
    let text = "White won 1-0\n[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let chunks: Vec<_> = split(text.as_bytes(), 1).collect();
    assert_eq!(chunks.len(), 2);
    let mut reader = GameReader::new(&text.as_bytes()[chunks[0].clone()], Reading::default());
    let mut game = RawGame::default();
    assert!(reader.read(&mut game));
    assert_eq!(places(&game.notes), [(Class::JunkText, 0)]);
}

// A run of junk gets one note. The termination marker did not end a run, so after `resigns 1-0` all moves up to the next
// tag were skipped without a word.
#[test]
fn moves_after_the_marker_are_noted_whatever_stood_before_it() {
    let text = "[Event \"a\"]\n\n1. e4 resigns 1-0 e5 2. Nf3\n";
    let games = read_games(text.as_bytes());
    let resigns = text.find("resigns").expect("junk");
    let moves = text.find("e5").expect("moves");
    assert_eq!(places(&games[0].notes), [(Class::MovesAfterMarker, moves)]);
    let unread: Vec<usize> = games[0]
        .words
        .iter()
        .filter(|word| word.kind == WordKind::Unread)
        .map(|word| word.start)
        .collect();
    assert_eq!(unread, [resigns]);
}

// A FEN with more pieces than a game can bring about is read, but passing the turn on such a board failed, and the failure
// was taken for a pass: the null move counted as a ply while the turn stayed where it was.
#[test]
fn a_null_move_passes_the_turn_on_an_overfull_board() {
    let fen = "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1";
    let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. -- Kd8 *\n");
    let (_, replayed, score) = replay_first(&text);
    let turns: Vec<Color> = score.positions.iter().map(Position::turn).collect();
    assert_eq!(turns, [Color::White, Color::Black, Color::White]);
    assert_eq!(replayed.plies, 2);
}

// Each `(` made a copy of two positions, so that two megabytes of them took more than half a gigabyte.
#[test]
fn variations_that_nest_without_end_are_cut() {
    let text = format!("[Event \"a\"]\n\n1. e4 {}\n", "(".repeat(200_000));
    let (mut game, replayed, _) = replay_first(&text);
    assert_eq!(replayed.plies, 1);
    let header = read_header(text.as_bytes(), &mut game);
    let lines = play_variations(text.as_bytes(), &game, &header, Reading::default());
    assert!((60_000..70_000).contains(&lines.len()), "{}", lines.len());
}

// A capture sign leaves a move open for its square (`Cc6 x Cd4`). A termination marker was taken for that square.
#[test]
fn a_marker_is_never_a_part_of_a_move() {
    let games = read_games(b"[Event \"a\"]\n\n1. e4 Nx *\n");
    assert_eq!(games[0].marker, Some(GameResult::Unknown));
}

// Whether a line begins after byte-order marks was found out by a function that called itself once for each.
#[test]
fn many_byte_order_marks_do_not_exhaust_the_stack() {
    let text = "\u{feff}".repeat(1_000_000) + "% 1-0\n[Event \"a\"]\n\n1. e4 *\n";
    let games = read_games(text.as_bytes());
    assert_eq!((games.len(), games[0].words.len()), (1, 1));
}

// The dots of a black move stood without a blank before it, and the whole word was junk: the move was lost, and what came
// after it was played for the other side.
#[test]
fn dots_before_a_move_are_no_part_of_it() {
    for dots in ["...", "... ", "..", "…", "… ", "1...", "1… "] {
        let text = format!("[Event \"a\"]\n\n1. e4 {{good}} 1. {dots}e5 2. Nf3 1-0\n");
        let (game, replayed, _) = replay_first(&text);
        assert_eq!((replayed.plies, game.notes.len()), (3, 0), "{dots}");
    }
}

// A termination marker without a blank before it made the last move of the game unreadable.
#[test]
fn a_marker_may_be_glued_to_the_last_move() {
    for (word, result) in [
        ("Nf31-0", GameResult::White),
        ("Nf3+0-1", GameResult::Black),
        ("Nf31/2-1/2", GameResult::Draw),
    ] {
        let (game, replayed, _) = replay_first(&format!("[Event \"a\"]\n\n1. e4 e5 2. {word}\n"));
        assert_eq!((replayed.plies, game.marker), (3, Some(result)), "{word}");
    }
}

// Games without tags were known by their move numbers alone, which PGN that is imported need not have.
#[test]
fn a_game_needs_neither_tags_nor_numbers() {
    let text = "e4 { a comment } *\nNf3 Nc6 e4 e5 Bc4 1-0\n\ne4 e5 Nf3 0-1\n";
    let plies: Vec<usize> = read_games(text.as_bytes())
        .iter()
        .map(|game| game.words.len())
        .collect();
    assert_eq!(plies, [1, 5, 3]);
    // Prose does not begin a game by naming a move.
    assert_eq!(
        read_games(b"e4 is best by test\nand e4 e5 is next\n").len(),
        0
    );
}

// A move in the wrong case, `nf6`, was junk, which is skipped: 2. e5 was then played for Black, and the game was whole with
// moves that nobody had made.
#[test]
fn a_move_in_the_wrong_case_ends_the_game_and_is_not_skipped() {
    for word in ["nf6", "NF6", "E6", "sf6"] {
        let text = format!("[Event \"a\"]\n\n1. e4 {word} 2. e5 1-0\n");
        let (_, replayed, _) = replay_first(&text);
        assert_eq!(replayed.plies, 1, "{word}");
    }
}

// Junk was noted together with the game after it. A text in which no game was found had none to go with, and its import
// ended without a word about what it had skipped.
#[test]
fn a_text_without_a_game_is_noted_as_junk() {
    let mut reader = GameReader::new(
        b"\nA game that was played in 1883.\n\nIt began with 1. e4 e5.\n",
        Reading::default(),
    );
    assert!(!reader.read(&mut RawGame::default()));
    assert_eq!(places(&reader.leftover_notes()), [(Class::JunkText, 1)]);
    let mut blank = GameReader::new(b"\n { a comment } \n; another\n", Reading::default());
    assert!(!blank.read(&mut RawGame::default()));
    assert_eq!(places(&blank.leftover_notes()), []);
}

// A move ended at a blank, so `Nc6<br` was one word: no move, and its game ended there. The standard makes the angle brackets
// tokens that end what stands before them (section 7). What is between them says nothing about the moves.
#[test]
fn markup_between_moves_is_noted_and_ends_no_game() {
    let text = "[A \"a\"]<br />[B \"b\"]<br /><br />1. e4<br>e5<br />2. Nf3 <i style=\"a: b; c\">Nc6</i> 3. O-O<br>\n";
    let (game, replayed, _) = replay_first(text);
    assert_eq!((game.tags.len(), replayed.plies), (2, 4));
    let words: Vec<_> = game.words.iter().map(|word| &text[word.range()]).collect();
    assert_eq!(words, ["e4", "e5", "Nf3", "Nc6", "O-O"]);
    let first = text.find("<br />").expect("markup");
    assert_eq!(places(&game.notes)[0], (Class::JunkText, first));
}

// The mark of a check was looked for as far as the next word, however many lines below: `0-0`, an empty line, `#`.
#[test]
fn a_check_sign_stands_on_the_line_of_its_move() {
    let words = |text: &str| {
        let game = read_games(text.as_bytes()).remove(0);
        let word = |word: &pgndex::parse::Word| text[word.range()].to_owned();
        game.words.iter().map(word).collect::<Vec<_>>()
    };
    assert_eq!(words("[A \"a\"]\n\n0-0 #\n"), ["0-0 #"]);
    assert_eq!(words("[A \"a\"]\n\n0-0\n#\n"), ["0-0"]);
    assert_eq!(words("[A \"a\"]\n\n0-0\n\n# \n#"), ["0-0"]);
    // What belongs to a move may be on the next line when the line was full, but not beyond an empty one.
    assert_eq!(
        words("[A \"a\"]\n\nPxP\r\ne.p. P-K4\n"),
        ["PxP\r\ne.p.", "P-K4"]
    );
    assert_eq!(
        words("[A \"a\"]\n\nPxP\r\n\r\ne.p. P-K4\n"),
        ["PxP", "P-K4"]
    );
}

// A game without a termination marker was read on into the next one when that had no tags: its moves were played here where
// they happened to be legal, and after a marker they were junk.
#[test]
fn numbers_that_begin_again_after_an_empty_line_begin_a_game() {
    let plies = |text: &str| {
        let games = read_games(text.as_bytes());
        games
            .iter()
            .map(|game| game.words.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        plies("[A \"a\"]\n\n1. e4 e5 {c}\n\n\n  1. d4 d5 2. c4\n"),
        [2, 3]
    );
    assert_eq!(
        plies("[A \"a\"]\n\n1. e4 e5 1-0\n\n1. d4 d5 *\n\n1. c4\n"),
        [2, 2, 1]
    );
    assert_eq!(plies("1.e4 e5\n\n1.d4 d5 0-1\n"), [2, 2]);
    // Not so in prose, within a line or a variation, for Black's move or another number.
    assert_eq!(plies("[A \"a\"]\n\n1. e4 e5 1-0\n\n1. e4 was good\n"), [2]);
    // Here the third `1.` is a word that is not understood, and ends the game.
    assert_eq!(plies("[A \"a\"]\n\n1. e4 1. e5\n1. Nf3\n"), [4]);
    assert_eq!(plies("[A \"a\"]\n\n1. e4 (\n\n1. d4 d5) e5\n"), [6]);
    assert_eq!(plies("[A \"a\"]\n\n1. e4\n\n1... e5\n\n2. Nf3 Nc6\n"), [4]);
}

// A score without tags was no game when its move numbers had no dots.
#[test]
fn a_score_without_tags_and_dots_is_a_game() {
    let games = read_games(b"1 d4 Cf6 2 Cf3 e6\n");
    assert_eq!((games.len(), games[0].words.len()), (1, 4));
    assert!(read_games(b"1 e4 was played in 2 games\n").is_empty());
}

// A bracket that begins no tag pair was skipped alone, and the number in `[Round 3]` or `[White-Elo "2000"]` began the movetext:
// the next tag was then that of another game, and this one had no moves.
#[test]
fn a_tag_that_breaks_the_grammar_ends_no_tag_section() {
    for (tag, n_tags) in [
        ("[White-Elo \"2000\"]", 2),
        ("[Round 3]", 3),
        ("[Date 2031.02.03]", 3),
    ] {
        let text = format!("[Event \"a\"]\n{tag}\n[White \"x\"]\n\n1. e4 e5 *\n");
        let games = read_games(text.as_bytes());
        assert_eq!(
            (games.len(), games[0].tags.len(), games[0].words.len()),
            (1, n_tags, 2),
            "{text}"
        );
        let at = text.find(tag).expect("the tag");
        assert_eq!(places(&games[0].notes)[0], (Class::TagMalformed, at));
    }
    // Moves in brackets are no tag.
    let game = read_games(b"[A \"a\"]\n\n[e4 e5 2. Nf3]\n").remove(0);
    assert_eq!(game.words.len(), 3);
}

// `1 - 0` was a move number, a sign and a move number: nothing was said, and the result was lost.
#[test]
fn a_result_may_have_blanks_between_its_signs() {
    for (text, want) in [
        ("[A \"a\"]\n\n1. e4 1 - 0\n", Some(GameResult::White)),
        ("[A \"a\"]\n\n1. e4 0 -1\n", Some(GameResult::Black)),
        ("[A \"a\"]\n\n1. e4 1 : 0\n", Some(GameResult::White)),
        ("[A \"a\"]\n\n1. e4 (1. d4 1 - 0) e5\n", None),
        ("[A \"a\"]\n\n1. e4 1 - 1\n", None),
        ("[A \"a\"]\n\n1. e4 1\n- 0\n", None),
    ] {
        let game = read_games(text.as_bytes()).remove(0);
        assert_eq!(game.marker, want, "{text}");
        let is_noted = places(&game.notes)
            .iter()
            .any(|(class, _)| *class == Class::ResultNonstandard);
        assert_eq!(is_noted, want.is_some(), "{text}");
    }
}

// The unbroken space of a web page was a letter, so that `1. e4\u{a0}e5` was one word and the game ended there.
#[test]
fn spaces_of_typography_are_blanks() {
    let unicode = "[A \"a\"]\n\n1.\u{a0}e4\u{a0}e5 2.\u{2009}Nf3\u{202f}Nc6\u{a0}1-0\n";
    let windows = b"[A \"M\xfcller\"]\n\n1.\xa0e4\xa0e5 2.\xa0\xa0Nf3 Nc6\xa01-0\n";
    for text in [unicode.as_bytes(), windows] {
        let game = read_games(text).remove(0);
        let words: Vec<_> = game.words.iter().map(|word| &text[word.range()]).collect();
        assert_eq!(words, [&b"e4"[..], b"e5", b"Nf3", b"Nc6"]);
        assert_eq!(game.marker, Some(GameResult::White));
    }
    // A byte of a letter is none: `à` is C3 A0.
    let game = read_games("[A \"a\"]\n\n1. e4 voil\u{e0}! e5\n".as_bytes()).remove(0);
    let moves = game.words.iter().filter(|word| word.kind == WordKind::Move);
    assert_eq!(moves.count(), 2);
}

// The semicolon of `&nbsp;` began a comment, and the moves after it were gone without a word.
#[test]
fn the_semicolon_of_an_entity_begins_no_comment() {
    let text = "[A \"a\"]\n\n1.&nbsp;e4&nbsp;e5 &#49; 2. Nf3 ; a comment\n Nc6 *\n\n[B \"b\"]\n\n1. d4 &amp; {\n[C \"c\"]\n} d5\n";
    let games = read_games(text.as_bytes());
    let n_moves: Vec<_> = games
        .iter()
        .map(|game| {
            let words = game.words.iter();
            words.filter(|word| word.kind == WordKind::Move).count()
        })
        .collect();
    assert_eq!(n_moves, [4, 2]);
    assert_eq!(split(text.as_bytes(), 1).count(), 2);
}

// `0.00`, the judgement of an engine, was a move number and a castling.
#[test]
fn a_judgement_is_no_castling() {
    let text = "[A \"a\"]\n\n1. Nf3 +0.25 Nf6 -0.10 2. g3 0.00 g6 0.5-0.5\n";
    let game = read_games(text.as_bytes()).remove(0);
    assert_eq!((game.words.len(), game.marker), (4, Some(GameResult::Draw)));
}

// A comment that lost its end hid the moves up to the end of the next one; the letter of a piece in a comment, in markup or
// in a font of its own left a pawn's move. The games went on with other moves, and all was well.
#[test]
fn what_may_hide_a_part_of_a_move_ends_the_game() {
    for (moves, plies) in [
        ("1. e4 {c e5 2. h3 {d} a6 3. g3 *", 1),
        ("1. e4 e5 2. Nf3 {x {y} Nc6 *", 3),
        ("1. e4 e5 2. {N}f3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. <N>f3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. <b>N</b>f3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. &#9816;f3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. $f3 Nc6 3. Bb5 *", 2),
        ("1. (e4 e5) 2. Nf3 Nc6 *", 0),
    ] {
        let text = format!("[A \"a\"]\n\n{moves}\n");
        let (game, replayed, _) = replay_first(&text);
        assert_eq!(
            (replayed.plies, replayed.status),
            (plies, Status::Partial),
            "{moves}"
        );
        assert!(
            game.notes
                .iter()
                .any(|note| note.severity == Severity::Error),
            "{moves}"
        );
    }
    // The numbers say that nothing is missing, or there is nothing to hide.
    for moves in [
        "1. e4 {c { d} e5 2. Nf3 *",
        "1. e4 e5 {N} 2. Nf3 *",
        "1. e4 {x} e5 2.<b>Nf3</b> *",
    ] {
        let text = format!("[A \"a\"]\n\n{moves}\n");
        let (_, replayed, _) = replay_first(&text);
        assert_eq!(
            (replayed.plies, replayed.status),
            (3, Status::Ok),
            "{moves}"
        );
    }
}

// A position in a tag of nearly the right name, or in a line without brackets, was junk, and the game began at the usual place.
#[test]
fn a_position_outside_its_tag_leaves_the_start_unknown() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for (start, is_read) in [
        (format!("[FEM \"{fen}\"]\n\n"), false),
        (format!("[InitialFEN \"{fen}\"]\n\n"), false),
        (format!("[SetUp \"1\"]\n[Position \"{fen}\"]\n\n"), false),
        (format!("FEN {fen}\n\n"), false),
        (format!("\n(FEN \"{fen}\") "), false),
        (format!("\n{{FEN: {fen}}} "), false),
        (format!("[CurrentPosition \"{fen}\"]\n\n"), true),
        (format!("\n{{later {fen}}} "), true),
        (
            "[InitialFEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n"
                .to_owned(),
            true,
        ),
    ] {
        let text = format!("[A \"a\"]\n{start}1. a3 a6 *\n");
        let (game, replayed, _) = replay_first(&text);
        assert_eq!(replayed.plies, if is_read { 2 } else { 0 }, "{start}");
        let told = game.notes.iter().any(|note| note.class == Class::StrayFen);
        assert_eq!(told, !is_read, "{start}");
    }
}
