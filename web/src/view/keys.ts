/** The keys that work everywhere on the page, except where something is being typed. */
import { useEffect, useRef } from "preact/hooks";
import type { Steps } from "./controls";

interface Keys extends Steps {
  search: () => void;
  enter: () => void;
  help: () => void;
  previousGame: () => void;
  nextGame: () => void;
}

const BY_KEY: Record<string, keyof Keys> = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  Home: "first",
  End: "last",
  f: "flip",
  "/": "search",
  m: "enter",
  p: "previousGame",
  n: "nextGame",
  "?": "help",
};

export function useKeys(keys: Keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = BY_KEY[event.key];
      if (!name || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      latest.current[name]();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
