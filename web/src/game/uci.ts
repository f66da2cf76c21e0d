/** Reads from a move in UCI where it is on the board. Drops (`N@f3`) have no origin, null moves (`0000`) no square. */

const MOVE = /^(?:([a-h][1-8])|[PNBRQK]@)([a-h][1-8])[nbrqk]?$/;

export function isUci(text: string): boolean {
  return MOVE.test(text);
}

/** Origin and target, or the target of a drop alone, or nothing. */
export function squaresOf(uci: string): string[] {
  const [, from, to] = MOVE.exec(uci) ?? [];
  return [from, to].filter((square) => square !== undefined);
}
