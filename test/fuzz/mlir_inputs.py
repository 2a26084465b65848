"""Mutants of MLIR programs: the samples and all programs among the tests, for several targets and outputs."""

import re

import text_mutations as text_changes
from harness import Case

TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "pvc", "bmg"]
AMD_ONLY = {"rocdl", "hsaco", "obj"}
INTEL_ONLY = {"xevm", "spirv"}
# The outputs, with weights. Linking takes long, and reads no more of the input than compiling to an object.
EMIT = {"air": 2, "gpu": 4, "layout": 2, "distributed": 4, "rocdl": 4, "xevm": 2, "llvm": 8, "asm": 12, "obj": 2,
        "hsaco": 12, "spirv": 6, "host-llvm": 4, "host-obj": 16, "shared": 1, "exe": 2}  # fmt: skip

# Larger programs take long to compile, and contain little that smaller ones do not.
LONGEST = 16000

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#!^]?[A-Za-z_$][\w.$-]*|[%@#!^]\w+|\d+(?:\.\d+)?|->|::|\S')
SCALAR = re.compile(
    r"(?<![\w.#%@!^$])(?:index|[su]?i\d+|bf16|tf32|f\d+(?:E\d+M\d+\w*)?)\b"
    r"|(?<=x)(?:index|i\d+|bf16|f\d+(?:E\d+M\d+\w*)?)\b"
)
SCALARS = ["i1", "i2", "i4", "i7", "i8", "i16", "i24", "i32", "i33", "i64", "i65", "i128", "i1024", "si8", "ui32",
           "index", "f16", "bf16", "f32", "tf32", "f64", "f80", "f128", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2",
           "f8E8M0FNU", "f6E2M3FN", "f4E2M1FN", "none", "complex<f32>", "vector<4xf32>", "memref<4xf32>",
           "tensor<4xf32>", "!llvm.ptr"]  # fmt: skip
SHAPED = re.compile(r"\b(vector|memref|tensor)<([\d?x*\[\]]+x)?")
PREFIXES = ["vector<", "vector<4x", "vector<[4]x", "vector<1x1x", "vector<0x", "vector<2x64x", "memref<", "memref<?x",
            "memref<*x", "memref<4x?x", "memref<0x", "memref<64x64x", "tensor<", "tensor<?x",
            "tensor<8x8x"]  # fmt: skip
MEMORY = re.compile(r"(?:, )(\d+(?: : i32)?|#gpu\.address_space<\w+>)(?=>)")
MEMORIES = ["0", "1", "2", "3", "4", "5", "7", "99", "-1", "1 : i32", "#gpu.address_space<workgroup>",
            "#gpu.address_space<private>", "#gpu.address_space<global>", '"L2"', "#air.symmetric_heap",
            "dense<1> : vector<2xi32>"]  # fmt: skip
ATTRIBUTES = re.compile(r"\{[^{}\n%]*=[^{}\n%]*\}")
ENTRY = re.compile(r"([\w.]+) = ([^,{}\n]+)")
VALUES = ["unit", "0", "-1", "4294967296 : i64", "1 : index", "1.0 : f32", '"text"', '""', "[]", "[1, 2]", "{}",
          "true", "@f", "i32", "dense<0> : tensor<4xi32>", "dense<1.0> : vector<2x2xf32>", "array<i32: 1, 2, 3>",
          "array<i64>", "array<i1: true>", "array<index: 64>", "affine_map<(d0) -> (d0)>",
          "affine_map<(d0)[s0] -> (d0 mod s0, d0 floordiv 0)>", "affine_set<(d0) : (d0 >= 0)>",
          "#gpu.address_space<workgroup>", "loc(unknown)", "sparse<0, 1> : tensor<4xi32>", "distinct[0]<unit>",
          "strided<[1], offset: ?>"]  # fmt: skip
