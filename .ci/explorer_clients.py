#!/usr/bin/env python3
"""Asks the server as clients of the Lichess opening explorer do: berserk itself, and the requests of others as they send them.

berserk's answers are held against its own types. usage: explorer_clients.py URL
"""

import io
import sys

import berserk
import chess.pgn
import pydantic
import requests
from berserk.types.opening_explorer import OpeningStatistic

FEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
STATISTIC = pydantic.TypeAdapter(OpeningStatistic)


def total(answer):
    return answer["white"] + answer["draws"] + answer["black"]


def ask_with_berserk(url, player):
    explorer = berserk.Client(explorer_url=url).opening_explorer
    answer = explorer.get_lichess_games(variant="standard", history=True)
    STATISTIC.validate_python(answer)
    assert total(answer) > 0 and answer["moves"] and answer["recentGames"] and answer["history"]
    answer = explorer.get_lichess_games(
        variant="standard",
        speeds=["blitz", "rapid", "classical"],
        ratings=["2200", "2500"],
        position=FEN,
        since="2000-01",
        until="2030-12",
        moves=3,
        top_games=2,
        recent_games=2,
    )
    STATISTIC.validate_python(answer)
    assert len(answer["moves"]) <= 3 and len(answer["topGames"]) <= 2

    answer = explorer.get_masters_games(play=["d2d4", "d7d5"], since=1952, until=2030, moves=5, top_games=3)
    assert total(answer) > 0 and 0 < len(answer["topGames"]) <= 3 and "recentGames" not in answer
    for game in answer["topGames"]:
        assert {"uci", "id", "winner", "black", "white", "year", "month"} == set(game), game
        pgn = explorer.get_otb_master_game(game["id"])
        parsed = chess.pgn.read_game(io.StringIO(pgn))
        assert not parsed.errors
        assert parsed.headers["White"] == game["white"]["name"], (pgn, game)
        assert list(parsed.headers)[:9] == [
            "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
        ]
    try:
        explorer.get_otb_master_game("zzzzzzzz")
        raise SystemExit("an unknown game was found")
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == 404

    answer = explorer.get_player_games(player=player, color="white", wait_for_indexing=True)
    STATISTIC.validate_python({"topGames": [], **answer, "moves": [{"averageRating": 0, **m} for m in answer["moves"]]})
    assert total(answer) > 0 and answer["recentGames"] and answer["queuePosition"] == 0
    assert all(m["averageOpponentRating"] >= 0 and "performance" in m for m in answer["moves"])
    lines = list(explorer.stream_player_games(player=player.upper(), color="white"))
    assert lines == [answer], "the stream has one line, whatever the case of the name"


def ask_as_others_do(url, player):
    def get(path, **headers):
        reply = requests.get(url + path, headers=headers, timeout=10)
        reply.raise_for_status()
        return reply.json()

    # lichess-bot reads these keys of each move.
    for path in (
        f"/masters?fen={FEN}&moves=100",
        f"/lichess?fen={FEN}&moves=100&variant=standard&topGames=0&recentGames=0",
        f"/player?player={player}&fen={FEN}&moves=100&variant=standard&recentGames=0&color=white",
    ):
        answer = get(path, Authorization="Bearer lip_x")
        for m in answer["moves"]:
            assert {"white", "draws", "black", "uci"} <= set(m), m
    # en-croissant: months without a leading zero, all groups, a player with filters, and the whole body as one JSON.
    speeds = "ultraBullet,bullet,blitz,rapid,classical,correspondence"
    ratings = "0,1000,1200,1400,1600,1800,2000,2200,2500"
    answer = get(
        f"/lichess?fen={FEN}&variant=standard&speeds={speeds}&ratings={ratings}"
        "&since=1952-1&until=2030-1&moves=12&topGames=4&recentGames=8"
    )
    assert total(answer) > 0 and {"recentGames", "topGames", "opening"} <= set(answer)
    answer = get(f"/player?fen={FEN}&variant=standard&speeds={speeds}&moves=12&recentGames=8&player={player}&color=white")
    assert "recentGames" in answer
    assert total(get(f"/masters?fen={FEN}")) > 0
    # nibbler and openingtree.
    for path in (
        f"/masters?topGames=0&fen={FEN.replace(' ', '%20')}",
        f"/lichess?variant=standard&topGames=0&recentGames=0&fen={FEN.replace(' ', '%20')}",
        f"/lichess?fen={FEN}&play=&variant=standard&ratings=1600,1800&speeds=blitz,rapid",
    ):
        assert "moves" in get(path)
    preflight = requests.options(
        url + "/lichess",
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization",
        },
        timeout=10,
    )
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"


if __name__ == "__main__":
    [url] = sys.argv[1:]
    best = berserk.Client(explorer_url=url).opening_explorer.get_masters_games()["topGames"][0]
    player = best["white"]["name"]
    ask_with_berserk(url, player)
    ask_as_others_do(url, player)
    print("berserk, lichess-bot, en-croissant, nibbler and openingtree are content")
