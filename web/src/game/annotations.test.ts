import { expect, it } from "vitest";
import { glyphs, readComment } from "./annotations";

it("signs of a move are set close, those of a position apart, unknown ones as numbers", () => {
  expect(glyphs([3, 18])).toEqual({ close: "!!", apart: "+−" });
  expect(glyphs([200])).toEqual({ close: "", apart: "$200" });
  expect(glyphs()).toEqual({ close: "", apart: "" });
});

it("commands are told from what is meant to be read", () => {
  expect(
    readComment("[%clk 0:05:01] [%cal Gg5f7,Rc4f7][%csl Yf7] Two\npieces [sic] look at f7. [%xyz 1]"),
  ).toEqual({
    text: "Two pieces [sic] look at f7.",
    clock: "05:01",
    evaluation: "",
    shapes: [
      { orig: "g5", dest: "f7", brush: "green" },
      { orig: "c4", dest: "f7", brush: "red" },
      { orig: "f7", brush: "yellow" },
    ],
  });
});

it("evaluations have a sign", () => {
  expect(readComment("[%eval 0.55,24]").evaluation).toBe("+0.55");
  expect(readComment("[%eval -0.4]").evaluation).toBe("−0.4");
  expect(readComment("[%eval #-3]").evaluation).toBe("#-3");
});
