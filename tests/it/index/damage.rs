//! A damaged index gives an error or the right answer, never a wrong answer and never a panic (law 7); `verify` finds
//! all damage.
//!
//! One byte of one file is changed, or a file is cut, and a fixed set of questions is asked: one at least for each table,
//! column and list that searches read. Small files are changed at every byte, larger ones here and there; with
//! `PGNDEX_DAMAGE=all` at every byte too, which takes a few minutes.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use pgndex::export::write_ndjson;
use pgndex::index::verify;
use pgndex::ingest::Lines;
use pgndex::notation::Reading;
use pgndex::search::{Consent, Explorer, Searcher, SortOrder, remove};
use serde_json::Value;

use crate::support::{ANNOTATED, BY_ID, ODD, Random, games, index_of, json, scratch, sound};

/// Most places at which one file is changed.
const MOST_CHANGES: usize = 160;

/// Queries, and how their hits are sorted.
const QUESTIONS: [(&str, &str); 15] = [
    (
        "fen:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"",
        "id",
    ),
    ("line:\"1. a3 h5 2. a4\"", "id"),
    (
        "board:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\"",
        "-plies",
    ),
    ("move:h5", "-date"),
    ("moves:\"Nf3 Nf6\"", "mean_elo"),
    ("in:all move:Nc3", "eco"),
    ("white:kestrel", "white_elo"),
    ("player:\"van der\"", "black_elo"),
    ("white:m*", "id"),
    ("event.raw:\"Berg Open\"", "id"),
    ("elo:[2400 TO 2700] OR mean_elo:<2000", "id"),
    ("date:1999 OR eco:B9 OR speed:blitz", "id"),
    ("result:1-0 plies:>20 status:partial", "id"),
    ("id:[3 TO 5]", "id"),
    ("variant:chess960", "id"),
];

type Answers = Vec<Result<String, String>>;

/// Answers to all questions, each on its own.
fn ask(index: &Path) -> Answers {
    let searcher = match Searcher::open(index) {
        Ok(searcher) => searcher,
        Err(e) => return vec![Err(e.to_string()); QUESTIONS.len() + 3],
    };
    let mut answers: Answers = QUESTIONS
        .iter()
        .map(|(query, sort)| {
            let sort: SortOrder = sort.parse().expect("an order");
            let count = searcher.count(query, Reading::default())?;
            let hits = searcher.hits(query, Reading::default(), sort, 0, 6)?;
            let hits = hits.collect::<pgndex::Result<Vec<_>>>()?;
            Ok(json(&(count, hits)))
        })
        .map(|answer: pgndex::Result<String>| answer.map_err(|e| e.to_string()))
        .collect();
    for question in [
        Explorer::default(),
        Explorer {
            play: Some("a3"),
            filter: Some("in:all elo:>1"),
            ..Explorer::default()
        },
    ] {
        answers.push(
            searcher
                .explore(&question)
                .map(|answer| json(&answer))
                .map_err(|e| e.to_string()),
        );
    }
    let all = || {
        let mut out = Vec::new();
        let mut games = searcher.hits("*", Reading::default(), BY_ID, 0, usize::MAX)?;
        while let Some(game) = games.next_game()? {
            write_ndjson(game, &mut out).expect("memory");
        }
        Ok(String::from_utf8(out).expect("UTF-8"))
    };
    answers.push(all().map_err(|e: pgndex::Error| e.to_string()));
    answers
}

/// Drawn games, and so many short ones that the start position has a list with sums.
fn index(dir: &Path) -> PathBuf {
    let mut text = games(500, 10, ODD).concat() + &games(501, 6, ANNOTATED).concat();
    for i in 0..250 {
        text += &format!(
            "[White \"{i}\"]\n\n1. a3 h5 2. {} *\n\n",
            if i % 90 == 1 { "a4" } else { "h4" }
        );
    }
    index_of(dir, &text, Lines::WithVariations)
}

/// Ways to damage a file of some bytes, each with its name.
fn damages(bytes: &[u8], random: &mut Random) -> Vec<(String, Vec<u8>)> {
    let mut damages = Vec::new();
    let everything = std::env::var("PGNDEX_DAMAGE").is_ok_and(|value| value == "all");
    let step = if everything {
        1
    } else {
        bytes.len().div_ceil(MOST_CHANGES).max(1)
    };
    for at in (0..bytes.len()).step_by(step) {
        // One bit, as memory and disks do it; somewhere within the step.
        let (at, bit) = (
            (at + random.below(step)).min(bytes.len() - 1),
            1 << random.below(8),
        );
        let mut changed = bytes.to_vec();
        changed[at] ^= bit;
        let near = &bytes[at.saturating_sub(12)..(at + 12).min(bytes.len())];
        let near = String::from_utf8_lossy(near).replace(|c: char| c.is_control(), " ");
        damages.push((format!("byte {at} with {bit:#04x} near `{near}`"), changed));
    }
    for len in [
        0,
        1,
        3,
        4,
        7,
        8,
        15,
        bytes.len() / 2,
        bytes.len().saturating_sub(20),
        bytes.len().saturating_sub(1),
    ] {
        if len < bytes.len() {
            damages.push((
                format!("cut to {len} of {}", bytes.len()),
                bytes[..len].to_vec(),
            ));
        }
    }
    damages
}

fn file_names(index: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(index)
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter(|name| !name.ends_with(".lock"))
        .collect();
    names.sort();
    names
}

