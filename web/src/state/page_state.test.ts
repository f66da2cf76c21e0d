import { describe, expect, it } from "vitest";
import { FIRST_STATE, fromAddress, languageOf, type PageState, toAddress } from "./page_state";

function check(change: Partial<PageState>, address: string) {
  const state = { ...FIRST_STATE, ...change };
  expect(toAddress(state)).toBe(address);
  const url = new URL(address, "http://localhost/");
  expect(fromAddress(url.search, url.hash)).toEqual(state);
}

describe("the address", () => {
  it("is empty for the first state", () => check({}, "./"));

  it("holds a line and the place in it", () => {
    check({ line: ["e2e4", "e7e5"], cursor: 2 }, "./?play=e2e4,e7e5");
    check({ line: ["e2e4", "e7e5"], cursor: 0 }, "./?play=e2e4,e7e5&ply=0");
  });

  it("holds drops of crazyhouse", () => check({ line: ["e2e4", "N@f3"], cursor: 2 }, "./?play=e2e4,N@f3"));

  it("shows a FEN that can be read", () =>
    check({ start: "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1" }, "./?fen=8/8/8/8/8/4k3/4p3/4K3_w_-_-_0_1"));

  it("holds a game, a variation in it and moves from there", () =>
    check({ game: 24, place: "8-0-3", line: ["g1f3"], cursor: 1 }, "./?game=24&at=8-0-3&play=g1f3"));

  it("holds a search, the language it was typed in, its order and page", () =>
    check(
      { query: 'move:"Sf3" a&b=c+d', queryLang: "de", scope: "all", sort: "-date", page: 3, notation: "fr" },
      "./?q=move:%22Sf3%22+a%26b%3Dc%2Bd&lang=de&in=all&sort=-date&page=3&notation=fr",
    ));

  it("carries a pasted game in the fragment", () =>
    check(
      { pasted: '[Event "Ä & # %"]\n\n1. e4 *', place: "1" },
      "./?at=1#pgn=%5BEvent%20%22%C3%84%20%26%20%23%20%25%22%5D%0A%0A1.%20e4%20*",
    ));

  it("remembers index, notation and side", () =>
    check(
      { index: "club games", notation: "long:de", isFlipped: true },
      "./?index=club+games&notation=long:de&side=black",
    ));
});

describe("an address that makes no sense", () => {
  const read = (search: string, fragment = "") => fromAddress(search, fragment);

  it("is read as far as it does", () => {
    expect(read("?play=e2e4,x&page=-2&game=1e3&sort=;&notation=<b>&side=up&in=nowhere&lang=english")).toEqual(
      FIRST_STATE,
    );
    expect(read("?play=e2e4&ply=7").cursor).toBe(1);
    expect(read("?page=0").page).toBe(1);
    expect(read("", "#pgn=%E0%A4%A").pasted).toBe("");
  });

  it("has one root only, and a place only in a game", () => {
    expect(read("?game=3&fen=8/8/8/8/8/8/8/8_w_-_-", "#pgn=1.%20e4")).toMatchObject({
      game: 3,
      start: "",
      pasted: "",
    });
    expect(read("?at=3").place).toBe("");
  });
});

describe("the language of a notation", () => {
  const languages = new Set(["en", "de"]);
  it.each([
    ["de", "de"],
    ["long:de", "de"],
    ["san", ""],
    ["uci", ""],
    ["long:xx", ""],
  ])("of %s is %j", (notation, language) => expect(languageOf(notation, languages)).toBe(language));
});
