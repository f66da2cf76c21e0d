//! pgndex's own API: what the command line answers, over HTTP. `openapi.json` describes it.

use std::sync::Arc;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderValue, Response, header};
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::export::{GameTree, convert, every_notation};
use crate::model::fen::{FenUse, read_fen, write_fen};
use crate::model::playable::start_of;
use crate::notation::{Form, Language, read, without_move_number};
use crate::search::{
    Explorer, Hit, HitCount, PositionView, SortKey, SortOrder, StoredGame, position_after,
};
use crate::server::Shared;
use crate::server::answer::{Answer, Desk, answer};
use crate::server::failure::Failure;

/// Hits in an answer, unless the request says how many.
const USUAL_HITS: usize = 20;
/// Most hits in an answer: each is a game that is read and replayed.
const MOST_HITS: usize = 200;
/// Most bytes of a body, which is a game that somebody pasted.
const MOST_BODY_BYTES: usize = 1 << 20;

type Reply = Response<Body>;
type Handler = State<Arc<Shared>>;

/// Answers in JSON, also when something is wrong.
async fn json(
    shared: Arc<Shared>,
    query: Option<String>,
    work: impl FnOnce(&Desk<'_>) -> Result<Answer, Failure> + Send + 'static,
) -> Reply {
    let done = answer(shared, query, work).await;
    done.unwrap_or_else(|failure| failure.response())
}

#[derive(Serialize)]
struct IndexSummary<'a> {
    name: &'a str,
    games: u64,
    plies: u64,
}

pub(super) async fn indexes(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let indexes = desk.shared.shelf.iter().map(|index| {
            let searcher = desk.opened(index);
            let manifest = searcher.store().manifest();
            IndexSummary {
                name: index.name(),
                games: manifest.n_games,
                plies: manifest.n_plies,
            }
        });
        Answer::json(&indexes.collect::<Vec<_>>())
    })
    .await
}

#[derive(Serialize)]
struct SearchAnswer {
    count: HitCount,
    /// How ambiguous letters were read.
    readings: Vec<String>,
    hits: Vec<Hit>,
}

pub(super) async fn search(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let params = desk.params;
        let by_id = SortOrder {
            key: SortKey::Id,
            descending: false,
        };
        let sort = params.parsed("sort")?.unwrap_or(by_id);
        let limit = params.number("limit", MOST_HITS)?.unwrap_or(USUAL_HITS);
        let offset = params.number("offset", u32::MAX as usize)?.unwrap_or(0);
        let (notation, reading) = (params.notation()?, params.reading()?);
        let asked = params.get("q").unwrap_or_default();
        let searcher = desk.searcher()?;
        let (count, mut hits) = searcher.page(asked, reading, sort, offset, limit)?;
        hits.notation = notation;
        Answer::json(&SearchAnswer {
            count,
            readings: std::mem::take(&mut hits.notes),
            hits: hits.collect::<Result<_, _>>()?,
        })
    })
    .await
}

pub(super) async fn explore(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let params = desk.params;
        Answer::json(&desk.searcher()?.explore(&Explorer {
            fen: params.get("fen"),
            play: params.get("play"),
            filter: params.get("filter"),
            reading: params.reading()?,
            notation: params.notation()?,
        })?)
    })
    .await
}

