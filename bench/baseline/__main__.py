"""One task of the Python side: `python baseline TASK INPUT OUTPUT`.

Prints one line of JSON with the median of each step in seconds, and leaves what it made in OUTPUT.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
from typing import Any

import bundles
import judges
import packs
import records
import sources
from measure import median, report
from pydantic import TypeAdapter


def measure_records(text: bytes) -> tuple[dict[str, float], bytes]:
    request = json.loads(text)
    rule, packaged = median(lambda: records.package(request), 5)
    del request
    whole, written = median(lambda: records.write(records.package(json.loads(text))), 3)
    del packaged
    return {"rule": rule, "whole": whole}, written


def measure_bundle(text: bytes) -> tuple[dict[str, float], bytes]:
    request = json.loads(text)
    contents = [one["text"].encode() for one in request["job_input"]["extra_params"]["evidence"]]
    sha256, _ = median(lambda: [hashlib.sha256(one).digest() for one in contents], 9)
    del contents
    rule, _ = median(lambda: bundles.build(request), 9)
    del request
    whole, written = median(lambda: bundles.write(bundles.build(json.loads(text))), 5)
    return {"rule": rule, "whole": whole, "sha256": sha256}, written


def measure_sources(text: bytes) -> tuple[dict[str, float], bytes]:
    request = sources.Request.model_validate_json(text)
    few, many = sources.Options(), sources.Options(max_sources=len(request.candidates))
    six, _ = median(lambda: sources.pack(request, few), 21)
    every, made = median(lambda: sources.pack(request, many), 3)
    six_indexed, _ = median(lambda: sources.pack_indexed(request, few), 21)
    every_indexed, _ = median(lambda: sources.pack_indexed(request, many), 9)
    whole, _ = median(lambda: write_sources(sources.pack(sources.Request.model_validate_json(text), few)), 9)
    figures = {
        "six": six, "all": every, "six_indexed": six_indexed, "all_indexed": every_indexed, "whole": whole,
    }
    return figures, write_sources(made)


def write_sources(made: list[sources.Source]) -> bytes:
    return TypeAdapter(list[sources.Source]).dump_json(made)


def measure_packs(text: bytes) -> tuple[dict[str, float], bytes]:
    texts = [json.dumps(one, ensure_ascii=False).encode() for one in json.loads(text)]
    shape, _ = median(lambda: [packs.Shape.model_validate_json(one) for one in texts], 9)
    rule, made = median(lambda: [packs.parse(one) for one in texts], 5)
    each = {"shape": shape / len(texts), "rule": rule / len(texts), "bytes": sum(map(len, texts)) / len(texts)}
    return each, json.dumps([one.pack_id for one in made]).encode()


def measure_judge(text: bytes) -> tuple[dict[str, float], bytes]:
    pairs = json.loads(text)
    models, tokenizer = judges.sessions(), judges.tokenizer()
    order, groups = judges.batches(judges.tokens(tokenizer, pairs))
    taken = {name: median(lambda: judges.score(model, order, groups), 5) for name, model in models.items()}
    best = min(taken, key=lambda name: taken[name][0])
    whole, _ = median(
        lambda: judges.score(models[best], *judges.batches(judges.tokens(tokenizer, pairs))), 5
    )
    labels = [row.index(max(row)) for row in taken["float"][1]]
    figures = {name: seconds for name, (seconds, _) in taken.items()}
    return {**figures, "best": figures[best], "whole": whole}, json.dumps(labels).encode()


def main(task: str, given: str, output: str) -> None:
    tasks: dict[str, Any] = {
        "records": measure_records, "bundle": measure_bundle, "sources": measure_sources, "packs": measure_packs,
        "judge": measure_judge,
    }
    figures, made = tasks[task](pathlib.Path(given).read_bytes())
    report(**figures)
    pathlib.Path(output).write_bytes(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
