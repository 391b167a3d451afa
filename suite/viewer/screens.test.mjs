// Every screen, in both languages, light and dark, wide and narrow: no serious fault of
// accessibility, no error, nothing that leaves the host, and nothing wider than the window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, DESKTOP, enter, open, PHONE, picture, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const first = async (page, list, link) => { await page.goto(list); await page.locator(link).first().click(); };
const all = [
  ["home", (page) => page.goto("/")],
  ["sessions", (page) => page.goto("/sessions")],
  ["session-new", (page) => page.goto("/sessions/new")],
  ["ledger", async (page) => { await first(page, "/sessions", "tbody a[href*=agreement]"); await page.locator(".judged summary").click(); }],
  ["document", async (page) => { await first(page, "/sessions", "tbody a[href*=agreement]"); await page.locator("a[href*='#hit']").first().click(); }],
  ["documents", (page) => page.goto("/documents")],
  ["packs", (page) => page.goto("/packs")],
  ["pack", (page) => first(page, "/packs", "tbody a")],
  ["search", (page) => page.goto("/search?q=agreement")],
  ["obligations", (page) => page.goto("/obligations")],
  ["obligation", (page) => first(page, "/obligations", "tbody a")],
  ["trail", (page) => page.goto("/trail")],
  ["record", (page) => page.goto("/trail/1")],
  ["exports", (page) => page.goto("/exports")],
  ["verify", (page) => page.goto("/verify")],
  ["reference", (page) => page.goto("/reference")],
  ["reference-group", async (page) => { await page.goto("/reference/api-keys"); for (const one of await page.locator("article details > summary").all()) await one.click(); }],
  ["settings", (page) => page.goto("/settings")],
];

for (const lang of ["en", "ar"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
      test(`screens: ${lang}, ${colorScheme}, ${size}`, async () => {
        const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
        const name = (screen) => `${screen}-${lang}-${colorScheme}-${size}`;
        await page.goto("/signin");
        await accessible(page, name("signin"));
        await picture(page, name("signin"));
        await enter(page, server.keys[0]);
        for (const [screen, go] of all) {
          await go(page);
          await page.waitForLoadState("load");
          await accessible(page, name(screen));
          await picture(page, name(screen));
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${name(screen)} is ${wide} px wider than the window`);
        }
        assert.deepEqual(faults, []);
        await context.close();
      });
    }
  }
}
