#!/usr/bin/env python3
"""Measures how much memory the compilation of a program with large constants takes.

    python3 bench/large_constants.py --build build [--bytes N] [--form bytecode|text|supplied] [--file]

The program has a dense_resource of N bytes (default: 2 GiB), which host code and a kernel read. In the form "supplied",
it comes from a safetensors file (--constants-in). The program is compiled to an object; with --file, the constants are
in a separate file (--constants-out). Prints how much more memory the program takes at its peak than one with a constant
of 64 KiB, divided by N. Exits with 1 if this ratio exceeds --limit (default: 1.2, or 3.5 for text, whose file is twice
as large), or if the output does not contain the constant."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"
RESOURCE, RESOURCE_OFFSET = 5, 6
# The constant consists of copies of this block.
BLOCK = bytes((i * 7 + i // 251) % 256 for i in range(1 << 16))
ALIGNMENT = 64


def program(count, digits):
    return f"""module attributes {{gpu.container_module}} {{
  memref.global "private" constant @w : memref<{count}xf32> = dense_resource<w> {{alignment = 64 : i64}}
  gpu.module @m {{
    gpu.func @k(%a: memref<{count}xf32>, %b: memref<64xf32>) kernel {{
      %tid = gpu.thread_id x
      %v = memref.load %a[%tid] : memref<{count}xf32>
      memref.store %v, %b[%tid] : memref<64xf32>
      gpu.return
    }}
  }}
  func.func @read(%i: index) -> f32 {{
    %w = memref.get_global @w : memref<{count}xf32>
    %v = memref.load %w[%i] : memref<{count}xf32>
    return %v : f32
  }}
  func.func @launch(%b: memref<64xf32>) {{
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %w = memref.get_global @w : memref<{count}xf32>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%w : memref<{count}xf32>, %b : memref<64xf32>)
    return
  }}
}}
{{-# dialect_resources: {{builtin: {{w: "0x{ALIGNMENT:02x}000000{digits}"}}}} #-}}
"""


class Reader:
    """Reads the parts of MLIR's bytecode."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        """The lowest set bit of the first byte gives the number of bytes."""
        first = self.data[self.at]
        if first == 0:
            value = int.from_bytes(self.data[self.at + 1 : self.at + 9], "little")
            self.at += 9
            return value
        size = (first & -first).bit_length()
        value = int.from_bytes(self.data[self.at : self.at + size], "little") >> size
        self.at += size
        return value


def varint(value):
    if value.bit_length() > 56:
        return b"\0" + value.to_bytes(8, "little")
    size = max(1, (value.bit_length() + 6) // 7)
    return (value << size | 1 << (size - 1)).to_bytes(size, "little")


def write_bytecode(path, count):
    """Writes the program as bytecode, by replacing the sections of a program with a short resource."""
    size = 4 * count
    done = subprocess.run(
        [MLIR_OPT, "--emit-bytecode", "-"], input=program(count, "00" * 64).encode(), capture_output=True, check=True
    )
    reader = Reader(done.stdout)
    reader.at = 4  # magic number
    reader.varint()  # version
    reader.at = reader.data.index(b"\0", reader.at) + 1  # producer
    with open(path, "wb") as file:
        file.write(reader.data[: reader.at])
        while reader.at < len(reader.data):
            start = reader.at
            kind = reader.byte()
            length = reader.varint()
            if kind & 0x80:
                reader.varint()  # alignment
                while reader.data[reader.at] == 0xCB:
                    reader.at += 1
            body = reader.data[reader.at : reader.at + length]
            reader.at += length
            if kind & 0x7F == RESOURCE:
                write_resource_section(file, size)
            elif kind & 0x7F == RESOURCE_OFFSET:
                write_offset_section(file, body, size)
            else:
                if kind & 0x80:
                    sys.exit("bench: an unexpected section of the bytecode is aligned")
                file.write(reader.data[start : reader.at])


def blob_start(size):
    """Returns what precedes the bytes of a resource in its section."""
    start = varint(ALIGNMENT) + varint(size)
    return start + b"\xcb" * (-len(start) % ALIGNMENT)


def write_resource_section(file, size):
    file.write(bytes([RESOURCE | 0x80]) + varint(len(blob_start(size)) + size) + varint(ALIGNMENT))
    file.write(b"\xcb" * (-file.tell() % ALIGNMENT))
    file.write(blob_start(size))
    for at in range(0, size, len(BLOCK)):
        file.write(BLOCK[: size - at])


def write_offset_section(file, body, size):
    """A number of external groups (0); the group of a dialect: dialect, number of resources; key, size, kind."""
    reader = Reader(body)
    head = b"".join(varint(reader.varint()) for _ in range(4))
    reader.varint()
    changed = head + varint(len(blob_start(size)) + size) + body[reader.at :]
    file.write(bytes([RESOURCE_OFFSET]) + varint(len(changed)) + changed)


def write_text(path, count):
    before, after = program(count, "@").split('@"}')
    block = BLOCK.hex()
    with open(path, "w") as file:
        file.write(before)
        for at in range(0, 8 * count, len(block)):
            file.write(block[: 8 * count - at])
        file.write('"}' + after)


def write_supplied(path, count):
    """Writes the program as text without the constant, and a safetensors file with the constant."""
    text = program(count, "")
    pathlib.Path(path).write_text(text[: text.index("{-#")])
    header = json.dumps({"w": {"dtype": "F32", "shape": [count], "data_offsets": [0, 4 * count]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(f"{path}.safetensors", "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for at in range(0, 4 * count, len(BLOCK)):
            file.write(BLOCK[: 4 * count - at])


def peak_memory(command):
    """Runs a process, and returns its largest resident size in bytes."""
    pid = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"bench: {' '.join(command)} failed")
    return usage.ru_maxrss * 1024


def contains_constant(path, size):
    """Returns whether the file contains the entire constant, which consists of copies of BLOCK."""
    data = pathlib.Path(path)
    with open(data, "rb") as file:
        place, tail = -1, b""
        while place < 0:
            start = file.tell() - len(tail)
            chunk = file.read(1 << 24)
            if not chunk:
                return False
            found = (tail + chunk).find(BLOCK)
            place = start + found if found >= 0 else -1
            tail = (tail + chunk)[-len(BLOCK) :]
        file.seek(place)
        return all(file.read(min(len(BLOCK), size - at)) == BLOCK[: size - at] for at in range(0, size, len(BLOCK)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", help="the compiler (default: that of --build)")
    parser.add_argument("--build", default="build")
    parser.add_argument("--bytes", type=int, default=2 << 30)
    parser.add_argument("--form", choices=["bytecode", "text", "supplied"], default="bytecode")
    parser.add_argument("--limit", type=float, help="the maximum ratio")
    parser.add_argument("--folder", help="for temporary files")
    parser.add_argument("--file", action="store_true", help="write the constant to a separate file")
    options = parser.parse_args()
    aircc = options.aircc or f"{options.build}/bin/aircc"
    write = {"bytecode": write_bytecode, "text": write_text, "supplied": write_supplied}[options.form]
    limit = options.limit or (3.5 if options.form == "text" else 1.2)
    peaks = []
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for size in (1 << 16, options.bytes):
            source, output = f"{folder}/input", f"{folder}/output.o"
            write(source, size // 4)
            command = [aircc, source, "--target", "gfx942", "-c", "--cache=off", "-o", output]
            if options.form == "supplied":
                command += ["--constants-in", f"{source}.safetensors"]
            if options.file:
                command += ["--constants-out", f"{folder}/constants"]
            peaks.append(peak_memory(command))
            if options.file and contains_constant(output, size):
                sys.exit("bench: the object contains the constant")
            if not contains_constant(f"{folder}/constants" if options.file else output, size):
                sys.exit("bench: the output does not contain the constant")
    quotient = (peaks[1] - peaks[0]) / options.bytes
    print(
        f"{options.form}: {options.bytes >> 20} MiB of constants take {(peaks[1] - peaks[0]) >> 20} MiB:"
        f" {quotient:.2f} times their size"
    )
    sys.exit(quotient > limit)


if __name__ == "__main__":
    main()
