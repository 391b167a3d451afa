"""Claims changed by rule, so that what the premise supported it supports no longer."""
import random
import re

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
NAME = re.compile(r"\b[A-Z][\w'’&-]+(?:\s+(?:of|the|de|van|and)?\s*[A-Z][\w'’&-]+)*")
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
WORDS = "two three four five six seven eight nine ten eleven twelve".split()
UNITS = [["day", "week", "month", "year"], ["days", "weeks", "months", "years"], ["hours", "minutes", "days"], ["million", "billion", "thousand"],
         ["kilometers", "miles", "meters"], ["kilograms", "pounds"], ["dollars", "euros", "pounds"], ["daily", "weekly", "monthly", "quarterly", "annually"],
         ["once", "twice"], ["quarter", "month", "week", "year"], ["morning", "afternoon", "evening"], ["first", "second", "third", "fourth"], ["uncle", "cousin", "nephew"]]
OPPOSITE = """increase decrease|increased decreased|increases decreases|increasing decreasing|rose fell|rise fall|higher lower|more fewer|more less|before after|first last|won lost|win lose|
north south|east west|northern southern|eastern western|bought sold|buy sell|accepted rejected|approved rejected|include exclude|includes excludes|including excluding|allowed forbidden|
allow forbid|permitted prohibited|with without|above below|always never|best worst|largest smallest|biggest smallest|oldest youngest|older younger|open closed|opened closed|male female|
man woman|men women|mother father|brother sister|son daughter|husband wife|king queen|alive dead|early late|earlier later|start end|started ended|began ended|success failure|support oppose|
supported opposed|supports opposes|minimum maximum|up down|inside outside|majority minority|strong weak|positive negative|gain loss|gained lost|profit loss|import export|public private|
agree disagree|agreed disagreed|possible impossible|legal illegal|married divorced|remember forget|hot cold|long short|large small|high low|good bad|top bottom|
confirmed denied|confirm deny|agreed refused|accept refuse|arrived left|optimistic pessimistic|improved worsened|improve worsen|strengthen weaken|expanded reduced|expand reduce|add remove|added removed|
easy difficult|simple complex|happy sad|excited disappointed|like dislike|likes dislikes|loves hates|love hate|new old|rich poor|full empty|fast slow|same different|common rare|safe dangerous|
domestic foreign|local national|future past|summer winter|left right|black white|major minor|senior junior|guilty innocent|convicted acquitted|victory defeat|hired fired|joined left|enter leave|
borrow lend|sent received|send receive|gave took|give take|encourage discourage|encouraged discouraged|praised criticized|praise criticize|defended attacked|failed succeeded|failed managed|pass fail|
passed failed|continue stop|continued stopped|ahead behind|often rarely|usually rarely|frequently rarely|entirely partly|voluntary mandatory|teacher student|parent child|doctor patient|
aware unaware|able unable|likely unlikely|willing unwilling|appropriate inappropriate|certain uncertain|complete incomplete|comfortable uncomfortable|successful unsuccessful|relevant irrelevant|known unknown|
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


PAST = set("said went took made gave won lost found left came got wrote met told led held kept began became built bought sold sent spent ran fell rose grew saw knew thought felt heard paid taught drew broke chose fought".split())
LIKE = ["founded established", "created made", "located situated", "called named", "killed murdered", "said stated", "used utilized", "started opened", "received earned", "based located", "appeared starred"]
SAME = {frozenset(p.split()) for p in LIKE}
JOINED = re.compile(r"^[\s,]*(?:and|or|&|with|nor|plus|married|met|alongside)?[\s,]*$")


def predicate(claim, premise, rng):
    """A verb for another verb of the document."""
    found = [m for m in re.finditer(r"(?<![\w-])[a-z]{3,}(?:ed|ing)\b|\b[a-z]+\b", claim) if m[0] in PAST or (len(m[0]) > 4 and m[0].endswith(("ed", "ing")) and m[0] not in ("during", "including", "according", "following", "being", "having", "hundred"))]
    if found:
        m = rng.choice(found)
        kind = (lambda w: w.endswith("ing")) if m[0].endswith("ing") else (lambda w: w.endswith("ed") or w in PAST)
        said = set(claim.lower().split())
        others = sorted({w for w in re.findall(r"\b[a-z]{3,}\b", premise) if kind(w) and w not in said and len(w) > 3 and w[:4] != m[0][:4] and frozenset((w, m[0])) not in SAME and w not in ("during", "including", "according", "following", "being", "having", "hundred", "need", "indeed", "speed", "feed", "seed")})
        if others:
            return put(claim, m, rng.choice(others)), UNSUPPORTED


def exchange(claim, premise, rng):
    """Two names, or two things, in each other's place."""
    names = [m for m in NAME.finditer(claim) if m[0] not in ("The", "A", "An", "In", "It", "He", "She", "They", "There", "This", "I")]
    if len(names) < 2 or rng.random() < 0.25:
        names = list(re.finditer(r"(?<=\bthe )[a-z]{3,}\b(?= (?:is|was|are|were|has|had|to|in|of|and|that|for|by|from|may|must|shall|will)\b|[.,])", claim))
    pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :] if x[0].lower() != y[0].lower() and not JOINED.match(claim[x.end() : y.start()]) and "between" not in claim]
    if pairs:
        x, y = rng.choice(pairs)
        return claim[: x.start()] + y[0] + claim[x.end() : y.start()] + x[0] + claim[y.end() :], UNSUPPORTED


