#!/usr/bin/env python3
"""Reads PDFs and says which rules of PDF/A-3a (ISO 19005-3) they break, one line each; nothing when none.

    suite/press/archive.py FILE…

It knows nothing of the program that wrote them. It checks what can be checked without drawing a page: the file and
its trailer, metadata, colour, typefaces and every glyph that is shown, actions, annotations, attachments, and that
all of the text is tagged or marked as an artifact. Needs pikepdf.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pikepdf
from pikepdf import Name

XMP = {
    "part": "{http://www.aiim.org/pdfa/ns/id/}part",
    "conformance": "{http://www.aiim.org/pdfa/ns/id/}conformance",
    "ua": "{http://www.aiim.org/pdfua/ns/id/}part",
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "creator": "{http://ns.adobe.com/xap/1.0/}CreatorTool",
}
ACTIONS = ("/GoTo", "/URI", "/Named", "/GoToE", "/Thread", "/SubmitForm")
SHOWS = ("Tj", "TJ", "'", '"')


def main(paths: list[str]) -> int:
    broken = [f"{path}: {problem}" for path in paths for problem in problems(path)]
    print("\n".join(broken), end="\n" if broken else "")
    return 1 if broken else 0


def problems(path: str) -> Iterator[str]:
    raw = open(path, "rb").read()
    yield from file(raw)
    with pikepdf.open(path) as pdf:
        yield from trailer(pdf)
        yield from metadata(pdf)
        yield from catalog(pdf)
        yield from objects(pdf)
        yield from attachments(pdf)
        for number, page in enumerate(pdf.pages, 1):
            for problem in sheet(page):
                yield f"page {number}: {problem}"


def file(raw: bytes) -> Iterator[str]:
    """6.1.2, 6.1.3: the header, a line of high bytes after it, and nothing after the end."""
    lines = raw.split(b"\n", 2)
    if not re.fullmatch(rb"%PDF-1\.[0-7]", lines[0]):
        yield f"6.1.2: the header is {lines[0]!r}"
    if not re.match(rb"%[\x80-\xff]{4}", lines[1]):
        yield "6.1.2: no line of high bytes after the header"
    if not re.search(rb"%%EOF[\r\n]?\Z", raw):
        yield "6.1.3: something stands after the end of the file"


def trailer(pdf: pikepdf.Pdf) -> Iterator[str]:
    if "/ID" not in pdf.trailer:
        yield "6.1.3: no ID"
    if pdf.is_encrypted:
        yield "6.1.3: encrypted"


def metadata(pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.6: the packet is plain, says what the file is, and agrees with the information dictionary."""
    if "/Metadata" not in pdf.Root:
        yield "6.6.2: no metadata"
        return
    if "/Filter" in pdf.Root.Metadata:
        yield "6.6.2: the metadata is filtered"
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as found:
        for name, value in (("part", "3"), ("conformance", "A"), ("ua", "1")):
            if found.get(XMP[name]) != value:
                yield f"6.6.4: {name} is {found.get(XMP[name])!r}, not {value!r}"
        title, creator = found.get(XMP["title"]), found.get(XMP["creator"])
    if not title:
        yield "6.6.3: no title"
    if "/Info" in pdf.trailer:
        info = pdf.trailer.Info
        for key, value in (("/Title", title), ("/Creator", creator)):
            if key in info and str(info[key]) != value:
                yield f"6.6.3: {key} differs between metadata and information"


def catalog(pdf: pikepdf.Pdf) -> Iterator[str]:
    root = pdf.Root
    if not root.get("/MarkInfo", {}).get("/Marked"):
        yield "6.7.2: not marked as tagged"
    if "/StructTreeRoot" not in root:
        yield "6.7.3: no structure"
    if not re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", str(root.get("/Lang", ""))):
        yield "6.7.4: no language"
    for key in ("/AA", "/Requirements", "/NeedsRendering"):
        if key in root:
            yield f"6.5: {key} in the catalog"
    if "/JavaScript" in root.get("/Names", {}):
        yield "6.5.1: scripts"
    intents = [one for one in root.get("/OutputIntents", []) if one.S == Name.GTS_PDFA1]
    if len(intents) != 1 or "/DestOutputProfile" not in intents[0]:
        yield "6.2.3: no output intent with a profile"
    elif int(intents[0].DestOutputProfile.N) != 3:
        yield "6.2.3: the profile is not for three colours"


