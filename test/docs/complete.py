"""usage: complete.py SOURCE-FOLDER: fails if the commands of a document or a sample are not in a test here."""

import pathlib
import sys

source = pathlib.Path(sys.argv[1])
tests = "".join(path.read_text() for path in pathlib.Path(__file__).parent.glob("*.test"))
# Samples of several ranks are run by test/e2e/samples.
patterns = ("*.md", "docs/*.md", "docs/tutorials/*.md", "samples/**/*.md", "samples/*.mlir", "samples/simulator/*")
missing = [
    str(p.relative_to(source))
    for pattern in patterns
    for p in source.glob(pattern)
    if f"%source-dir/{p.relative_to(source)}\n" not in tests
]
if missing:
    sys.exit("no test in test/docs runs the commands of " + ", ".join(sorted(missing)))
