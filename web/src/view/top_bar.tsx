/** What frames the page: the name, the choices that hold for all of it, and the last line. */
import type { IndexSummary, Notation } from "../api/types";
import { useTheme } from "../state/theme";
import { ThemeIcon } from "./icons";
import { counted } from "./text";

interface Props {
  notation: string;
  notations: Notation[];
  index: string;
  indexes: IndexSummary[];
  onNotation: (code: string) => void;
  onIndex: (name: string) => void;
  onHelp: () => void;
}

export function Brand() {
  return (
    <a class="brand" href="./">
      pgndex
    </a>
  );
}

export function Choices({ notation, notations, index, indexes, onNotation, onIndex, onHelp }: Props) {
  const [theme, next, changeTheme] = useTheme();
  const forms = notations.filter((one) => one.kind === "form");
  const languages = notations.filter((one) => one.kind === "language");
  const isListed = notations.some((one) => one.code === notation);
  return (
    <div class="choices">
      {indexes.length > 1 && (
        <label>
          <span class="for-ears">Index</span>
          <select value={index || indexes[0]?.name} onChange={(event) => onIndex(event.currentTarget.value)}>
            {indexes.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="notation">
        <span>Notation</span>
        <select value={notation} onChange={(event) => onNotation(event.currentTarget.value)}>
          {/* A combination such as `long:de` can come with the address. */}
          {!isListed && <option value={notation}>{notation}</option>}
          <optgroup label="Notation">
            {forms.map((one) => (
              <option key={one.code} value={one.code}>
                {one.name}
              </option>
            ))}
          </optgroup>
          <optgroup label="Short algebraic in">
            {languages.map((one) => (
              <option key={one.code} value={one.code}>
                {one.name}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <button type="button" class="sign" onClick={changeTheme} title={`Colours: ${theme}. Change to ${next}`}>
        <ThemeIcon theme={theme} />
        <span class="for-ears">
          Colours: {theme}. Change to {next}
        </span>
      </button>
      <button type="button" class="sign" onClick={onHelp} title="Keys and query language (?)">
        <span aria-hidden="true">?</span>
        <span class="for-ears">Keys and query language</span>
      </button>
    </div>
  );
}

export function Bottom({ index }: { index: IndexSummary | undefined }) {
  return (
    <footer class="bottom">
      {index && (
        <span>
          {index.name}, {counted(index.games, "game")}
        </span>
      )}
      <a href="api/openapi.json">API</a>
      <span>pgndex is free software, GPL-3.0-or-later</span>
    </footer>
  );
}
