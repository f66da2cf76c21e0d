//! Where games come from: containers hold the games of the text in them, what is cut off is told and nothing else is
//! lost, and a source that comes again, or longer, adds only what is new.
//!
//! The twin of every import here is the plain text imported at once.

mod containers;
mod encodings;
mod rereads;
mod versions;

use std::io::Write;
use std::path::Path;

use pgndex::search::Searcher;
use serde_json::Value;

use crate::support::export;

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).expect("compressed");
    out.finish().expect("compressed")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut out = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    out.write_all(text).expect("compressed");
    out.finish().expect("compressed")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(text, 1).expect("compressed")
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut out = ::zip::ZipWriter::new(std::io::Cursor::new(&mut bytes));
    for (name, text) in members {
        out.start_file(*name, ::zip::write::SimpleFileOptions::default())
            .expect("a member");
        out.write_all(text).expect("a member");
    }
    out.finish().expect("an archive");
    bytes
}

/// All games of an index in the order of their sources and offsets, without their ids, and without the names of sources
/// where `named` is false.
fn exported(index: &Path, named: bool) -> Vec<Value> {
    let lines = export(&Searcher::open(index).expect("an index"));
    let mut games: Vec<Value> = lines
        .lines()
        .map(|line| {
            let mut game: Value = serde_json::from_str(line).expect("JSON");
            game["id"] = Value::Null;
            if !named {
                game["source"] = Value::Null;
            }
            game
        })
        .collect();
    games.sort_by_key(|game| (game["source"].to_string(), game["game"].as_u64()));
    games
}
