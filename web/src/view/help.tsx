/** Keys and the query language on one sheet. */
import type { RefObject } from "preact";
import { CloseIcon } from "./icons";

const KEYS = [
  ["← →", "step back and forward"],
  ["Home End", "first and last position"],
  ["f", "flip the board"],
  ["p n", "previous and next game of the list"],
  ["m", "type a move"],
  ["/", "search"],
  ["Esc", "leave a field"],
  ["?", "this sheet"],
] as const;

const QUERIES = [
  ["Sf3", "a move as you write it, in the notation that is chosen"],
  ['moves:"Bxh7+ Kxh7"', "moves one after the other"],
  ["w.move:a3", "by White only"],
  ['line:"1. d4 d5 2. c4"', "the position after these moves, however it was reached"],
  ['fen:"…"', 'a position; board:"…" takes placement and side only'],
  ["player:tal white:fischer", "names; all clauses must match"],
  ["date:[1960 TO 1970]", "also year, elo, mean_elo, plies, eco"],
  ['result:"1/2-1/2"', "also event, site, round, opening, speed, tag.NAME"],
  ["eco:B90 OR NOT (black:tal)", "AND, OR, NOT and parentheses"],
] as const;

export function Help({ dialogRef }: { dialogRef: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialogRef} class="help" aria-labelledby="help-title">
      <header>
        <h2 id="help-title">Keys and queries</h2>
        <button type="button" class="close" title="Close" onClick={() => dialogRef.current?.close()}>
          <CloseIcon />
          <span class="for-ears">Close</span>
        </button>
      </header>
      <div class="sheet">
        <dl>
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <dl>
          {QUERIES.map(([query, what]) => (
            <div key={query}>
              <dt>
                <code>{query}</code>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}
