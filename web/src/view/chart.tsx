/**
 * Results by year or rating as a small chart of stacked columns. The picture is for the eye; what it shows is said in
 * its label, and the numbers are in a table below it, where each row leads to the games of its column.
 */
import type { Column } from "../chart/scale";
import { niceCeiling, whiteScore } from "../chart/scale";
import type { PageState } from "../state/page_state";
import { isPlain, StateLink } from "./link";
import { count, counted, resultsInWords, shortCount } from "./text";

interface Props {
  title: string;
  /** What a column stands for: `year`, `rating`. */
  unit: string;
  columns: Column[];
  /** The state that shows only the games of a column. */
  only: (column: Column) => PageState;
  onFollow: (to: PageState) => void;
}

const WIDTH = 360;
const HEIGHT = 104;
const LEFT = 30;
const RIGHT = 2;
const TOP = 8;
const BOTTOM = 18;
const PARTS = ["white", "draws", "black", "unknown"] as const;

export function spanOf(column: Column): string {
  return column.from === column.to ? String(column.from) : `${column.from}–${column.to}`;
}

export function Chart({ title, unit, columns, only, onFollow }: Props) {
  const first = columns[0];
  const last = columns.at(-1);
  const games = columns.reduce((sum, column) => sum + column.games, 0);
  const fullest = columns.reduce<Column | undefined>((a, b) => (a && a.games >= b.games ? a : b), undefined);
  // One column says nothing that the bar above does not.
  if (!first || !last || !fullest || first === last) return null;
  const top = niceCeiling(fullest.games);
  const height = HEIGHT - TOP - BOTTOM;
  const pitch = (WIDTH - LEFT - RIGHT) / columns.length;
  const width = Math.max(Math.min(pitch - (pitch > 5 ? 2 : 0.75), 22), 1);
  const y = (value: number) => TOP + height - (height * value) / top;
  const said =
    `${title}: ${counted(games, "game")} from ${first.from} to ${last.to}, ` +
    `most in ${spanOf(fullest)} (${count(fullest.games)}).`;
  // As many labels as fit, evenly spread over the columns.
  const every = Math.max(Math.ceil(columns.length / 6), 1);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        {[0, top / 2, top].map((value) => (
          <line key={value} class="rule" x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
        ))}
        <text class="axis" x={LEFT - 5} y={y(top) + 4} text-anchor="end">
          {shortCount(top)}
        </text>
        <text class="axis" x={LEFT - 5} y={y(0) + 1} text-anchor="end">
          0
        </text>
        {columns.map((column, n) => {
          const x = LEFT + n * pitch + (pitch - width) / 2;
          let below = 0;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same as links.
            <g
              key={column.from}
              class={column.games > 0 ? "column filled" : "column"}
              onClick={(event) => column.games > 0 && isPlain(event) && onFollow(only(column))}
            >
              <title>{`${spanOf(column)}: ${counted(column.games, "game")}. ${resultsInWords(column)}`}</title>
              <rect class="hit" x={LEFT + n * pitch} y={TOP} width={pitch} height={height} />
              {PARTS.map((part) => {
                const from = below;
                below += column[part];
                if (column[part] === 0) return null;
                return (
                  <rect
                    key={part}
                    class={`part ${part}`}
                    x={x}
                    y={y(below)}
                    width={width}
                    height={Math.max(y(from) - y(below), 0.5)}
                  />
                );
              })}
              {n % every === 0 && n * pitch + LEFT < WIDTH - 24 && (
                <text class="axis" x={LEFT + n * pitch} y={HEIGHT - 4}>
                  {column.from}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <details>
        <summary>{title} as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">games</th>
              <th scope="col">White</th>
              <th scope="col">draws</th>
              <th scope="col">Black</th>
              <th scope="col">score</th>
            </tr>
          </thead>
          <tbody>
            {columns
              .filter((column) => column.games > 0)
              .map((column) => {
                const score = whiteScore(column);
                return (
                  <tr key={column.from}>
                    <th scope="row">
                      <StateLink to={only(column)} onFollow={onFollow}>
                        {spanOf(column)}
                      </StateLink>
                    </th>
                    <td>{count(column.games)}</td>
                    <td>{count(column.white)}</td>
                    <td>{count(column.draws)}</td>
                    <td>{count(column.black)}</td>
                    <td>{score === null ? "" : `${Math.round(score)}%`}</td>
                  </tr>
                );
              })}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
