"""Claims of several sentences over several premises, talk between speakers, and small documents from templates."""
import random

import edits

JOINT = {"mnli": 3, "docnli_fever": 3, "halueval_qa": 0.7, "rte": 1.5, "scitail": 0.5, "conjnli": 1, "foolmetwice": 1, "contractnli": 1.2, "cg2c_doc": 1.5, "begin": 0.7, "snli": 1.5, "docnli_mctest": 1.2, "commitment_bank": 0.3}
CAPTIONS = {"snli", "mpe", "joci", "add_one_rte"}
PEOPLE = "Ann Ben Carla David Emma Frank Gail Hassan Irene Jack Kate Liam Mona Noah Olivia Peter Rania Sam Tina Umar Vera Will Yusuf Zoe Fatima Omar Layla Khalid Sara Ahmed Nora Tom Lucy Mark Julia Paul".split()
ROLES = ["Project Manager", "Marketing", "User Interface", "Professor C", "PhD F", "The chair", "Host", "Guest", "Agent", "Customer", "Speaker 1", "Speaker 2", "Councillor Reed", "Analyst", "CEO", "Interviewer"]
SAY = ["says that", "said that", "mentions that", "mentioned that", "explains that", "thinks that", "tells the others that", "believes that", "points out that", "reported that"]


def lower(claim: str) -> str:
    first = claim.split(" ", 1)[0]
    return claim[:1].lower() + claim[1:] if first in ("The", "A", "An", "There", "It", "He", "She", "They", "We", "People", "Some", "All", "No", "This", "That", "In", "At", "His", "Her", "Their", "You", "Everyone", "Nobody", "One", "Two") else claim


def label_of(ys: list[int], captions: bool) -> int:
    if not any(ys):
        return 0
    if 3 in ys or (1 in ys and 2 in ys) or (2 in ys and captions):
        return 3
    return 2 if 2 in ys else 1


def bundle(rows: dict[str, list[dict]], supported: dict[str, list[dict]], groups: dict[str, list[list[dict]]], rng: random.Random) -> tuple[str, str, int] | None:
    """A document of several premises and a claim made of one to three of their claims: supported only if each is."""
    name = rng.choices(list(JOINT), list(JOINT.values()))[0]
    code = {"supported": 0, "neutral": 1, "contradicted": 2, "unsupported": 3}
    if groups[name] and rng.random() < 0.35:
        group = rng.choice(groups[name])
        picked = rng.sample(group, min(len(group), rng.randint(2, 3)))
        docs, used = [(None, picked[0]["premise"])], [(None, r["claim"], code[r["label"]], r["premise"]) for r in picked]
        talk = False
    else:
        k = rng.randint(2, 5)
        m = rng.choice([1, 2, 2, 2, 3, 3][: 2 * k])
        m = min(m, k)
        picked = rng.sample(supported[name], m) + [rng.choice(rows[name]) for _ in range(k - m)]
        spoilt = rng.random() < 0.5
        if spoilt and rng.random() < 0.55:
            picked[rng.randrange(m)] = rng.choice(rows[name])
        talk = rng.random() < {"mnli": 0.6, "snli": 0.4, "contractnli": 0.0, "cg2c_doc": 0.1}.get(name, 0.25)
        cast = rng.sample(PEOPLE, rng.randint(2, 3)) if rng.random() < 0.65 else rng.sample(ROLES, rng.randint(2, 4))
        who = [rng.choice(cast) if talk else None for _ in picked]
        used = [(w, r["claim"], code[r["label"]], r["premise"]) for w, r in list(zip(who, picked))[:m]]
        docs = [(w, r["premise"]) for w, r in zip(who, picked)]
        rng.shuffle(docs)
        rng.shuffle(used)
        if spoilt and not any(u[2] for u in used):
            at = rng.randrange(m)
            w, claim, y, premise = used[at]
            if talk and rng.random() < 0.3:
                used[at] = (rng.choice([c for c in cast if c != w]), claim, 3, premise)
            elif out := edits.spoil(claim, premise + " " + docs[0][1], rng):
                used[at] = (w, out[0], out[1] if m == 1 else 3, premise)
    doc = ("\n" if talk or rng.random() < 0.3 else " ").join(f"{w}: {p}" if w else p for w, p in docs)
    said = []
    for w, claim, y, _ in used:
        if y == 0 and rng.random() < 0.2:
            claim = edits.agree(claim, rng) or claim
        claim = claim.strip()
        if w and (rng.random() < 0.8 or y == 3):
            claim = f"{'The ' if rng.random() < 0.5 and w in ROLES[:3] else ''}{w} {rng.choice(SAY)} {lower(claim)}"
        said.append(claim)
    if len(said) > 1 and rng.random() < 0.3:
        joint = rng.choice([", and ", ", while ", " and "])
        claim = said[0].rstrip(". ") + joint + lower(said[1]) + "".join(" " + s for s in said[2:])
    else:
        claim = " ".join(s if s.endswith((".", "!", "?", '"')) else s + "." for s in said)
    return doc, claim, label_of([u[2] for u in used], name in CAPTIONS)


