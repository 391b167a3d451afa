// A person uploads documents, has an answer checked, opens the source, reviews, asks for an export
// that another approves, and verifies.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, enter, open, picture, root, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const example = (path) => join(root, "examples", path);
const told = {
  en: {
    answer: "answers/leave.en.md", document: "corpus/hr-leave-policy.en.md", question: "How much leave do employees have?",
    verdicts: ["Supported", "Supported", "Weak", "Not found"], words: "All permanent employees shall receive 15 days of paid annual leave per calendar year.",
    page: "12", cited: "hr-leave-policy.en.md, Page 12, Section 3.1 Entitlement", copy: "Copy citation", state: "2 claims need a person", disagreed: "disagreed with the verdict", why: "Say why", ready: "Ready to rely on", dir: "ltr", pass: "Holds.",
    waiting: "Waiting for approval", manager: "a manager or above", title: "a manager or above, for class A1", used: "Used",
  },
  ar: {
    answer: "answers/leave.ar.md", document: "corpus/hr-leave-policy.ar.md", question: "كم مدة الإجازة السنوية للموظفين؟",
    verdicts: null, words: null, page: "12", cited: "hr-leave-policy.ar.md، الصفحة 12", copy: "نسخ الاستشهاد", state: "ادعاءات تحتاج إلى نظر شخص: 2", disagreed: "اعتراض على الحكم", why: "اذكر السبب", ready: "يمكن الاعتماد عليها", dir: "rtl", pass: "سليم.",
    waiting: "بانتظار الاعتماد", manager: "مدير فأعلى", title: "مدير فأعلى، للفئة A1", used: "استُعمل",
  },
};

