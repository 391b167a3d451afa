"""The texts of the PDFs: reports and rules in English and Arabic, from templates. The same seed gives the same text."""

from __future__ import annotations

import random

# A block is a heading, a paragraph, an item or the rows of a table.
Block = tuple[str, str | list[list[str]]]

TITLES = {"en": "Harbour and Waterworks: Report of the Year", "ar": "الميناء ومرافق المياه: تقرير السنة"}
HEADINGS = {
    "en": ("Berths and moorings", "Pumping stations", "Water quality", "Tariffs", "Staff training", "Fire safety"),
    "ar": ("الأرصفة والمراسي", "محطات الضخ", "جودة المياه", "التعرفة", "تدريب العاملين", "السلامة من الحريق"),
}
SENTENCES = {
    "en": (
        "In {year} the harbour received {many} vessels, of which {few} were tankers longer than {metres} metres.",
        "The pilot boards every ship above {many} tonnes no later than {few} nautical miles from the breakwater.",
        "Chlorine is kept between 0.{few} and 1.{few} mg/l; samples are taken at {metres} points each week (see annex {few}).",
        "A household that uses less than {metres} cubic metres pays SAR {few}.75 per cubic metre, and {few}% less in Ramadan.",
        "Station No. {few} was out of service for {metres} hours after the flood of 17 November {year}.",
        "The operator keeps the log-book for {few} years and shows it, on request, to the inspector of ISO 9001 audits.",
        "“Nobody enters the valve chamber alone,” says rule {few}.{few}, which has been in force since {year}.",
        "Of {many} smoke detectors, {metres} were replaced; the rest must be tested before 30 June {year}.",
        "Difficult, efficient and final offices were confirmed: fifty staff finished the first course, and {few} the second.",
        "Fees that are paid twice are returned within {metres} days to info{few}@harbour.example or to the bank of the payer.",
    ),
    "ar": (
        "استقبل الميناء في سنة {year} نحو {many} سفينة، منها {few} ناقلات يزيد طولها على {metres} مترًا.",
        "يصعد المرشد إلى كل سفينة تتجاوز حمولتها {many} طن قبل {few} أميال بحرية من كاسر الأمواج.",
        "تُحفظ نسبة الكلور بين 0.{few} و1.{few} ملغ لكل لتر، وتؤخذ العينات من {metres} موقعًا كل أسبوع (انظر الملحق {few}).",
        "تدفع الأسرة التي تستهلك أقل من {metres} مترًا مكعبًا {few}.75 ريال للمتر، مع خصم قدره {few}% في شهر رمضان.",
        "توقفت المحطة رقم {arabic} عن العمل {metres} ساعة بعد سيول ١٧ نوفمبر.",
        "يحتفظ المشغل بسجل التشغيل مدة {few} سنوات ويعرضه عند الطلب على مدقق معيار ISO 9001 المعتمد.",
        "لا يدخل أحد غرفة الصمامات وحده، وذلك وفقًا للقاعدة ({few}) السارية منذ سنة {year}.",
        "استُبدل {metres} كاشفًا للدخان من أصل {many}، ويجب اختبار الباقي قبل 30 يونيو {year}.",
        "أنهى خمسون عاملًا الدورة الأولى، وأنهى {arabic} منهم الدورة الثانية في الإسعافات الأولية.",
        "تُرد الرسوم المدفوعة مرتين خلال {metres} يومًا إلى حساب المصرف المسجل لدى إدارة GIS للبيانات.",
    ),
}
CELLS = {
    "en": (("Station", "Pumps", "Output"), ("North", "South", "Island", "Old quay")),
    "ar": (("المحطة", "المضخات", "الإنتاج"), ("الشمال", "الجنوب", "الجزيرة", "الرصيف القديم")),
}
BULLET = "•"


def blocks(language: str, name: str, sections: int) -> list[Block]:
    """A title and sections, each with paragraphs, a list, and now and then a table."""
    rng = random.Random(f"20261115 {language} {name}")
    made: list[Block] = [("title", TITLES[language])]
    for number in range(1, sections + 1):
        made.append(("heading", f"{number}. {rng.choice(HEADINGS[language])}"))
        for _ in range(rng.randrange(2, 4)):
            made.append(("paragraph", " ".join(sentence(rng, language) for _ in range(rng.randrange(3, 7)))))
        if number % 2:
            made += [("item", f"{BULLET} {sentence(rng, language)}") for _ in range(3)]
        if number % 3 == 0:
            made.append(("table", rows(rng, language)))
    return made


def sentence(rng: random.Random, language: str) -> str:
    few = rng.randrange(2, 10)
    return rng.choice(SENTENCES[language]).format(
        few=few, arabic="٠١٢٣٤٥٦٧٨٩"[few], metres=rng.randrange(11, 99), year=rng.randrange(1990, 2026), many=f"{rng.randrange(1, 90)},{rng.randrange(100, 999)}"
    )


def rows(rng: random.Random, language: str) -> list[list[str]]:
    head, names = CELLS[language]
    return [list(head), *([name, str(rng.randrange(2, 30)), f"{rng.randrange(1, 9)},{rng.randrange(100, 999)}.5"] for name in names)]


def flat(made: list[Block]) -> str:
    """All of it in reading order."""
    return "\n".join("\n".join(" ".join(row) for row in held) if kind == "table" else held for kind, held in made)
