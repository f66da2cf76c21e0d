//! The API of the Lichess opening explorer, over anybody's games: `/masters`, `/lichess`, `/player` and their relatives.
//!
//! Clients that know the original must not notice a difference, so this room follows its contract and not our own taste:
//! names of parameters, order of keys, castling as king takes rook. What is different, because the games are not
//! Lichess's, is written down in `docs/explorer-api.md`.

mod id;
mod request;
mod response;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use shakmaty::CastlingMode;

use crate::export::standard_pgn;
use crate::notation::PlayedMove;
use crate::replay::canonical_san;
use crate::search::{
    Continuations, GameAt, Results, Searcher, Selection, Wishes, opening_on, position_after,
};
use crate::server::Shared;
use crate::server::answer::{Answer, Desk, answer};
use crate::server::failure::Failure;
use crate::server::lichess::id::GameId;
use crate::server::lichess::request::{Node, RatingGroups, Request, TOP_RATING};
use crate::server::lichess::response::{
    Explored, Game, GameWithUci, HistoryCount, Move, MoveRatings,
};

/// Plies of each game that the database of online games knows.
const LICHESS_PLIES: u32 = 50;
/// Most games of each list.
const MASTERS_TOP: usize = 15;
const LICHESS_TOP: usize = 4;
const PLAYER_RECENT: usize = 8;
/// Most games of both lists of the database of online games together.
const LICHESS_GAMES: usize = 8;
/// Moves, unless the request says how many.
const USUAL_MOVES: usize = 12;

type Handler = State<Arc<Shared>>;

/// Answers; what is wrong with the request is said in plain text.
async fn reply(
    shared: Arc<Shared>,
    query: Option<String>,
    work: impl FnOnce(&Desk<'_>) -> Result<Answer, Failure> + Send + 'static,
) -> Response<Body> {
    let done = answer(shared, query, work).await;
    done.unwrap_or_else(|failure| {
        if !failure.is_bad_request() {
            return failure.response();
        }
        let text = format!("bad request: {}", failure.message());
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        );
        response
    })
}

pub(super) async fn masters(State(shared): Handler, RawQuery(query): RawQuery) -> Response<Body> {
    reply(shared, query, |desk| {
        let request = Request(desk.params);
        let selection = Selection {
            since: request.year("since")?.map(|year| year * 10_000 + 101),
            until: request.year("until")?.map(|year| year * 10_000 + 1231),
            ..Selection::default()
        };
        let n_moves = request.count("moves")?.unwrap_or(USUAL_MOVES);
        let n_top = request.count("topGames")?.unwrap_or(MASTERS_TOP);
        let node = request.node()?;
        let hall = Hall::new(desk, &node)?;
        let found = hall.ask(
            &selection,
            Wishes {
                n_top: n_top.min(MASTERS_TOP),
                ..Wishes::default()
            },
        )?;
        Answer::json(&Explored {
            top_games: Some(hall.games(&found.top, Kind::Masters)?),
            ..hall.explored(&found, n_moves, Kind::Masters)?
        })
    })
    .await
}

pub(super) async fn lichess(State(shared): Handler, RawQuery(query): RawQuery) -> Response<Body> {
    reply(shared, query, |desk| {
        let request = Request(desk.params);
        online(desk, request.flag("history")?, None)
    })
    .await
}

pub(super) async fn history(State(shared): Handler, RawQuery(query): RawQuery) -> Response<Body> {
    reply(shared, query, |desk| online(desk, true, Some(0))).await
}

/// The database of online games; with `most`, the number of moves and of games, whatever the request says.
fn online(desk: &Desk<'_>, history: bool, most: Option<usize>) -> Result<Answer, Failure> {
    let request = Request(desk.params);
    let groups = request.rating_groups()?;
    let until = request.month("until")?;
    let selection = Selection {
        most_plies: Some(LICHESS_PLIES),
        speeds: request.speeds()?,
        ratings: groups.as_ref().map(RatingGroups::ranges),
        since: request.month("since")?.map(|month| month * 100 + 1),
        until: until.map(|month| month * 100 + 31),
        ..Selection::default()
    };
    let n_moves = request.count("moves")?;
    let n_top = request
        .count("topGames")?
        .unwrap_or(LICHESS_TOP)
        .min(LICHESS_TOP);
    let n_recent = request.count("recentGames")?.unwrap_or(LICHESS_GAMES);
    let top_rating = groups.as_ref().map_or(Some(TOP_RATING), RatingGroups::top);
    let node = request.node()?;
    let hall = Hall::new(desk, &node)?;
    let found = hall.ask(
        &selection,
        Wishes {
            n_top: most.unwrap_or(if top_rating.is_some() { n_top } else { 0 }),
            top_rating: top_rating.unwrap_or_default(),
            n_recent: most.unwrap_or(n_recent.min(LICHESS_GAMES)),
            history,
        },
    )?;
    let n_recent = n_recent.min(LICHESS_GAMES - found.top.len());
    let recent = &found.recent[..n_recent.min(found.recent.len())];
    Answer::json(&Explored {
        recent_games: Some(hall.games(recent, Kind::Online)?),
        top_games: Some(hall.games(&found.top, Kind::Online)?),
        history: history.then(|| months(&found.history, until.is_none())),
        ..hall.explored(
            &found,
            most.or(n_moves).unwrap_or(USUAL_MOVES),
            Kind::Online,
        )?
    })
}

