"""Tunes a product of matrices, and checks what the file of the search does. Arguments: aircc, an empty folder."""

import ctypes
import json
import os
import pathlib
import struct
import subprocess
import sys

AIRCC, FOLDER = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
M, N, K = 96, 80, 2048
# Elements of A and B: functions of the position along K, and of the rest of a row or column.
ROWS, COLUMNS = 3, 5


def a(i, k):
    return i % ROWS + k % 4


def b(k, j):
    return j % COLUMNS - k % 3


def program(name, with_bias):
    bias = f"""
  %r = linalg.generic {{indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%c, %bias : tensor<{M}x{N}xf32>, tensor<{N}xf32>) outs(%empty : tensor<{M}x{N}xf32>) {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }} -> tensor<{M}x{N}xf32>"""
    return f"""#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @{name}(%a: tensor<{M}x{K}xbf16>, %b: tensor<{K}x{N}xbf16>{f", %bias: tensor<{N}xf32>" if with_bias else ""})
    -> tensor<{M}x{N}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{M}x{N}xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{M}x{K}xbf16>, tensor<{K}x{N}xbf16>)
      outs(%filled : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>{bias if with_bias else ""}
  return %{"r" if with_bias else "c"} : tensor<{M}x{N}xf32>
}}
"""


def run(*command, **environment):
    process = subprocess.run(
        list(map(str, command)), cwd=FOLDER, env={**os.environ, **environment}, capture_output=True, text=True
    )
    if process.returncode:
        sys.exit(f"{command} failed:\n{process.stderr}")
    return process.stdout


def compile(source, output, *options, target="gfx942", **environment):
    """Returns the output, or those of all kernels."""
    pattern = f"{pathlib.Path(output).stem}*{pathlib.Path(output).suffix}"
    for old in FOLDER.glob(pattern):
        old.unlink()
    run(AIRCC, source, "--target", target, *options, "-o", output, **environment)
    return b"".join(file.read_bytes() for file in sorted(FOLDER.glob(pattern)))


def encode(values):
    """The bytes of small integers as bf16."""
    return b"".join(struct.pack("<f", value)[2:] for value in values)


def describe(buffer, *sizes):
    address = ctypes.addressof(buffer)
    strides = [sizes[1], 1]
    return ctypes.byref((ctypes.c_int64 * 7)(address, address, 0, *sizes, *strides))


def call(library):
    """In a process of its own: checks all results."""
    left = ctypes.create_string_buffer(encode(a(i, k) for i in range(M) for k in range(K)))
    right = ctypes.create_string_buffer(encode(b(k, j) for k in range(K) for j in range(N)))
    result = ctypes.create_string_buffer(4 * M * N)
    function = ctypes.CDLL(library).aircc_product
    if function(describe(left, M, K), describe(right, K, N), describe(result, M, N)):
        sys.exit("the call failed")
    sums = [[sum(a(i, k) * b(k, j) for k in range(K)) for j in range(COLUMNS)] for i in range(ROWS)]
    for place, value in enumerate(struct.unpack(f"<{M * N}f", result.raw)):
        if value != sums[place // N % ROWS][place % N % COLUMNS]:
            sys.exit(f"element {place} is {value}")


def time(library):
    """The nanoseconds of the kernels of a call, whose results are checked."""
    run(sys.executable, __file__, "--call", FOLDER / library, AIRCC_DEVICE="sim", AIRCC_SIM_TIMING="timing.json")
    launches = json.loads((FOLDER / "timing.json").read_text())["launches"]
    return sum(launch["nanoseconds"] for launch in launches)


def main():
    (FOLDER / "product.mlir").write_text(program("product", with_bias=False))
    (FOLDER / "other.mlir").write_text(program("other", with_bias=True))
    run(AIRCC, "tune", "product.mlir", "--target", "gfx942", "--candidates", 5, "-j", 2, "-o", "tuning.json")
    entries = json.loads((FOLDER / "tuning.json").read_text())["tuning"]
    assert len(entries) == 1, entries
    entry = entries[0]
    assert [entry[key] for key in ("chip", "m", "n", "k", "matrices")] == ["gfx942", M, N, K, 1], entry
    assert entry["nanoseconds"] < entry["nanosecondsBefore"], entry

    tuning = ("--tuning", "tuning.json")
    compile("product.mlir", "plain.so", "--emit", "shared")
    compile("product.mlir", "tuned.so", "--emit", "shared", *tuning)
    before, after = time("plain.so"), time("tuned.so")
    # The addresses of buffers change times by less than this.
    assert after <= 1.005 * before, (before, after)
    assert abs(after - entry["nanoseconds"]) <= 0.01 * after, (after, entry)
    print("the tuned kernel is at least as fast, and right")

    (FOLDER / "empty.json").write_text('{ "tuning": [] }')
    plain = compile("other.mlir", "other.s", "--emit", "asm")
    assert compile("other.mlir", "other.s", "--emit", "asm", "--tuning", "empty.json") == plain
    tuned = compile("other.mlir", "other.s", "--emit", "asm", *tuning)
    assert tuned != plain
    print("a program with the same product and a bias is compiled with the entry")

    (FOLDER / "mine.json").write_text(json.dumps({"extends": "gfx942", "tuning": entries}))
    assert compile("other.mlir", "other.s", "--emit", "asm", target="./mine.json") == tuned
    print("a profile takes the entry")

    gpu = compile("other.mlir", "other.gpu", "--emit", "gpu", *tuning)
    passes = run(AIRCC, "other.mlir", "--target", "gfx942", *tuning, "--emit", "gpu", "--print-pipeline").strip()
    assert run(AIRCC, "other.mlir", "--pass-pipeline", passes).encode() == gpu
    print("the printed pipeline compiles the same code")

    cache = {"AIRCC_CACHE": "on", "AIRCC_CACHE_DIR": str(FOLDER / "cache")}
    (FOLDER / "used.json").write_text('{ "tuning": [] }')
    used = ("--emit", "asm", "--tuning", "used.json")
    assert compile("other.mlir", "other.s", *used, **cache) == plain
    (FOLDER / "used.json").write_text((FOLDER / "tuning.json").read_text())
    assert compile("other.mlir", "other.s", *used, **cache) == tuned
    print("the cache tells tuning files apart")


if sys.argv[1] == "--call":
    call(sys.argv[2])
else:
    main()
