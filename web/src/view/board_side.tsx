/** The board with its buttons, the field for moves, and the line that was played on it. */
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { ApiError, address, get } from "../api/client";
import type { Game, Position } from "../api/types";
import { readComment, type Shape } from "../game/annotations";
import { inWords, sideToMove } from "../game/fen";
import { squaresOf } from "../game/uci";
import { pastedGame } from "../state/game";
import { toCursor, toRoot } from "../state/moves";
import type { Go } from "../state/navigation";
import { type PageState, toAddress } from "../state/page_state";
import { type Shown, variantOf } from "../state/position";
import { Board } from "./board";
import { Controls, type Steps } from "./controls";
import { Entry } from "./entry";
import { CloseIcon } from "./icons";
import { LineView } from "./line_view";
import { PositionText } from "./position_text";

interface Props {
  state: PageState;
  shown: Shown;
  game: Game | null;
  fen: string;
  /** Language of the letters that are typed. */
  lang: string;
  /** The last move as text, for the board's label. */
  lastText: string;
  /** A move to draw. */
  pointed: string | null;
  steps: Steps;
  isAtStart: boolean;
  isAtEnd: boolean;
  entryRef: RefObject<HTMLTextAreaElement | null>;
  onPlay: (moves: string[]) => void;
  /** Changes the position. */
  go: Go;
}

const NO_DESTS: Record<string, string[]> = {};

export function BoardSide(props: Props) {
  const { state, shown, game, fen, lang, lastText, pointed, steps, isAtStart, isAtEnd, onPlay, go } = props;
  const { position, played, gameMoves } = shown;
  const { notation } = state;
  const here = position.isStale ? null : position.data;
  const isInLine = state.line.length > 0;
  const turn = sideToMove(fen);

  const current = isInLine ? undefined : gameMoves.at(-1);
  const shapes = useMemo(() => {
    const drawn: Shape[] = (current?.comments ?? []).flatMap((raw) => readComment(raw).shapes);
    const [orig, dest] = squaresOf(pointed ?? "");
    if (orig) drawn.push({ orig, brush: "green", ...(dest ? { dest } : {}) });
    return drawn;
  }, [pointed, current]);

  const playText = async (text: string) => {
    const variant = variantOf(game);
    const after = await get<Position>(address("position", { fen, variant, play: text, lang, notation }));
    if (after.line.length === 0) throw new ApiError("there is no move in this", 400, null);
    onPlay(after.line.map((move) => move.uci));
  };
  const setUp = async (text: string) => {
    const start = text.replaceAll("_", " ").replace(/\s+/g, " ");
    // Asked first, so that a FEN that makes no sense is refused where it was pasted and the board stays.
    await get<Position>(address("position", { fen: start, notation }));
    go({ ...toRoot(start), scope: "here", page: 1 }, "push");
  };
  const paste = async (pgn: string) => {
    const { moves, problem } = await pastedGame(pgn, notation, lang);
    if (moves.length === 0 && problem) {
      throw new ApiError(`\`${problem.token}\`: ${problem.class.replaceAll("_", " ")}`, 400, null);
    }
    go({ ...toRoot(), pasted: pgn }, "push");
  };

  return (
    <section class="board-side" aria-label="Board">
      <Board
        fen={fen}
        turn={turn}
        isCheck={here?.check ?? false}
        lastMove={played.at(-1) ?? null}
        isFlipped={state.isFlipped}
        dests={here?.dests ?? NO_DESTS}
        legal={here?.legal ?? []}
        shapes={shapes}
        label={`Chess board, ${turn === "white" ? "White" : "Black"} to move${lastText && ` after ${lastText}`}`}
        describedBy="pieces"
        onMove={(uci) => onPlay([uci])}
      />
      <p class="for-ears" id="pieces">
        {inWords(fen)}
      </p>
      <Controls {...{ steps, isAtStart, isAtEnd }} />
      <Entry inputRef={props.entryRef} onMoves={playText} onFen={setUp} onPgn={paste} />
      {isInLine && (
        <div class="line-box">
          <LineView
            moves={shown.line}
            cursor={state.cursor}
            label={game ? "Your line" : "Moves played"}
            addressOf={(cursor) => toAddress({ ...state, ...toCursor(cursor) })}
            onSelect={(cursor) => go(toCursor(cursor), "replace")}
          />
          <button
            type="button"
            class="close"
            title={game ? "Back to the game" : "Take all moves back"}
            onClick={() => go({ line: [], cursor: 0 }, "push")}
          >
            <CloseIcon />
            <span class="for-ears">{game ? "Back to the game" : "Take all moves back"}</span>
          </button>
        </div>
      )}
      {position.error && (
        <p class="error" role="alert">
          {position.error.message}
        </p>
      )}
      <PositionText
        fen={fen}
        isAtStart={!game && played.length === 0 && state.start === ""}
        onReset={() => go(toRoot(), "push")}
      />
    </section>
  );
}
