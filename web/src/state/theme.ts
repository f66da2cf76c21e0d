/**
 * Light, dark, or what the system says. `public/theme.js` sets the stored choice before the page is drawn; this is
 * where it is changed.
 */
import { useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export function useTheme(): [Theme, Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const set = document.documentElement.dataset.theme;
    return set === "light" || set === "dark" ? set : "auto";
  });
  const next = NEXT[theme];
  const change = () => {
    setTheme(next);
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === "auto") localStorage.removeItem("theme");
      else localStorage.setItem("theme", next);
    } catch {
      // Storage can be forbidden; the choice then lasts as long as the page.
    }
  };
  return [theme, next, change];
}
