"""Makes the PDFs that the reader is tested with: make.py FONTS.

FONTS is a folder with Amiri, EB Garamond and IBM Plex Sans, regular and bold (SIL Open Font License),
as the npm packages @expo-google-fonts/* hold them. Needs arabic-reshaper, fpdf2, python-bidi, reportlab,
typst, and DejaVu Sans. The text beside each file is written by
`UPDATE_EXPECT=1 cargo nextest run -p dalil-documents pdf`, and read before it is kept.
"""

import pathlib
import sys
import textwrap

import arabic_reshaper
import fpdf
import typst
from bidi.algorithm import get_display
from reportlab.lib import colors
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

HERE = pathlib.Path(__file__).resolve().parent
FONTS = pathlib.Path(sys.argv[1])
DEJAVU = pathlib.Path("/usr/share/fonts/truetype/dejavu")

ENGLISH = ('Annual Leave Policy',
 [('h', '1. Purpose'),
  ('p',
   'This policy sets out how annual leave is granted to all employees of the Authority. It applies to permanent '
   'and temporary staff, and it takes effect on 1 January 2026. Offices outside the capital follow the same rules '
   'unless their director has decided otherwise in writing.'),
  ('h', '2. Entitlement'),
  ('p',
   'Every employee is entitled to 15 days of paid leave per year. Employees with more than five years of service '
   'are entitled to 22.5 days. Leave that is not taken may be carried forward, but not more than 10 days (two '
   'working weeks) and not later than 31 March of the following year.'),
  ('p',
   'Unused leave beyond that limit is forfeited, except where the employee was prevented from taking it by '
   'illness, official duty or another reason that the director finds sufficient. A fee of $1,250.75 applies to '
   'late administrative filings.'),
  ('h', '3. Requests'),
  ('i', '• Requests are submitted at least 14 days in advance.'),
  ('i', '• The manager replies within 3 working days.'),
  ('i', '• Urgent requests may be approved by telephone (+971 4 555 0199).'),
  ('p',
   'A well-known difficulty is the classification of half days. The office counts a half day as four hours; '
   'efficient offices finish the workflow in five minutes.')],
 [['Grade', 'Days', 'Notice'],
  ['Junior', '15', '14 days'],
  ['Senior', '22.5', '30 days'],
  ['Director', '30', '60 days in writing']])
ARABIC = ('سياسة الإجازات السنوية',
 [('h', '1. الغرض'),
  ('p',
   'تحدد هذه السياسة كيفية منح الإجازات السنوية لجميع موظفي الهيئة، وتسري على الموظفين الدائمين والمؤقتين اعتبارًا '
   'من 1 يناير 2026. وتطبق المكاتب خارج العاصمة القواعد نفسها ما لم يقرر المدير خلاف ذلك كتابةً.'),
  ('h', '2. الاستحقاق'),
  ('p',
   'يستحق كل موظف إجازة مدفوعة الأجر مدتها 15 يومًا في السنة، ويستحق الموظف الذي تزيد خدمته على خمس سنوات 22.5 '
   'يومًا. ويجوز ترحيل الإجازة غير المستخدمة بما لا يتجاوز 10 أيام (أسبوعا عمل) وفي موعد لا يتجاوز 31 مارس من '
   'السنة التالية.'),
  ('p',
   'تسقط الإجازة غير المستخدمة إلا إذا منع الموظف من أخذها مرض أو مهمة رسمية. وتخضع الأنظمة لمعيار ISO 27001 '
   'ولائحة GDPR الأوروبية، ويبلغ الرسم الإداري 1,250.75 درهم بنسبة 5% سنويًا.'),
  ('h', '3. الطلبات'),
  ('i', '• تقدم الطلبات قبل 14 يومًا على الأقل.'),
  ('i', '• يرد المدير خلال ٣ أيام عمل.'),
  ('p',
   'تحتسب نصف اليوم أربع ساعات وفقًا للمادة (12) من القانون رقم ٤٥ لسنة ٢٠٢٤، ولا يلزم الموظف بتقديم أي مستند '
   'آخر.')],
 [['الدرجة', 'الأيام', 'الإشعار'],
  ['مبتدئ', '15', '14 يومًا'],
  ['أول', '22.5', '30 يومًا'],
  ['مدير', '30', '60 يومًا كتابةً']])


def made_by_typst(name, text, lang, font, columns=1):
    title, blocks, rows = text
    way = "rtl" if lang == "ar" else "ltr"
    source = f'#set page(paper:"a4",margin:2.5cm)\n#set text(font:"{font}",size:11pt,lang:"{lang}",dir:{way})\n'
    source += f'#set par(justify:true)\n#align(center,text(size:20pt,weight:"bold")[{title}])\n#columns({columns})[\n'
    for kind, words in blocks * columns:
        words = words.replace("$", "\\$")
        source += f'\n#text(size:14pt,weight:"bold")[{words}]\n\n' if kind == "h" else f"\n{words}\n\n"
    if columns == 1:
        source += f"#table(columns:{len(rows[0])}," + ",".join(f"[{cell}]" for row in rows for cell in row) + ")\n"
    typst.compile((source + "]\n").encode(), output=HERE / f"{name}.pdf", font_paths=[FONTS])


