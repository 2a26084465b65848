"""Compiles a program with the cache, changing one part of the cache's key at a time: each change must be a miss, and
the output must have the same bytes as without the cache. Arguments: a folder for temporary files, the compiler, the
folder of its profiles, and one with the input and profiles of this test."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys

folder, aircc, targets, inputs = map(pathlib.Path, sys.argv[1:])
environment = {**os.environ, "AIRCC_CACHE_DIR": str(folder / "cache"), "AIRCC_TARGETS_PATH": str(folder)}


def run(command, extra):
    process = subprocess.run(list(map(str, command)), env={**environment, **extra}, capture_output=True, text=True)
    if process.returncode:
        sys.exit(f"{command} failed:\n{process.stderr}")
    return process.stdout


def statistics():
    lines = run([aircc, "cache"], {}).splitlines()
    return {
        name: int(value) for name, value in (line.split() for line in lines if line.split()[0] in ("hits", "misses"))
    }


def compile(name, options=(), extra={}, compiler=aircc, emit="obj"):
    """Returns the numbers of hits and misses."""
    output = folder / "cached.o"
    before = statistics()
    command = [compiler, folder / "input.mlir", "--target", "chip", "--emit", emit, *options]
    run([*command, "--cache=on", "-o", output], extra)
    after = statistics()
    expected = folder / "expected.o"
    run([*command, "--cache=off", "-o", expected], extra)
    if output.read_bytes() != expected.read_bytes():
        sys.exit(f"{name}: the cache changes the output")
    return after["hits"] - before["hits"], after["misses"] - before["misses"]


def expect(name, found, expected):
    if found != expected:
        sys.exit(f"{name}: {found[0]} hits and {found[1]} misses instead of {expected[0]} and {expected[1]}")


def change_build_id(path):
    """Changes the last byte of the build id of a 64-bit ELF file."""
    with open(path, "r+b") as file:
        header = file.read(64)
        (table,) = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        for i in range(count):
            file.seek(table + i * size)
            segment = file.read(size)
            kind, _, offset = struct.unpack_from("<IIQ", segment)
            (length,) = struct.unpack_from("<Q", segment, 32)
            if kind != 4:  # PT_NOTE
                continue
            file.seek(offset)
            notes = file.read(length)
            at = notes.find(b"\x03\0\0\0GNU\0")
            if at >= 0:
                (bytes_of_id,) = struct.unpack_from("<I", notes, at - 4)
                last = at + 8 + bytes_of_id - 1
                file.seek(offset + last)
                file.write(bytes([notes[last] ^ 1]))
                return
    sys.exit(f"{path} has no build id")


folder.mkdir()
shutil.copy(inputs / "input.mlir", folder)
shutil.copy(inputs / "chip.json", folder)
libraries = folder / "rocm" / "amdgcn" / "bitcode"
libraries.mkdir(parents=True)
run(
    [
        aircc,
        folder / "input.mlir",
        "--target",
        "chip",
        "--emit",
        "obj",
        "--cache=off",
        "-o",
        folder / "first.o",
        "-MD",
        "-MF",
        folder / "d",
    ],
    {},
)
for word in (folder / "d").read_text().split():
    if word.endswith(".bc"):
        for library in pathlib.Path(word).parent.glob("*.bc"):
            shutil.copy(library, libraries)
environment["ROCM_PATH"] = str(folder / "rocm")

# The input and its gpu.module.
both, neither = (0, 2), (1, 0)
expect("the first compile", compile("the first compile"), both)
expect("the second compile", compile("the second compile"), neither)

for name, options in {
    "-O1": ["-O1"],
    "-g": ["-g"],
    "a stage option": ["--stage-option", "codegen.opt-level=3"],
    "an option of LLVM": ["-mllvm", "-amdgpu-enable-promote-kernel-arguments=0"],
}.items():
    expect(name, compile(name, options), both)
    expect(name + ", again", compile(name, options), neither)
# This option prints, though its name does not say so.
expect("an option that prints", compile("an option that prints", ["-mllvm", "-misched-dcpl"]), (0, 0))
for emit in ("asm", "llvm"):
    expect(emit, compile(emit, emit=emit), both)
expect("a variable", compile("a variable", extra={"AIRCC_UNKNOWN": "1"}), both)
expect("another -j", compile("another -j", ["-j1"]), neither)
expect("a variable of the runtime", compile("a variable of the runtime", extra={"AIRCC_SIM_CHECK": "all"}), neither)

# Another folder of device libraries, and another library in the same folder.
other = folder / "other"
shutil.copytree(folder / "rocm", other)
expect("ROCM_PATH", compile("ROCM_PATH", extra={"ROCM_PATH": str(other)}), both)
expect("--rocm-path", compile("--rocm-path", ["--rocm-path", str(other)]), (1, 1))
for library in libraries.glob("ocml.bc"):
    with open(library, "ab") as file:
        file.write(b"\0\0\0\0")
expect("a library", compile("a library"), both)

# The profile: a part that reaches the code, and one that does not.
profile = folder / "chip.json"
text = profile.read_text()
profile.write_text(text.replace("Programs", "All programs"))
expect("a description", compile("a description"), (1, 1))
profile.write_text(text.replace("gfx942", "gfx90a"))
expect("another chip", compile("another chip"), both)
profile.write_text(text)
expect("the first profile", compile("the first profile"), neither)

# The input: a comment and a kernel.
program = folder / "input.mlir"
text = program.read_text()
program.write_text("// A comment.\n" + text)
expect("a comment", compile("a comment"), (1, 1))
program.write_text(text.replace("math.sin", "math.cos"))
expect("another kernel", compile("another kernel"), both)
program.write_text(text)

# The build of aircc.
(folder / "bin").mkdir()
copy = folder / "bin" / "aircc"
shutil.copy(aircc, copy)
(folder / "share").symlink_to(targets.parent.parent)
change_build_id(copy)
expect("another build", compile("another build", compiler=copy), both)
shutil.rmtree(folder / "bin")