def objects(pdf: pikepdf.Pdf) -> Iterator[str]:
    """What may not be anywhere, and what every typeface and annotation must have."""
    for one in pdf.objects:
        if isinstance(one, pikepdf.Stream):
            if "/LZWDecode" in str(one.get("/Filter", "")):
                yield "6.1.7: LZW"
            if "/F" in one or "/FFilter" in one:
                yield "6.1.7: a stream outside the file"
            if one.get("/Subtype") == Name.Image and one.get("/Interpolate"):
                yield "6.2.8: an image asks to be smoothed"
            if one.get("/Subtype") == Name.PS:
                yield "6.2.9: PostScript"
        if not isinstance(one, (pikepdf.Dictionary, pikepdf.Stream)):
            continue
        kind, sub = one.get("/Type"), one.get("/Subtype")
        if kind == Name.Action and str(one.get("/S")) not in ACTIONS:
            yield f"6.5.1: an action {one.get('/S')}"
        if kind == Name.Annot:
            flags = int(one.get("/F", 0))
            if sub != Name.Popup and flags & 0b1110_0111 != 0b100:
                yield f"6.3.2: an annotation with flags {flags}"
            if sub == Name.Link and not str(one.get("/Contents", "")):
                yield "7.18.5 of PDF/UA: a link without a description"
        if kind == Name.Font:
            yield from typeface(one)
        if kind == Name.FontDescriptor and not any(f"/FontFile{n}" in one for n in ("", 2, 3)):
            yield f"6.2.11.4: {one.get('/FontName')} is not embedded"


def typeface(font: pikepdf.Object) -> Iterator[str]:
    name = font.get("/BaseFont", "?")
    if font.Subtype == Name.Type0:
        if "/ToUnicode" not in font:
            yield f"6.2.11.7: {name} has no way to Unicode"
        if font.Encoding not in (Name("/Identity-H"), Name("/Identity-V")):
            yield f"6.2.11.3: {name} has the encoding {font.Encoding}"
    elif font.Subtype == Name.CIDFontType2 and font.get("/CIDToGIDMap") != Name.Identity:
        yield f"6.2.11.3: {name} has no map of glyphs"


def attachments(pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.8: every attached file says what it is, and belongs to something."""
    listed = {str(one.UF) for one in pdf.Root.get("/AF", [])}
    for name, spec in pikepdf.NameTree(pdf.Root.Names.EmbeddedFiles).items() if "/Names" in pdf.Root else ():
        for key in ("/F", "/UF", "/AFRelationship", "/EF", "/Desc"):
            if key not in spec:
                yield f"6.8: {name} has no {key}"
        if not str(spec.EF.F.get("/Subtype", "")):
            yield f"6.8: {name} has no type"
        if "/ModDate" not in spec.EF.F.get("/Params", {}):
            yield f"6.8: {name} has no date"
        if str(name) not in listed:
            yield f"6.8: {name} belongs to nothing"


def sheet(page: pikepdf.Page) -> Iterator[str]:
    """Every glyph is one that the typeface has and that Unicode knows; every text is tagged or an artifact."""
    fonts = page.obj.get("/Resources", {}).get("/Font", {})
    known = {name: codes(font) for name, font in fonts.items()}
    marked, states, font = [], [], None
    for operands, operator in pikepdf.parse_content_stream(page):
        op = str(operator)
        if op in ("BDC", "BMC"):
            marked.append(op == "BDC" and "/MCID" in operands[1] or operands[0] == Name.Artifact)
        elif op == "EMC":
            marked.pop()
        elif op == "q":
            states.append(font)
        elif op == "Q":
            font = states.pop()
        elif op == "Tf":
            font = str(operands[0])
        elif op in SHOWS:
            if not any(marked):
                yield "6.7.3: text that is neither tagged nor an artifact"
            shown = operands[-1]
            pieces = [bytes(one) for one in shown if isinstance(one, pikepdf.String)] if op == "TJ" else [bytes(shown)]
            for code in (piece[n : n + 2] for piece in pieces for n in range(0, len(piece), 2)):
                if code == b"\0\0":
                    yield f"6.2.11.8: a glyph that {font} does not have"
                elif code not in known.get(font, ()):
                    yield f"6.2.11.7: a glyph of {font} without a character"
        if len(states) > 28:
            yield "6.1.13: states nested deeper than 28"
    if marked or states:
        yield "6.2.2: marks or states that are never closed"


def codes(font: pikepdf.Object) -> set[bytes]:
    """The glyphs that a typeface maps to characters."""
    text = font.ToUnicode.read_bytes().decode("latin-1")
    found: set[bytes] = set()
    for block in re.findall(r"beginbfchar(.*?)endbfchar", text, re.S):
        found.update(bytes.fromhex(one) for one in re.findall(r"<([0-9A-Fa-f]+)>\s*<[0-9A-Fa-f]*>", block))
    for block in re.findall(r"beginbfrange(.*?)endbfrange", text, re.S):
        for low, high in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*[<\[]", block):
            found.update(n.to_bytes(2, "big") for n in range(int(low, 16), int(high, 16) + 1))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
