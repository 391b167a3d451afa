"""Cuts every text of the model vectors by the pattern of spec/model.md, without a package for it."""

import json
import pathlib
import unicodedata


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        for case in vector["cuts"]:
            found = cuts(case["text"])
            if found != case["pieces"]:
                problems.append(f"{path.name}: {case['text']!r} is cut into {found}")
    return problems


def cuts(text: str) -> list[str]:
    pieces = []
    while text:
        length = next(length for length in (alternative(text) for alternative in ALTERNATIVES) if length)
        pieces.append(text[:length])
        text = text[length:]
    return pieces


def run(text: str, start: int, test) -> int:
    end = start
    while end < len(text) and test(text[end]):
        end += 1
    return end


def letter(ch: str) -> bool:
    return unicodedata.category(ch).startswith("L")


def number(ch: str) -> bool:
    return unicodedata.category(ch).startswith("N")


def space(ch: str) -> bool:
    # Python counts four separators of files as spaces; Unicode does not.
    return ch.isspace() and not "\x1c" <= ch <= "\x1f"


def line_end(ch: str) -> bool:
    return ch in "\r\n"


def other(ch: str) -> bool:
    return not (letter(ch) or number(ch) or space(ch))


def contraction(text: str) -> int:
    folded = text[:3].replace("\u017f", "s").lower()
    return next((len(end) for end in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if folded.startswith(end)), 0)


def word(text: str) -> int:
    first = text[0]
    start = 0 if letter(first) or number(first) or line_end(first) else 1
    end = run(text, start, letter)
    return end if end > start else 0


def digit(text: str) -> int:
    return int(number(text[0]))


def marks(text: str) -> int:
    start = int(text[0] == " ")
    end = run(text, start, other)
    return run(text, end, line_end) if end > start else 0


def lines(text: str) -> int:
    end = run(text, 0, space)
    while end and not line_end(text[end - 1]):
        end -= 1
    return end


def spaces(text: str) -> int:
    end = run(text, 0, space)
    return end if end == len(text) else max(end - 1, 0)


def rest(text: str) -> int:
    return run(text, 0, space)


ALTERNATIVES = (contraction, word, digit, marks, lines, spaces, rest)
