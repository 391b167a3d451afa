"""Cuts public text into passages, as near.py and deep/writer.py take them.

    python passages.py --repositories REPO.git … --parallel DIR --arabic DIR --written DIR … --apart DIR … --most 3000 --out ALL.jsonl.gz

REPO.git is a git directory, of which the newest commit is read: Markdown, and sections of XML. A passage is {"p": text, "d": document,
"s": source}; its first line is the document's title and the headings above it. Passages that share seven words in a row with a
file below `--apart` (a set that judges are measured on) are left out, and so are written passages that are kept for measuring.
"""
import argparse
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "deep"))
import mixture  # noqa: E402

MIN_WORDS, MAX_WORDS = 35, 210
RUN = 7  # words that two texts may not share in a row
SKIPPED = re.compile(r"(^|/)(node_modules|vendor|test|tests|fixtures|CHANGELOG|LICENSE)", re.I)


def words(text):
    return re.sub(r"[\W_]+", " ", text.lower()).split()


def runs(text):
    some = words(text)
    return {tuple(some[i : i + RUN]) for i in range(len(some) - RUN + 1)}


def apart(folders):
    """The runs of words of every text file below some folders."""
    seen = set()
    for folder in folders:
        for path in glob.glob(folder + "/**/*", recursive=True):
            if path.endswith((".md", ".txt", ".html", ".csv")):
                with open(path, encoding="utf-8", errors="replace") as f:
                    seen |= runs(re.sub(r"<[^>]+>", " ", f.read()))
    return seen


