/** The moves that were played on the board: from the start, or away from the game that is open. */
import type { LineMove } from "../api/types";
import { numbered, sideToMove } from "../game/fen";

interface Props {
  moves: LineMove[];
  cursor: number;
  label: string;
  /** The address that shows the position after so many moves. */
  addressOf: (cursor: number) => string;
  onSelect: (cursor: number) => void;
}

export function LineView({ moves, cursor, label, addressOf, onSelect }: Props) {
  return (
    <ol class="line" aria-label={label}>
      {moves.map((move, n) => (
        <li key={n} class={n + 1 > cursor ? "ahead" : ""}>
          {(n === 0 || sideToMove(move.fen) === "black") && <span class="number">{numbered(move.fen)} </span>}
          <a
            href={addressOf(n + 1)}
            aria-current={n + 1 === cursor ? "step" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onSelect(n + 1);
            }}
          >
            {move.text}
          </a>
        </li>
      ))}
    </ol>
  );
}
