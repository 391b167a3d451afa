// What a reviewer and an approver look at before they decide: concerns, the file that will leave,
// what changed, the trail as a timeline; and fields for files in the language of the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, accessible, enter, open, picture, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const told = {
  en: { first: "Acknowledge this before you approve.", seen: "Seen by", declined: "Declined to decide", why: "why the member declines", none: "No file chosen", missing: "Choose a file first.", choose: "Choose files", system: "The system" },
  ar: { first: "أقرّ بالاطلاع على هذا قبل الاعتماد.", seen: "اطّلع عليه", declined: "اعتذر عن القرار", why: "سبب الاعتذار", none: "لم يُختر ملف", missing: "اختر ملفًا أولًا.", choose: "اختيار ملفات", system: "النظام" },
};
const languages = Object.keys(told);

async function atPack(key, options) {
  const visited = await visit(browser, server, options);
  await enter(visited.page, key);
  await visited.page.goto("/packs");
  await visited.page.locator("table a[href^='/packs/']").first().click();
  return visited;
}

// The browser's bubble about a field takes a key that comes while it goes away; a user presses again.
async function chooserByKey(page) {
  for (const isLast of [false, false, true]) {
    const opened = page.waitForEvent("filechooser", { timeout: 10_000 });
    await page.keyboard.press("Enter");
    try {
      return await opened;
    } catch (error) {
      if (isLast) throw error;
    }
  }
}

