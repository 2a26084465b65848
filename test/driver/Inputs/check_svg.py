#!/usr/bin/env python3
"""Checks that the drawings in a file are well-formed.

Usage: check_svg.py FILE [CELLS]

Every <svg> in FILE must be well-formed XML, and there must be at least one. With
CELLS, this must be the total number of cells.
"""

import re
import sys
import xml.dom.minidom

with open(sys.argv[1]) as file:
    drawings = re.findall(r"<svg.*?</svg>", file.read(), re.S)
cells = 0
for drawing in drawings:
    document = xml.dom.minidom.parseString(drawing)
    cells += len(document.getElementsByTagName("title"))
if not drawings:
    sys.exit("no drawing")
if len(sys.argv) > 2 and cells != int(sys.argv[2]):
    sys.exit(f"{cells} cells")
