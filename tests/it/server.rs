//! The server over real sockets: what its API answers, and what it refuses.

mod api;
mod client;
mod explorer;
mod limits;
