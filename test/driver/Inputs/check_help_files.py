"""usage: check_help_files.py FOLDER: checks the syntax of man pages and completions.

Uses those of groff, bash, zsh and fish that are installed."""

import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
checks = [
    ("bash", ["bash", "-n"], [folder / "bash-completion/completions/aircc"]),
    ("zsh", ["zsh", "-n"], [folder / "zsh/site-functions/_aircc"]),
    ("fish", ["fish", "-n"], [folder / "fish/vendor_completions.d/aircc.fish"]),
    ("groff", ["groff", "-man", "-ww", "-z"], sorted(folder.glob("man/man1/*.1"))),
]
for tool, command, files in checks:
    if not shutil.which(tool):
        continue
    for file in files:
        result = subprocess.run([*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode or result.stdout:
            sys.exit(f"{tool} on {file}: {result.stdout}")

pages = sorted(folder.glob("man/man1/*.1"))
if len(pages) != 10:
    sys.exit(f"the man pages are {pages}")
for page in pages:
    for option, text in re.findall(r"^\.TP\n\.B (.*)\n(.*)$", page.read_text(), re.MULTILINE):
        if not re.match(r"[A-Za-z\\(]", text):
            sys.exit(f"{page}: {option} has the text '{text}'")
