"""The internal errors of aircc that docs/known-issues.md describes: nothing else may end with exit code 70."""

import pathlib
import re

# A pattern of the message, and words of the entry that describes it. Both go when the defect does.
KNOWN = []

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "known-issues.md"


def check():
    """Every pattern has its entry."""
    text = " ".join(DOCUMENT.read_text().split())
    for pattern, entry in KNOWN:
        if entry not in text:
            raise SystemExit(f"known_issues.py: docs/known-issues.md has no entry with the words '{entry}' (for '{pattern}')")


def is_known(errors):
    return any(re.search(pattern, errors) for pattern, _ in KNOWN)
