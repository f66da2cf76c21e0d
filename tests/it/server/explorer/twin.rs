//! The slow twin of the explorer API: every game is replayed with shakmaty, and every count is made by looking at all of
//! them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shakmaty::fen::{Epd, Fen};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::server::client::Served;
use crate::support::{arg, pgndex};

/// A game as the twin knows it.
pub(super) struct Game {
    pub(super) id: u64,
    tags: BTreeMap<String, String>,
    pub(super) result: String,
    /// The position before each move, as an EPD, and the move as king takes rook.
    pub(super) steps: Vec<(String, String)>,
}

pub(super) fn epd(pos: &Chess) -> String {
    Epd::from_position(pos, EnPassantMode::Legal).to_string()
}

/// All games of the served index, read from the command line and replayed with shakmaty.
pub(super) fn games(served: &Served) -> Vec<Game> {
    let index = served.path("games.idx");
    let output = pgndex(&["export", arg(&index), "--format", "ndjson"])
        .output()
        .expect("the program runs");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let games = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let fen: Fen = record["start_fen"]
            .as_str()
            .expect("a FEN")
            .parse()
            .expect("a FEN");
        let mut pos: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a position");
        let mut steps = Vec::new();
        for uci in record["uci"].as_array().expect("moves") {
            let uci: UciMove = uci.as_str().expect("a move").parse().expect("UCI");
            let m = uci.to_move(&pos).expect("a legal move");
            steps.push((epd(&pos), m.to_uci(CastlingMode::Chess960).to_string()));
            pos.play_unchecked(m);
        }
        let tags = record["tags"].as_object().expect("tags").iter();
        Game {
            id: record["id"].as_u64().expect("a number"),
            tags: tags
                .map(|(k, v)| (k.clone(), v.as_str().expect("text").to_owned()))
                .collect(),
            result: record["result"].as_str().expect("text").to_owned(),
            steps,
        }
    });
    games.collect()
}

impl Game {
    pub(super) fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    pub(super) fn elo(&self, name: &str) -> u64 {
        let digits = self.tag(name).trim_end_matches('?');
        digits
            .parse()
            .ok()
            .filter(|elo| (1..=4000).contains(elo))
            .unwrap_or(0)
    }

    /// The last move that it played from a position within some plies.
    pub(super) fn last_move(&self, at: &str, most_plies: usize) -> Option<&str> {
        let steps = self.steps.iter().take(most_plies);
        steps
            .rev()
            .find(|(epd, _)| epd == at)
            .map(|(_, uci)| uci.as_str())
    }

    pub(super) fn month(&self) -> Option<&str> {
        let date = Some(self.tag("Date"))
            .filter(|date| !date.starts_with('?'))
            .unwrap_or(self.tag("UTCDate"));
        date.get(..7).filter(|month| !month.contains('?'))
    }
}

/// The counts of a node, move by move: white, draws, black, mean rating of the mover.
pub(super) fn counted(games: &[&Game], pos: &Chess, most_plies: usize) -> BTreeMap<String, Value> {
    let at = epd(pos);
    let mut moves: BTreeMap<String, ([u64; 3], Vec<u64>)> = BTreeMap::new();
    for game in games {
        let result = match game.result.as_str() {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => continue,
        };
        if let Some(uci) = game.last_move(&at, most_plies) {
            let (results, ratings) = moves.entry(uci.to_owned()).or_default();
            results[result] += 1;
            let elo = game.elo(if pos.turn().is_white() {
                "WhiteElo"
            } else {
                "BlackElo"
            });
            ratings.extend((elo > 0).then_some(elo));
        }
    }
    let row = |(uci, ([white, draws, black], ratings)): (String, ([u64; 3], Vec<u64>))| {
        let n = ratings.len() as u64;
        let mean = if n == 0 {
            0
        } else {
            (2 * ratings.iter().sum::<u64>() + n) / (2 * n)
        };
        let row = json!({"white": white, "draws": draws, "black": black, "averageRating": mean});
        (uci, row)
    };
    moves.into_iter().map(row).collect()
}

/// The same out of an answer.
pub(super) fn answered(answer: &Value) -> BTreeMap<String, Value> {
    let moves = answer["moves"].as_array().expect("moves").iter();
    let row = |m: &Value| {
        let keys = ["white", "draws", "black", "averageRating"];
        let row = keys.map(|key| (key.to_owned(), m[key].clone()));
        (
            m["uci"].as_str().expect("a move").to_owned(),
            Value::Object(row.into_iter().collect()),
        )
    };
    moves.map(row).collect()
}

/// The id of a game of the first index.
pub(super) fn id(number: u64) -> String {
    let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let digit = |place: u32| digits[(number / 62_u64.pow(place) % 62) as usize];
    (0..8).rev().map(digit).collect()
}
