"""usage: odd_names.py SOURCE COMMAND…

Compiles copies of the source with unusual names, with -MD, in the current folder. GNU make, if it is
installed, must interpret the rules correctly: an output that is newer than its source is up to date, an
older one is not."""

import os
import pathlib
import shutil
import subprocess
import sys

source, command = sys.argv[1], sys.argv[2:]
for number, name in enumerate(["a b", "a\tb", "$x", "$(x)", "#a", "a\\#b", "a\\ b", "\x01"]):
    file, rule = pathlib.Path(f"{name}.mlir"), pathlib.Path(f"odd{number}.d")
    shutil.copyfile(source, file)
    output = f"odd{number}.o"
    subprocess.run([*command, str(file), "-MD", "-MF", str(rule), "-o", output], check=True)
    if not shutil.which("make"):
        continue
    rule.write_text(rule.read_text() + "\t@echo compile\n")
    for age, expected in ((-1000, False), (1000, True)):
        time = os.stat(output).st_mtime + age
        os.utime(file, (time, time))
        made = subprocess.run(["make", "-f", str(rule), output], capture_output=True, text=True)
        if made.returncode or ("compile" in made.stdout) != expected:
            sys.exit(f"{name!r}: make says {made.stdout}{made.stderr} to {rule.read_text()}")

broken = pathlib.Path("a\nb.mlir")
shutil.copyfile(source, broken)
failed = subprocess.run(
    [*command, str(broken), "-MD", "-MF", "broken.d", "-o", "broken.o"], capture_output=True, text=True
)
if failed.returncode != 2 or "a\\nb.mlir" not in failed.stderr or os.path.exists("broken.o"):
    sys.exit(f"a name with a line break: {failed.returncode}, {failed.stderr}")