def made_by_reportlab(name, text, times=1, lock=None):
    title, blocks, rows = text
    styles = getSampleStyleSheet()
    story = [Paragraph(title, styles["Title"])]
    story += [Paragraph(words, styles["Heading2" if kind == "h" else "BodyText"]) for kind, words in blocks * times]
    story.append(Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.grey)]))

    def foot(page, document):
        page.setFont("Helvetica", 8)
        page.drawString(72, 30, f"Authority of Examples - Page {document.page}")

    document = SimpleDocTemplate(str(HERE / f"{name}.pdf"), title=title, encrypt=lock, invariant=1)
    document.build(story, onFirstPage=foot, onLaterPages=foot)


def in_visual_order(name, text):
    title, blocks, _ = text
    pdfmetrics.registerFont(TTFont("DV", DEJAVU / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont("DVB", DEJAVU / "DejaVuSans-Bold.ttf"))
    page = canvas.Canvas(str(HERE / f"{name}.pdf"), invariant=1)
    lines = [(title, "DVB", 18)]
    for kind, words in blocks:
        lines += [(line, "DVB" if kind == "h" else "DV", 13 if kind == "h" else 11) for line in textwrap.wrap(words, 75)]
        lines.append(("", "DV", 4))
    y = 780
    for line, font, size in lines:
        page.setFont(font, size)
        page.drawRightString(540, y, get_display(arabic_reshaper.reshape(line), base_dir="R"))
        y -= size * 1.35
    page.save()


def made_by_fpdf(name, text, font):
    title, blocks, rows = text
    page = fpdf.FPDF()
    page.add_page()
    page.add_font("F", "", FONTS / f"{font}_400Regular.ttf")
    page.add_font("F", "B", FONTS / f"{font}_700Bold.ttf")
    page.set_text_shaping(True)
    page.set_font("F", "B", 18)
    page.multi_cell(0, 10, title, align="C", new_x="LMARGIN", new_y="NEXT")
    for kind, words in blocks:
        page.set_font("F", "B" if kind == "h" else "", 13 if kind == "h" else 11)
        page.multi_cell(0, 6, words, align="R", new_x="LMARGIN", new_y="NEXT")
        page.ln(2)
    page.set_font("F", "", 11)
    with page.table() as table:
        for row in rows:
            line = table.row()
            for cell in row:
                line.cell(cell)
    page.output(HERE / f"{name}.pdf")


def hand(path):
    """Two pages with what producers seldom write."""
    one = b"""BT /F 11 Tf 1 0 0 1 72 500 Tm (This page is turned by a quarter.) Tj
0 -16 Td (It was signed after 45 days) Tj ET
BT /F 7 Tf 1 0 0 1 213 488 Tm (1) Tj ET
BT /F 11 Tf 1 0 0 1 220 484 Tm (by the director.) Tj ET
/Span << /ActualText (office) >> BDC BT /F 11 Tf 72 460 Td (oXce) Tj ET EMC"""
    two = b"""BT /F 11 Tf 72 700 Td (Seen by everybody.) Tj ET
BT 3 Tr /F 11 Tf 72 680 Td (Hidden from the eye.) Tj ET
BT 0 Tr /F 0.5 Tf 72 660 Td (Too small.) Tj ET
BT /F 11 Tf 0 1 -1 0 300 400 Tm (Up the side) Tj ET
q 0.7071 0.7071 -0.7071 0.7071 100 100 cm BT /F 30 Tf 0 0 Td (DRAFT) Tj ET Q"""
    three = b"q 100 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R 6 0 R 8 0 R] /Count 3 /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    for n, (extra, data) in enumerate([(b"/Rotate 90", one), (b"", two), (b"", three)]):
        objects.append(b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R >>" % (extra, 5 + 2 * n))
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data))
    objects.append(b"<< /Title (By hand) /CreationDate (D:20251231235959Z) >>")
    file = b"%PDF-1.4\n"
    places = []
    for n, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer\n<< /Root 1 0 R /Info %d 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects), len(objects) + 1, start)
    open(path, "wb").write(file)


def main():
    made_by_typst("typst_en", ENGLISH, "en", "IBM Plex Sans")
    made_by_typst("typst_en_cols", ENGLISH, "en", "EB Garamond", columns=2)
    made_by_typst("typst_ar", ARABIC, "ar", "Amiri")
    made_by_typst("typst_ar_cols", ARABIC, "ar", "Amiri", columns=2)
    made_by_reportlab("reportlab_en_long", ENGLISH, times=4)
    made_by_reportlab("reportlab_en_locked", ENGLISH, lock=StandardEncryption("", ownerPassword="owner"))
    made_by_reportlab("reportlab_en_secret", ENGLISH, lock=StandardEncryption("secret", ownerPassword="owner"))
    in_visual_order("reportlab_ar", ARABIC)
    made_by_fpdf("fpdf_ar", ARABIC, "Amiri")
    hand(HERE / "made_by_hand.pdf")


if __name__ == "__main__":
    main()
