"""constants_in.py FOLDER: values of a program come from a safetensors file; files that do not fit are rejected."""

import subprocess
import sys

import numpy as np

import aircc
import elements
import tensor_files

TYPES = {
    "i1": ["BOOL"],
    "i8": ["I8", "U8"],
    "i16": ["I16", "U16"],
    "i32": ["I32", "U32"],
    "i64": ["I64", "U64"],
    "f8E4M3FN": ["F8_E4M3"],
    "f8E5M2": ["F8_E5M2"],
    "bf16": ["BF16"],
    "f16": ["F16"],
    "f32": ["F32"],
    "f64": ["F64"],
}

# The resource `replaced` has other values in the program, and `kept` is not in the file.
SOURCE = """
ml_program.global private @global(#ml_program.extern : tensor<2x4xf32>) : tensor<2x4xf32>
ml_program.global private mutable @state(dense<0.0> : tensor<2x4xf32>) : tensor<2x4xf32>
func.func @constants(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %g = ml_program.global_load_const @global : tensor<2x4xf32>
  %s = ml_program.global_load @state : tensor<2x4xf32>
  %a = arith.constant dense_resource<replaced> : tensor<2x4xf32>
  %b = arith.constant dense_resource<kept> : tensor<2x4xf32>
  %p = arith.addf %g, %a : tensor<2x4xf32>
  %q = arith.addf %p, %b : tensor<2x4xf32>
  %r = arith.addf %q, %x : tensor<2x4xf32>
  %t = arith.addf %s, %x : tensor<2x4xf32>
  return %r, %t : tensor<2x4xf32>, tensor<2x4xf32>
}
{-# dialect_resources: {builtin: {
  replaced: "0x04000000HEX", kept: "0x04000000HEX"
}} #-}
"""


def check_types(folder):
    """Each type, with the data of the file aligned and not."""
    rng, failures = np.random.default_rng(5), 0
    source, tensors, wanted = "", {}, {}
    for element, kinds in TYPES.items():
        for kind in kinds:
            name = f"{element}.{kind}"
            kind_text = f"tensor<3x5x{element}>"
            source += f"""func.func @"{name}"() -> {kind_text} {{
  %c = arith.constant dense_resource<"{name}"> : {kind_text}
  return %c : {kind_text}
}}
"""
            values = elements.round_to(rng.integers(0, 5, (3, 5)), element)
            wanted[name] = elements.to_bits(values, element)
            tensors[name] = (kind, (3, 5), wanted[name].tobytes())
    for padding in (0, 1):
        tensor_files.write(f"{folder}/types.safetensors", tensors, padding)
        for extra in ([], ["--constants-out", f"{folder}/out.safetensors", "--constants-threshold", "1"]):
            options = ["--constants-in", f"{folder}/types.safetensors", *extra]
            model = aircc.compile(source, output=f"{folder}/types{padding}{len(extra)}.so", options=options)
            for name, bits in wanted.items():
                if model[name]().tobytes() != bits.tobytes():
                    print(f"{name} is wrong")
                    failures += 1
            if extra:
                # The names in and out are the same.
                written = tensor_files.read(f"{folder}/out.safetensors")
                assert {name: data for name, (_, _, data) in written.items()} == {
                    name: bits.tobytes() for name, bits in wanted.items()
                }
    print(f"{len(wanted)} types, {failures} failures")


def check_program(folder):
    ones = np.ones((2, 4), np.float32)
    source = SOURCE.replace("HEX", ones.tobytes().hex())
    values = np.arange(8, dtype=np.float32).reshape(2, 4)
    tensors = {
        "global": ("F32", (2, 4), (100 * values).tobytes()),
        "state": ("F32", (2, 4), (7 + values).tobytes()),
        "replaced": ("F32", (2, 4), (10 * values).tobytes()),
        "unused": ("I4", (3,), b"xy"),
    }
    tensor_files.write(f"{folder}/model.safetensors", tensors)
    options = ["--constants-in", f"{folder}/model.safetensors"]
    model = aircc.compile(source, output=f"{folder}/model.so", options=options)
    first, second = model.constants(ones)
    print("program:", np.array_equal(first, 110 * values + 2), np.array_equal(second, values + 8))
    return source, tensors


def check_errors(folder, source, tensors):
    with open(f"{folder}/source.mlir", "w") as file:
        file.write(source)

    def report(what, **changes):
        tensor_files.write(f"{folder}/changed.safetensors", {**tensors, **changes})
        compile_with(what, f"{folder}/changed.safetensors")

    def compile_with(what, path, *options):
        done = subprocess.run(
            [aircc.compiler.find_compiler(), "source.mlir", "--target", "gfx942", "--emit", "shared", "-o", "e.so"]
            + ["--constants-in", path.replace(folder + "/", ""), *options],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        print(f"{what}: {done.returncode}: {done.stderr.splitlines()[0]}")

    report("shape", replaced=("F32", (4, 2), bytes(32)))
    report("type", replaced=("I32", (2, 4), bytes(32)))
    report("global", **{"global": ("F64", (2, 4), bytes(64))})
    tensor_files.write(f"{folder}/less.safetensors", {"replaced": tensors["replaced"]})
    compile_with("no value", f"{folder}/less.safetensors")
    compile_with("missing", f"{folder}/missing.safetensors")
    with open(f"{folder}/changed.safetensors", "rb+") as file:
        file.truncate(40)
    compile_with("truncated", f"{folder}/changed.safetensors")
    compile_with("same", f"{folder}/model.safetensors", "--constants-out", "model.safetensors")


def main():
    folder = sys.argv[1]
    check_types(folder)
    check_errors(folder, *check_program(folder))


main()