FIRMS = "Alpha Borealis Cobalt Delmar Everline Falcon Gulfstone Harbor Indus Juniper Kestrel Lumen Meridian Najd Orion Palmyra Quartz Redwood Sadara Tamam Umbra Vertex Westbrook Yamama Zenith".split()
SUBJECTS = [[f"grade {i} employees" for i in range(1, 10)], [f"department {c}" for c in "ABCDEFGH"], [f"{f} Ltd" for f in FIRMS], [f"the {c} office" for c in "Riyadh Jeddah Dammam London Cairo Dubai Paris Boston Amman Doha".split()],
            [f"lot {i}" for i in range(1, 20)], ["managers", "engineers", "interns", "contractors", "part-time staff", "full-time staff", "drivers", "nurses", "teachers"], [f"the {c} team" for c in "sales legal finance support design audit research".split()], PEOPLE,
            ["the tenant", "the landlord", "the supplier", "the buyer", "the contractor", "the agent", "the lender", "the borrower"], [f"phase {i}" for i in range(1, 8)]]
FREQ = ["every day", "once a week", "twice a month", "once a month", "every two months", "once a quarter", "twice a year", "once a year", "every two years"]
FACTS = [("{s} {get} {v} days of annual leave", "the annual leave of {s} is {v} days", lambda r: str(r.randint(5, 45))), ("the fee for {s} is {v} riyals", "{s} {cost} {v} riyals", lambda r: f"{r.randint(1, 99) * 50:,}"), ("the budget of {s} was ${v} million in 2023", "in 2023, {s} had a budget of ${v} million", lambda r: str(r.randint(1, 90))),
         ("{s} must submit a report {v}", "a report is due from {s} {v}", lambda r: r.choice(FREQ)), ("{s} must be inspected {v}", "an inspection of {s} takes place {v}", lambda r: r.choice(FREQ)), ("the deadline for {s} is {v}", "{s} must finish by {v}", lambda r: f"{r.randint(1, 28)} {r.choice(edits.MONTHS)} {r.randint(2019, 2026)}"),
         ("the notice period for {s} is {v} days", "{s} must give {v} days' notice", lambda r: str(r.choice([7, 10, 14, 15, 20, 30, 45, 60, 90, 120]))), ("revenue from {s} rose by {v}%", "{s} had revenue growth of {v} percent", lambda r: str(r.randint(2, 60))), ("{s} {work} from the {v}", "the workplace of {s} is the {v}", lambda r: r.choice(["head office", "warehouse", "north building", "client's site", "main campus", "new annex"])),
         ("{s} reports to {v}", "the superior of {s} is {v}", lambda r: r.choice(PEOPLE)), ("{s} may claim up to {v} dollars", "the most that {s} can claim is {v} dollars", lambda r: f"{r.randint(2, 80) * 100:,}"), ("{s} opened in {v}", "{v} is the year in which {s} opened", lambda r: str(r.randint(1950, 2024)))]
RELATIONS = [("is older than", "is younger than"), ("is taller than", "is shorter than"), ("reports to", "manages"), ("acquired", "was acquired by"), ("sold the land to", "bought the land from"), ("shall indemnify", "shall be indemnified by"), ("lent money to", "borrowed money from"), ("defeated", "lost to"), ("taught", "was taught by"),
             ("owes rent to", "is owed rent by"), ("sued", "was sued by"), ("hired", "was hired by"), ("signed the contract on behalf of", "had the contract signed for it by"), ("pays a commission to", "receives a commission from"), ("earns more than", "earns less than"), ("joined before", "joined after"), ("is a supplier of", "is supplied by"),
             ("must notify", "must be notified by"), ("gave the book to", "got the book from"), ("criticized", "was criticized by"), ("arrived before", "arrived after"), ("is larger than", "is smaller than")]
ACTS = ["smoke in the building", "share the report", "work from home", "leave the site", "use the archive", "sign contracts", "enter the laboratory", "hire staff", "accept gifts", "terminate the agreement", "copy the files", "sublet the flat", "carry leave over", "vote", "park in the yard", "disclose the data"]


