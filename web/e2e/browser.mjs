/** Debian's Chromium, and a page that is watched for whatever a page of ours must not do. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launch() {
  const folder = await mkdtemp(join(tmpdir(), "pgndex-chromium-"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
    env: { ...process.env, HOME: folder },
  });
  const close = async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { browser, close };
}

/**
 * A page of the server's, and a list of what was wrong with it: requests to other hosts, messages on the console,
 * violations of the content security policy (they are console messages), exceptions, requests that failed.
 */
export async function watchedPage(browser, address, { width = 1280, height = 800, scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const wrong = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${address}/`) && !url.startsWith("data:")) wrong.push(`request to ${url}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      wrong.push(`console ${message.type()}: ${message.text()} ${message.location().url}`);
    }
  });
  page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) wrong.push(`status ${response.status()} for ${response.url()}`);
  });
  return { page, wrong, context };
}

/** Repeats an assertion until it holds: what a page shows, it shows a little later. */
export async function eventually(assertion, seconds = 8) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }
}

/** Waits until every answer is there. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const parts = [...document.querySelectorAll("[aria-busy]")];
    return parts.length > 0 && parts.every((part) => part.getAttribute("aria-busy") === "false");
  });
  // The board's pieces move for a moment longer.
  await page.waitForFunction(() => !document.querySelector("piece.anim, piece.fading"));
}
