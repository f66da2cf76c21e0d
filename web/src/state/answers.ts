/** What the server says to the state: statistics of the position, games, and figures of them. */
import { type ApiError, address } from "../api/client";
import { type Loaded, useLoad } from "../api/load";
import type { Exploration, Game, SearchAnswer, Stats } from "../api/types";
import { both, shiftOf } from "../query/clauses";
import type { PageState } from "./page_state";
import { type Shown, variantOf } from "./position";

export const PAGE_SIZE = 20;

export interface Answers {
  explored: Loaded<Exploration>;
  searched: Loaded<SearchAnswer>;
  stats: Loaded<Stats>;
  /** What is wrong with the query, and the column in the query as it was typed. */
  queryError: { error: ApiError; column: number } | null;
}

export function useAnswers(state: PageState, shown: Shown, game: Game | null, fen: string): Answers {
  const { notation, index, query, queryLang } = state;
  // A game of another variant has a scope of its own in the index.
  const variant = variantOf(game) && `variant:${variantOf(game)}`;
  const place = state.scope === "here" ? [`fen:"${fen}"`, variant].filter(Boolean).join(" ") : "";
  const listed = { q: both(query, place), lang: queryLang, index };
  const searched = useLoad<SearchAnswer>(
    address("search", {
      ...listed,
      notation,
      sort: state.sort,
      limit: PAGE_SIZE,
      offset: (state.page - 1) * PAGE_SIZE,
    }),
  );
  const stats = useLoad<Stats>(address("stats", listed));
  const question = {
    fen: shown.root,
    play: shown.played.join(","),
    filter: both(query, variant),
    lang: queryLang,
    notation,
    index,
  };
  const explored = useLoad<Exploration>(shown.isReady ? address("explore", question) : null);
  const queryError =
    located(searched.error, shiftOf(query, place)) ?? located(explored.error, shiftOf(query, variant));
  return { explored, searched, stats, queryError };
}

function located(error: ApiError | null, shift: number): Answers["queryError"] {
  return error && error.column !== null ? { error, column: error.column - shift } : null;
}
