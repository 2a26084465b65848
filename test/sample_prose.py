#!/usr/bin/env python3
"""Draws random comments, messages and paragraphs, for a review of the wording.

    sample_prose.py [--count N] [--seed N] [--kind KIND]... [PATH...]

Prints N pieces of each kind with their file and line: `comment` (of C++, TableGen
and Python), `description` (of ops, attributes, passes and options), `message`
(texts of diagnostics) and `paragraph` (of the documents). A reader who does not
know the project should understand each at the first reading.
"""

import argparse
import ast
import io
import pathlib
import random
import re
import subprocess
import tokenize

from untested_messages import REPORTERS, STRING, blank_comments, find_end

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+", re.M)
TRAILING_COMMENT = re.compile(r"[;,{}] +//[^\n]*")
DESCRIPTION = re.compile(r"let (?:description|summary) = (?:\[\{(.*?)\}\]|\"(.*?)\");", re.S)
EXAMPLE = re.compile(r"^ *```.*?^ *```$", re.S | re.M)
BOILERPLATE = re.compile(r"^\W*($|=|-===|Part of aircc|See LICENSE|SPDX|RUN:|AIRCC_\w+$|namespace\b|NOLINT)", re.M)


def python_comments(text):
    """Yields (position, text) of each group of whole-line comments of a Python file, and of each docstring."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    group, last = None, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or not token.line.lstrip().startswith("#"):
            continue
        if group and token.start[0] == last + 1:
            group[1] += "\n" + token.string
        else:
            if group:
                yield group
            group = [starts[token.start[0] - 1], token.string]
        last = token.start[0]
    if group:
        yield group
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield starts[node.body[0].lineno - 1], ast.get_docstring(node)


def pieces(path, text):
    """Yields (kind, position, text) of each piece of prose in a file."""
    if path.suffix == ".md":
        start = 0
        for paragraph in re.split(r"\n\n+", EXAMPLE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)):
            position = text.find(paragraph, start)
            start = max(position, start)
            if len(paragraph.split()) > 5:
                yield "paragraph", position, paragraph
        return
    comments = []
    if path.suffix in (".h", ".cpp", ".td", ".def"):
        comments = [(match.start(), match[0]) for match in COMMENT.finditer(text)]
    if path.suffix == ".py":
        comments = python_comments(text)
    for position, comment in comments:
        lines = [x.strip() for x in comment.splitlines()]
        lines = [re.sub(r"^(//+<?|#!?)\s?", "", x) for x in lines if not BOILERPLATE.match(x)]
        if len(" ".join(lines).split()) > 3:
            yield "comment", position, " ".join(lines)
    if path.suffix in (".h", ".cpp"):
        for match in TRAILING_COMMENT.finditer(text):
            if len(match[0].split()) > 4:
                yield "comment", match.start(), match[0]
        code = blank_comments(text)
        for match in REPORTERS.finditer(code):
            strings = STRING.findall(code[match.start() : find_end(code, match.end())])
            if len(" ".join(strings).split()) > 3:
                yield "message", match.start(), " … ".join(strings)
    if path.suffix == ".td":
        for match in DESCRIPTION.finditer(text):
            for paragraph in re.split(r"\n\s*\n", EXAMPLE.sub("", match[1] or match[2])):
                if len(paragraph.split()) > 3:
                    yield "description", match.start(), paragraph


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=["comment", "description", "message", "paragraph"])
    parser.add_argument("paths", nargs="*", default=["."])
    args = parser.parse_args()
    names = subprocess.run(["git", "ls-files", "--", *args.paths], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {}
    for name in names.stdout.splitlines():
        path = pathlib.Path(name)
        if name.startswith("docs/reference/") or path.suffix not in (".md", ".h", ".cpp", ".td", ".def", ".py"):
            continue
        text = (ROOT / path).read_text()
        for kind, position, piece in pieces(path, text):
            line = text.count("\n", 0, max(position, 0)) + 1
            found.setdefault(kind, []).append(f"{name}:{line}: {' '.join(piece.split())}")
    chosen = random.Random(args.seed)
    for kind in sorted(args.kind or found):
        candidates = found.get(kind, [])
        print(f"## {kind}: {len(candidates)} in all")
        for piece in chosen.sample(candidates, min(args.count, len(candidates))):
            print(piece)


if __name__ == "__main__":
    main()
