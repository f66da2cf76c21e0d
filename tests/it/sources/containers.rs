//! Compressed files, archives, pipes and directories of them.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use super::{bzip2, exported, gzip, zip, zstd};
use crate::support::{
    ANNOTATED, ODD, PLAIN, Random, arg, games, import_with, options, pgndex, scratch, sound, write,
};

#[test]
fn a_compressed_text_holds_the_games_of_the_text() {
    let dir = scratch();
    let text = [games(700, 40, ODD), games(701, 40, ANNOTATED)]
        .concat()
        .concat();
    let plain = dir.path().join("plain.idx");
    let source = write(dir.path(), "plain.pgn", &text);
    let wanted = import_with(&plain, &[source], &options(1));
    let mut random = Random::new(702);
    for (pack, name) in [
        (gzip as fn(&[u8]) -> Vec<u8>, "games.pgn.gz"),
        (bzip2, "games.pgn.bz2"),
        (zstd, "games.pgn.zst"),
    ] {
        // Members that end anywhere, also inside a game.
        let (mut packed, mut rest) = (Vec::new(), text.as_bytes());
        while !rest.is_empty() {
            let len = (1 + random.below(20_000)).min(rest.len());
            packed.extend(pack(&rest[..len]));
            rest = &rest[len..];
        }
        let source = write(dir.path(), name, &packed);
        let index = dir.path().join(format!("{name}.idx"));
        let summary = import_with(&index, std::slice::from_ref(&source), &options(2));
        assert_eq!(summary.bytes, wanted.bytes);
        assert!(exported(&index, false) == exported(&plain, false), "{name}");
        sound(&index);

        let before = fs::read(index.join("meta.json")).expect("a description");
        let again = import_with(&index, &[source], &options(2));
        assert_eq!((again.games, again.unchanged), (0, wanted.games), "{name}");
        assert!(fs::read(index.join("meta.json")).expect("a description") == before);

        // Packed otherwise it is the same text.
        let otherwise = write(dir.path(), name, pack(text.as_bytes()));
        let again = import_with(&index, &[otherwise], &options(2));
        assert_eq!((again.games, again.unchanged), (0, wanted.games), "{name}");
    }
}

/// The lines of a report that tell of a loss.
fn errors(report: &[Value]) -> impl Iterator<Item = &Value> {
    report.iter().filter(|line| line["severity"] == "error")
}

/// Runs an import and gives status, summary, report and what was said.
fn import(index: &Path, sources: &[&Path]) -> (Option<i32>, Value, Vec<Value>, String) {
    let report = index.with_extension("report");
    let mut args = vec!["import", arg(index)];
    args.extend(sources.iter().map(|source| arg(source)));
    args.extend(["--report", arg(&report), "--format", "json"]);
    let done = pgndex(&args).output().expect("the program runs");
    let report = fs::read_to_string(&report).expect("a report");
    let lines = report.lines().map(serde_json::from_str);
    (
        done.status.code(),
        serde_json::from_slice(&done.stdout).unwrap_or_default(),
        lines.collect::<Result<_, _>>().expect("lines of JSON"),
        String::from_utf8(done.stderr).expect("UTF-8"),
    )
}

#[test]
fn a_truncated_container_keeps_every_whole_game_before_the_cut_and_says_so() {
    let dir = scratch();
    let text = games(710, 60, PLAIN).concat();
    let plain = dir.path().join("plain.idx");
    let source = write(dir.path(), "plain.pgn", &text);
    import_with(&plain, &[source], &options(1));
    let wanted = exported(&plain, false);
    for (pack, name) in [
        (gzip as fn(&[u8]) -> Vec<u8>, "games.pgn.gz"),
        (bzip2, "games.pgn.bz2"),
        (zstd, "games.pgn.zst"),
    ] {
        let half = text.len() / 2;
        let packed = [
            pack(&text.as_bytes()[..half]),
            pack(&text.as_bytes()[half..]),
        ]
        .concat();
        let cut = pack(&text.as_bytes()[..half]).len() + 20;
        let source = write(dir.path(), name, &packed[..cut]);
        let index = dir.path().join(format!("{name}.idx"));
        let (code, summary, report, said) = import(&index, &[&source]);
        assert_eq!(code, Some(3), "{said}");
        assert_eq!(summary["cut_sources"], 1);
        let lines: Vec<_> = errors(&report).collect();
        assert_eq!(lines.len(), 1, "{report:?}");
        assert_eq!(lines[0]["class"], "truncated_container");
        assert_eq!(lines[0]["source"], arg(&source));
        assert!(
            said.contains("truncated_container") && said.contains("end too early"),
            "{said}"
        );
        let got = exported(&index, false);
        // The last one is what there is of the game that was cut.
        let n_whole = got.len() - 1;
        assert!((20..60).contains(&n_whole), "{name}: {n_whole} games");
        assert!(got[..n_whole] == wanted[..n_whole], "{name}");
        assert_eq!(lines[0]["game"], n_whole as u64);
        let moves = |game: &Value| game["uci"].as_array().expect("moves").clone();
        assert!(moves(&wanted[n_whole]).starts_with(&moves(&got[n_whole])));
        sound(&index);

        // The same damaged file again brings nothing, and is as damaged as before.
        let (code, summary, ..) = import(&index, &[&source]);
        assert_eq!((code, &summary["games"]), (Some(3), &Value::from(0)));
        // The whole one brings what was missing, and the whole of what was cut.
        fs::write(&source, &packed).expect("written");
        let (code, summary, _, said) = import(&index, &[&source]);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(summary["games"], 60 - n_whole);
        assert!(exported(&index, false) == wanted, "{name}");
        sound(&index);
    }
}

