"""The failures that docs/known-issues.md describes. Nothing else may end with exit code 70, or exceed the limits."""

import dataclasses
import pathlib
import re


@dataclasses.dataclass
class KnownIssue:
    """An entry that is removed when the defect is fixed."""

    entry: str  # words of the entry in docs/known-issues.md
    source: bytes = b""  # a pattern of the input
    errors: str = ""  # a pattern of the messages

    def explains(self, files, errors):
        return re.search(self.errors, errors) and any(re.search(self.source, text) for text in files)


KNOWN = [
    KnownIssue(
        "a `vector.transfer_read` whose `permutation_map` is not an affine map", source=rb"permutation_map\b(?! *=)"
    ),
    KnownIssue(
        "a `vector.from_elements` of a vector with very many elements", source=rb"from_elements .*vector<\d{8,}x"
    ),
]

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "known-issues.md"


def check():
    """Checks that every issue has an entry in the document."""
    text = " ".join(DOCUMENT.read_text().split())
    for issue in KNOWN:
        if issue.entry not in text:
            raise SystemExit(f"known_issues.py: docs/known-issues.md has no entry with the words '{issue.entry}'")


def is_known(files, errors):
    """Returns whether a failure for these input files, with these messages, is a known one."""
    return any(issue.explains(files, errors) for issue in KNOWN)
