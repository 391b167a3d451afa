// A server with the example corpus, and a browser that notices what it should not do.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
export const root = join(here, "..", "..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const program = process.env.DALIL ?? join(root, "target", "debug", "dalil");
const screens = process.env.SCREENS;

/** Starts `dalil serve --demo` and reads from what it prints where it is, who may enter, and by which links. */
export async function start() {
  const server = spawn(program, ["serve", "--demo", "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", process.env.LOG ? "inherit" : "ignore"],
    // Whoever has a deep judge has other verdicts; the tests are about those of the program alone.
    env: { ...process.env, XDG_DATA_HOME: "/nowhere" },
  });
  let said = "";
  const told = await new Promise((resolve, reject) => {
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    server.stdout.on("data", (piece) => {
      said += piece;
      const address = said.match(/http:\/\/127\.0\.0\.1:\d+/);
      const keys = [...said.matchAll(/dalil_[a-z0-9-]+_[0-9a-f]{16}_[\w-]+/g)].map((found) => found[0]);
      const links = [...said.matchAll(/http:\S+\/signin\?ticket=[\w-]+/g)].map((found) => found[0]);
      if (address && keys.length >= 4 && said.endsWith("\n")) resolve({ address: address[0], keys, links });
    });
  });
  return { ...told, stop: () => stopped(server) };
}

const stopped = (server) => new Promise((resolve) => {
  server.removeAllListeners("exit");
  server.on("exit", resolve);
  server.kill("SIGTERM");
});

/** A port of this machine that nobody listens on. */
const freePort = () => new Promise((resolve) => {
  const held = createServer().listen(0, "127.0.0.1", () => {
    const { port } = held.address();
    held.close(() => resolve(port));
  });
});

/**
 * Starts a server whose people sign in at a real OpenID provider: amal, an admin, and noura, an
 * approver. The provider is that of DALIL_TEST_OIDC, or one of its own.
 */
export async function startWithProvider() {
  const folder = mkdtempSync(join(tmpdir(), "dalil-provider-"));
  const run = (...args) => execFileSync(program, args, { cwd: folder, env: { ...process.env, DALIL_STORE: "", XDG_DATA_HOME: "/nowhere" } });
  run("tenant", "create", "acme", "--origin", "dalil.example/acme", "--admin", "amal");
  run("member", "add", "noura", "--role", "approver", "--tenant", "acme", "--actor", "system");
  const own = join(root, "suite", "servers", "oidc");
  const place = join(folder, "provider");
  const issuer = process.env.DALIL_TEST_OIDC
    ?? execFileSync(own, ["start", place], { stdio: ["ignore", "pipe", "ignore"] }).toString().match(/http\S+/)[0];
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const oidc = { issuer, audience: "urn:dalil:api", signin: { client_id: "viewer-public" } };
  writeFileSync(join(folder, "server.json"), JSON.stringify({ public_url: address, oidc }));
  const server = spawn(program, ["serve", "--listen", `127.0.0.1:${port}`, "--config", "server.json"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, XDG_DATA_HOME: "/nowhere" },
  });
  await new Promise((resolve, reject) => {
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    server.stderr.on("data", (piece) => { if (String(piece).includes("listening on")) resolve(); });
  });
  const stop = async () => {
    await stopped(server);
    execFileSync(own, ["remove", place]);
    rmSync(folder, { recursive: true });
  };
  return { address, issuer, stop };
}

/** Opens Chromium: Debian's, or the one that CHROMIUM names. */
export const open = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
});

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A browser window in a language; `faults` gathers what must not happen in it. */
export async function visit(browser, { address, issuer = address }, { lang = "en", viewport = DESKTOP, colorScheme = "light", script = true } = {}) {
  const context = await browser.newContext({ baseURL: address, viewport, colorScheme, javaScriptEnabled: script, locale: lang === "ar" ? "ar-SA" : "en-GB", acceptDownloads: true });
  if (script) await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address });
  const faults = [];
  context.on("request", (request) => {
    if (![address, issuer].some((known) => request.url().startsWith(known))) faults.push(`a request left the host: ${request.url()}`);
  });
  context.on("console", (message) => {
    // The pages of a provider are not ours: they have no icon, for one.
    if (issuer !== address && message.location().url.startsWith(issuer)) return;
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => faults.push(`page: ${error.error()}`));
  const page = await context.newPage();
  return { context, page, faults };
}

/** Signs in with a key. */
export async function enter(page, key) {
  await page.goto("/signin");
  await page.locator("#credential").fill(key);
  await page.locator("form.sheet button").click();
  await page.waitForURL((url) => url.pathname === "/");
}

/** Refuses serious faults of accessibility on a page. */
export async function accessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).slice(0, 5).join(" | ")}`);
  assert.deepEqual(told, [], `${name} at ${page.url()}`);
}

/** Keeps a picture when SCREENS names a folder. */
export async function picture(page, name) {
  if (!screens) return;
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`), fullPage: true });
}
