/**
 * Makes an index of the sample games, and a second one of a single file, and serves both with the real program.
 * Nothing is mocked: what these tests see is what a user sees.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const ROOT = new URL("../..", import.meta.url).pathname;
const BIN = process.env.PGNDEX ?? join(process.env.CARGO_TARGET_DIR ?? `${ROOT}target`, "release/pgndex");
const START_SECONDS = 20;

/** Resolves to the server's address and a function that ends it. */
export async function serveSamples() {
  const folder = await mkdtemp(join(tmpdir(), "pgndex-page-"));
  const index = join(folder, "samples.idx");
  const second = join(folder, "annotated.idx");
  const samples = join(ROOT, "data-samples");
  const run = promisify(execFile);
  await run(BIN, ["import", index, samples]);
  await run(BIN, ["import", second, join(samples, "annotated.pgn")]);
  const server = spawn(BIN, ["serve", index, second, "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  const lines = createInterface({ input: server.stderr });
  const address = await new Promise((resolve, reject) => {
    const give = (reason) => reject(new Error(`pgndex serve ${reason}`));
    const timer = setTimeout(() => give(`did not listen within ${START_SECONDS} s`), START_SECONDS * 1000);
    server.once("error", reject);
    server.once("exit", (code) => give(`ended with status ${code}`));
    lines.on("line", (line) => {
      const found = /http:\/\/\S+?:\d+/.exec(line);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0]);
    });
  });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    await rm(folder, { recursive: true });
  };
  return { address, stop };
}
