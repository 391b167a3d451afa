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

  // A claim opens when its row is clicked; the summary below does the same by keyboard.
  document.addEventListener("click", (event) => {
    const row = event.target.closest("tbody.claim > tr:not(.more)");
    if (!row || event.target.closest("a, button, input, summary") || String(getSelection())) return;
    const details = row.parentElement.querySelector("details");
    if (details) details.open = !details.open;
  });

  // Opens or closes every claim.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-open]");
    if (!button) return;
    for (const details of document.querySelectorAll(".claim details")) details.open = button.dataset.open === "true";
  });

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

  // A choice that needs no button applies by itself.
  document.addEventListener("change", (event) => {
    if (event.target.matches("select[data-submits]")) event.target.form.requestSubmit();
  });
  const scripted = () => { for (const one of document.querySelectorAll("[data-unscripted]")) one.hidden = true; for (const one of document.querySelectorAll("[data-scripted]")) one.hidden = false; };

  // The claim that an address names is open.
  const aim = () => {
    const at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = at && at.matches("tbody.claim") && at.querySelector("details");
    if (details) details.open = true;
  };
  addEventListener("hashchange", aim);
  addEventListener("beforeprint", () => { for (const details of document.querySelectorAll("details")) details.open = true; });

  // A form is sent once.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.matches("[data-hx-get]")) return;
    const button = event.submitter;
    if (button && !event.target.matches("[data-again]")) setTimeout(() => { button.disabled = true; }, 0);
  });
  addEventListener("pageshow", () => { for (const button of document.querySelectorAll("button[disabled]")) button.disabled = false; });

  const ready = () => { scripted(); aim(); };
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", ready) : ready();
})();
