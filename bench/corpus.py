"""Writes a corpus of 200 pages and an answer about it. The same seed gives the same text.

Contracts and policies in English and Arabic, as Markdown and as PDF. Run with PyMuPDF: `python corpus.py FOLDER`.
A page of Markdown is 2,000 characters.
"""

from __future__ import annotations

import pathlib
import random
import sys

import pymupdf

SEED = 20261115
PAGE = 2_000
# How many documents, of ten pages each, in each language and form.
SHARES = (("en", "pdf", 10), ("ar", "pdf", 4), ("en", "md", 4), ("ar", "md", 2))
PAGES = 10
STYLE = "body { font-size: 10pt; } h1 { font-size: 18pt; } h2 { font-size: 13pt; }"

TITLES = {
    "en": ("Maintenance Agreement", "Leave Policy", "Supply Agreement", "Procurement Policy", "Lease", "Travel Policy"),
    "ar": ("اتفاقية الصيانة", "سياسة الإجازات", "اتفاقية التوريد", "سياسة المشتريات", "عقد الإيجار", "سياسة السفر"),
}
HEADINGS = {
    "en": ("Term", "Payment", "Termination", "Confidentiality", "Liability", "Notices", "Approval", "Records"),
    "ar": ("المدة", "الدفع", "الإنهاء", "السرية", "المسؤولية", "الإشعارات", "الموافقة", "السجلات"),
}
CLAUSES = {
    "en": (
        "The {party} shall pay each undisputed invoice within {days} days of its receipt, by transfer to the account named in Schedule {n}.",
        "The {party} may end this document by giving {days} days' written notice if the other party does not cure a breach within {n} days.",
        "The total liability of the {party} in any contract year does not exceed SAR {amount},000, except for wilful misconduct.",
        "An employee of grade {n} is entitled to {days} working days of leave in each calendar year, of which {n} may be carried over.",
        "A purchase above SAR {amount},000 requires the approval of the finance director and {n} written offers.",
        "The {party} keeps all records of the work for {n} years after the last payment and shows them to the auditor on request.",
        "The discount is {n} percent when more than {amount} units are ordered in one quarter.",
        "Notices are sent in writing to the head office of the {party} and take effect {n} days after they are posted.",
    ),
    "ar": (
        "يسدد {party} كل فاتورة غير متنازع عليها خلال {days} يوما من تاريخ استلامها بالتحويل إلى الحساب المبين في الملحق {n}.",
        "يجوز أن ينهي {party} هذه الوثيقة بإشعار خطي مدته {days} يوما إذا لم يعالج الطرف الآخر الإخلال خلال {n} أيام.",
        "لا تتجاوز مسؤولية {party} في أي سنة تعاقدية مبلغ {amount},000 ريال إلا في حالة الخطأ المتعمد.",
        "يستحق الموظف من الدرجة {n} إجازة قدرها {days} يوم عمل في كل سنة ميلادية ويجوز ترحيل {n} أيام منها.",
        "يتطلب الشراء بما يزيد على {amount},000 ريال موافقة المدير المالي و{n} عروض مكتوبة.",
        "يحتفظ {party} بجميع سجلات العمل لمدة {n} سنوات بعد آخر دفعة ويعرضها على المراجع عند الطلب.",
        "يبلغ الخصم {n} في المئة عند طلب أكثر من {amount} وحدة في ربع سنة واحد.",
        "ترسل الإشعارات كتابة إلى مقر {party} الرئيسي وتسري بعد {n} أيام من إرسالها.",
    ),
}
PARTIES = {
    "en": ("Contractor", "Client", "Supplier", "Landlord", "Tenant", "Company"),
    "ar": ("المقاول", "العميل", "المورد", "المؤجر", "المستأجر", "الشركة"),
}

Section = tuple[str, list[str]]


def main(folder: pathlib.Path) -> None:
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    claims: dict[str, list[str]] = {"en": [], "ar": []}
    for language, form, count in SHARES:
        for n in range(count):
            rng = random.Random(f"{SEED} {language} {form} {n}")
            title = f"{rng.choice(TITLES[language])} {n + 1}"
            sections = write_sections(rng, language)
            path = folder / "docs" / f"{language}-{n + 1:02}.{form}"
            if form == "pdf":
                write_pdf(path, title, sections, language)
            else:
                path.write_text(markdown(title, sections), encoding="utf-8")
            claims[language].append(rng.choice(rng.choice(sections)[1]))
    (folder / "answer.md").write_text(answer(claims), encoding="utf-8")


def write_sections(rng: random.Random, language: str) -> list[Section]:
    """Sections until there are ten pages of text."""
    sections: list[Section] = []
    size = 0
    while size < PAGES * PAGE:
        heading = f"{len(sections) + 1}. {rng.choice(HEADINGS[language])}"
        clauses = [clause(rng, language) for _ in range(rng.randrange(5, 9))]
        size += len(heading) + sum(map(len, clauses))
        sections.append((heading, clauses))
    return sections


def clause(rng: random.Random, language: str) -> str:
    return rng.choice(CLAUSES[language]).format(
        party=rng.choice(PARTIES[language]), days=rng.randrange(10, 120, 5), n=rng.randrange(2, 10), amount=rng.randrange(20, 900, 10)
    )


def markdown(title: str, sections: list[Section]) -> str:
    parts = [f"# {title}"]
    for heading, clauses in sections:
        parts += [f"## {heading}", *clauses]
    return "\n\n".join(parts) + "\n"


def write_pdf(path: pathlib.Path, title: str, sections: list[Section], language: str) -> None:
    """Pages of like size, each laid out from HTML, so that Arabic is shaped and runs from the right."""
    direction = "rtl" if language == "ar" else "ltr"
    blocks = [f"<h1>{title}</h1>"]
    for heading, clauses in sections:
        blocks += [f"<h2>{heading}</h2>", *(f"<p>{one}</p>" for one in clauses)]
    document = pymupdf.open()
    per_page = -(-len(blocks) // PAGES)
    for start in range(0, len(blocks), per_page):
        page = document.new_page(width=595, height=842)
        html = f'<body dir="{direction}">{"".join(blocks[start : start + per_page])}</body>'
        page.insert_htmlbox(pymupdf.Rect(50, 50, 545, 792), html, css=STYLE)
    document.subset_fonts()
    document.save(path, garbage=3, deflate=True, no_new_id=True)


def answer(claims: dict[str, list[str]]) -> str:
    """Ten claims: three in four stand in the corpus, the others have another number."""
    chosen = [*claims["en"][:8], *claims["ar"][:2]]
    changed = [one.replace("0 ", "5 ", 1) if n % 4 == 3 else one for n, one in enumerate(chosen)]
    return "\n\n".join(changed) + "\n"


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
