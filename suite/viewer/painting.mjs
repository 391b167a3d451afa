// Opens a page again and again, each time in a window without a cache, and says when the browser painted
// it first and how large it was. Input and output are JSON; `bench/painting.py` reads them.
import { readFileSync } from "node:fs";
import { enter, open, visit } from "./stage.mjs";

const { origin, key, address, turns } = JSON.parse(readFileSync(0, "utf8"));
const browser = await open();
const found = { paint: [], reply: [], page: 0, all: 0 };
for (let turn = -1; turn < turns; turn += 1) {
  const { context, page } = await visit(browser, { address: origin });
  await enter(page, key);
  // Signing in has fetched the styles; without them at hand a first visit is measured.
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.clearBrowserCache");
  const answer = await page.goto(address, { waitUntil: "load" });
  if (answer.status() !== 200) throw new Error(`${address}: expected status 200, found ${answer.status()}`);
  const seen = await page.evaluate(() => new Promise((resolve) => {
    const told = () => {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      if (!paint) return false;
      const [own] = performance.getEntriesByType("navigation");
      const all = [own, ...performance.getEntriesByType("resource")];
      resolve({ paint: paint.startTime, reply: own.responseStart, page: own.decodedBodySize, all: all.reduce((sum, one) => sum + one.decodedBodySize, 0) });
      return true;
    };
    if (!told()) new PerformanceObserver(told).observe({ type: "paint", buffered: true });
  }));
  // The first opens files that the system has not read yet.
  if (turn >= 0) {
    found.paint.push(seen.paint);
    found.reply.push(seen.reply);
  }
  found.page = Math.max(found.page, seen.page);
  found.all = Math.max(found.all, seen.all);
  await context.close();
}
await browser.close();
process.stdout.write(JSON.stringify(found));
