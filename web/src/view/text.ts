/** How numbers, dates, names and results are written. */
import type { Results } from "../api/types";
import { percentages } from "../chart/scale";

const COUNTS = new Intl.NumberFormat("en");

export function count(n: number): string {
  return COUNTS.format(n);
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact" });

/** For the axis of a chart: `400`, `10K`. */
export function shortCount(n: number): string {
  return SHORT.format(n);
}

/** A share of the whole; what is not nothing is not shown as nothing. */
export function share(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(whole, 1);
  return part > 0 && percent < 0.5 ? "<1%" : `${Math.round(percent)}%`;
}

/** `1 game`, `1,234 games`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const RESULTS: Record<string, string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "∗" };

export function result(tag: string): string {
  return RESULTS[tag] ?? tag;
}

/** As much of a PGN date as is known: `1912.07.20`, `1620`, or nothing. */
export function date(tag: string): string {
  return tag.replace(/(\.\?\?)+$/, "").replace(/^\?+.*$/, "");
}

export function name(tag: string | undefined): string {
  return !tag || tag === "?" ? "unknown" : tag;
}

/** A result in words, for those who do not see the bar. */
export function resultsInWords(results: Results): string {
  const [white = 0, draws = 0, black = 0, unknown = 0] = percentages([
    results.white,
    results.draws,
    results.black,
    results.unknown,
  ]);
  const known = `White ${white} %, draws ${draws} %, Black ${black} %`;
  return unknown > 0 ? `${known}, unknown ${unknown} %` : known;
}
