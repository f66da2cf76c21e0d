/** What was played from the position on the board, and how it went. */
import { useState } from "preact/hooks";
import type { Loaded } from "../api/load";
import type { Exploration, ExploredMove, Opening } from "../api/types";
import type { PageState } from "../state/page_state";
import { isPlain, StateLink } from "./link";
import { ResultBar } from "./result_bar";
import { count, counted, resultsInWords, share } from "./text";

interface Props {
  explored: Loaded<Exploration>;
  /** The name that the way to the position gives it, if the position itself has none. */
  opening: Opening | null;
  isFiltered: boolean;
  isOver: boolean;
  /** The state after a move. */
  after: (uci: string) => PageState;
  onPlay: (uci: string) => void;
  /** The move that is pointed at, to be drawn on the board. */
  onPoint: (uci: string | null) => void;
}

/** More rows than this are asked for. */
const FIRST_ROWS = 10;

export function Explorer({ explored, opening, isFiltered, isOver, after, onPlay, onPoint }: Props) {
  const { data, error, isStale } = explored;
  const [isWhole, setWhole] = useState(false);
  const rows = data ? (isWhole ? data.moves : data.moves.slice(0, FIRST_ROWS)) : [];
  const named = data?.opening ?? opening;
  return (
    <section
      class={isStale ? "explorer stale" : "explorer"}
      aria-labelledby="explorer-title"
      aria-busy={isStale}
    >
      <header>
        <h2 id="explorer-title">
          {named ? (
            <>
              <span class="eco">{named.eco}</span> {named.name}
            </>
          ) : (
            "Position"
          )}
        </h2>
        {data && data.games > 0 && (
          <p class="summary">
            {counted(data.games, "game")}
            {isFiltered && " of the search"} reached this position
          </p>
        )}
      </header>
      {error && <p class="error">{error.column === null ? error.message : "The search cannot be read."}</p>}
      {data && data.games > 0 && (
        <div class="total">
          <ResultBar results={data} isLarge />
          <span class="legend">{resultsInWords(data)}</span>
        </div>
      )}
      {data && rows.length > 0 && (
        <table class="moves" onMouseLeave={() => onPoint(null)}>
          <caption class="for-ears">Moves from this position, most played first</caption>
          <thead>
            <tr>
              <th scope="col">Move</th>
              <th scope="col" class="number">
                Games
              </th>
              <th scope="col" class="results">
                White / draw / Black
              </th>
              <th scope="col" class="number" title="Average rating of who played it">
                Rating
              </th>
              <th scope="col" class="number wide" title="Rating performance of who played it">
                Perf.
              </th>
              <th scope="col" class="number wide" title="Last year in which it was played">
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((move) => (
              <Row key={move.uci} {...{ move, data, after, onPlay, onPoint }} />
            ))}
          </tbody>
        </table>
      )}
      {data && data.moves.length > FIRST_ROWS && (
        <button type="button" class="quiet" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Fewer moves" : `All ${data.moves.length} moves`}
        </button>
      )}
      {data && data.moves.length === 0 && (
        <p class="nothing">
          {isOver
            ? "The game is over in this position."
            : data.games > 0
              ? "Every game ended here."
              : isFiltered
                ? "No game of the search reached this position."
                : "No game reached this position."}
        </p>
      )}
    </section>
  );
}

interface RowProps extends Pick<Props, "after" | "onPlay" | "onPoint"> {
  move: ExploredMove;
  data: Exploration;
}

function Row({ move, data, after, onPlay, onPoint }: RowProps) {
  const [, turn = "w", , , , full = "1"] = data.fen.split(" ");
  const number = turn === "b" ? `${full}…` : `${full}.`;
  return (
    // The whole row can be clicked as a convenience; the link in it is what keyboards and screen readers use.
    <tr
      onClick={(event) => isPlain(event) && !event.defaultPrevented && onPlay(move.uci)}
      onMouseEnter={() => onPoint(move.uci)}
    >
      <th scope="row">
        <StateLink
          to={after(move.uci)}
          onFollow={() => onPlay(move.uci)}
          label={`${number} ${move.move ?? move.san}`}
        >
          <span class="number">{number} </span>
          <span class="move">{move.move ?? move.san}</span>
        </StateLink>
      </th>
      <td class="number">
        {count(move.games)}
        <span class="share">{share(move.games, data.games)}</span>
      </td>
      <td class="results">
        <ResultBar results={move} />
      </td>
      <td class="number">{move.average_rating === null ? "" : Math.round(move.average_rating)}</td>
      <td class="number wide">{move.performance ?? ""}</td>
      <td class="number wide">{move.last_played ?? ""}</td>
    </tr>
  );
}
