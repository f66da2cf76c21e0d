/** The one box that takes the query language, with the server's objections below it. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { errorPlace } from "../query/error_place";
import type { Answers } from "../state/answers";
import { FilterIcon } from "./icons";

interface Props {
  inputRef: RefObject<HTMLInputElement | null>;
  query: string;
  problem: Answers["queryError"];
  readings: string[];
  areFiltersOpen: boolean;
  onToggleFilters: () => void;
  onSearch: (query: string) => void;
}

export function SearchBox(props: Props) {
  const { inputRef, query, problem, readings, areFiltersOpen, onToggleFilters, onSearch } = props;
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const place = problem && errorPlace(query, problem.column);
  return (
    <div class="search">
      {/* biome-ignore lint/a11y/useSemanticElements: <search> has no role in browsers of two years ago. */}
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <label class="for-ears" for="query">
          Search games
        </label>
        <input
          id="query"
          ref={inputRef}
          type="search"
          value={text}
          placeholder={'Search: Sf3, player:tal, moves:"Bxh7+ Kxh7"'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          aria-invalid={problem !== null}
          aria-describedby={problem ? "query-error" : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        <kbd class="hint" title="Press / to search">
          /
        </kbd>
        <button type="submit">Search</button>
        <button
          type="button"
          class="filter-button"
          aria-expanded={areFiltersOpen}
          aria-controls="filters"
          onClick={onToggleFilters}
        >
          <FilterIcon />
          <span>Filters</span>
        </button>
      </form>
      {problem && (
        <div class="error" id="query-error" role="alert">
          {place && (
            <p class="query-text">
              <span>{place.before}</span>
              <mark>{place.at}</mark>
              <span>{place.after}</span>
            </p>
          )}
          <p>
            {place && <span class="column">Column {problem.column}: </span>}
            {problem.error.message}
          </p>
        </div>
      )}
      {!problem && readings.length > 0 && <p class="readings">{readings.join("; ")}</p>}
    </div>
  );
}
