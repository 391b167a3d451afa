// The page that a claim rests on, as it looks: drawn, with the words boxed and the value that differs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, DESKTOP, open, PHONE, picture, root, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const file = (path, name) => ({ name, mimeType: "application/octet-stream", buffer: readFileSync(join(root, "crates/dalil-documents/tests/files", path)) });
const asked = {
  en: { file: file("pdf/typst_en.pdf", "leave-policy.pdf"), answer: "Every employee is entitled to 25 days of paid leave per year.", words: "Every employee is entitled to 15 days", alt: "Picture of page 1, leave-policy.pdf. Marked on it: Every employee is entitled to 15 days" },
  ar: { file: file("pdf/typst_ar.pdf", "leave-policy-ar.pdf"), answer: "يستحق كل موظف إجازة مدفوعة الأجر مدتها 25 يومًا في السنة.", words: "يستحق كل موظف إجازة مدفوعة الأجر", alt: "صورة الصفحة 1, leave-policy-ar.pdf. المعلَّم عليها: يستحق كل موظف" },
};

/** Has an answer checked against one file, and waits for its ledger. */
async function check(page, { file, answer }, question) {
  await page.goto("/sessions/new");
  await page.locator("#query").fill(question);
  await page.locator("#answer").fill(answer);
  await page.locator("#files").setInputFiles([file]);
  await page.locator("form.sheet button.main").click();
  await page.waitForURL((url) => /^\/sessions\/ses_[0-9a-f]+$/.test(url.pathname) && !url.search, { timeout: 120_000 });
}

/** Whether an element can be seen in the window of another, at least in part. */
const within = (frame, box) => box.evaluate((box, frame) => {
  const [own, at] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
  return at.top >= own.top && at.bottom <= own.bottom && at.right > own.left && at.left < own.right;
}, frame);

for (const [lang, colorScheme, size, viewport] of [["en", "light", "desktop", DESKTOP], ["ar", "dark", "phone", PHONE]]) {
  test(`a page of a PDF is drawn with the words boxed (${lang}, ${size})`, async () => {
    const say = asked[lang];
    const name = (screen) => `pages-${screen}-${lang}-${colorScheme}-${size}`;
    const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
    await page.goto(server.links[0]);
    await check(page, say, `How many days of leave? (${lang})`);

    // Beside the claim: the picture, boxes around the words, and the value that differs in one of its own.
    const drawn = page.locator("#evidence .view img");
    await drawn.waitFor();
    await drawn.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector("#evidence .view img")?.naturalWidth === 1240);
    assert.ok((await drawn.getAttribute("alt")).startsWith(say.alt), await drawn.getAttribute("alt"));
    const frame = await page.locator("#evidence .frame").elementHandle();
    assert.ok(await within(frame, page.locator("#evidence rect.quoted").first()), "the words are in sight");
    assert.equal(await page.locator("#evidence rect.differs").count(), 1);
    assert.ok((await page.locator("#evidence #view-title").textContent()).includes("1"));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
    await accessible(page, name("ledger"));
    await picture(page, name("ledger"));

    // The text of the page, for whoever does not see it.
    await page.locator("#evidence .as-text summary").click();
    assert.ok((await page.locator("#evidence .as-text mark").first().textContent()).replace(/\s+/g, " ").startsWith(say.words));

    // The document by itself opens at the same page, and needs no script for it.
    await page.locator("#evidence .passage footer a").first().click();
    await page.waitForURL(/\/documents\//);
    await page.waitForFunction(() => document.querySelector(".view img")?.naturalWidth === 1240);
    assert.ok(await page.locator("rect#hit").count());
    await accessible(page, name("document"));
    await picture(page, name("document"));
    const bare = await visit(browser, server, { lang, viewport, colorScheme, script: false });
    await bare.page.goto(server.links[0]);
    await bare.page.goto(page.url());
    assert.equal(await bare.page.locator(".view rect.differs").count(), 1);
    assert.deepEqual([...faults, ...bare.faults], []);
    await bare.context.close();
    await context.close();
  });
}

test("Markdown and a sheet are shown as they look", async () => {
  const { context, page, faults } = await visit(browser, server, {});
  await page.goto(server.links[0]);
  const policy = "# Leave policy\n\n## 1 Term\n\nPermanent employees have **15 days** of paid leave a year.\n\n- Requests are made in writing.\n\n| Grade | Days |\n|---|---|\n| A | 15 |\n";
  await check(page, { file: { name: "leave.md", mimeType: "text/markdown", buffer: Buffer.from(policy) }, answer: "Permanent employees have 25 days of paid leave a year." }, "How many days?");
  const view = page.locator("#evidence .view");
  await view.waitFor();
  assert.equal(await view.locator("h5").textContent(), "1 Term");
  assert.equal(await view.locator("mark.differs").textContent(), "15 days");
  assert.equal(await view.locator("th").first().textContent(), "Grade");
  assert.ok(!(await view.textContent()).includes("**"));
  await accessible(page, "pages-markdown");
  await picture(page, "pages-markdown");
  await check(page, { file: file("rates.xlsx", "rates.xlsx"), answer: "A crane hour costs 1,250.50 SAR." }, "What does a crane hour cost?");
  await view.waitFor();
  assert.ok(await view.locator("table caption").count());
  assert.ok(await view.locator("td mark").count());
  await accessible(page, "pages-sheet");
  await picture(page, "pages-sheet");
  assert.deepEqual(faults, []);
  await context.close();
});
