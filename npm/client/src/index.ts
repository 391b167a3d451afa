import createFetchClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./api.js";

export type { components, operations, paths } from "./api.js";

/** Every shape of the API, by its name in the OpenAPI document. */
export type Schemas = components["schemas"];
export type Ledger = Schemas["Ledger"];
export type LedgerEntry = Schemas["LedgerEntry"];
export type SessionLedger = Schemas["SessionLedger"];

export interface DalilOptions {
  /** The address of the server. */
  url: string;
  /** An API key, or a token of the identity provider. */
  key?: string;
  /** The language of messages; by default English. */
  lang?: "en" | "ar";
  /** Another `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface CheckOptions {
  /** How many seconds the server may take before a job is asked about; by default 30. */
  wait?: number;
  /** Names the call, so that it is done once however often it is sent. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A reply that is no success: a problem (RFC 9457) with every fault of the request. */
export class DalilProblem extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(problem.detail);
    this.name = "DalilProblem";
  }
}

/** A client of a server. */
export class Dalil {
  /** Every operation of the API, typed: `dalil.api.GET("/api/v1/sessions")`. */
  readonly api: Client<paths>;

  constructor({ url, key, lang = "en", fetch }: DalilOptions) {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { "accept-language": lang, ...authorization };
    this.api = createFetchClient<paths>({ baseUrl: url, headers, ...(fetch && { fetch }) });
  }

  /** Checks an answer against what was retrieved for it, and waits for its ledger. */
  async check(submission: Schemas["CheckSubmission"], options: CheckOptions = {}): Promise<SessionLedger> {
    const { wait = 30, idempotencyKey, signal = null } = options;
    const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    const params = { query: { wait } };
    const reply = await this.api.POST("/api/v1/check", { params, body: submission, headers, signal });
    const made = told(reply);
    return "ledger" in made ? made : this.ended(made, signal);
  }

  /** The ledger that a job makes, when it has ended. */
  private async ended(job: Schemas["Job"], signal: AbortSignal | null): Promise<SessionLedger> {
    while (job.state === "accepted") {
      await paused(1000, signal);
      const params = { path: { job_id: job.job_id } };
      job = told(await this.api.GET("/api/v1/jobs/{job_id}", { params, signal }));
    }
    if (job.result && "refused" in job.result) {
      const faults = job.result.refused;
      const detail = faults.map((fault) => `${fault.path}: ${fault.message}`).join("\n");
      throw new DalilProblem({ type: "urn:dalil:problem:refused", title: job.state, status: 422, detail, faults });
    }
    const params = { path: { session_id: job.subject } };
    return told(await this.api.GET("/api/v1/sessions/{session_id}/ledger", { params, signal }));
  }
}

/** The data of a reply; anything but a success is thrown. */
export function told<D>(reply: { data?: D; error?: unknown; response: Response }): D {
  if (reply.data !== undefined) return reply.data;
  const { error, response } = reply;
  if (isProblem(error)) throw new DalilProblem(error);
  const { status, statusText } = response;
  throw new DalilProblem({ type: "about:blank", title: statusText, status, detail: `${status} ${statusText}` });
}

const isProblem = (error: unknown): error is Schemas["Problem"] =>
  typeof error === "object" && error !== null && "detail" in error && "status" in error;

const paused = (milliseconds: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
