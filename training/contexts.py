"""What stands around a claim in an answer, as the program shows it to the judge: titles, headings, openings and the sentences
before, joined by ". ".

Some contexts mislead: they name a year, a number or a country that the claim does not state, or the title of another document.
Their claim has `"m": 1` in a pool; the deep judge is asked about it without the context (deep/train.py), so that the fast judge
learns that such a context changes nothing.
"""
import random
import re
from typing import NamedTuple

MAX_WORDS, MAX_PART_WORDS = 60, 30  # of a context and of one of its parts, as in the program
ARABIC_LETTER = re.compile("[\u0620-\u06ff]")
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


class Phrases(NamedTuple):
    """How answers in one language open. `{t}` is a title, `{h}` a heading under it; in those that mislead, `{y}` is a year, `{n}`,
    `{a}` and `{b}` are numbers and `{c}` is a country."""

    of_title: list[str]
    of_heading: list[str]
    general: list[str]
    labels: list[str]
    misleading: list[str]
    countries: list[str]


ENGLISH = Phrases(
    of_title=["Summary of {t}", "{t}: key rules", "{t}, in short", "Here's a quick rundown of {t}", "According to {t}", "Under {t}", "Based on {t}, here is how it works", "Here is what {t} says", "What {t} says",
              "{t} at a glance", "A few more points on {t}", "Overview of {t}", "{t}", "{t}", "{t} – overview", "Regarding {t}", "Key points from {t}", "Here are the main points of {t}", "Here are the main terms of {t}",
              "Short answer: it depends, but here are the basics of {t}", "Notes on {t}", "{t} explained", "I looked at {t} and found the following", "Here's what you should know about {t}", "Installing and using {t}, the short version", "From {t}"],
    of_heading=["Here is what {t} says about {h}", "{h} under {t}", "{h} ({t})", "Regarding {h} in {t}", "{t}: {h}", "How does {h} work", "What are the rules on {h}", "According to {t}, {h} works as follows", "{t}. {h}", "{h}. {t}",
                "{t}, in short. {h}", "Based on {t}, here is how {h} is handled", "{t} – {h}: the essentials", "Summary of {t}. {h}", "A quick guide to {h}. {h}"],
    general=["Summary", "Key points", "Here is what the document says", "From the two documents", "Additional points", "In brief", "Here's what you should know", "Other details", "According to the documents", "Short answer", "Overview", "What you need to know", "From the sources"],
    labels=["Notes", "Details", "Exceptions", "Scope", "Time limits", "Amounts", "Who it applies to", "Main rule", "Additional points", "Data", "Responsibilities", "Duration", "Eligibility"],
    misleading=["{t} ({y})", "{t} (version {a}.{b})", "{t} as of March {y}", "{t}, fiscal {y}", "{t} in {c}", "{t} for staff in {c}", "{t} (Act No. {n} of {y})", "{t}: {a} things to know", "Under {c}'s Law No. {n} of {y}", "{t} under the law of {c} (No. {n} of {y})",
                "Patterns of {t} over {a} years in {c}", "{t} (10-K, {y})", "In {y}, {c} changed {t}. Here are {a} points", "{t} – updated {b} May {y}"],
    countries=["Sweden", "the UAE", "Saudi Arabia", "Germany", "Canada", "Kenya", "Japan", "Texas", "the EU", "Egypt", "France", "India"],
)
ARABIC = Phrases(
    of_title=["ملخص {t}", "إليك ملخصاً لأحكام {t}", "بحسب {t}", "وفقاً لما ورد في {t}", "فيما يلي أبرز ما جاء في {t}", "بخصوص {t}", "{t}", "{t}", "أهم النقاط في {t}", "نبذة عن {t}", "{t}: أبرز الأحكام",
              "إليك أهم ما يجب معرفته عن {t}", "استناداً إلى {t}", "باختصار، {t}", "شرح {t}", "فيما يلي الإجابة المختصرة عن {t}"],
    of_heading=["ما تنص عليه أحكام {t} بشأن {h}", "{h} في {t}", "{t}: {h}", "بخصوص {h} في {t}", "{t}. {h}", "ملخص {t}. {h}", "{h}. {t}", "كيف يعمل {h}", "وفقاً لـ{t}، هذه أبرز أحكام {h}"],
    general=["ملخص", "أبرز النقاط", "إليك ما ورد في المستند", "فيما يلي التفاصيل", "نقاط إضافية", "بحسب الوثائق", "باختصار", "الإجابة المختصرة"],
    labels=["ملاحظات", "المدة", "الاستثناءات", "النطاق", "المهل", "المبالغ", "الحكم العام", "الشروط", "نقاط إضافية", "العقوبات"],
    misleading=["{t} ({y})", "{t} رقم {n} لسنة {y}", "{t} في {c}", "وفقاً للقانون رقم {n} لسنة {y}", "{t} بحسب المرسوم بقانون اتحادي رقم {n} لسنة {y}", "أهم {a} نقاط عن {t}", "{t} لعام {y} في {c}"],
    countries=["السعودية", "الإمارات", "مصر", "قطر", "الأردن", "المغرب", "السويد", "الكويت", "عُمان", "تونس"],
)
# What an answer calls a document of a set whose passages have no title.
SET_TITLES = {"contractnli": ["the agreement", "the non-disclosure agreement", "the Mutual NDA", "the contract"], "TabFact": ["the table", "the results"], "TAT-QA": ["the annual report", "the company's numbers", "the 10-K"],
              "scitab": ["the paper", "the results table"], "infotabs_train": ["the profile"]}