def insertion(claim, premise, rng):
    """A circumstance from somewhere else, added."""
    if ELSEWHERE and len(claim) > 25:
        said = claim.rstrip(" .")
        new = rng.choice(ELSEWHERE)
        if not set(re.findall(r"\w{4,}", new.lower())) <= set(re.findall(r"\w{4,}", premise.lower())):
            commas = [m.start() for m in re.finditer(",", said)]
            at = rng.choice(commas) if commas and rng.random() < 0.4 else len(said)
            return said[:at] + (" " if rng.random() < 0.8 else ", ") + new + said[at:] + ".", UNSUPPORTED


def unconditional(claim, premise, rng):
    """A condition or an exception left out."""
    if m := re.search(r",?\s+(?:unless|except|provided that|subject to|only if|if|only when|but not|as long as|without)\s[^.]{6,}(?=\.?$)", claim):
        return (claim[: m.start()] + claim[m.end() :], UNSUPPORTED) if m.start() > 20 else None


def certain(claim, premise, rng):
    """A possibility or a plan as a fact, the past as the future."""
    for old, new in rng.sample(CERTAIN, len(CERTAIN)):
        if m := re.search(rf"\b{old}\b", claim):
            return put(claim, m, new), UNSUPPORTED


CERTAIN = [("may", "will"), ("might", "will certainly"), ("could", "will"), ("expected to", "unable to"), ("likely to", "certain to"), ("plans to", "has refused to"), ("planning to", "unwilling to"), ("wants to", "does not want to"),
           ("has been", "has never been"), ("tried to", "managed to"), ("hopes to", "fears to"), ("agreed to", "refused to"), ("decided to", "decided not to"), ("reported", "denied"), ("according to", "contrary to"), ("partially", "completely"), ("nearly", "more than"), ("almost", "more than")]
ELSEWHERE: list[str] = []  # circumstances of other documents, for insertion
CIRCUMSTANCE = re.compile(r"(?<=[a-z] )(?:in|at|by|for|with|from|during|after|before|because of|due to|on|despite|without|along with) (?:the |a |his |her |their |its )?[\w'-]+(?: [\w'-]+){0,4}(?= ?[.,;])")
RULES = [number, number, number, calendar, unit, name, name, name, antonym, antonym, negation, negation, modal, quantity, predicate, predicate, exchange, exchange, insertion, insertion, unconditional, certain]


def spoil(claim: str, premise: str, rng: random.Random) -> tuple[str, int] | None:
    """The claim with one thing changed and its new label, or nothing where no rule applies."""
    for rule in rng.sample(RULES, len(RULES)):
        out = rule(claim, premise, rng)
        if out and out[0] != claim:
            return out
    return None


DIGITS = {w: str(i) for i, w in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}
SAYS = [("must not", "may not", "is forbidden to"), ("may not", "is not allowed to", "is prohibited from being able to"), ("shall not", "must not", "is not permitted to"), ("is required to", "must", "has to"), ("are required to", "must", "have to"), ("must", "has to", "is obliged to"),
        ("at least", "no less than", "no fewer than", "a minimum of"), ("at most", "no more than", "a maximum of"), ("no more than", "at most", "a maximum of"), ("more than", "over", "in excess of"), ("less than", "under", "fewer than"), ("prior to", "before"), ("before", "prior to"), ("following", "after"),
        ("about", "approximately", "around", "roughly"), ("approximately", "about", "around"), ("because of", "due to", "as a result of"), ("due to", "because of"), ("not possible", "impossible"), ("did not", "didn't"), ("does not", "doesn't"), ("is not", "isn't"), ("was not", "wasn't"), ("cannot", "is unable to", "can not"),
        ("not allowed", "forbidden", "prohibited"), ("forbidden", "not allowed", "prohibited"), ("prohibited", "not permitted", "forbidden"), ("every year", "annually", "each year", "once a year"), ("per year", "a year", "annually"), ("annually", "every year", "once a year"), ("monthly", "every month", "once a month"), ("weekly", "once a week", "every week"),
        ("percent", "per cent", "%"), ("began", "started"), ("started", "began"), ("film", "movie"), ("movie", "film"), ("purchase", "buy"), ("purchased", "bought"), ("received", "got"), ("located", "situated"), ("however", ""), ("also", ""), ("large", "big"), ("big", "large"), ("such as", "like", "including"),
        ("near", "close to"), ("obtain", "get"), ("attempted", "tried"), ("approved", "agreed to"), ("numerous", "many"), ("many", "a lot of"), ("several", "a number of"), ("said", "stated", "mentioned"), ("children", "kids"), ("assist", "help"), ("requires", "needs"), ("utilize", "use"), ("commenced", "began"), ("terminate", "end"), ("entire", "whole"), ("primarily", "mainly", "mostly"),
        ("all", "every one of the"), ("never", "at no time"), ("always", "at all times"), ("increase", "rise"), ("increased", "grew"), ("decreased", "fell", "declined"), ("in order to", "to"), ("is able to", "can"), ("are able to", "can"), ("has been", "was"), ("known as", "called"), ("while", "as"), ("whereas", "while")]


