// Parts of the AI SDK's messages for a ledger: what an answer rests on, and what was found about it.
import type { Ledger, LedgerEntry, Schemas } from "./index.js";

/** The data of messages with a ledger: `UIMessage<unknown, LedgerData>`. */
export type LedgerData = { ledger: Ledger };

/** A part of a stream of messages. */
export type LedgerPart = Schemas["AiSdkSourcePart"] | { type: "data-ledger"; id: string; data: Ledger };

/** What writes parts, such as the writer of `createUIMessageStream`. */
export interface PartWriter {
  write(part: LedgerPart): void;
}

/** The parts of a ledger: each document that a claim rests on, then the ledger itself. */
export function ledgerParts(ledger: Ledger): LedgerPart[] {
  const sources = new Map<string, Schemas["AiSdkSourcePart"]>();
  for (const { document } of ledger.entries.flatMap(supporting)) {
    if (!sources.has(document.id)) sources.set(document.id, sourcePart(document));
  }
  return [...sources.values(), { type: "data-ledger", id: ledger.id, data: ledger }];
}

/** Writes the parts of a ledger. */
export function writeLedger(writer: PartWriter, ledger: Ledger): void {
  for (const part of ledgerParts(ledger)) writer.write(part);
}

const supporting = (entry: LedgerEntry): Schemas["EvidencePassage"][] =>
  (entry.evidence_passages ?? []).filter((passage) => passage.stance === "supports");

function sourcePart({ id, filename, uri }: Schemas["EvidenceDocument"]): Schemas["AiSdkSourcePart"] {
  if (uri !== undefined && /^https?:/.test(uri)) {
    return { type: "source-url", sourceId: id, url: uri, title: filename };
  }
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase();
  const mediaType = (extension && MEDIA_TYPES[extension]) || "text/plain";
  return { type: "source-document", sourceId: id, mediaType, title: filename, filename };
}

const MEDIA_TYPES: Record<string, string> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  eml: "message/rfc822",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
