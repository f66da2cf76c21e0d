/**
 * Reads and rewrites the clauses of a query, so that the filter form and the search box are two views of one text:
 * the form writes into the box, and shows what stands there. It knows words, quotes, brackets and operators, not what
 * fields mean; whatever it does not understand it leaves as it is, for the server to judge.
 */

/** A piece of a query at its top level. */
interface Piece {
  kind: "operator" | "clause" | "group";
  /** The field of a clause, empty for bare words. */
  field: string;
  /** What follows the field's colon. */
  value: string;
  start: number;
  end: number;
}

const CLOSING: Record<string, string> = { '"': '"', "(": ")", "[": "]", "{": "}" };
const OPERATORS = new Set(["AND", "OR", "NOT", "&&", "||"]);

/** For each character the sign that would close what it stands in, if anything; and whether all is closed at the end. */
function nesting(query: string): { within: string[]; isClosed: boolean } {
  const within: string[] = [];
  const open: string[] = [];
  let isEscaped = false;
  let isClosed = true;
  for (const char of query.split("")) {
    const wanted = open.at(-1) ?? "";
    within.push(wanted);
    if (isEscaped) isEscaped = false;
    else if (char === "\\") isEscaped = true;
    else if (char === wanted) open.pop();
    else if (wanted === '"') continue;
    else if (char in CLOSING) open.push(CLOSING[char] as string);
    else if (char === ")" || char === "]" || char === "}") isClosed = false;
  }
  return { within, isClosed: isClosed && open.length === 0 && !isEscaped };
}

function pieces(query: string): Piece[] {
  const { within } = nesting(query);
  const isBetween = (at: number) => within[at] === "" && /\s/.test(query.charAt(at));
  const found: Piece[] = [];
  for (let start = 0; start < query.length; start += 1) {
    if (isBetween(start)) continue;
    let end = start;
    while (end < query.length && !isBetween(end)) end += 1;
    const text = query.slice(start, end);
    const field = /^([a-z_]+(?:\.[\w.]+)?):/i.exec(text);
    found.push({
      kind: OPERATORS.has(text) ? "operator" : text.startsWith("(") ? "group" : "clause",
      field: field?.[1] ?? "",
      value: field ? text.slice(field[0].length) : text,
      start,
      end,
    });
    start = end;
  }
  return found;
}

/** Clauses that must hold: those not negated, and none if there is an OR between them. */
function required(query: string): Piece[] {
  const all = pieces(query);
  if (all.some(isOr)) return [];
  return all.filter(
    (piece, n) =>
      piece.kind === "clause" &&
      piece.field !== "" &&
      query.slice(all[n - 1]?.start, all[n - 1]?.end) !== "NOT",
  );
}

function isOr(piece: Piece): boolean {
  return piece.kind === "operator" && (piece.value === "OR" || piece.value === "||");
}

/** The value of the first required clause on one of the fields, as it was typed. */
export function clauseOf(query: string, fields: readonly string[]): { field: string; value: string } | null {
  const piece = required(query).find((one) => fields.includes(one.field));
  return piece ? { field: piece.field, value: piece.value } : null;
}

/**
 * The query with its first required clause on one of the fields replaced, or taken out if `clause` is empty, or with
 * the clause put at its end if it had none.
 */
export function withClause(query: string, fields: readonly string[], clause: string): string {
  const old = required(query).find((one) => fields.includes(one.field));
  if (old) {
    const before = query.slice(0, old.start).trimEnd();
    const after = query.slice(old.end).trimStart();
    if (clause) return [before, clause, after].filter(Boolean).join(" ");
    // An AND that stood between two clauses has nothing to join any more.
    return [before.replace(/(^|\s)(AND|&&)$/, ""), after.replace(/^(AND|&&)\s+/, before ? "$1 " : "")]
      .filter(Boolean)
      .join(" ");
  }
  if (clause === "" || !nesting(query).isClosed) return query;
  // Clauses side by side must all match, but an OR binds less than that.
  return [pieces(query).some(isOr) ? `(${query.trim()})` : query.trim(), clause].filter(Boolean).join(" ");
}

/**
 * A query that asks for both. Parentheses keep whatever is in the first to itself, an operator at its end for example;
 * what they could not hold together is sent alone, for the server to refuse.
 */
export function both(query: string, clause: string): string {
  if (query.trim() === "") return clause;
  return clause === "" || !nesting(query).isClosed ? query : `(${query}) ${clause}`;
}

/** How many characters [`both`] puts before the query. */
export function shiftOf(query: string, clause: string): number {
  return query.trim() !== "" && both(query, clause) !== query ? 1 : 0;
}

/** A word or phrase as a value. */
export function quoted(text: string): string {
  const clean = text.trim().replaceAll(/["\\]/g, " ").trim();
  return /^[\p{L}\p{N}]+$/u.test(clean) ? clean : `"${clean}"`;
}

/** A value without its quotes. */
export function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** `[from TO to]` with `*` for an open end; empty if both are. */
export function range(from: string, to: string): string {
  const ends = [from.trim(), to.trim()];
  return ends.some(Boolean) ? `[${ends.map((end) => end || "*").join(" TO ")}]` : "";
}

/** The ends of a range; a single value is both. */
export function rangeEnds(value: string): [string, string] {
  const ends = /^\[\s*(\S+)\s+TO\s+(\S+?)\s*\]$/.exec(value);
  if (ends) return [ends[1], ends[2]].map((end) => (end === "*" || !end ? "" : end)) as [string, string];
  return /[[\]{}<>]/.test(value) ? ["", ""] : [unquoted(value), unquoted(value)];
}
