#!/usr/bin/env python3
"""Holds the server's opening statistics against python-chess: every count of some positions, by brute force.

The rules are those of docs/explorer-api.md: a game counts with the last move that it played from a position, games that
ended there and games without a result do not count, /lichess knows the first 50 plies.

usage: explorer_counts.py URL INDEX PGN [NODES]
"""

import collections
import json
import random
import sys
import urllib.parse
import urllib.request

import chess
import chess.pgn

RESULTS = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}
LICHESS_PLIES = 50


def elo(headers, name):
    text = headers.get(name, "").rstrip("?")
    return int(text) if text.isdigit() and 0 < int(text) <= 4000 else 0


def month(headers):
    date = headers.get("Date", "")
    if date.startswith("?"):
        date = headers.get("UTCDate", date)
    return date[:7] if len(date) >= 7 and "?" not in date[:7] else None


class Games:
    """All games, and for each position who reached it and with which last move."""

    def __init__(self, path):
        self.headers = []
        self.last = {"/masters": {}, "/lichess": {}}
        self.sans = {}
        with open(path, encoding="utf-8", errors="replace") as file:
            while game := chess.pgn.read_game(file):
                # Every variant is a scope of its own, Chess960 too; the questions are about standard chess.
                if game.headers.get("Variant", "Standard") in ("Standard", "From Position"):
                    self.add(game)

    def add(self, game):
        number = len(self.headers)
        self.headers.append(game.headers)
        board = game.board()
        for ply, move in enumerate(game.mainline_moves()):
            key, uci = board.epd(), board.uci(move, chess960=True)
            self.last["/masters"].setdefault(key, {})[number] = uci
            if ply < LICHESS_PLIES:
                self.last["/lichess"].setdefault(key, {})[number] = uci
            board.push(move)

    def expected(self, path, key, keep):
        moves = collections.defaultdict(lambda: {"white": 0, "draws": 0, "black": 0, "elos": []})
        side = "WhiteElo" if " w " in key else "BlackElo"
        for number, uci in self.last[path].get(key, {}).items():
            headers = self.headers[number]
            if headers["Result"] in RESULTS and keep(headers):
                row = moves[uci]
                row[RESULTS[headers["Result"]]] += 1
                row["elos"] += [elo(headers, side)] if elo(headers, side) else []
        board = chess.Board(key + " 0 1")
        rows = []
        for uci, row in moves.items():
            elos = row.pop("elos")
            mean = (2 * sum(elos) + len(elos)) // (2 * len(elos)) if elos else 0
            rows.append({"uci": uci, "san": board.san(board.parse_uci(uci)), "averageRating": mean, **row})
        rows.sort(key=lambda row: (-row["white"] - row["draws"] - row["black"], row["uci"]))
        totals = {name: sum(row[name] for row in rows) for name in ("white", "draws", "black")}
        return {**totals, "moves": rows}


def answered(url):
    with urllib.request.urlopen(url) as reply:
        answer = json.load(reply)
    rows = [{k: v for k, v in row.items() if k not in ("game", "opening")} for row in answer["moves"]]
    return {**{name: answer[name] for name in ("white", "draws", "black")}, "moves": rows}


def mean_elo(headers):
    white, black = elo(headers, "WhiteElo"), elo(headers, "BlackElo")
    return (white + black) // 2 if white and black else None


def in_groups(headers):
    mean = mean_elo(headers)
    return mean is not None and (1600 <= mean < 1800 or mean >= 2200)


def in_months(headers):
    return "2014.03" <= (month(headers) or "") <= "2022.05"


QUESTIONS = [
    ("/masters", {}, lambda headers: True),
    ("/lichess", {}, lambda headers: True),
    ("/lichess", {"ratings": "1600,2200,2500"}, in_groups),
    ("/lichess", {"since": "2014-03", "until": "2022-5"}, in_months),
]


def main():
    url, index, path = sys.argv[1:4]
    n_nodes = int(sys.argv[4]) if len(sys.argv) > 4 else 300
    games = Games(path)
    draw = random.Random(5)
    keys = sorted(games.last["/masters"])
    shared = [key for key in keys if len(games.last["/masters"][key]) > 2]
    nodes = [chess.STARTING_BOARD_FEN + " w KQkq -"]
    nodes += [draw.choice(shared if draw.random() < 0.6 else keys) for _ in range(n_nodes - 1)]
    wrong = 0
    for key in nodes:
        for at, query, keep in QUESTIONS:
            query = urllib.parse.urlencode({"index": index, "fen": key, "moves": 1000, **query})
            want, have = games.expected(at, key, keep), answered(f"{url}{at}?{query}")
            if want != have:
                wrong += 1
                print(f"{at}?{query}\n  want {json.dumps(want)}\n  have {json.dumps(have)}")
    counted = sum(len(games.last["/masters"][key]) for key in nodes)
    print(f"{len(games.headers)} games, {len(nodes)} positions, {counted} games at them, {wrong} answers differ")
    sys.exit(1 if wrong or not counted else 0)


main()
