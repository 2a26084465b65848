#!/usr/bin/env python3
"""Copies of many kinds of tiles by layout.async_dma, in a single program that counts the wrong elements.

    async_dma.py --aircc BINARY [--target NAME]... [--only REGEX] [--work DIR]

The host computes the expected place of each element of the source from the definition of the op. The element at
position p of the source's memory has the value (7 p mod 113) + 1; elements outside of the source are 0.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

FAT = "#amdgpu.address_space<fat_raw_buffer>"
TO_TYPE = {
    "f64": "arith.sitofp %n : i32 to f64",
    "f32": "arith.sitofp %n : i32 to f32",
    "f16": "arith.sitofp %n : i32 to f16",
    "bf16": "arith.sitofp %n : i32 to bf16",
    "i8": "arith.trunci %n : i32 to i8",
    "i16": "arith.trunci %n : i32 to i16",
}


def suffixes(shape):
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def by(sizes):
    return "x".join(map(str, sizes))


def commas(items):
    return ", ".join(map(str, items))


class Case:
    """A tile of `tile` elements, copied from index `at` of a source of `shape` to index `to` of a buffer of shape
    `room`."""

    def __init__(
        self,
        elem,
        shape,
        tile,
        at=None,
        to=None,
        room=None,
        strides=None,
        offset=0,
        in_bounds=None,
        map=None,
        gather=None,
        waves=1,
        part_of=None,
        swizzle=None,
        view=None,
        fat=False,
        alloc=False,
        attrs="",
    ):
        self.elem, self.shape, self.tile, self.waves, self.fat = elem, shape, tile, waves, fat
        self.at, self.to = at or [0] * len(shape), to or [0] * len(tile)
        self.room, self.strides, self.offset = room or tile, strides or suffixes(shape), offset
        self.in_bounds, self.map, self.gather = in_bounds, map, gather or {}
        self.part_of = part_of  # The shape of a larger buffer, of which the source is the first part.
        self.swizzle, self.view, self.alloc, self.attrs = swizzle, view, alloc, attrs
        if part_of and not strides:
            self.strides = suffixes(part_of)
        self.size = offset + sum((n - 1) * s for n, s in zip(part_of or shape, self.strides)) + 1

    def kernel(self, name):
        """Each lane computes its number in the block by itself, since layouts for fewer waves than the block has
        contain copies."""
        e, rank, threads = self.elem, len(self.tile), 64 * self.waves
        flat, out = f"memref<{self.size}x{e}>", f"memref<{product(self.tile)}x{e}>"
        body = []
        strided = (
            f"memref<{by(self.part_of or self.shape)}x{e}, strided<[{commas(self.strides)}]"
            + (f", offset: {self.offset}" if self.offset else "")
            + ">>"
        )
        body.append(
            f"%s0 = memref.reinterpret_cast %src to offset: [{self.offset}],"
            f" sizes: [{commas(self.part_of or self.shape)}], "
            f"strides: [{commas(self.strides)}] : {flat} to {strided}"
        )
        source, type = "%s0", strided
        if self.fat:
            type = strided[:-1] + f", {FAT}>"
            body.append(f"%s1 = amdgpu.fat_raw_buffer_cast %s0 : {strided} to {type}")
            source = "%s1"
        if self.part_of:
            part = type.replace(by(self.part_of) + "x", by(self.shape) + "x", 1)
            zeros, ones = [0] * len(self.shape), [1] * len(self.shape)
            body.append(
                f"%s2 = memref.subview {source}[{commas(zeros)}] [{commas(self.shape)}] [{commas(ones)}] : {type}"
                f" to {part}"
            )
            source, type = "%s2", part
        room = f"memref<{by(self.room)}x{e}, #wg>"
        held = f"memref<{product(self.room)}x{e}, #wg>" if self.view == "expand" else room
        attribution = f" workgroup(%lds: {held})"
        if self.alloc:
            attribution = ""
            body.append(f"%lds = memref.alloc() : {held}")
        dest, dest_type = "%lds", room
        if self.swizzle:
            body.append(f"%hint = layout.swizzle_hint {dest}[#layout.xor_shuffle<{commas(self.swizzle)}>] : {held}")
            dest = "%hint"
        if self.view == "expand":
            body.append(
                f"%view = memref.expand_shape {dest} [[{commas(range(rank))}]] output_shape [{commas(self.room)}]"
                f" : {held} into {room}"
            )
            dest = "%view"
        for i, x in enumerate(self.at):
            body.append(f"%a{i} = arith.constant {x} : index")
        for i, x in enumerate(self.to):
            body.append(f"%d{i} = arith.constant {x} : index")
        to = list(self.to)
        if self.view == "rows":  # The rows of the tile, as a part of the buffer that begins at the given offset.
            rows = self.tile[0]
            strides = suffixes(self.room)
            dest_type = f"memref<{by([rows] + self.room[1:])}x{e}, strided<[{commas(strides)}], offset: ?>, #wg>"
            body.append(
                f"%part = memref.subview {dest}[%row{commas([''] + [0] * (rank - 1))}]"
                f" [{commas([rows] + self.room[1:])}] "
                f"[{commas([1] * rank)}] : {room} to {dest_type}"
            )
            dest = "%part"
            body.append("%zero = arith.constant 0 : index")
        indices = [f"%a{i}" for i in range(len(self.at))]
        types = ["index"] * len(indices)
        for i, places in self.gather.items():
            body.append(f"%g{i} = arith.constant dense<[{commas(places)}]> : vector<{len(places)}xindex>")
            indices[i], types[i] = f"%g{i}", f"vector<{len(places)}xindex>"
        options = ""
        if self.in_bounds:
            options += f" in_bounds [{commas(str(x).lower() for x in self.in_bounds)}]"
        if self.map:
            dims = commas(f"d{i}" for i in range(len(self.shape)))
            options += f" permutation_map affine_map<({dims}) -> ({commas(f'd{i}' for i in self.map)})>"
        starts = [f"%d{i}" for i in range(rank)]
        if self.view == "rows":
            starts[0] = "%zero"
        body.append(
            f"layout.async_dma {source}[{commas(indices)}]"
            f" to {dest}[{commas(starts)}], vector<{by(self.tile)}x{e}>{options}{self.attrs} "
            f": {type}{' [' + commas(types) + ']' if self.gather else ''}, {dest_type}"
        )
        body += [
            "gpu.barrier",
            "%t = gpu.thread_id x",
            f"%n = arith.constant {product(self.tile)} : index",
            f"%step = arith.constant {threads} : index",
            "scf.for %p = %t to %n step %step {",
        ]
        body.append(
            f"  %x{f':{rank}' if rank > 1 else ''} = affine.delinearize_index %p into ({commas(self.tile)}) :"
            f" {commas(['index'] * rank)}"
        )
        for i in range(rank):
            body.append(f"  %y{i} = arith.addi %x{f'#{i}' if rank > 1 else ''}, {starts[i]} : index")
        body += [
            f"  %v = memref.load {dest}[{commas(f'%y{i}' for i in range(rank))}] : {dest_type}",
            f"  memref.store %v, %out[%p] : {out}",
            "}",
            "gpu.return",
        ]
        lines = "\n".join("      " + line for line in body)
        return (
            f"    gpu.func @{name}(%src: {flat}, %out: {out}, %row: index){attribution}\n"
            f"        kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{\n{lines}\n    }}\n"
        )

    def host(self, name):
        """Fills the source, launches the kernel and adds the number of wrong elements to %wrong."""
        e, rank = self.elem, len(self.tile)
        flat, out = f"memref<{self.size}x{e}>", f"memref<{product(self.tile)}x{e}>"
        lines = [
            f"%src = gpu.alloc host_shared () : {flat}",
            f"%out = gpu.alloc host_shared () : {out}",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            f"%size = arith.constant {self.size} : index",
            f"%threads = arith.constant {64 * self.waves} : index",
            f"%row = arith.constant {self.to[0]} : index",
            "%none = arith.constant 0 : i32",
            f"%nothing = arith.constant 0{'.0' if 'f' in e else ''} : {e}",
            "scf.for %p = %c0 to %size step %c1 {",
            f"  %v = func.call @value_{e}(%p) : (index) -> {e}",
            f"  memref.store %v, %src[%p] : {flat}",
            "}",
            f"gpu.launch_func @kernels::@{name} blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) "
            f"args(%src : {flat}, %out : {out}, %row : index)",
            f"%n = arith.constant {product(self.tile)} : index",
            "%wrong = scf.for %p = %c0 to %n step %c1 iter_args(%count = %none) -> (i32) {",
            (
                f"  %x{f':{rank}' if rank > 1 else ''} = affine.delinearize_index %p into ({commas(self.tile)}) :"
                f" {commas(['index'] * rank)}"
            ),
            f"  %p0 = arith.constant {self.offset} : index",
            "  %in0 = arith.constant true",
        ]
        for d, source_dim in enumerate(self.map or range(rank)):
            x = f"%x{f'#{d}' if rank > 1 else ''}"
            if source_dim in self.gather:
                places = self.gather[source_dim]
                lines += [
                    f"  %table{d} = arith.constant dense<[{commas(places)}]> : vector<{len(places)}xindex>",
                    f"  %i{d} = vector.extract %table{d}[{x}] : index from vector<{len(places)}xindex>",
                ]
            else:
                lines += [
                    f"  %a{d} = arith.constant {self.at[source_dim]} : index",
                    f"  %i{d} = arith.addi {x}, %a{d} : index",
                ]
            lines += [
                f"  %z{d} = arith.constant {self.shape[source_dim]} : index",
                f"  %st{d} = arith.constant {self.strides[source_dim]} : index",
                f"  %in{d}x = arith.cmpi ult, %i{d}, %z{d} : index",
                f"  %in{d + 1} = arith.andi %in{d}, %in{d}x : i1",
                f"  %m{d} = arith.muli %i{d}, %st{d} : index",
                f"  %p{d + 1} = arith.addi %p{d}, %m{d} : index",
            ]
        differ = "arith.cmpf une" if "f" in e else "arith.cmpi ne"
        lines += [
            f"  %there = func.call @value_{e}(%p{rank}) : (index) -> {e}",
            f"  %expected = arith.select %in{rank}, %there, %nothing : {e}",
            f"  %got = memref.load %out[%p] : {out}",
            f"  %differs = {differ}, %expected, %got : {e}",
            "  %one = arith.extui %differs : i1 to i32",
            "  %sum = arith.addi %count, %one : i32",
            "  scf.yield %sum : i32",
            "}",
            f"gpu.dealloc %src : {flat}",
            f"gpu.dealloc %out : {out}",
            "return %wrong : i32",
        ]
        body = "\n".join("    " + line for line in lines)
        return f"  func.func private @check_{name}() -> i32 {{\n{body}\n  }}\n"


def program(cases):
    text = "#wg = #gpu.address_space<workgroup>\nmodule attributes {gpu.container_module} {\n  gpu.module @kernels {\n"
    text += "".join(case.kernel(name) for name, case in cases.items()) + "  }\n"
    for elem in sorted({case.elem for case in cases.values()}):
        text += (
            f"  func.func private @value_{elem}(%p: index) -> {elem} {{\n    %c7 = arith.constant 7 : index\n"
            "    %c1 = arith.constant 1 : index\n"
            "    %c113 = arith.constant 113 : index\n    %m = arith.muli %p, %c7 : index\n"
            "    %r = arith.remui %m, %c113 : index\n"
            "    %s = arith.addi %r, %c1 : index\n    %n = arith.index_cast %s : index to i32\n"
            f"    %v = {TO_TYPE[elem]}\n    return %v : {elem}\n  }}\n"
        )
    text += "".join(case.host(name) for name, case in cases.items())
    text += "  func.func @main() -> i32 {\n    %none = arith.constant 0 : i32\n"
    for name in cases:
        text += (
            f'    %w_{name} = func.call @check_{name}() : () -> i32\n    vector.print str "{name} "\n'
            f"    vector.print %w_{name} : i32\n"
        )
    return text + "    return %none : i32\n  }\n}\n"


CASES = {
    # Element types and shapes: one contiguous range, several rows per load, several loads per row, three dimensions.
    "f32_rows": Case("f32", [4, 64], [4, 64]),
    "f32_run": Case("f32", [320], [320], at=[0]),
    "f32_cube": Case("f32", [2, 2, 64], [2, 2, 64], waves=2),
    "f16_wide": Case("f16", [2, 512], [2, 512], waves=2),
    "i8_tall": Case("i8", [64, 16], [64, 16]),
    "i16_tall": Case("i16", [32, 64], [32, 64], waves=2),
    "bf16_part": Case("bf16", [20, 128], [8, 64], at=[11, 33]),
    "f16_three_waves": Case("f16", [24, 64], [24, 64], waves=3),
    # Strided sources: rows with gaps; elements with gaps, of 32 and of 16 bits; a transposed source.
    "rows_apart": Case("f16", [16, 64], [16, 64], strides=[130, 1], offset=6),
    "words_apart": Case("f32", [8, 32], [8, 32], strides=[129, 2]),
    "halves_apart": Case("f16", [20, 64], [16, 64], at=[3, 0], strides=[129, 2], waves=2),
    "halves_transposed": Case("f16", [64, 40], [16, 64], at=[0, 5], map=[1, 0]),
    "words_transposed": Case("f32", [64, 40], [4, 64], at=[0, 5], map=[1, 0]),
    # Buffers with gaps between blocks.
    "blocks_apart": Case("f32", [2, 4, 32], [2, 4, 32], room=[2, 6, 32], to=[0, 1, 0]),
    # Indices given by a vector: rows, 32-bit elements, 16-bit elements.
    "gathered_rows": Case("f32", [100, 64], [3, 64], gather={0: [99, 3, 40]}),
    "gathered_rows_outside": Case("f32", [100, 64], [4, 64], gather={0: [99, 100, 5000, 7]}, in_bounds=[False, True]),
    "gathered_words": Case("f32", [300], [128], gather={0: [37 * i % 300 for i in range(128)]}),
    "gathered_halves": Case("f16", [300], [128], gather={0: [37 * i % 300 for i in range(128)]}),
    # Out-of-bounds parts: rows after and before the source, columns, between pieces and within them.
    "rows_below": Case("f16", [16, 64], [16, 64], at=[9, 0], in_bounds=[False, True]),
    "rows_above": Case("f16", [16, 64], [16, 64], at=[-3, 0], in_bounds=[False, True], fat=True),
    "words_outside": Case("f32", [30, 6], [32, 8], in_bounds=[False, False]),
    "halves_outside": Case("f16", [60, 13], [64, 16], at=[1, 0], in_bounds=[False, False]),
    "pairs_outside": Case("f16", [64, 14], [64, 16], in_bounds=[True, False]),
    # Swizzled buffers: with the shape of the tile, with one row, with three dimensions, through views, with a part of
    # its rows.
    "swizzled": Case("f16", [16, 64], [16, 64], swizzle=[64, 8]),
    "swizzled_row": Case("f32", [2048], [2048], swizzle=[64, 4], waves=2),
    "swizzled_cube": Case("f32", [4, 8, 16], [4, 8, 16], swizzle=[64, 4]),
    "swizzled_bytes": Case("i8", [16, 128], [16, 128], swizzle=[128, 16], alloc=True),
    "swizzled_flat": Case("f16", [4, 64], [4, 64], swizzle=[64, 8], view="expand", alloc=True),
    "swizzled_flat_part": Case(
        "f16", [40, 64], [8, 64], at=[3, 0], room=[32, 64], to=[5, 0], swizzle=[64, 8], view="expand"
    ),
    "swizzled_view": Case("f16", [40, 64], [8, 64], at=[3, 0], room=[32, 64], to=[5, 0], swizzle=[64, 8], view="rows"),
    "swizzled_halves_apart": Case("f16", [16, 64], [16, 64], strides=[129, 2], swizzle=[64, 8]),
    "swizzled_view_halves_apart": Case(
        "f16", [16, 64], [8, 64], strides=[129, 2], room=[32, 64], to=[5, 0], swizzle=[64, 8], view="rows"
    ),
    "swizzled_flat_halves_apart": Case(
        "f16", [16, 64], [8, 64], strides=[129, 2], room=[32, 64], to=[5, 0], swizzle=[64, 8], view="expand"
    ),
    "swizzled_rows_below": Case("f32", [10, 64], [16, 64], in_bounds=[False, True], swizzle=[64, 4]),
    "view": Case("f16", [40, 64], [8, 64], at=[3, 0], room=[32, 64], to=[5, 0], view="rows", alloc=True),
    # Buffers with a buffer descriptor.
    "fat": Case("f16", [16, 64], [16, 64], fat=True),
    "fat_offset": Case("f16", [16, 64], [16, 64], offset=5, fat=True),
    "fat_part": Case("f16", [10, 64], [16, 64], in_bounds=[False, True], part_of=[40, 64], fat=True),
    "fat_part_of_rows": Case("f32", [10, 30], [16, 32], in_bounds=[False, False], part_of=[40, 33], offset=3, fat=True),
    "part": Case("f32", [10, 30], [16, 32], in_bounds=[False, False], part_of=[40, 33], offset=3),
    "fat_words_outside": Case("f32", [30, 6], [32, 8], in_bounds=[False, False], fat=True),
    "fat_halves_apart": Case("f16", [16, 64], [16, 64], strides=[129, 2], fat=True),
    "fat_gathered": Case("f32", [100, 64], [3, 64], gather={0: [99, 3, 40]}, fat=True),
    # Transfers through registers, which the program requests.
    "copied": Case("f32", [2, 160], [2, 160], attrs=" {may_copy}"),
    "copied_part_of_swizzled_rows": Case(
        "f16", [16, 64], [16, 32], room=[16, 64], to=[0, 32], swizzle=[64, 8], attrs=" {may_copy}"
    ),
    "copied_to_gaps": Case("f16", [16, 64], [16, 64], room=[16, 72], attrs=" {may_copy}"),
    "copied_f64": Case("f64", [8, 40], [8, 40], attrs=" {may_copy}"),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--work")
    args = parser.parse_args()
    cases = {name: case for name, case in CASES.items() if re.search(args.only, name)}
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.work or folder
        path = os.path.join(folder, "async-dma.mlir")
        with open(path, "w") as file:
            file.write(program(cases))
        for target in args.target or ["gfx942"]:
            binary = os.path.join(folder, "async_dma_" + target)
            done = subprocess.run([args.aircc, path, "--target", target, "-o", binary], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{target}: does not compile\n{done.stderr}")
            done = subprocess.run([binary], capture_output=True, text=True)
            wrong = dict(re.findall(r"^(\w+) (\d+)$", done.stdout, re.M))
            for name in cases:
                if wrong.get(name) == "0":
                    passed += 1
                else:
                    failed += 1
                    print(
                        f"{target}: {name}: {wrong.get(name, 'no')} elements are wrong"
                        f" {done.stderr if name not in wrong else ''}"
                    )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
