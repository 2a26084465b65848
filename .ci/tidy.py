#!/usr/bin/env python3
"""usage: tidy.py --build BUILD [--jobs N] [--checks CHECKS] FILE...: runs clang-tidy-22 on sources.

clang-tidy spends most of its time on MLIR's headers, once for each translation unit. This script therefore checks
several sources that have the same compile options in one unit, which includes them. Sources that declare equal local
names cannot be in one unit. If a unit does not compile, for example because several `using namespace` make a name
ambiguous, each of its sources is checked alone. Prints the findings, each once, and fails if there are any.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCES_PER_UNIT = 12
FOLDERS = "bench dialects driver pipeline runtime-stubs samples simulator targets test".split()
FINDING = re.compile(r"/[^:\n]+:\d+:\d+: (?:error|warning): .*\[[\w.,-]+\]$")
# The names that a line at the start of a declaration declares.
DECLARATION = re.compile(
    r"(?:struct|class|union|enum(?: class)?) (?P<type>\w+)"
    r"|using (?P<alias>\w+) ="
    r"|TEST(?:_F|_P)?\((?P<test>\w+, ?\w+)"
    r"|#define (?P<macro>\w+)"
    r"|(?:[\w:<>,&*\[\] ]+?[ &*>])?(?P<name>\w+)(?:\(| =|\[\]|\[k|\{|;)"
)


def local_names(path):
    """Returns the names that a source declares for itself alone: static ones, those in anonymous namespaces, macros."""
    names, local = set(), False
    for line in path.read_text("utf-8").splitlines():
        if line == "namespace {":
            local = True
        elif line == "} // namespace":
            local = False
        elif line.startswith(("static ", "#define ", "TEST")) or (local and re.match(r"[A-Za-z]", line)):
            match = DECLARATION.match(line)
            if match:
                names.add(next(filter(None, match.groups())))
    return names


def usings(path):
    return tuple(sorted(re.findall(r"^using namespace ([\w:]+);", path.read_text("utf-8"), re.MULTILINE)))


def compile_options(command, source):
    """Returns the options of a compile command that are not about the source and its output."""
    words, options, skip = shlex.split(command)[1:], [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MF", "-MT"):
            skip = True
        elif word != source and word != "-MD":
            options.append(word)
    return options


def make_units(sources, commands, size):
    """Groups sources into units of at most `size`, each in one top-level folder."""
    units = []
    for source in sorted(sources, key=lambda path: (path.parent, usings(path))):
        command = commands[str(source)]
        names = local_names(source)
        key = (compile_options(command["command"], str(source)), source.relative_to(os.getcwd()).parts[0])
        for unit in units:
            if unit["key"] == key and len(unit["sources"]) < size and not unit["names"] & names:
                break
        else:
            unit = {"key": key, "directory": command["directory"], "names": set(), "sources": []}
            units.append(unit)
        unit["names"] |= names
        unit["sources"].append(source)
    return units


def folder_checks(folder):
    """The checks that the .clang-tidy of a top-level folder changes."""
    file = pathlib.Path(folder) / ".clang-tidy"
    return ",".join(re.findall(r"^  (-[a-z-]+),?$", file.read_text(), re.MULTILINE)) if file.exists() else ""


def check(unit, checks):
    """Returns clang-tidy's findings in a unit, as a list of texts."""
    root = os.getcwd()
    checks = ",".join(filter(None, [folder_checks(unit["key"][1]), checks]))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "unit.cpp"
        file.write_text("".join(f'#include "{source}"\n' for source in unit["sources"]))
        if len(unit["sources"]) == 1:
            file = unit["sources"][0]
        entry = {"directory": unit["directory"], "file": str(file)}
        entry["arguments"] = ["clang++", *unit["key"][0], "-c", str(file)]
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps([entry]))
        command = ["clang-tidy-22", "--quiet", "-p", folder, f"--config-file={root}/.clang-tidy"]
        # LLVM's regular expressions are those of POSIX, without "all but".
        command += [f"--header-filter=^{re.escape(root)}/({'|'.join(FOLDERS)})/"]
        # A unit includes sources.
        command += ["--checks=" + ",".join(filter(None, [checks, "-bugprone-suspicious-include"])), str(file)]
        process = subprocess.run(command, capture_output=True, text=True)
    parts = re.split(r"(?m)^(?=/[^:\n]+:\d+:\d+: (?:error|warning): )", process.stdout)
    findings = [part.rstrip() for part in parts if FINDING.match(part.split("\n", 1)[0])]
    if process.returncode and not findings:
        return [f"{unit['sources'][0]}: clang-tidy failed: {process.stdout}{process.stderr} [clang-diagnostic-error]"]
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--checks", default="", help="changes to the checks of .clang-tidy")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    commands = {
        entry["file"]: entry
        for entry in json.loads((pathlib.Path(arguments.build) / "compile_commands.json").read_text())
    }
    sources = [path for path in (pathlib.Path(file).resolve() for file in arguments.files) if str(path) in commands]

    seen = set()
    for size in (SOURCES_PER_UNIT, 1):
        units, again = make_units(sources, commands, size), []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for unit, findings in zip(units, pool.map(lambda unit: check(unit, arguments.checks), units)):
                if size > 1 and any("[clang-diagnostic-error]" in text for text in findings):
                    again += unit["sources"]
                    continue
                for text in findings:
                    if text not in seen:
                        seen.add(text)
                        print(text, flush=True)
        sources = again
    if seen:
        sys.exit(f"error: {len(seen)} findings of clang-tidy")


if __name__ == "__main__":
    main()
