// The verifier in Node: every vector, and what it says of wrong requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, RefusedRequest, verify } from "@dalil/verify";
import { vectors } from "./vectors.mjs";

test("every vector has the report of the program", async () => {
  const all = vectors();
  for (const { name, file, options, output } of all) {
    const { names, digest, ...report } = await verify(file, options);
    assert.deepEqual(report, output, name);
    assert.equal(typeof names[report.verdict], "string");
  }
  assert.ok(all.length >= 200, `expected every vector, found ${all.length}`);
  console.log(`${all.length} vectors`);
});

test("the module has no import, so it reaches nothing", async () => {
  const { module } = await load();
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test("a wrong request is refused with every fault", async () => {
  const wrong = verify(new Uint8Array(), { at: "yesterday", lang: "fr", keys: ["k"] });
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof RefusedRequest);
    assert.deepEqual(error.faults.map(({ rule, path }) => [rule, path]), [["time", "at"], ["choice", "lang"], ["key", "keys[0]"]]);
    return true;
  });
});