NAMES = ["known_block_size", "known_grid_size", "gpu.kernel", "air.offload", "llvm.emit_c_interface",
         "amdgpu.waves_per_eu", "rocdl.flat_work_group_size", "sym_visibility", "layout", "operandSegmentSizes",
         "in_bounds", "permutation_map", "alignment", "pad_before", "pad_after", "memory_space", "nontemporal",
         "fastmath", "kind", "dimension", "static_offsets"]  # fmt: skip


def find_programs(source):
    """Returns (name, text) of every program; a file may contain several."""
    for folder in ("samples", "test"):
        for path in sorted((source / folder).rglob("*")):
            if path.suffix == ".mlir":
                parts = [path.read_text()]
            elif path.suffix == ".test":
                sections = re.split(r"(?m)^(?:// )?#?(?=--- \S+$)", path.read_text())[1:]
                parts = [s.split("\n", 1)[1] for s in sections if s.split("\n", 1)[0].endswith(".mlir")]
            else:
                continue
            for part in parts:
                for piece in re.split(r"(?m)^//\s*-----.*$", part):
                    # Without comments, which would absorb most of the mutations.
                    piece = "\n".join(l for l in piece.split("\n") if not l.lstrip().startswith("//")).strip() + "\n"
                    if 1 < len(piece) <= LONGEST:
                        yield str(path.relative_to(source)), piece


