"""Copies tiles of memory by XeGPU ops of a subgroup and of lanes, on the simulated device, and compares all memory.

    tiles.py AIRCC FOLDER TARGET [OPTION...]

Each tile has a kernel. The subgroup's vector is the tile; a lane's vector is its share. The tiles include numbers of
rows that need one block access and that need several, tiles at the edge of the memory, and single rows.
"""

import os
import re
import subprocess
import sys

# Shape of the memory, element type, tile, and offset.
TILES = [
    ([24, 32], "f32", [8, 16], [0, 0]),
    ([24, 32], "f32", [24, 16], [0, 16]),
    ([24, 32], "f16", [12, 16], [4, 16]),
    ([40, 32], "bf16", [40, 16], [0, 0]),
    ([64, 64], "i32", [3, 16], [61, 48]),
    ([64, 64], "i8", [20, 32], [1, 32]),
    ([20, 32], "f32", [16, 16], [8, 16]),  # its last rows are out of bounds
    ([16, 64], "f32", [32], [3, 16]),
    ([16, 64], "f16", [48], [15, 0]),
    ([4, 16, 32], "f32", [10, 16], [2, 3, 16]),
]


def levels(number):
    """In lane code, the memory of a tile has at most two dimensions."""
    memory, _, tile, _ = TILES[number]
    return ["subgroup"] if len(memory) > 2 else ["subgroup", "lane"]


def kernel(number, level):
    memory, element, tile, start = TILES[number]
    size = 1
    for extent in tile:
        size *= extent
    vector = "x".join(map(str, tile)) if level == "subgroup" else str(size // 16)
    mem = f"memref<{'x'.join(map(str, memory))}x{element}>"
    desc = f"!xegpu.tensor_desc<{'x'.join(map(str, tile))}x{element}>"
    return f"""  gpu.func @{level}{number}(%in: {mem}, %out: {mem}) kernel\
 attributes {{known_block_size = array<i32: 16, 1, 1>}} {{
    %i = xegpu.create_nd_tdesc %in{start} : {mem} -> {desc}
    %o = xegpu.create_nd_tdesc %out{start} : {mem} -> {desc}
    %v = xegpu.load_nd %i : {desc} -> vector<{vector}x{element}>
    xegpu.store_nd %v, %o : vector<{vector}x{element}>, {desc}
    gpu.return
  }}
"""


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text.split("\n", 1)[1])]


def position(index, shape):
    result = []
    for extent in reversed(shape):
        result.insert(0, index % extent)
        index //= extent
    return result


def main():
    aircc, folder, target, *options = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source, binary = os.path.join(folder, "tiles.mlir"), os.path.join(folder, "tiles.spv")
    with open(source, "w") as out:
        out.write("gpu.module @m {\n")
        for number in range(len(TILES)):
            for level in levels(number):
                out.write(kernel(number, level))
        out.write("}\n")
    subprocess.run([aircc, source, "--target", target, *options, "--emit", "spirv", "-o", binary], check=True)
    wrong = 0
    for number, (memory, element, tile, start) in enumerate(TILES):
        shape = "x".join(map(str, memory))
        extents = [1] * (len(memory) - len(tile)) + tile
        for level in levels(number):
            result = subprocess.run(
                [
                    aircc,
                    "sim",
                    binary,
                    "--kernel",
                    f"{level}{number}",
                    "--block",
                    "16",
                    "--arg",
                    f"memref:{element}:{shape}:iota",
                    "--arg",
                    f"memref:{element}:{shape}:0",
                    "--print",
                    "0:all",
                    "--print",
                    "1:all",
                ],
                capture_output=True,
                text=True,
                check=True,
            )
            before, after = result.stdout.split("arg 1:")
            source_values, values = numbers(before), numbers(after)
            expected = []
            for index, value in enumerate(source_values):
                place = position(index, memory)
                inside = all(s <= p < s + e for p, s, e in zip(place, start, extents))
                expected.append(value if inside else 0)
            if values != expected or not any(values):
                wrong += 1
                print(f"{level}{number}: {TILES[number]} was not copied")
    print("PASS" if wrong == 0 else f"{wrong} wrong")


main()
