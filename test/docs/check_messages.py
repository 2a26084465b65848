"""usage: check_messages.py SOURCE-FOLDER PAGE: fails if a message that the page explains, in bold at the beginning of a
line, is in no source. Between the parts of a message, "…" stands for names and numbers."""

import pathlib
import re
import sys

source, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folders = ("dialects", "driver", "pipeline", "runtime-stubs", "simulator", "targets", "python")
texts = [
    # Adjacent string literals of C++ and Python on consecutive lines form one string.
    re.sub(r'"\s*\n\s*f?"', "", path.read_text())
    for folder in folders
    for path in (source / folder).rglob("*")
    if path.suffix in (".cpp", ".h", ".td", ".py")
]
# MLIR's own.
upstream = ("using value defined outside the region",)
lines = re.findall(r"^\*\*.*", page.read_text(), re.M)
messages = [message for line in lines for message in re.findall(r"\*\*(.*?)\*\*", line)]
missing = [
    f"{page}: error: no message has '{part}'"
    for message in messages
    if message not in upstream
    for part in re.split(r" ?'?…'? ?", message)
    if part and not any(part.strip() in text for text in texts)
]
print("\n".join(missing) or f"{len(messages)} messages")
sys.exit(1 if missing or len(messages) < 15 else 0)
