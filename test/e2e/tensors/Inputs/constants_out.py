"""constants_out.py FOLDER TARGET…: functions whose constants are in a file, for each target against numpy."""

import os
import sys

import numpy as np

import aircc
import elements
import tensor_files

SHAPE = (4, 24)
NAMES = {
    "i1": "BOOL",
    "i4": "U8",
    "i8": "I8",
    "i16": "I16",
    "i32": "I32",
    "i64": "I64",
    "f8E4M3FN": "F8_E4M3",
    "f8E5M2": "F8_E5M2",
    "f8E4M3FNUZ": "F8_E4M3FNUZ",
    "f8E5M2FNUZ": "F8_E5M2FNUZ",
    "bf16": "BF16",
    "f16": "F16",
    "f32": "F32",
    "f64": "F64",
}


def make_values(rng, element, shape):
    return elements.round_to(rng.integers(-4, 5, shape), element)


def get_bytes(values, element):
    bits = elements.to_bits(values, element)
    return (bits & 15 if element == "i4" else bits).tobytes()


def type_name(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


class Program:
    """Collects the text of a program, and the values of its constants."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.functions, self.blobs, self.values = [], [], {}

    def add_resource(self, name, element, shape):
        values = self.values[name] = make_values(self.rng, element, shape)
        alignment = max(1, elements.get_width(element) // 8)
        self.blobs.append(f'{name}: "0x{alignment:02x}000000{get_bytes(values, element).hex()}"')
        return f"dense_resource<{name}> : {type_name(shape, element)}"

    def add_dense(self, name, element, shape):
        values = self.values[name] = make_values(self.rng, element, shape)

        def literal(value):
            if element == "i1":
                return "true" if value else "false"
            return repr(float(value)) if elements.is_float(element) else str(int(value))

        rows = ", ".join("[" + ", ".join(map(literal, row)) + "]" for row in values)
        return f"dense<[{rows}]> : {type_name(shape, element)}"

    def add_selection(self, name, element, constant):
        """A kernel that takes each element from the argument or from the constant: exact for all types."""
        kind, mask = type_name(SHAPE, element), type_name(SHAPE, "i1")
        value = f"%c = arith.constant {constant}"
        if element == "i4":  # Arrays of numpy have no such elements.
            kind = type_name(SHAPE, "i8")
            value = f"%n = arith.constant {constant}\n  %c = arith.extsi %n : {type_name(SHAPE, element)} to {kind}"
        self.functions.append(
            f"""func.func @{name}(%m: {mask}, %x: {kind}) -> {kind} {{
  {value}
  %r = arith.select %m, %x, %c : {mask}, {kind}
  return %r : {kind}
}}"""
        )

    def get_text(self):
        return "\n".join(self.functions) + "\n{-# dialect_resources: {builtin: {" + ", ".join(self.blobs) + "}} #-}\n"


def make_program(seed):
    program = Program(seed)
    for element in NAMES:
        if element != "i4":  # A resource of i4 has no form in memory.
            program.add_selection(f"r_{element}", element, program.add_resource(f"r_{element}", element, SHAPE))
        program.add_selection(f"d_{element}", element, program.add_dense(f"d_{element}", element, SHAPE))
    weights = program.add_resource("weights", "f32", (24, 16))
    bias = program.add_dense("bias", "f32", (1, 16))
    program.functions.append(
        f"""
func.func private @product(%x: tensor<8x24xf32>) -> tensor<8x16xf32> {{
  %w = arith.constant {weights}
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<8x24xf32>, tensor<24x16xf32>) outs(%zero : tensor<8x16xf32>)
      -> tensor<8x16xf32>
  return %m : tensor<8x16xf32>
}}
func.func @layer(%x: tensor<8x24xf32>) -> tensor<8x16xf32> {{
  %b = arith.constant {bias}
  %m = call @product(%x) : (tensor<8x24xf32>) -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%m, %b : tensor<8x16xf32>, tensor<1x16xf32>) outs(%e : tensor<8x16xf32>) {{
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }} -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}}
// The host reads an element.
func.func @element(%i: index, %j: index) -> f32 {{
  %w = arith.constant {weights}
  %v = tensor.extract %w[%i, %j] : tensor<24x16xf32>
  return %v : f32
}}
// The host and a kernel read the constant.
func.func @scaled(%i: index, %j: index) -> tensor<24x16xf32> {{
  %w = arith.constant {weights}
  %v = tensor.extract %w[%i, %j] : tensor<24x16xf32>
  %s = tensor.splat %v : tensor<24x16xf32>
  %r = arith.mulf %w, %s : tensor<24x16xf32>
  return %r : tensor<24x16xf32>
}}
// The result is the constant, and a row of it.
func.func @whole() -> tensor<24x16xf32> {{
  %w = arith.constant {weights}
  return %w : tensor<24x16xf32>
}}
func.func @row(%i: index) -> tensor<1x16xf32> {{
  %w = arith.constant {weights}
  %r = tensor.extract_slice %w[%i, 0] [1, 16] [1, 1] : tensor<24x16xf32> to tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}}