class MlirInputs:
    name = "mlir"
    weight = 70

    def __init__(self, environment):
        self.programs = list(find_programs(environment.source))
        # Most of these replacements compile; the others are often wrong, or in a form that only one pass accepts.
        self.whole = [
            (origin, text)
            for origin, text in self.programs
            if origin.startswith(("samples/", "test/e2e/")) and "/errors/" not in origin
        ]
        if len(self.programs) < 100:
            raise SystemExit(f"only {len(self.programs)} programs to mutate in {environment.source}")
        self.ops = sorted({op for _, text in self.programs for op in re.findall(r"\b[a-z_]+\.[a-z_][\w.]*", text)})
        # Mutations of types and numbers reach later stages than mutations that break the syntax.
        self.changes = [(self.change_number, 20), (self.change_type, 16), (self.change_shape, 10),
                        (self.change_memory, 6), (self.change_attribute, 14), (self.add_attribute, 4),
                        (self.change_value, 12), (self.change_op, 6), (self.change_token, 10), (self.change_line, 10),
                        (self.add_line, 5), (self.change_character, 3), (self.cut_off, 1), ]  # fmt: skip

    def make(self, rng):
        origin, text = self.pick_program(rng, self.whole if rng.random() < 0.6 else self.programs)
        functions, weights = zip(*self.changes)
        for _ in range(rng.choice([1, 1, 1, 1, 2, 2, 3, 5])):
            text = rng.choices(functions, weights)[0](rng, text)
        return Case(["in.mlir", *self.options(rng)], {"in.mlir": text.encode("utf-8", "surrogatepass")}, origin)

    @staticmethod
    def pick_program(rng, programs):
        return text_changes.pick(rng, programs, lambda program: program[0] + program[1][:200])

    def options(self, rng):
        target = rng.choice(TARGETS)
        intel = target in ("pvc", "bmg")
        kinds = {k: w for k, w in EMIT.items() if k not in (AMD_ONLY if intel else INTEL_ONLY)}
        emit = rng.choices(list(kinds), list(kinds.values()))[0]
        options = ["--target", target, "--emit", emit, "-o", "out"]
        if emit == "host-obj" and rng.random() < 0.2:
            options += ["--target", rng.choice([t for t in TARGETS if t != target])]
        if emit in ("host-obj", "shared") and rng.random() < 0.5:
            options += ["--header", "out.h"]
        options += rng.choice([[], [], [], ["-O0"], ["-O1"], ["-O3"]])
        options += rng.choice([[], [], [], ["-g"], ["-Rlayout"], ["--diagnostics-format=json"]])
        return options

    # The mutations. Each returns a changed text.

    @staticmethod
    def replace(rng, text, pattern, make):
        places = list(pattern.finditer(text))
        if not places:
            return text
        place = rng.choice(places)
        return text[: place.start()] + make(place) + text[place.end() :]

    def change_number(self, rng, text):
        return text_changes.change_number(rng, text)

    def change_line(self, rng, text):
        return text_changes.change_line(rng, text)

    def change_character(self, rng, text):
        return text_changes.change_character(rng, text)

    def cut_off(self, rng, text):
        return text_changes.cut_off(rng, text)

    def change_type(self, rng, text):
        """Changes one type, or all types of a kind, so that ops still agree."""
        places = SCALAR.findall(text)
        if not places:
            return text
        old, new = rng.choice(places), rng.choice(SCALARS)
        if rng.random() < 0.6:
            return SCALAR.sub(lambda found: new if found[0] == old else found[0], text)
        return self.replace(rng, text, SCALAR, lambda found: new)

    def change_shape(self, rng, text):
        places = [found[0] for found in SHAPED.finditer(text)]
        if not places:
            return text
        old, new = rng.choice(places), rng.choice(PREFIXES)
        if found := re.search(r"\d+", old):
            if rng.random() < 0.7:  # the same rank, another size
                new = text_changes.change_number(rng, old, re.compile(r"\d+"))
        if rng.random() < 0.6:
            return text.replace(old, new)
        return self.replace(rng, text, re.compile(re.escape(old)), lambda found: new)

    def change_memory(self, rng, text):
        return self.replace(rng, text, MEMORY, lambda found: ", " + rng.choice(MEMORIES))

    def change_attribute(self, rng, text):
        choice = rng.randrange(3)
        if choice == 0:
            return self.replace(rng, text, ATTRIBUTES, lambda found: rng.choice(["", "{}"]))
        if choice == 1:
            return self.replace(rng, text, ENTRY, lambda found: f"{found[1]} = {rng.choice(VALUES)}")
        return self.replace(rng, text, ENTRY, lambda found: f"{rng.choice(NAMES)} = {found[2]}")

    def add_attribute(self, rng, text):
        entry = f"{rng.choice(NAMES)} = {rng.choice(VALUES)}"
        pattern = rng.choice([re.compile(r"(?<=\{)(?=\w+ =)"), re.compile(r"(?<=\)) (?=: )"), re.compile(r"(?= \{\n)")])
        if pattern.pattern.startswith("(?<=\\{)"):
            return self.replace(rng, text, pattern, lambda found: entry + ", ")
        if pattern.pattern.startswith("(?= "):
            return self.replace(rng, text, pattern, lambda found: f" attributes {{{entry}}}")
        return self.replace(rng, text, pattern, lambda found: f" {{{entry}}} ")

    def change_value(self, rng, text):
        """Replaces an operand by another value of the program, or a constant by one of another kind."""
        names = re.findall(r"%\w+", text)
        if not names:
            return text
        return self.replace(rng, text, re.compile(r"%\w+"), lambda found: rng.choice(names))

    def change_op(self, rng, text):
        """Replaces the name of an op, mostly by another of the same dialect."""

        def make(found):
            same = [op for op in self.ops if op.split(".")[0] == found[0].split(".")[0]]
            return text_changes.pick(rng, same if same and rng.random() < 0.8 else self.ops)

        return self.replace(rng, text, re.compile(r"(?<![%@#!\w.])[a-z_]+\.[a-z_][\w.]*"), make)

    def change_token(self, rng, text):
        places = list(TOKEN.finditer(text))
        if not places:
            return text
        place, other = rng.choice(places), rng.choice(places)
        new = rng.choice(["", f"{place[0]} {place[0]}", other[0], other[0]])
        return text[: place.start()] + new + text[place.end() :]

    def add_line(self, rng, text):
        """Inserts a line of another program."""
        lines = text.split("\n")
        line = rng.choice(self.pick_program(rng, self.programs)[1].split("\n"))
        lines.insert(rng.randrange(len(lines) + 1), line)
        return "\n".join(lines)
