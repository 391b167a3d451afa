// One typed call against a running server: `node call.js BASE KEY`. It must compile as it stands.
import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

declare const process: { argv: string[] };
const [base, key] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: base, headers: { authorization: `Bearer ${key}` } });

const order: components["schemas"]["NewSession"] = {
  answer: "Permanent employees receive 15 days of leave.",
  query: "How many days of leave?",
  session_id: "typescript",
};
const opened = await api.POST("/api/v1/sessions", { body: order });
if (opened.data === undefined) {
  throw new Error(`not opened: ${opened.error.detail}`);
}
const place: number = opened.data.index;

const listed = await api.GET("/api/v1/sessions", { params: { query: { limit: 10 } } });
const session = listed.data?.items.find((one) => one.session_id === opened.data.session_id);
if (session?.query !== order.query || session?.index !== place) {
  throw new Error(`another session: ${JSON.stringify(listed)}`);
}

// What is wrong does not compile: a session without an answer, a field that no reply has.
// @ts-expect-error
const wrong: components["schemas"]["NewSession"] = { query: "How many days?" };
// @ts-expect-error
void [wrong, opened.data.answer];
console.log(`TypeScript: session ${session.session_id} is record ${place}`);