// A kernel in a loop reads it.
func.func @powers(%x: tensor<24x16xf32>, %n: index) -> tensor<24x16xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<24x16xf32> {{
    %w = arith.constant {weights}
    %z = arith.addf %y, %w : tensor<24x16xf32>
    scf.yield %z : tensor<24x16xf32>
  }}
  return %r : tensor<24x16xf32>
}}"""
    )
    return program


def check_file(path, program):
    """The file has the bytes of each resource under its name, and those of other constants."""
    tensors = tensor_files.read(path)
    others = [data for name, (_, _, data) in tensors.items() if name.startswith("constant_")]
    for name, values in program.values.items():
        element = name.split("_")[1] if "_" in name else "f32"
        wanted = get_bytes(values, element)
        if name == "weights" or name.startswith("r_"):
            assert tensors.pop(name) == (NAMES[element], list(values.shape), wanted), name
        else:
            assert wanted in others, name
    assert all(name.startswith("constant_") for name in tensors), tensors.keys()


def count_failures(model, program, target):
    rng, values, failures = np.random.default_rng(1), program.values, 0

    def check(name, result, wanted):
        nonlocal failures
        if result.tobytes() != np.asarray(wanted).astype(result.dtype).tobytes():
            print(f"{target}: {name} is wrong")
            failures += 1

    for name in values:
        if name[:2] not in ("r_", "d_"):
            continue
        element = name[2:]
        mask = rng.integers(0, 2, SHAPE).astype(bool)
        argument = make_values(rng, element, SHAPE)
        wanted = np.where(mask, argument, values[name]).astype(argument.dtype)
        result = model[name](mask, elements.to_bits(argument, element))
        check(name, result, elements.to_bits(wanted, element))
    weights = values["weights"]
    x = rng.integers(-4, 5, (8, 24)).astype(np.float32)
    for _ in range(2):
        check("layer", model.layer(x), x @ weights + values["bias"])
    check("element", np.float32(model.element(23, 15)), weights[23, 15])
    check("scaled", model.scaled(3, 4), weights * weights[3, 4])
    check("whole", model.whole(), weights)
    check("row", model.row(5), weights[5:6])
    check("powers", model.powers(weights, 3), 4 * weights)
    return failures


def main():
    folder, *targets = sys.argv[1:]
    for target in [*targets, targets]:
        program = make_program(len(target))
        name = target if isinstance(target, str) else "all"
        library, file = f"{folder}/lib{name}.so", f"{folder}/{name}.safetensors"
        options = ["--constants-out", file, "--constants-threshold", "1"]
        model = aircc.compile(program.get_text(), target=target, output=library, options=options)
        check_file(file, program)
        with open(library, "rb") as contents:
            assert get_bytes(program.values["weights"], "f32") not in contents.read()
        print(f"{name}: {len(program.functions)} groups of functions, {count_failures(model, program, name)} failures")
        os.remove(file)


main()
