#!/usr/bin/env python3
"""Prints a program that copies through loops of transfers, and through the descriptors that the loops fold to.

Each case has a buffer in which element i is i, so that the elements of a transfer are its addresses. A case is copied
twice: by its loops, and by its descriptors; the program compares both with the addresses that this script
enumerates."""

import itertools

# name, shape of the buffer, trip counts of the loops, (offsets, sizes, strides), descriptors. An offset is a constant
# and a coefficient for each loop.
CASES = [
    (
        "E1",
        [128, 128],
        [4, 4],
        ([(0, 32, 0), (0, 0, 32)], [32, 32], [128, 1]),
        [([0, 0, 0, 0], [4, 4, 32, 32], [4096, 32, 128, 1])],
    ),
    ("E2", [8, 8], [2, 2], ([(0, 0, 0), (0, 0, 4)], [8, 4], [8, 1]), [([0, 0, 0, 0], [2, 2, 8, 4], [0, 4, 8, 1])]),
    ("E3", [1024], [6], ([(0, 0), (0, 0)], [4, 8], [16, 1]), [([0, 0, 0, 0], [6, 1, 4, 8], [0, 0, 16, 1])]),
    ("E4", [24, 16], [3], ([(0, 8), (0, 0)], [8, 16], [16, 1]), [([], [], [])]),
    ("E5", [8000], [], ([(0,), (0,)], [2, 3000], [4000, 1]), [([0, 0, 0], [2, 3, 1000], [4000, 1000, 1])]),
    ("E6", [1024], [], ([(2,), (0,), (5,)], [1, 4, 8], [32, 8, 1]), [([69], [32], [1])]),
    (
        "E7",
        [40000],
        [2, 5, 3],
        ([(0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 4)], [7, 9, 11], [4096, 64, 1]),
        [([0, i, 0, 0], [3, 7, 9, 11], [4, 4096, 64, 1]) for i in range(2) for _ in range(5)],
    ),
    (
        "E8",
        [8, 8],
        [2, 2],
        ([(0, 4, 0), (0, 0, 0)], [4, 8], [8, 1]),
        [([0, 0, 0, start], [2, 1, 1, 32], [0, 0, 0, 1]) for start in (0, 32)],
    ),
]


def walk(offsets, sizes, strides):
    for at in itertools.product(*map(range, sizes)):
        yield sum((o + i) * s for o, i, s in zip(offsets, at, strides))


def enumerate_case(trips, transfer):
    offsets, sizes, strides = transfer
    for point in itertools.product(*map(range, trips)):
        yield from walk([o[0] + sum(c * i for c, i in zip(o[1:], point)) for o in offsets], sizes, strides)


