"""Compiles a program with a large constant to each printed form, and checks that none contains it. Arguments: a folder
for temporary files and the compiler. With --program FILE: writes a program that reads such a constant."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
import large_constants

COUNT = 1 << 19  # f32
LONGEST = 1 << 17  # bytes of a printed form


def main_program():
    """The program of bench/ with a main function. Element i of the constant is i."""
    digits = b"".join(i.to_bytes(4, "little") for i in range(COUNT)).hex()
    text = large_constants.program(COUNT, "DIGITS").replace("f32", "i32")
    function = f"""
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @format(
    "%ld equal on the host, %ld on the device\\0A\\00") {{addr_space = 0 : i32}}
  func.func @main() -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant {COUNT - 64} : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %host = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i64) {{
      %v = func.call @read(%i) : (index) -> i32
      %e = arith.index_cast %i : index to i32
      %same = arith.cmpi eq, %v, %e : i32
      %more = arith.addi %sum, %one : i64
      %r = arith.select %same, %more, %sum : i64
      scf.yield %r : i64
    }}
    %b = gpu.alloc host_shared () : memref<64xi32>
    call @launch(%b) : (memref<64xi32>) -> ()
    %device = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> (i64) {{
      %v = memref.load %b[%i] : memref<64xi32>
      %e = arith.index_cast %i : index to i32
      %same = arith.cmpi eq, %v, %e : i32
      %more = arith.addi %sum, %one : i64
      %r = arith.select %same, %more, %sum : i64
      scf.yield %r : i64
    }}
    %f = llvm.mlir.addressof @format : !llvm.ptr
    llvm.call @printf(%f, %host, %device) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
    %status = arith.constant 0 : i32
    return %status : i32
  }}
"""
    start = text.index("  gpu.module")
    return (text[:start] + function + text[start:]).replace("DIGITS", digits)


def check(name, text):
    if len(text) > LONGEST:
        sys.exit(f"{name} has {len(text)} bytes: it contains the constant")


def main(folder, aircc):
    source = f"{folder}/printed.mlir"
    large_constants.write_text(source, COUNT)

    def run(*options):
        command = [aircc, source, "--target", "gfx942", "--cache=off", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{command} failed:\n{done.stderr}")
        return done.stdout, done.stderr

    for level in ("air", "gpu", "layout", "distributed", "rocdl", "llvm", "asm", "host-llvm"):
        printed = run("--emit", level, "-o", "-")[0]
        check(f"--emit {level}", printed)
        if level in ("air", "distributed") and "dense_resource<w>" not in printed:
            sys.exit(f"--emit {level} has no constant")
    check("--mlir-print-ir-after-all", run("-c", "-o", f"{folder}/p.o", "--mlir-print-ir-after=canonicalize")[1])
    saved = pathlib.Path(folder, "saved")
    saved.mkdir()
    os.chdir(saved)
    run("-c", "-o", f"{folder}/p.o", "--save-temps")
    texts = [file for file in saved.iterdir() if file.suffix in (".mlir", ".ll", ".s")]
    if len(texts) < 5:
        sys.exit(f"--save-temps saved {texts}")
    for file in texts:
        check(str(file), file.read_text())
    # A limit of the user prints it.
    printed = run("--emit", "air", "-o", "-", "--mlir-elide-resource-strings-if-larger=100000000")[0]
    if len(printed) < 8 * COUNT:
        sys.exit("--mlir-elide-resource-strings-if-larger has no effect")


if sys.argv[1] == "--program":
    pathlib.Path(sys.argv[2]).write_text(main_program())
else:
    main(*sys.argv[1:])
