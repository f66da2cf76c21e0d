/**
 * Header filters. The form is a second view of the query: each field writes one clause into the search box and shows
 * the one that stands there, so that whoever uses it learns the language on the way.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clauseOf, quoted, range, rangeEnds, unquoted, withClause } from "../query/clauses";

interface Props {
  query: string;
  onQuery: (query: string) => void;
}

const PLAYER = ["player", "white", "black"];
const DATE = ["date", "year"];
const SPEEDS = ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
const RESULTS = [
  ["1-0", "White won"],
  ["1/2-1/2", "draw"],
  ["0-1", "Black won"],
  ["*", "unknown"],
] as const;

export function Filters({ query, onQuery }: Props) {
  const player = clauseOf(query, PLAYER);
  const set = (fields: string[], clause: string) => onQuery(withClause(query, fields, clause));
  const setPlayer = (field: string, name: string) =>
    set(PLAYER, name.trim() ? `${field}:${quoted(name)}` : "");
  const ends = (fields: string[]) => rangeEnds(clauseOf(query, fields)?.value ?? "");
  const word = (field: string) => unquoted(clauseOf(query, [field])?.value ?? "");
  const playerField = player?.field ?? "player";
  const playerName = unquoted(player?.value ?? "");
  return (
    <form
      id="filters"
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // Enter in a text field means "I have typed it"; browsers send `change` only when the field is left.
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.target.blur();
      }}
    >
      <Field label="Player">
        <Text value={playerName} onText={(name) => setPlayer(playerField, name)} />
      </Field>
      <Field label="Colour">
        <select
          value={playerField}
          disabled={playerName === ""}
          onChange={(event) => setPlayer(event.currentTarget.value, playerName)}
        >
          <option value="player">either</option>
          <option value="white">White</option>
          <option value="black">Black</option>
        </select>
      </Field>
      <Range
        label="Mean rating"
        ends={ends(["mean_elo"])}
        hint={["1800", "2400"]}
        onEnds={(from, to) => set(["mean_elo"], clause("mean_elo", range(from, to)))}
      />
      <Range
        label="Date"
        ends={ends(DATE)}
        hint={["1990", "1999.12.31"]}
        onEnds={(from, to) => set(DATE, clause("date", range(dotted(from), dotted(to))))}
      />
      <Field label="Result">
        <select
          value={word("result")}
          onChange={(event) => set(["result"], clause("result", asPhrase(event.currentTarget.value)))}
        >
          <option value="">any</option>
          {RESULTS.map(([tag, label]) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <Range
        label="ECO"
        ends={ends(["eco"])}
        hint={["B20", "B99"]}
        onEnds={(from, to) => set(["eco"], clause("eco", range(from.toUpperCase(), to.toUpperCase())))}
      />
      <Field label="Event">
        <Text
          value={word("event")}
          onText={(name) => set(["event"], clause("event", name.trim() && quoted(name)))}
        />
      </Field>
      <Field label="Speed">
        <select
          value={word("speed")}
          onChange={(event) => set(["speed"], clause("speed", event.currentTarget.value))}
        >
          <option value="">any</option>
          {SPEEDS.map((speed) => (
            <option key={speed}>{speed}</option>
          ))}
        </select>
      </Field>
      <button type="button" class="quiet" disabled={query === ""} onClick={() => onQuery("")}>
        Clear
      </button>
    </form>
  );
}

function clause(field: string, value: string): string {
  return value && `${field}:${value}`;
}

function asPhrase(value: string): string {
  return value && `"${value}"`;
}

/** `1990-12-31` and `1990/12` as PGN writes them. */
function dotted(date: string): string {
  return date.trim().replaceAll(/[-/]/g, ".");
}

function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

interface TextProps {
  value: string;
  label?: string;
  hint?: string;
  onText: (text: string) => void;
}

/**
 * A field that writes its clause when it is left. What is typed until then is the field's own: the page is drawn anew
 * whenever an answer comes, and would put the clause's old text in its place.
 */
function Text({ value, label, hint, onText }: TextProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={hint}
      value={draft}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

interface RangeProps {
  label: string;
  ends: [string, string];
  hint: [string, string];
  onEnds: (from: string, to: string) => void;
}

function Range({ label, ends, hint, onEnds }: RangeProps) {
  const [from, to] = ends;
  return (
    <fieldset class="field range">
      <legend>{label}</legend>
      <Text label={`${label} from`} hint={hint[0]} value={from} onText={(text) => onEnds(text, to)} />
      <span aria-hidden="true">–</span>
      <Text label={`${label} to`} hint={hint[1]} value={to} onText={(text) => onEnds(from, text)} />
    </fieldset>
  );
}
