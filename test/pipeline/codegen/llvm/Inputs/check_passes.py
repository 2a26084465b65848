"""usage: check_passes.py AIRCC FOLDER…

Fails unless each pass of `aircc opt-llvm --print-passes` is run by a .ll test in the folders: by a RUN line with the
pass in --passes=, or, for a machine pass, with a command that prints the code after the pass. A filter cannot be run
from the command line; its test is the file of the same name.
"""

import pathlib
import re
import subprocess
import sys

aircc, *folders = sys.argv[1:]
listing = subprocess.run([aircc, "opt-llvm", "--print-passes"], capture_output=True, text=True, check=True).stdout
sections = {"Passes:": [], "Filters": [], "Passes that": []}
for line in listing.splitlines():
    if match := re.match(r"  (aircc-\S+)\s+\S", line):
        sections[section].append(match.group(1))
    else:
        section = next(key for key in reversed(sections) if line.startswith(key))
if not all(sections.values()):
    sys.exit("cannot read the list of passes:\n" + listing)

tests = [path for folder in folders for path in pathlib.Path(folder).rglob("*.ll") if path.parent.name != "Inputs"]
run_lines = "\n".join(
    line for test in tests for line in test.read_text().splitlines() if "RUN:" in line and "opt-llvm" in line
)
named = {name for text in re.findall(r"--passes=('[^']*'|\S+)", run_lines) for name in re.findall(r"[\w-]+", text)}
printed = set(re.findall(r"--print-after=(\S+)", run_lines))
files = {test.stem for test in tests}

missing = [name for name in sections["Passes:"] if name not in named]
missing += [name for name in sections["Passes that"] if name not in printed]
missing += [name for name in sections["Filters"] if re.sub("^aircc-[a-z]+-", "", name) not in files]
if missing:
    sys.exit("no .ll test runs " + ", ".join(missing))
known = set(sum(sections.values(), []))
if unknown := sorted(name for name in named | printed if name.startswith("aircc-") and name not in known):
    sys.exit("tests name passes that are not listed: " + ", ".join(unknown))
print(f"{len(known)} passes are tested")
