// Verifies on the page itself: the file is not sent. Every text is on the page, in its language.
import { RefusedRequest, Verifier } from "./verifier.js";

const form = document.getElementById("verify");
const copy = (selector) => document.querySelector(selector).content.cloneNode(true).firstElementChild;
const notice = (word) => copy(`template[data-notice="${word}"]`);

// The code on a paper leads here with a digest behind `#`, which browsers do not send.
const named = /^#(sha256:[0-9a-f]{64})$/.exec(location.hash)?.[1];
if (named) {
  const told = document.getElementById("named");
  told.querySelector("bdi").textContent = named;
  told.hidden = false;
}

// Asked for when a file is chosen: most who open the page only look.
let loading;
const load = () => (loading ??= WebAssembly.compileStreaming(fetch("/assets/dalil.wasm")).then((module) => new Verifier(module)));
form.addEventListener("change", () => { load().catch(() => {}); });

form.addEventListener("submit", async (event) => {
  if (event.submitter?.matches("[data-upload]")) return;
  event.preventDefault();
  const [file] = document.getElementById("file").files;
  if (!file) return;
  const button = form.querySelector("button.main");
  button.disabled = true;
  show(file.name, await found(file));
  button.disabled = false;
});

/** What is to be shown of a file. */
async function found(file) {
  let verifier;
  // A file that was promised to stay is not sent in its stead: the button for that is beside it.
  try { verifier = await load(); } catch { loading = undefined; return [notice("unable")]; }
  try {
    const options = { lang: document.documentElement.lang, ...await trusted() };
    const report = verifier.verify(new Uint8Array(await file.arrayBuffer()), options);
    const compared = named && [notice(report.digest === named ? "same" : "other")];
    return [...(compared || []), notice(report.verdict), table(report)];
  } catch (error) {
    if (!(error instanceof RefusedRequest)) return [notice("gave_up")];
    const told = notice("refused");
    told.querySelector("ul").append(...error.faults.map(({ path, message }) => spoken("li", `\`${path}\`: ${message}`)));
    return [told];
  }
}

/** What the visitor believes: a file, or what this server knows of the trail of whoever is signed in. */
async function trusted() {
  const [file] = document.getElementById("trust").files;
  if (file) return { trust: json(await file.text()) };
  if (!form.dataset.trust) return {};
  const own = await fetch(form.dataset.trust);
  return own.ok ? { own_trust: await own.json() } : {};
}

/** Whatever is no JSON is refused by the verifier, in its words. */
function json(text) {
  try { return JSON.parse(text); } catch { return text; }
}

function show(name, parts) {
  const section = copy("#local-result");
  section.querySelector("bdi").textContent = name;
  section.append(...parts);
  // Nothing was checked where there is no report.
  if (!section.querySelector("table")) section.querySelector("p.quiet").remove();
  document.getElementById("result")?.remove();
  form.before(section);
  section.scrollIntoView({ block: "nearest" });
  section.focus({ preventScroll: true });
}

function table({ findings, names }) {
  const made = copy("#local-table");
  const body = made.querySelector("tbody");
  const empty = body.firstElementChild;
  body.replaceChildren(...findings.map(({ part, verdict, message }) => {
    const row = empty.cloneNode(true);
    row.cells[0].textContent = names[part] ?? part;
    row.cells[1].append(copy(`template[data-badge="${verdict}"]`));
    row.cells[2].append(...spoken("td", message).childNodes);
    return row;
  }));
  return made;
}

/** A sentence whose names and times keep their own direction. */
function spoken(element, sentence) {
  const made = document.createElement(element);
  for (const piece of sentence.split(/(`[^`]*`|\d{4}-\d\d-\d\dT[\d:.]+Z)/)) {
    if (!/^[`\d]/.test(piece)) { made.append(piece); continue; }
    const apart = document.createElement("bdi");
    if (piece.startsWith("`")) apart.className = "mono"; else apart.dir = "ltr";
    apart.textContent = piece.replaceAll("`", "");
    made.append(apart);
  }
  return made;
}
