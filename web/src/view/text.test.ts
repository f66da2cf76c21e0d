import { expect, it } from "vitest";
import { counted, date, name, result, resultsInWords, share, shortCount } from "./text";

it("counts agree with their nouns", () => {
  expect(counted(1, "game")).toBe("1 game");
  expect(counted(0, "game")).toBe("0 games");
  expect(counted(12345, "game")).toBe("12,345 games");
  expect(shortCount(10_000)).toBe("10K");
});

it("a small share is not nothing", () => {
  expect(share(1, 1000)).toBe("<1%");
  expect(share(0, 1000)).toBe("0%");
  expect(share(1, 3)).toBe("33%");
  expect(share(0, 0)).toBe("0%");
});

it("of a date only what is known is shown", () => {
  expect(["1912.07.20", "1916.??.??", "1935.08.??", "????.??.??", "?", ""].map(date)).toEqual([
    "1912.07.20",
    "1916",
    "1935.08",
    "",
    "",
    "",
  ]);
});

it("results and names are written as in print", () => {
  expect(["1-0", "1/2-1/2", "0-1", "*"].map(result)).toEqual(["1–0", "½–½", "0–1", "∗"]);
  expect([undefined, "?", "", "Tal"].map(name)).toEqual(["unknown", "unknown", "unknown", "Tal"]);
});

it("a bar is said in words, unknown results only if there are any", () => {
  expect(resultsInWords({ white: 1, draws: 1, black: 2, unknown: 0 })).toBe(
    "White 25 %, draws 25 %, Black 50 %",
  );
  expect(resultsInWords({ white: 1, draws: 0, black: 0, unknown: 1 })).toMatch(/, unknown 50 %$/);
});
