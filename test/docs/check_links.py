#!/usr/bin/env python3
"""usage: check_links.py SOURCE-FOLDER: fails if a link of a document leads to no file or no heading.

Checks links in brackets, [text](target), of all Markdown files under version control's folders, and that README.md
leads, directly or by other documents, to each document of docs/ and docs/tutorials/. Links to other hosts are not
followed."""

import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def find_anchors(text):
    """The names that a heading has as the target of a link, as GitHub makes them."""
    for heading in HEADING.findall(text):
        yield re.sub(r"[^\w\- ]", "", heading.replace("`", "")).strip().lower().replace(" ", "-")


def find_links(document):
    """The links of a document with their lines, but for those in blocks of code."""
    fenced = False
    for number, line in enumerate(document.read_text().split("\n"), 1):
        fenced ^= line.lstrip().startswith("```")
        if not fenced and not line.startswith("    "):
            yield from ((number, link) for link in LINK.findall(line))


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    patterns = ("*.md", "docs/**/*.md", "samples/**/*.md", "test/**/*.md", ".github/**/*.md")
    documents = sorted(path.resolve() for pattern in patterns for path in source.glob(pattern))
    failures, leads_to = [], {}
    for document in documents:
        name = document.relative_to(source)
        for number, link in find_links(document):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (document.parent / path).resolve() if path else document
            if not target.exists():
                failures.append(f"{name}:{number}: error: there is no {link}")
            elif anchor and anchor not in find_anchors(target.read_text()):
                failures.append(f"{name}:{number}: error: {target.relative_to(source)} has no heading '{anchor}'")
            leads_to.setdefault(document, set()).add(target)
    reached, todo = set(), [source / "README.md"]
    while todo:
        document = todo.pop()
        if document not in reached:
            reached.add(document)
            todo.extend(leads_to.get(document, ()))
    for document in documents:
        if document.parent in (source / "docs", source / "docs" / "tutorials") and document not in reached:
            failures.append(f"{document.relative_to(source)}: error: README.md does not lead here")
    print("\n".join(failures) or f"{len(documents)} documents, all links resolve")
    return 1 if failures or len(documents) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
