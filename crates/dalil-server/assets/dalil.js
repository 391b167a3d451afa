// What makes the viewer quicker to use. Every page works without it.
"use strict";

(() => {
  const said = () => document.getElementById("said");

  // Says something to whoever listens rather than looks.
  const say = (text) => { const at = said(); if (at) { at.textContent = ""; requestAnimationFrame(() => { at.textContent = text; }); } };

  // Buttons that copy: a text of the page, without its surroundings.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      say(button.dataset.copied);
      const mark = button.querySelector("[data-done]");
      if (mark) { mark.textContent = button.dataset.copied; setTimeout(() => { mark.textContent = ""; }, 2500); }
    } catch { /* The text stands beside the button. */ }
  });

  // The ledger: a claim opens beside the list, and the address says which. Without this script the
  // same links load the page with the claim open.
  const named = (address) => new URL(address, location.href).searchParams.get("claim");
  let opened = named(location.href);
  // Words that were typed and not sent, by claim: looking at another claim does not lose them.
  const typed = new Map();
  const words = () => document.getElementById("r-reason");
  // Replies may come out of order: what was asked for last counts, and whatever came before is dropped.
  let asking;
  const open = async (address, push) => {
    asking?.abort();
    const { signal } = asking = new AbortController();
    let reply, text;
    try {
      reply = await fetch(address, { headers: { accept: "text/html" }, signal });
      text = await reply.text();
    } catch { if (!signal.aborted) location.assign(address); return; }
    if (signal.aborted) return;
    const next = new DOMParser().parseFromString(text, "text/html").getElementById("evidence");
    const pane = document.getElementById("evidence");
    // Signed out meanwhile, or the filter leaves no claim: the whole page says so.
    if (!reply.ok || !next || !pane) { location.assign(address); return; }
    if (words()) typed.set(opened, words().value);
    pane.replaceWith(next);
    if (push) history.pushState(null, "", address);
    const claim = opened = named(address);
    if (words() && typed.get(claim)) words().value = typed.get(claim);
    for (const link of document.querySelectorAll(".strip a, #claims a[data-claim]")) {
      const own = named(link.href) === claim;
      own ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      if (own) link.scrollIntoView({ block: "nearest" });
    }
    scripted();
    views();
    if (getComputedStyle(next).position !== "sticky") next.scrollIntoView();
    say(next.querySelector("h2")?.textContent ?? "");
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-claim]");
    if (!link || !document.getElementById("evidence") || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(link.href, true);
  });
  addEventListener("popstate", () => {
    if (!document.getElementById("evidence")) return;
    if (named(location.href) === opened) asking?.abort(); else open(location.href, false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "k" && (event.metaKey || event.ctrlKey)) {
      const find = document.getElementById("find");
      if (find) { event.preventDefault(); find.focus(); find.select(); }
      return;
    }
    if (!["j", "k"].includes(event.key) || event.metaKey || event.ctrlKey || event.altKey || event.target.closest("input, textarea, select")) return;
    document.querySelector(`#evidence a[rel=${event.key === "j" ? "next" : "prev"}]`)?.click();
  });

  // The page that a claim rests on, as it looks: it takes a moment to draw, so the text is there
  // first, and stays if there is no picture.
  const views = () => {
    for (const slot of document.querySelectorAll("[data-view]")) {
      const address = slot.dataset.view;
      delete slot.dataset.view;
      fetch(address, { headers: { accept: "text/html" } }).then(async (reply) => {
        const view = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("figure.view");
        if (reply.ok && view && slot.isConnected) { slot.replaceWith(view); frames(); }
      }, () => { /* The text is there. */ });
    }
  };
  // A page is opened at the words that are marked on it.
  const frames = () => {
    for (const frame of document.querySelectorAll("[data-frame]")) {
      const mark = frame.querySelector("rect, mark");
      delete frame.dataset.frame;
      if (!mark) continue;
      const [own, at] = [frame.getBoundingClientRect(), mark.getBoundingClientRect()];
      frame.scrollTop += at.top - own.top - (own.height - at.height) / 2;
      // Where the words begin: at the right in Arabic, whatever the language of the page around it.
      const text = frame.parentElement.querySelector(".page-text");
      const leftward = text && getComputedStyle(text).direction === "rtl";
      frame.scrollLeft += leftward ? at.right - own.right + 16 : at.left - own.left - 16;
    }
  };

  // Files can be dropped where they can be chosen.
  const over = (event, on) => {
    const zone = event.target.closest?.(".drop");
    if (!zone) return null;
    event.preventDefault();
    zone.classList.toggle("over", on);
    return zone;
  };
  document.addEventListener("dragover", (event) => over(event, true));
  document.addEventListener("dragleave", (event) => over(event, false));
  document.addEventListener("drop", (event) => {
    const input = over(event, false)?.querySelector("input[type=file]");
    if (!input || !event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // The files that were chosen are named in the language of the page.
  const nameFiles = (input) => {
    const own = input.closest(".file")?.querySelector("[data-chosen]");
    if (!own) return;
    const names = Array.from(input.files, (file) => `\u2068${file.name}\u2069`);
    const text = names.join(input.closest("[dir=rtl]") ? "، " : ", ") || input.dataset.none;
    own.textContent = input.title = text;
    if (names.length) say(text);
  };
  document.addEventListener("change", (event) => { if (event.target.matches("input[type=file]")) nameFiles(event.target); });
  document.addEventListener("reset", (event) => setTimeout(() => { for (const input of event.target.querySelectorAll("input[type=file]")) nameFiles(input); }, 0));

  // A choice that needs no button applies by itself.
  document.addEventListener("change", (event) => {
    if (event.target.matches("select[data-submits]")) event.target.form.requestSubmit();
  });
  const scripted = () => { for (const one of document.querySelectorAll("[data-unscripted]")) one.hidden = true; for (const one of document.querySelectorAll("[data-scripted]")) one.hidden = false; };

  addEventListener("beforeprint", () => { for (const details of document.querySelectorAll("details")) details.open = true; });

  // What a field lacks is said in the language of the page, and not in that of the browser.
  document.addEventListener("invalid", (event) => {
    if (event.target.dataset?.missing) event.target.setCustomValidity(event.target.dataset.missing);
  }, true);
  document.addEventListener("change", (event) => { if (event.target.dataset?.missing) event.target.setCustomValidity(""); });

  // A form is sent once.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.matches("[data-hx-get]")) return;
    const button = event.submitter;
    if (button && !event.target.matches("[data-again]")) setTimeout(() => { button.disabled = true; }, 0);
  });
  addEventListener("pageshow", () => { for (const button of document.querySelectorAll("button[disabled]")) button.disabled = false; });

  const ready = () => { scripted(); views(); frames(); for (const input of document.querySelectorAll("input[type=file]")) nameFiles(input); };
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", ready) : ready();
})();
