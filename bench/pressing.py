"""A ledger as PDF by `dalil ledger --format pdf`, and the same ledger as HTML by WeasyPrint, LibreOffice and Chromium."""

from __future__ import annotations

import html
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

TURNS = 5
# So many pages of the press are filled by so many claims.
SIZES = {2: 9, 40: 279}
FONTS = pathlib.Path(__file__).resolve().parent.parent / "crates" / "dalil-render" / "fonts"
SIGNS = {"supported": "✓ Supported", "weak": "? Weak", "contradicted": "✗ Contradicted", "not_found": "○ Not Found"}
STYLE = """
@page { size: A4; margin: 2.1cm; @bottom-right { content: "Page " counter(page) " of " counter(pages) } }
body { font: 10pt "IBM Plex Sans", sans-serif } h1 { font-size: 15pt } h2 { font-size: 12pt }
table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid #c9d1d9; padding: 4px; vertical-align: top; text-align: start }
[dir=rtl] { font-family: Amiri, serif; font-size: 11.5pt } .supported { color: #1e6b3a } .weak { color: #7a5200 }
.contradicted { color: #9b1c1c } .not_found { color: #4a5560 } tr { break-inside: avoid }
"""


def measure(python: pathlib.Path, program: pathlib.Path, folder: pathlib.Path) -> str:
    """Each turn runs every side on both sizes; a table of the medians."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["| PDF, cold start included | Pages | Wall time | Slowest | Peak memory | ratio | goal |", "|---|---|---|---|---|---|---|"]
    # Every side finds the typefaces of the press, beside those of the machine.
    data = folder / "data"
    shutil.copytree(FONTS, data / "fonts", dirs_exist_ok=True)
    os.environ["XDG_DATA_HOME"] = str(data)
    for size, claims in SIZES.items():
        given = prepare(program, folder, claims)
        sides = commands(python, program, given)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
        for _ in range(TURNS):
            for name, (command, _) in sides.items():
                taken[name].append(timed(command, given.parent))
        if (found := pages(sides["dalil"][1])) != size:
            raise SystemExit(f"error: expected {size} pages of {claims} claims, found {found}")
        ours = statistics.median(seconds for seconds, _ in taken["dalil"])
        for name, runs in taken.items():
            middle = statistics.median(seconds for seconds, _ in runs)
            ratio, goal = ("", "") if name == "dalil" else (f"{middle / ours:.1f}×", "≥ 5×")
            lines.append(
                f"| {size} pages, {claims} claims: {name} | {pages(sides[name][1])} | {middle:.2f} s | {max(s for s, _ in runs):.2f} s "
                f"| {max(m for _, m in runs):.0f} MB | {ratio} | {goal} |"
            )
    return "\n".join(lines)


def prepare(program: pathlib.Path, folder: pathlib.Path, claims: int) -> pathlib.Path:
    """The request, and its ledger as HTML."""
    place = folder / str(claims)
    place.mkdir(exist_ok=True)
    request = place / "request.json"
    request.write_text(json.dumps({
        "session": {"id": "press"}, "created_at": "2026-03-15T09:30:00Z", "claims": [claim(n) for n in range(1, claims + 1)],
    }, ensure_ascii=False), encoding="utf-8")
    ledger = json.loads(subprocess.run([program, "ledger", request], check=True, capture_output=True).stdout)
    (place / "page.html").write_text(page(ledger), encoding="utf-8")
    return request


def claim(n: int) -> dict[str, object]:
    arabic = n % 2 == 1
    text = (f"يستحق الموظف رقم {n} إجازة سنوية مدفوعة الأجر مدتها {n % 30} يومًا في السنة الميلادية" if arabic
            else f"Employee number {n} is entitled to {n % 30} days of paid annual leave in a calendar year")
    snippet = ("يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها ١٥ يوماً عن كل سنة ميلادية، ويُحتسب الاستحقاق شهرياً." if arabic
               else "All permanent employees shall receive 15 days of paid annual leave per calendar year, accrued each month.")
    match = {
        "chunk_id": f"{n:08x}", "similarity": 0.9, "support": "full" if n % 4 == 0 else "partial", "contradicts": n % 4 == 2,
        "document": {"id": "hr", "filename": f"hr-leave-policy.{'ar' if arabic else 'en'}.md", "page_number": 1 + n % 90,
                     "heading_path": ["3 Leave", "3.1 Entitlement"]}, "snippet": snippet,
    }
    return {"claim_id": f"c{n}", "claim_text": text, "claim_type": "policy", "importance": "critical" if n % 5 == 0 else "material",
            "matches": [] if n % 4 == 3 else [match]}


def page(ledger: dict[str, object]) -> str:
    def told(text: str) -> str:
        way = "rtl" if any("\u0600" <= ch <= "\u06ff" for ch in text) else "ltr"
        return f'<div dir="{way}">{html.escape(text)}</div>'

    def row(n: int, entry: dict[str, object]) -> str:
        source = entry["source_document"] or {}
        place = f"{source['filename']}<br>Page {source['page_number']}<br>{source['heading_path'][-1]}" if source else "—"
        return (f"<tr><td>{n}</td><td><b>{told(entry['claim_text'])}</b>{told(entry['evidence_snippet'])}</td>"
                f"<td class='{entry['verdict']}'>{SIGNS[entry['verdict']]}<br>{entry['confidence_score']:.0%}<br>"
                f"{entry['claim_type']}<br>{entry['claim_importance']}</td><td>{place}</td></tr>")

    rows = "".join(row(n, entry) for n, entry in enumerate(ledger["entries"], 1))
    flags = "".join(f"<tr><td>{one['type']}</td><td>{one['severity']}</td><td>{told(one['description'])}</td></tr>" for one in ledger["risk_flags"])
    asked = "".join(f"<li>{told(one)}</li>" for one in ledger["follow_up_questions"])
    return (f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Evidence Ledger</title><style>{STYLE}</style>"
            f"<h1>Evidence Ledger</h1><p>{ledger['id']}<h2>Claims</h2><table><thead><tr><th>#<th>Claim and evidence<th>Verdict<th>Source</thead>"
            f"{rows}</table><h2>Risk Flags</h2><table>{flags}</table><h2>Follow-up Questions</h2><ol>{asked}</ol>")


def commands(python: pathlib.Path, program: pathlib.Path, request: pathlib.Path) -> dict[str, tuple[list[str | pathlib.Path], pathlib.Path]]:
    """What each side runs, and the PDF that it leaves; a program that is not here is left out."""
    place, written = request.parent, request.parent / "page.html"
    ours = place / "dalil.pdf"
    sides: dict[str, tuple[list[str | pathlib.Path], pathlib.Path]] = {
        "dalil": (["sh", "-c", f"'{program}' ledger '{request}' --format pdf > '{ours}'"], ours),
        "WeasyPrint": ([python, pathlib.Path(__file__).parent / "printing" / "page.py", written, place / "weasyprint.pdf"], place / "weasyprint.pdf"),
    }
    if office := shutil.which("soffice"):
        filters = "pdf:writer_web_pdf_Export"
        sides["LibreOffice"] = ([office, f"-env:UserInstallation=file://{place}/office", "--headless", "--convert-to", filters, "--outdir", place / "office-out", written],
                                place / "office-out" / "page.pdf")
    if chromium := shutil.which("chromium"):
        paper = place / "chromium.pdf"
        sides["Chromium"] = ([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={place}/chromium", "--no-pdf-header-footer",
                              f"--print-to-pdf={paper}", written.as_uri()], paper)
    return sides


def timed(command: list[str | pathlib.Path], folder: pathlib.Path) -> tuple[float, float]:
    """Seconds and peak memory in MB of one run in processes of its own, on two cores."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    start = time.perf_counter()
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=lambda: os.sched_setaffinity(0, cores))
    said = running.stderr.read()
    _, status, usage = os.wait4(running.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"error: {command[0]} failed\n{said.decode()}")
    return seconds, usage.ru_maxrss / 1024


def pages(pdf: pathlib.Path) -> int:
    said = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    return int(next(line.split()[1] for line in said.splitlines() if line.startswith("Pages:")))
