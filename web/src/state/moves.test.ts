import { describe, expect, it } from "vitest";
import type { GameMove } from "../api/types";
import { movesTo } from "../game/tree";
import {
  afterMoves,
  moved,
  stepBack,
  stepFirst,
  stepForward,
  stepLast,
  toGame,
  toRoot,
  type Way,
} from "./moves";
import { FIRST_STATE, type PageState } from "./page_state";

function move(uci: string, ...variations: GameMove[][]): GameMove {
  return { ply: 0, uci, san: uci, text: uci, fen: uci, variations };
}

const GAME = [move("a"), move("b", [move("c"), move("d")]), move("e")];

function way(change: Partial<PageState>, main: GameMove[] = []): Way {
  const state = { ...FIRST_STATE, ...change };
  return { state, main, place: state.place };
}

/** The moves on the board after a change. */
function board(from: Way, change: Partial<PageState> | null): string {
  const state = { ...from.state, ...change };
  const before = movesTo(from.main, state.place).map((one) => one.uci);
  return [...before, ...state.line.slice(0, state.cursor)].join("");
}

describe("a move without a game", () => {
  it("is put at the end of the line", () => {
    expect(afterMoves(way({ line: ["a"], cursor: 1 }), ["b"])).toMatchObject({ line: ["a", "b"], cursor: 2 });
  });

  it("that is in the line already keeps what comes after it", () => {
    expect(afterMoves(way({ line: ["a", "b", "c"], cursor: 1 }), ["b"])).toMatchObject({ cursor: 2 });
    expect(
      board(
        way({ line: ["a", "b", "c"], cursor: 1 }),
        afterMoves(way({ line: ["a", "b", "c"], cursor: 1 }), ["b"]),
      ),
    ).toBe("ab");
  });

  it("that is another one replaces what came after", () => {
    expect(afterMoves(way({ line: ["a", "b", "c"], cursor: 1 }), ["x"])).toMatchObject({
      line: ["a", "x"],
      cursor: 2,
    });
  });
});

describe("a move in a game", () => {
  it.each([
    ["", ["a"], "1", []],
    ["1", ["c"], "2-0-1", []],
    ["1", ["c", "d"], "2-0-2", []],
    ["1", ["x"], "1", ["x"]],
    ["1", ["b", "x", "y"], "2", ["x", "y"]],
    ["3", ["x"], "3", ["x"]],
  ])("from %j by %j leads to %j and the line %j", (place, moves, expected, line) => {
    const from = way({ game: 1, place }, GAME);
    expect(afterMoves(from, moves)).toMatchObject({ place: expected, line, cursor: line.length });
    expect(board(from, afterMoves(from, moves))).toBe(board(from, null) + moves.join(""));
  });
});

describe("steps", () => {
  it("through a line go to its ends and no further", () => {
    const middle = way({ line: ["a", "b"], cursor: 1 });
    expect(stepBack(middle)).toMatchObject({ cursor: 0 });
    expect(stepForward(middle)).toMatchObject({ cursor: 2 });
    expect(stepFirst(middle)).toMatchObject({ cursor: 0 });
    expect(stepLast(middle)).toMatchObject({ cursor: 2 });
    expect(stepBack(way({ line: ["a"], cursor: 0 }))).toBeNull();
    expect(stepForward(way({ line: ["a"], cursor: 1 }))).toBeNull();
  });

  it("through a game follow it", () => {
    const place = (change: Partial<PageState> | null) => change?.place;
    const from = (at: string) => way({ game: 1, place: at }, GAME);
    expect(place(stepForward(from("")))).toBe("1");
    expect(place(stepLast(from("1")))).toBe("3");
    expect(place(stepBack(from("2-0-1")))).toBe("1");
    expect(place(stepFirst(from("2-0-2")))).toBe("");
    expect(stepForward(from("3"))).toBeNull();
    expect(stepBack(from(""))).toBeNull();
  });

  it("in a line that left a game never lose it", () => {
    const line = (cursor: number) => way({ game: 1, place: "1", line: ["x", "y"], cursor }, GAME);
    for (const step of [stepFirst, stepBack, stepForward, stepLast]) {
      for (const cursor of [0, 1, 2]) {
        const change = step(line(cursor));
        expect({ ...line(cursor).state, ...change }).toMatchObject({ place: "1", line: ["x", "y"] });
      }
    }
  });
});

it("opening something closes what was open", () => {
  const busy = way({ game: 4, place: "2", line: ["x"], cursor: 1, page: 3 }).state;
  expect({ ...busy, ...toRoot("8/8/8/8/8/8/8/8 w - -") }).toEqual({
    ...FIRST_STATE,
    start: "8/8/8/8/8/8/8/8 w - -",
    page: 3,
  });
  expect({ ...busy, ...toGame(7, 12) }).toEqual({ ...FIRST_STATE, game: 7, place: "12", page: 3 });
  expect({ ...busy, ...toGame(7, null) }).toEqual({ ...FIRST_STATE, game: 7, page: 3 });
});

it("a list that follows the board begins again when the board changes, another one stays where it is", () => {
  expect(moved({ ...FIRST_STATE, scope: "here" }, { cursor: 1 })).toEqual({ cursor: 1, page: 1 });
  expect(moved({ ...FIRST_STATE, scope: "all" }, { cursor: 1 })).toEqual({ cursor: 1 });
});
