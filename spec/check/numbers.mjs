// Compares canonical numbers with Node's JSON.stringify: `node spec/check/numbers.mjs FILE`.
//
// FILE has a line for each double: its bits in hex, a space, the text under test.
// `cargo xtask numbers FILE` writes it.

import { readFileSync } from "node:fs";

const lines = readFileSync(process.argv[2], "utf8").trimEnd().split("\n");
const wrong = lines.filter((line) => {
  const [bits, text] = line.split(" ");
  return JSON.stringify(Buffer.from(bits, "hex").readDoubleBE(0)) !== text;
});
for (const line of wrong.slice(0, 20)) {
  const [bits, text] = line.split(" ");
  console.log(`${bits}: expected ${Buffer.from(bits, "hex").readDoubleBE(0)}, found ${text}`);
}
console.log(`${lines.length - wrong.length} numbers agree, ${wrong.length} differ`);
process.exit(wrong.length > 0 || lines.length < 100_000 ? 1 : 0);
