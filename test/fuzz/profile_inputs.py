"""Mutants of target profiles: as text and as JSON, read by `aircc targets` and by compiles."""

import copy
import json

import text_mutations as text_changes
from harness import Case

VALUES = [None, True, False, 0, -1, 1, 64, 1.5, 1e300, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 64, 10**40, "", "x", "gfx942", "\u0000", "f32",
          "a" * 5000, [], {}, [0], [1, 2, 3], [[1]], {"a": 1}, [-1, 0], ["f32", "i8"], [1 << 40, 1 << 40]]  # fmt: skip
# Programs that use much of a profile: (file, options).
PROGRAMS = [
    ("samples/attention.mlir", ["--emit", "distributed"]),
    ("samples/matmul.mlir", ["--emit", "host-obj"]),
    ("samples/matmul_tiles.mlir", ["--emit", "llvm"]),
    ("samples/softmax.mlir", ["-S"]),
    ("samples/stencil.mlir", ["--emit", "obj"]),
]


def find_places(value, path=()):
    """The path of every value in a JSON document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from find_places(member, path + (key,))


def get(document, path):
    for key in path:
        document = document[key]
    return document


class ProfileInputs:
    name = "profile"
    weight = 15

    def __init__(self, environment):
        self.source = environment.source
        self.profiles = {}
        for path in sorted((environment.source / "targets").glob("*.json")):
            if path.name != "profile.schema.json":
                self.profiles[path.stem] = path.read_text()
        self.leaves = sorted(n for n, text in self.profiles.items() if "abstract" not in json.loads(text))
        self.keys = sorted({p[-1] for text in self.profiles.values() for p in find_places(json.loads(text)) if p and isinstance(p[-1], str)})

    def make(self, rng):
        name = rng.choice(sorted(self.profiles))
        text = self.profiles[name]
        if rng.random() < 0.4:  # a small profile that changes a few things
            name, text = rng.choice(self.leaves), None
            text = json.dumps({"extends": name, "description": "mutant"})
            name = "mutant"
        for _ in range(rng.choice([1, 1, 2, 3])):
            text = self.change_json(rng, text) if rng.random() < 0.75 else self.change_text(rng, text)
        files = {f"profiles/{name}.json": text.encode("utf-8", "surrogatepass")}
        target = name if name in self.leaves or name == "mutant" else rng.choice(self.leaves)
        folder = ["--targets-dir", "profiles"]
        if rng.random() < 0.3:
            return Case(["targets", target, *folder], files, f"targets/{name}.json")
        program, options = rng.choice(PROGRAMS)
        return Case([str(self.source / program), "--target", target, *folder, *options, "-o", "out"], files, f"targets/{name}.json")

    def change_text(self, rng, text):
        change = rng.choice([text_changes.change_character, text_changes.change_line, text_changes.change_number, text_changes.cut_off])
        return change(rng, text)

    def change_json(self, rng, text):
        try:
            document = json.loads(text)
        except ValueError:
            return self.change_text(rng, text)
        paths = [path for path in find_places(document) if path]
        if not paths:
            return text
        path = rng.choice(paths)
        parent, key = get(document, path[:-1]), path[-1]
        choice = rng.randrange(7)
        if choice == 0:
            del parent[key]
        elif choice == 1:
            parent[key] = rng.choice(VALUES)
        elif choice == 2:
            parent[key] = copy.deepcopy(get(document, rng.choice(paths)))
        elif choice == 3 and isinstance(parent[key], int):
            parent[key] = text_changes.new_number(rng, parent[key])
        elif choice == 4 and isinstance(parent[key], list):
            parent[key] = [*parent[key], rng.choice([*parent[key], *VALUES])]
        elif choice == 5 and isinstance(parent, dict):
            parent[rng.choice(self.keys)] = parent.pop(key)
        else:  # a key that the profile has not set itself, with the value of another profile
            other = json.loads(self.profiles[rng.choice(sorted(self.profiles))])
            taken = rng.choice(sorted(other))
            document[taken] = other[taken]
        return json.dumps(document, indent=rng.choice([None, 1]))
