// What a lawyer would do: an amended agreement with a page that nobody can read, an answer about it,
// the amendment that prevails, a disagreement, the ledger on paper, and the paper verified.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, DESKTOP, open, PHONE, picture, root, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([start(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const example = (path) => join(root, "examples", path);
const told = {
  en: { prevails: "prevails", disagreed: "disagreed with the verdict", incomplete: "Could not be checked." },
  ar: { prevails: "الراجح", disagreed: "اعتراض على الحكم", incomplete: "تعذّر التحقق." },
};

/** A PDF with a page on which nothing is written. */
function scan() {
  const objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>"];
  let text = "%PDF-1.7\n";
  const places = objects.map((object, n) => { const at = text.length; text += `${n + 1} 0 obj\n${object}\nendobj\n`; return at; });
  const table = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const end = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${end}\n%%EOF\n`;
  return { name: "annex-scan.pdf", mimeType: "application/pdf", buffer: Buffer.from(text, "latin1") };
}

const held = (path) => ({ name: path.split("/").at(-1), mimeType: "text/markdown", buffer: readFileSync(example(path)) });

for (const [lang, colorScheme, size, viewport] of [["en", "light", "desktop", DESKTOP], ["ar", "dark", "phone", PHONE]]) {
  test(`an amended agreement is checked, disputed, printed and verified (${lang}, ${size})`, async () => {
    const say = told[lang];
    const name = (screen) => `agreement-${screen}-${lang}-${colorScheme}-${size}`;
    const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
    await page.goto(server.links[0]);
    await page.goto("/sessions/new");
    await page.locator("#query").fill(`What are the main terms of the agreement? (${lang})`);
    await page.locator("#answer").fill(readFileSync(example("answers/agreement.en.md"), "utf8"));
    await page.locator("#files").setInputFiles([held("corpus/services-agreement.en.md"), held("corpus/services-agreement-amendment-1.en.md"), scan()]);
    await page.locator("form.sheet button.main").click();
    await page.waitForURL((url) => /^\/sessions\/ses_[0-9a-f]+$/.test(url.pathname) && !url.search, { timeout: 120_000 });

    // What nobody can read is said above everything; what was uploaded is what it was checked against.
    const unread = page.locator(".notice.amber");
    assert.ok((await unread.textContent()).includes("annex-scan.pdf"));
    const claims = page.locator("#claims");
    assert.ok((await unread.boundingBox()).y < (await claims.boundingBox()).y);
    const against = await page.locator("#against").textContent();
    for (const file of ["services-agreement.en.md", "services-agreement-amendment-1.en.md"]) assert.ok(against.includes(file), against);
    assert.ok(!against.includes("hr-leave-policy"), against);
    await accessible(page, name("ledger"));
    await picture(page, name("ledger"));

    // The amendment and the clause that it replaces stand side by side, and one prevails.
    await claims.locator("a[data-claim]", { hasText: "45 calendar days" }).click();
    await page.waitForURL(/claim=/);
    const sides = page.locator("#evidence .passage");
    assert.equal(await sides.count(), 2);
    assert.ok((await sides.first().textContent()).includes("services-agreement-amendment-1"));
    assert.ok((await sides.first().textContent()).includes(say.prevails));
    assert.ok((await sides.last().locator("mark").first().textContent()).includes("30 calendar days"));

    // A person disagrees with a verdict, in their own words.
    await page.locator("#r-reason").fill("Annex C keeps thirty days.");
    await page.locator("button[value=disagreed]").click();
    await page.waitForURL(/done=said/);
    const thread = await page.locator(".thread li").first().textContent();
    assert.ok(thread.includes(say.disagreed) && thread.includes("Annex C keeps thirty days."), thread);

    // The ledger leaves as a file that has a name, and the browser verifies it without sending it.
    const leave = page.locator("form[action$='/export']");
    await leave.locator("select[name=format]").selectOption("pdf");
    const reason = leave.locator("input[name=reason], textarea[name=reason]");
    if (await reason.count()) await reason.first().fill("for the file");
    const [file] = await Promise.all([page.waitForEvent("download"), leave.locator("button").last().click()]);
    assert.match(file.suggestedFilename(), /^ledger-what-are-the-main-terms.*-\d{4}-\d\d-\d\d\.pdf$/);
    const sent = [];
    context.on("request", (request) => { if (request.method() !== "GET") sent.push(request.url()); });
    await page.goto("/verify");
    await page.locator("#file").setInputFiles(await file.path());
    await page.locator("main form button.main").click();
    // A ledger alone is not signed: nothing is wrong with it, and not everything can be known.
    assert.equal(await page.locator("#result .notice strong").textContent(), say.incomplete);
    assert.equal(await page.locator("#result .badge.fail").count(), 0);
    assert.deepEqual(sent, []);
    await accessible(page, name("verified"));
    await picture(page, name("verified"));
    assert.deepEqual(faults, []);
    await context.close();
  });
}
