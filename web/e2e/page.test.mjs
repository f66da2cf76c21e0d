/**
 * Walks through the page as its users do, in a real browser, against a real server with the sample games. The steps
 * build on each other, as a visit does; each is a test of its own so that a failure has a name.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, launch, settled, watchedPage } from "./browser.mjs";
import { serveSamples } from "./server.mjs";

let server;
let chromium;
let page;
let wrong;

before(async () => {
  server = await serveSamples();
  chromium = await launch();
  ({ page, wrong } = await watchedPage(chromium.browser, server.address));
  await page.goto(server.address);
  await settled(page);
});

after(async () => {
  await chromium?.close();
  await server?.stop();
});

/** Clicks a square of the board, White below. */
async function click(square) {
  const box = await page.locator("cg-board").boundingBox();
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
}

async function move(from, to) {
  await settled(page);
  await click(from);
  await click(to);
  await settled(page);
}

const text = (selector) => page.locator(selector).innerText();
const lineText = async () => (await text(".line")).replace(/\s+/g, " ").trim();
const fen = () => text(".fen");
const param = (name) => new URL(page.url()).searchParams.get(name);

async function type(entry) {
  await page.fill("#entry", entry);
  await page.press("#entry", "Enter");
  await settled(page);
}

async function search(query) {
  await page.fill("#query", query);
  await page.press("#query", "Enter");
  await settled(page);
}

async function notation(code) {
  await page.selectOption(".notation select", code);
  await settled(page);
}

test("the first page shows the start position, its statistics and all games", async () => {
  assert.match(await text(".explorer .summary"), /^\d+ games reached this position$/);
  assert.equal(await page.locator(".hits tbody tr").count(), 20);
  assert.ok((await page.locator("table.moves tbody tr").count()) >= 5);
  assert.match(await fen(), /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w KQkq -/);
});

test("three moves on the board lead to their position, name and statistics", async () => {
  await move("e2", "e4");
  await move("e7", "e5");
  await move("g1", "f3");
  await eventually(async () => assert.equal(await lineText(), "1. e4 e5 2. Nf3"));
  assert.match(await text("#explorer-title"), /King's Knight Opening/);
  assert.equal(param("play"), "e2e4,e7e5,g1f3");
  const shown = await text(".moves tbody tr:first-child");
  assert.match(shown, /Nc6/);
});

test("a move that is not legal does nothing", async () => {
  const before = await fen();
  await move("b8", "b5");
  assert.equal(await fen(), before);
});

test("the browser's back and forward take moves back and play them again", async () => {
  const after = await fen();
  await page.goBack();
  await eventually(async () => assert.match(await fen(), /^rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8\//));
  await page.goForward();
  await eventually(async () => assert.equal(await fen(), after));
});

test("the arrow keys step through the line, Home and End go to its ends", async () => {
  const last = await fen();
  await page.locator("body").press("Home");
  await eventually(async () => assert.match(await fen(), /^rnbqkbnr\/pppppppp\//));
  await page.locator("body").press("ArrowRight");
  await eventually(async () => assert.match(await fen(), /4P3\/8\/PPPP1PPP\/RNBQKBNR b/));
  await page.locator("body").press("End");
  await eventually(async () => assert.equal(await fen(), last));
  await settled(page);
});

test("German changes every move shown", async () => {
  await notation("de");
  await eventually(async () => assert.equal(await lineText(), "1. e4 e5 2. Sf3"));
  const moves = await page.locator(".moves tbody .move").allInnerTexts();
  assert.ok(moves.includes("Sc6") && !moves.includes("Nc6"), moves.join(" "));
});

test("a search for Sf3 finds what the command line finds for Nf3", async () => {
  await search("Sf3");
  await eventually(async () => assert.equal(await page.inputValue("#query"), 'move:"Sf3"'));
  const url = `${server.address}/api/search?${new URLSearchParams({ q: 'move:"Nf3"', limit: 0 })}`;
  const { count } = await (await fetch(url)).json();
  assert.ok(count.games > 20);
  assert.equal(await text(".games .summary"), `${count.games} games, ${count.occurrences} hits`);
  for (const found of await page.locator(".hits .found").allInnerTexts()) assert.match(found, /S\w*f3/);
});

test("a game opens at the move that was found", async () => {
  await page.locator(".hits tbody tr:first-child a").click();
  await settled(page);
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^S\w*f3/));
  assert.match(await text("#game-title"), /Levitsky.*Marshall.*0–1/s);
  assert.match(await text(".movetext"), /The game that is said to have ended in a shower of gold coins/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "game-title");
});

test("stepping to its end reaches the last move and no further", async () => {
  await page.locator("body").press("End");
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^Dg3!!/));
  await settled(page);
  const last = await fen();
  await page.locator("body").press("ArrowRight");
  await settled(page);
  assert.equal(await fen(), last);
  await page.locator("body").press("ArrowLeft");
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^Tc5/));
  await settled(page);
});

