/** The few signs on buttons. Each button says in words what it does; the sign is for the eye only. */
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const FirstIcon = () => (
  <Icon>
    <path d="M5 4v12M15.5 4.5 9 10l6.5 5.5" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="M13 4.5 6.5 10l6.5 5.5" />
  </Icon>
);
export const ForwardIcon = () => (
  <Icon>
    <path d="M7 4.5 13.5 10 7 15.5" />
  </Icon>
);
export const LastIcon = () => (
  <Icon>
    <path d="M15 4v12M4.5 4.5 11 10l-6.5 5.5" />
  </Icon>
);
export const FlipIcon = () => (
  <Icon>
    <path d="M6.5 16.5v-13M3.5 6.5l3-3 3 3M13.5 3.5v13M10.5 13.5l3 3 3-3" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const FilterIcon = () => (
  <Icon>
    <path d="M3 5.5h14M5.5 10h9M8 14.5h4" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <path d="M7 7h9v9H7zM4 13V4h9" />
  </Icon>
);
export const ThemeIcon = ({ theme }: { theme: "auto" | "light" | "dark" }) => (
  <Icon>
    {theme === "light" && (
      <path d="M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16" />
    )}
    {theme === "dark" && <path d="M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z" />}
    {theme === "auto" && (
      <>
        <circle cx="10" cy="10" r="6.5" />
        <path class="filled" d="M10 3.5a6.5 6.5 0 0 1 0 13Z" />
      </>
    )}
  </Icon>
);
