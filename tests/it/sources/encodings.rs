//! Archives in an encoding that has to be named: the text is read in it, and known again only when it is named again.

use pgndex::ingest::ImportOptions;

use super::exported;
use crate::support::{import_with, options, scratch, write};

#[test]
fn a_text_is_known_again_by_its_encoding() {
    let dir = scratch();
    let file = write(dir.path(), "a.pgn", b"[White \"\xb9koda\"]\n\n1. e4 *\n");
    let index = dir.path().join("index");
    let import = |label: Option<&str>| {
        let options = ImportOptions {
            encoding: label.map(|label| label.parse().expect("a label")),
            ..options(1)
        };
        let summary = import_with(&index, std::slice::from_ref(&file), &options);
        (summary.games, summary.unchanged)
    };
    assert_eq!(import(Some("iso-8859-2")), (1, 0));
    assert_eq!(import(Some("latin2")), (0, 1));
    assert_eq!(import(Some("windows-1250")), (1, 0));
    assert_eq!(import(None), (1, 0));
    assert_eq!(import(None), (0, 1));
    let games = exported(&index, true);
    let white: Vec<_> = games
        .iter()
        .map(|game| game["tags"]["White"].as_str().expect("a name"))
        .collect();
    assert_eq!(white, ["škoda", "ąkoda", "¹koda"]);
}

#[test]
fn a_lone_surrogate_is_told_of_and_leaves_the_letters_around_it() {
    let dir = scratch();
    let text: Vec<u8> = "[White \"M\u{fc}?x\"]\n\n1. e4 *\n"
        .encode_utf16()
        .map(|unit| {
            if unit == u16::from(b'?') {
                0xd800
            } else {
                unit
            }
        })
        .flat_map(u16::to_le_bytes)
        .collect();
    let file = write(dir.path(), "a.pgn", [&[0xff, 0xfe], &text[..]].concat());
    let index = dir.path().join("index");
    import_with(&index, &[file], &options(1));
    let games = exported(&index, false);
    assert_eq!(games[0]["tags"]["White"], "Mü\u{fffd}x");
}