/// Counts by month without gaps. The last month is left out when nobody asked for an end: it is not over yet.
fn months(counts: &BTreeMap<u32, Results>, is_open: bool) -> Vec<HistoryCount> {
    let (Some((&first, _)), Some((&last, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return Vec::new();
    };
    let ordinal = |month: u32| month / 100 * 12 + month % 100 - 1;
    (ordinal(first)..ordinal(last) + u32::from(!is_open))
        .map(|ordinal| {
            let (year, month) = (ordinal / 12, ordinal % 12 + 1);
            let counts = counts
                .get(&(year * 100 + month))
                .copied()
                .unwrap_or_default();
            HistoryCount::new(year, month, counts)
        })
        .collect()
}

pub(super) async fn player(State(shared): Handler, RawQuery(query): RawQuery) -> Response<Body> {
    let mut response = reply(shared, query, |desk| {
        let request = Request(desk.params);
        let selection = Selection {
            speeds: request.speeds()?,
            modes: request.modes()?,
            since: request.month("since")?.map(|month| month * 100 + 1),
            until: request.month("until")?.map(|month| month * 100 + 31),
            player: Some(request.player()?),
            ..Selection::default()
        };
        let n_moves = request.count("moves")?.unwrap_or(usize::MAX);
        let n_recent = request.count("recentGames")?.unwrap_or(PLAYER_RECENT);
        let node = request.node()?;
        let hall = Hall::new(desk, &node)?;
        let found = hall.ask(
            &selection,
            Wishes {
                n_recent: n_recent.min(PLAYER_RECENT),
                ..Wishes::default()
            },
        )?;
        // Everything is indexed already, so there is one line and no queue.
        Answer::json_line(&Explored {
            recent_games: Some(hall.games(&found.recent, Kind::Player)?),
            queue_position: Some(0),
            ..hall.explored(&found, n_moves, Kind::Player)?
        })
    })
    .await;
    response.headers_mut().insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    response
}

pub(super) async fn masters_pgn(
    State(shared): Handler,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response<Body> {
    let done = answer(shared, query, move |desk| {
        let unknown = || Failure::not_found(String::new());
        let GameId { index, number } = id.parse().map_err(|()| unknown())?;
        let index = desk.shared.shelf.at(index).ok_or_else(unknown)?;
        let game = desk.opened(index).game(number)?.ok_or_else(unknown)?;
        Ok(Answer::pgn(standard_pgn(&game).into_bytes()))
    })
    .await;
    done.unwrap_or_else(|failure| {
        let mut response = failure.response();
        if response.status() == StatusCode::NOT_FOUND {
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(header::CONTENT_TYPE);
        }
        response
    })
}

/// Which of the three databases is asked; they show games and ratings in different ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Masters,
    Online,
    Player,
}

/// A position in an index.
struct Hall<'a> {
    node: &'a Node,
    searcher: Searcher,
    /// Place of the index on the shelf.
    place: usize,
}

impl<'a> Hall<'a> {
    fn new(desk: &Desk<'_>, node: &'a Node) -> Result<Hall<'a>, Failure> {
        Ok(Hall {
            node,
            searcher: desk.searcher()?,
            place: desk.index()?.0,
        })
    }

    fn ask(&self, selection: &Selection, wishes: Wishes) -> Result<Continuations, Failure> {
        let Node { pos, variant, .. } = self.node;
        Ok(self
            .searcher
            .continuations(pos, *variant, selection, wishes)?)
    }

    /// The parts of an answer that all three have.
    fn explored(
        &self,
        found: &Continuations,
        n_moves: usize,
        kind: Kind,
    ) -> Result<Explored, Failure> {
        let pos = &self.node.pos;
        let mut moves = Vec::new();
        for of_move in found.moves.iter().take(n_moves) {
            let played = PlayedMove::Move(of_move.played);
            let Some(after) = position_after(pos, played) else {
                continue;
            };
            moves.push(Move {
                uci: uci(of_move.played),
                san: canonical_san(pos, played, &after),
                ratings: match kind {
                    Kind::Player => MoveRatings::of_opponents(of_move),
                    Kind::Masters | Kind::Online => MoveRatings::of_movers(of_move),
                },
                white: of_move.results.white,
                draws: of_move.results.draws,
                black: of_move.results.black,
                game: of_move.game.map(|at| self.game(at, kind)).transpose()?,
                opening: opening_on(&[after], self.node.variant),
            });
        }
        Ok(Explored {
            white: found.results.white,
            draws: found.results.draws,
            black: found.results.black,
            moves,
            recent_games: None,
            top_games: None,
            opening: self.node.opening,
            queue_position: None,
            history: None,
        })
    }

    fn games(&self, games: &[GameAt], kind: Kind) -> Result<Vec<GameWithUci>, Failure> {
        let games = games.iter().map(|at| {
            Ok(GameWithUci {
                uci: uci(at.played),
                game: self.game(*at, kind)?,
            })
        });
        games.collect()
    }

    fn game(&self, at: GameAt, kind: Kind) -> Result<Game, Failure> {
        let summary = self.searcher.summary(at)?;
        let id = GameId {
            index: self.place,
            number: summary.address.id,
        };
        Ok(match kind {
            Kind::Masters => Game::of_masters(id, &summary),
            Kind::Online | Kind::Player => Game::online(id, &summary),
        })
    }
}

/// A move in UCI, castling as king takes rook whatever the variant.
fn uci(played: shakmaty::Move) -> String {
    played.to_uci(CastlingMode::Chess960).to_string()
}
