import { expect, it } from "vitest";
import { isUci, squaresOf } from "./uci";

it.each([
  ["e2e4", ["e2", "e4"]],
  ["e7e8q", ["e7", "e8"]],
  ["N@f3", ["f3"]],
  ["0000", []],
  ["e9e4", []],
  ["", []],
])("%j is on %j", (uci, squares) => {
  expect(squaresOf(uci)).toEqual(squares);
  expect(isUci(uci)).toBe(squares.length > 0);
});
