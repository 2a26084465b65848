"""usage: odd_names.py SOURCE COMMAND…

Compiles copies of the source with unusual names, with -MD, in the current folder. GNU make, if it is
installed, must interpret the rules correctly: an output that is newer than its source is up to date, an
older one is not. Ninja, if it is installed, must read the same names."""

import os
import pathlib
import shutil
import subprocess
import sys

source, command = sys.argv[1], sys.argv[2:]


def check_ninja(number, output, file, rule):
    """Ninja keeps what it reads from the dependency file, and lists it."""
    escaped = output.replace(":", "$:")
    shutil.copyfile(rule, f"{rule}.saved")
    pathlib.Path(f"build{number}.ninja").write_text(
        f"builddir = ninja{number}\nrule copy\n  command = cp {rule}.saved {rule}\n  deps = gcc\n  depfile = {rule}\n"
        f"build {escaped}: copy\n"
    )
    ninja = ["ninja", "-f", f"build{number}.ninja"]
    subprocess.run(ninja, check=True, capture_output=True)
    listed = subprocess.run([*ninja, "-t", "deps", output], check=True, capture_output=True, text=True).stdout
    shutil.copyfile(f"{rule}.saved", rule)
    if f"    {file}\n" not in listed:
        sys.exit(f"{file!r}: ninja reads {listed} from {rule.read_text()}")


for number, name in enumerate(["a b", "a\tb", "$x", "$(x)", "#a", "a\\#b", "a\\ b", "\x01", "a:b", "C:\\x:y"]):
    file, rule = pathlib.Path(f"{name}.mlir"), pathlib.Path(f"odd{number}.d")
    shutil.copyfile(source, file)
    output = f"odd{number}.o" if ":" not in name else f"odd:{number}.o"
    subprocess.run([*command, str(file), "-MD", "-MF", str(rule), "-o", output], check=True)
    if shutil.which("ninja") and not set(name) & set("\t\x01") and "\\#" not in name:
        check_ninja(number, output, str(file), rule)
    if not shutil.which("make"):
        continue
    rule.write_text(rule.read_text() + "\t@echo compile\n")
    for age, expected in ((-1000, False), (1000, True)):
        time = os.stat(output).st_mtime + age
        os.utime(file, (time, time))
        made = subprocess.run(["make", "-f", str(rule)], capture_output=True, text=True)
        if made.returncode or ("compile" in made.stdout) != expected:
            sys.exit(f"{name!r}: make says {made.stdout}{made.stderr} to {rule.read_text()}")

for name, shown in (("a\nb.mlir", "a\\nb.mlir"), ("a\\:b.mlir", "a\\"), ("a:", "a:")):
    shutil.copyfile(source, name)
    failed = subprocess.run(
        [*command, name, "-MD", "-MF", "broken.d", "-o", "broken.o"], capture_output=True, text=True
    )
    if failed.returncode != 2 or shown not in failed.stderr or os.path.exists("broken.o"):
        sys.exit(f"the name {name!r}: {failed.returncode}, {failed.stderr}")
