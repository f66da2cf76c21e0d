/** The FEN of the position, to copy. */
import { useEffect, useState } from "preact/hooks";
import { CopyIcon } from "./icons";

interface Props {
  fen: string;
  isAtStart: boolean;
  onReset: () => void;
}

export function PositionText({ fen, isAtStart, onReset }: Props) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [fen]);
  return (
    <div class="position-text">
      <code class="fen">{fen}</code>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          // Without https the clipboard is not there; the FEN can still be selected.
          navigator.clipboard?.writeText(fen).then(
            () => setCopied(true),
            () => setCopied(false),
          );
        }}
      >
        <CopyIcon />
        <span>{isCopied ? "Copied" : "Copy FEN"}</span>
      </button>
      {!isAtStart && (
        <button type="button" class="quiet" onClick={onReset}>
          Start position
        </button>
      )}
    </div>
  );
}