test("a move in a variation goes there, and one back from it to where it branches off", async () => {
  await page.locator(".movetext .variation a", { hasText: "Sb3" }).click();
  await settled(page);
  assert.match(param("at"), /-0-1$/);
  await page.locator("body").press("ArrowLeft");
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^Lxc5/));
  await settled(page);
});

test("a move that the game does not have begins a line of its own beside it", async () => {
  await page.locator("body").press("Home");
  await settled(page);
  await move("c2", "c4");
  await eventually(async () => assert.equal(await lineText(), "1. c4"));
  assert.ok(await page.locator("#game-title").isVisible());
  await page.getByRole("button", { name: "Back to the game" }).click();
  await settled(page);
  assert.equal(await page.locator(".line").count(), 0);
});

test("a FEN that is pasted sets up its position, by which games are found", async () => {
  const pasted = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
  await page.locator("#entry").focus();
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  }, pasted);
  await eventually(async () => assert.equal(await fen(), pasted));
  await search("");
  assert.match(await text("#explorer-title"), /Italian Game/);
  assert.equal(await text(".games .summary"), "6 games");
});

test("every notation shows the moves in its own way and understands them", async () => {
  await type("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  for (const [code, typed] of [
    ["san", "Nf3"],
    ["figurine", "♘f3"],
    ["long", "Ng1-f3"],
    ["uci", "g1f3"],
    ["descriptive", "N-KB3"],
    ["iccf", "7163"],
    ["de", "Sf3"],
    ["nl", "Pf3"],
    ["fr", "Cf3"],
    ["ru", "Кf3"],
  ]) {
    await notation(code);
    await type(typed);
    await eventually(async () => assert.equal(await lineText(), `1. ${typed}`, code));
    await page.getByRole("button", { name: "Take all moves back" }).click();
    await settled(page);
  }
  await notation("san");
});

test("a game that is pasted is shown with its comments, and its address restores it", async () => {
  await type('[White "Anna"]\n[Black "Bert"]\n\n1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 $1 *');
  await eventually(async () => assert.match(await text("#game-title"), /Anna.*Bert/s));
  await page.locator(".movetext .variation a", { hasText: "c5" }).click();
  await settled(page);
  await page.reload();
  await settled(page);
  await eventually(async () => assert.equal(await text('.movetext [aria-current="step"]'), "c5"));
  assert.match(await text(".movetext"), /1\.\s*e4 best by test/);
  assert.match(await text("#explorer-title"), /Sicilian/);
});

test("what cannot be played, read or set up is refused where it was typed", async () => {
  const before = await fen();
  const nothingWrong = wrong.length;
  for (const entry of ["Qh9", "O-O", "8/8/8/8/8/8/8/8 w - - 0 1"]) {
    await page.fill("#entry", entry);
    await page.press("#entry", "Enter");
    await page.locator("#entry-error").waitFor();
    assert.equal(await page.inputValue("#entry"), entry);
    assert.equal(await fen(), before);
  }
  expectRefusals(nothingWrong);
  await page.fill("#entry", "");
});

