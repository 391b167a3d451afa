// Follow-up questions that are answered or sent on.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { DESKTOP, PHONE, accessible, enter, open, picture, start, visit } from "./stage.mjs";

let server, browser;
before(async () => { browser = await open(); });
after(async () => { await browser?.close(); });
// Each begins with questions that nobody has answered.
beforeEach(async () => { server = await start(); });
afterEach(async () => { await server?.stop(); });

const WORDS = {
  en: { reply: "Answer or send on", needed: "Write the answer.", none: "0 of", one: "1 of", asked: "You are asked to answer this question", sent: "Sent on", answered: "Answered" },
  ar: { reply: "أجب أو أحِل", needed: "اكتب الإجابة.", none: "أُجيب عن 0", one: "أُجيب عن 1", asked: "طُلبت منك الإجابة عن هذا السؤال", sent: "أُحيل", answered: "أُجيب عنه" },
};

for (const [lang, viewport, colorScheme] of [["en", DESKTOP, "light"], ["ar", PHONE, "dark"]]) {
  test(`a question is sent on, answered and counted, in ${lang}`, async () => {
    const words = WORDS[lang];
    const shape = `${lang}-${viewport.width}-${colorScheme}`;
    const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
    await enter(page, server.keys[0]);
    await page.goto("/sessions");
    await page.locator("tbody a[href*=agreement]").first().click();
    const session = new URL(page.url()).pathname;
    const questions = page.locator("#questions");
    assert.ok((await questions.textContent()).includes(words.none));
    const first = questions.locator("li").first();
    const asked = (await first.locator("p > span").first().textContent()).trim();
    // Without words nothing is recorded, and the form stays open with what is wrong.
    await first.getByRole("link", { name: words.reply }).click();
    await questions.locator("button[value=answered]").click();
    await questions.getByText(words.needed).waitFor();
    await accessible(page, "refused reply");
    const select = questions.locator("select");
    const somebody = await select.locator("option:not([value=''])").evaluateAll((options) => options.map((one) => one.value));
    assert.ok(somebody.includes("amal"), somebody.join());
    await select.selectOption("amal");
    await questions.locator("button[value=sent_on]").click();
    await page.waitForURL(/done=replied/);
    assert.ok((await questions.textContent()).includes(words.sent));
    await page.goto("/");
    await page.getByText(words.asked).first().waitFor();
    await picture(page, `home-question-${shape}`);
    await page.goto(session);
    await questions.getByRole("link", { name: words.reply }).first().click();
    await questions.locator("textarea").fill("Annex B, <b>page 2</b>.");
    await questions.locator("button[value=answered]").click();
    await page.waitForURL(/done=replied/);
    const told = await questions.textContent();
    assert.ok(told.includes(words.one) && told.includes(words.answered) && told.includes("Annex B, <b>page 2</b>."), told);
    await accessible(page, "answered question");
    await picture(page, `ledger-questions-${shape}`);
    await page.goto("/");
    assert.equal(await page.locator(".todo").getByText(asked).count(), 0, "it waits for nobody any more");
    assert.deepEqual(faults.filter((fault) => !fault.includes("422")), []);
    await context.close();
  });
}
