"""HTML to PDF with WeasyPrint: `page.py HTML PDF`, in a process of its own."""

import sys

from weasyprint import HTML

HTML(sys.argv[1]).write_pdf(sys.argv[2])