/// What is wrong with how the index deals with damage to some of its files, by file.
fn problems(wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<String>> {
    let dir = scratch();
    let index = index(dir.path());
    problems_of(&index, wanted)
}

fn problems_of(index: &Path, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<String>> {
    sound(index);
    let right = ask(index);
    assert!(right.iter().all(Result::is_ok), "{right:?}");
    let mut random = Random::new(500);
    let mut problems: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in file_names(index).into_iter().filter(|name| wanted(name)) {
        let path = index.join(&name);
        let bytes = fs::read(&path).expect("a file");
        let mut say = |problem: String| problems.entry(name.clone()).or_default().push(problem);
        for (damage, changed) in damages(&bytes, &mut random) {
            fs::write(&path, &changed).expect("a file is written");
            match catch_unwind(AssertUnwindSafe(|| ask(index))) {
                Err(_) => say(format!("{damage}: a panic")),
                Ok(answers) => {
                    for (i, (found, right)) in answers.iter().zip(&right).enumerate() {
                        if found.is_ok() && found != right {
                            let question = QUESTIONS
                                .get(i)
                                .map_or("statistics or export", |(query, _)| query);
                            say(format!("{damage}: a wrong answer to {question}"));
                        }
                    }
                }
            }
            match catch_unwind(AssertUnwindSafe(|| verify(index, |_| ()))) {
                Err(_) => say(format!("{damage}: a panic of verify")),
                Ok(Ok(_)) if !is_insignificant(&name, &bytes, &changed) => {
                    say(format!("{damage}: verify is content"))
                }
                Ok(_) => {}
            }
        }
        fs::write(&path, &bytes).expect("a file is written");
    }
    sound(index);
    problems
}

/// Whether a change means nothing to anybody: white space of JSON and what [`without_defaults`] drops; a stranger in the
/// list of files for the garbage collector; the version of tantivy in the footer of its files, which no checksum covers.
fn is_insignificant(name: &str, before: &[u8], after: &[u8]) -> bool {
    // As tantivy reads its list of files, in which bytes that are no UTF-8 make a name strange and no error.
    let json = |bytes: &[u8]| serde_json::from_str::<Value>(&String::from_utf8_lossy(bytes)).ok();
    match name {
        ".managed.json" => {
            let (Some(Value::Array(before)), Some(Value::Array(after))) =
                (json(before), json(after))
            else {
                return false;
            };
            // `meta.json` stands there too, but is never thought of as garbage.
            let mut segments = before.iter().filter(|file| **file != "meta.json");
            segments.all(|file| after.contains(file))
        }
        "meta.json" => json(before).map(without_defaults) == json(after).map(without_defaults),
        _ => {
            let parts = |bytes: &[u8]| {
                let body = bytes.windows(11).rposition(|w| w == b"{\"version\":")?;
                let end = bytes.iter().rposition(|&b| b == b'}')? + 1;
                let footer = json(&bytes[body..end])?;
                Some((bytes[..body].to_vec(), footer["crc"].clone()))
            };
            parts(before) == parts(after)
        }
    }
}

/// The same JSON without what may change unnoticed: keys whose value is what their absence means, the number of the
/// commit, the case of a segment's id, and the punctuation of the compression's name.
fn without_defaults(json: Value) -> Value {
    let kept = |(key, value): (String, Value)| match (key.as_str(), value) {
        (_, Value::Bool(false) | Value::Null) | ("opstamp", _) => None,
        ("segment_id" | "docstore_compression", Value::String(text)) => {
            let text: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
            Some((key, text.to_lowercase().into()))
        }
        (_, value) => Some((key, without_defaults(value))),
    };
    match json {
        Value::Object(map) => map.into_iter().filter_map(kept).collect(),
        Value::Array(items) => items.into_iter().map(without_defaults).collect(),
        other => other,
    }
}

#[track_caller]
fn check(problems: &BTreeMap<String, Vec<String>>) {
    let mut text = String::new();
    for (name, problems) in problems {
        text += &format!(
            "\n{name}: {} problems\n  {}",
            problems.len(),
            problems.join("\n  ")
        );
    }
    assert!(problems.is_empty(), "{text}");
}

#[test]
fn damage_to_our_tables_is_an_error() {
    check(&problems(|name| {
        [".games", ".positions", ".moves"]
            .iter()
            .any(|end| name.ends_with(end))
    }));
}

#[test]
fn damage_to_the_description_is_an_error() {
    check(&problems(|name| name.ends_with(".json")));
}

#[test]
fn damage_after_a_removal_is_an_error() {
    let dir = scratch();
    let index = index(dir.path());
    let removal = remove(&index, "id:1 OR id:20", Reading::default(), Consent::All);
    assert_eq!(removal.expect("a removal").games, 2);
    assert!(
        file_names(&index).iter().any(|name| name.ends_with(".del")),
        "games are marked"
    );
    check(&problems_of(&index, |name| {
        name.ends_with(".del") || name == "meta.json"
    }));
    // A list of deletions that is gone does not bring back what was removed.
    for name in file_names(&index) {
        if name.ends_with(".del") {
            fs::remove_file(index.join(name)).expect("it goes");
        }
    }
    assert!(Searcher::open(&index).is_err());
    assert!(verify(&index, |_| ()).is_err());
}

#[test]
fn damage_to_the_tables_of_tantivy_is_an_error() {
    check(&problems(|name| {
        [".store", ".fast", ".term", ".idx", ".pos", ".fieldnorm"]
            .iter()
            .any(|end| name.ends_with(end))
    }));
}
