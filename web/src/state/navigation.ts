/** Keeps the state of the page and the address bar the same, in both directions. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { fromAddress, type PageState, toAddress } from "./page_state";

/**
 * How a change enters the browser's history. A move, a search and an opened game are steps that one wants to take
 * back; leafing through moves that are there already is not, or the back button would need fifty presses.
 */
export type Step = "push" | "replace";

export type Go = (change: Partial<PageState>, step: Step) => void;

export function useNavigation(): [PageState, Go] {
  const [state, setState] = useState(() => fromAddress(location.search, location.hash));
  // Two changes can happen before the page is drawn again; the second must see the first.
  const latest = useRef(state);

  const go = useCallback<Go>((change, step) => {
    const next = { ...latest.current, ...change };
    const address = toAddress(next);
    const isSame = address === toAddress(latest.current);
    latest.current = next;
    setState(next);
    if (isSame) return;
    if (step === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }, []);

  useEffect(() => {
    const read = () => {
      latest.current = fromAddress(location.search, location.hash);
      setState(latest.current);
    };
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);

  return [state, go];
}
