//! What every request must be like, and the headers of every response.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::Next;

use crate::server::failure::Failure;

/// Longest address of a request, in bytes. Queries are typed by people.
const MOST_URI_BYTES: usize = 8 << 10;

/// Clients of the explorer API send `Authorization`; any origin may ask, and none needs to.
const CORS: [(HeaderName, &str); 1] = [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
const PREFLIGHT: [(HeaderName, &str); 3] = [
    (
        header::ACCESS_CONTROL_ALLOW_METHODS,
        "GET, HEAD, POST, OPTIONS",
    ),
    (
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        "authorization, content-type, accept, if-none-match, x-requested-with",
    ),
    (header::ACCESS_CONTROL_MAX_AGE, "86400"),
];
const SECURITY: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
];
/// Nothing of a page may come from another host, and no answer that is no page may act as one. What a page of ours needs
/// beyond that, it says itself.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Answers preflights, refuses what is too long, and sets the headers.
pub(super) async fn around(request: Request, next: Next) -> Response<Body> {
    let mut response = if request.method() == Method::OPTIONS {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        set(&mut response, &PREFLIGHT);
        response
    } else if request
        .uri()
        .path_and_query()
        .map_or(0, |uri| uri.as_str().len())
        > MOST_URI_BYTES
    {
        Failure::uri_too_long().response()
    } else {
        next.run(request).await
    };
    set(&mut response, &CORS);
    set(&mut response, &SECURITY);
    response
        .headers_mut()
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(CONTENT_SECURITY_POLICY));
    response
}

fn set(response: &mut Response<Body>, headers: &[(HeaderName, &'static str)]) {
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}
