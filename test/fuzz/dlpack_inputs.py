"""Damaged DLPack tensors, which the Python package accepts or rejects."""

import json
import subprocess
import tempfile

from harness import Case

# Debian's package of numpy is for this interpreter.
PYTHON = "/usr/bin/python3"
PROGRAM = """
func.func @add(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = arith.addf %x, %y : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
"""
VALID = {
    "name": "dltensor_versioned",
    "versioned": True,
    "major": 1,
    "minor": 0,
    "flags": 0,
    "device_type": 1,
    "device_id": 0,
    "ndim": 2,
    "code": 2,
    "bits": 32,
    "lanes": 1,
    "byte_offset": 0,
    "shape": [3, 4],
    "strides": [4, 1],
    "has_data": True,
    "has_shape": True,
    "has_strides": True,
    "has_deleter": True,
    "as_result": False,
}
BITS = {"major": 32, "minor": 32, "flags": 64, "code": 8, "bits": 8, "lanes": 16}
SIGNED = {"device_type": 32, "device_id": 32, "ndim": 32}
NAMES = ["dltensor", "dltensor_versioned", "used_dltensor", "used_dltensor_versioned", "", "x", "DLTensor", None]
# The first half is in the memory of the test, the others are invalid addresses.
OFFSETS = [0, 1, 2, 3, 4, 8, 16, 64, 4096, 1 << 20, 1 << 63, (1 << 64) - 1, (1 << 64) - 4, (1 << 64) - 48]
SIZES = [-(1 << 63), -(1 << 32), -1, 0, 1, 2, 3, 4, 5, 12, 1 << 31, 1 << 32, 1 << 60, 1 << 62, (1 << 63) - 1]


def number(rng, bits, signed):
    value = rng.choice(
        [0, 1, 2, 3, 4, 7, 8, 10, 12, 14, 16, 32, 64, 65, 127, 128, 255, 1 << (bits - 1), (1 << bits) - 1]
    )
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


class DlpackInputs:
    name = "dlpack"
    weight = 1

    def __init__(self, environment):
        self.environment = environment
        self.folder = tempfile.TemporaryDirectory(prefix="aircc-fuzz-dlpack-")
        self.library = f"{self.folder.name}/add.so"
        command = [environment.aircc, "-", "--target", "gfx942", "--emit", "shared", "-o", self.library]
        subprocess.run(command, input=PROGRAM.encode(), check=True)

    def make(self, rng):
        case = {key: list(value) if isinstance(value, list) else value for key, value in VALID.items()}
        if rng.random() < 0.5:
            case.update(name="dltensor", versioned=False)
        case["as_result"] = rng.random() < 0.3
        for key in rng.sample(sorted(VALID), rng.choice([0, 1, 1, 1, 2, 3])):
            if key == "name":
                case[key] = rng.choice(NAMES)
            elif key == "byte_offset":
                case[key] = rng.choice(OFFSETS)
            elif key in ("shape", "strides"):
                case[key][rng.randrange(2)] = rng.choice(SIZES)
            elif key in BITS:
                case[key] = number(rng, BITS[key], False)
            elif key in SIGNED:
                case[key] = number(rng, SIGNED[key], True)
            else:
                case[key] = not case[key]
        script = self.environment.source / "test" / "fuzz" / "Inputs" / "dlpack_case.py"
        return Case(
            arguments=[str(script), str(self.environment.source / "python"), self.library, "case.json"],
            files={"case.json": json.dumps(case, indent=1).encode()},
            origin="DLPack",
            program=PYTHON,
        )
