"""Mutants of target profiles: as text and as JSON, read by `aircc targets` and by compiles."""

import copy
import json
import subprocess

import text_mutations as text_changes
from harness import Case

NUMBERS = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 128, 255, 256, 512, 1000, 1024, 1025, 4096,
           65535, 65536, 163840, 1 << 20, 1 << 24, 1 << 31, 1 << 32, (1 << 32) + 1, 1 << 62, (1 << 63) - 1, 1 << 63,
           1 << 64, 1 << 70, 10**40, -1, -64, -(1 << 63), 0.5, 1.5, 1e300]  # fmt: skip
STRINGS = ["", " ", "x", "-", "+", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250", "gfx900", "generic",
           "pvc", "bmg", "f16", "f32", "i8", "bf16", "tf32", "f8E4M3FN", "f4E2M1FN", "amd", "intel", "rocdl", "xevm",
           "ocp", "fnuz", "none", "hip", "sim", "level-zero", "ocml", "ockl", "opencl", "nolib", "+wavefrontsize64",
           "-wavefrontsize64", "+wavefrontsize32", "+mai-insts", "-mai-insts", "-gfx950-insts", "+sramecc", "-xnack",
           "amdgcn-amd-amdhsa", "spirv64-unknown-unknown", "spirv32-unknown-unknown", "x86_64-unknown-linux-gnu",
           "aarch64-unknown-linux-gnu", "nonsense-triple", "amdgcn", "cc", "no-such-compiler", "channels",
           "hierarchy", "layout", "distribution", "codegen", "link", "mfma.f32.16x16x16f16", "wmma.f32.16x16x16.f16",
           "\u0000", "\u00e9", "a" * 5000]  # fmt: skip
# Programs that use many parts of a profile: (file, options).
PROGRAMS = [
    ("samples/attention.mlir", ["--emit", "distributed"]),
    ("samples/matmul.mlir", ["--emit", "host-obj"]),
    ("samples/matmul_tiles.mlir", ["--emit", "llvm"]),
    ("samples/softmax.mlir", ["-S"]),
    ("samples/stencil.mlir", ["--emit", "obj"]),
]


def find_places(value, path=()):
    """Returns the path of every value in a JSON document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from find_places(member, path + (key,))


def get(document, path):
    for key in path:
        document = document[key]
    return document


def make_value(rng):
    number, string = rng.choice(NUMBERS), rng.choice(STRINGS)
    return rng.choice(
        [number, string, None, True, False, [], {}, [number], [number] * 2, [string], [1, 2, 3], [[1]], {"a": number}]
    )


def change_value(rng, old):
    """Returns another value, mostly of the same type."""
    if isinstance(old, bool) or old is None or rng.random() < 0.2:
        return make_value(rng)
    if isinstance(old, int):
        return rng.choice(
            [
                rng.choice(NUMBERS),
                old * 2,
                old // 2,
                old + 1,
                old - 1,
                -old,
                old << 58,
                text_changes.new_number(rng, old),
            ]
        )
    if isinstance(old, str):
        return rng.choice([rng.choice(STRINGS), old + "x", old[1:], old[::-1], old.upper()])
    if isinstance(old, list):
        return rng.choice(
            [old[:-1], old + old, old[::-1], [*old, rng.choice([*old, make_value(rng)])], rng.sample(old, len(old)), []]
        )
    if isinstance(old, dict):
        changed = dict(old)
        if old and rng.random() < 0.5:
            del changed[rng.choice(sorted(old))]
        else:
            changed[rng.choice(STRINGS)] = make_value(rng)
        return changed
    return make_value(rng)


def choose_place(rng, document):
    """Returns the path of a random value; None if the document itself is a single value."""
    paths = [path for path in find_places(document) if path]
    # Nine tenths of all values belong to matrix instructions.
    others = [path for path in paths if path[0] != "matrixInstructions"]
    if others and rng.random() < 0.6:
        paths = others
    # Changed numbers are accepted more often than changed words.
    numbers = [path for path in paths if type(get(document, path)) is int]
    if numbers and rng.random() < 0.5:
        paths = numbers
    return rng.choice(paths) if paths else None


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
        # The profiles after inheritance: a mutant may then change values that the file itself does not have.
        self.resolved = {name: self.resolve(environment, name) for name in self.leaves}
        self.keys = sorted(
            {
                p[-1]
                for text in self.profiles.values()
                for p in find_places(json.loads(text))
                if p and isinstance(p[-1], str)
            }
        )

    @staticmethod
    def resolve(environment, name):
        return json.loads(
            subprocess.run([environment.aircc, "targets", name], capture_output=True, text=True, check=True).stdout
        )

    def make(self, rng):
        name = rng.choice(sorted(self.profiles))
        text = self.profiles[name]
        kind = rng.random()
        if kind < 0.3:  # a small profile that changes a few things
            base = rng.choice(self.leaves)
            keys = rng.sample(sorted(self.resolved[base]), 3)
            name, text = "mutant", json.dumps({"extends": base, **{key: self.resolved[base][key] for key in keys}})
        elif kind < 0.5:
            name, text = "mutant", json.dumps(self.resolved[rng.choice(self.leaves)], indent=1)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            text = self.change_json(rng, text) if rng.random() < 0.9 else self.change_text(rng, text)
        files = {f"profiles/{name}.json": text.encode("utf-8", "surrogatepass")}
        target = name if name in self.leaves or name == "mutant" else rng.choice(self.leaves)
        folder = ["--targets-dir", "profiles"]
        if rng.random() < 0.4:
            # Errors in a profile are reported with their place.
            return Case(["targets", target, *folder], files, f"targets/{name}.json", refusal=r"\.json:\d+:\d+: error: ")
        program, options = rng.choice(PROGRAMS)
        return Case(
            [str(self.source / program), "--target", target, *folder, *options, "-o", "out"],
            files,
            f"targets/{name}.json",
        )

    def change_text(self, rng, text):
        changes = [
            text_changes.change_character,
            text_changes.change_line,
            text_changes.change_number,
            text_changes.cut_off,
            self.nest,
        ]
        return rng.choice(changes)(rng, text)

    @staticmethod
    def nest(rng, text):
        """Brackets that are nested deeper than a parser may recurse."""
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice("[{") * rng.choice([70, 200000]) + text[at:]

    def change_json(self, rng, text):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return self.change_text(rng, text)
        path = choose_place(rng, document)
        if not path:
            return text
        parent, key = get(document, path[:-1]), path[-1]
        other = rng.choice([*self.resolved.values()])
        choice = rng.randrange(10)
        if choice == 0:
            del parent[key]
        elif choice == 1:  # a value from elsewhere in the document
            parent[key] = copy.deepcopy(get(document, choose_place(rng, document)))
        elif choice == 2 and isinstance(parent, dict):
            parent[rng.choice(self.keys)] = parent.pop(key)
        elif choice == 3 and isinstance(
            document, dict
        ):  # a key that the profile itself has not set, with the value of another profile
            taken = rng.choice(sorted(other))
            document[taken] = copy.deepcopy(other[taken])
        elif choice == 4:  # the value at the same place in another profile, which may not fit here
            try:
                parent[key] = copy.deepcopy(get(other, path))
            except (KeyError, IndexError, TypeError):
                parent[key] = make_value(rng)
        else:
            parent[key] = change_value(rng, parent[key])
        return json.dumps(document, indent=rng.choice([None, 1]))
