/**
 * What the page shows, and its place in the address bar. Everything that a reader would want to send to somebody is
 * in the address, and nothing else; a state that is not in it (what has the focus, the theme) is not in here either.
 *
 * A position is never stored as itself but as the way to it: a root (the start position, a FEN, a game and a place in
 * it) and the moves played from there. So going back leads where one came from, whatever transpositions the position
 * has, and statistics know the opening's name.
 */
import { isUci } from "../game/uci";

export interface PageState {
  /** Which index; empty for the server's first. */
  index: string;
  /** How moves are shown and read: a form (`long`), a language (`de`) or both (`long:de`). */
  notation: string;
  /** The FEN that the line begins from; empty for the start position. */
  start: string;
  /** The game that is open, if one is. */
  game: number | null;
  /** A game that was pasted, as PGN; empty if none. */
  pasted: string;
  /** Where in the open game the line begins, see `game/tree.ts`. */
  place: string;
  /** Moves in UCI. */
  line: string[];
  /** How many moves of the line are on the board. */
  cursor: number;
  query: string;
  /** Language of the piece letters in the query: that of the notation when it was typed. */
  queryLang: string;
  /** Whether the games listed are those that reached the position on the board, or all that match. */
  scope: "here" | "all";
  sort: string;
  /** Page of the list, from 1. */
  page: number;
  /** Whether Black is at the bottom. */
  isFlipped: boolean;
}

export const FIRST_STATE: PageState = {
  index: "",
  notation: "san",
  start: "",
  game: null,
  pasted: "",
  place: "",
  line: [],
  cursor: 0,
  query: "",
  queryLang: "",
  scope: "here",
  sort: "id",
  page: 1,
  isFlipped: false,
};

/** The address, relative to the page's own. The same state always has the same one. */
export function toAddress(state: PageState): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string, isDefault: boolean) => {
    if (!isDefault) query.set(name, value);
  };
  put("index", state.index, state.index === "");
  put("q", state.query, state.query === "");
  put("lang", state.queryLang, state.queryLang === "" || state.query === "");
  put("in", state.scope, state.scope === FIRST_STATE.scope);
  put("sort", state.sort, state.sort === FIRST_STATE.sort);
  put("page", String(state.page), state.page === 1);
  put("game", String(state.game), state.game === null);
  put("at", state.place, state.place === "");
  put("fen", state.start.replaceAll(" ", "_"), state.start === "");
  put("play", state.line.join(","), state.line.length === 0);
  put("ply", String(state.cursor), state.cursor === state.line.length);
  put("notation", state.notation, state.notation === FIRST_STATE.notation);
  put("side", "black", !state.isFlipped);
  // These need no escaping in a query, and an address that can be read is worth the line.
  const text = query.toString().replace(/%(2F|2C|3A|40)/g, decodeURIComponent);
  // A pasted game travels in the fragment: it is not sent to the server, and may be long.
  const fragment = state.pasted && `#pgn=${encodeURIComponent(state.pasted)}`;
  return `./${text && `?${text}`}${fragment}`;
}

/** The state that an address stands for. What makes no sense in it is left at its default. */
export function fromAddress(search: string, fragment: string): PageState {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? "";
  const line = text("play").split(",").filter(Boolean);
  const isLine = line.every(isUci);
  const moves = isLine ? line : [];
  const game = natural(text("game"));
  const pasted = fragment.startsWith("#pgn=") ? decoded(fragment.slice(5)) : "";
  const hasGame = game !== null || pasted !== "";
  return {
    index: text("index"),
    notation: /^[a-z]+([:-][a-z]+)*$/.test(text("notation")) ? text("notation") : FIRST_STATE.notation,
    start: hasGame ? "" : text("fen").replaceAll("_", " ").trim(),
    game,
    pasted: game === null ? pasted : "",
    place: hasGame && /^\d+(-\d+-\d+)*$/.test(text("at")) ? text("at") : "",
    line: moves,
    cursor: Math.min(natural(text("ply")) ?? moves.length, moves.length),
    query: text("q"),
    queryLang: /^[a-z]{2}$/.test(text("lang")) ? text("lang") : "",
    scope: text("in") === "all" ? "all" : "here",
    sort: /^-?[a-z_]+$/.test(text("sort")) ? text("sort") : FIRST_STATE.sort,
    page: Math.max(natural(text("page")) ?? 1, 1),
    isFlipped: text("side") === "black",
  };
}

/** The language whose letters a notation writes, for reading them back; empty where it has none of its own. */
export function languageOf(notation: string, languages: ReadonlySet<string>): string {
  const code = notation.includes(":") ? notation.slice(notation.indexOf(":") + 1) : notation;
  return languages.has(code) ? code : "";
}

function natural(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