def agree(claim: str, rng: random.Random) -> str | None:
    """The claim in slightly other words that still agree with it, or nothing where no rule applies."""
    way = rng.random()
    if way < 0.12 and (m := re.match(r"Only (.+?) (may|can|shall) ", claim)):
        return f"No one except {m[1]} {m[2]} " + claim[m.end() :]
    if way < 0.06 and (m := AUXILIARY.search(claim)) and len(claim) < 140 and not NEGATION.search(claim):
        return f"It is not true that {claim[:1].lower() if claim[:2] in ('Th', 'A ', 'An') else claim[:1]}" + put(claim, m, m[0] + " not")[1:]
    if way < 0.1 and len(claim) < 140:
        return rng.choice(["It is true that ", "It is stated that ", "The text says that "]) + (claim[:1].lower() if claim.startswith(("The ", "A ", "An ", "There ", "In ")) else claim[:1]) + claim[1:]
    out = claim
    for old, *new in rng.sample(SAYS, len(SAYS)):
        if m := re.search(rf"\b{old}\b", out):
            out = re.sub(r"\s+", " ", put(out, m, rng.choice(new)))
            if rng.random() < 0.5:
                break
    if rng.random() < 0.5:
        if (m := re.search(r"\b(?:" + "|".join(DIGITS) + r")\b", out)):
            out = put(out, m, DIGITS[m[0]])
        elif (m := re.search(r"\b(\d{1,2}) (" + "|".join(MONTHS) + r") (\d{4})\b", out)):
            out = put(out, m, f"{m[2]} {m[1]}, {m[3]}")
        elif (m := re.search(r"\b(" + "|".join(MONTHS) + r") (\d{1,2}), (\d{4})\b", out)):
            out = put(out, m, rng.choice([f"{m[2]} {m[1]} {m[3]}", f"{m[1]} {m[3]}"]))
    return out if out != claim else None


LEAD = re.compile(r"^(?:However|Moreover|In addition|Meanwhile|Also|But|And|So|Then|Furthermore|Additionally),?\s+")
ASIDE = re.compile(r"\s*\([^()]{0,80}\)|,\s+(?:which|who)\s[^,.]{5,80}(?=[,.])")
OPENING = re.compile(r"^(?:In|On|During|After|Since|At|By|Despite|For|As of|According to)\s[^,]{3,40},\s+(?=[A-Za-z])")
TAIL = re.compile(r",\s+(?:which|who|where|while|although|but|leading|making|including|followed|and (?:was|is|has|had|then|later))\s[^.]{5,}(?=\.?$)")


def restate(sentence: str, rng: random.Random) -> str:
    """A sentence said a little shorter or otherwise: still supported by itself."""
    out = LEAD.sub("", sentence)
    if rng.random() < 0.6:
        out = ASIDE.sub("", out)
    if rng.random() < 0.3:
        out = OPENING.sub("", out)
    if rng.random() < 0.3 and len(shorter := TAIL.sub("", out)) > 30:
        out = shorter
    if rng.random() < 0.5:
        out = agree(out, rng) or out
    return out[:1].upper() + out[1:]


PRONOUN = re.compile(r"^(?:He|She|It)\b(?= (?:is|was|has|had|became|also|would|[a-z]+ed)\b)")


def resolve(said: list[str], at: int, premise: str, rng: random.Random) -> tuple[str, int] | None:
    """A sentence whose first pronoun is the name that opened the one before (supported), or another name (not)."""
    if at and PRONOUN.match(said[at]) and (m := NAME.match(said[at - 1])) and m[0] not in ("The", "In", "It", "He", "She", "This", "They", "His", "Her", "A", "On", "After"):
        if rng.random() < 0.6:
            return m[0] + PRONOUN.sub("", said[at]), 0
        others = sorted({n for n in NAME.findall(premise) if len(n) > 4 and " " in n and not set(n.split()) & set(m[0].split())})
        if others:
            return rng.choice(others) + PRONOUN.sub("", said[at]), UNSUPPORTED
    return None


def other(claim: str, premise: str, names: list[str], rng: random.Random) -> str | None:
    """The premise about somebody else than the claim's first name."""
    found = [m[0] for m in NAME.finditer(claim) if len(m[0]) > 4 and m[0] in premise]
    if found:
        new = rng.choice(names)
        if not set(new.lower().split()) & set(claim.lower().split()):
            return premise.replace(found[0], new)
    return None
