/**
 * Loads what a view shows. While the next answer is on its way the last one stays, dimmed by the caller, because a
 * table that vanishes and comes back with every step is hard to read.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, peek } from "./client";

export interface Loaded<T> {
  /** The answer for the present question, or the one before while `isStale`. */
  data: T | null;
  error: ApiError | null;
  isStale: boolean;
}

const NOTHING = { url: null, data: null, error: null };

/** A key held down steps faster than a server should be asked: what follows so soon waits until it is the last. */
const SETTLE_MS = 80;

export function useLoad<T>(url: string | null): Loaded<T> {
  const [state, setState] = useState<{ url: string | null; data: T | null; error: ApiError | null }>(NOTHING);
  const fresh = url === null ? undefined : peek<T>(url);
  const changed = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (url === null) return;
    const known = peek<T>(url);
    if (known !== undefined) {
      setState({ url, data: known, error: null });
      return;
    }
    const abort = new AbortController();
    const isHurried = performance.now() - changed.current < 2 * SETTLE_MS;
    changed.current = performance.now();
    const ask = () => {
      get<T>(url, abort.signal).then(
        (data) => setState({ url, data, error: null }),
        (error: unknown) => {
          if (!abort.signal.aborted) setState({ url, data: null, error: asApiError(error) });
        },
      );
    };
    const timer = setTimeout(ask, isHurried ? SETTLE_MS : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [url]);

  if (url === null) return { data: null, error: null, isStale: false };
  if (fresh !== undefined) return { data: fresh, error: null, isStale: false };
  return { data: state.data, error: state.url === url ? state.error : null, isStale: state.url !== url };
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(String(error), 0, null);
}
