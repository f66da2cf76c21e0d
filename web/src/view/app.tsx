/** The page: puts the state, the answers of the server and the views together. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address } from "../api/client";
import { useLoad } from "../api/load";
import type { Hit, IndexSummary, Notation } from "../api/types";
import { numbered } from "../game/fen";
import { expandBareMoves } from "../query/bare_moves";
import { useAnswers } from "../state/answers";
import { useGame } from "../state/game";
import {
  afterMoves,
  moved,
  stepBack,
  stepFirst,
  stepForward,
  stepLast,
  toGame,
  toPlace,
  toRoot,
} from "../state/moves";
import { type Go, useNavigation } from "../state/navigation";
import { languageOf, type PageState, toAddress } from "../state/page_state";
import { START_FEN, useShown, variantOf } from "../state/position";
import { BoardSide } from "./board_side";
import { Explorer } from "./explorer";
import { Filters } from "./filters";
import { GameView } from "./game_view";
import { Games } from "./games";
import { Help } from "./help";
import { useKeys } from "./keys";
import { SearchBox } from "./search_box";
import { counted, resultsInWords } from "./text";
import { Bottom, Brand, Choices } from "./top_bar";

const NO_NOTATIONS: Notation[] = [];

export function App() {
  const [state, go] = useNavigation();
  const { notation, index } = state;
  const notations = useLoad<Notation[]>(address("notations", {})).data ?? NO_NOTATIONS;
  const indexes = useLoad<IndexSummary[]>(address("indexes", {})).data ?? [];
  const languages = useMemo(
    () => new Set(notations.filter((one) => one.kind === "language").map((one) => one.code)),
    [notations],
  );
  const lang = languageOf(notation, languages);
  const loadedGame = useGame(state, lang);
  const game = loadedGame.data;
  const shown = useShown(state, game);
  const { place, gameMoves, position } = shown;

  // The last position that was known stays on the board until the next one is.
  const lastFen = useRef(START_FEN);
  if (shown.fen) lastFen.current = shown.fen;
  const fen = lastFen.current;
  const { explored, searched, stats, queryError } = useAnswers(state, shown, game, fen);

  const queryInput = useRef<HTMLInputElement>(null);
  const entryInput = useRef<HTMLTextAreaElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const gameTitle = useRef<HTMLHeadingElement>(null);
  const wantsTitle = useRef(false);
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const [pointed, setPointed] = useState<string | null>(null);

  /** As `go`, for changes of the position. */
  const goOn: Go = (change, step) => go(moved(state, change), step);
  const way = { state, main: game?.moves ?? [], place };
  const play = (moves: string[]) => {
    setPointed(null);
    goOn(afterMoves(way, moves), "push");
  };
  const take = (change: Partial<PageState> | null) => change && goOn(change, "replace");
  const steps = {
    first: () => take(stepFirst(way)),
    back: () => take(stepBack(way)),
    forward: () => take(stepForward(way)),
    last: () => take(stepLast(way)),
    flip: () => go({ isFlipped: !state.isFlipped }, "replace"),
  };
  const opened = (hit: Hit): PageState => ({ ...state, ...toGame(hit.id, hit.ply) });
  const follow = (to: PageState) => {
    wantsTitle.current = to.game !== null && to.game !== state.game;
    go(to, "push");
  };
  // The neighbours of the open game in the page of the list that is shown.
  const hits = searched.data?.hits ?? [];
  const listed = hits.findIndex((hit) => hit.id === state.game);
  const neighbours = {
    previous: listed > 0 ? hits[listed - 1] : undefined,
    next: listed < 0 ? undefined : hits.slice(listed).find((hit) => hit.id !== state.game),
  };
  const open = (hit: Hit | undefined) => hit && follow(opened(hit));
  useKeys({
    ...steps,
    search: () => {
      queryInput.current?.focus();
      queryInput.current?.select();
    },
    enter: () => entryInput.current?.focus(),
    help: () => help.current?.showModal(),
    previousGame: () => open(neighbours.previous),
    nextGame: () => open(neighbours.next),
  });

  useEffect(() => {
    // A game that was opened from the list takes the focus along; on a narrow page, the view as well.
    if (!game || !wantsTitle.current) return;
    wantsTitle.current = false;
    gameTitle.current?.focus({ preventScroll: true });
    document.querySelector(".board-side")?.scrollIntoView({ block: "start" });
  }, [game]);

  const lastMove = state.cursor > 0 ? shown.line[state.cursor - 1] : gameMoves.at(-1);
  const lastText = lastMove ? `${numbered(lastMove.fen)} ${lastMove.text}` : "";
  useEffect(() => {
    const players = game ? `${game.tags.White ?? "?"} – ${game.tags.Black ?? "?"}` : "";
    document.title = [lastText, players, "pgndex"].filter(Boolean).join(" · ");
  }, [lastText, game]);

  const here = position.isStale ? null : position.data;
  const searchFor = (query: string, change: Partial<PageState>) =>
    go({ query, queryLang: lang, page: 1, ...change }, "push");

  return (
    <>
      <header class="top">
        <Brand />
        <SearchBox
          inputRef={queryInput}
          query={state.query}
          problem={queryError}
          readings={searched.data?.readings ?? []}
          areFiltersOpen={areFiltersOpen}
          onToggleFilters={() => setFiltersOpen(!areFiltersOpen)}
          onSearch={(text) => {
            const query = expandBareMoves(text, notation);
            // Who searches looks for games anywhere; who clears the box goes back to the position.
            searchFor(query, { scope: query === "" ? "here" : "all" });
          }}
        />
        <Choices
          {...{ notation, notations, index, indexes }}
          onNotation={(code) => go({ notation: code }, "replace")}
          onIndex={(name) => go({ ...toRoot(), index: name, page: 1 }, "push")}
          onHelp={() => help.current?.showModal()}
        />
        {areFiltersOpen && (
          <Filters
            query={state.query}
            onQuery={(query) => searchFor(query, state.query ? { queryLang: state.queryLang } : {})}
          />
        )}
      </header>
      <main>
        <h1 class="for-ears">Chess games: positions, openings and search</h1>
        <BoardSide
          {...{ state, shown, game, fen, lang, lastText, pointed, steps }}
          go={goOn}
          isAtStart={stepBack(way) === null}
          isAtEnd={stepForward(way) === null}
          entryRef={entryInput}
          onPlay={play}
        />
        <div class="panels">
          {loadedGame.error && (
            <p class="error" role="alert">
              {loadedGame.error.message}
            </p>
          )}
          {game && (
            <GameView
              game={game}
              place={place}
              isLeft={state.line.length > 0}
              titleRef={gameTitle}
              pgnAddress={state.game === null ? null : address(`games/${state.game}/pgn`, { index })}
              addressOf={(to) => toAddress({ ...state, ...toPlace(to) })}
              onPlace={(to) => goOn(toPlace(to), "replace")}
              onPrevious={neighbours.previous && (() => open(neighbours.previous))}
              onNext={neighbours.next && (() => open(neighbours.next))}
              onClose={() => {
                // The rules of a variant are its game's: without it, the board is one of standard chess again.
                if (variantOf(game)) return goOn(toRoot(), "push");
                // The position stays on the board, as a line of its own.
                const start = game.start_fen === START_FEN ? "" : game.start_fen;
                goOn({ ...toRoot(start), line: shown.played, cursor: shown.played.length }, "push");
              }}
            />
          )}
          <Explorer
            explored={explored}
            opening={here?.opening ?? null}
            isFiltered={state.query !== ""}
            isOver={(here?.outcome ?? null) !== null}
            after={(uci) => ({ ...state, ...afterMoves(way, [uci]) })}
            onPlay={(uci) => play([uci])}
            onPoint={setPointed}
          />
          <Games
            state={state}
            answer={searched}
            stats={stats}
            opened={opened}
            onGo={follow}
            onLeaf={(change) => go(change, "replace")}
          />
        </div>
      </main>
      <p class="for-ears" role="status">
        {lastText && `${lastText}. `}
        {explored.data && !explored.isStale && explored.data.games > 0
          ? `${counted(explored.data.games, "game")} here: ${resultsInWords(explored.data)}. `
          : ""}
        {searched.data && !searched.isStale && `${counted(searched.data.count.games, "game")} in the list.`}
      </p>
      <Bottom index={indexes.find((one) => one.name === index) ?? indexes[0]} />
      <Help dialogRef={help} />
    </>
  );
}