#[test]
fn a_word_that_the_cut_may_have_shortened_is_not_believed() {
    let dir = scratch();
    // Castling short is legal, but it was the beginning of castling long.
    let start = "[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n";
    let text = format!("[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n{start}1. Rb1 O-O");
    let packed = [gzip(text.as_bytes()), gzip(b"-O 2. Kf1 *\n")[..12].to_vec()].concat();
    let source = write(dir.path(), "games.pgn.gz", packed);
    let index = dir.path().join("games.idx");
    assert_eq!(import(&index, &[&source]).0, Some(3));
    let games = exported(&index, true);
    assert_eq!(games[1]["san"].as_array().expect("moves").len(), 1);
}

#[test]
fn members_of_an_archive_are_sources_of_their_own() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let [first, second, third] = [1, 2, 3].map(|i| games(720 + i, 12, PLAIN).concat());
    // An unclosed comment hides nothing of the next member.
    let unclosed = format!("{first}[Event \"x\"]\n\n1. e4 {{ no end");
    let archive = dir.path().join("a.zip");
    let packed = gzip(second.as_bytes());
    let members: &[(&str, &[u8])] = &[
        ("z.pgn", unclosed.as_bytes()),
        ("readme.txt", b"[Event \"none\"]\n\n1. e4 *\n"),
        ("b/B.PGN.gz", &packed),
    ];
    fs::write(&archive, zip(members)).expect("written");
    let (_, summary, ..) = import(&index, &[&archive]);
    assert_eq!(summary["games"], 25);
    let of = |member: &str| {
        let name = format!("{}/{member}", archive.display());
        let games = exported(&index, true);
        games.iter().filter(|game| game["source"] == *name).count()
    };
    assert_eq!((of("z.pgn"), of("b/B.PGN.gz")), (13, 12));

    // With one more member, only that one is new.
    let members = [members, &[("c.pgn", third.as_bytes())]].concat();
    fs::write(&archive, zip(&members)).expect("written");
    let (code, summary, ..) = import(&index, &[&archive]);
    assert_eq!(code, Some(0));
    assert_eq!(
        (&summary["games"], &summary["unchanged"]),
        (&Value::from(12), &Value::from(25))
    );
    let (_, summary, ..) = import(&index, &[&archive]);
    assert_eq!(
        (&summary["games"], &summary["unchanged"]),
        (&Value::from(0), &Value::from(37))
    );
    sound(&index);
}

