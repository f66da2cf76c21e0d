//! The answers of the explorer API, key by key in the order of the original.

use serde::Serialize;

use crate::model::date::DateSpan;
use crate::model::game_result::GameResult;
use crate::model::speed::Speed;
use crate::search::{GameSummary, Mode, MoveCount, Opening, Results};
use crate::server::lichess::id::GameId;

/// What was played from a position. Keys that only one of the databases has are left out by the others; `opening` is
/// there even when it is null.
///
/// ```json
/// {"white":1,"draws":0,"black":1,"moves":[],"topGames":[],"opening":{"eco":"D10","name":"Slav Defense"}}
/// ```
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Explored {
    pub(super) white: u64,
    pub(super) draws: u64,
    pub(super) black: u64,
    pub(super) moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recent_games: Option<Vec<GameWithUci>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_games: Option<Vec<GameWithUci>>,
    pub(super) opening: Option<Opening>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queue_position: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) history: Option<Vec<HistoryCount>>,
}

/// A move.
#[derive(Debug, Serialize)]
pub(super) struct Move {
    /// Castling as king takes rook.
    pub(super) uci: String,
    pub(super) san: String,
    #[serde(flatten)]
    pub(super) ratings: MoveRatings,
    pub(super) white: u64,
    pub(super) draws: u64,
    pub(super) black: u64,
    /// The game, if it is the only one.
    pub(super) game: Option<Game>,
    /// Name of exactly the position after the move.
    pub(super) opening: Option<Opening>,
}

/// Ratings of a move; 0 where nobody is rated, because typed clients want a number.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum MoveRatings {
    /// Of those who made it.
    #[serde(rename_all = "camelCase")]
    Movers { average_rating: u64 },
    /// Of the opponents of the player who made it, and his performance.
    #[serde(rename_all = "camelCase")]
    Opponents {
        average_opponent_rating: u64,
        performance: i64,
    },
}

/// A game in a list.
#[derive(Debug, Serialize)]
pub(super) struct GameWithUci {
    pub(super) uci: String,
    #[serde(flatten)]
    pub(super) game: Game,
}

/// A game.
#[derive(Debug, Serialize)]
pub(super) struct Game {
    id: GameId,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    black: Player,
    white: Player,
    /// 0 when it is not known.
    year: u32,
    month: Option<String>,
}

#[derive(Debug, Serialize)]
struct Player {
    name: String,
    rating: u16,
}

/// The games of a month.
#[derive(Debug, Serialize)]
pub(super) struct HistoryCount {
    month: String,
    white: u64,
    draws: u64,
    black: u64,
}

impl MoveRatings {
    pub(super) fn of_movers(of_move: &MoveCount) -> MoveRatings {
        MoveRatings::Movers {
            average_rating: of_move.average_rating.unwrap_or_default(),
        }
    }

    pub(super) fn of_opponents(of_move: &MoveCount) -> MoveRatings {
        MoveRatings::Opponents {
            average_opponent_rating: of_move.average_opponent_rating.unwrap_or_default(),
            performance: of_move.performance.unwrap_or_default(),
        }
    }
}

impl Game {
    /// A game of the masters database: nothing about speed and mode, and no month when that is not known.
    pub(super) fn of_masters(id: GameId, summary: &GameSummary) -> Game {
        let player = |name: &str, elo: Option<u16>| Player {
            name: name.to_owned(),
            rating: elo.unwrap_or_default(),
        };
        Game {
            id,
            winner: match summary.result {
                GameResult::White => Some("white"),
                GameResult::Black => Some("black"),
                GameResult::Draw | GameResult::Unknown => None,
            },
            speed: None,
            mode: None,
            black: player(&summary.black, summary.black_elo),
            white: player(&summary.white, summary.white_elo),
            year: summary.date.map_or(0, DateSpan::year),
            month: summary.date.and_then(month_name),
        }
    }

    /// A game of the others, where every key has a value: typed clients refuse an answer over one that has not.
    pub(super) fn online(id: GameId, summary: &GameSummary) -> Game {
        let game = Game::of_masters(id, summary);
        let of_year = || match game.year {
            0 => "????-??".to_owned(),
            year => format!("{year:04}-??"),
        };
        Game {
            speed: Some(speed_name(summary.speed)),
            mode: Some(mode_name(summary.mode.unwrap_or(USUAL_MODE))),
            month: Some(game.month.clone().unwrap_or_else(of_year)),
            ..game
        }
    }
}

impl HistoryCount {
    pub(super) fn new(year: u32, month: u32, counts: Results) -> HistoryCount {
        HistoryCount {
            month: format!("{year:04}-{month:02}"),
            white: counts.white,
            draws: counts.draws,
            black: counts.black,
        }
    }
}

/// The month of a date, when all days that it can mean are in one.
fn month_name(date: DateSpan) -> Option<String> {
    let month = date.first / 100;
    (month == date.last / 100).then(|| format!("{:04}-{:02}", month / 100, month % 100))
}

/// What games of no known speed are taken for: most archives that say nothing are of games over the board.
pub(super) const USUAL_SPEED: Speed = Speed::Classical;
/// What games of no known mode are taken for.
pub(super) const USUAL_MODE: Mode = Mode::Rated;

/// The name of a speed, which the original writes with a capital within.
pub(super) fn speed_name(speed: Speed) -> &'static str {
    match speed {
        Speed::Unknown => speed_name(USUAL_SPEED),
        Speed::UltraBullet => "ultraBullet",
        speed => speed.as_str(),
    }
}

pub(super) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Rated => "rated",
        Mode::Casual => "casual",
    }
}
