// Makes `verify.html` of the page, its style, its script and the module: one file that asks for no other; and `dalil.wasm.gz`.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const verify = new URL("verify/", import.meta.url);
const read = (name) => readFileSync(new URL(name, verify));
const digest = (text) => createHash("sha256").update(text).digest("base64");

const packed = gzipSync(read("dist/dalil.wasm"), { level: 9 });
// The viewer serves it so.
writeFileSync(new URL("dist/dalil.wasm.gz", verify), packed);
const module = packed.toString("base64");
const bundled = await build({
  entryPoints: [new URL("dist/page.js", verify).pathname],
  bundle: true, minify: true, write: false, format: "esm", target: "es2022",
  define: { MODULE: JSON.stringify(module) },
});
const script = bundled.outputFiles[0].text;
const style = read("page.css").toString();
const parts = { SCRIPT: script, SCRIPT_DIGEST: digest(script), STYLE: style, STYLE_DIGEST: digest(style) };
const page = read("page.html").toString().replaceAll(/@([A-Z_]+)@/g, (_, name) => parts[name]);
writeFileSync(new URL("dist/verify.html", verify), page);
