/**
 * Turns counts by year or rating into columns of a small chart. Pure arithmetic, apart from the drawing, so that it
 * can be tested without a page.
 */
import type { Results } from "../api/types";

export interface Column extends Results {
  /** First and last year or rating of the column. */
  from: number;
  to: number;
  games: number;
}

/** Widths that people count in. */
const STEPS = [1, 2, 5];

/** The smallest of 1, 2, 5, 10, 20, 50, … times `unit` that needs no more than `most` columns. */
export function columnWidth(from: number, to: number, most: number, unit = 1): number {
  for (let power = unit; ; power *= 10) {
    for (const step of STEPS) {
      const width = step * power;
      if (Math.floor(to / width) - Math.floor(from / width) < most) return width;
    }
  }
}

/** Columns of equal width without gaps, so that a decade without games is seen as one. */
export function columns(groups: readonly Column[], most: number, unit = 1): Column[] {
  const filled = groups.filter((group) => group.games > 0);
  if (filled.length === 0) return [];
  const first = Math.min(...filled.map((group) => group.from));
  const last = Math.max(...filled.map((group) => group.from));
  const width = columnWidth(first, last, most, unit);
  const start = Math.floor(first / width) * width;
  const made: Column[] = [];
  for (let from = start; from <= last; from += width) {
    made.push({ from, to: from + width - 1, games: 0, white: 0, draws: 0, black: 0, unknown: 0 });
  }
  for (const group of filled) {
    const column = made[Math.floor((group.from - start) / width)];
    if (!column) continue;
    column.games += group.games;
    column.white += group.white;
    column.draws += group.draws;
    column.black += group.black;
    column.unknown += group.unknown;
  }
  return made;
}

/** The next round number, for the top of an axis. */
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 3, 4, 5, 6, 8, 10]) {
    if (value <= step * power && Number.isInteger(step * power)) return step * power;
  }
  return 10 * power;
}

/** White's share of the points in per cent, of games with a result. */
export function whiteScore(results: Results): number | null {
  const known = results.white + results.draws + results.black;
  return known === 0 ? null : (100 * (results.white + results.draws / 2)) / known;
}

/** Shares in whole per cent that add up to 100: the largest remainders are rounded up. */
export function percentages(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (100 * count) / total);
  const shares = exact.map(Math.floor);
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.map((value, n) => ({ n, rest: value - Math.floor(value) }));
  byRemainder.sort((a, b) => b.rest - a.rest || a.n - b.n);
  for (const { n } of byRemainder.slice(0, missing)) shares[n] = (shares[n] ?? 0) + 1;
  return shares;
}
