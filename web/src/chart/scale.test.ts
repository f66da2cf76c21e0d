import { describe, expect, it } from "vitest";
import { type Column, columns, columnWidth, niceCeiling, percentages, whiteScore } from "./scale";

const group = (from: number, white: number, draws = 0, black = 0, unknown = 0): Column => ({
  from,
  to: from,
  games: white + draws + black + unknown,
  white,
  draws,
  black,
  unknown,
});

describe("columns", () => {
  it("are as wide as people count", () => {
    expect(columnWidth(1990, 2020, 40)).toBe(1);
    expect(columnWidth(1610, 2013, 40)).toBe(20);
    expect(columnWidth(1200, 2800, 40, 100)).toBe(100);
  });

  it("leave no gap and lose no game", () => {
    const years = [group(1610, 1), group(1750, 1, 2), group(2013, 0, 0, 3, 1), group(1900, 0)];
    for (const most of [1, 2, 7, 40, 1000]) {
      const made = columns(years, most);
      expect(made.length).toBeLessThanOrEqual(most);
      expect(made.reduce((sum, one) => sum + one.games, 0)).toBe(8);
      for (const [n, one] of made.entries()) {
        if (n > 0) expect(one.from).toBe((made[n - 1]?.to ?? 0) + 1);
        const inside = years.filter((year) => year.from >= one.from && year.from <= one.to);
        expect(one.games).toBe(inside.reduce((sum, year) => sum + year.games, 0));
      }
    }
  });

  it("of nothing are none", () => expect(columns([group(1900, 0)], 40)).toEqual([]));
});

describe("axes and shares", () => {
  it("the axis ends at a round number that is not below", () => {
    expect([0, 1, 3, 7, 11, 21, 33, 99, 101, 6366].map(niceCeiling)).toEqual([
      1, 1, 3, 8, 20, 30, 40, 100, 200, 8000,
    ]);
    for (let value = 1; value < 5000; value += 1) expect(niceCeiling(value)).toBeGreaterThanOrEqual(value);
  });

  it("per cents add up to a hundred", () => {
    expect(percentages([1, 1, 1])).toEqual([34, 33, 33]);
    expect(percentages([0, 0, 0])).toEqual([0, 0, 0]);
    for (let seed = 1; seed < 400; seed += 1) {
      const counts = [seed % 7, (seed * 13) % 11, (seed * 29) % 17, seed % 3];
      if (counts.some(Boolean)) expect(percentages(counts).reduce((a, b) => a + b)).toBe(100);
    }
  });

  it("a score counts games with a result only", () => {
    expect(whiteScore({ white: 1, draws: 1, black: 0, unknown: 7 })).toBe(75);
    expect(whiteScore({ white: 0, draws: 0, black: 0, unknown: 7 })).toBeNull();
  });
});
