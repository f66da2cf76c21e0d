import { describe, expect, it } from "vitest";
import { both, clauseOf, quoted, range, rangeEnds, shiftOf, unquoted, withClause } from "./clauses";

const PLAYER = ["player", "white", "black"];

describe("a clause", () => {
  it.each([
    ["white:tal", "white", "tal"],
    ['move:"Nxf7" player:"Robert James" plies:>60', "player", '"Robert James"'],
    ['move:"white:no" white:yes', "white", "yes"],
    ["NOT white:tal black:fischer", "black", "fischer"],
    ["(white:a OR white:b) player:c", "player", "c"],
  ])("is found in %s", (query, field, value) => expect(clauseOf(query, PLAYER)).toEqual({ field, value }));

  it.each(["", "tal", "white:a OR black:b", "NOT white:tal", '"white:tal"', "(white:tal)"])(
    "is not found in %j, where nothing requires it",
    (query) => expect(clauseOf(query, PLAYER)).toBeNull(),
  );
});

describe("writing a clause", () => {
  it.each([
    ["", "white:tal", "white:tal"],
    ["eco:B90", "white:tal", "eco:B90 white:tal"],
    ["player:fischer eco:B90", "white:tal", "white:tal eco:B90"],
    ["a OR b", "white:tal", "(a OR b) white:tal"],
    ["player:fischer", "", ""],
    ["eco:B90 player:fischer year:1960", "", "eco:B90 year:1960"],
    ["eco:B90 AND player:fischer", "", "eco:B90"],
    ["player:fischer AND eco:B90", "", "eco:B90"],
    ["eco:B90 AND player:fischer AND year:1960", "", "eco:B90 AND year:1960"],
    ["a OR player:b", "", "a OR player:b"],
    ['event:"never closed', "white:tal", 'event:"never closed'],
  ])("into %j: %j", (query, clause, result) => {
    expect(withClause(query, PLAYER, clause)).toBe(result);
  });

  it("is read back, whatever stood there before", () => {
    for (const query of ["", "x", "a OR b", "NOT white:q", "white:q y", "(p) AND q", 'move:"Bxh7+ (x" z']) {
      const written = withClause(query, PLAYER, 'black:"Bogolyubov, E"');
      expect(clauseOf(written, PLAYER)).toEqual({ field: "black", value: '"Bogolyubov, E"' });
      expect(withClause(written, PLAYER, 'black:"Bogolyubov, E"')).toBe(written);
    }
  });
});

describe("two queries at once", () => {
  it("say where the first one begins", () => {
    for (const [query, clause] of [
      ["white:tal", "eco:B90"],
      ["a OR b", "eco:B90"],
      ["(a OR b", "eco:B90"],
      ["a) OR (b", "eco:B90"],
      ["", "eco:B90"],
      ["a", ""],
      ["a NOT", "eco:B90"],
      ["a \\", "eco:B90"],
    ] as const) {
      expect(both(query, clause).slice(shiftOf(query, clause)).startsWith(query)).toBe(true);
    }
  });

  it("do not change what a broken query means", () => {
    expect(both("a) OR (b", "c")).toBe("a) OR (b");
    expect(both('a OR "b', "c")).toBe('a OR "b');
    expect(both("a \\", "c")).toBe("a \\");
    expect(both('move:"a) OR" b', "c")).toBe('(move:"a) OR" b) c');
  });

  it("keep an operator at the end of the first from reaching the second", () => {
    expect(both("a NOT", "c")).toBe("(a NOT) c");
  });
});

describe("values", () => {
  it("are quoted when they are more than a word, and back", () => {
    expect(quoted("Réti")).toBe("Réti");
    expect(quoted(' Tal, "Misha" ')).toBe('"Tal,  Misha"');
    expect(unquoted('"1-0"')).toBe("1-0");
    expect(unquoted('"')).toBe('"');
  });

  it("make ranges with open ends, and back", () => {
    for (const ends of [
      ["1990", "1999"],
      ["", "2400"],
      ["B20", ""],
    ] as const) {
      expect(rangeEnds(range(ends[0], ends[1]))).toEqual(ends);
    }
    expect(range("", " ")).toBe("");
    expect(rangeEnds("1960")).toEqual(["1960", "1960"]);
    expect(rangeEnds(">60")).toEqual(["", ""]);
  });
});
