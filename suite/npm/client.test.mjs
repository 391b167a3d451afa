// The client against a server, the parts for the AI SDK, and the examples of both READMEs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createUIMessageStream, readUIMessageStream } from "ai";
import { Dalil, DalilProblem } from "@dalil/client";
import { writeLedger } from "@dalil/client/ai";
import { root, vectors } from "./vectors.mjs";

const dalil = new Dalil({ url: process.env.DALIL_URL, key: process.env.DALIL_KEY });
const submission = {
  answer: "Permanent employees receive 15 days of leave. They may work from the moon.",
  chunks: [
    { id: "kb-42#3", title: "leave.pdf", text: "All permanent employees shall receive 15 days of leave." },
    { id: "web", title: "Parking", uri: "https://kb.example/parking", text: "Visitors park on level 2." },
  ],
};

test("an answer is checked in one call, whether its ledger is waited for or asked for", async () => {
  const waited = await dalil.check(submission, { wait: 30, idempotencyKey: "one" });
  const asked = await dalil.check(submission, { wait: 0, idempotencyKey: "one" });
  assert.deepEqual(waited.ledger.entries.map(({ verdict }) => verdict), ["supported", "not_found"]);
  assert.deepEqual(asked, waited);
});

test("what is wrong is a problem with every fault", async () => {
  await assert.rejects(dalil.check({ answer: "", chunks: [{ id: "", text: "" }] }), (error) => {
    assert.ok(error instanceof DalilProblem);
    assert.equal(error.problem.status, 422);
    assert.deepEqual(error.problem.faults.map(({ path }) => path), ["answer", "chunks[0].id", "chunks[0].text"]);
    return true;
  });
});

test("a ledger is parts of a message of the AI SDK", async () => {
  const { ledger } = await dalil.check(submission);
  const stream = createUIMessageStream({ execute: ({ writer }) => writeLedger(writer, ledger) });
  let message;
  for await (message of readUIMessageStream({ stream })) {}
  assert.deepEqual(message.parts.map(({ type }) => type), ["source-document", "data-ledger"]);
  const [source, data] = JSON.parse(JSON.stringify(message.parts));
  assert.deepEqual(source, { type: "source-document", sourceId: "leave.pdf", mediaType: "application/pdf", title: "leave.pdf", filename: "leave.pdf" });
  assert.deepEqual(data, { type: "data-ledger", id: ledger.id, data: ledger });
});

for (const [name, said] of [["verify", /^pass /], ["client", /supported/]]) {
  test(`the examples of @dalil/${name} run`, async () => {
    const text = readFileSync(join(root, "npm", name, "README.md"), "utf8");
    const blocks = [...text.matchAll(/```js\n([^]*?)```/g)].map((found) => found[1]);
    const program = blocks.join("\n").replace("https://dalil.example", process.env.DALIL_URL);
    writeFileSync("pack.json", vectors().find((vector) => vector.name === "pack/sealed.json").file);
    writeFileSync(`example-${name}.mjs`, program);
    const { status, stdout, stderr } = spawnSync("node", [`example-${name}.mjs`], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout, said);
  });
}