/** The signed file of a pack, which leaves when one has approved what another asked for. */
async function sealedFile(pack, lang) {
  const call = async (key, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(server.address + path, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(reply.ok, await reply.clone().text());
    return reply.json();
  };
  const order = { format: "sealed", reason: `to verify it (${lang})` };
  await call(server.keys[0], "/api/v1/approvals", { action: "export_pack", object: pack, ...order });
  const { download_url } = await call(server.keys[2], `/api/v1/packs/${pack}/export`, order);
  const file = await fetch(new URL(download_url, server.address));
  return { name: "sealed.json", mimeType: "application/json", buffer: Buffer.from(await file.arrayBuffer()) };
}

for (const lang of ["en", "ar"]) {
  test(`an answer is checked, and its evidence opened (${lang})`, async () => {
    const say = told[lang];
    const { context, page, faults } = await visit(browser, server, { lang });
    await enter(page, server.keys[0]);
    assert.equal(await page.locator("html").getAttribute("dir"), say.dir);
    await page.locator("a[href='/sessions/new']").first().click();
    await page.locator("#query").fill(say.question);
    await page.locator("#answer").fill(readFileSync(example(say.answer), "utf8"));
    await page.locator("#files").setInputFiles(example(say.document));
    await page.locator("form.sheet button.main").click();
    await page.waitForURL(/job=/);
    await page.waitForURL((url) => /^\/sessions\/ses_[0-9a-f]+$/.test(url.pathname) && !url.search, { timeout: 120_000 });
    assert.equal(await page.locator("h1").textContent(), say.question);
    const claims = page.locator("#claims a[data-claim]");
    assert.equal(await claims.count(), 4);
    if (say.verdicts) assert.deepEqual(await page.locator("#claims .dot").allTextContents(), say.verdicts);
    assert.equal(await page.locator(".strip a").count(), 4);
    assert.equal(await page.locator(".state").textContent().then((text) => text.trim()), say.state);
    assert.ok((await page.locator("#against").textContent()).includes(say.document.split("/").at(-1)));

    // A claim opens beside the list; its evidence can be copied and seen in the document.
    await claims.first().click();
    await page.waitForURL(/claim=/);
    await page.locator("#evidence").getByRole("button", { name: say.copy }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.includes(say.cited) && /\[cite:[0-9a-f]{8,}\]$/.test(copied), copied);
    await page.locator("#evidence a[href*='#hit']").first().click();
    assert.equal(new URL(page.url()).searchParams.get("page"), say.page);
    const marked = page.locator("mark#hit");
    assert.equal(await marked.count(), 1);
    if (say.words) assert.equal(await marked.textContent(), say.words);
    assert.ok(copied.replace(/\s+/g, " ").includes((await marked.textContent()).replace(/\s+/g, " ")));
    assert.ok(await marked.evaluate((node) => { const box = node.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }), "the words are in view");
    await page.goBack();

    // A filter is a chip with its count, and stands in the address.
    await page.locator("a.chip.not_found").click();
    assert.equal(new URL(page.url()).searchParams.get("show"), "not_found");
    assert.equal(await claims.count(), Number(await page.locator("a.chip.not_found b").textContent()));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`people speak about claims, and it counts (${lang})`, async () => {
    const say = told[lang];
    const { context, page, faults } = await visit(browser, server, { lang });
    await page.goto(server.links[0]);
    const id = `ses_people_${lang}`;
    const headers = { authorization: `Bearer ${server.keys[0]}`, "content-type": "application/json" };
    const call = async (path, body) => {
      const reply = await fetch(server.address + path, { method: "POST", headers, body: JSON.stringify(body) });
      assert.ok(reply.ok, await reply.clone().text());
      return reply.json();
    };
    const answer = "Employees are entitled to 15 days of annual leave. Employees are entitled to 40 days of sick leave.";
    await call("/api/v1/sessions", { session_id: id, query: "What leave is there?", answer });
    await call(`/api/v1/sessions/${id}/check`, {});
    const checked = async () => (await (await fetch(`${server.address}/api/v1/sessions/${id}`, { headers })).json()).ledger;
    for (let n = 0; n < 240 && !await checked(); n += 1) await new Promise((resolve) => setTimeout(resolve, 500));
    await page.goto(`/sessions/${id}`);
    const open = page.locator("#claims a[aria-current]");
    const claim = new URL(await open.getAttribute("href"), server.address).searchParams.get("claim");

    // Without words a disagreement is refused beside the field, and what was typed stays.
    await page.locator("#r-assign").selectOption("noura");
    await page.locator("button[value=disagreed]").click();
    assert.ok((await page.locator("#r-reason-hint").textContent()).includes(say.why));
    assert.equal(await page.locator("#r-reason").getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("#r-assign").inputValue(), "noura");
    await accessible(page, "a refused review");
    await page.locator("#r-reason").fill("Annex 2 says otherwise.");
    await page.locator("button[value=disagreed]").click();
    await page.waitForURL(/done=said/);
    assert.equal(new URL(page.url()).searchParams.get("claim"), claim);
    const thread = page.locator(".thread li");
    assert.ok((await thread.first().textContent()).includes(say.disagreed));
    assert.ok((await thread.first().textContent()).includes("Annex 2 says otherwise."));
    await accessible(page, "a ledger with reviews");

    // Resolving every claim that needs a person makes the answer ready; a look at another keeps what was typed.
    for (let n = 0; n < 2 && await page.locator("a.chip.person").count(); n += 1) {
      await page.goto(`/sessions/${id}?show=person`);
      await page.locator("#r-reason").fill("Settled with the annex.");
      await page.locator("button[value=resolved]").click();
      await page.waitForURL(/done=said/);
    }
    assert.ok((await page.locator(".state").textContent()).includes(say.ready));
    const { readiness, reviews } = await (await fetch(`${server.address}/api/v1/sessions/${id}/reviews`, { headers })).json();
    assert.deepEqual([readiness, reviews[0].action, reviews[0].reviewer], [{ state: "ready" }, "disagreed", "amal"]);
    // Chromium says of the refused form that it was refused.
    assert.deepEqual(faults.filter((fault) => !fault.includes("422")), []);
    await context.close();
  });

  test(`a viewer asks, an approver approves, and the file is fetched once (${lang})`, async () => {
    const say = told[lang];
    const asker = await visit(browser, server, { lang });
    await enter(asker.page, server.keys[2]);
    await asker.page.goto("/packs");
    await asker.page.locator("table a[href^='/packs/']").first().click();
    const pack = new URL(asker.page.url()).pathname;
    await asker.page.locator("#x-reason").fill(`board meeting (${lang})`);
    await asker.page.locator("section[aria-labelledby=export-title] form[action$='/export'] button").click();
    await asker.page.waitForURL(/done=asked/);
    const own = asker.page.locator(".requests > li").first();
    assert.equal(await own.locator(".badge").first().textContent(), say.waiting);
    assert.ok((await own.textContent()).includes(say.manager));
    assert.equal(await own.locator("button").count(), 0, "whoever asked neither approves nor fetches yet");

    // An approver, in a session of their own; one without the title is refused.
    const finance = await visit(browser, server, { lang });
    await enter(finance.page, server.keys[1]);
    await finance.page.goto("/exports");
    assert.equal(await finance.page.locator(".requests > li").first().locator("form[action='/exports/approve']").count(), 0);
    assert.ok((await finance.page.locator(".requests > li").first().textContent()).includes(say.title), "and told why not");
    const approver = await visit(browser, server, { lang });
    await enter(approver.page, server.keys[0]);
    await approver.page.goto("/exports");
    assert.ok((await approver.page.locator(".requests > li").first().textContent()).includes(`board meeting (${lang})`));
    await approver.page.locator(".requests form[action='/exports/approve'] button").first().click();
    await approver.page.waitForURL(/\/exports\?done=approved/);
    await accessible(approver.page, "exports with requests");

    await asker.page.goto(pack);
    assert.ok((await asker.page.locator(".requests > li").first().textContent()).includes("amal"));
    const [left] = await Promise.all([asker.page.waitForEvent("download"), asker.page.locator(".requests form[action='/exports/fetch'] button").first().click()]);
    assert.ok(readFileSync(await left.path()).length > 1000);
    await asker.page.goto("/exports");
    assert.equal(await asker.page.locator(".requests > li").first().locator(".badge").first().textContent(), say.used);
    assert.ok((await asker.page.locator("tbody tr").first().textContent()).includes(`board meeting (${lang})`), "the newest is first");
    // The browser says of a refused form that it was refused; nothing else may be said.
    assert.deepEqual([...asker.faults, ...approver.faults], []);
    for (const { context } of [asker, finance, approver]) await context.close();
  });

  test(`a pack is verified (${lang})`, async () => {
    const { context, page, faults } = await visit(browser, server, { lang });
    await enter(page, server.keys[0]);
    await page.goto("/packs");
    await page.locator("table a[href^='/packs/']").first().click();
    const own = await page.locator("#verification tbody tr .badge").allTextContents();
    assert.ok(own.length >= 4 && own.every((part) => part === told[lang].pass.slice(0, -1)), own.join(", "));
    const sealed = await sealedFile(new URL(page.url()).pathname.split("/").at(-1), lang);
    await page.goto("/trail");
    const trust = await download(page, "a[href='/trail/trust']");
    // Whoever is signed in need not bring the keys of their own trail; the server finds the same.
    assert.equal(await verdict(page, sealed, null), told[lang].pass);
    await page.locator("#file").setInputFiles(sealed);
    await Promise.all([page.waitForNavigation(), page.locator("[data-upload]").click()]);
    assert.equal(await page.locator("#result .notice strong").textContent(), told[lang].pass);

    // Anybody may verify; a changed byte is noticed. The browser does it, and sends nothing.
    const stranger = await visit(browser, server, { lang });
    const sent = [];
    stranger.context.on("request", (request) => { if (request.method() !== "GET") sent.push(request.url()); });
    assert.equal(await verdict(stranger.page, sealed, trust), told[lang].pass);
    const changed = { name: "changed.json", mimeType: "application/json", buffer: Buffer.from(sealed.buffer.toString().replace(/"sig":"./, (found) => found.slice(0, -1) + (found.endsWith("A") ? "B" : "A"))) };
    assert.equal(await verdict(stranger.page, changed, trust), lang === "en" ? "Does not hold." : "غير سليم.");
    assert.equal(await verdict(stranger.page, sealed, null), lang === "en" ? "Could not be checked." : "تعذّر التحقق.");
    assert.deepEqual(sent, []);
    await accessible(stranger.page, "a file verified in the browser");
    const wrong = { name: "trust.json", mimeType: "application/json", buffer: Buffer.from("not JSON") };
    await stranger.page.locator("#trust").setInputFiles(wrong);
    await stranger.page.locator("main form button.main").click();
    await stranger.page.locator("#result .notice.bad li").first().waitFor();
    assert.equal(await stranger.page.locator("#result .notice.bad li").count(), 1, "a trust that cannot be used is refused with its fault");
    // The server finds the same, part by part, when it is asked to.
    assert.equal(await verdict(stranger.page, sealed, trust), told[lang].pass);
    const parts = () => stranger.page.locator("#result tbody tr").allInnerTexts();
    const local = await parts();
    await stranger.page.locator("#file").setInputFiles(sealed);
    await stranger.page.locator("#trust").setInputFiles(trust);
    await Promise.all([stranger.page.waitForNavigation(), stranger.page.locator("[data-upload]").click()]);
    assert.equal(sent.length, 1);
    assert.deepEqual(await parts(), local);
    // The code on the paper leads here with the digest of the pack, which no request names.
    const digest = `sha256:${createHash("sha256").update(Buffer.from(JSON.parse(sealed.buffer).envelope.payload, "base64")).digest("hex")}`;
    for (const [named, same] of [[digest, "good"], [digest.replace(/.$/, (last) => (last === "0" ? "1" : "0")), "bad"]]) {
      await stranger.page.goto("about:blank");
      await stranger.page.goto(`/verify#${named}`);
      assert.equal(await stranger.page.locator("#named bdi").textContent(), named);
      await stranger.page.locator("#file").setInputFiles(sealed);
      await stranger.page.locator("#trust").setInputFiles(trust);
      await stranger.page.locator("main form button.main").click();
      await stranger.page.locator(`#result .notice.${same}`).first().waitFor();
      assert.equal(await stranger.page.locator("#result .notice").count(), 2);
      assert.equal(await stranger.page.locator(`#result .notice:first-of-type.${same}`).count(), 1);
      await accessible(stranger.page, "a file compared with a paper");
    }
    // A browser that cannot have the verifier says so, and sends nothing by itself.
    await stranger.context.route("**/assets/dalil.wasm", (route) => route.fulfill({ status: 200, contentType: "application/wasm", body: "" }));
    await stranger.page.goto("/verify");
    await stranger.page.locator("#file").setInputFiles(sealed);
    await stranger.page.locator("main form button.main").click();
    await stranger.page.locator("#result .notice.fair").waitFor();
    assert.equal(sent.length, 1);
    assert.deepEqual([...faults, ...stranger.faults], []);
    await context.close();
    await stranger.context.close();
  });
}

test("a pack is reviewed by those who must, and the version that follows is sealed", async () => {
  for (const [n, key] of server.keys.slice(0, 2).entries()) {
    const { context, page, faults } = await visit(browser, server);
    await enter(page, key);
    await page.goto("/packs");
    await page.locator("table a[href^='/packs/']").first().click();
    const standing = page.locator("#standing");
    assert.ok((await standing.textContent()).includes(`${n} / 2`));
    assert.ok((await standing.textContent()).includes("legal or finance"));
    assert.equal(await standing.locator("time").count(), 1, "until when");
    const said = page.locator("section[aria-labelledby=said-title]");
    if (n === 1) assert.ok(/amal.*read and agreed/s.test(await said.textContent()), "the words of the first reviewer");

    for (const box of await page.locator("input[name=acknowledged]").all()) await box.check();
    await page.locator("#reason").fill("read and agreed");
    await page.locator("button[name=outcome][value=approved]").click();
    await page.waitForURL(/done=/);
    assert.equal(new URL(page.url()).searchParams.get("done"), n === 0 ? "reviewed" : "sealed");
    if (n === 1) {
      await page.getByRole("link", { name: "What changed" }).click();
      const changes = await page.locator(".told > li").allTextContents();
      assert.ok(/amal.*approved.*read and agreed/s.test(changes[0]), changes[0]);
      assert.ok(changes.some((one) => /Status: was .* is now/.test(one)), changes.join());
      assert.ok(!changes.some((one) => one.includes("reviewer_id") || one.includes("[0]")), "sentences and no paths");
      await accessible(page, "what changed");
      await picture(page, "changes-en-1440");
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
});

async function download(page, link) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(link).first().click()]);
  return file.path();
}

async function verdict(page, file, trust) {
  await page.goto("/verify");
  await page.locator("#file").setInputFiles(file);
  if (trust) await page.locator("#trust").setInputFiles(trust);
  await page.locator("main form button.main").click();
  return page.locator("#result .notice strong").textContent();
}