def count(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


class Program:
    def __init__(self):
        self.kernels = []
        self.globals = []
        self.main = []

    def add_kernel(self, name, shape, total, lines):
        source = f"memref<{'x'.join(map(str, shape))}xi32>"
        target = f"memref<{total}xi32>"
        self.kernels.append(
            f"""  func.func @{name}(%in: {source}, %out: {target}) {{
    air.launch () in () args(%a = %in, %b = %out) : {source}, {target} {{
      air.segment args(%src = %a, %dst = %b) : {source}, {target} {{
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
"""
            + "\n".join("        " + line for line in lines)
            + "\n      }\n    }\n    return\n  }\n"
        )
        return source, target

    def loop_lines(self, shape, trips, transfer, total):
        """The loops; they fill a tile of L2, or the output if that is too small."""
        offsets, sizes, strides = transfer
        part = count(sizes)
        lines = []
        use_l2 = total <= 8192
        space = ", 1" if use_l2 else ""
        tile = "%tile" if use_l2 else "%dst"
        if use_l2:
            lines.append(f"%tile = memref.alloc() : memref<{total}xi32, 1>")
        for depth, trip in enumerate(trips):
            lines.append(f"%n{depth} = arith.constant {trip} : index")
        for depth, _ in enumerate(trips):
            lines.append(f"scf.for %i{depth} = %zero to %n{depth} step %one {{")
        variables = ", ".join(f"%i{depth}" for depth in range(len(trips)))
        dims = ", ".join(f"d{depth}" for depth in range(len(trips)))
        starts = [" + ".join([str(o[0])] + [f"d{i} * {c}" for i, c in enumerate(o[1:])]) for o in offsets]
        steps = [part * count(trips[depth + 1 :]) for depth in range(len(trips))]
        starts.append(" + ".join(["0"] + [f"d{i} * {step}" for i, step in enumerate(steps)]))
        for index, start in enumerate(starts):
            lines.append(f"%o{index} = affine.apply affine_map<({dims}) -> ({start})>({variables})")
        names = ", ".join(f"%o{index}" for index in range(len(offsets)))
        source = f"memref<{'x'.join(map(str, shape))}xi32>"
        lines.append(
            f"air.dma_memcpy_nd ({tile}[%o{len(offsets)}] [{part}] [1], %src[{names}] {sizes} {strides})"
            f" : (memref<{total}xi32{space}>, {source})"
        )
        lines += ["}"] * len(trips)
        if use_l2:
            lines.append(
                f"air.dma_memcpy_nd (%dst[] [] [], %tile[] [] []) : (memref<{total}xi32>, memref<{total}xi32, 1>)"
            )
        return lines

    def add_case(self, name, shape, trips, transfer, descriptors):
        expected = list(enumerate_case(trips, transfer))
        total = len(expected)
        part = total // len(descriptors)
        source, target = self.add_kernel(f"{name}_loops", shape, total, self.loop_lines(shape, trips, transfer, total))
        lines = [
            f"air.dma_memcpy_nd (%dst[{index * part}] [{part}] [1], %src{o} {n} {s}) : ({target}, {source})"
            for index, (o, n, s) in enumerate(descriptors)
        ]
        self.add_kernel(f"{name}_descriptors", shape, total, lines)
        self.globals.append(f"  memref.global constant @{name} : {target} = dense<{expected}>")
        self.main += [
            f"    call @check_{name}() : () -> ()",
        ]
        elements = count(shape)
        self.kernels.append(
            f"""  func.func @check_{name}() {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {elements} : index
    %total = arith.constant {total} : index
    %flat = memref.alloc() : memref<{elements}xi32>
    scf.for %i = %c0 to %n step %c1 {{
      %v = arith.index_cast %i : index to i32
      memref.store %v, %flat[%i] : memref<{elements}xi32>
    }}
    %device = gpu.alloc () : memref<{elements}xi32>
    gpu.memcpy %device, %flat : memref<{elements}xi32>, memref<{elements}xi32>
    %in = memref.reinterpret_cast %device to offset: [0], sizes: {shape}, strides: {row_major(shape)}
        : memref<{elements}xi32> to {source}
    %loops = gpu.alloc () : {target}
    %folded = gpu.alloc () : {target}
    call @{name}_loops(%in, %loops) : ({source}, {target}) -> ()
    call @{name}_descriptors(%in, %folded) : ({source}, {target}) -> ()
    %a = memref.alloc() : {target}
    %b = memref.alloc() : {target}
    gpu.memcpy %a, %loops : {target}, {target}
    gpu.memcpy %b, %folded : {target}, {target}
    %want = memref.get_global @{name} : {target}
    %wrong = scf.for %i = %c0 to %total step %c1 iter_args(%sum = %c0) -> (index) {{
      %x = memref.load %a[%i] : {target}
      %y = memref.load %b[%i] : {target}
      %z = memref.load %want[%i] : {target}
      %p = arith.cmpi ne, %x, %z : i32
      %q = arith.cmpi ne, %y, %z : i32
      %p1 = arith.extui %p : i1 to i32
      %q1 = arith.extui %q : i1 to i32
      %both = arith.addi %p1, %q1 : i32
      %more = arith.index_cast %both : i32 to index
      %next = arith.addi %sum, %more : index
      scf.yield %next : index
    }}
    vector.print str "{name} wrong: "
    vector.print %wrong : index
    return
  }}
"""
        )

    def text(self):
        body = "\n".join(self.kernels)
        constants = "\n".join(self.globals)
        calls = "\n".join(self.main)
        return (
            f"module {{\n{constants}\n{body}\n  func.func @main() -> i32 {{\n{calls}\n"
            "    %status = arith.constant 0 : i32\n    return %status : i32\n  }\n}\n"
        )


def row_major(shape):
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


def main():
    program = Program()
    for case in CASES:
        program.add_case(*case)
    print(program.text())


if __name__ == "__main__":
    main()
