#!/usr/bin/env python3
"""Runs the commands that a document shows, in order and as they are written, and compares what they print
with what the document shows below them.

usage: check_commands.py --build BUILD DOCUMENT

A block of the document is fenced or indented by four spaces. The lines of a block that begin with the name
of a command (or "$ ") are commands; lines below a command are its output. In the output, "..." or "…"
matches any text, and any number of lines if it is a line by itself. Other blocks, and commands that cannot run
in a test, have a rule in rules.py that gives the reason. An unused rule is an error.

The commands run in an empty folder, with links to the project's samples and its build folder, and with
aircc on PATH. `export`, `cd` and variables hold for the commands after them."""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import rules

PROGRAMS = r"aircc|cc|c\+\+|cmake|ninja|lit|make|mpirun|python3|sed|grep|mlir-opt|export|cd|\./[\w-]+|build/\S+"
COMMAND = re.compile(rf"^(\$ |\w+='[^']*'$|(?!aircc runtime: )(\w+=\S+ )*({PROGRAMS})( |$))")


@dataclasses.dataclass
class Block:
    line: int  # of the document, from 1
    lines: list


@dataclasses.dataclass
class Command:
    line: int
    text: str
    output: list  # lines that the document shows


def find_blocks(text):
    """Fenced and indented blocks, in order."""
    block, fenced = None, False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            if not fenced:
                yield block
            block = Block(number + 1, []) if fenced else None
        elif fenced:
            block.lines.append(line)
        elif line.startswith("    ") and line.strip():
            block = block or Block(number, [])
            block.lines.append(line[4:])
        elif block:
            # The continuation of a list item is not a block of code.
            if not line.strip():
                yield block
                block = None
    if block:
        yield block


def find_comment_blocks(text):
    """The indented blocks of the comment at the head of a program."""
    comment = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        if line.startswith("//="):  # the ruler of a header
            continue
        comment.append(re.sub(r"^// ?", "", line))
    return find_blocks("\n".join("    " + line[2:] if line.startswith("  ") else line for line in comment))


def split_commands(block):
    """The commands of a block with their outputs; None if it does not begin with one."""
    commands, lines = [], list(enumerate(block.lines, block.line))
    while lines:
        number, line = lines.pop(0)
        if not COMMAND.match(line):
            if not commands:
                return None
            commands[-1].output.append(line)
            continue
        while line.endswith("\\") and lines:
            line = line[:-1] + lines.pop(0)[1]
        commands.append(Command(number, line.removeprefix("$ "), []))
    return commands


def find_missing(expected, printed):
    """The first expected line that is not printed, in order; None if all are."""
    text = "".join(line.rstrip() + "\n" for line in printed.split("\n") if line.strip())
    pattern, gap = "", False
    for line in (line.rstrip() for line in expected if line.strip()):
        gap = line.strip() in ("...", "…")
        pattern += "(?:.*\n)*?" if gap else ".*".join(map(re.escape, re.split(r"\.\.\.|…", line))) + "\n"
        if not re.match(pattern, text):
            return line
    return None if gap or re.fullmatch(pattern, text) else "(nothing more)"


