#!/usr/bin/env python3
"""Sends malformed requests and wants 4xx for each of them, and a server that still answers. usage: malformed.py URL [COUNT]"""

import collections
import concurrent.futures
import random
import socket
import sys
import urllib.parse
import urllib.request

FENS = [
    "x",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "9/8/8/8/8/8/8/8 w - - 0 1",
    "k7/8/8/8/8/8/8/K7 z - - 0 1",
]
# An address, what its value begins with so that it is wrong whatever follows, and how long junk may be.
VALUES = [
    ("/masters?play=", "e2e5,", 9),
    ("/lichess?variant=", "no", 9),
    ("/lichess?moves=", "-", 2),
    ("/lichess?ratings=", "q", 5),
    ("/lichess?since=", "x", 5),
    ("/player?color=", "z", 4),
    ("/player?player=a&color=", "z", 4),
    ("/api/search?limit=", "x", 4),
    ("/api/search?index=", "none", 5),
    ("/api/search?sort=", "none", 5),
    ("/api/move?text=", "Zz", 4),
    ("/api/games/", "x", 6),
    ("/masters/pgn/", "y", 9),
    ("/", "nothing", 20),
]
JUNK = "abcKQ8 -:%[]\"'\\{}<>+#=xO01~*^!,;&"


def junk(rng, most):
    return "".join(rng.choice(JUNK) for _ in range(rng.randint(0, most)))


def target(rng):
    match rng.randrange(4):
        case 0:
            return rng.choice(["/lichess?fen=", "/api/explore?fen="]) + urllib.parse.quote(rng.choice(FENS) + junk(rng, 4))
        case 1:
            return "/api/search?q=" + urllib.parse.quote("player:(" + junk(rng, 12))
        case _:
            address, start, most = rng.choice(VALUES)
            return address + urllib.parse.quote(start + junk(rng, most), safe="")


def request(rng):
    head = "HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    match rng.randrange(12):
        case 0:
            method = rng.choice(["BREW", "DELETE", "PUT", "PATCH", "TRACE"])
            return f"{method} /api/search {head}Content-Length: 0\r\n\r\n".encode()
        case 1:
            return bytes(rng.randrange(256) for _ in range(rng.randint(1, 200))) + b"\r\n\r\n"
        case 2:
            return f"GET /lichess?a={'b' * rng.randint(9000, 70000)} {head}\r\n".encode()
        case 3:
            return f"GET {junk(rng, 30)} HTTP/{rng.choice(['1.1', '9.9', 'x'])}\r\n{junk(rng, 30)}\r\n\r\n".encode()
        case _:
            return f"GET {target(rng)} {head}\r\n".encode()


def status(address, seed):
    sent = request(random.Random(seed))
    with socket.create_connection(address, timeout=30) as peer:
        answer = b""
        try:
            peer.sendall(sent)
            while len(answer) < 12 and (more := peer.recv(1 << 16)):
                answer += more
        except ConnectionError:
            # Who is sent too much may hang up; what the answer was is seen below.
            pass
    return sent, answer[9:12].decode("latin1") if answer.startswith(b"HTTP/1.1 ") else "none"


if __name__ == "__main__":
    url = urllib.parse.urlsplit(sys.argv[1])
    n_requests = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    seen, bad = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        for sent, code in pool.map(lambda seed: status((url.hostname, url.port), seed), range(n_requests)):
            seen[code] += 1
            if not code.startswith("4"):
                bad.append((code, sent[:200]))
    urllib.request.urlopen(sys.argv[1] + "/api/stats").read()
    print(f"{n_requests} malformed requests: {dict(sorted(seen.items()))}")
    if bad:
        sys.exit("\n".join(f"{code} for {sent!r}" for code, sent in bad[:20]))
