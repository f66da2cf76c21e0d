/** The game that is open: one of the index, or one that was pasted. */
import { useEffect, useState } from "preact/hooks";
import { type ApiError, address, post } from "../api/client";
import { asApiError, type Loaded, useLoad } from "../api/load";
import type { Game } from "../api/types";
import type { PageState } from "./page_state";

export function pastedGame(pgn: string, notation: string, lang: string, signal?: AbortSignal): Promise<Game> {
  return post<Game>(address("position", { notation, lang }), pgn, signal);
}

export function useGame(state: PageState, lang: string): Loaded<Game> {
  const { game, pasted, notation, index } = state;
  const stored = useLoad<Game>(game === null ? null : address(`games/${game}`, { notation, index }));
  const [read, setRead] = useState<{ key: string; data: Game | null; error: ApiError | null } | null>(null);
  const key = pasted && [notation, lang, pasted].join(" ");

  useEffect(() => {
    if (key === "") return;
    const abort = new AbortController();
    pastedGame(pasted, notation, lang, abort.signal).then(
      (data) => setRead({ key, data, error: null }),
      (error: unknown) => {
        if (!abort.signal.aborted) setRead({ key, data: null, error: asApiError(error) });
      },
    );
    return () => abort.abort();
  }, [key]);

  if (game !== null) {
    // While another game loads, the one before would be shown with the wrong moves.
    return stored.isStale && stored.data?.id !== game
      ? { data: null, error: stored.error, isStale: true }
      : stored;
  }
  if (pasted === "") return { data: null, error: null, isStale: false };
  const isStale = read?.key !== key;
  // The same game in another notation may stay until it is there in the new one; another game may not.
  const isSame = read?.key.endsWith(pasted) ?? false;
  return {
    data: isSame ? (read?.data ?? null) : null,
    error: isStale ? null : (read?.error ?? null),
    isStale,
  };
}
