/**
 * Reads from a FEN what is written in it: whose turn, which move. No rules of chess are in here or anywhere else in
 * the page; they are the server's.
 */

export type Side = "white" | "black";

export function sideToMove(fen: string): Side {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** The number of the move that led to a position, as it is written: `12.` or `12…`. */
export function moveNumber(fenAfter: string): { number: number; side: Side } {
  const full = Number(fenAfter.split(" ")[5]) || 1;
  return sideToMove(fenAfter) === "black"
    ? { number: full, side: "white" }
    : { number: Math.max(full - 1, 1), side: "black" };
}

/** `12.` before a move of White, `12…` before one of Black. */
export function numbered(fenAfter: string): string {
  const { number, side } = moveNumber(fenAfter);
  return `${number}${side === "white" ? "." : "…"}`;
}

/** What a pasted text is, by its looks. */
export function kindOf(text: string): "fen" | "pgn" | "moves" {
  const clean = text.trim();
  if (/^([1-8prnbqkPRNBQK~]+\/){7}[1-8prnbqkPRNBQK~]+(\[[^\]]*\])?([\s_]|$)/.test(clean)) return "fen";
  if (/^\s*\[\s*\w+\s+"/m.test(clean) || /[{};]|\$\d/.test(clean)) return "pgn";
  if (/^1\.(?!\.)/.test(clean) && /\s(1-0|0-1|1\/2-1\/2|\*)$/.test(clean)) return "pgn";
  return "moves";
}
