"""usage: check_spelling.py SOURCE-FOLDER: finds British spellings in sources, tests and documents.

Words are in American spelling, as in LLVM: initialize, color, center, labeled. Prints each line with another spelling,
also inside of identifiers, and fails if there is one.
"""

import pathlib
import re
import sys

FOLDERS = """
    .ci .github bench cmake dialects docs driver editors pipeline python runtime-stubs samples simulator targets test
""".split()
SUFFIXES = """
    .c .cpp .def .el .h .json .ll .lua .md .mir .mlir .py .s .sh .td .test .txt .yaml .yml
""".split()
# Verbs with "ize" in American spelling.
VERBS = """
    author buffer canonical categor character custom direct emphas equal final general initial legal linear local
    material maxim memor minim modern modular neutral normal optim organ parallel parametr penal pessim popular priorit
    quant random real recogn regular scalar serial special stabil standard summar symbol synchron synthes token util
    vector visual
""".split()
OTHERS = r"""
    (?:behavi|col|fav|flav|harb|hon|hum|lab|neighb|rum|vap)our
    centre  \bmetres?\b  \bgrey  \bdefence  licence  artefact  \bcheque  analys(?:e(?!s)|ing)  catalys(?:e|ing)
    (?:cancel|channel|dial|fuel|label|level|marshal|model|signal|total|travel|tunnel)l(?:ed|ing|er)
    fulfil\b  judgement  whilst  amongst  programme(?!d|r)  manoeuvr  sceptic
""".split()
ENDINGS = "e|es|ed|er|ers|ing|ation|ations|able"
PATTERN = re.compile(rf"(?:{'|'.join(VERBS)})is(?:{ENDINGS})(?![a-z])|{'|'.join(OTHERS)}", re.IGNORECASE)


def main():
    root = pathlib.Path(sys.argv[1])
    # The changelog has old names.
    files = [path for path in root.iterdir() if path.suffix == ".md" and path.name != "CHANGELOG.md"]
    for folder in FOLDERS:
        files += [path for path in (root / folder).rglob("*") if path.suffix in SUFFIXES]
    violations = 0
    for path in sorted(files):
        name = path.relative_to(root)
        if not path.is_file() or name.parts[:2] == ("test", "layers"):
            continue
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            for match in PATTERN.finditer(line):
                violations += 1
                print(f"{name}:{number}: '{match[0]}' is British spelling")
    if violations:
        sys.exit(f"error: {violations} violations")


if __name__ == "__main__":
    main()
