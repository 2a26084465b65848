"""usage: check_functions.py SOURCE-FOLDER: checks the size of C++ functions and the length of Python lines.

A function has at most seven parameters and fewer than 100 lines, and a line of Python at most 120 columns. Functions of
a C API (extern "C") are exempt, since others define their signatures. Tables may be longer.

Reads the text of the sources, which clang-format has formatted; it does not expand macros. Prints each violation as
FILE:LINE: MESSAGE and fails if there is one.
"""

import pathlib
import re
import sys

FOLDERS = """
    .ci bench cmake dialects docs driver pipeline python runtime-stubs samples simulator targets test
""".split()
MAX_PARAMETERS, MAX_LINES, MAX_COLUMNS = 7, 99, 120

# Tables: functions that consist of one row after another.
TABLES = {
    ("driver/cache/CacheableOptions.cpp", "aircc::getCacheableOptions"),
    ("test/unit/simulator/SimAsmText.cpp", "parseModifier"),
    ("test/unit/simulator/SimKernelValues.cpp", "Body::integer"),
    ("test/unit/simulator/SimModelScalar.cpp", "all"),
    ("test/unit/simulator/SimModelVector.cpp", "integers"),
}

NAME = re.compile(
    r"(?P<name>(?:[A-Za-z_~]\w*(?:<[\w:, ]*>)?::)*(?:~?[A-Za-z_]\w*|operator\S+?))\s*\(" r"|(?P<lambda>\])\s*\("
)
NOT_A_NAME = {"if", "for", "while", "switch", "return", "catch", "sizeof", "assert", "decltype", "alignof", "defined"}
# What may be between the parameters and the body: qualifiers, a return type, or the first initializer of a member.
TAIL = re.compile(
    r"\s*(?:const\b|noexcept\b|override\b|final\b|mutable\b|->\s*[\w:<>&*, ]+|\s)*"
    r"(?P<end>[;{:]|= (?:0|default|delete);)"
)
# The text before a function's name: nothing, or its return type.
TYPE = re.compile(r"(?!\s*(?:return|else|new|case|throw|delete)\b)\s*[\w:<>,&*\s\[\]\"]*[\w>&*\"\]]\s*[&*]*\s*")
PARAMETER = re.compile(r"(?:[\w>\]][&*\s]+|[&*])\w+\s*(?:,|$|=|\[)")
LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|R\"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)\""
    r"|\"(?:\\.|[^\"\\\n])*\""
    r"|(?<![0-9a-fA-F])'(?:\\.[^'\n]*|[^'\\\n])'",
    re.DOTALL,
)


def blank(match):
    """Replaces a comment or a literal by as many lines without code."""
    text = match.group(0)
    if text.startswith("/"):
        return re.sub(r"[^\n]", " ", text)
    return '"' + re.sub(r"[^\n]", "_", text[1:-1]) + '"'


def closing(text, start, pair):
    """Returns the index of the parenthesis that closes the one at `start`, or -1."""
    depth = 0
    for match in re.compile(f"[{re.escape(pair)}]").finditer(text, start):
        depth += 1 if match.group(0) == pair[0] else -1
        if depth == 0:
            return match.start()
    return -1


def count_parameters(text):
    """Returns the number of parameters in a list; 0 if they are few, or are the arguments of a call."""
    if text.count(",") < MAX_PARAMETERS:
        return 0
    depth, parts = 0, [""]
    for before, letter in zip(" " + text, text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and before != "-"):
            depth -= 1
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return len(parts) if any(PARAMETER.search(part) for part in parts) else 0


def functions(text):
    """Yields (offset, name, number of parameters, number of lines) for each function and lambda."""
    text = LITERAL.sub(blank, text)
    for match in NAME.finditer(text):
        if match.group("name") in NOT_A_NAME:
            continue
        start = match.end() - 1
        end = closing(text, start, "()")
        tail = TAIL.match(text, end + 1) if end >= 0 else None
        if not tail:
            continue
        line = text.rfind("\n", 0, match.start()) + 1
        before = text[line : match.start()]
        if match.group("name"):
            if not before.strip():
                before = text[text.rfind("\n", 0, max(line - 1, 0)) + 1 : line]
                is_constructor = tail.group("end") in "{:"
            else:
                is_constructor = False
            if not is_constructor and not TYPE.fullmatch(before):
                continue
        lines = 0
        body = text.find("{", end)
        if tail.group("end") in "{:" and body >= 0:
            lines = text.count("\n", match.start(), closing(text, body, "{}")) + 1
        yield match.start(), match.group("name") or "a lambda", count_parameters(text[start + 1 : end]), lines


def c_functions(text):
    """Returns the names of the functions that are declared or defined in `extern "C" { … }`."""
    names = set()
    for match in re.finditer(r'^extern "C" \{', text, re.MULTILINE):
        rest = LITERAL.sub(blank, text[match.end() - 1 :])
        names |= set(re.findall(r"(\w+)\s*\(", rest[: closing(rest, 0, "{}")]))
    return names


def check(path, name, text, exempt):
    """Yields a message for each violation in a file."""
    if path.suffix == ".py":
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{name}:{number}: has {len(line)} columns; a line has at most {MAX_COLUMNS}"
        return
    for offset, function, parameters, lines in functions(text):
        at = f"{name}:{text.count(chr(10), 0, offset) + 1}: {function}"
        if parameters > MAX_PARAMETERS and function not in exempt:
            yield f"{at} has {parameters} parameters, more than {MAX_PARAMETERS}; group some in a struct"
        if lines > MAX_LINES and (str(name), function) not in TABLES:
            yield f"{at} has {lines} lines; split it into functions of fewer than {MAX_LINES + 1}"


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".py"):
                texts[path] = path.read_text(encoding="utf-8")
    exempt = set().union(*(c_functions(text) for text in texts.values()))
    violations = [
        message for path, text in texts.items() for message in check(path, path.relative_to(root), text, exempt)
    ]
    for violation in violations:
        print(violation)
    if violations:
        sys.exit(f"error: {len(violations)} violations")


if __name__ == "__main__":
    main()
