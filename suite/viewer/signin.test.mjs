// Signing in at an identity provider, in both languages, and links that other sites lead here by.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, accessible, open, picture, startWithProvider, visit } from "./stage.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([startWithProvider(), open()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const WORDS = {
  en: { sign: "Sign in with", denied: "did not sign you in", stranger: "you are not a member here", expired: "Begin again", out: "You are signed out." },
  ar: { sign: "تسجيل الدخول عبر", denied: "لم تسجّل جهة إثبات الهوية دخولك", stranger: "لكنك لست عضواً هنا", expired: "ابدأ من جديد", out: "تم تسجيل خروجك." },
};

/** Answers the provider's form. */
async function answer(page, who) {
  await page.locator("input[name=who]").fill(who);
  await page.getByRole("button", { name: "Sign in" }).click();
}

for (const [lang, viewport, colorScheme] of [["en", DESKTOP, "light"], ["ar", PHONE, "dark"]]) {
  test(`somebody signs in at the provider and out again, in ${lang}`, async () => {
    const words = WORDS[lang];
    const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
    await page.goto("/packs");
    await page.waitForURL(/\/signin\?back=/);
    await accessible(page, "sign-in");
    await picture(page, `signin-provider-${lang}-${viewport.width}-${colorScheme}`);
    await page.getByRole("link", { name: words.sign }).click();
    await page.waitForURL((url) => url.href.startsWith(server.issuer));
    await answer(page, "noura");
    await page.waitForURL(/\/packs/);
    assert.equal(await page.locator(".tools bdi").textContent(), "noura");
    // The provider of the test has cookies for the same host.
    const cookies = (await context.cookies(server.address)).filter(({ name }) => name.startsWith("dalil"));
    assert.deepEqual(cookies.map(({ name, sameSite, httpOnly }) => [name, sameSite, httpOnly]), [["dalil_session", "Strict", true]]);
    // A copy of the cookie opens nothing after signing out.
    await page.locator("form[action='/signout'] button").click();
    await page.getByText(words.out).waitFor();
    await accessible(page, "signed out");
    await picture(page, `signed-out-${lang}-${viewport.width}-${colorScheme}`);
    assert.ok((await page.locator("main a[rel=noreferrer]").getAttribute("href")).startsWith(`${server.issuer}/session/end`));
    await context.addCookies(cookies.filter(({ name }) => name === "dalil_session"));
    await page.goto("/packs");
    assert.equal(new URL(page.url()).pathname, "/signin");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`whoever is not signed in is told why, in ${lang}`, async () => {
    const words = WORDS[lang];
    for (const [form, said] of [["deny", words.denied], ["stranger", words.stranger]]) {
      const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
      await page.goto("/signin");
      await page.getByRole("link", { name: words.sign }).click();
      if (form === "deny") await page.getByRole("button", { name: "Deny" }).click();
      else await answer(page, form);
      await page.getByText(said).waitFor();
      assert.equal(new URL(page.url()).pathname, "/signin");
      await accessible(page, form);
      await picture(page, `signin-${form}-${lang}-${viewport.width}-${colorScheme}`);
      assert.deepEqual(faults, []);
      await context.close();
    }
    // A reply that this browser never asked for: its code may be another person's.
    const { context, page } = await visit(browser, server, { lang, viewport, colorScheme });
    await page.goto("/signin/callback?code=stolen&state=guessed");
    await page.getByText(words.expired).waitFor();
    assert.equal(await page.locator(".tools bdi").count(), 0);
    await context.close();
  });
}

test("a link on another site opens for whoever is signed in, and ends no session", async () => {
  const other = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end(`<a href="${server.address}/documents?from=mail">open</a>`);
  });
  await new Promise((resolve) => other.listen(0, "localhost", resolve));
  const { context, page } = await visit(browser, server);
  await page.goto("/signin/provider?back=/sessions");
  await answer(page, "amal");
  await page.waitForURL(/\/sessions$/);
  await page.goto(`http://localhost:${other.address().port}/`);
  await page.getByRole("link", { name: "open" }).click();
  await page.waitForURL(/\/documents\?from=mail$/);
  await page.locator(".tools bdi").waitFor();
  assert.equal(await page.locator(".tools bdi").textContent(), "amal");
  await page.goto("/sessions");
  assert.equal(await page.locator(".tools bdi").textContent(), "amal");
  await context.close();
  other.close();
});

const INVITED = {
  en: { made: "Copy the link now", accept: "Accept and sign in", used: "This invitation was used", withdrawn: "This invitation was withdrawn", key: "Your key" },
  ar: { made: "انسخ الرابط الآن", accept: "قبول وتسجيل الدخول", used: "استُعملت هذه الدعوة", withdrawn: "سُحبت هذه الدعوة", key: "مفتاحك" },
};

for (const [lang, viewport, colorScheme, name] of [["en", DESKTOP, "light", "layla"], ["ar", PHONE, "dark", "ليلى"]]) {
  test(`an admin invites somebody, who comes in once, in ${lang}`, async () => {
    const words = INVITED[lang];
    const shape = `${lang}-${viewport.width}-${colorScheme}`;
    const admin = await visit(browser, server, { lang, viewport, colorScheme });
    await admin.page.goto("/signin/provider?back=/settings");
    await answer(admin.page, "amal");
    await admin.page.waitForURL(/\/settings$/);
    const invite = async (who) => {
      const form = admin.page.locator("form[action='/settings/invitations']");
      if (!(await form.isVisible())) await admin.page.locator("section[aria-labelledby=invitations-title] summary").click();
      await form.locator("#i-name").fill(who);
      await form.locator("#i-role").selectOption("approver");
      await form.locator("button").click();
      await admin.page.getByText(words.made).waitFor();
      return admin.page.locator(".notice pre").textContent();
    };
    const link = await invite(name);
    await accessible(admin.page, "settings");
    await picture(admin.page, `settings-invitations-${shape}`);
    const { context, page, faults } = await visit(browser, server, { lang, viewport, colorScheme });
    await page.goto(link);
    await accessible(page, "invitation");
    await picture(page, `invitation-${shape}`);
    await page.getByRole("button", { name: words.accept }).click();
    await page.getByText(words.key).waitFor();
    await accessible(page, "welcome");
    await picture(page, `welcome-${shape}`);
    assert.equal(await page.locator(".tools bdi").textContent(), name);
    const key = await page.locator("main pre").textContent();
    await page.locator("main a.button").click();
    await page.waitForURL((url) => url.pathname === "/");
    await context.close();
    // The link is used; the key is good for the next time.
    const again = await visit(browser, server, { lang, viewport, colorScheme });
    const second = await again.page.goto(link);
    assert.equal(second.status(), 410);
    await again.page.getByText(words.used).waitFor();
    await accessible(again.page, "used invitation");
    await picture(again.page, `invitation-used-${shape}`);
    await again.page.goto("/signin");
    await again.page.locator("summary").click();
    await again.page.locator("#credential").fill(key);
    await again.page.locator("form.sheet button").click();
    await again.page.waitForURL((url) => url.pathname === "/");
    assert.equal(await again.page.locator(".tools bdi").textContent(), name);
    await again.context.close();
    const gone = await invite(`${name}2`);
    await admin.page.locator("form[action$='/withdraw'] button").first().click();
    await admin.page.waitForURL(/done=withdrawn/);
    await admin.page.goto(gone);
    await admin.page.getByText(words.withdrawn).waitFor();
    assert.deepEqual(faults, []);
    await admin.context.close();
  });
}
