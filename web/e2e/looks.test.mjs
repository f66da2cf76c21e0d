/**
 * What everybody must be able to see and use: no serious finding of axe in light or dark, on a wide screen and on a
 * narrow one, and nothing that is wider than the screen. Pictures of all of it go to `e2e/shots`, for people to look at.
 */
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, settled, watchedPage } from "./browser.mjs";
import { serveSamples } from "./server.mjs";

const SHOTS = new URL("shots/", import.meta.url).pathname;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is looked at: a name, an address, and what is done before looking. */
const VIEWS = [
  ["start", "/", async () => {}],
  ["search", "/?q=move:%22Sf3%22&lang=de&in=all&notation=de&play=e2e4,e7e5,g1f3", async () => {}],
  ["game", "/?game=0&at=21&notation=figurine", async () => {}],
  ["line", "/?game=1&at=12&play=h2h4,c7c5,g1h3&side=black&notation=long", async () => {}],
  ["error", "/?q=player:(tal&in=all", async () => {}],
  [
    "filters",
    "/?q=player:fischer+date:[1956+TO+1963]&in=all",
    (page) => page.locator(".filter-button").click(),
  ],
  ["tables", "/?in=all", (page) => page.locator(".chart summary").first().click()],
  ["help", "/", (page) => page.keyboard.press("?")],
];

let server;
let chromium;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await serveSamples();
  chromium = await launch();
});

after(async () => {
  await chromium?.close();
  await server?.stop();
});

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    for (const [name, address, prepare] of VIEWS) {
      test(`${name} at ${width} px, ${scheme}`, async () => {
        const { page, wrong, context } = await watchedPage(chromium.browser, server.address, {
          width,
          scheme,
        });
        await page.goto(server.address + address);
        await settled(page);
        await prepare(page);
        await page.screenshot({ path: `${SHOTS}${name}-${width}-${scheme}.png`, fullPage: name !== "help" });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px wider than the screen`);
        // Run in a world of its own: the page's content security policy stays as it is.
        const findings = await runAxe(page);
        assert.deepEqual(findings, []);
        if (name !== "error") assert.deepEqual(wrong, []);
        await context.close();
      });
    }
  }
}

async function runAxe(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  return violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map(
      (one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).join(" | ")}`,
    );
}