def template(rng: random.Random) -> tuple[str, str, int]:
    """A small document of sentences of one shape, a claim and its label."""
    way = rng.random()
    say = lambda s: s[:1].upper() + s[1:] + "."
    if way < 0.45:
        group, (one, other, value) = rng.choice(SUBJECTS), rng.choice(FACTS)
        who = rng.sample(group, rng.randint(2, 5))
        plural = who[0].endswith("s") and not who[0].startswith("the")
        words = {"get": "get" if plural else "gets", "cost": "cost" if plural else "costs", "work": "work" if plural else "works"}
        fill = lambda t, s, v: say(t.format(s=s, v=v, **words))
        values = {s: value(rng) for s in who}
        absent = who[0] if rng.random() < 0.25 else None
        shape = rng.choice([one, other])
        doc = [fill(shape if rng.random() < 0.8 else one, s, values[s]) for s in who if s != absent]
        rng.shuffle(doc)
        asked = absent or rng.choice(who)
        claim_shape = rng.choice([one, other])
        if absent:
            return " ".join(doc), fill(claim_shape, asked, rng.choice([values[rng.choice(who)], value(rng)])), 1
        if rng.random() < 0.5:
            return " ".join(doc), fill(claim_shape, asked, values[asked]), 0
        wrong = [v for v in [values[s] for s in who if s != asked] * 2 + [value(rng)] if v != values[asked]]
        return " ".join(doc), fill(claim_shape, asked, rng.choice(wrong)) if wrong else fill(claim_shape, asked, values[asked]), 2 if wrong else 0
    if way < 0.7:
        a, b, c, d = rng.sample(PEOPLE if rng.random() < 0.6 else [f"{f} Ltd" for f in FIRMS], 4)
        there, back = rng.choice(RELATIONS)
        doc = [f"{a} {there} {b}." if rng.random() < 0.6 else f"{b} {back} {a}."]
        if rng.random() < 0.5:
            x, y = rng.choice(RELATIONS)
            doc.insert(rng.randint(0, 1), f"{c} {x} {d}." if x != there else f"{c} lives near {d}.")
        kind = rng.random()
        if kind < 0.45:
            return " ".join(doc), rng.choice([f"{a} {there} {b}.", f"{b} {back} {a}."]), 0
        if kind < 0.85:
            return " ".join(doc), rng.choice([f"{b} {there} {a}.", f"{a} {back} {b}."]), 2
        return " ".join(doc), rng.choice([f"{a} {there} {c}.", f"{d} {there} {b}.", f"{c} {back} {a}."]), 1
    if way < 0.88:
        s, other = rng.sample(rng.choice(SUBJECTS[5:7] + SUBJECTS[8:9]), 2)
        act, else_ = rng.sample(ACTS, 2)
        be = "are" if s.endswith("s") and not s.startswith("the") else "is"
        can, no, must = [f"{s} may {act}", f"{s} {be} allowed to {act}", f"{s} can {act}", f"{s} {be} permitted to {act}"], [f"{s} may not {act}", f"{s} must not {act}", f"{s} {be} not allowed to {act}", f"{s} {be} forbidden to {act}", f"{s} {be} prohibited from any attempt to {act}"], [f"{s} must {act}", f"{s} {be} required to {act}", f"{s} {'have' if be == 'are' else 'has'} to {act}"]
        only = [f"only {s} may {act}", f"no one except {s} may {act}", f"nobody but {s} {be} allowed to {act}"]
        said, claim, y = rng.choice([(can, can, 0), (no, no, 0), (must, must, 0), (no, no, 0), (only, only, 0), (can, no, 2), (no, can, 2), (must, no, 2), (no, must, 2), (can, must, 3), (only, can, 0), (only, [f"{other} may {act}", f"everyone may {act}"], 2), (can, only, 3),
                                     (can, [f"{other} may {act}", f"{s} may {else_}"], 1), (no, [f"{other} may not {act}", f"{s} may not {else_}"], 1), (no, [f"it is true that {n}" for n in no], 0), (no, [f"it is not true that {c}" for c in can], 0), (can, [f"it is not true that {c}" for c in can], 2)])
        return say(rng.choice(said)), say(rng.choice(claim)), y
    n, step, unit = rng.randint(3, 90), rng.randint(1, 20), rng.choice(["days", "hours", "employees", "pages", "riyals", "members", "kilometers", "years of experience"])
    what = rng.choice(["the course needs", "the contract requires", "the team has", "the visa allows", "the plan covers", "the rule sets"])
    low, high = [f"at least {n}", f"no fewer than {n}", f"a minimum of {n}", f"{n} or more"], [f"at most {n}", f"no more than {n}", f"a maximum of {n}", f"up to {n}", f"not more than {n}"]
    said, claim, y = rng.choice([(low, low, 0), (high, high, 0), (low, high, 3), (high, low, 3), (low, [f"fewer than {max(1, n - step)}", f"no more than {max(1, n - step)}"], 2), (high, [f"more than {n + step}", f"at least {n + step}"], 2), (low, [f"exactly {n + step}", f"at least {n + step}"], 3), (high, [f"at most {n + step + 1}"], 0)])
    return say(f"{what} {rng.choice(said)} {unit}"), say(f"{what} {rng.choice(claim)} {unit}"), y
