// What a user of the packages writes. It must compile as it stands.
import { createUIMessageStream, type UIMessage } from "ai";
import { Dalil, told, type Schemas } from "@dalil/client";
import { writeLedger, type LedgerData } from "@dalil/client/ai";
import { verify, type CheckStatus } from "@dalil/verify";

type Message = UIMessage<unknown, LedgerData>;

export async function answered(dalil: Dalil, submission: Schemas["CheckSubmission"]) {
  const { ledger } = await dalil.check(submission, { wait: 5 });
  return createUIMessageStream<Message>({ execute: ({ writer }) => writeLedger(writer, ledger) });
}

export async function verified(bytes: Uint8Array): Promise<CheckStatus> {
  return (await verify(bytes, { keys: [], lang: "ar" })).verdict;
}

export async function sessions(dalil: Dalil): Promise<string[]> {
  const page = told(await dalil.api.GET("/api/v1/sessions", { params: { query: { limit: 10 } } }));
  return page.items.map((session) => session.session_id);
}

// What is wrong does not compile: an answer without evidence of the right shape, another language.
// @ts-expect-error
const wrong: Schemas["CheckSubmission"] = { answer: "yes", chunks: ["text"] };
// @ts-expect-error
void [wrong, verify(new Uint8Array(), { lang: "fr" })];
