import { describe, expect, it } from "vitest";
import type { GameMove } from "../api/types";
import { hasPlace, lastPlace, mainPlace, movesTo, nextPlace, placeAfter, previousPlace } from "./tree";

function move(uci: string, ...variations: GameMove[][]): GameMove {
  return { ply: 0, uci, san: uci, text: uci, fen: uci, variations };
}

// a b (c d (e f)) g: `c` instead of `b`, `e` instead of `d`.
const GAME = [move("a"), move("b", [move("c"), move("d", [move("e"), move("f")])]), move("g")];
const PLACES = ["", "1", "2", "3", "2-0-1", "2-0-2", "2-0-2-0-1", "2-0-2-0-2"];

const way = (place: string) => movesTo(GAME, place).map((one) => one.uci);

describe("a place", () => {
  it.each([
    ["", []],
    ["2", ["a", "b"]],
    ["2-0-1", ["a", "c"]],
    ["2-0-2", ["a", "c", "d"]],
    ["2-0-2-0-2", ["a", "c", "e", "f"]],
  ])("%j is reached by %j", (place, moves) => expect(way(place)).toEqual(moves));

  it("that the game does not have is said to be none", () => {
    for (const place of PLACES) expect(hasPlace(GAME, place)).toBe(true);
    for (const place of ["4", "2-1-1", "2-0-0", "2-0-3", "3-0-1", "0-0-1"]) {
      expect(hasPlace(GAME, place)).toBe(false);
      expect(way(place)).toEqual([]);
    }
  });
});

describe("stepping", () => {
  it("forward follows the line, and stops at its end", () => {
    expect(nextPlace(GAME, "")).toBe("1");
    expect(nextPlace(GAME, "3")).toBe("3");
    expect(nextPlace(GAME, "2-0-1")).toBe("2-0-2");
    expect(lastPlace(GAME, "")).toBe("3");
    expect(lastPlace(GAME, "2-0-2-0-1")).toBe("2-0-2-0-2");
  });

  it("back takes exactly the last move away, from everywhere", () => {
    for (const place of PLACES) expect(way(previousPlace(place))).toEqual(way(place).slice(0, -1));
  });

  it("by a move goes on in the game or into a variation, or nowhere", () => {
    expect(placeAfter(GAME, "1", "b")).toBe("2");
    expect(placeAfter(GAME, "1", "c")).toBe("2-0-1");
    expect(placeAfter(GAME, "2-0-1", "e")).toBe("2-0-2-0-1");
    expect(placeAfter(GAME, "1", "g")).toBeNull();
    expect(placeAfter(GAME, "3", "a")).toBeNull();
    for (const place of PLACES) {
      for (const uci of ["a", "b", "c", "d", "e", "f", "g"]) {
        const after = placeAfter(GAME, place, uci);
        if (after !== null) expect(way(after)).toEqual([...way(place), uci]);
      }
    }
  });

  it("to a ply stays in the game", () => {
    expect(mainPlace(GAME, 0)).toBe("");
    expect(mainPlace(GAME, 2)).toBe("2");
    expect(mainPlace(GAME, 99)).toBe("3");
  });
});
