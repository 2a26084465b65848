"""Damaged tuning files (`--tuning`). A compile must use such a file, or report an error in the file or at the op."""

import json

import text_mutations
from harness import Case
from profile_inputs import change_value, choose_place, get, make_value

PROGRAM = """
func.func @product(%a: tensor<192x256xf16>, %b: tensor<256x128xf16>) -> tensor<192x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<192x128xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<192x128xf32>) -> tensor<192x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<192x256xf16>, tensor<256x128xf16>)
      outs(%filled : tensor<192x128xf32>) -> tensor<192x128xf32>
  return %c : tensor<192x128xf32>
}
"""
ENTRY = {
    "chip": "gfx942", "waveSize": 64, "cus": 304, "m": 192, "n": 128, "k": 256, "matrices": 1,
    "a": {"type": "f16", "alongK": True, "computed": False}, "b": {"type": "f16", "alongK": False, "computed": False},
    "c": "f32", "tile": [64, 64, 32], "waves": [2, 2], "buffers": 2, "splits": 2,
}  # fmt: skip
# Choices that may fit: mutants of them are compiled more often than those of other numbers.
CHOICES = {"tile": [16, 32, 64, 128, 256, 512], "waves": [1, 2, 4, 8], "buffers": [2, 3, 4], "splits": [1, 2, 4, 8, 3]}


def change_choice(rng, document):
    key = rng.choice(sorted(CHOICES))
    number = rng.choice(CHOICES[key])
    entry = document["tuning"][0]
    if isinstance(entry[key], list):
        entry[key][rng.randrange(len(entry[key]))] = number
    else:
        entry[key] = number


def change_place(rng, document):
    path = choose_place(rng, document)
    parent, key = get(document, path[:-1]), path[-1]
    choice = rng.randrange(5)
    if choice == 0:
        del parent[key]
    elif choice == 1 and isinstance(parent, dict):
        parent[rng.choice([*ENTRY, "nanoseconds", "description", "x"])] = parent.pop(key)
    elif choice == 2 and isinstance(parent, list):
        parent.append(make_value(rng))
    else:
        parent[key] = change_value(rng, parent[key])


class TuningInputs:
    name = "tuning"
    weight = 3

    def __init__(self, environment):
        self.environment = environment

    def make(self, rng):
        entries = [json.loads(json.dumps(ENTRY)) for _ in range(rng.choice([1, 1, 1, 2]))]
        document = {"tuning": entries}
        for entry in entries[1:]:
            entry["k"] = rng.choice([256, 512])
        for _ in range(rng.choice([1, 2, 3])):
            change_choice(rng, document)
        if rng.random() < 0.6:
            change_place(rng, document)
        text = json.dumps(document, indent=1)
        if rng.random() < 0.2:
            text = rng.choice([text_mutations.change_character, text_mutations.cut_off, text_mutations.change_line])(
                rng, text
            )
        return Case(
            ["in.mlir", "--target", "gfx942", "--emit", "distributed", "--tuning", "tuning.json", "-o", "out"],
            {"in.mlir": PROGRAM.encode(), "tuning.json": text.encode("utf-8", "surrogatepass")},
            "tuning",
            refusal=r"tuning\.json:\d+:\d+: error: ",
        )
