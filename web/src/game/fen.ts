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

const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" } as const;

/** Where the pieces stand, for those who do not see the board: `White: king g1, rooks a1 f1, …`. */
export function inWords(fen: string): string {
  const squares = new Map<string, string[]>();
  for (const [row, text] of (fen.split(" ")[0] ?? "").split("/").entries()) {
    let file = 0;
    for (const char of text) {
      if (/\d/.test(char)) file += Number(char);
      else if (/[a-z]/i.test(char)) {
        const square = `${"abcdefgh".charAt(file)}${8 - row}`;
        squares.set(char, [...(squares.get(char) ?? []), square]);
        file += 1;
      }
    }
  }
  const side = (name: string, letter: (piece: string) => string) => {
    const groups = Object.entries(PIECES).flatMap(([piece, noun]) => {
      const where = squares.get(letter(piece)) ?? [];
      return where.length === 0 ? [] : [`${noun}${where.length > 1 ? "s" : ""} ${where.join(" ")}`];
    });
    return `${name}: ${groups.join(", ") || "nothing"}.`;
  };
  return `${side("White", (piece) => piece.toUpperCase())} ${side("Black", (piece) => piece)}`;
}