def context(passage: str, source: str, claim: str, others: list[str], foreign: str, rng: random.Random) -> tuple[str, bool]:
    """A context for a claim about a passage, and whether it misleads. `others` are claims about the same passage, `foreign` is a
    passage of any document."""
    arabic = is_arabic(claim)
    before = [other for other in others if other != claim and is_arabic(other) == arabic]
    shape = rng.random()
    label = rng.choice((ARABIC if arabic else ENGLISH).labels)
    title = lambda: opening(passage, source, claim, rng)
    if shape < 0.30:
        return joined([title()]), False
    if shape < 0.40:
        return joined([opening(passage, source, claim, rng, with_heading=True), label if rng.random() < 0.5 else title()]), False
    if shape < 0.62 and before:
        return joined([title(), rng.choice(before)]), False
    if shape < 0.74 and before:
        return joined([rng.choice(before)]), False
    if shape < 0.78 and len(before) > 1:
        return joined([title(), *rng.sample(before, 2)]), False
    if shape < 0.92:
        return joined([misleading(passage, claim, rng), *([rng.choice(before)] if before and rng.random() < 0.3 else [])]), True
    return joined([opening(foreign, source, claim, rng)]), True


def opening(passage: str, source: str, claim: str, rng: random.Random, with_heading: bool = False) -> str:
    """The title or the opening of an answer about the passage, in the language of the claim."""
    arabic = is_arabic(claim)
    phrases = ARABIC if arabic else ENGLISH
    names = [name for name in headings(passage) if is_arabic(name) == arabic or (not arabic and not ARABIC_LETTER.search(name))]
    if not names and not arabic and source in SET_TITLES:
        names = [rng.choice(SET_TITLES[source])]
    if not names or rng.random() < 0.06:
        return rng.choice(phrases.general)
    title, heading = names[0], names[-1]
    if len(names) > 2 and rng.random() < 0.3:
        title = names[1]
    if (with_heading or rng.random() < 0.4) and heading != title:
        return rng.choice(phrases.of_heading).format(t=title, h=heading if arabic else in_a_sentence(heading, rng))
    if rng.random() < 0.35:
        title = heading
    return rng.choice(phrases.of_title).format(t=title)


def misleading(passage: str, claim: str, rng: random.Random) -> str:
    """An opening with a year, a number or a country that is nothing the claim states."""
    arabic = is_arabic(claim)
    phrases = ARABIC if arabic else ENGLISH
    names = [name for name in headings(passage) if is_arabic(name) == arabic] or [rng.choice(phrases.general)]
    phrase, name = rng.choice(phrases.misleading), rng.choice(names)
    said = phrase.format(t=name, y=rng.randint(1998, 2025), n=rng.randint(2, 90), a=rng.randint(2, 12), b=rng.randint(1, 28), c=rng.choice(phrases.countries))
    return said.translate(ARABIC_DIGITS) if arabic and rng.random() < 0.6 else said


def headings(passage: str) -> list[str]:
    """The parts of a passage's first line, `title > heading > …`, that can name something."""
    first, _, rest = passage.partition("\n")
    if not rest or len(first) > 200:
        return []
    if " > " not in first and (len(first) > 110 or first.endswith((".", ":", ";", "،")) or " | " in first or first.startswith(("- ", "("))):
        return []
    parts = [without_markup(part) for part in first.split(" > ")]
    return [part for part in parts if 2 < len(part) < 110 and len(part.split()) <= 14 and any(c.isalpha() for c in part)]


def joined(parts: list[str]) -> str:
    """The parts as one context, bounded as the program bounds it: those nearest to the claim first."""
    left, out = MAX_WORDS, []
    for part in reversed(parts):
        words = part.strip(" :.،,\n").split()[: min(left, MAX_PART_WORDS)]
        left -= len(words)
        if words and " ".join(words) not in out:
            out.append(" ".join(words))
    return ". ".join(reversed(out))


SUBJECT = re.compile(r"^((?:The|A|An|Each|Every|Any|All)?\s?[\w'’\- ]{3,48}?)\s(is|are|was|were|must|may|can|cannot|will|shall|should|has|have|does|do|needs?|gets?|receives?)\s(.{8,})$")
PERSON = re.compile(r"(?:er|or|ee|ant|ist|person|agent|citizen|member|student|party|resident)$")


def leaning(claims: list[str], rng: random.Random) -> list[tuple[str, str]]:
    """Claims whose subject became a pronoun, each with the claim of the same subject that it leans on. English alone."""
    by_subject: dict[str, list[tuple[str, re.Match]]] = {}
    for claim in claims:
        if found := SUBJECT.match(claim):
            by_subject.setdefault(found[1].lower(), []).append((claim, found))
    out = []
    for same in by_subject.values():
        if len(same) < 2:
            continue
        (before, _), (_, found) = rng.sample(same, 2)
        subject, verb, rest = found.groups()
        plural = verb in ("are", "have", "were", "do") or subject.endswith("s") and not subject.endswith("ss")
        person = PERSON.search(subject) and verb in ("must", "may", "can", "cannot", "will", "shall", "should")
        out.append((f"{'They' if plural or person else 'It'} {verb} {rest}", before))
    return out


def is_arabic(text: str) -> bool:
    return len(ARABIC_LETTER.findall(text)) > 0.3 * len(text)


def without_markup(text: str) -> str:
    text = re.sub(r"\{[^}]*\}|[\[\]`*#]|https?://\S+", "", text)
    return re.sub(r"\s+", " ", text).strip(" .:،,->–")


def in_a_sentence(heading: str, rng: random.Random) -> str:
    """Half of the headings with a small first letter, but for acronyms."""
    return heading[0].lower() + heading[1:] if rng.random() < 0.5 and len(heading) > 1 and not heading[1].isupper() else heading
