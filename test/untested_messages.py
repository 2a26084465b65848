#!/usr/bin/env python3
"""Lists the diagnostics of the compiler that no test mentions.

    untested_messages.py [FOLDER...]        (default: dialects pipeline)

A diagnostic is a statement that calls one of REPORTERS with text. It counts as
tested if a file below test/ has a whole piece of its text, or four words of a
piece in a row: expectations replace varying parts by patterns, and may leave out
the ends. Listed diagnostics are not tested; but if two diagnostics share a text,
only one of them may be tested. Fails if it lists a diagnostic.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTERS = re.compile(
    r"\b(emitOpError|emitError|emitWarning|emitRemark|attachNote"
    r"|refuse\w*|reject\w*|report\w*|fail|onError|createStringError)\s*\("
)
# Reports of internal errors, which no input triggers.
INTERNAL = re.compile(r"reportFatalInternalError|report_fatal_error")
# Diagnostics without a test, by a piece of their text, with the reason.
UNREACHABLE = {
    "no code generator for '": "the code generators that profiles can name are linked in",
    "cannot generate code for '": "the code generators that profiles can name have target machines",
    "the backend cannot emit this kind of file": "the backends emit objects and assembly",
    "the backend cannot emit SPIR-V": "the backend emits SPIR-V",
    "its translation has no variable for the code": "guards against changes of MLIR's translation",
    "its translation has no variable": "guards against changes of MLIR's translation",
    "the backend cannot emit objects": "the backends emit objects and assembly",
    "its translation uses the code in an unknown way": "guards against changes of MLIR's translation",
    "the host object has no section '": "the section is created before",
    "linking the GPU code failed: ": "undefined symbols are reported before linking",
    "has uses that cannot be renamed": "all ops are registered, so their uses of symbols are known",
    "cannot create a pipe: ": "fails only if the system's resources are exhausted",
    "cannot read what lld wrote: ": "fails only if the system's resources are exhausted",
    " a file in memory: ": "fails only if the system's resources are exhausted",
}
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
WORDS_IN_A_ROW = 4


def blank_comments(text):
    """Replaces comments in `text` by spaces, so that positions are unchanged."""
    pattern = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text)


def find_end(text, start):
    """Returns the end of the statement that begins before `start`."""
    depth = 0
    position = start
    while position < len(text):
        string = STRING.match(text, position)
        if string:
            position = string.end()
            continue
        char = text[position]
        # A brace outside of parentheses begins the body of a function.
        if depth == 0 and char in ";{":
            break
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            break
        position += 1
    return position


def unescape(text):
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def find_messages(path):
    """Yields (line, the pieces of the message) for each diagnostic in a source."""
    text = blank_comments(path.read_text())
    end = 0
    for call in REPORTERS.finditer(text):
        if call.start() < end or INTERNAL.match(call[1]):
            continue
        end = find_end(text, call.start())
        statement = text[call.start() : end]
        pieces = []
        last = None
        for string in STRING.finditer(statement):
            piece = unescape(string[1])
            if last is not None and not statement[last : string.start()].strip():
                pieces[-1] += piece
            else:
                pieces.append(piece)
            last = string.end()
        if pieces:
            yield text.count("\n", 0, call.start()) + 1, pieces


def squeeze(text):
    return " ".join(text.split())


def is_tested(pieces, tests):
    longest = squeeze(max(pieces, key=len))
    if longest in tests:
        return True
    for piece in pieces:
        words = piece.split()
        for i in range(len(words) - WORDS_IN_A_ROW + 1):
            if " ".join(words[i : i + WORDS_IN_A_ROW]) in tests:
                return True
    return False


def main():
    folders = sys.argv[1:] or ["dialects", "pipeline"]
    tests = "\0".join(
        squeeze(path.read_text(errors="replace"))
        for path in sorted((ROOT / "test").rglob("*"))
        if path.is_file() and path != pathlib.Path(__file__).resolve()
    )
    count = 0
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            for line, pieces in find_messages(path):
                if is_tested(pieces, tests) or any(piece in UNREACHABLE for piece in pieces):
                    continue
                count += 1
                print(f"{path.relative_to(ROOT)}:{line}: {' … '.join(pieces)}")
    print(f"{count} diagnostics are in no test", file=sys.stderr)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
