//! A server over some games, and a client that shows what really went over the wire.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pgndex::server::{Options, Server};
use serde_json::Value;

use crate::support::{import_with, options, sample, scratch};

/// A server on a port of its own, stopped when the test is over.
pub(super) struct Served {
    server: Option<Server>,
    pub(super) address: SocketAddr,
    pub(super) dir: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Served {
    /// Serves the samples.
    pub(super) fn samples() -> Served {
        let dir = scratch();
        let index = dir.path().join("samples.idx");
        import_with(&index, &[sample("")], &options(1));
        Served::over(dir, &[index])
    }

    /// Serves games given as text.
    pub(super) fn games(text: &str) -> Served {
        let dir = scratch();
        let index = crate::support::index_of(dir.path(), text, pgndex::ingest::Lines::Main);
        Served::over(dir, &[index])
    }

    pub(super) fn over(dir: tempfile::TempDir, indexes: &[PathBuf]) -> Served {
        let server = start(indexes).expect("a server");
        Served {
            address: server.address(),
            server: Some(server),
            dir,
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(super) fn get(&self, target: &str) -> Reply {
        self.send(&format!(
            "GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        ))
    }

    /// The JSON of an answer that must be one.
    #[track_caller]
    pub(super) fn json(&self, target: &str) -> Value {
        let reply = self.get(target);
        assert_eq!(reply.status, 200, "{target}: {}", reply.text());
        reply.json()
    }

    pub(super) fn send(&self, request: &str) -> Reply {
        send(self.address, request.as_bytes())
    }

    pub(super) fn stop(mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

pub(super) fn start(indexes: &[PathBuf]) -> pgndex::Result<Server> {
    Server::start(&Options {
        indexes: indexes.to_vec(),
        bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        timeout: Duration::from_secs(30),
        n_workers: 2,
        log: |_| (),
    })
}

/// Sends bytes and reads to the end.
pub(super) fn send(address: SocketAddr, request: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .expect("a time-out");
    // A server may refuse what it has not read to the end.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let head = bytes
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .expect("a head");
    let text = std::str::from_utf8(&bytes[..head]).expect("ASCII");
    let mut lines = text.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    Reply {
        status: status.and_then(|s| s.parse().ok()).expect("a status"),
        headers: lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect(),
        body: bytes.split_off(head + 4),
    }
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(have, _)| have == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

/// A value as it stands in a query string.
pub(super) fn encoded(value: &str) -> String {
    value.bytes().map(|b| format!("%{b:02X}")).collect()
}

/// Appends the games of a file to an index.
pub(super) fn append(index: &Path, source: &Path) {
    import_with(index, &[source.to_owned()], &options(1));
}
