//! What went wrong, as a response: the one place that turns the library's errors into status codes.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;

use crate::error::Error;

/// Seconds after which to ask again when too much is being asked.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// A question without an answer.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    status: StatusCode,
    message: Message,
    /// What only the log is told.
    pub(super) detail: Option<String>,
}

/// The body of an error response.
///
/// ```json
/// {"error":"bad query at column 7: there is no field `whyte`","column":7}
/// ```
#[derive(Clone, Debug, Default, Serialize)]
struct Message {
    error: String,
    /// Class of what is wrong with a FEN or a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    /// Where in a query, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Failure {
    fn new(status: StatusCode, error: impl Into<String>) -> Failure {
        Failure {
            status,
            message: Message {
                error: error.into(),
                ..Message::default()
            },
            detail: None,
        }
    }

    pub(super) fn bad_request(error: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, error)
    }

    pub(super) fn not_found(error: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, error)
    }

    pub(super) fn uri_too_long() -> Failure {
        Failure::new(StatusCode::URI_TOO_LONG, "the address is too long")
    }

    pub(super) fn body_too_large() -> Failure {
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large")
    }

    pub(super) fn body_too_slow() -> Failure {
        Failure::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")
    }

    pub(super) fn busy() -> Failure {
        Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too much is being asked at once",
        )
    }

    pub(super) fn too_slow() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, Error::TooSlow.to_string())
    }

    /// Something that is not the client's fault, and none of its business.
    pub(super) fn internal(detail: &str) -> Failure {
        Failure {
            detail: Some(detail.to_owned()),
            ..Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
        }
    }

    pub(super) fn is_bad_request(&self) -> bool {
        self.status == StatusCode::BAD_REQUEST
    }

    pub(super) fn message(&self) -> &str {
        &self.message.error
    }

    /// The response in JSON.
    pub(super) fn response(&self) -> Response<Body> {
        let json = serde_json::to_vec(&self.message).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let message = Failure::bad_request(error.to_string()).message;
        let message = match error {
            Error::Query { column, .. } => Message {
                column: Some(column),
                ..message
            },
            Error::Position { class, .. } => Message {
                class: Some(class),
                ..message
            },
            Error::TooSlow => return Failure::too_slow(),
            // Everything else names files of the server or its state.
            error => return Failure::internal(&error.to_string()),
        };
        Failure {
            status: StatusCode::BAD_REQUEST,
            message,
            detail: None,
        }
    }
}
