/**
 * The board. chessground draws it and moves the pieces; which moves there are comes from the server, so that the page
 * needs no rules of its own. Who cannot use a pointer types moves into the field below.
 */
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key } from "@lichess-org/chessground/types";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LegalMove } from "../api/types";
import type { Shape } from "../game/annotations";
import type { Side } from "../game/fen";
import { squaresOf } from "../game/uci";
import { Promotion } from "./promotion";

interface Props {
  fen: string;
  turn: Side;
  isCheck: boolean;
  lastMove: string | null;
  isFlipped: boolean;
  /** None while the server has not told them yet. */
  dests: Record<string, string[]>;
  legal: LegalMove[];
  shapes: Shape[];
  label: string;
  /** The id of what tells the position in words. */
  describedBy: string;
  onMove: (uci: string) => void;
}

export function Board(props: Props) {
  const { fen, turn, isCheck, lastMove, isFlipped, dests, legal, shapes, label, describedBy, onMove } = props;
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | null>(null);
  const [choices, setChoices] = useState<LegalMove[]>([]);
  // chessground keeps the first handler that it is given.
  const moved = useRef<(from: string, to: string) => void>(() => {});
  moved.current = (from, to) => {
    const fitting = legal.filter((move) => move.uci.startsWith(from + to));
    if (fitting.length > 1) setChoices(fitting);
    // Castling as king takes rook is legal but spelled otherwise; the server knows both.
    else onMove(fitting[0]?.uci ?? from + to);
  };

  useEffect(() => {
    if (!element.current) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const api = Chessground(element.current, {
      animation: { enabled: !isCalm, duration: 160 },
      movable: { free: false, events: { after: (from, to) => moved.current(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
    });
    board.current = api;
    return () => api.destroy();
  }, []);

  useEffect(() => {
    board.current?.set({
      fen,
      turnColor: turn,
      check: isCheck ? turn : false,
      orientation: isFlipped ? "black" : "white",
      lastMove: squaresOf(lastMove ?? "") as Key[],
      movable: { color: turn, dests: new Map(Object.entries(dests)) as Map<Key, Key[]> },
    });
  }, [fen, turn, isCheck, lastMove, isFlipped, dests]);

  useEffect(() => {
    board.current?.setAutoShapes(shapes as DrawShape[]);
  }, [shapes]);

  const close = () => {
    setChoices([]);
    // The pawn stands on the last rank already; put it back.
    board.current?.set({
      fen,
      turnColor: turn,
      movable: { dests: new Map(Object.entries(dests)) as Map<Key, Key[]> },
    });
  };

  return (
    <div class="board-frame">
      <div ref={element} class="board" role="img" aria-label={label} aria-describedby={describedBy} />
      {choices.length > 0 && (
        <Promotion
          choices={choices}
          side={turn}
          onChoose={(uci) => {
            setChoices([]);
            onMove(uci);
          }}
          onCancel={close}
        />
      )}
    </div>
  );
}
