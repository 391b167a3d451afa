"""`dalil.check`: the same ledger as the program, as objects."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest
from conftest import LEAVE, WRONG

import dalil

AT = "2026-03-15T09:30:00Z"


def test_the_ledger_is_that_of_the_program(
    repository: Path, folder: Path, built_program: str
) -> None:
    answer = repository / "examples" / "answers" / "leave.en.md"
    command = ["check", str(answer), "--against", "docs", "--format", "ledger", "--no-index"]
    outputs = [
        subprocess.run([*start, *command, "--at", AT], capture_output=True, check=True).stdout
        for start in ([built_program], [sys.executable, "-m", "dalil"])
    ]
    ledger = dalil.check(answer.read_text(encoding="utf-8"), against="docs", at=AT)
    assert outputs == [ledger.to_json() + b"\n"] * 2


def test_claims_are_objects() -> None:
    chunks = [{"id": "hr-12", "text": "Employees receive 15 days of annual leave.", "metadata": {"v": 3}}]
    ledger = dalil.check(f"{LEAVE} {WRONG}", chunks=chunks, at=AT)
    said = [(claim.verdict, claim.text, claim.source and claim.source.name) for claim in ledger.claims]
    assert said == [
        ("supported", "Employees are entitled to 15 days of annual leave", "hr-12"),
        ("contradicted", "Employees are entitled to 20 days of annual leave", "hr-12"),
    ]
    wrong = ledger.claims[1]
    assert wrong.evidence[0].conflict == ("20 days", "15 days")
    assert wrong.evidence[0].document.metadata == {"v": 3}
    assert ledger.answer[wrong.start : wrong.end] == wrong.text
    assert (ledger.coverage, ledger.unsupported_rate) == (0.5, 0)
    assert ledger.wrong == (wrong,)
    assert repr(ledger).endswith(": 1 supported, 1 contradicted>")


def test_a_gate_says_what_it_lacks() -> None:
    good = dalil.check(LEAVE, chunks=[LEAVE])
    assert good.gate() and good.is_supported
    bad = dalil.check(WRONG, chunks=[LEAVE])
    assert not bad.gate()
    parts = {part.part: part.status for part in bad.gate().parts}
    assert parts == {
        "evidence_coverage": "fail",
        "unsupported_rate": "pass",
        "contradicted_critical": "fail",
    }
    assert bad.gate(min_coverage=0, max_contradicted_critical=1)
    none = dalil.check("Hello!", chunks=[LEAVE])
    assert (none.gate().status, bool(none.gate()), none.coverage) == ("incomplete", False, None)


def test_every_shape_of_a_chunk_is_taken() -> None:
    class LangChainLike:
        def __init__(self) -> None:
            self.page_content, self.metadata, self.id = LEAVE, {"source": "a.md"}, None

    class Node:
        node_id = "n1"

        def __init__(self) -> None:
            self.metadata: dict[str, object] = {}

        def get_content(self) -> str:
            return LEAVE

    class LlamaIndexLike:
        node = Node()
        score = 0.5

    class HaystackLike:
        content, meta, id = LEAVE, {"page": 2}, "h1"

    shapes: list[object] = [
        LEAVE,
        dalil.Chunk("c", LEAVE),
        {"text": LEAVE},
        {"id": "c", "content": LEAVE},
        {"id": "d", "text": LEAVE, "title": "Leave policy", "page": 2},
        LangChainLike(),
        LlamaIndexLike(),
        HaystackLike(),
    ]
    assert dalil.Corpus.of_chunks(shapes).documents == [
        "chunk-1",
        "c",
        "chunk-3",
        "c#2",
        "Leave policy",
        "a.md",
        "n1",
        "h1",
    ]


def chunk_file(folder: Path, chunks: object) -> str:
    """A file for `dalil check --chunks`."""
    path = folder / "chunks.json"
    path.write_text(json.dumps({"chunks": chunks}), encoding="utf-8")
    return str(path)


def test_the_ledger_of_chunks_is_that_of_the_program(tmp_path: Path, built_program: str) -> None:
    chunks = [
        # Read as the words that they are, whatever the id and the title look like.
        {"id": "kb.pdf", "text": LEAVE, "title": "Leave.docx", "uri": "kb://leave", "page": 12, "metadata": {"v": 3}},
        {"id": "kb-2", "text": "Visitors park on level 2.", "metadata": {"score": 0.5}},
    ]
    answer = tmp_path / "answer"
    answer.write_text(f"Visitors park on level 2. {WRONG}", encoding="utf-8")
    command = [built_program, "check", "answer", "--chunks", chunk_file(tmp_path, chunks), "--format", "ledger"]
    made = subprocess.run([*command, "--at", AT], cwd=tmp_path, capture_output=True, check=True).stdout
    ledger = dalil.check(answer.read_text(encoding="utf-8"), chunks=chunks, at=AT)
    assert made == ledger.to_json() + b"\n"
    right, wrong = ledger.claims
    source = wrong.source
    assert source is not None and wrong.evidence[0].chunk_id == "kb.pdf"
    assert (source.name, source.uri, source.page, source.metadata) == ("Leave.docx", "kb://leave", 12, {"v": 3})
    assert right.source is not None and right.source.metadata == {"score": 0.5}


BAD_CHUNKS: list[list[object]] = [
    [],
    [{"id": "", "text": " "}],
    [{"id": "a", "text": 7}, {"id": "a", "text": LEAVE, "score": 1, "page": 0}],
    [{"id": "a"}, {"id": "b", "text": "x" * 100_001}],
    [{"id": "a", "text": LEAVE, "metadata": {"words": "x" * 5000}}],
]


@pytest.mark.parametrize("chunks", BAD_CHUNKS)
def test_bad_chunks_have_the_faults_of_the_program(
    tmp_path: Path, built_program: str, chunks: list[object]
) -> None:
    (tmp_path / "answer").write_text(LEAVE, encoding="utf-8")
    command = [built_program, "check", "answer", "--chunks", chunk_file(tmp_path, chunks)]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert refused.returncode == 1
    with pytest.raises(dalil.Refused) as raised:
        dalil.check(LEAVE, chunks=chunks)
    faults: list[dict[str, str]] = json.loads(refused.stdout)["refused"]
    assert raised.value.faults == tuple(
        dalil.Fault(one["rule"], one["path"], one["message"], one.get("hint")) for one in faults
    )
    with pytest.raises(dalil.Refused) as row:
        dalil.check_all([{"answer": LEAVE, "chunks": [LEAVE]}, {"answer": LEAVE, "chunks": chunks}])
    assert [one.path for one in row.value.faults] == [f"answers[1].{one['path']}" for one in faults]


def test_what_a_framework_found_is_taken_as_it_can_be() -> None:
    class Found:
        def __init__(self, text: str, **metadata: object) -> None:
            self.page_content, self.metadata, self.id = text, metadata, None

    at = datetime(2026, 3, 15, tzinfo=timezone.utc)
    # Read as text, though it is from a PDF; with metadata that no ledger can repeat.
    ledger = dalil.check(LEAVE, chunks=[Found(LEAVE, source="hr/leave.pdf", seen=at), Found(" ")])
    (passage,) = ledger.claims[0].evidence
    assert (passage.chunk_id, passage.document.metadata["seen"]) == ("hr/leave.pdf", at)
    assert "seen" not in ledger.to_json().decode()
    told = dalil.check(LEAVE, chunks=[Found(LEAVE, source="a", score=0.5)]).to_dict()
    document = told["entries"][0]["source_document"]
    assert document and document.get("metadata") == {"source": "a", "score": 0.5}
    # Two parts of one document, one of them long, and an address that is too long for an id.
    long = "Nothing is said here.\n\n" * 9_000 + LEAVE
    found = dalil.Corpus.of_chunks([Found(LEAVE, source="a"), Found(long, source="a"), Found(LEAVE, source="a" * 400)])
    assert found.documents == ["a", "a#2", "a#3", "a#4", "chunk-3"]
    assert dalil.check(LEAVE, chunks=[Found(long)]).is_supported


def test_what_is_no_json_is_refused_with_its_path() -> None:
    at = datetime(2026, 3, 15, tzinfo=timezone.utc)
    for wrong, path in (
        (lambda: dalil.check(LEAVE, chunks=[{"id": "a", "text": LEAVE, "metadata": {"at": at}}]), "chunks[0].metadata.at"),
        (lambda: dalil.check(LEAVE, chunks=[{"id": "a", "text": LEAVE, "metadata": {"n": float("nan")}}]), "chunks[0].metadata.n"),
        (lambda: dalil.check(LEAVE, chunks=["\ud800"]), "chunks[0].text"),
        (lambda: dalil.check("\ud800", chunks=[LEAVE]), "answer"),
        (lambda: dalil.bundle({"job_input": {"at": [at]}}), "job_input.at[0]"),
        (lambda: dalil.sources([{"item_id": "a", "title": {1: 2}}]), "candidates[0].title"),
    ):
        with pytest.raises(dalil.Refused) as refused:
            wrong()
        assert [fault.path for fault in refused.value.faults] == [path]


def test_faults_are_exceptions() -> None:
    with pytest.raises(dalil.Refused) as refused:
        dalil.check(LEAVE, chunks=[LEAVE], judge="deepest")
    (fault,) = refused.value.faults
    assert (fault.path, fault.rule) == ("judge", "choice")
    assert (fault.expected, fault.found) == ("`fast`, `deep`, `auto` or an address", "`deepest`")
    for wrong in (
        lambda: dalil.check(LEAVE),
        lambda: dalil.check(LEAVE, "docs", chunks=[LEAVE]),
        lambda: dalil.check(LEAVE, chunks=[]),
        lambda: dalil.check(LEAVE, chunks=[3]),
        lambda: dalil.check(LEAVE, chunks=[LEAVE], at="yesterday"),
        lambda: dalil.check(LEAVE, chunks=[LEAVE], at=datetime(2026, 3, 15)),
        lambda: dalil.check("x" * ((4 << 20) + 1), chunks=[LEAVE]),
        lambda: dalil.check(LEAVE, chunks=[LEAVE]).gate(min_coverage=2),
        lambda: dalil.check_all([{"answer": LEAVE}]),
        lambda: dalil.check_all([{"question": LEAVE}], against=dalil.Corpus.of_chunks([LEAVE])),
        lambda: dalil.verify(b"{}", trust={"origin": "a"}, keys=["a+b+c"]),
    ):
        with pytest.raises(dalil.Refused):
            wrong()
    with pytest.raises(dalil.Failure, match="expected a file or folder, found `/none`"):
        dalil.check(LEAVE, against="/none")
    assert issubclass(dalil.Refused, ValueError) and issubclass(dalil.Refused, dalil.DalilError)
    assert pickle.loads(pickle.dumps(refused.value)).faults == refused.value.faults


def test_a_time_of_python_is_a_time() -> None:
    at = datetime(2026, 3, 15, 9, 30, tzinfo=timezone.utc)
    assert dalil.check(LEAVE, chunks=[LEAVE], at=at).created_at == "2026-03-15T09:30:00.000Z"


def test_progress_is_heard_and_its_exception_raised(folder: Path) -> None:
    heard: list[tuple[str, int, int]] = []

    def hear(stage: str, done: int, count: int) -> None:
        heard.append((stage, done, count))

    dalil.check(LEAVE, against="docs", progress=hear)
    assert heard[0][0] == "reading" and heard[0][1] == heard[0][2]
    assert heard[-1] == ("judging", 1, 1)

    def stop(*_: object) -> None:
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        dalil.check(LEAVE, chunks=[LEAVE], progress=stop)


def test_other_threads_run_meanwhile() -> None:
    corpus = dalil.Corpus.of_chunks([LEAVE])
    dalil.check(LEAVE, corpus)
    done = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    dalil.check(" ".join(f"Employees receive {n} days of annual leave." for n in range(40)), corpus)
    during = ticks - before
    done.set()
    thread.join()
    assert during >= 3


def test_checks_run_side_by_side() -> None:
    corpus = dalil.Corpus.of_chunks([LEAVE])
    expected = dalil.check(LEAVE, corpus, at=AT).to_json()
    made: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: made.append(dalil.check(LEAVE, corpus, at=AT).to_json()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [expected] * 4


def test_hostile_formats_are_read_by_a_child(repository: Path, tmp_path: Path) -> None:
    page = tmp_path / "leave.html"
    page.write_text(f"<html><body><h1>Leave</h1><p>{LEAVE}</p></body></html>", encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    corpus = dalil.Corpus(tmp_path)
    assert corpus.documents == ["leave.html"]
    assert list(corpus.unread) == ["broken.pdf"]
    assert dalil.check(LEAVE, corpus).is_supported


def test_a_child_does_not_import_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("dalil", "signal", "importlib", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')", encoding="utf-8")
    (tmp_path / "leave.html").write_text(f"<p>{LEAVE}</p>", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert dalil.Corpus("leave.html").documents == ["leave.html"]


def test_a_data_set_is_one_report() -> None:
    rows = [
        {"id": "good", "answer": LEAVE, "question": "How many?", "chunks": [LEAVE]},
        {"id": "<bad>", "answer": WRONG, "contexts": [LEAVE]},
    ]
    ledgers = dalil.check_all(rows, at=AT)
    assert [one.name for one in ledgers.worst_first] == ["<bad>", "good"]
    page = ledgers.report("March & April")
    assert page.startswith("<!doctype html>") and "<title>March &#38; April</title>" in page
    assert "<bad>" not in page and "&#60;bad&#62;" in page
    assert "src=" not in page and 'href="#answer-2"' in page and "<script" not in page
    assert page.index("Wrong claims") < page.index("20 days") < page.index('<details id="answer-2"')
    assert 'id="in-en" class="hidden" checked' in page and "الادعاءات الخاطئة" in page
    arabic = ledgers.report(language="ar")
    assert 'id="in-ar" class="hidden" checked' in arabic and "<title>Checked answers · إجابات فُحصت</title>" in arabic
    # What was carried from another process is reported as well, to the same bytes.
    assert pickle.loads(pickle.dumps(ledgers)).report("March & April") == page
    sarif = json.loads(ledgers.sarif())
    assert [one["ruleId"] for one in sarif["runs"][0]["results"]] == ["contradicted"]
    assert ledgers.junit().count("<testcase") == 2


def test_tables() -> None:
    pandas = pytest.importorskip("pandas")
    ledger = dalil.check(f"{LEAVE} {WRONG}", chunks=[LEAVE], at=AT)
    frame = ledger.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["verdict"]) == ["supported", "contradicted"]
    table = ledger.to_arrow()
    assert table.column_names == list(frame.columns)
    assert table.column("verdict").to_pylist() == ["supported", "contradicted"]
    assert table.schema == dalil.check("Hello!", chunks=[LEAVE]).to_arrow().schema


def test_notebooks_show_what_is_wrong_and_no_markup_of_others() -> None:
    ledger = dalil.check(WRONG, chunks=[{"id": "<script>alert(1)</script><b>\u202e", "text": LEAVE}])
    html: str = ledger._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "✗ Contradicted" in html and "<mark>15 days</mark>" in html
    assert "&lt;script&gt;" in html and "\\u{202e}" in html
    assert "<script" not in html and "<b>" not in html and "\u202e" not in html


def test_a_ledger_is_carried_to_another_process() -> None:
    ledger = dalil.check(LEAVE, chunks=[{"id": "a", "text": LEAVE, "metadata": {"v": 1}}])
    carried = pickle.loads(pickle.dumps(ledger))
    assert carried.claims == ledger.claims and carried.to_dict() == ledger.to_dict()
    with pytest.raises(dalil.Failure, match="carried from another"):
        carried.table()
