"""Writes PDFs of five producers whose words are known: `python make.py FOLDER FONTS`.

FONTS is a folder with Amiri, EB Garamond, IBM Plex Sans, IBM Plex Sans Arabic and Noto Naskh Arabic, regular and
bold (SIL Open Font License), named as the npm packages @expo-google-fonts/* name them. `known.json` holds what was
written. No line ends in a hyphen that the text does not have, and no page has a head or foot.
"""

from __future__ import annotations

import html
import json
import pathlib
import sys

import arabic_reshaper
import fpdf
import pymupdf
import typst
import weasyprint
from bidi.algorithm import get_display
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

import text

SECTIONS = 18
MARGIN = 56
SHAPES = arabic_reshaper.ArabicReshaper({"delete_harakat": False})
SIZES = {"title": 19, "heading": 14, "paragraph": 10.5, "item": 10.5}


def main(folder: pathlib.Path, fonts: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, str] = {}
    for language, name, write in makers(fonts):
        made = text.blocks(language, name, SECTIONS)
        write(made, folder / f"{language}-{name}.pdf")
        known[f"{language}-{name}.pdf"] = text.flat(made)
    (folder / "known.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")


def makers(fonts: pathlib.Path):
    def typeset(language, font, columns):
        return lambda made, path: by_typst(made, path, fonts, (language, font, columns))

    def styled(language, font, columns):
        return lambda made, path: by_weasyprint(made, path, fonts, (language, font, columns))

    yield "en", "typst-plex", typeset("en", "IBM Plex Sans", 1)
    yield "en", "typst-garamond-2", typeset("en", "EB Garamond", 2)
    yield "en", "typst-plex-3", typeset("en", "IBM Plex Sans", 3)
    yield "en", "reportlab-2", by_reportlab
    yield "en", "fpdf-times", lambda made, path: by_fpdf(made, path, None)
    yield "en", "weasyprint-2", styled("en", "EBGaramond", 2)
    yield "en", "pymupdf", lambda made, path: by_pymupdf(made, path, "ltr")
    yield "ar", "typst-amiri", typeset("ar", "Amiri", 1)
    yield "ar", "typst-naskh-2", typeset("ar", "Noto Naskh Arabic", 2)
    yield "ar", "typst-plex", typeset("ar", "IBM Plex Sans Arabic", 1)
    yield "ar", "reportlab-shapes", by_canvas
    yield "ar", "fpdf-amiri", lambda made, path: by_fpdf(made, path, fonts)
    yield "ar", "weasyprint-amiri", styled("ar", "Amiri", 1)
    yield "ar", "weasyprint-naskh-2", styled("ar", "NotoNaskhArabic", 2)
    yield "ar", "pymupdf", lambda made, path: by_pymupdf(made, path, "rtl")


def by_typst(made, path, fonts, look) -> None:
    language, font, columns = look
    way = "rtl" if language == "ar" else "ltr"
    source = [
        f'#set page(paper: "a4", margin: 2cm, columns: {columns})',
        f'#set text(font: ("{font}", "DejaVu Sans"), size: 10.5pt, lang: "{language}", dir: {way}, hyphenate: false)',
        "#set par(justify: true)",
    ]
    for kind, held in made:
        if kind == "table":
            cells = ", ".join(f"[{escaped(cell)}]" for row in held for cell in row)
            source.append(f"#table(columns: 3, {cells})")
        elif kind in ("title", "heading"):
            source.append(f'#text(size: {SIZES[kind]}pt, weight: "bold")[{escaped(held)}]')
        else:
            source.append(escaped(held))
        source.append("")
    typst.compile("\n".join(source).encode(), output=path, font_paths=[fonts])


def escaped(words: str) -> str:
    return "".join(f"\\{ch}" if ch in "\\#$*_`@<>[]/~" else ch for ch in words).replace("\n", " ")


def by_weasyprint(made, path, fonts, look) -> None:
    language, font, columns = look
    faces = "".join(
        f'@font-face {{ font-family: F; font-weight: {weight}; src: url("{(fonts / f"{font}_{file}.ttf").as_uri()}") }}'
        for weight, file in ((400, "400Regular"), (700, "700Bold"))
    )
    style = f"{faces} @page {{ size: A4; margin: 2cm }} body {{ font: 10.5pt F, serif; columns: {columns}; text-align: justify }}"
    style += " h1 { font-size: 19pt } h2 { font-size: 14pt } td { padding: 2pt 8pt; border: 0.5pt solid black } p { margin: 6pt 0 }"
    page = f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"><style>{style}</style><body>{marked_up(made)}</body></html>'
    weasyprint.HTML(string=page).write_pdf(path)


