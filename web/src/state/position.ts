/** What is on the board: from the way to it, that is the root, the moves of the open game and the line. */
import { address } from "../api/client";
import { type Loaded, useLoad } from "../api/load";
import type { Game, GameMove, LineMove, Position } from "../api/types";
import { hasPlace, mainPlace, movesTo } from "../game/tree";
import type { PageState } from "./page_state";

export interface Shown {
  /** The position after the cursor's move, from the server. */
  position: Loaded<Position>;
  /** The FEN that the way begins with; empty for the start position. */
  root: string;
  /** All moves on the board, in UCI. */
  played: string[];
  /** The place in the open game, corrected if the game does not have the one asked for. */
  place: string;
  /** The moves of the open game up to there. */
  gameMoves: GameMove[];
  /** The moves of the line with their text, as far as they are known. */
  line: LineMove[];
  /** The FEN of the position, as soon as it is known from anywhere. */
  fen: string;
  /** The way is known: no game is still on its way. */
  isReady: boolean;
}

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The rules that moves on the board follow: those of the open game; empty for standard chess. */
export function variantOf(game: Game | null): string {
  return game && game.variant !== "standard" ? game.variant : "";
}

export function useShown(state: PageState, game: Game | null): Shown {
  const { notation, line: uciLine, cursor } = state;
  const isReady = game !== null || (state.game === null && state.pasted === "");
  const root = game ? game.start_fen : state.start;
  const main = game?.moves ?? [];
  const place =
    !game || hasPlace(main, state.place) ? state.place : mainPlace(main, Number.parseInt(state.place, 10));
  const gameMoves = movesTo(main, place);
  const before = gameMoves.map((move) => move.uci);
  const played = [...before, ...uciLine.slice(0, cursor)];
  const variant = variantOf(game);
  const ask = (moves: string[]) =>
    isReady ? address("position", { fen: root, variant, play: moves.join(","), notation }) : null;

  const position = useLoad<Position>(ask(played));
  // The same question as above when the cursor is at the end, and then asked once.
  const whole = useLoad<Position>(uciLine.length > 0 ? ask([...before, ...uciLine]) : null);
  const line = whole.data?.line.slice(before.length) ?? [];
  const isLineFresh = !whole.isStale && line.length === uciLine.length;

  // The FEN of a move that is known already spares the board a wait.
  let fen = position.isStale ? "" : (position.data?.fen ?? "");
  if (fen === "" && cursor === 0) fen = gameMoves.at(-1)?.fen ?? (root || (isReady ? START_FEN : ""));
  else if (fen === "" && isLineFresh) fen = line[cursor - 1]?.fen ?? "";
  return { position, root, played, place, gameMoves, line, fen, isReady };
}
