/**
 * Asks the server. Answers are kept for a minute, so that stepping back and forth through a game costs nothing, and
 * no longer, so that games that are imported meanwhile appear.
 */

/** What the server refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  /** For a query: the character from 1 at which reading it stopped. */
  readonly column: number | null;

  constructor(message: string, status: number, column: number | null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.column = column;
  }
}

export type Params = Record<string, string | number | null | undefined>;

/** The address of a question. Empty parameters are left out: the server has defaults for all of them. */
export function address(path: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `api/${path}${text && `?${text}`}`;
}

const KEEP_MS = 60_000;
const KEEP_ANSWERS = 300;
const kept = new Map<string, { until: number; answer: unknown }>();

/** An answer that is still fresh, without asking. */
export function peek<T>(url: string): T | undefined {
  const entry = kept.get(url);
  return entry && entry.until > Date.now() ? (entry.answer as T) : undefined;
}

export async function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  const fresh = peek<T>(url);
  if (fresh !== undefined) return fresh;
  const answer = await ask<T>(url, signal ? { signal } : {});
  kept.delete(url);
  kept.set(url, { until: Date.now() + KEEP_MS, answer });
  const oldest = kept.keys().next();
  if (kept.size > KEEP_ANSWERS && !oldest.done) kept.delete(oldest.value);
  return answer;
}

export function post<T>(url: string, body: string, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/x-chess-pgn" };
  return ask<T>(url, { method: "POST", headers, body, ...(signal ? { signal } : {}) });
}

async function ask<T>(url: string, init: RequestInit): Promise<T> {
  let response = await send(url, init);
  if (response.status === 503) {
    // The server is busy and says for how long; one polite second attempt hides most of it.
    const seconds = Number(response.headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds || 1, 5) * 1000));
    init.signal?.throwIfAborted();
    response = await send(url, init);
  }
  const text = await response.text();
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError("the server's answer cannot be read", response.status, null);
  }
  if (response.ok) return value as T;
  const { error, column } = (value ?? {}) as { error?: unknown; column?: unknown };
  throw new ApiError(
    // The column is shown in another way, and is another one if the page put something before the query.
    typeof error === "string"
      ? error.replace(/^bad query at column \d+: /, "")
      : `the server answered ${response.status}`,
    response.status,
    typeof column === "number" ? column : null,
  );
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError("the server cannot be reached", 0, null);
  }
}
