import { readFile } from "node:fs/promises";

import { Verifier, type VerificationReport, type VerifyOptions } from "./verifier.js";

export * from "./verifier.js";

let loaded: Promise<Verifier> | undefined;

/** The verifier of this package, compiled once. */
export function load(): Promise<Verifier> {
  const compile = async () => WebAssembly.compile(await readFile(new URL("./dalil.wasm", import.meta.url)));
  return (loaded ??= compile().then((module) => new Verifier(module)));
}

/** Verifies the bytes of a pack, PDF, archive, statement, receipt, checkpoint or trail export. */
export async function verify(file: Uint8Array, options?: VerifyOptions): Promise<VerificationReport> {
  return (await load()).verify(file, options);
}