class Checker:
    def __init__(self, document, name, build, source, folder):
        self.document, self.name, self.build, self.source, self.folder = document, name, build, source, folder
        self.rules = rules.RULES.get(name, [])
        self.used = set()
        self.prelude = []
        self.failures = []
        self.ran = 0
        self.last = None  # what the last command printed

    def fail(self, line, message):
        self.failures.append(f"{self.name}:{line}: error: {message}")

    def find_rule(self, text):
        for rule in [*self.rules, *rules.EVERYWHERE]:
            if re.search(rule.pattern, text):
                self.used.add(id(rule))
                return rule
        return None

    def check(self, blocks):
        for block in blocks:
            rule = self.find_rule(block.lines[0])
            if isinstance(rule, rules.File):
                (self.folder / rule.name).write_text("\n".join(block.lines) + "\n")
            elif isinstance(rule, rules.Output):
                self.compare(block.line, block.lines)
            elif isinstance(rule, rules.Text):
                pass
            elif (commands := split_commands(block)) is None:
                self.fail(block.line, f"this block is neither commands nor in test/docs/rules.py: '{block.lines[0]}'")
            else:
                for command in commands:
                    self.check_command(command)
        for rule in self.rules:
            if id(rule) not in self.used:
                self.failures.append(
                    f"test/docs/rules.py: error: nothing in {self.name} needs the rule '{rule.pattern}'"
                )

    def check_command(self, command):
        rule = self.find_rule(command.text)
        text = command.text
        if isinstance(rule, rules.File):  # `cat FILE`, with its contents
            (self.folder / rule.name).write_text("\n".join(command.output) + "\n")
            return
        if isinstance(rule, rules.Synopsis):
            self.check_synopsis(command)
            return
        if isinstance(rule, rules.Text) or (isinstance(rule, rules.Needs) and not shutil.which(rule.tool)):
            return
        if isinstance(rule, rules.Instead):
            text = rule.command
        if re.match(r"(export|cd) |\w+='[^']*'$", text):
            self.prelude.append(text)
            return
        self.ran += 1
        result = self.run(text)
        self.last = result.stdout
        wanted = rule.status if isinstance(rule, rules.Fails) else 0
        if result.returncode != wanted:
            self.fail(
                command.line, f"'{text}' ends with {result.returncode} instead of {wanted}:\n{result.stdout[-2000:]}"
            )
        elif command.output:
            self.compare(command.line + 1, command.output)

    def run(self, text):
        # The caller's settings must not change the output.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("AIRCC_")}
        environment["PATH"] = f"{self.build / 'bin'}:{self.folder / '.tools'}:{environment['PATH']}"
        # Open MPI refuses root, and more ranks than cores, unless it is told otherwise.
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
        # Jobs that start at the same time cannot create the same folder for session files.
        environment |= {f"{prefix}_tmpdir_base": str(self.folder) for prefix in ("OMPI_MCA_orte", "PRTE_MCA_prte")}
        script = "\n".join(["set -e", *self.prelude, text])
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", script], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip

    def compare(self, line, expected):
        if self.last is None:
            self.fail(line, "there is no command above whose output this could be")
        elif (missing := find_missing(expected, self.last)) is not None:
            self.fail(line, f"the command does not print '{missing}' here; it prints:\n{self.last[:2000]}")

    def check_synopsis(self, command):
        """A form with placeholders: the command has the options that it names."""
        words = command.text.split("   ")[0].split()
        subcommands = [w for w in words[1:2] if re.fullmatch(r"[a-z][a-z-]*", w)]
        listed = self.run(" ".join([words[0], *subcommands, "--help-all"]))
        if listed.returncode != 0:
            listed = self.run(" ".join([words[0], *subcommands, "--help"]))
        if listed.returncode != 0:
            self.fail(command.line, f"'{words[0]} {' '.join(subcommands)} --help' ends with {listed.returncode}")
        self.ran += 1
        for option in re.findall(r"(?<![\w-])-{1,2}[a-z][\w-]*", command.text.split("   ")[0]):
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", listed.stdout):
                self.fail(command.line, f"'{option}' is not an option of '{' '.join([words[0], *subcommands])}'")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    source = pathlib.Path(__file__).resolve().parents[2]
    document = arguments.document.resolve()
    name = str(document.relative_to(source))
    text = document.read_text()
    blocks = list(find_blocks(text) if document.suffix == ".md" else find_comment_blocks(text))
    with tempfile.TemporaryDirectory(prefix="aircc-docs-") as folder:
        folder = pathlib.Path(folder)
        build = arguments.build.resolve()
        (folder / "build").symlink_to(build)
        for link in ("samples", "targets", "docs", "run", "runtime-stubs", "python"):
            (folder / link).symlink_to(source / link)
        # The interpreter for which Debian's numpy is installed.
        (folder / ".tools").mkdir()
        (folder / ".tools" / "python3").symlink_to("/usr/bin/python3")
        checker = Checker(document, name, build, source, folder)
        checker.check(blocks)
    for failure in checker.failures:
        print(failure)
    print(f"{name}: {len(blocks)} blocks, {checker.ran} commands run, {len(checker.failures)} failures")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