for (const lang of languages) {
  const say = told[lang];

  test(`nothing is approved before each concern is acknowledged (${lang})`, async () => {
    const { context, page, faults } = await atPack(server.keys[0], { lang });
    const boxes = page.locator(".concerns input[name=acknowledged]");
    const count = await boxes.count();
    assert.ok(count >= 2, `${count} concerns`);
    assert.equal(count, await page.locator(".concerns li").count(), "each on its own");
    const address = page.url();
    for (const box of (await boxes.all()).slice(1)) await box.check();
    await page.locator("button[name=outcome][value=approved]").click();
    assert.equal(page.url(), address, "one is left");
    assert.equal(await boxes.first().evaluate((box) => box.validationMessage), say.first);
    await accessible(page, "a pack with concerns");
    // What the browser would have held back the server refuses as well.
    await boxes.first().evaluate((box) => { box.required = false; box.setCustomValidity(""); });
    await page.locator("#reason").fill("Seen all but one.");
    await page.locator("button[name=outcome][value=approved]").click();
    await page.locator("p.fault").waitFor();
    assert.equal(await page.locator("#reason").inputValue(), "Seen all but one.");
    assert.equal(await boxes.nth(1).isChecked(), true, "nothing that was ticked is lost");
    assert.deepEqual(faults.filter((fault) => !fault.includes("422")), []);
    await context.close();
  });

  test(`the file is looked at before it leaves (${lang})`, async () => {
    const { context, page, faults } = await atPack(server.keys[2], { lang });
    await page.locator("a[href$='/preview']").click();
    const pages = page.locator(".sheets img");
    assert.ok(await pages.count() >= 2);
    for (const one of await pages.all()) {
      await one.scrollIntoViewIfNeeded();
      await one.evaluate((image) => image.decode());
      assert.ok(await one.evaluate((image) => image.naturalWidth) > 600);
    }
    await accessible(page, "a look at a PDF");
    assert.match(await page.locator("p.quiet bdi.mono").first().textContent(), /^pack-.+-\d{4}-\d{2}-\d{2}\.pdf$/);
    await page.locator(".chip[href*='format=archive']").click();
    assert.ok((await page.locator("tbody").textContent()).includes("data/pack.json"));
    await accessible(page, "a look at an archive");
    await page.locator(".chip[href*='format=sealed']").click();
    const shown = await page.locator("pre.look").textContent();
    assert.ok(shown.includes("decision_id") && !shown.includes('"sig"'));
    // Of another pack nothing is found under this name.
    const address = await page.goBack().then(() => page.goBack()).then(() => pages.first().getAttribute("src"));
    assert.equal((await context.request.get(server.address + address)).status(), 200);
    assert.equal((await context.request.get(server.address + address.replace(/-\d+\.png$/, "-99.png"))).status(), 404);
    assert.equal((await context.request.get(`${new URL(page.url()).pathname}?format=docx`)).status(), 404);
    await page.locator(".chip[href*='format=markdown']").click();
    const style = await page.locator("pre.look").evaluate((text) => { const { unicodeBidi, textAlign } = getComputedStyle(text); return [unicodeBidi, textAlign]; });
    assert.deepEqual(style, ["plaintext", "start"], "each paragraph in its own direction");
    await accessible(page, "a look at a text");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`the trail is a timeline of people and titles (${lang})`, async () => {
    const { context, page, faults } = await visit(browser, server, { lang });
    await enter(page, server.keys[0]);
    await page.goto("/trail");
    await accessible(page, "the trail");
    const titled = page.locator(".timeline li a[title^='pack_']").first();
    assert.ok(!/pack_/.test(await titled.textContent()), "a title and no id");
    assert.equal(await page.locator(".gap").count(), 1, "the days between the key and the evidence");
    await Promise.all([page.waitForURL(/who=system/), page.locator("#who").selectOption("system")]);
    const actors = await page.locator(".timeline li a.plain").allTextContents();
    assert.ok(actors.length > 0 && actors.every((who) => who === say.system), actors.join());
    assert.equal(await page.locator(".gap").count(), 0, "records that are left out make no gap");
    await Promise.all([page.waitForURL(/kind=session.opened/), page.locator("#kind").selectOption("session.opened")]);
    const rows = await page.locator(".timeline li > span > a[href^='/sessions/']").allTextContents();
    assert.ok(rows.length > 0 && rows.every((title) => /[?؟]$/.test(title)), rows.join());
    await Promise.all([page.waitForURL(/who=person%3Afaisal/), page.locator("#who").selectOption("person:faisal")]);
    assert.equal(await page.locator(".timeline li").count(), 0, "who did nothing has no records");
    await page.goto("/trail");
    await titled.click();
    await page.waitForURL(/\/packs\//);
    await page.locator("a[href^='/trail/']").first().click();
    await page.locator("a[href^='/trail?subject=']").click();
    assert.ok(await page.locator(".only strong").textContent());
    assert.equal((await context.request.get("/trail?kind=session.forgotten")).status(), 404);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`a field for files speaks the language of the page, and the keyboard reaches it (${lang})`, async () => {
    const { context, page, faults } = await visit(browser, server, { lang });
    await enter(page, server.keys[0]);
    await page.goto("/documents");
    const field = page.locator("#files");
    const chosen = page.locator("[data-chosen]");
    assert.equal(await chosen.textContent(), say.none);
    assert.equal(await page.locator(".picker .button").textContent(), say.choose);
    assert.equal(await field.evaluate((input) => getComputedStyle(input).opacity), "0");
    await page.locator("form.sheet button.main").click();
    assert.equal(await field.evaluate((input) => input.validationMessage), say.missing);
    // Anew: the browser's own bubble lies over the field.
    await page.goto("/documents");
    await field.focus();
    assert.equal(await page.evaluate(() => document.activeElement.id), "files");
    const chooser = await chooserByKey(page);
    await chooser.setFiles([{ name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("One.") }, { name: "two.txt", mimeType: "text/plain", buffer: Buffer.from("Two.") }]);
    assert.deepEqual((await chosen.textContent()).match(/\w+\.txt/g), ["one.txt", "two.txt"]);
    assert.equal(await field.evaluate((input) => input.validationMessage), "");
    await accessible(page, "files that were chosen");
    assert.deepEqual(faults, []);
    await context.close();
  });

  for (const [width, viewport] of [["1440", DESKTOP], ["390", PHONE]]) {
    test(`the pages fit (${lang}, ${width})`, async () => {
      const { context, page } = await atPack(server.keys[0], { lang, viewport });
      const pack = new URL(page.url()).pathname;
      for (const [name, address] of [["pack", pack], ["preview", `${pack}/preview`], ["archive", `${pack}/preview?format=archive`], ["trail", "/trail"], ["documents", "/documents"], ["check", "/sessions/new"], ["verify", "/verify"]]) {
        await page.goto(address);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
        await picture(page, `${name}-${lang}-${width}`);
      }
      await context.close();
    });
  }
}

test("without scripts the browser's own field for files is there", async () => {
  const { context, page } = await visit(browser, server, { script: false });
  await page.goto("/verify");
  assert.equal(await page.locator("#file").evaluate((input) => getComputedStyle(input).opacity), "1");
  assert.equal(await page.locator(".picker").first().isVisible(), false);
  await context.close();
});

test("who declines says why, and the others decide", async () => {
  const { context, page } = await atPack(server.keys[1], { lang: "en" });
  await page.locator("button[name=outcome][value=declined]").click();
  assert.ok((await page.locator("p.fault").textContent()).includes(told.en.why));
  await page.locator("#reason").fill("I advised on this very case.");
  await page.locator("button[name=outcome][value=declined]").click();
  await page.waitForURL(/done=reviewed/);
  const thread = await page.locator("section[aria-labelledby=said-title]").textContent();
  assert.ok(thread.includes(told.en.declined) && thread.includes("I advised on this very case."), thread);
  assert.equal(await page.locator("button[name=outcome][value=approved]").count(), 0);
  assert.ok((await page.locator("#standing").textContent()).includes("0 / 2"), "it is no vote");
  await context.close();

  // One who approves is named beside what was acknowledged.
  const approver = await atPack(server.keys[0], { lang: "ar" });
  assert.ok((await approver.page.locator("section[aria-labelledby=said-title]").textContent()).includes(told.ar.declined));
  for (const box of await approver.page.locator("input[name=acknowledged]").all()) await box.check();
  await approver.page.locator("#reason").fill("قرأتها كلها.");
  await approver.page.locator("button[name=outcome][value=approved]").click();
  await approver.page.waitForURL(/done=reviewed/);
  const seen = await approver.page.locator(".concerns li").allTextContents();
  assert.ok(seen.every((one) => one.includes(told.ar.seen) && one.includes("amal")), seen.join());
  await picture(approver.page, "reviewed-ar-1440");

  // A version that another one superseded keeps what was said about it.
  const headers = { authorization: `Bearer ${server.keys[0]}`, "content-type": "application/json" };
  const reviewed = new URL(approver.page.url()).pathname;
  const { decision_id } = await (await fetch(`${server.address}/api/v1${reviewed}`, { headers })).json();
  const next = await fetch(`${server.address}/api/v1/packs`, { method: "POST", headers, body: JSON.stringify({ decision_id }) });
  assert.equal(next.status, 201, await next.clone().text());
  await approver.page.goto(reviewed);
  const kept = await approver.page.locator("section[aria-labelledby=said-title] .thread li").allTextContents();
  assert.equal(kept.length, 2, kept.join());
  assert.ok(kept[0].includes(told.ar.declined) && kept[1].includes("قرأتها كلها."), kept.join());
  await approver.context.close();
});
