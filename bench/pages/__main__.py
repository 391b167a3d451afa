"""PyMuPDF's side of `bench/run read`: `python pages read INPUT OUTPUT`. INPUT lists the files."""

from __future__ import annotations

import json
import pathlib
import statistics
import sys
import time

import pymupdf

ROUNDS = 5


def main(given: pathlib.Path, output: pathlib.Path) -> None:
    files = {path: pathlib.Path(path).read_bytes() for path in json.loads(given.read_bytes())}
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        read = {path: text(data) for path, data in files.items()}
        taken.append(time.perf_counter() - start)
    output.write_text(json.dumps({path: words for path, (words, _) in read.items()}), encoding="utf-8")
    print(json.dumps({"seconds": statistics.median(taken), "pages": sum(pages for _, pages in read.values())}))


def text(data: bytes) -> tuple[str, int]:
    document = pymupdf.open(stream=data, filetype="pdf")
    return "\n".join(page.get_text() for page in document), len(document)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