def files(repository):
    names = subprocess.run(["git", "-C", repository, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True).stdout.split("\n")
    return [n for n in names if n.endswith((".md", ".mdx", ".markdown", ".md.erb", ".xml")) and not SKIPPED.search(n)]


def shown(repository, name):
    """A file of the newest commit; nothing where a partial copy lacks it."""
    return subprocess.run(["git", "-C", repository, "show", f"HEAD:{name}"], capture_output=True, check=False).stdout.decode("utf-8", "replace")


def markdown(text):
    """Headings and the paragraphs below them."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"```.*?```|<!--.*?-->|\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.S)
    path, out = [], []
    for block in re.split(r"\n\s*\n|(?=^#{1,5} )", text, flags=re.M):
        block = block.strip()
        if m := re.match(r"(#{1,5})\s+(.*)", block):
            path = path[: len(m[1]) - 1] + [mixture.plain(m[2])]
            block = block[m.end() :].strip()
        lines = [re.sub(r"\s+", " ", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)).strip() for line in block.split("\n")]
        block = "\n".join(line for line in lines if line and not line.startswith(("![", "<", "import ")))
        if block:
            out.append((tuple(path), block))
    return out


def xml(text):
    """Sections of a law: their heading and the text below it."""
    text = re.sub(r"<(annotations|meta|notes?)\b.*?</\1>", "", text, flags=re.S)
    headings = re.findall(r"<(?:heading|title|subject)[^>]*>(.*?)</", text, flags=re.S)
    path = tuple(re.sub(r"<[^>]+>|\s+", " ", h).strip() for h in headings[:1])
    body = re.sub(r"<(heading|title|subject|num)\b[^>]*>(.*?)</\1>", r" \2 ", text, flags=re.S)
    paragraphs = re.findall(r"<(?:text|content|p)\b[^>]*>(.*?)</(?:text|content|p)>", body, flags=re.S)
    plain = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", p)).strip() for p in paragraphs]
    return [(path, p) for p in plain if len(p) > 30]


def cut(blocks, title, rng):
    """Runs of blocks under one heading, of a length that is drawn for each."""
    out, some, at, most = [], [], None, rng.randint(60, MAX_WORDS)

    def put():
        text = "\n".join(some)
        if MIN_WORDS <= len(text.split()) <= 1.5 * MAX_WORDS:
            first = " > ".join(part for part in (title, *(at or ())) if part)
            out.append(f"{first}\n{text}" if first and len(first) < 200 else text)

    for path, block in blocks:
        if some and (path != at or sum(len(b.split()) for b in some) + len(block.split()) > most):
            put()
            some, most = [], rng.randint(60, MAX_WORDS)
        at = path
        some.append(block)
    put()
    return out


def of_repository(repository, most, rng):
    source = "/".join(os.path.basename(os.path.dirname(os.path.abspath(repository))).split("+"))
    names = files(repository)
    rng.shuffle(names)
    out = []
    for name in names[: 2 * most]:
        text = shown(repository, name)
        blocks = xml(text) if name.endswith(".xml") else markdown(text)
        title = "" if blocks and blocks[0][0] else mixture.plain(re.sub(r"[-_]", " ", os.path.splitext(os.path.basename(name))[0]))
        out += [{"p": p, "d": f"{source}:{name}", "s": source} for p in cut(blocks, title, rng)]
        if len(out) > most:
            break
    return out


def of_parallel(folder, most, rng):
    out = []
    for path in sorted(glob.glob(folder + "/*.jsonl.gz")):
        source = os.path.basename(path).split(".jsonl")[0]
        rows = [r for r in mixture.read(path) if 30 < len(r["en"]) < 700]
        for language in ("en", "ar"):
            for _ in range(min(most // 2, len(rows) // 8)):
                at = rng.randrange(max(1, len(rows) - 8))
                text = "\n".join(mixture.plain(r[language]) for r in rows[at : at + rng.randint(2, 6)])
                if MIN_WORDS <= len(text.split()) <= 1.5 * MAX_WORDS:
                    out.append({"p": text, "d": f"{source}:{language}:{at // 60}", "s": f"{source}:{language}"})
    return out


def of_laws(folder, most, rng):
    out = []
    for path in sorted(glob.glob(folder + "/*.txt.gz")):
        source = os.path.basename(path).split(".txt")[0]
        with gzip.open(path, "rt", encoding="utf-8") as f:
            lines = [line.strip() for line in f if 40 < len(line) < 1200]
        for _ in range(most):
            at = rng.randrange(len(lines) - 6)
            text = "\n".join(lines[at : at + rng.randint(1, 5)])
            if MIN_WORDS <= len(text.split()) <= 1.5 * MAX_WORDS:
                out.append({"p": text, "d": f"{source}:{at // 50}", "s": source})
    return out


def of_written(folders):
    rows = [r for passages in mixture.written(folders).values() for some in passages for r in some[:1] if not mixture.is_held(r)]
    return [{"p": mixture.shown(r["doc"], r["heading"], r["premise"]), "d": r["doc"], "s": "written"} for r in rows]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--repositories", nargs="*", default=[])
    p.add_argument("--parallel", required=True)
    p.add_argument("--arabic", required=True)
    p.add_argument("--written", nargs="+", required=True)
    p.add_argument("--apart", nargs="+", required=True)
    p.add_argument("--most", type=int, default=3000, help="passages of one source")
    p.add_argument("--out", required=True)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rng = random.Random(a.seed)
    found = of_parallel(a.parallel, a.most, rng) + of_laws(a.arabic, a.most, rng) + of_written(a.written)
    for repository in a.repositories:
        found += of_repository(repository, a.most, rng)
    seen, texts, count = apart(a.apart), set(), {}
    with gzip.open(a.out, "wt", encoding="utf-8") as f:
        for row in found:
            if row["p"] in texts or runs(row["p"]) & seen:
                continue
            texts.add(row["p"])
            count[row["s"]] = count.get(row["s"], 0) + 1
            f.write(json.dumps(row, ensure_ascii=False) + "\n")
    for source, n in sorted(count.items(), key=lambda x: -x[1]):
        print(n, source)
    print(sum(count.values()), "passages of", len(found))


if __name__ == "__main__":
    main()