test("the list of games can be leafed through to its end", async () => {
  await page.getByRole("button", { name: "Start position" }).click();
  await page.locator(".scope label", { hasText: "all" }).click();
  await settled(page);
  const total = Number(/^(\d+) games/.exec(await text(".games .summary"))[1]);
  const seen = new Set();
  for (let number = 1; ; number += 1) {
    for (const href of await page.locator(".hits tbody a").evaluateAll((all) => all.map((a) => a.href))) {
      seen.add(new URL(href).searchParams.get("game"));
    }
    const next = page.getByRole("button", { name: "Next page" });
    if ((await next.getAttribute("aria-disabled")) === "true") break;
    await next.click();
    await eventually(async () => assert.match(page.url(), new RegExp(`page=${number + 1}`)));
    await settled(page);
  }
  assert.equal(seen.size, total);
});

test("the next game of the list opens where it was found, and the page of the list stays", async () => {
  await search('moves:"Bxh7+ Kxh7"');
  await page.locator(".hits tbody tr:first-child a").click();
  await settled(page);
  const first = param("game");
  await page.getByRole("button", { name: "Next game" }).click();
  await settled(page);
  assert.notEqual(param("game"), first);
  await eventually(async () => assert.equal(await text('.movetext [aria-current="step"]'), "Kxh7"));
  await page.locator("body").press("p");
  await settled(page);
  assert.equal(param("game"), first);
  await search("");
  await page.locator(".scope label", { hasText: "all" }).click();
  await settled(page);
  await page.getByRole("button", { name: "Next page" }).click();
  await page.locator("body").press("ArrowLeft");
  await settled(page);
  assert.equal(param("page"), "2");
  await page.getByRole("button", { name: "Close the game" }).click();
  await page.getByRole("button", { name: "Start position" }).click();
  await page.getByRole("button", { name: "First page" }).click();
  await settled(page);
});

test("sorting by date turns round with a second click", async () => {
  const heading = page.getByRole("button", { name: "Date" });
  const years = async () =>
    (await page.locator(".hits .date").allInnerTexts())
      .filter(Boolean)
      .map((date) => Number(date.slice(0, 4)));
  await heading.click();
  await settled(page);
  const down = await years();
  assert.deepEqual(
    down,
    [...down].sort((a, b) => b - a),
  );
  await heading.click();
  await settled(page);
  assert.equal(await page.locator(".hits th[aria-sort]").getAttribute("aria-sort"), "ascending");
  assert.ok((await years())[0] < down[0]);
});

test("a crazyhouse game is followed through its drops, which can be typed", async () => {
  await search("variant:crazyhouse");
  await page.locator(".hits tbody tr:first-child a").click();
  await settled(page);
  await page.locator(".movetext a", { hasText: "B@b4" }).click();
  await settled(page);
  await type("B@f5");
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^B@f5/));
  assert.equal(await page.locator(".line").count(), 0);
  // In the field, End is the field's own key.
  await page.press("#entry", "Escape");
  await page.locator("body").press("End");
  await settled(page);
  await eventually(async () => assert.match(await text('.movetext [aria-current="step"]'), /^Nxf7#/));
  await page.getByRole("button", { name: "Close the game" }).click();
  await settled(page);
  assert.match(await fen(), /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w KQkq -/);
  await search("");
});

test("what is typed into a filter stays when an answer comes meanwhile", async () => {
  await page.getByRole("button", { name: "Filters" }).click();
  const field = page.locator("#filters").getByLabel("Event");
  await field.fill("Candidates");
  // Draws the page anew without leaving the field.
  await page.evaluate(() => history.pushState(null, "", "?in=all&page=2"));
  await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
  await eventually(async () => assert.match(await text(".games .pager"), /21–/));
  assert.equal(await field.inputValue(), "Candidates");
  await field.fill("");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: "First page" }).click();
  await settled(page);
});

