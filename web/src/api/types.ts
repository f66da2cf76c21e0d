/**
 * The answers of the server, as its OpenAPI document (`/api/openapi.json`) describes them. Only what the page reads
 * is named here.
 */

export interface IndexSummary {
  name: string;
  games: number;
}

export interface Notation {
  code: string;
  name: string;
  kind: "form" | "language";
}

/** How games ended. */
export interface Results {
  white: number;
  draws: number;
  black: number;
  unknown: number;
}

export interface Count extends Results {
  games: number;
  occurrences: number;
}

export interface Hit {
  id: number;
  source: string;
  game: number;
  ply: number | null;
  white: string;
  black: string;
  white_elo: number | null;
  black_elo: number | null;
  result: string;
  date: string;
  event: string;
  eco: string | null;
  plies: number;
  move?: string;
}

export interface SearchAnswer {
  count: Count;
  readings: string[];
  hits: Hit[];
}

export interface Opening {
  eco: string;
  name: string;
}

export interface ExploredMove extends Results {
  uci: string;
  san: string;
  move?: string;
  games: number;
  rated_games: number;
  average_rating: number | null;
  performance: number | null;
  last_played: number | null;
}

export interface Exploration extends Results {
  fen: string;
  games: number;
  opening: Opening | null;
  moves: ExploredMove[];
}

export interface LegalMove {
  uci: string;
  san: string;
  text: string;
}

export interface LineMove extends LegalMove {
  fen: string;
}

export interface Position {
  fen: string;
  turn: "white" | "black";
  check: boolean;
  outcome: string | null;
  opening: Opening | null;
  line: LineMove[];
  dests: Record<string, string[]>;
  legal: LegalMove[];
}

export interface GameMove extends LineMove {
  ply: number;
  comments_before?: string[];
  comments?: string[];
  nags?: number[];
  variations?: GameMove[][];
}

export interface Game {
  /** These three only if it is in the index. */
  id?: number;
  source?: string;
  game?: number;
  status: "ok" | "partial" | "rejected";
  variant: string;
  tags: Record<string, string>;
  result: string;
  plies: number;
  start_fen: string;
  final_fen: string;
  problem?: { class: string; token: string; ply?: number };
  opening: Opening | null;
  comments?: string[];
  moves: GameMove[];
}

export interface YearCount extends Results {
  year: number;
  games: number;
}

export interface RatingCount extends Results {
  from: number;
  to: number;
  games: number;
}

export interface Stats {
  games: number;
  by_year: YearCount[];
  by_rating: RatingCount[];
}
