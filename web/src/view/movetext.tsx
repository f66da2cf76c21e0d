/** The moves of a game with comments and variations, each move a link to its place. */
import { Fragment } from "preact";
import type { GameMove } from "../api/types";
import { glyphs, readComment } from "../game/annotations";
import { moveNumber, numbered } from "../game/fen";
import { isPlain } from "./link";

interface Props {
  moves: GameMove[];
  /** What the places of this line begin with: `8-0-` for the first variation of the eighth move. */
  prefix: string;
  /** The place on the board, or the one that the line on the board leaves from. */
  current: string;
  isLeft: boolean;
  addressOf: (place: string) => string;
  onPlace: (place: string) => void;
}

export function Movetext(props: Props) {
  const { moves, prefix, current, isLeft, addressOf, onPlace } = props;
  return moves.map((move, n) => {
    const place = `${prefix}${n + 1}`;
    const before = moves[n - 1];
    const isInterrupted =
      n === 0 ||
      hasText(before?.comments) ||
      (before?.variations?.length ?? 0) > 0 ||
      hasText(move.comments_before);
    const isNumbered = isInterrupted || moveNumber(move.fen).side === "white";
    const { close, apart } = glyphs(move.nags);
    // One stop for the Tab key; from there the arrow keys step through the game.
    const isStop = place === current || (current === "" && place === "1");
    return (
      <Fragment key={place}>
        {n > 0 && " "}
        <Comments raw={move.comments_before} />
        <span class="ply">
          {isNumbered && <span class="number">{numbered(move.fen)} </span>}
          <a
            href={addressOf(place)}
            tabIndex={isStop ? 0 : -1}
            aria-current={place !== current ? undefined : isLeft ? "location" : "step"}
            onClick={(event) => {
              if (!isPlain(event)) return;
              event.preventDefault();
              onPlace(place);
            }}
          >
            {move.text}
            {close}
          </a>
          {apart && <span class="apart">{apart}</span>}
        </span>
        {hasAny(move.comments) && " "}
        <Comments raw={move.comments} />
        {move.variations?.map((line, v) => {
          const inside = <Movetext {...props} moves={line} prefix={`${place}-${v}-`} />;
          const key = `${place}-${v}`;
          // Variations of the main line stand in lines of their own; those within them, in parentheses.
          return prefix === "" ? (
            <span class="variation" key={key}>
              {inside}
            </span>
          ) : (
            <Fragment key={key}>
              {" "}
              <span class="inner">({inside})</span>
            </Fragment>
          );
        })}
      </Fragment>
    );
  });
}

function hasText(comments: string[] | undefined): boolean {
  return comments?.some((raw) => readComment(raw).text !== "") ?? false;
}

function hasAny(comments: string[] | undefined): boolean {
  return (comments?.length ?? 0) > 0;
}

/** Comments, each followed by a blank; clock times and evaluations as what they are. */
export function Comments({ raw = [] }: { raw?: string[] | undefined }) {
  return raw.map((one) => {
    const { text, clock, evaluation } = readComment(one);
    const measured = [evaluation, clock].filter(Boolean).join(" ");
    return (
      <>
        {measured && <span class="measure">{measured} </span>}
        {text && <span class="comment">{text} </span>}
      </>
    );
  });
}
