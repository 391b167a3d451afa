// The page `verify.html`: everything is in it, and nothing leaves it.
import { RefusedRequest, Verifier, type VerificationReport, type VerifyOptions } from "./verifier.js";

declare const MODULE: string;

type Texts = Record<string, string>;

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;

async function start(): Promise<void> {
  const verifier = new Verifier(await unpacked());
  let lang: "en" | "ar" = navigator.language.startsWith("ar") ? "ar" : "en";
  let texts = speak(verifier, lang);
  byId("language").addEventListener("click", () => {
    lang = lang === "en" ? "ar" : "en";
    texts = speak(verifier, lang);
    byId("result").replaceChildren();
  });
  byId("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = byId<HTMLInputElement>("file").files?.[0];
    if (!file) return;
    const result = byId("result");
    result.replaceChildren();
    try {
      const options = { ...(await trusted()), lang };
      const report = verifier.verify(new Uint8Array(await file.arrayBuffer()), options);
      result.replaceChildren(...shown(report, file.name, texts));
    } catch (error) {
      result.replaceChildren(...stopped(error, texts));
    }
  });
  byId<HTMLButtonElement>("do").disabled = false;
}

/** What the visitor trusts: a file in JSON, or a key. */
async function trusted(): Promise<VerifyOptions> {
  const file = byId<HTMLInputElement>("trust").files?.[0];
  if (file) {
    const text = await file.text();
    // Whatever is no JSON is refused by the verifier, in its words.
    try {
      return { trust: JSON.parse(text) };
    } catch {
      return { trust: text };
    }
  }
  const key = byId<HTMLInputElement>("key").value.trim();
  return key ? { keys: [key] } : {};
}

function speak(verifier: Verifier, lang: "en" | "ar"): Texts {
  const texts = verifier.texts(lang);
  document.documentElement.lang = lang;
  document.documentElement.dir = texts["dir"] ?? "ltr";
  document.title = `Dalil: ${texts["title"]}`;
  for (const place of document.querySelectorAll<HTMLElement>("[data-text]")) {
    place.textContent = texts[place.dataset["text"] ?? ""] ?? "";
  }
  byId("language").lang = lang === "en" ? "ar" : "en";
  return texts;
}

function shown(report: VerificationReport, name: string, texts: Texts): HTMLElement[] {
  const head = element("h2", `${report.names[report.verdict]}: ${name}`);
  head.id = "verdict";
  const sentence = element("p", texts[report.verdict] ?? "");
  sentence.className = report.verdict;
  const table = document.createElement("table");
  table.append(row("th", [texts["part"], texts["verdict"], texts["why"]]));
  for (const { part, verdict, message } of report.findings) {
    const line = row("td", [report.names[part], report.names[verdict], message]);
    line.className = verdict;
    table.append(line);
  }
  return [head, sentence, table];
}

function stopped(error: unknown, texts: Texts): HTMLElement[] {
  if (!(error instanceof RefusedRequest)) return [alerted(texts["gave_up"])];
  const list = document.createElement("ul");
  list.append(...error.faults.map((fault) => element("li", `${fault.path}: ${fault.message}`)));
  return [alerted(texts["refused"]), list];
}

function alerted(text = ""): HTMLElement {
  const made = element("p", text);
  made.className = "fail";
  return made;
}

function row(cell: "th" | "td", texts: (string | undefined)[]): HTMLElement {
  const made = document.createElement("tr");
  made.append(...texts.map((text) => element(cell, text ?? "")));
  return made;
}

/** An element with a text, whose names and times keep their own direction in a sentence of another. */
function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  for (const piece of text.split(/(`[^`]*`|\d{4}-\d\d-\d\dT[\d:.]+Z)/)) {
    const apart = document.createElement("bdi");
    apart.textContent = piece;
    made.append(/^[`\d]/.test(piece) ? apart : piece);
  }
  return made;
}

async function unpacked(): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

void start();