pub(super) async fn game(
    State(shared): Handler,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply {
    json(shared, query, move |desk| {
        let notation = desk.params.notation()?;
        let game = stored(desk, &id)?;
        let tree = GameTree::of(&game, notation)
            .ok_or_else(|| Failure::internal("a stored game holds no game"))?;
        Answer::json(&tree)
    })
    .await
}

pub(super) async fn game_pgn(
    State(shared): Handler,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Reply {
    json(shared, query, move |desk| {
        let notation = desk.params.notation()?;
        let game = stored(desk, &id)?;
        Ok(Answer::pgn(match notation {
            Some(to) => convert(game.bytes(), game.reading(), to).bytes,
            None => game.bytes().to_vec(),
        }))
    })
    .await
}

/// The game with the number that stands in the address.
fn stored(desk: &Desk<'_>, id: &str) -> Result<StoredGame, Failure> {
    let number = id
        .parse()
        .map_err(|_| Failure::bad_request(format!("`{id}` is no number of a game")))?;
    desk.searcher()?
        .game(number)?
        .ok_or_else(|| Failure::not_found(format!("there is no game {number}")))
}

pub(super) async fn one_move(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let params = desk.params;
        let text = params.required("text")?;
        let (reading, variant) = (params.reading()?, params.variant()?);
        let pos = match params.get("fen") {
            None => start_of(variant),
            Some(fen) => {
                let read =
                    read_fen(fen, variant, FenUse::Tag).map_err(|reason| Error::Position {
                        class: "bad_fen",
                        message: format!("`{}`: {reason}", fen.trim()),
                    })?;
                read.pos
            }
        };
        let bad = |class: &'static str, reason: &dyn std::fmt::Display| Error::Position {
            class,
            message: format!("`{text}`: {reason}"),
        };
        let played =
            read(without_move_number(text), &pos, reading).map_err(|e| bad(e.class(), &e))?;
        let after = position_after(&pos, played)
            .ok_or_else(|| bad("illegal_move", &"a null move in check or after the end"))?;
        let mut move_text = every_notation(&pos, played);
        move_text.insert("fen".to_owned(), Value::from(write_fen(&after)));
        Answer::json(&move_text)
    })
    .await
}

/// A notation that moves can be shown in.
#[derive(Serialize)]
struct NotationName {
    code: &'static str,
    name: &'static str,
    kind: &'static str,
}

pub(super) async fn notations(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |_| {
        let forms = Form::ALL.into_iter().map(|form| NotationName {
            code: form.name(),
            name: form.title(),
            kind: "form",
        });
        let languages = Language::all().map(|language| NotationName {
            code: language.code(),
            name: language.name(),
            kind: "language",
        });
        Answer::json(&forms.chain(languages).collect::<Vec<_>>())
    })
    .await
}

pub(super) async fn position(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let params = desk.params;
        Answer::json(&PositionView::new(
            params.get("fen"),
            params.variant()?,
            params.get("play").unwrap_or_default(),
            params.reading()?,
            params.notation()?,
        )?)
    })
    .await
}

pub(super) async fn read_pgn(
    State(shared): Handler,
    RawQuery(query): RawQuery,
    request: Request,
) -> Reply {
    // A length that is only claimed need not be waited for.
    if request.body().size_hint().lower() > MOST_BODY_BYTES as u64 {
        return Failure::body_too_large().response();
    }
    // A body that comes slowly or never ends is given as long as any answer, and no more.
    let body = to_bytes(request.into_body(), MOST_BODY_BYTES);
    let bytes = match tokio::time::timeout(shared.gate.timeout(), body).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Failure::body_too_large().response(),
        Err(_) => return Failure::body_too_slow().response(),
    };
    json(shared, query, move |desk| {
        let (reading, notation) = (desk.params.reading()?, desk.params.notation()?);
        let tree = GameTree::read(&bytes, reading, notation)
            .ok_or_else(|| Failure::bad_request("there is no game in this text"))?;
        Answer::json(&tree)
    })
    .await
}

pub(super) async fn stats(State(shared): Handler, RawQuery(query): RawQuery) -> Reply {
    json(shared, query, |desk| {
        let params = desk.params;
        let asked = params.get("q").unwrap_or_default();
        Answer::json(&desk.searcher()?.survey(asked, params.reading()?)?)
    })
    .await
}

/// The description of both APIs.
pub(super) async fn openapi() -> Reply {
    let mut response = Response::new(Body::from(include_str!("openapi.json")));
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}