def by_pymupdf(made, path, way) -> None:
    """A story that flows over pages."""
    story = pymupdf.Story(f'<body dir="{way}">{marked_up(made)}</body>', user_css="body { font-size: 10.5pt } h1 { font-size: 19pt } h2 { font-size: 14pt }")
    writer = pymupdf.DocumentWriter(str(path))
    more = True
    while more:
        device = writer.begin_page(pymupdf.paper_rect("a4"))
        more, _ = story.place(pymupdf.paper_rect("a4") + (MARGIN, MARGIN, -MARGIN, -MARGIN))
        story.draw(device)
        writer.end_page()
    writer.close()


def marked_up(made) -> str:
    tags = {"title": "h1", "heading": "h2", "paragraph": "p", "item": "p"}
    parts = []
    for kind, held in made:
        if kind == "table":
            rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in held)
            parts.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
        else:
            parts.append(f"<{tags[kind]}>{html.escape(held)}</{tags[kind]}>")
    return "".join(parts)


def by_reportlab(made, path) -> None:
    """Two frames of justified Helvetica."""
    styles = getSampleStyleSheet()
    looks = {"title": styles["Title"], "heading": styles["Heading2"]}
    body = ParagraphStyle("body", parent=styles["BodyText"], alignment=TA_JUSTIFY)
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    story = [Table(held, style=grid) if kind == "table" else Paragraph(html.escape(held), looks.get(kind, body)) for kind, held in made]
    frames = [Frame(left, 50, 235, 740) for left in (50, 310)]
    document = BaseDocTemplate(str(path), invariant=1)
    document.addPageTemplates(PageTemplate(frames=frames))
    document.build(story)


def by_canvas(made, path) -> None:
    """Arabic as presentation forms in visual order, as many older programs write it."""
    dejavu = pathlib.Path("/usr/share/fonts/truetype/dejavu")
    pdfmetrics.registerFont(TTFont("F", dejavu / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont("FB", dejavu / "DejaVuSans-Bold.ttf"))
    page = canvas.Canvas(str(path), invariant=1)
    right, wide, y = 595 - MARGIN, 595 - 2 * MARGIN, 842 - MARGIN
    for kind, held in made:
        size, font = SIZES.get(kind, 10.5), "FB" if kind in ("title", "heading") else "F"
        drawn = table_lines(held) if kind == "table" else [[(right, line)] for line in wrapped(held, font, size, wide)]
        for line in drawn:
            if y < MARGIN:
                page.showPage()
                y = 842 - MARGIN
            page.setFont(font, size)
            for at, words in line:
                page.drawRightString(at, y, seen(words))
            y -= size * 1.4
        y -= 6
    page.save()


def table_lines(rows):
    return [[(595 - MARGIN - 150 * column, cell) for column, cell in enumerate(row)] for row in rows]


def seen(words: str) -> str:
    return get_display(SHAPES.reshape(words), base_dir="R")


def wrapped(words: str, font: str, size: float, wide: float) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if pdfmetrics.stringWidth(seen(longer), font, size) > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def by_fpdf(made, path, fonts) -> None:
    """English in Times, which every viewer has; Arabic shaped in Amiri."""
    page = fpdf.FPDF(format="A4")
    page.add_page()
    if fonts:
        page.add_font("F", "", fonts / "Amiri_400Regular.ttf")
        page.add_font("F", "B", fonts / "Amiri_700Bold.ttf")
        page.set_text_shaping(True)
    font, align = ("F", "R") if fonts else ("Times", "J")
    for kind, held in made:
        page.set_font(font, "B" if kind in ("title", "heading") else "", SIZES.get(kind, 10.5))
        if kind == "table":
            with page.table(first_row_as_headings=False) as table:
                for row in held:
                    # Cells are laid out from the left.
                    table.row(row[::-1] if fonts else row)
        else:
            words = held if fonts else held.replace("•", "-").replace("“", '"').replace("”", '"')
            page.multi_cell(0, 6, words, align=align, new_x="LMARGIN", new_y="NEXT")
            page.ln(2)
    page.output(path)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
