/** The games that match: how many, how they ended, charts of them, and a page of the list. */
import type { Loaded } from "../api/load";
import type { Hit, SearchAnswer, Stats } from "../api/types";
import { type Column, columns } from "../chart/scale";
import { range, withClause } from "../query/clauses";
import { PAGE_SIZE } from "../state/answers";
import type { PageState } from "../state/page_state";
import { Chart } from "./chart";
import { isPlain, StateLink } from "./link";
import { Pager } from "./pager";
import { ResultBar } from "./result_bar";
import { count, counted, date, name, result } from "./text";

/** Columns that fit a chart of 360 units. */
const MOST_COLUMNS = 36;

interface Props {
  state: PageState;
  answer: Loaded<SearchAnswer>;
  stats: Loaded<Stats>;
  /** The state in which a hit is open. */
  opened: (hit: Hit) => PageState;
  onGo: (to: PageState) => void;
  /** As `onGo`, for leafing and sorting, which do not belong into the browser's history. */
  onLeaf: (change: Partial<PageState>) => void;
}

export function Games({ state, answer, stats, opened, onGo, onLeaf }: Props) {
  const { data, error, isStale } = answer;
  const found = data?.count;
  const only = (clause: (column: Column) => string, fields: string[]) => (column: Column) => ({
    ...state,
    query: withClause(state.query, fields, clause(column)),
    page: 1,
  });
  const years = (stats.data?.by_year ?? []).map((group) => ({ ...group, from: group.year, to: group.year }));
  return (
    <section class={isStale ? "games stale" : "games"} aria-labelledby="games-title" aria-busy={isStale}>
      <header>
        <h2 id="games-title">Games</h2>
        <fieldset class="scope">
          <legend class="for-ears">Which games are listed</legend>
          {(["here", "all"] as const).map((scope) => (
            <label key={scope}>
              <input
                type="radio"
                name="scope"
                checked={state.scope === scope}
                onChange={() => onLeaf({ scope, page: 1 })}
              />
              <span>{scope === "here" ? "with this position" : "all"}</span>
            </label>
          ))}
        </fieldset>
        {found && (
          <p class="summary">
            {counted(found.games, "game")}
            {found.occurrences !== found.games && `, ${counted(found.occurrences, "hit")}`}
          </p>
        )}
        <label class="sort">
          <span class="for-ears">Order</span>
          <select
            value={state.sort}
            onChange={(event) => onLeaf({ sort: event.currentTarget.value, page: 1 })}
          >
            {ORDERS.map(([sort, label]) => (
              <option key={sort} value={sort}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </header>
      {error && <p class="error">{error.column === null ? error.message : "The search cannot be read."}</p>}
      {/* With this position, the bar would be the one of the statistics again. */}
      {found && found.games > 0 && state.scope === "all" && (
        <div class="total">
          <ResultBar results={found} isLarge />
        </div>
      )}
      {found && found.games > 0 && stats.data && (
        <div class={stats.isStale ? "charts stale" : "charts"}>
          <Chart
            title="Results by year"
            unit="year"
            columns={columns(years, MOST_COLUMNS)}
            only={only((column) => `year:${range(String(column.from), String(column.to))}`, ["year", "date"])}
            onFollow={onGo}
          />
          <Chart
            title="Results by mean rating"
            unit="rating"
            columns={columns(stats.data.by_rating, MOST_COLUMNS, 100)}
            only={only((column) => `mean_elo:${range(String(column.from), String(column.to))}`, ["mean_elo"])}
            onFollow={onGo}
          />
        </div>
      )}
      {data && data.hits.length > 0 && <List {...{ state, opened, onGo, onLeaf }} hits={data.hits} />}
      {data && found && data.hits.length === 0 && <Nothing {...{ state, onGo }} games={found.games} />}
      {found && (
        <Pager
          page={state.page}
          pages={Math.ceil(found.occurrences / PAGE_SIZE)}
          pageSize={PAGE_SIZE}
          total={found.occurrences}
          onPage={(page) => onLeaf({ page })}
        />
      )}
    </section>
  );
}

const ORDERS = [
  ["id", "as imported"],
  ["-date", "newest first"],
  ["date", "oldest first"],
  ["-mean_elo", "highest rated first"],
  ["-white_elo", "White's rating"],
  ["-black_elo", "Black's rating"],
  ["eco", "by opening (ECO)"],
  ["plies", "shortest first"],
  ["-plies", "longest first"],
] as const;

function Nothing({ state, onGo, games }: Pick<Props, "state" | "onGo"> & { games: number }) {
  if (games > 0) {
    return (
      <p class="nothing">
        The list ends before page {count(state.page)}.{" "}
        <StateLink to={{ ...state, page: 1 }} onFollow={onGo}>
          Go to the first page
        </StateLink>
      </p>
    );
  }
  return (
    <p class="nothing">
      No game matches{state.scope === "here" && " in this position"}.{" "}
      {state.scope === "here" && (
        <StateLink to={{ ...state, scope: "all", page: 1 }} onFollow={onGo}>
          {state.query ? "Search all games" : "Show all games"}
        </StateLink>
      )}
    </p>
  );
}

type ListProps = Pick<Props, "state" | "opened" | "onGo" | "onLeaf"> & { hits: Hit[] };

/** Columns that can be sorted by, with the direction that one wants first. */
const HEADINGS = [
  { sort: "white_elo", label: "White", class: "", first: "-" },
  { sort: "black_elo", label: "Black", class: "", first: "-" },
  { sort: "", label: "Result", class: "", first: "" },
  { sort: "date", label: "Date", class: "", first: "-" },
  { sort: "", label: "Event", class: "wide", first: "" },
  { sort: "eco", label: "ECO", class: "", first: "" },
  { sort: "plies", label: "Moves", class: "number", first: "" },
] as const;

function List({ state, hits, opened, onGo, onLeaf }: ListProps) {
  // With the position on the board, all of them were found at the move that is on the board.
  const hasMoves = state.scope === "all" && hits.some((hit) => hit.move);
  return (
    <table class="hits">
      <caption class="for-ears">Games, page {state.page}</caption>
      <thead>
        <tr>
          {HEADINGS.map((heading) => {
            const isSorted = heading.sort !== "" && state.sort.replace("-", "") === heading.sort;
            const isDown = state.sort.startsWith("-");
            const reversed = isDown ? heading.sort : `-${heading.sort}`;
            return (
              <th
                scope="col"
                key={heading.label}
                class={heading.class}
                aria-sort={isSorted ? (isDown ? "descending" : "ascending") : undefined}
              >
                {heading.sort === "" ? (
                  heading.label
                ) : (
                  <button
                    type="button"
                    title={heading.sort.endsWith("elo") ? `Sort by ${heading.label}'s rating` : undefined}
                    onClick={() =>
                      onLeaf({ sort: isSorted ? reversed : heading.first + heading.sort, page: 1 })
                    }
                  >
                    {heading.label}
                  </button>
                )}
              </th>
            );
          })}
          {hasMoves && <th scope="col">Found</th>}
        </tr>
      </thead>
      <tbody>
        {hits.map((hit) => {
          const to = opened(hit);
          return (
            // The whole row can be clicked as a convenience; the link in it is what keyboards and screen readers use.
            <tr
              key={`${hit.id}:${hit.ply}`}
              aria-current={state.game === hit.id ? "true" : undefined}
              onClick={(event) => isPlain(event) && !event.defaultPrevented && onGo(to)}
            >
              <th scope="row" class="player">
                <StateLink to={to} onFollow={onGo}>
                  {name(hit.white)}
                </StateLink>
                {hit.white_elo !== null && <span class="elo">{hit.white_elo}</span>}
              </th>
              <td class="player">
                {name(hit.black)}
                {hit.black_elo !== null && <span class="elo">{hit.black_elo}</span>}
              </td>
              <td class="result">{result(hit.result)}</td>
              <td class="date">{date(hit.date)}</td>
              <td class="event wide">{name(hit.event) === "unknown" ? "" : hit.event}</td>
              <td class="eco">{hit.eco ?? ""}</td>
              <td class="number plies">{Math.ceil(hit.plies / 2)}</td>
              {hasMoves && <td class="found">{hit.move ?? ""}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
