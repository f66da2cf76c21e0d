/** The field under the board that takes moves in any notation, a FEN, or a whole game. */
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { asApiError } from "../api/load";
import { kindOf } from "../game/fen";

interface Props {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onMoves: (text: string) => Promise<void>;
  onFen: (fen: string) => Promise<void>;
  onPgn: (pgn: string) => Promise<void>;
}

export function Entry({ inputRef, onMoves, onFen, onPgn }: Props) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");

  const take = async (given: string) => {
    const clean = given.trim();
    if (clean === "") return;
    try {
      const kind = kindOf(clean);
      await (kind === "fen" ? onFen(clean) : kind === "pgn" ? onPgn(clean) : onMoves(clean));
      setText("");
      setError("");
    } catch (problem) {
      setError(asApiError(problem).message);
    }
  };

  return (
    <form
      class="entry"
      onSubmit={(event) => {
        event.preventDefault();
        void take(text);
      }}
    >
      <label class="for-ears" for="entry">
        Play a move, or paste a FEN or a game
      </label>
      <textarea
        id="entry"
        ref={inputRef}
        rows={1}
        value={text}
        placeholder="Type a move; paste a FEN or a game"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={error !== ""}
        aria-describedby={error ? "entry-error" : undefined}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setError("");
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void take(event.currentTarget.value);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text") ?? "";
          // Moves may be the beginning of more; a FEN or a game is meant as it is.
          if (text !== "" || kindOf(pasted) === "moves") return;
          event.preventDefault();
          setText(pasted);
          void take(pasted);
        }}
      />
      <button type="submit">Go</button>
      {error && (
        <p class="error" id="entry-error" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
