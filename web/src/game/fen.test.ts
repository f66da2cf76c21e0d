import { expect, it } from "vitest";
import { inWords, kindOf, numbered, sideToMove } from "./fen";

it("moves are numbered by the position that they led to", () => {
  expect(numbered("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")).toBe("1.");
  expect(numbered("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2")).toBe("1…");
  expect(sideToMove("8/8/8/8/8/8/8/8 b - -")).toBe("black");
  expect(sideToMove("8/8/8/8/8/8/8/8")).toBe("white");
});

it("a position is told piece by piece", () => {
  expect(inWords("r3k3/8/8/8/8/8/6P1/4K2R w K - 0 1")).toBe(
    "White: king e1, rook h1, pawn g2. Black: king e8, rook a8.",
  );
  expect(inWords("8/8/8/8/8/8/8/RR6 w - -")).toBe("White: rooks a1 b1. Black: nothing.");
});

it.each([
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen"],
  ["8/8/8/8/8/4k3/4p3/4K3_w_-_-", "fen"],
  ["8/8/8/8/8/4k3/4p3/4K3", "fen"],
  ['\n[Event "x"]\n\n1. e4 *', "pgn"],
  ["1. e4 e5 2. Nf3 1-0", "pgn"],
  ["1. e4 {best by test} e5", "pgn"],
  ["1. e4 e5", "moves"],
  ["Sf3", "moves"],
  ["0-1", "moves"],
] as const)("%j is taken for a %s", (text, kind) => expect(kindOf(text)).toBe(kind));
