//! A game as PGN of one shape, whatever shape it came in: the seven tags and the ratings, canonical SAN, nothing else.
//!
//! This is what the masters database of Lichess gives out, and what its clients compare and parse.

use std::fmt::Write as _;

use shakmaty::Position;

use crate::model::fen::write_fen;
use crate::model::variant::Variant;
use crate::search::StoredGame;

/// Tags that every game has, and what stands there when it has not.
const TAGS: [(&str, &str); 9] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
    ("WhiteElo", "?"),
    ("BlackElo", "?"),
];

/// Tags, a blank line, the moves on one line. A game from a position of its own has three more tags, without which its
/// moves could not be read.
pub fn standard_pgn(game: &StoredGame) -> String {
    let mut pgn = String::new();
    for (name, absent) in TAGS {
        let value = match name {
            "Result" => game.header().result.as_str().to_owned(),
            _ => game
                .tag(name)
                .filter(|value| !value.trim().is_empty())
                .unwrap_or_else(|| absent.to_owned()),
        };
        write_tag(&mut pgn, name, &value);
    }
    let positions = &game.score().positions;
    if let Some(start) = positions
        .first()
        .filter(|_| game.header().fen_tag.is_some())
    {
        if game.replayed().variant != Variant::Standard {
            write_tag(&mut pgn, "Variant", game.replayed().variant.as_str());
        }
        write_tag(&mut pgn, "SetUp", "1");
        write_tag(&mut pgn, "FEN", &write_fen(start));
    }
    pgn.push('\n');
    for (ply, (san, before)) in game.score().san.iter().zip(positions).enumerate() {
        // Writing to a string cannot fail.
        if before.turn().is_white() {
            let _ = write!(pgn, "{}. ", before.fullmoves());
        } else if ply == 0 {
            let _ = write!(pgn, "{}... ", before.fullmoves());
        }
        let _ = write!(pgn, "{san} ");
    }
    pgn.push_str(game.header().result.as_str());
    pgn.push('\n');
    pgn
}

fn write_tag(pgn: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let _ = writeln!(pgn, "[{name} \"{value}\"]");
}
