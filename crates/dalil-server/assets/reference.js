// Sends what is typed into a form of the reference to this server, and shows what comes back.
const MAX_SHOWN = 20_000;

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const reply = form.querySelector(".reply");
    button.disabled = true;
    const began = performance.now();
    try {
      const answer = await fetch(address(form), { method: form.dataset.method, headers: headers(form), body: body(form), credentials: "omit", cache: "no-store" });
      const text = await answer.text();
      show(reply, `${answer.status} ${answer.statusText}`, `${Math.round(performance.now() - began)} ms · ${answer.headers.get("content-type") ?? ""}`, pretty(text));
    } catch (error) {
      show(reply, String(error), "", "");
    }
    button.disabled = false;
  });
}

/** The path with its parts filled in, and the query. */
function address(form) {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll("input[data-in]")) {
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.dataset.in === "query" && input.value) query.set(input.name, input.value);
  }
  return query.size ? `${path}?${query}` : path;
}

function headers(form) {
  const named = new Headers();
  // Of this page alone: the key is kept nowhere, and the session's cookie is not sent.
  const key = document.getElementById("api-key").value.trim();
  if (key) named.set("authorization", `Bearer ${key}`);
  for (const input of form.querySelectorAll("input[data-in=header]")) if (input.value) named.set(input.name, input.value);
  const typed = form.querySelector("[data-type]");
  if (typed) named.set("content-type", typed.dataset.type);
  return named;
}

function body(form) {
  const typed = form.querySelector("[data-type]");
  if (!typed) return undefined;
  return typed.type === "file" ? typed.files[0] : typed.value;
}

function pretty(text) {
  let shown = text;
  try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* It is no JSON, and is shown as it is. */ }
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}

function show(reply, status, about, text) {
  reply.querySelector("strong").textContent = status;
  reply.querySelector("span").textContent = about;
  reply.querySelector("pre").textContent = text;
  reply.hidden = false;
}
