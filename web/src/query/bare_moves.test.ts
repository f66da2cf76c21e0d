import { describe, expect, it } from "vitest";
import { expandBareMoves } from "./bare_moves";

describe("words that are moves", () => {
  it.each([
    ["Sf3", 'move:"Sf3"'],
    [" ♘f3 ", 'move:"♘f3"'],
    ["Крf1", 'move:"Крf1"'],
    ["e4", 'move:"e4"'],
    ["g1f3", 'move:"g1f3"'],
    ["Ng1-f3!?", 'move:"Ng1-f3!?"'],
    ["exd8=Q+", 'move:"exd8=Q+"'],
    ["0-0", 'move:"0-0"'],
    ["O-O-O", 'move:"O-O-O"'],
    ["Bxh7+ Kxh7 Ng5+", 'moves:"Bxh7+ Kxh7 Ng5+"'],
    ["1. e4 e5 2. Sf3", 'line:"1. e4 e5 2. Sf3"'],
    ["1.e4 e5", 'line:"1.e4 e5"'],
    ["12. Nf3", 'move:"Nf3"'],
    ["1... e5", 'move:"e5"'],
  ])("%j means %s", (text, query) => expect(expandBareMoves(text, "san")).toBe(query));

  it("depend on the notation where they could be something else", () => {
    expect(expandBareMoves("5254", "iccf")).toBe('move:"5254"');
    expect(expandBareMoves("5254", "san")).toBe("5254");
    expect(expandBareMoves("N-KB3", "descriptive")).toBe('move:"N-KB3"');
    expect(expandBareMoves("PxP P-K4", "descriptive")).toBe('moves:"PxP P-K4"');
  });
});

describe("anything else", () => {
  it.each(["", "  ", "tal", "Bach", "1907", "white:tal", 'move:"Nf3"', "Nf3 tal", "C65", "1.", "K", "h2h"])(
    "such as %j stays as it is",
    (text) => expect(expandBareMoves(text, "san")).toBe(text),
  );
});
