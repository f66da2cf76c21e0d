//! The web page, embedded when it was built before this program was; else a page that says how to.
//!
//! Builds without optimisation read the files from the disk, so that a page can be worked on without building this
//! program again. Either way a request only chooses among the names that are there.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, Response, header};
use rust_embed::RustEmbed;

use crate::server::failure::Failure;

/// What `npm run build` made.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Dist;

/// Scripts, styles, pictures and requests come from this server or not at all; `data:` pictures are part of a style
/// sheet. Boards place their pieces by style attributes that scripts set, which this rule does not concern.
const PAGE_POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// The page itself.
pub(super) async fn index() -> Response<Body> {
    embedded("index.html").unwrap_or_else(|| {
        let html = include_str!("unbuilt.html");
        page("text/html; charset=utf-8", Body::from(html))
    })
}

/// A file of the page.
pub(super) async fn file(request: Request) -> Response<Body> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    request
        .uri()
        .path()
        .strip_prefix('/')
        .filter(|_| is_read)
        .and_then(embedded)
        .unwrap_or_else(|| Failure::not_found("there is nothing at this address").response())
}

fn embedded(name: &str) -> Option<Response<Body>> {
    // Hidden files keep the folder in the repository; no page asks for one.
    if name.starts_with('.') || !Dist::iter().any(|have| have == name) {
        return None;
    }
    let file = Dist::get(name)?;
    let mut response = page(file.metadata.mimetype(), Body::from(file.data));
    // Names of the files in `assets/` hold a hash of their content.
    let lasting = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    Some(response)
}

fn page(content_type: &str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    if let Ok(content_type) = HeaderValue::from_str(content_type) {
        headers.insert(header::CONTENT_TYPE, content_type);
    }
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(PAGE_POLICY),
    );
    response
}
