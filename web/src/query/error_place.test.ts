import { expect, it } from "vitest";
import { errorPlace } from "./error_place";

it("marks the character that the server counted", () => {
  expect(errorPlace("white:réti x", 12)).toEqual({ before: "white:réti ", at: "x", after: "" });
  expect(errorPlace("𝔸b", 2)).toEqual({ before: "𝔸", at: "b", after: "" });
});

it("marks the end when something is missing there", () => {
  expect(errorPlace("(a", 3)).toEqual({ before: "(a", at: " ", after: "" });
});

it("marks nothing outside the query", () => {
  for (const column of [null, 0, 4]) expect(errorPlace("(a", column)).toBeNull();
});
