"""Presidio's side of masking: `python presidio mask INPUT OUTPUT`.

Its pattern recognisers, without a language model: spaCy's small one is not on the package index. Only
the entities that Dalil has too are asked for, so that it does no other work.
"""

from __future__ import annotations

import json
import logging
import pathlib
import sys

import spacy
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "baseline"))
from measure import median, report  # noqa: E402

ENTITIES = {
    "EMAIL_ADDRESS": "email", "PHONE_NUMBER": "phone", "CREDIT_CARD": "credit_card",
    "IBAN_CODE": "iban", "US_SSN": "ssn", "IP_ADDRESS": "ip",
}
# Below this are patterns that nothing confirmed.
SCORE = 0.4
ROUNDS = 3


class Tokens(SpacyNlpEngine):
    """spaCy's English tokens, and nothing that must be downloaded."""

    def __init__(self) -> None:
        super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
        self.nlp = {"en": spacy.blank("en")}

    def load(self) -> None:
        """There is nothing to load."""


def main(given: pathlib.Path, output: pathlib.Path) -> None:
    # The e-mail recogniser looks for a newer list of domains, and goes on without it.
    logging.disable(logging.CRITICAL)
    texts = json.loads(given.read_bytes())
    tokens = Tokens()
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(nlp_engine=tokens)
    registry.remove_recognizer("SpacyRecognizer")
    analyzer = AnalyzerEngine(registry=registry, nlp_engine=tokens, supported_languages=["en"])
    found, figures = {}, {}
    for name, lines in texts.items():
        figures[name], found[name] = median(lambda lines=lines: [spans(analyzer, line) for line in lines], ROUNDS)
    output.write_text(json.dumps(found))
    report(**figures)


def spans(analyzer: AnalyzerEngine, text: str) -> list[tuple[str, int, int]]:
    results = analyzer.analyze(text, language="en", entities=list(ENTITIES), score_threshold=SCORE)
    return [(ENTITIES[one.entity_type], one.start, one.end) for one in results]


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[2:]))
