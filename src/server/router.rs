//! Which handler answers which address.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;

use crate::server::failure::Failure;
use crate::server::{Shared, api, headers, lichess, page};

/// Everything that the server answers.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/api/indexes", get(api::indexes))
        .route("/api/search", get(api::search))
        .route("/api/explore", get(api::explore))
        .route("/api/games/{id}", get(api::game))
        .route("/api/games/{id}/pgn", get(api::game_pgn))
        .route("/api/move", get(api::one_move))
        .route("/api/notations", get(api::notations))
        .route("/api/position", get(api::position).post(api::read_pgn))
        .route("/api/stats", get(api::stats))
        .route("/api/openapi.json", get(api::openapi))
        .route("/masters", get(lichess::masters))
        .route("/master", get(lichess::masters))
        .route("/masters/pgn/{id}", get(lichess::masters_pgn))
        .route("/master/pgn/{id}", get(lichess::masters_pgn))
        .route("/lichess", get(lichess::lichess))
        .route("/lichess/history", get(lichess::history))
        .route("/player", get(lichess::player))
        .route("/personal", get(lichess::player))
        .fallback(page::file)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(headers::around))
        .with_state(shared)
}

/// The last resort: whatever a request ran into, the next one is answered.
fn panicked(_: Box<dyn std::any::Any + Send>) -> axum::http::Response<axum::body::Body> {
    let mut response = Failure::internal("a panic").response();
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
