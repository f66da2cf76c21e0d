/** White, draws, Black and unknown results as one bar, light to dark. */
import type { Results } from "../api/types";
import { percentages } from "../chart/scale";
import { resultsInWords } from "./text";

/** A share of fewer per cent has no room for its number: in the bar of a table, and in the large one. */
const ROOM_IN_TABLE = 20;
const ROOM = 8;

export function ResultBar({ results, isLarge = false }: { results: Results; isLarge?: boolean }) {
  const shares = percentages([results.white, results.draws, results.black, results.unknown]);
  const parts = ["white", "draws", "black", "unknown"];
  return (
    <span class={isLarge ? "bar large" : "bar"} role="img" aria-label={resultsInWords(results)}>
      {parts.map((part, n) => {
        const share = shares[n] ?? 0;
        if (share === 0) return null;
        return (
          <span key={part} class={`part ${part}`} style={{ width: `${share}%` }}>
            {share >= (isLarge ? ROOM : ROOM_IN_TABLE) && part !== "unknown" ? `${share}%` : ""}
          </span>
        );
      })}
    </span>
  );
}