test("filters write the query and read it", async () => {
  await page.getByRole("button", { name: "Filters" }).click();
  await page.fill("#filters >> text=Player", "Fischer");
  await page.locator("#filters").getByLabel("Player").press("Enter");
  await eventually(async () => assert.equal(await page.inputValue("#query"), "player:Fischer"));
  await page.locator("#filters").getByLabel("Colour").selectOption("black");
  await page.locator("#filters").getByLabel("Date to").fill("1960");
  await page.locator("#filters").getByLabel("Date to").press("Enter");
  await eventually(async () =>
    assert.equal(await page.inputValue("#query"), "black:Fischer date:[* TO 1960]"),
  );
  await settled(page);
  assert.equal(await text(".games .summary"), "1 game");
  await search("white:tal eco:B90");
  assert.equal(await page.locator("#filters").getByLabel("Player").inputValue(), "tal");
  assert.equal(await page.locator("#filters").getByLabel("ECO from").inputValue(), "B90");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Filters" }).click();
  await settled(page);
});

test("a broken query says what is wrong and where, and the page goes on", async () => {
  const nothingWrong = wrong.length;
  await page.locator("body").press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "query");
  await page.fill("#query", "player:(tal");
  await page.press("#query", "Enter");
  await page.locator("#query-error").waitFor();
  await settled(page);
  assert.match(await text("#query-error"), /Column 12: expected '\)'/);
  assert.equal(await page.locator("#query-error mark").count(), 1);
  assert.equal(await page.getAttribute("#query", "aria-invalid"), "true");
  await search("nosuchfield:1");
  await eventually(async () => assert.equal(await text("#query-error mark"), "n"));
  // With a position in the query that is asked, columns are still those of the query that was typed.
  await page.locator(".scope label", { hasText: "with this position" }).click();
  await search("tal OR whte:x");
  await page.locator(".scope label", { hasText: "with this position" }).click();
  await settled(page);
  await eventually(async () => assert.match(await text("#query-error"), /Column 8: /));
  expectRefusals(nothingWrong);
  await search("");
  await eventually(async () => assert.equal(await page.locator("#query-error").count(), 0));
});

test("the keys flip the board and open the sheet of keys", async () => {
  await page.press("#query", "Escape");
  await page.locator("body").press("f");
  await page.locator(".orientation-black").waitFor();
  assert.equal(param("side"), "black");
  await page.locator("body").press("f");
  await page.locator(".orientation-white").waitFor();
  await page.locator("body").press("?");
  await page.locator("dialog.help[open]").waitFor();
  await page.keyboard.press("Escape");
  await page
    .locator("dialog.help[open]")
    .waitFor({ state: "detached" })
    .catch(() => {});
  assert.equal(await page.locator("dialog.help[open]").count(), 0);
});

test("a pawn on the last rank asks what it becomes", async () => {
  await type("8/P6k/8/8/8/8/8/K7 w - - 0 1");
  await move("a7", "a8");
  await page.locator("dialog.promotion[open]").waitFor();
  await page.getByRole("button", { name: "knight" }).click();
  await settled(page);
  await eventually(async () => assert.match(await fen(), /^N7\//));
});

test("another index is another set of games, and its address says so", async () => {
  await page.getByLabel("Index").selectOption("annotated");
  await settled(page);
  await eventually(async () => assert.equal(await text(".games .summary"), "3 games"));
  assert.equal(param("index"), "annotated");
  await page.goBack();
  await settled(page);
});

test("the switch of colours is remembered", async () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const button = page.locator(".sign").first();
  await button.click();
  await button.click();
  await eventually(async () => assert.notEqual(await ground(), light));
  const dark = await ground();
  await page.reload();
  await settled(page);
  assert.equal(await ground(), dark);
  await button.click();
  assert.equal(await ground(), light);
});

test("nothing was asked of another host, and nothing is on the console", () => {
  assert.deepEqual(wrong, []);
});

/** Takes the server's refusals, which the browser logs, from what is wrong; they were meant. */
function expectRefusals(from) {
  const refusals = wrong.splice(from);
  assert.ok(refusals.length > 0);
  for (const refusal of refusals) assert.match(refusal, /status (of )?400/);
}
