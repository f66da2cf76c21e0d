#!/usr/bin/env python3
"""Whatever pgndex writes, pgndex reads: games in every form and language, converted and imported again.

Usage: round_trips.py PGNDEX FILE.pgn [JOBS]

Each form, each language and each form in each language that has letters is written by `convert`, imported again, with the
notation named and, where the reader takes any notation, without; the moves (UCI), the final position and the status of each
game must be those of the first import. The same for `export --output-notation`, which shares no command line with it.
"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FORMS = ["san", "fide", "long", "uci", "figurine", "descriptive", "iccf", "spanish-descriptive", "smith"]
READ_UNNAMED = {"san", "fide", "long", "uci", "figurine", "descriptive", "iccf"}
WITH_LETTERS = ["san", "fide", "long"]


def run(args, out=None, may_lose=False):
    done = subprocess.run(args, stdout=out or subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in ((0, 3) if may_lose else (0,)):
        sys.exit(f"{' '.join(map(str, args))}: status {done.returncode}: {done.stderr.decode()[-500:]}")
    return done


def games(pgndex, index):
    """Status, moves and final position of each game."""
    exported = run([pgndex, "export", index, "--format", "ndjson"]).stdout.decode().splitlines()
    found = []
    for line in exported:
        status = re.search('"status":"([a-z]+)"', line).group(1)
        moves = line[line.index('"uci":[') : line.index(',"start_fen"')]
        found.append((status, moves, line[line.index('"final_fen"') :]))
    return found


def main():
    pgndex, source = sys.argv[1:3]
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    known = run([pgndex, "move", "e4", "--format", "json"]).stdout.decode()
    languages = re.findall('"([a-z]{2})":', known[known.index('"letters"') :])
    assert len(languages) > 20, known
    with tempfile.TemporaryDirectory() as tmp:
        tmp = Path(tmp)
        run([pgndex, "import", tmp / "first", source], may_lose=True)
        wanted = games(pgndex, tmp / "first")
        assert wanted, "no games"

        def check(task):
            number, form, language, named, writer = task
            label = f"{writer} {form}{':' + language if language else ''}{'' if named else ' (unnamed)'}"
            notation = f"{form}:{language}" if language else form
            text, index = tmp / f"{number}.pgn", tmp / f"{number}.idx"
            if writer == "convert":
                with open(text, "wb") as out:
                    run([pgndex, "convert", source, "--to", notation], out, may_lose=True)
            else:
                run([pgndex, "export", tmp / "first", "-o", text, "--output-notation", notation])
            args = [pgndex, "import", index, text, "--threads", "1"]
            args += ["--notation", form] if named else []
            args += ["--lang", language] if language else []
            run(args, may_lose=True)
            found = games(pgndex, index)
            run(["rm", "-r", text, index])
            differ = [i for i, (a, b) in enumerate(zip(wanted, found)) if a != b]
            if len(found) != len(wanted) or differ:
                first = f", first game {differ[0]}: {found[differ[0]]}, not {wanted[differ[0]]}" if differ else ""
                return f"{label}: {len(found)} games of {len(wanted)}, {len(differ)} differ{first[:600]}"
            return None

        tasks = [(form, None, True, "convert") for form in FORMS]
        tasks += [(form, None, False, "convert") for form in FORMS if form in READ_UNNAMED]
        tasks += [(form, None, True, "export") for form in FORMS]
        tasks += [(form, language, form != "san", "convert") for form in WITH_LETTERS for language in languages]
        tasks = [(number, *task) for number, task in enumerate(tasks)]
        with ThreadPoolExecutor(jobs) as pool:
            faults = [fault for fault in pool.map(check, tasks) if fault]
    for fault in faults:
        print(fault)
    print(f"{len(wanted)} games: {len(tasks) - len(faults)} passed, {len(faults)} failed")
    sys.exit(1 if faults else 0)


main()
