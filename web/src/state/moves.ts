/**
 * What a move, a step or a newly opened root changes in the state. Pure, so that the ways through a line and a game
 * with variations can be tested without a board.
 */
import type { GameMove } from "../api/types";
import { lastPlace, nextPlace, placeAfter, previousPlace } from "../game/tree";
import type { PageState } from "./page_state";

type Change = Partial<PageState>;

/** Where the board is: the state, the open game's main line (empty if none) and the place in it. */
export interface Way {
  state: PageState;
  main: GameMove[];
  place: string;
}

/** To a place in the open game; a line that led away from it ends. */
export function toPlace(place: string): Change {
  return { place, line: [], cursor: 0 };
}

export function toCursor(cursor: number): Change {
  return { cursor };
}

/** A change of the position. If the list of games follows the board, it is another list, and begins with its first page. */
export function moved(state: PageState, change: Change): Change {
  return state.scope === "here" ? { page: 1, ...change } : change;
}

/** A new root without any game. */
export function toRoot(start = ""): Change {
  return { game: null, pasted: "", place: "", start, line: [], cursor: 0 };
}

/** A game of the index at one of its plies. */
export function toGame(id: number, ply: number | null): Change {
  return { ...toRoot(), game: id, place: ply ? String(ply) : "" };
}

/** After moves on the board: on in the game or line if they are there already, else a line of its own from here. */
export function afterMoves(way: Way, moves: readonly string[]): Change {
  let { state, place } = way;
  for (const uci of moves) {
    const ahead = state.cursor === 0 ? placeAfter(way.main, place, uci) : null;
    if (ahead !== null) {
      place = ahead;
      state = { ...state, ...toPlace(ahead) };
    } else if (state.line[state.cursor] === uci) {
      state = { ...state, ...toCursor(state.cursor + 1) };
    } else {
      const line = [...state.line.slice(0, state.cursor), uci];
      state = { ...state, line, cursor: line.length };
    }
  }
  return { place, line: state.line, cursor: state.cursor };
}

/** To where the line began, and from there to where the game did. */
export function stepFirst({ state, place }: Way): Change | null {
  if (state.cursor > 0) return toCursor(0);
  return place === "" || state.line.length > 0 ? null : toPlace("");
}

/** One move back. A line in a game is left by closing it, not by stepping over its beginning, or it would be lost. */
export function stepBack({ state, place }: Way): Change | null {
  if (state.cursor > 0) return toCursor(state.cursor - 1);
  return place === "" || state.line.length > 0 ? null : toPlace(previousPlace(place));
}

export function stepForward({ state, main, place }: Way): Change | null {
  if (state.cursor < state.line.length) return toCursor(state.cursor + 1);
  const next = nextPlace(main, place);
  return state.line.length > 0 || next === place ? null : toPlace(next);
}

export function stepLast({ state, main, place }: Way): Change | null {
  if (state.cursor < state.line.length) return toCursor(state.line.length);
  const last = lastPlace(main, place);
  return state.line.length > 0 || last === place ? null : toPlace(last);
}
