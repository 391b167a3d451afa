// What must hold of every page: stored markup is inert, forms carry their mark, the keyboard
// reaches everything, and nothing needs a script.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter, open, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'><b id=evil>";

test("markup in questions, answers, documents and names of files stays text", async () => {
  const { context, page, faults } = await visit(browser, server);
  page.on("dialog", () => faults.push("a dialog opened"));
  await enter(page, server.keys[0]);
  await page.goto("/sessions/new");
  await page.locator("#query").fill(`Is ${EVIL} so?`);
  await page.locator("#answer").fill(`Employees are entitled to 15 days of annual leave ${EVIL}.`);
  await page.locator("#files").setInputFiles({ name: "<b id=evil>.txt", mimeType: "text/html", buffer: Buffer.from(`All employees receive 15 days of annual leave ${EVIL}.`) });
  await page.locator("form.sheet button.main").click();
  await page.waitForURL((url) => url.pathname.startsWith("/sessions/ses_") && !url.search, { timeout: 120_000 });
  assert.equal(await page.locator("h1").textContent(), `Is ${EVIL} so?`);
  assert.equal(await page.locator("#evil").count(), 0);
  await page.goto("/documents");
  await page.getByRole("link", { name: "<b id=evil>.txt" }).click();
  assert.ok((await page.locator(".view .frame").textContent()).includes(EVIL));
  assert.equal(await page.locator("#evil, main img, main script").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a form without the mark of its visit is refused", async () => {
  const { context, page } = await visit(browser, server);
  await enter(page, server.keys[0]);
  const post = (path, form, headers = {}) => context.request.post(server.address + path, { form, headers, maxRedirects: 0 });
  assert.equal((await post("/preferences", { theme: "dark" })).status(), 403);
  assert.equal((await post("/signout", { csrf: "AAAA" })).status(), 403);
  const csrf = await page.locator("input[name=csrf]").first().getAttribute("value");
  assert.equal((await post("/preferences", { csrf, theme: "dark" }, { origin: "https://evil.example" })).status(), 403);
  assert.equal((await post("/preferences", { csrf, theme: "dark" }, { "sec-fetch-site": "cross-site" })).status(), 403);
  const kept = await post("/preferences", { csrf, theme: "dark", back: "//evil.example" });
  assert.deepEqual([kept.status(), kept.headers().location], [303, "/"]);
  await page.goto("/sessions");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await context.close();
});

test("pages say what may run on them, and cookies cannot be read by a script", async () => {
  const { context, page } = await visit(browser, server);
  await enter(page, server.keys[0]);
  const response = await page.goto("/sessions");
  const policy = response.headers()["content-security-policy"];
  assert.ok(policy.startsWith("default-src 'none'") && !policy.includes("unsafe"), policy);
  assert.equal(response.headers()["cache-control"], "private, no-store");
  // One page may compile WebAssembly of our own, and nothing else.
  const verify = (await page.goto("/verify")).headers()["content-security-policy"];
  assert.equal(verify.replace(" 'wasm-unsafe-eval'", ""), policy);
  assert.equal(await page.evaluate(() => document.cookie), "");
  const session = (await context.cookies()).find(({ name }) => name === "dalil_session");
  assert.deepEqual([session.httpOnly, session.sameSite], [true, "Strict"]);
  assert.ok(!decodeURIComponent(session.value).includes(server.keys[0]), "the cookie does not show the key");
  await context.close();
});

test("a link signs in as the person it was made for, and no other site can use it", async () => {
  assert.equal(server.links.length, 4);
  for (const [link, name] of [[server.links[0], "amal"], [server.links[2], "sami"]]) {
    const { context, page, faults } = await visit(browser, server);
    await page.goto(link);
    assert.equal(new URL(page.url()).pathname, "/");
    assert.ok(!page.url().includes("ticket"), "the address does not keep the ticket");
    assert.equal(await page.locator(".tools bdi").textContent(), name);
    assert.deepEqual(faults, []);
    await context.close();
  }
  const { context } = await visit(browser, server);
  const get = (link, headers = {}) => context.request.get(link, { headers, maxRedirects: 0 });
  assert.equal((await get(server.links[0], { "sec-fetch-site": "cross-site" })).status(), 200);
  assert.equal((await get(`${server.address}/signin?ticket=AAAAAAAAAAAAAAAAAAAAAA`)).status(), 200);
  assert.equal((await get(server.links[0])).status(), 303);
  await context.close();
});

test("pages offer only what somebody may do, and say why not", async () => {
  const { context, page, faults } = await visit(browser, server);
  await page.goto(server.links[2]);
  await page.goto("/sessions");
  assert.equal(await page.locator("a[href='/settings'], a[href='/sessions/new']").count(), 0);
  await page.locator("tbody a").first().click();
  assert.equal(await page.locator("button[name=action], form[action$='/check']").count(), 0);
  assert.ok((await page.locator("#people").textContent()).includes("role of an approver"));
  await page.goto("/documents");
  assert.equal(await page.locator("input[type=file]").count(), 0);
  await page.goto("/packs");
  await page.locator("table a[href^='/packs/']").first().click();
  assert.equal(await page.locator("form[action$='/review']").count(), 0);
  assert.ok((await page.locator("section[aria-labelledby=review-title]").textContent()).includes("You may not approve this"));
  assert.deepEqual(faults, []);
  await context.close();
  const trail = await (await fetch(`${server.address}/api/v1/trail/records?limit=200`, { headers: { authorization: `Bearer ${server.keys[0]}` } })).json();
  assert.deepEqual(trail.items.filter(({ kind }) => kind === "access.refused"), [], "looking leaves no refusal on the trail");
});

test("nobody gets in without a key, and a changed cookie is nobody's", async () => {
  const { context, page } = await visit(browser, server);
  for (const path of ["/sessions", "/documents", "/packs", "/trail", "/settings", "/exports", "/obligations", "/trail/0/receipt"]) {
    await page.goto(path);
    assert.equal(new URL(page.url()).pathname, "/signin", path);
  }
  await page.locator("#credential").fill("dalil_barzamar_0000000000000000_" + "A".repeat(43));
  await page.locator("form.sheet button").click();
  assert.equal(await page.locator("#credential").getAttribute("aria-invalid"), "true");
  await enter(page, server.keys[0]);
  const [session] = (await context.cookies()).filter(({ name }) => name === "dalil_session");
  const value = session.value.slice(0, 30) + (session.value[30] === "A" ? "B" : "A") + session.value.slice(31);
  await context.addCookies([{ ...session, value }]);
  await page.goto("/sessions");
  assert.equal(new URL(page.url()).pathname, "/signin");
  await context.close();
});

test("everything is reached by keyboard", async () => {
  const { context, page, faults } = await visit(browser, server);
  await enter(page, server.keys[0]);
  await page.goto("/sessions");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.locator("tbody a[href*=agreement]").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/ses_/);
  await page.keyboard.press("Control+k");
  assert.equal(await page.evaluate(() => document.activeElement.id), "find");
  await page.keyboard.type("leave");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search/);
  assert.ok((await page.locator(".todo a").count()) > 0);
  await page.goBack();
  await page.locator("#evidence").focus();
  const title = page.locator("#evidence-title");
  const before = await title.textContent();
  await page.keyboard.press("j");
  await page.waitForFunction((before) => document.getElementById("evidence-title").textContent !== before, before);
  assert.ok(new URL(page.url()).searchParams.get("claim"), "the address names the claim");
  await page.keyboard.press("k");
  await page.waitForFunction((before) => document.getElementById("evidence-title").textContent === before, before);
  const first = page.locator("#claims a[data-claim]").first();
  await first.focus();
  await page.keyboard.press("Enter");
  // Marked when its evidence stands there; before that, the evidence is that of another.
  await first.and(page.locator("[aria-current]")).waitFor();
  await page.locator("#evidence a[href*='#hit']").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/documents/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("of two claims the one that was chosen last is shown, whichever reply comes first", async () => {
  const { context, page, faults } = await visit(browser, server);
  await enter(page, server.keys[0]);
  await page.goto("/sessions");
  await page.locator("tbody a[href*=agreement]").first().click();
  await page.waitForURL(/ses_/);
  // The third is open to begin with: it needs a person.
  const links = page.locator("#claims a[data-claim]");
  const claim = (address) => new URL(address, server.address).searchParams.get("claim");
  const slow = claim(await links.nth(1).getAttribute("href"));
  const quick = claim(await links.nth(0).getAttribute("href"));
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  // Its page has given up on the held one by then, where it does what it should.
  await page.route((url) => url.searchParams.get("claim") === slow, async (route) => { await held; await route.continue().catch(() => {}); });
  await links.nth(1).click();
  await links.nth(0).click();
  await links.nth(0).and(page.locator("[aria-current]")).waitFor();
  const title = await page.locator("#evidence-title").textContent();
  release();
  await page.waitForTimeout(1_000);
  assert.equal(await page.locator("#evidence-title").textContent(), title);
  assert.equal(claim(page.url()), quick);
  assert.equal(await page.locator("#claims a[aria-current]").count(), 1);
  // Back to where it began, while another claim is still asked for.
  await page.goBack();
  await page.waitForFunction((title) => document.getElementById("evidence-title").textContent !== title, title);
  assert.equal(claim(page.url()), null);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the reference is tried on this host, with a key that is kept nowhere", async () => {
  const { context, page, faults } = await visit(browser, server);
  await page.goto("/signin");
  await page.locator("footer a[href='/reference']").click();
  const { paths } = await (await fetch(`${server.address}/api/v1/openapi.json`)).json();
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.equal(await page.locator(".routes tbody tr").count(), operations.length);
  await page.locator("h2 a[href='/reference/holds']").click();
  const place = page.locator("#place_hold");
  for (const words of ["hold_id", "reason", "scope"]) assert.ok((await place.locator("table").first().textContent()).includes(words));
  await place.locator(".try summary").click();
  assert.equal(JSON.parse(await place.locator("textarea").inputValue()).scope, "kind:pack.sealed");
  await place.locator("button").click();
  await place.locator(".reply strong").getByText("401").waitFor();
  await page.locator("#api-key").fill(server.keys[0]);
  await place.locator("button").click();
  await place.locator(".reply strong").getByText("201").waitFor();
  assert.equal(JSON.parse(await place.locator(".reply pre").textContent()).covers.records >= 1, true);
  const list = page.locator("#list_holds");
  await list.locator(".try summary").click();
  await list.locator("button").click();
  await list.locator(".reply strong").getByText("200").waitFor();
  assert.ok((await list.locator(".reply pre").textContent()).includes("kind:pack.sealed"));
  await page.reload();
  assert.equal(await page.locator("#api-key").inputValue(), "");
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length]), [0, 0]);
  // Chromium says of the refused request that it was refused.
  assert.deepEqual(faults.filter((fault) => !fault.includes("401")), []);
  await context.close();
});

test("nothing needs a script", async () => {
  const { context, page, faults } = await visit(browser, server, { script: false });
  await enter(page, server.keys[0]);
  await page.goto("/sessions/new");
  await page.locator("#query").fill("Without a script?");
  await page.locator("#answer").fill("Leave requests must be submitted 2 weeks in advance.");
  await page.locator("form.sheet button.main").click();
  await page.waitForURL((url) => url.pathname.startsWith("/sessions/ses_") && !url.search, { timeout: 120_000 });
  await page.locator("a.chip").last().click();
  assert.ok(new URL(page.url()).searchParams.get("show"));
  await page.locator("#claims a[data-claim]").first().click();
  assert.ok(new URL(page.url()).searchParams.get("claim"));
  await page.locator("#r-reason").fill("seen");
  await page.locator("button[value=commented]").click();
  assert.ok((await page.locator(".thread").textContent()).includes("seen"));
  await page.locator("select#theme").selectOption("dark");
  await page.locator("form[action='/preferences'] button").first().click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.locator("button[name=lang]").click();
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  assert.deepEqual(faults, []);
  await context.close();
});
