"""Makes the sample files beside it with the programs that people make such files with.

    pip install python-docx openpyxl && python make.py

The files page.html, suppliers.csv and clauses.en.txt are written by hand.
"""

import datetime
import email.message
import email.policy
import pathlib

import docx
import openpyxl
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

HERE = pathlib.Path(__file__).parent
DAY = datetime.datetime(2026, 1, 1, 9, 30)


def word(name, title, parts, table):
    """A Word text with a title, numbered headings, lists, a table and tracked changes."""
    text = docx.Document()
    text.core_properties.title = title
    text.core_properties.modified = DAY
    text.add_heading(title, 0)
    for level, heading, paragraph, items in parts:
        text.add_heading(heading, level)
        text.add_paragraph(paragraph)
        for item in items:
            text.add_paragraph(item, style="List Number")
    grid = text.add_table(rows=0, cols=len(table[0]))
    for row in table:
        for cell, value in zip(grid.add_row().cells, row, strict=True):
            cell.text = value
    changed = text.add_paragraph("Notice is ")
    changed._p.append(
        parse_xml(
            f"<w:del {nsdecls('w')} w:id='1' w:author='a'><w:r><w:delText>10</w:delText></w:r></w:del>"
        )
    )
    changed._p.append(
        parse_xml(f"<w:ins {nsdecls('w')} w:id='2' w:author='a'><w:r><w:t>15</w:t></w:r></w:ins>")
    )
    changed.add_run(" days.")
    text.sections[0].footer.paragraphs[0].text = "HR-B-04"
    text.save(HERE / name)


def workbook():
    """A workbook with numbers, a date, a percentage, a kept formula and a hidden sheet."""
    book = openpyxl.Workbook()
    book.properties.title = "Rates"
    book.properties.modified = DAY
    rates = book.active
    rates.title = "Rates"
    rates.append(["Item", "Rate", "Share", "From"])
    rates.append(["Crane hour", 1250.5, 0.15, datetime.date(2026, 1, 1)])
    rates.append(["ساعة رافعة", 990, 0.075, datetime.date(2026, 2, 1)])
    rates["B2"].number_format = '#,##0.00 "SAR"'
    for cell in ("C2", "C3"):
        rates[cell].number_format = "0.0%"
    notes = book.create_sheet("ملاحظات")
    notes.append(["تسري الأسعار حتى نهاية السنة."])
    book.create_sheet("Secret").append(["hidden"])
    book["Secret"].sheet_state = "hidden"
    book.save(HERE / "rates.xlsx")


def message(name, subject, body, page, attachment):
    """A message with a body in two forms and an attachment."""
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["From"] = "Huda Salem <huda@barzamar.example>"
    mail["To"] = "Operations <ops@barzamar.example>"
    mail["Date"] = "Thu, 01 Jan 2026 09:30:00 +0300"
    mail["Subject"] = subject
    if body:
        mail.set_content(body)
        mail.add_alternative(page, subtype="html")
    else:
        mail.set_content(page, subtype="html", charset="utf-8")
    if attachment:
        mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename=attachment)
    for part in mail.walk():
        if part.is_multipart():
            part.set_boundary(f"part-{len(part.get_payload())}")
    (HERE / name).write_bytes(bytes(mail))


word(
    "leave.en.docx",
    "Leave policy",
    [
        (1, "Annual leave", "All permanent employees receive 15 days of paid annual leave.", []),
        (2, "Applications", "An application states:", ["the days", "the deputy"]),
    ],
    [("Grade", "Days"), ("A", "15"), ("B", "20")],
)
word(
    "leave.ar.docx",
    "سياسة الإجازات",
    [
        (1, "الإجازة السنوية", "يستحق كل موظف دائم إجازة سنوية مدفوعة مدتها 15 يوماً.", []),
        (2, "الطلبات", "يبيّن الطلب:", ["الأيام", "النائب"]),
    ],
    [("الدرجة", "الأيام"), ("أ", "١٥"), ("ب", "٢٠")],
)
workbook()
message(
    "notice.en.eml",
    "Port closure",
    "Dear all,\n\nThe port is closed on 3 January.\n\n> Is it open?\n",
    "<p>The port is <b>closed</b>.</p>",
    "plan.pdf",
)
message(
    "notice.ar.eml",
    "إغلاق الميناء",
    None,
    "<h1>إغلاق</h1><p>يُغلق الميناء في 3 يناير.</p><p hidden>لا يُقرأ</p>",
    None,
)
CLAUSES = "المادة 1\n\nتبدأ هذه الاتفاقية في 1 مارس 2025 وتستمر ثلاث سنوات.\n\nالمادة 2\n\nيدفع العميل خلال 30 يوماً.\n"
(HERE / "clauses.ar.txt").write_bytes(CLAUSES.encode("cp1256"))
