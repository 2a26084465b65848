"""Damaged safetensors files, which give a compile its constants (`--constants-in`), or a compiled program those of
`--constants-out`. The program must compute the right result, or refuse the file."""

import pathlib
import re
import struct
import subprocess
import tempfile

import text_mutations
from binary_mutators import damage_bytes
from dlpack_inputs import PYTHON
from harness import Case

PROGRAM = """
ml_program.global private @g(#ml_program.extern : tensor<3xi8>) : tensor<3xi8>
func.func @add(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<3xi8>, tensor<5xi1>) {
  %c = arith.constant dense_resource<w> : tensor<4x8xf32>
  %g = ml_program.global_load_const @g : tensor<3xi8>
  %b = arith.constant dense_resource<b> : tensor<5xi1>
  %z = arith.addf %x, %c : tensor<4x8xf32>
  return %z, %g, %b : tensor<4x8xf32>, tensor<3xi8>, tensor<5xi1>
}
"""
HEADER = (
    '{"__metadata__":{"format":"np"},"w":{"dtype":"F32","shape":[4,8],"data_offsets":[0,128]},'
    '"b":{"dtype":"BOOL","shape":[5],"data_offsets":[128,133]},"g":{"dtype":"I8","shape":[3],"data_offsets":[133,136]}}'
)
DATA = struct.pack("<32f", *range(32)) + bytes([1, 0, 0, 1, 1]) + bytes([5, 6, 7])
WORDS = ["F32", "BOOL", "I8", "F4", "I64", "X", "w", "b", "g", "shape", "dtype", "data_offsets", "null", "1e999", "-0",
         "[]", "{}", "1.5", '"', "__metadata__", "[[0]]", "\\ud800", "true"]  # fmt: skip


def make_file(header, length=None):
    text = header.encode("utf-8", "surrogatepass")
    return struct.pack("<Q", (len(text) if length is None else length) % (1 << 64)) + text + DATA


def change_word(rng, text):
    place = rng.choice(list(re.finditer(r"\w+|[\[\]{}:,]", text)))
    return text[: place.start()] + rng.choice(WORDS) + text[place.end() :]


def mutate(rng):
    header = HEADER
    choice = rng.randrange(8)
    if choice == 0:
        contents = bytearray(make_file(header))
        damage_bytes(contents, rng)
        return bytes(contents)
    if choice == 1:
        return make_file(header, text_mutations.new_number(rng, len(header)))
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        change = rng.choice([change_word, text_mutations.change_number, text_mutations.change_character])
        header = change(rng, header)
    return make_file(header)


class SafetensorsInputs:
    name = "safetensors"
    weight = 2

    def __init__(self, environment):
        self.environment = environment
        self.folder = tempfile.TemporaryDirectory(prefix="aircc-fuzz-safetensors-")
        folder = pathlib.Path(self.folder.name)
        (folder / "in.safetensors").write_bytes(make_file(HEADER))
        self.library = f"{folder}/add.so"
        command = [environment.aircc, "-", "--target", "gfx942", "--emit", "shared", "-o", self.library]
        command += ["--constants-in", folder / "in.safetensors", "--constants-out", folder / "case.safetensors"]
        command += ["--constants-threshold", "1"]
        subprocess.run(command, input=PROGRAM.encode(), check=True)
        # The program finds its constants in the folder of a case only.
        (folder / "case.safetensors").unlink()

    def make(self, rng):
        contents = mutate(rng)
        if self.environment.sanitized or rng.random() < 0.5:  # Python cannot load a library that needs the sanitizers.
            return Case(
                ["in.mlir", "--target", "gfx942", "--emit", "air", "--constants-in", "case.safetensors"],
                {"case.safetensors": contents, "in.mlir": PROGRAM.encode()},
                "safetensors, compile",
            )
        script = self.environment.source / "test" / "fuzz" / "Inputs" / "safetensors_case.py"
        return Case(
            [str(script), str(self.environment.source / "python"), self.library],
            {"case.safetensors": contents},
            "safetensors, run",
            program=PYTHON,
        )
