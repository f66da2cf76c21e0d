//! From a question to a response: the work is done behind the gate, and so is writing its answer as bytes.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Response, header};
use serde::Serialize;

use crate::search::{Limits, Searcher};
use crate::server::Shared;
use crate::server::failure::Failure;
use crate::server::params::Params;
use crate::server::shelf::ServedIndex;

/// A body and its type.
pub(super) struct Answer {
    content_type: &'static str,
    bytes: Vec<u8>,
}

impl Answer {
    pub(super) fn json(value: &impl Serialize) -> Result<Answer, Failure> {
        let bytes = serde_json::to_vec(value).map_err(|e| Failure::internal(&e.to_string()))?;
        Ok(Answer {
            content_type: "application/json",
            bytes,
        })
    }

    /// One line of JSON.
    pub(super) fn json_line(value: &impl Serialize) -> Result<Answer, Failure> {
        let mut answer = Answer::json(value)?;
        answer.content_type = "application/x-ndjson";
        answer.bytes.push(b'\n');
        Ok(answer)
    }

    pub(super) fn pgn(bytes: Vec<u8>) -> Answer {
        Answer {
            content_type: "application/x-chess-pgn",
            bytes,
        }
    }

    pub(super) fn response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.bytes));
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(self.content_type),
        );
        // The next import may change every answer.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}

/// What a handler may ask while it works.
pub(super) struct Desk<'a> {
    pub(super) shared: &'a Shared,
    pub(super) params: &'a Params,
    limits: Limits,
}

impl Desk<'_> {
    /// The index that the request names, and its place on the shelf.
    pub(super) fn index(&self) -> Result<(usize, &ServedIndex), Failure> {
        let name = self.params.get("index");
        self.shared.shelf.get(name).ok_or_else(|| {
            Failure::bad_request(format!(
                "no index is served as `{}`; see /api/indexes",
                name.unwrap_or_default()
            ))
        })
    }

    /// That index, opened.
    pub(super) fn searcher(&self) -> Result<Searcher, Failure> {
        Ok(self.opened(self.index()?.1))
    }

    pub(super) fn opened(&self, index: &ServedIndex) -> Searcher {
        index.searcher().limited(self.limits)
    }
}

/// Works on a question and answers it; what went wrong within the server is logged.
pub(super) async fn answer(
    shared: Arc<Shared>,
    query: Option<String>,
    work: impl FnOnce(&Desk<'_>) -> Result<Answer, Failure> + Send + 'static,
) -> Result<Response<Body>, Failure> {
    let at_desk = Arc::clone(&shared);
    let done = shared
        .gate
        .run(move |limits| {
            let params = Params::new(query.as_deref());
            work(&Desk {
                shared: &at_desk,
                params: &params,
                limits,
            })
        })
        .await;
    if let Err(Failure {
        detail: Some(detail),
        ..
    }) = &done
    {
        (shared.log)(detail);
    }
    done.map(Answer::response)
}