/// Runs an import of standard input.
fn import_stdin(index: &Path, bytes: &[u8]) -> Value {
    let mut child = pgndex(&["import", arg(index), "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(bytes).expect("the pipe takes it");
    drop(stdin);
    let done = child.wait_with_output().expect("the program ends");
    serde_json::from_slice(&done.stdout).expect("a summary")
}

#[test]
fn standard_input_is_read_in_every_form_and_known_again() {
    let dir = scratch();
    let text = games(730, 4000, PLAIN).concat();
    let plain = dir.path().join("plain.idx");
    let source = write(dir.path(), "plain.pgn", &text);
    import_with(&plain, &[source], &options(2));
    let archive = zip(&[("a.pgn", text.as_bytes())]);
    for (i, packed) in [text.clone().into_bytes(), zstd(text.as_bytes()), archive]
        .iter()
        .enumerate()
    {
        let index = dir.path().join(format!("{i}.idx"));
        assert_eq!(import_stdin(&index, packed)["games"], 4000);
        assert!(exported(&index, false) == exported(&plain, false), "{i}");
        let again = import_stdin(&index, packed);
        assert_eq!(
            (&again["games"], &again["unchanged"]),
            (&Value::from(0), &Value::from(4000))
        );
        // A longer one adds what is new.
        if i < 2 {
            let more = games(731, 5, PLAIN).concat();
            let longer = [text.as_bytes(), more.as_bytes()].concat();
            let longer = if i == 0 { longer } else { zstd(&longer) };
            let again = import_stdin(&index, &longer);
            assert_eq!(
                (&again["games"], &again["unchanged"]),
                (&Value::from(5), &Value::from(4000))
            );
            assert_eq!(sound(&index).games, 4005);
        }
    }
}

#[test]
fn what_cannot_be_read_in_a_directory_stops_nothing_else() {
    let dir = scratch();
    let folder = dir.path().join("archive");
    fs::create_dir(&folder).expect("a directory");
    let [first, second] = [1, 2].map(|i| games(740 + i, 10, PLAIN).concat());
    write(&folder, "a.pgn", first);
    write(&folder, "b.pgn.gz", gzip(second.as_bytes()));
    write(&folder, "c.pgn.xz", b"\xfd7zXZ\0 and no more");
    write(&folder, "d.pgn", b"Rar!\x1a\x07\x01\0 and more");
    write(&folder, "e.7z", b"7z\xbc\xaf\x27\x1c\0\x04 and no more");
    let index = dir.path().join("games.idx");
    let (code, summary, report, said) = import(&index, &[&folder]);
    assert_eq!(
        (code, &summary["games"]),
        (Some(3), &Value::from(20)),
        "{said}"
    );
    assert_eq!(summary["cut_sources"], 3, "{said}");
    let classes: Vec<_> = errors(&report)
        .map(|line| line["class"].as_str().expect("a class"))
        .collect();
    assert_eq!(
        classes
            .iter()
            .filter(|class| **class == "truncated_container")
            .count(),
        2,
        "{classes:?}"
    );
    assert!(classes.contains(&"unsupported_container"), "{classes:?}");
    // Alone it is an error.
    let (code, _, report, said) = import(&dir.path().join("none.idx"), &[&folder.join("d.pgn")]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("unsupported_container") && said.contains("RAR"),
        "{said}"
    );
    assert_eq!(report[0]["class"], "unsupported_container");
}

// A link that led nowhere, or a file without permission, ended the import of the whole directory.
#[cfg(unix)]
#[test]
fn what_cannot_be_opened_in_a_directory_stops_nothing_else() {
    let dir = scratch();
    let folder = dir.path().join("archive");
    fs::create_dir(&folder).expect("a directory");
    write(&folder, "a.pgn", games(760, 10, PLAIN).concat());
    let broken = folder.join("b.pgn");
    std::os::unix::fs::symlink("nowhere", &broken).expect("a link");
    write(&folder, "c.pgn", games(761, 10, PLAIN).concat());
    let index = dir.path().join("games.idx");
    let (code, summary, report, said) = import(&index, &[&folder]);
    assert_eq!(
        (code, &summary["games"], &summary["cut_sources"]),
        (Some(3), &Value::from(20), &Value::from(1)),
        "{said}"
    );
    let lost: Vec<_> = errors(&report)
        .map(|line| (line["class"].as_str(), line["source"].as_str()))
        .collect();
    let class = Some("unsupported_container");
    assert_eq!(lost, [(class, broken.to_str())]);
    assert!(said.contains("b.pgn"), "{said}");
    // The rest is known the next time, and the link is still broken.
    let (code, summary, ..) = import(&index, &[&folder]);
    assert_eq!((code, &summary["unchanged"]), (Some(3), &Value::from(20)));
    // Alone, or named, it is an error.
    for sources in [&[&*broken][..], &[&folder, &broken]] {
        let (code, _, _, said) = import(&dir.path().join("none.idx"), sources);
        assert_eq!(code, Some(2), "{said}");
    }
}

// An archive in an archive was left out without a word.
#[test]
fn an_archive_in_an_archive_is_reported_and_the_rest_is_read() {
    let dir = scratch();
    let inner = zip(&[("b.pgn", games(770, 5, PLAIN).concat().as_bytes())]);
    let text = games(771, 10, PLAIN).concat();
    let outer = zip(&[
        ("x/in.ZIP", &inner),
        ("a.pgn", text.as_bytes()),
        ("c.txt", b"x"),
    ]);
    let source = write(dir.path(), "outer.zip", outer);
    let (code, summary, report, said) = import(&dir.path().join("games.idx"), &[&source]);
    assert_eq!(
        (code, &summary["games"], &summary["cut_sources"]),
        (Some(3), &Value::from(10), &Value::from(1)),
        "{said}"
    );
    let lost: Vec<_> = errors(&report).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0]["class"], "unsupported_container");
    assert!(said.contains("in.ZIP"), "{said}");
}

#[test]
fn convert_reads_compressed_files() {
    let dir = scratch();
    let source = write(dir.path(), "a.pgn.gz", gzip(b"[Event \"x\"]\n\n1. Nf3 *\n"));
    let done = pgndex(&["convert", arg(&source), "--to", "figurine"])
        .output()
        .expect("the program runs");
    assert_eq!(
        String::from_utf8(done.stdout).expect("UTF-8"),
        "[Event \"x\"]\n\n1. ♘f3 *\n"
    );
}
