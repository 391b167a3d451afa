// The vectors of the specification that verify a file, as calls of `@dalil/verify`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = process.env.REPOSITORY;
const folder = join(root, "spec", "vectors");

/** Every vector with a report in JSON: its name, its bytes, its options and the report. */
export function vectors() {
  const made = [];
  for (const kind of readdirSync(folder).sort()) {
    if (!kind.match(/^\w+$/)) continue;
    for (const name of readdirSync(join(folder, kind)).sort()) {
      if (!name.endsWith(".json")) continue;
      const vector = JSON.parse(readFileSync(join(folder, kind, name), "utf8"));
      if (vector.args?.[0] !== "verify" || vector.output === undefined) continue;
      made.push({ name: `${kind}/${name}`, file: input(vector), options: options(vector.args), output: vector.output });
    }
  }
  return made;
}

function input(vector) {
  if (vector.input_base64 !== undefined) return new Uint8Array(Buffer.from(vector.input_base64, "base64"));
  return new TextEncoder().encode(vector.input_text ?? JSON.stringify(vector.input));
}

function options(args) {
  const options = {};
  const read = (path) => readFileSync(join(root, path));
  for (let at = 2; at < args.length; at += 2) {
    const [name, value] = [args[at], args[at + 1]];
    if (name === "--key") (options.keys ??= []).push(value);
    else if (name === "--trust") options.trust = JSON.parse(read(value));
    else if (name === "--trail") options.trail = new Uint8Array(read(value));
    else if (name === "--expected") options.expected = JSON.parse(read(value)).expected_obligation_ids;
    else options[name.slice(2)] = value;
  }
  return options;
}
