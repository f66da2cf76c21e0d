/**
 * Finds the way about in a game with variations.
 *
 * A place is written `8` for the position after eight moves of the main line, and `8-0-3` for the one after three moves
 * of variation 0 of the eighth move: numbers of moves and of variations in turn, outermost first. The empty place is
 * the start of the game. A variation stands at the move that it could replace, as in PGN.
 */
import type { GameMove } from "../api/types";

/** The numbers of a place: moves played, then pairs of variation and moves played in it. */
function parts(place: string): number[] {
  return place === "" ? [0] : place.split("-").map(Number);
}

function written(numbers: readonly number[]): string {
  return numbers.length === 1 && numbers[0] === 0 ? "" : numbers.join("-");
}

interface Spot {
  /** The line that the place is in. */
  line: GameMove[];
  /** Moves of that line that have been played. */
  played: number;
  /** All moves from the start of the game. */
  moves: GameMove[];
}

function spot(main: GameMove[], place: string): Spot | null {
  const [first = 0, ...rest] = parts(place);
  let line = main;
  let played = first;
  let moves = line.slice(0, played);
  for (let at = 0; at < rest.length; at += 2) {
    const variation = line[played - 1]?.variations?.[rest[at] ?? -1];
    if (!variation) return null;
    line = variation;
    played = rest[at + 1] ?? 0;
    moves = [...moves.slice(0, -1), ...line.slice(0, played)];
  }
  return played > line.length || (rest.length > 0 && played < 1) ? null : { line, played, moves };
}

/** Whether the game has such a place. */
export function hasPlace(main: GameMove[], place: string): boolean {
  return spot(main, place) !== null;
}

/** The moves that lead to a place; none for a place that the game does not have. */
export function movesTo(main: GameMove[], place: string): GameMove[] {
  return spot(main, place)?.moves ?? [];
}

export function nextPlace(main: GameMove[], place: string): string {
  const here = spot(main, place);
  if (!here || here.played >= here.line.length) return place;
  const numbers = parts(place);
  return written([...numbers.slice(0, -1), here.played + 1]);
}

/** One move back; from the first move of a variation to the position that it branches off from. */
export function previousPlace(place: string): string {
  const numbers = parts(place);
  const last = numbers.at(-1) ?? 0;
  if (numbers.length === 1) return written([Math.max(last - 1, 0)]);
  if (last > 1) return written([...numbers.slice(0, -1), last - 1]);
  return previousPlace(written(numbers.slice(0, -2)));
}

/** The end of the line that the place is in. */
export function lastPlace(main: GameMove[], place: string): string {
  const here = spot(main, place);
  return here ? written([...parts(place).slice(0, -1), here.line.length]) : place;
}

/** Where a move leads to if the game or one of its variations has it here. */
export function placeAfter(main: GameMove[], place: string, uci: string): string | null {
  const here = spot(main, place);
  const next = here?.line[here.played];
  if (!here || !next) return null;
  const ahead = nextPlace(main, place);
  if (next.uci === uci) return ahead;
  const variation = next.variations?.findIndex((line) => line[0]?.uci === uci) ?? -1;
  return variation < 0 ? null : `${ahead}-${variation}-1`;
}

/** The place of a ply of the main line, as far as the game goes. */
export function mainPlace(main: GameMove[], ply: number): string {
  return written([Math.min(Math.max(ply, 0), main.length)]);
}
