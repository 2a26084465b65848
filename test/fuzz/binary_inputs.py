"""Mutants of binary files, read and run by `aircc sim`."""

import pathlib
import shutil
import struct
import subprocess
import tempfile
import zlib

import binary_mutators
from harness import Case

# A mutant may loop forever, which is not a failure of the simulator.
LIMITS = ["--timeout", "5", "--max-instructions", "2000000", "--threads", "1"]
SAXPY = ["--kernel", "saxpy", "--grid", "3", "--block", "64", "--arg", "f32=2", "--arg", "f32:400:iota", "--arg",
         "f32:401:0.5", "--arg", "i32=400", *LIMITS]  # fmt: skip


def tool(name):
    # LLVM 22's tools come first, because they must match aircc's own code.
    found = shutil.which(name, path="/usr/lib/llvm-22/bin") or shutil.which(f"{name}-22") or shutil.which(name)
    if not found:
        raise SystemExit(f"there is no {name}, which makes code objects to mutate")
    return found


class BinaryInputs:
    """The seeds are tuples (bytes, arguments of `aircc sim`, other files); `@` in the arguments stands for the
    mutant."""

    weight = 15
    suffix = ".bin"

    def __init__(self, environment):
        self.environment = environment
        self.seeds = []
        with tempfile.TemporaryDirectory() as folder:
            self.make_seeds(pathlib.Path(folder))

    def add(self, data, arguments, **files):
        self.seeds.append((data, arguments, files))

    def make(self, rng):
        data, arguments, files = rng.choice(self.seeds)
        mutant = "mutant" + self.suffix
        return Case(
            ["sim", *(mutant if a == "@" else a for a in arguments)],
            {mutant: self.mutate(data, rng), **{name.replace("_", "."): content for name, content in files.items()}},
            self.name,
        )

    def compile(self, source, target, kind, to, *options):
        subprocess.run(
            [
                self.environment.aircc,
                self.environment.source / source,
                "--target",
                target,
                f"--emit={kind}",
                *options,
                "-o",
                to,
            ],
            check=True,
        )
        return to.read_bytes()

    def hip_code(self, folder, chip, version):
        """Returns a code object with kernels, as hipcc compiles them."""
        text = (self.environment.source / "test/sim/Inputs/hip.ll").read_text()
        (folder / "hip.ll").write_text(text.replace("VERSION", version))
        subprocess.run(
            [tool("llc"), f"-mcpu={chip}", "-filetype=obj", "-o", folder / "hip.o", folder / "hip.ll"], check=True
        )
        subprocess.run([tool("ld.lld"), "-shared", folder / "hip.o", "-o", folder / "hip.hsaco"], check=True)
        return (folder / "hip.hsaco").read_bytes()


class CodeObjectInputs(BinaryInputs):
    name = "code-object"
    mutate = staticmethod(binary_mutators.mutate_elf)

    def make_seeds(self, folder):
        for chip, version in (("gfx942", "500"), ("gfx1201", "600"), ("gfx90a", "400")):
            code = self.hip_code(folder, chip, version)
            self.add(code, ["@", "--list"])
            self.add(code, ["@", "--coverage"])
            self.add(code, ["@", *SAXPY])
            self.add(code, ["@", *SAXPY, "--check"])
        scale = self.compile("test/driver/Inputs/scale.mlir", "gfx1100", "hsaco", folder / "scale.hsaco", "-g")
        self.add(
            scale, ["@", "--grid", "2", "--block", "64", "--arg", "memref:f32:100:iota", "--arg", "i64=99", *LIMITS]
        )


class SpirvInputs(BinaryInputs):
    name = "spirv"
    suffix = ".spv"
    mutate = staticmethod(binary_mutators.mutate_spirv)

    def make_seeds(self, folder):
        code = self.compile("test/sim/Inputs/spirv.mlir", "bmg", "spirv", folder / "k.spv")
        self.add(code, ["@", "--list"])
        self.add(
            code, ["@", "--kernel", "reverse", "--block", "8", "--arg", "memref:i32:8", "--arg", "lds:32", *LIMITS]
        )
        self.add(
            code,
            [
                "@",
                "--kernel",
                "walk",
                "--grid",
                "2",
                "--block",
                "32",
                "--arg",
                "memref:f32:64:iota",
                "--check",
                *LIMITS,
            ],
        )
        for sample in ("softmax", "matmul_tiles"):
            self.add(self.compile(f"samples/{sample}.mlir", "bmg", "spirv", folder / "s.spv"), ["@", "--list"])


class NpyInputs(BinaryInputs):
    name = "npy"
    weight = 2
    suffix = ".npy"
    mutate = staticmethod(binary_mutators.mutate_npy)

    def make_seeds(self, folder):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (16, 16), }"
        header = header.ljust(117) + b"\n"
        array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(1024)
        options = ["--kernel", "saxpy", "--block", "64", "--print", "1", *LIMITS]
        values = ["--arg", "f32=2", "--arg", "@", "--arg", "f32:401:0.5", "--arg", "i32=200"]
        self.add(array, ["code.hsaco", *options, *values], code_hsaco=self.hip_code(folder, "gfx942", "500"))


class BundleInputs(BinaryInputs):
    name = "bundle"
    weight = 3
    mutate = staticmethod(binary_mutators.mutate_bundle)

    def make_seeds(self, folder):
        code = self.hip_code(folder, "gfx942", "500")
        entry = b"hipv4-amdgcn-amd-amdhsa--gfx942"
        table = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, 4096, len(code), len(entry)) + entry
        bundle = table.ljust(4096, b"\0") + code
        self.add(bundle, ["@", *SAXPY])
        packed = zlib.compress(bundle)
        self.add(b"CCOB" + struct.pack("<HHIIQ", 2, 0, 24 + len(packed), len(bundle), 0) + packed, ["@", "--list"])
        # A host program with device code in its data.
        self.add(
            self.compile("test/driver/Inputs/scale.mlir", "gfx942", "host-obj", folder / "host.o"), ["@", "--list"]
        )


BINARY_INPUTS = [CodeObjectInputs, SpirvInputs, NpyInputs, BundleInputs]
