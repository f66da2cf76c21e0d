/** A game as a book would print it: header, moves, comments, variations. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Game } from "../api/types";
import { BackIcon, CloseIcon, ForwardIcon } from "./icons";
import { Comments, Movetext } from "./movetext";
import { date, name, result } from "./text";

interface Props {
  game: Game;
  place: string;
  /** A line of the reader's own is on the board, which leaves the game at the place. */
  isLeft: boolean;
  titleRef: RefObject<HTMLHeadingElement | null>;
  /** Where the game's own bytes are, if it is in the index. */
  pgnAddress: string | null;
  addressOf: (place: string) => string;
  onPlace: (place: string) => void;
  /** To the neighbours of the game in the list, if it is in there. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** Tags that the header shows in its own way. */
const SHOWN = new Set([
  "White",
  "Black",
  "Result",
  "Event",
  "Site",
  "Date",
  "Round",
  "WhiteElo",
  "BlackElo",
  "ECO",
]);

export function GameView({ game, place, isLeft, titleRef, pgnAddress, addressOf, onPlace, ...to }: Props) {
  const { tags } = game;
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = text.current?.querySelector<HTMLElement>("[aria-current]");
    const box = text.current;
    if (!box) return;
    // Only the text scrolls, never the page: `scrollIntoView` would move the board away.
    if (!current) box.scrollTop = 0;
    else {
      const top = current.offsetTop - box.offsetTop;
      const isSeen = top >= box.scrollTop && top + current.offsetHeight <= box.scrollTop + box.clientHeight;
      if (!isSeen) box.scrollTop = top - box.clientHeight / 3;
    }
  }, [place, game]);
  const where = [known(tags.Event), known(tags.Site), date(tags.Date ?? "")].filter(Boolean).join(", ");
  const round = known(tags.Round);
  const others = Object.entries(tags).filter(([tag, value]) => !SHOWN.has(tag) && value !== "");
  return (
    <section class="game" aria-labelledby="game-title">
      <header>
        <h2 id="game-title" ref={titleRef} tabIndex={-1}>
          <Player tags={tags} side="White" /> <span class="versus">–</span>{" "}
          <Player tags={tags} side="Black" /> <span class="result">{result(game.result)}</span>
        </h2>
        <div class="buttons">
          {(to.onPrevious || to.onNext) && (
            <>
              <button
                type="button"
                class="sign"
                title="Previous game of the list (p)"
                aria-disabled={!to.onPrevious}
                onClick={to.onPrevious}
              >
                <BackIcon />
                <span class="for-ears">Previous game</span>
              </button>
              <button
                type="button"
                class="sign"
                title="Next game of the list (n)"
                aria-disabled={!to.onNext}
                onClick={to.onNext}
              >
                <ForwardIcon />
                <span class="for-ears">Next game</span>
              </button>
            </>
          )}
          <button type="button" class="close" onClick={to.onClose} title="Close the game">
            <CloseIcon />
            <span class="for-ears">Close the game</span>
          </button>
        </div>
        <p class="summary">
          {[where, round && `round ${round}`, tags.ECO ?? game.opening?.eco].filter(Boolean).join(" · ")}
        </p>
      </header>
      <div class="movetext" ref={text}>
        <Comments raw={game.comments} />
        <Movetext {...{ isLeft, addressOf, onPlace }} moves={game.moves} prefix="" current={place} />{" "}
        {game.problem ? (
          <p class="problem">
            The game stops here: <q>{game.problem.token}</q> ({game.problem.class.replaceAll("_", " ")}).
          </p>
        ) : (
          <span class="result">{result(game.result)}</span>
        )}
      </div>
      <footer>
        {others.length > 0 && (
          <details>
            <summary>All tags</summary>
            <dl>
              {others.map(([tag, value]) => (
                <div key={tag}>
                  <dt>{tag}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        {pgnAddress && (
          <a href={pgnAddress} download={`game-${game.id}.pgn`}>
            PGN
          </a>
        )}
        {game.source !== undefined && (
          <span class="source">
            {game.source}, game {(game.game ?? 0) + 1}
          </span>
        )}
      </footer>
    </section>
  );
}

function known(tag: string | undefined): string {
  return !tag || tag === "?" || tag === "-" ? "" : tag;
}

function Player({ tags, side }: { tags: Record<string, string>; side: "White" | "Black" }) {
  const elo = known(tags[`${side}Elo`]);
  return (
    <span class="player">
      {name(tags[side])}
      {elo && <span class="elo"> {elo}</span>}
    </span>
  );
}
