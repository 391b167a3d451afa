// The verifier in Chromium: every vector through the module, and `verify.html` from disk.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root, vectors } from "./vectors.mjs";

const viewer = createRequire(join(root, "suite", "viewer", "package.json"));
const { chromium } = viewer("playwright-core");
const axe = readFileSync(viewer.resolve("axe-core/axe.min.js"), "utf8");
const dist = dirname(fileURLToPath(import.meta.resolve("@dalil/verify")));
const page_url = pathToFileURL(process.env.PAGE).href;

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
});
after(() => browser.close());

test("every vector has the report of the program", async () => {
  const types = { js: "text/javascript", wasm: "application/wasm" };
  const server = createServer((request, response) => {
    const type = types[request.url.split(".").pop()];
    if (type) return response.setHeader("content-type", type).end(readFileSync(join(dist, request.url)));
    response.setHeader("content-type", "text/html").end("<!doctype html><title>verify</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const cases = vectors().map(({ name, file, options, output }) => {
    const base64 = (bytes) => bytes && Buffer.from(bytes).toString("base64");
    return { name, file: base64(file), options: { ...options, trail: base64(options.trail) }, output };
  });
  const found = await page.evaluate(async (cases) => {
    const { verify } = await import("/index.js");
    const bytes = (text) => text && Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return Promise.all(cases.map(async ({ file, options: { trail, ...options } }) => {
      const { names, digest, ...report } = await verify(bytes(file), { ...options, ...(trail && { trail: bytes(trail) }) });
      return report;
    }));
  }, cases);
  cases.forEach(({ name, output }, at) => assert.deepEqual(found[at], output, name));
  await page.close();
  server.close();
});

/** Opens the page from disk, in a context that notices every request and every fault. */
async function opened(locale) {
  const context = await browser.newContext({ locale });
  const faults = [];
  context.on("request", (request) => request.url() === page_url || faults.push(`a request: ${request.url()}`));
  context.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  context.on("weberror", (error) => faults.push(String(error.error())));
  const page = await context.newPage();
  await page.goto(page_url);
  await page.locator("#do:enabled").waitFor();
  return { context, page, faults };
}

/** Gives the page a vector and reads the table that it shows. */
async function shown(page, name, key) {
  const { file } = vectors().find((vector) => vector.name === name);
  await page.locator("#file").setInputFiles({ name: "file", mimeType: "application/octet-stream", buffer: Buffer.from(file) });
  await page.locator("#key").fill(key ?? "");
  await page.locator("#do").click();
  await page.locator("#result > *").first().waitFor();
  const rows = await page.locator("#result tr.pass, #result tr.fail, #result tr.incomplete").evaluateAll((rows) =>
    rows.map((row) => [row.className, row.cells[2].textContent]));
  return { rows, head: await page.locator("#result > *").first().textContent() };
}

const KEY = "dalil.example/tenant-1+c039b92c+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs";

for (const [locale, passed, failed] of [["en-GB", "PASS", "FAIL"], ["ar-SA", "صحيح", "غير صحيح"]]) {
  test(`verify.html from disk says what the program says, in ${locale}`, async () => {
    const { context, page, faults } = await opened(locale);
    const whole = await shown(page, "archive/archive.json", KEY);
    assert.deepEqual(new Set(whole.rows.map(([verdict]) => verdict)), new Set(["pass"]));
    assert.equal(whole.head, `${passed}: file`);
    if (locale === "en-GB") {
      const { output } = vectors().find(({ name }) => name === "archive/archive.json");
      assert.deepEqual(whole.rows, output.findings.map(({ verdict, message }) => [verdict, message]));
    }
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    assert.deepEqual(violations.map(({ id }) => id), []);
    if (process.env.SCREENS) await page.screenshot({ path: join(process.env.SCREENS, `verify-${locale}.png`), fullPage: true });
    const changed = await shown(page, "archive/object-changed.json", KEY);
    assert.equal(changed.head, `${failed}: file`);
    assert.ok(changed.rows.some(([verdict]) => verdict === "fail"));
    const unknown = await shown(page, "archive/archive.json");
    assert.ok(unknown.rows.some(([verdict]) => verdict === "incomplete"));
    const refused = await shown(page, "archive/archive.json", "no key");
    assert.deepEqual(refused.rows, []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a visitor changes the language", async () => {
  const { context, page, faults } = await opened("en-GB");
  await page.locator("#language").click();
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  assert.equal(await page.locator("h1").textContent(), "التحقق من ملف");
  assert.deepEqual(faults, []);
  await context.close();
});
