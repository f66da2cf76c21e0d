//! The arrows of the architecture, held by a test: which room may import which, and where each outside crate lives.
//!
//! Text is searched, not syntax: a path that begins with `crate::` or with the name of an outside crate counts wherever
//! it stands, only comments are left out. That is enough, because nobody here renames a crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms in the order in which data flows. A room may import those of its own level and of levels before it.
const LEVELS: &[&[&str]] = &[
    &["error", "model", "notation"],
    &["source"],
    &["split"],
    &["parse"],
    &["replay"],
    &["index"],
    &["ingest"],
    &["search"],
    &["export"],
    &["server"],
    &["bin"],
];

/// Outside crates that have a home, and which rooms that is.
const HOMES: &[(&str, &[&str])] = &[
    ("memmap2", &["source"]),
    ("zstd", &["source", "index"]),
    ("flate2", &["source"]),
    ("bzip2", &["source"]),
    ("lzma_rust2", &["source"]),
    ("zip", &["source"]),
    ("sevenz_rust2", &["source"]),
    ("pgn_reader", &["parse"]),
    ("tantivy", &["index", "search"]),
    ("tantivy_query_grammar", &["search"]),
    ("tantivy_sstable", &["index"]),
    ("rayon", &["ingest", "search"]),
    ("axum", &["server"]),
    ("form_urlencoded", &["server"]),
    ("hyper", &["server"]),
    ("hyper_util", &["server"]),
    ("rust_embed", &["server"]),
    ("tokio", &["server"]),
    ("tower_http", &["server"]),
    ("anyhow", &["bin"]),
    ("clap", &["bin"]),
    ("comfy_table", &["bin"]),
    ("indicatif", &["bin"]),
];

/// Longest file, in lines, tests included.
const MAX_LINES: usize = 600;

/// A file of the crate.
struct SourceFile {
    /// Relative to `src/`.
    path: PathBuf,
    text: String,
}

impl SourceFile {
    /// The room: the folder or file right under `src/`. `lib.rs`, the table of contents, is in none.
    fn room(&self) -> Option<String> {
        let first = self.path.components().next()?.as_os_str().to_str()?;
        let room = first.strip_suffix(".rs").unwrap_or(first);
        (room != "lib").then(|| room.to_owned())
    }

    /// The lines with their numbers, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines.map(|(idx, line)| {
            (
                idx + 1,
                line.split_once("//").map_or(line, |(code, _)| code),
            )
        })
    }
}

fn source_files() -> Vec<SourceFile> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                files.push(SourceFile {
                    path: path.strip_prefix(&src).expect("a path in src").to_owned(),
                    text,
                });
            }
        }
    }
    assert!(files.len() > 30, "only {} files were found", files.len());
    files
}

fn level(room: &str) -> Option<usize> {
    LEVELS.iter().position(|rooms| rooms.contains(&room))
}

/// The identifiers that follow each `prefix` in a line, where `prefix` is not the end of a longer word.
fn after<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(prefix)
        .filter(move |(at, _)| !line[..*at].ends_with(is_word))
        .map(move |(at, _)| {
            let rest = &line[at + prefix.len()..];
            &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]
        })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The rooms that `use crate::{…}` names in one line.
fn grouped(line: &str) -> Vec<&str> {
    let Some((_, group)) = line.split_once("crate::{") else {
        return Vec::new();
    };
    let mut rooms = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                rooms.push(
                    group[start..at]
                        .trim()
                        .split(':')
                        .next()
                        .unwrap_or_default(),
                );
                start = at + 1;
            }
            _ => {}
        }
    }
    rooms
}

fn check(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_room_has_a_place_in_the_order() {
    let unknown = |file: &SourceFile| file.room().filter(|room| level(room).is_none());
    check(
        &source_files()
            .iter()
            .filter_map(unknown)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn imports_point_upstream() {
    let mut problems = Vec::new();
    for file in source_files() {
        let Some(room) = file.room() else { continue };
        for (number, line) in file.code() {
            for imported in after(line, "crate::")
                .chain(after(line, "pgndex::"))
                .chain(grouped(line))
            {
                // What is no room is an item of the crate's root: the error type, which everybody may name.
                let too_far = level(imported).is_some_and(|wanted| Some(wanted) > level(&room));
                if too_far && imported != "error" {
                    problems.push(format!(
                        "{}:{number}: {room} imports {imported}",
                        file.path.display()
                    ));
                }
            }
            // A file right under `src/` could leave its room by `super` alone; no file needs two of them.
            if line.contains("super::super") {
                problems.push(format!(
                    "{}:{number}: say crate:: instead of super::super",
                    file.path.display()
                ));
            }
        }
    }
    check(&problems);
}

#[test]
fn each_outside_crate_has_one_home() {
    let mut problems = Vec::new();
    for file in source_files() {
        let Some(room) = file.room() else { continue };
        for (number, line) in file.code() {
            for (name, homes) in HOMES {
                let prefix = format!("{name}::");
                let names_it =
                    after(line, &prefix).next().is_some() || line.trim() == format!("use {name};");
                if names_it && !homes.contains(&room.as_str()) {
                    problems.push(format!(
                        "{}:{number}: {name} lives in {homes:?}",
                        file.path.display()
                    ));
                }
            }
        }
    }
    check(&problems);
}

#[test]
fn every_file_says_what_it_holds_and_is_short_enough() {
    let mut problems = Vec::new();
    for SourceFile { path, text } in source_files() {
        if !text.starts_with("//!") && !text.starts_with("#![doc") {
            problems.push(format!("{}: begins without a //! header", path.display()));
        }
        let n_lines = text.lines().count();
        if n_lines > MAX_LINES {
            problems.push(format!(
                "{}: {n_lines} lines, {MAX_LINES} are the limit",
                path.display()
            ));
        }
    }
    check(&problems);
}

#[test]
fn names_are_found_where_they_stand() {
    let found = |line| {
        after(line, "crate::")
            .chain(grouped(line))
            .filter(|room| level(room).is_some())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("use crate::model::fen::read_fen;"), ["model"]);
    assert_eq!(
        found("pub(in crate::index) fn f(a: crate::parse::RawGame)"),
        ["index", "parse"]
    );
    assert_eq!(
        found("use crate::{model::{fen, date}, replay};"),
        ["model", "replay"]
    );
    assert_eq!(found("othercrate::parse"), Vec::<&str>::new());
}
