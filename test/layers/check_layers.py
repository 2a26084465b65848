"""usage: check_layers.py [--page PAGE] SOURCE-FOLDER: compares the sources with docs/architecture.md.

The page has four tables, each below a heading that this script looks for:

  Stages              the stages in their order, each with its folder in the last column. No stage may include a later
                      one.
  Folders             a folder in the first column; in the last one, what its files may include besides each other:
                      folders (`dialects/`) or single headers. A file belongs to the row of the longest folder that
                      contains it.
  Restricted headers  headers in the first column (`*` matches anything); in the second, the only folders or files that
                      may include them.
  Restricted ops      ops in the first column, as `dialect::Op`; in the second, the only files that may create them.

A row with an empty first column continues the row above it.

Every path of the sources that the page names must exist.

Prints each violation as FILE:LINE: MESSAGE and fails if there is one.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import sys

ROOTS = ("driver", "pipeline", "dialects", "targets", "runtime-stubs", "simulator")
SUFFIXES = (".h", ".cpp", ".def", ".td", ".in")
# Only includes of these libraries are checked.
LIBRARIES = ("llvm", "llvm-c", "mlir", "mlir-c", "lld", "clang")
INCLUDE = re.compile(r'^\s*#?\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
# Only these files can create ops.
CODE = (".h", ".cpp")
# The maximum number of files per folder below each of these.
MAX_FILES = {"driver": 40, "pipeline": 40, "dialects": 40, "simulator": 40, "test": 60}


def read_table(page, heading):
    """Returns the rows of the first table below `heading`, each as a list of cells; a cell is the list of its `quoted`
    parts."""
    lines = iter(page.splitlines())
    if not any(re.fullmatch(r"#+ " + re.escape(heading), line) for line in lines):
        sys.exit(f"error: the page has no heading '{heading}'")
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append([re.findall(r"`([^`]+)`", cell) for cell in line.strip().strip("|").split("|")])
        elif rows or line.startswith("#"):
            break
    if len(rows) < 3:
        sys.exit(f"error: the page has no table behind the heading '{heading}'")
    return rows[2:]


def is_below(path, folder):
    return path == folder or (folder.endswith("/") and path.startswith(folder))


def find_row(path, folders):
    """Returns the longest of `folders` that contains `path`, or None."""
    return max((f for f in folders if is_below(path, f)), key=len, default=None)


def find_paths(page):
    """Returns the paths of the sources that the page names in `quotes`, with the lines of the page."""
    for number, line in enumerate(page.splitlines(), 1):
        for name in re.findall(r"`([^` ]+/[^` ]*)`", line):
            if name.split("/")[0] in (*ROOTS, "docs"):
                yield number, name


def match_creation(op):
    """Returns a pattern for code that creates `op`, which includes its namespace."""
    namespace, name = op.split("::")
    qualified = rf"(?:aircc::)?(?:{namespace}::)?{name}"
    return re.compile(rf"(?<![\w:]){qualified}::create\b|\b(?:create|createOrFold|replaceOpWithNewOp)<{qualified}>")


class Checker:
    def __init__(self, source, name, page):
        self.source = source
        self.name = name
        self.stages = [row[-1][0] for row in read_table(page, "Stages")]
        self.folders = {}
        for names, *_, includes in read_table(page, "Folders"):
            if names:
                folder = names[0]
                self.folders[folder] = []
            self.folders[folder] += includes
        self.restricted = []
        for patterns, users, *_ in read_table(page, "Restricted headers"):
            if patterns:
                self.restricted.append((patterns, []))
            self.restricted[-1][1].extend(users)
        self.ops = []
        for ops, users, *_ in read_table(page, "Restricted ops"):
            if ops:
                self.ops.append((ops[0], match_creation(ops[0]), []))
            self.ops[-1][2].extend(users)
        self.paths = find_paths(page)
        self.violations = []

    def report(self, place, message):
        self.violations.append(f"{place}: {message}")

    def check_page(self):
        """The page only names existing files, and its tables agree with each other."""
        for number, name in self.paths:
            if not any(self.source.glob(name)):
                self.report(f"{self.name}:{number}", f"names {name}, which does not exist")
        for i, stage in enumerate(self.stages):
            if stage not in self.folders:
                self.report(stage, "is a stage, and has no row of its own in the table of folders")
                continue
            for name in self.folders[stage]:
                if any(is_below(name, later) or is_below(later, name) for later in self.stages[i + 1 :]):
                    self.report(stage, f"may include {name}, which belongs to a later stage")

    def resolve(self, path, name):
        """Returns the path of an included header below the source folder; `name` itself for headers of libraries and
        generated headers; None for headers that are not checked."""
        if name.split("/")[0] in LIBRARIES or name.split("/")[0] in ROOTS:
            return name
        beside = os.path.normpath(path.parent.relative_to(self.source) / name)
        return beside if (self.source / beside).exists() else None

    def check_include(self, place, path, header):
        row = find_row(path, self.folders)
        for patterns, users in self.restricted:
            if any(fnmatch.fnmatch(header, p) for p in patterns) and not any(is_below(path, u) for u in users):
                self.report(place, f"includes {header}, which only {', '.join(users)} may include")
        if find_row(header, self.folders) == row:
            return
        if not any(is_below(header, name) for name in self.folders[row]):
            allowed = ", ".join(self.folders[row]) or "its own files"
            self.report(place, f"includes {header}, but {row} may include only {allowed}")

    def check_creations(self, place, path, line):
        for op, creation, users in self.ops:
            if path.endswith(CODE) and creation.search(line) and path not in users:
                self.report(place, f"creates {op}, which only {', '.join(users)} may create")

    def check_file(self, path):
        relative = path.relative_to(self.source).as_posix()
        if find_row(relative, self.folders) is None:
            self.report(relative, "is below no folder of the table of folders")
            return
        for number, line in enumerate(path.read_text().splitlines(), 1):
            self.check_creations(f"{relative}:{number}", relative, line)
            match = INCLUDE.match(line)
            if not match:
                continue
            header = self.resolve(path, match[1] or match[2])
            if header:
                self.check_include(f"{relative}:{number}", relative, header)

    def check_sizes(self, folder, files):
        limit = MAX_FILES.get(folder.split("/")[0], len(files))
        if len(files) > limit:
            self.report(folder + "/", f"has {len(files)} files, more than {limit}; split it into folders")

    def run(self):
        self.check_page()
        for folder, _, files in os.walk(self.source / "test"):
            self.check_sizes(pathlib.Path(folder).relative_to(self.source).as_posix(), files)
        for root in ROOTS:
            for folder, folders, files in os.walk(self.source / root):
                folders.sort()
                folder = pathlib.Path(folder)
                self.check_sizes(folder.relative_to(self.source).as_posix(), files)
                for name in sorted(files):
                    if name.endswith(SUFFIXES):
                        self.check_file(folder / name)
        return self.violations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=pathlib.Path, help="the page with the tables, if not that of the sources")
    parser.add_argument("source", type=pathlib.Path)
    arguments = parser.parse_args()
    page = arguments.page or arguments.source / "docs/architecture.md"
    violations = Checker(arguments.source, page.name, page.read_text()).run()
    for violation in violations:
        print(violation)
    if violations:
        sys.exit(f"error: {len(violations)} violations of {page.name}")


main()
