#!/usr/bin/env python3
"""Writes a program whose kernels have very many loops and branches, with the expected output in `// EXPECT` comments.

    large_kernels.py SEED > FILE.mlir

The kernels compute on one value per lane, with loops and branches whose conditions differ between lanes. This script
computes each step, too, to know the results."""

import random
import sys

LANES = 64
MASK = (1 << 32) - 1


class Kernel:
    """The text of a kernel, and the value that each lane computes."""

    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0
        self.values = list(range(LANES))

    def new(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def constant(self, value):
        name = self.new("c")
        self.lines.append(f"{name} = arith.constant {value} : i32")
        return name

    def step(self, name, active, depth):
        """Adds ops that change the value `name` in the lanes `active`, and returns the name of the result."""
        kind = self.rng.choice(["add", "for", "if", "nest"] if depth else ["add"])
        return getattr(self, kind)(name, active, depth)

    def add(self, name, active, depth):
        factor, summand = self.rng.randrange(1, 9, 2), self.rng.randrange(1, 1000)
        product, result = self.new(), self.new()
        self.lines.append(f"{product} = arith.muli {name}, {self.constant(factor)} : i32")
        self.lines.append(f"{result} = arith.addi {product}, {self.constant(summand)} : i32")
        for lane in active:
            self.values[lane] = (self.values[lane] * factor + summand) & MASK
        return result

    def loop(self, name, active, bound, counts, depth):
        result, argument, counter = self.new("r"), self.new("s"), self.new("i")
        self.lines.append(
            f"{result} = scf.for {counter} = %zero to {bound} step %one"
            f" iter_args({argument} = {name}) -> (i32) : i32 {{"
        )
        sum_ = self.new()
        self.lines.append(f"{sum_} = arith.addi {argument}, {counter} : i32")
        inner, state = len(self.lines), self.rng.getstate()
        for i in range(max(counts.values(), default=0) or 1):
            # The ops are the same in each iteration; only those of the first are kept.
            self.rng.setstate(state)
            now = [lane for lane in active if i < counts[lane]]
            for lane in now:
                self.values[lane] = (self.values[lane] + i) & MASK
            before = self.lines[:]
            last = self.step(sum_, now, depth)
            if i == 0:
                kept, yielded = self.lines, last
            else:
                self.lines = before
        self.lines = kept
        self.lines.append(f"scf.yield {yielded} : i32\n}}")
        return result

    def nest(self, name, active, depth):
        count = self.rng.randrange(1, 3)
        return self.loop(name, active, self.constant(count), dict.fromkeys(active, count), depth - 1)

    def __getattr__(self, name):
        if name == "for":
            return self.divergent_loop
        if name == "if":
            return self.branch
        raise AttributeError(name)

    def divergent_loop(self, name, active, depth):
        bits, bound = self.rng.choice([1, 3]), self.new()
        self.lines.append(f"{bound} = arith.andi {name}, {self.constant(bits)} : i32")
        return self.loop(name, active, bound, {lane: self.values[lane] & bits for lane in active}, depth - 1)

    def branch(self, name, active, depth):
        bit = 1 << self.rng.randrange(4)
        masked, condition, result = self.new(), self.new(), self.new("r")
        self.lines.append(f"{masked} = arith.andi {name}, {self.constant(bit)} : i32")
        self.lines.append(f"{condition} = arith.cmpi ne, {masked}, %zero : i32")
        self.lines.append(f"{result} = scf.if {condition} -> (i32) {{")
        taken = [lane for lane in active if self.values[lane] & bit]
        other = [lane for lane in active if not self.values[lane] & bit]
        last = self.step(name, taken, depth - 1)
        self.lines.append(f"scf.yield {last} : i32\n}} else {{")
        last = self.step(name, other, depth - 1)
        self.lines.append(f"scf.yield {last} : i32\n}}")
        return result

    def exchange(self, name):
        """Adds to each value that of the next lane, through LDS."""
        left, result = self.new(), self.new()
        self.lines.append(
            "gpu.barrier\n"
            f"memref.store {name}, %lds[%tid] : memref<{LANES}xi32, #gpu.address_space<workgroup>>\n"
            "gpu.barrier"
        )
        self.lines.append(f"{left} = memref.load %lds[%next] : memref<{LANES}xi32, #gpu.address_space<workgroup>>")
        self.lines.append(f"{result} = arith.addi {name}, {left} : i32")
        self.values = [(v + self.values[(i + 1) % LANES]) & MASK for i, v in enumerate(self.values)]
        return result


def sequence(kernel, steps):
    name = "%start"
    for i in range(steps):
        name = kernel.step(name, range(LANES), 3)
        if i % 50 == 49:
            name = kernel.exchange(name)
    return name


def nest(kernel, depth):
    """Branches in branches; each level computes something before and after the next one."""
    name, open_, results = "%start", [], []
    active = list(range(LANES))
    for i in range(depth):
        name = kernel.add(name, active, 0)
        condition, result = kernel.new(), kernel.new("r")
        kernel.lines.append(f"{condition} = arith.cmpi ne, {name}, {kernel.constant(i)} : i32")
        kernel.lines.append(f"{result} = scf.if {condition} -> (i32) {{")
        leaving = [lane for lane in active if kernel.values[lane] == i]
        active = [lane for lane in active if lane not in leaving]
        open_.append((result, name, active))
    for result, before, lanes in reversed(open_):
        name = kernel.add(name, lanes, 0)
        kernel.lines.append(f"scf.yield {name} : i32\n}} else {{\nscf.yield {before} : i32\n}}")
        name = result
    return name


def main():
    rng = random.Random(int(sys.argv[1]))
    kernels, launches, expected = [], [], []
    for title, build, size in (("sequence", sequence, 300), ("nest", nest, 400)):
        kernel = Kernel(rng)
        result = build(kernel, size)
        body = "\n".join(kernel.lines)
        kernels.append(
            f"""
gpu.func @{title}(%out: memref<{LANES}xi32>)
    workgroup(%lds: memref<{LANES}xi32, #gpu.address_space<workgroup>>) kernel {{
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%tid = gpu.thread_id x
%one_index = arith.constant 1 : index
%lanes = arith.constant {LANES} : index
%after = arith.addi %tid, %one_index : index
%next = arith.remui %after, %lanes : index
%start = arith.index_cast %tid : index to i32
{body}
memref.store {result}, %out[%tid] : memref<{LANES}xi32>
gpu.return
}}"""
        )
        launches.append(
            f"""
gpu.launch_func @kernels::@{title} blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    args(%dout : memref<{LANES}xi32>)
gpu.memcpy %out, %dout : memref<{LANES}xi32>, memref<{LANES}xi32>
vector.print str "{title}: "
%{title} = vector.transfer_read %out[%c0], %zero {{in_bounds = [true]}}
    : memref<{LANES}xi32>, vector<{LANES}xi32>
vector.print %{title} : vector<{LANES}xi32>"""
        )
        signed = [value - (1 << 32) if value >> 31 else value for value in kernel.values]
        expected.append(f"// EXPECT: {title}: ( {', '.join(map(str, signed))} )")
    print("\n".join(expected))
    print(
        f"""module attributes {{gpu.container_module}} {{
gpu.module @kernels {{{''.join(kernels)}
}}
func.func @main() {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c64 = arith.constant {LANES} : index
%zero = arith.constant 0 : i32
%out = memref.alloc() : memref<{LANES}xi32>
%dout = gpu.alloc () : memref<{LANES}xi32>
{''.join(launches)}
return
}}
}}"""
    )


if __name__ == "__main__":
    main()
