/**
 * Lets one type a move into the search box as one would write it down. A query of nothing but words that look like
 * moves is made into a chess clause; the server decides whether they are moves, in which notation, and says so.
 */

const NUMBER = /^\d+\.+/;
const CASTLING = /^[0Oo][-–][0Oo]([-–][0Oo])?[+#!?]*$/;
// A piece in any alphabet or as a glyph, perhaps an origin, a square, on the last rank perhaps a promotion.
const ALGEBRAIC = /^([\p{Lu}♔-♟]\p{Ll}?)?[a-h]?[1-8]?[-–x×:]?[a-h]([18][=/(]?[\p{L}♔-♟]\)?|[1-8])[+#†‡!?]*$/u;
const DESCRIPTIVE =
  /^(([QK]?[RNB]P?|[KQ]P?|P)([-–]([QK]?[RNBKQ])?[KQRBN]?\d|x[KQRBNP]+\d?))(\/[QRBN])?[+!?]*$/i;
const NUMERIC = /^[1-8]{4}[1-4]?$/;

/** The query that is meant, or the text itself if it is one already. */
export function expandBareMoves(text: string, notation: string): string {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const isNumbered = NUMBER.test(words[0] ?? "");
  const moves = words.map((word) => word.replace(NUMBER, "")).filter(Boolean);
  if (moves.length === 0 || !moves.every((move) => isMove(move, notation))) return text;
  if (isNumbered && /^1\.(?!\.)/.test(words[0] ?? "")) return `line:"${words.join(" ")}"`;
  return moves.length === 1 ? `move:"${moves[0]}"` : `moves:"${moves.join(" ")}"`;
}

function isMove(word: string, notation: string): boolean {
  if (CASTLING.test(word) || ALGEBRAIC.test(word)) return true;
  // `1907` is a year and `PxP` could be a name to anybody who has not asked for these notations.
  if (notation === "iccf") return NUMERIC.test(word);
  return notation === "descriptive" && DESCRIPTIVE.test(word);
}
