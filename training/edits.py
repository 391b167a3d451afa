"""Claims changed by rule, so that what the premise supported it supports no longer."""
import random
import re

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
NAME = re.compile(r"\b[A-Z][\w'’&-]+(?:\s+(?:of|the|de|van|and)?\s*[A-Z][\w'’&-]+)*")
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
WORDS = "two three four five six seven eight nine ten eleven twelve".split()
UNITS = [["day", "week", "month", "year"], ["days", "weeks", "months", "years"], ["hours", "minutes", "days"], ["million", "billion", "thousand"],
         ["kilometers", "miles", "meters"], ["kilograms", "pounds"], ["dollars", "euros", "pounds"], ["daily", "weekly", "monthly", "annually"]]
OPPOSITE = """increase decrease|increased decreased|increases decreases|increasing decreasing|rose fell|rise fall|higher lower|more fewer|more less|before after|first last|won lost|win lose|
north south|east west|northern southern|eastern western|bought sold|buy sell|accepted rejected|approved rejected|include exclude|includes excludes|including excluding|allowed forbidden|
allow forbid|permitted prohibited|with without|above below|always never|best worst|largest smallest|biggest smallest|oldest youngest|older younger|open closed|opened closed|male female|
man woman|men women|mother father|brother sister|son daughter|husband wife|king queen|alive dead|early late|earlier later|start end|started ended|began ended|success failure|support oppose|
supported opposed|supports opposes|minimum maximum|up down|inside outside|majority minority|strong weak|positive negative|gain loss|gained lost|profit loss|import export|public private|
agree disagree|agreed disagreed|possible impossible|legal illegal|married divorced|remember forget|hot cold|long short|large small|high low|good bad|top bottom|
winner loser|upper lower|internal external|mandatory optional|required optional|temporary permanent|direct indirect|employer employee|buyer seller|lender borrower|landlord tenant|true false""".replace("\n", "")
ANTONYM: dict[str, list[str]] = {}
for pair in OPPOSITE.split("|"):
    a, b = pair.split()
    ANTONYM.setdefault(a, []).append(b)
    ANTONYM.setdefault(b, []).append(a)
AUXILIARY = re.compile(r"\b(is|are|was|were|will|can|could|may|must|should|shall|has been|have been|does|did)\b(?! not)", re.I)
NEGATION = re.compile(r"\b(?:not|never)\s|n't\b")
CONTRADICTED, UNSUPPORTED = 2, 3
MODAL = [("may not", "must"), ("must not", "may"), ("shall not", "may"), ("cannot", "can"), ("may", "must"), ("must", "may"), ("shall", "may"), ("is allowed to", "is required to"), ("can", "must")]
QUANTITY = [("some", "all", UNSUPPORTED), ("most", "all", UNSUPPORTED), ("many", "all", UNSUPPORTED), ("several", "all", UNSUPPORTED), ("all", "no", CONTRADICTED), ("every", "no", CONTRADICTED),
            ("at least", "at most", UNSUPPORTED), ("more than", "less than", CONTRADICTED), ("at most", "at least", UNSUPPORTED), ("about", "exactly", UNSUPPORTED), ("one of the", "the only one of the", UNSUPPORTED)]


def put(text: str, m: re.Match, new: str) -> str:
    if m[0][:1].isupper() and new[:1].islower():
        new = new[0].upper() + new[1:]
    return text[: m.start()] + new + text[m.end() :]


def number(claim, premise, rng):
    found = list(NUMBER.finditer(claim))
    if found:
        m = rng.choice(found)
        others = [n for n in NUMBER.findall(premise) if n != m[0] and len(n) <= len(m[0]) + 2]
        if others and rng.random() < 0.5:
            return put(claim, m, rng.choice(others)), UNSUPPORTED if claim.count(m[0]) > 1 else CONTRADICTED
        digits = [i for i, c in enumerate(m[0]) if c.isdigit()]
        i = rng.choice(digits)
        new = m[0][:i] + rng.choice([d for d in "123456789" if d != m[0][i]]) + m[0][i + 1 :]
        return put(claim, m, new), CONTRADICTED
    return swap_word(claim, WORDS, rng)


def swap_word(claim, group, rng):
    found = [m for m in re.finditer(r"\b\w+\b", claim) if m[0] in group or m[0].lower() in group]
    if found:
        m = rng.choice(found)
        return put(claim, m, rng.choice([w for w in group if w.lower() != m[0].lower()])), CONTRADICTED


def calendar(claim, premise, rng):
    return swap_word(claim, MONTHS, rng) or swap_word(claim, DAYS, rng)


def unit(claim, premise, rng):
    for group in rng.sample(UNITS, len(UNITS)):
        if out := swap_word(claim, group, rng):
            return out


def name(claim, premise, rng):
    found = [m for m in NAME.finditer(claim) if m.start() > 0 or " " in m[0] or m[0] in premise]
    found = [m for m in found if m[0] not in ("The", "A", "An", "In", "It", "He", "She", "They", "There", "This")]
    if found:
        m = rng.choice(found)
        others = {n for n in NAME.findall(premise) if not set(n.lower().split()) & set(claim.lower().split()) and len(n) > 3 and n.lower() not in ("this", "they", "there", "these", "however", "although")}
        if others:
            return put(claim, m, rng.choice(sorted(others))), UNSUPPORTED


def antonym(claim, premise, rng):
    found = [m for m in re.finditer(r"\b[a-z]+\b", claim) if m[0] in ANTONYM]
    if found:
        m = rng.choice(found)
        return put(claim, m, rng.choice(ANTONYM[m[0]])), CONTRADICTED


def negation(claim, premise, rng):
    if m := NEGATION.search(claim):
        return put(claim, m, "").replace("  ", " "), CONTRADICTED
    if found := list(AUXILIARY.finditer(claim)):
        m = rng.choice(found)
        return put(claim, m, m[0] + (" not" if m[0].lower() != "can" else "not")), CONTRADICTED


def modal(claim, premise, rng):
    for old, new in MODAL:
        if m := re.search(rf"\b{old}\b", claim):
            return put(claim, m, new), CONTRADICTED


def quantity(claim, premise, rng):
    for old, new, label in rng.sample(QUANTITY, len(QUANTITY)):
        if m := re.search(rf"\b{old}\b", claim, re.I):
            return put(claim, m, new), label


RULES = [number, number, calendar, unit, name, name, antonym, antonym, negation, modal, quantity]


def spoil(claim: str, premise: str, rng: random.Random) -> tuple[str, int] | None:
    """The claim with one thing changed and its new label, or nothing where no rule applies."""
    for rule in rng.sample(RULES, len(RULES)):
        out = rule(claim, premise, rng)
        if out and out[0] != claim:
            return out
    return None


LEAD = re.compile(r"^(?:However|Moreover|In addition|Meanwhile|Also|But|And|So|Then|Furthermore|Additionally),?\s+")
ASIDE = re.compile(r"\s*\([^()]{0,80}\)|,\s+(?:which|who)\s[^,.]{5,80}(?=[,.])")


def restate(sentence: str, rng: random.Random) -> str:
    """A sentence said a little shorter: still supported by itself."""
    out = LEAD.sub("", sentence)
    if rng.random() < 0.6:
        out = ASIDE.sub("", out)
    return out[:1].upper() + out[1:]
