/**
 * How the page is built. Everything ends up in files of its own: the server forbids inline scripts and styles, and
 * embeds `dist` as it is.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative addresses let the page be served under any path, behind a proxy for example.
  base: "./",
  build: {
    target: "es2022",
    // The colours of both themes are pairs, `light-dark(…)`, which these and later browsers know.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The polyfill would be the only script that every visitor loads and nobody needs.
    modulePreload: { polyfill: false },
    // Fonts as data: URLs would need a looser content security policy.
    assetsInlineLimit: 0,
  },
  test: {
    include: ["src/**/*.test.ts"],
  },
  server: {
    // `npm run dev` shows the page with the data of a running `pgndex serve`.
    proxy: { "/api": "http://127.0.0.1:9002" },
  },
});
