/**
 * A link to another state of the page. It is a real one, so that it can be opened in a new tab or copied; only a
 * plain click is handled here, without loading the page again.
 */
import type { ComponentChildren } from "preact";
import type { PageState } from "../state/page_state";
import { toAddress } from "../state/page_state";

interface Props {
  to: PageState;
  onFollow: (to: PageState) => void;
  children: ComponentChildren;
  class?: string;
  label?: string;
}

export function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

export function StateLink({ to, onFollow, children, label, class: className }: Props) {
  return (
    <a
      href={toAddress(to)}
      class={className}
      aria-label={label}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onFollow(to);
      }}
    >
      {children}
    </a>
  );
}
