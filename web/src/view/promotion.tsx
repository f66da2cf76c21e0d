/** Asks which piece a pawn becomes. */
import { useEffect, useRef } from "preact/hooks";
import type { LegalMove } from "../api/types";
import type { Side } from "../game/fen";

interface Props {
  choices: LegalMove[];
  side: Side;
  onChoose: (uci: string) => void;
  onCancel: () => void;
}

const ROLES: Record<string, string> = { q: "queen", r: "rook", b: "bishop", n: "knight", k: "king" };
const ORDER = "qrbnk";

export function Promotion({ choices, side, onChoose, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const role = (move: LegalMove) => move.uci.charAt(4);
  const sorted = [...choices].sort((a, b) => ORDER.indexOf(role(a)) - ORDER.indexOf(role(b)));
  return (
    <dialog ref={dialog} class="promotion cg-wrap" aria-label="Promote to" onCancel={onCancel}>
      {sorted.map((move) => (
        <button
          type="button"
          key={move.uci}
          onClick={() => onChoose(move.uci)}
          aria-label={ROLES[role(move)] ?? move.text}
        >
          <piece class={`${side} ${ROLES[role(move)] ?? ""}`} />
          <span aria-hidden="true">{move.text}</span>
        </button>
      ))}
    </dialog>
  );
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      // chessground's element for a piece; its style sheet draws it.
      piece: { class: string };
    }
  }
}
