/** The verdict about a part, or about the whole. */
export type CheckStatus = "pass" | "fail" | "incomplete";

/** What was found about one part. */
export interface VerificationCheck {
  /** The part that was looked at, such as `inclusion`. */
  part: string;
  verdict: CheckStatus;
  /** Why, in the language that was asked for. */
  message: string;
}

/** What `dalil verify` replies, and what people call its parts and verdicts. */
export interface VerificationReport {
  /** The worst that was found. */
  verdict: CheckStatus;
  findings: VerificationCheck[];
  /** The name of every part and verdict in the language of the messages. */
  names: Record<string, string>;
  /** The digest of the pack or the ledger in the file, `sha256:…`, to compare with the code on its pages. */
  digest?: string;
}

/** Whom the verifier trusts, at which time, in which language. */
export interface VerifyOptions {
  /** A trust file, parsed: origin, keys, key history, witnesses, heads seen. */
  trust?: unknown;
  /** The trust file of your own trail, parsed, for files of which you do not know whose they are: a file of
   * another trail is verified as if nobody were trusted, and is incomplete at best. */
  own_trust?: unknown;
  /** Proofs that relate a head in `seen` of the trust file to the file's. */
  growth?: unknown[];
  /** Keys of the trail, each `name+hash+base64`, where there is no trust file. */
  keys?: string[];
  /** Witnesses, all of which must have cosigned, where there is no trust file. */
  witnesses?: string[];
  /** The trail; by default the name of the first key. */
  origin?: string;
  /** The time of the verification; by default now. */
  at?: Date | string;
  /** The language of every message; by default English. */
  lang?: "en" | "ar";
  /** The trail export to check a statement of completeness against. */
  trail?: Uint8Array;
  /** The ids that a statement of completeness should be about. */
  expected?: string[];
}

/** One thing that is wrong with a request. */
export interface Fault {
  rule: string;
  path: string;
  message: string;
  hint?: string;
}

/** A request that was refused, with every fault of it. */
export class RefusedRequest extends Error {
  constructor(readonly faults: Fault[]) {
    super(faults.map((fault) => `${fault.path}: ${fault.message}`).join("\n"));
    this.name = "RefusedRequest";
  }
}

/** A file that the verifier gave up on: damaged, hostile, or larger than its memory. */
export class VerifierStopped extends Error {
  constructor(cause: unknown) {
    super("the verifier gave up on this file", { cause });
    this.name = "VerifierStopped";
  }
}

/** Verifies with a compiled module. Each file has an instance and a memory of its own. */
export class Verifier {
  constructor(private readonly module: WebAssembly.Module) {}

  /** Verifies the bytes of a file. */
  verify(file: Uint8Array, options: VerifyOptions = {}): VerificationReport {
    const { trail, expected, at = new Date(), ...rest } = options;
    const request = { ...rest, at: at instanceof Date ? at.toISOString() : at };
    const list = expected && encoded({ expected_obligation_ids: expected });
    const parts = [encoded(request), file, trail, list];
    const reply = this.call((door) => {
      parts.forEach((bytes, part) => bytes && door.put(part, bytes));
      return door.exports.dalil_verify();
    });
    if (isRefusal(reply)) throw new RefusedRequest(reply.refused);
    return reply as VerificationReport;
  }

  /** The texts of the page that verifies. */
  texts(lang: "en" | "ar"): Record<string, string> {
    const reply = this.call((door) => door.exports.dalil_texts(lang === "ar" ? 1 : 0));
    return reply as Record<string, string>;
  }

  private call(work: (door: Door) => number): unknown {
    try {
      const door = new Door(this.module);
      return door.reply(work(door));
    } catch (error) {
      throw new VerifierStopped(error);
    }
  }
}

interface DoorExports {
  memory: WebAssembly.Memory;
  dalil_input(part: number, length: number): number;
  dalil_verify(): number;
  dalil_texts(arabic: number): number;
  dalil_output(): number;
}

/** The functions of one instance, and the memory that they share with this side. */
class Door {
  readonly exports: DoorExports;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as DoorExports;
  }

  put(part: number, bytes: Uint8Array): void {
    const at = this.exports.dalil_input(part, bytes.length);
    // Asked for after the call, which may move the memory.
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
  }

  reply(length: number): unknown {
    const at = this.exports.dalil_output();
    const bytes = new Uint8Array(this.exports.memory.buffer, at, length);
    return JSON.parse(new TextDecoder().decode(bytes));
  }
}

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const isRefusal = (reply: unknown): reply is { refused: Fault[] } =>
  typeof reply === "object" && reply !== null && "refused" in reply;
