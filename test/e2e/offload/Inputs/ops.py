"""Writes a program that does linalg ops on the device and on the host, and counts
where the results differ: ops.py [dynamic] [NAME]...

Each op is a function, once with `air.offload` and once without. Operands are filled
with small integers, so that sums are exact in any order."""

import sys

# Name: the operands ("name shape"; the last one is written) and the op, with @name for types.
OPS = {
    "relu": (
        "x 300x130",
        "y 300x130",
        """linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],\
 iterator_types = ["parallel", "parallel"]}
    ins(%x : @x) outs(%y : @y) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %scale : f32
    linalg.yield %r : f32
  }""",
    ),
    "bias": (
        "x 256x512",
        "v 512",
        "y 256x512",
        """linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,\
 affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%x, %v : @x, @v) outs(%y : @y) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.subf %s, %c : f32
    linalg.yield %r : f32
  }""",
    ),
    # An op that stores its indices.
    "places": (
        "y 7x33x65",
        """linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>],\
 iterator_types = ["parallel", "parallel", "parallel"]} outs(%y : @y) {
  ^bb0(%a: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c100 = arith.constant 100 : index
    %ii = arith.muli %i, %c100 : index
    %ij = arith.addi %ii, %j : index
    %jj = arith.muli %ij, %c100 : index
    %ijk = arith.addi %jj, %k : index
    %n = arith.index_cast %ijk : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  }""",
    ),
    "transpose": ("x 200x328", "y 328x200", "linalg.transpose ins(%x : @x) outs(%y : @y) permutation = [1, 0]"),
    "copy": ("x 3x5x7x9x11", "y 3x5x7x9x11", "linalg.copy ins(%x : @x) outs(%y : @y)"),
    "fill": ("y 129x257", "linalg.fill ins(%scale : f32) outs(%y : @y)"),
    "rows": (
        "x 200x300",
        "y 200",
        """linalg.reduce ins(%x : @x) outs(%y : @y) dimensions = [1]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }""",
    ),
    "columns": (
        "x 300x200",
        "y 200",
        """linalg.reduce ins(%x : @x) outs(%y : @y) dimensions = [0]
    (%a: f32, %b: f32) { %s = arith.maximumf %a, %b : f32 linalg.yield %s : f32 }""",
    ),
    "all": (
        "x 128x128",
        "y",
        """linalg.reduce ins(%x : @x) outs(%y : @y) dimensions = [0, 1]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }""",
    ),
    "conv": (
        "x 2x20x20x8",
        "w 3x3x8x16",
        "y 2x18x18x16",
        "linalg.conv_2d_nhwc_hwcf ins(%x, %w : @x, @w) outs(%y : @y)",
    ),
    "conv_strided": (
        "x 2x41x41x8",
        "w 3x3x8x16",
        "y 2x20x20x16",
        """linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : @x, @w) outs(%y : @y)""",
    ),
    "pool": (
        "x 2x40x40x8",
        "w 2x2",
        "y 2x20x20x8",
        """linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : @x, @w) outs(%y : @y)""",
    ),
    "product_f32": (
        "x 40x50x6",
        "w 50x6x70",
        "y 40x70",
        """linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>,\
 affine_map<(m, n, k, l) -> (k, l, n)>,
    affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction",\
 "reduction"]} ins(%x, %w : @x, @w) outs(%y : @y) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }""",
    ),
    "matvec": ("x 300x200", "v 200", "y 300", "linalg.matvec ins(%x, %v : @x, @v) outs(%y : @y)"),
    "nothing": ("x 0x64", "y 0x64", "linalg.exp ins(%x : @x) outs(%y : @y)"),
}
dynamic = "dynamic" in sys.argv
names = [name for name in sys.argv[1:] if name != "dynamic"] or list(OPS)


def memref(shape, dynamic=dynamic):
    sizes = shape.split("x") if shape else []
    return "memref<" + "".join(("?" if dynamic else size) + "x" for size in sizes) + "f32>"


print(
    """
func.func private @fill_small(%m: memref<?xf32>, %prime: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    %p = arith.muli %i, %prime : index
    %r = arith.remui %p, %c11 : index
    %n = arith.index_cast %r : index to i32
    %c5 = arith.constant 5 : i32
    %d = arith.subi %n, %c5 : i32
    %f = arith.sitofp %d : i32 to f32
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}
func.func private @count(%x: memref<?xf32>, %y: memref<?xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %size = memref.dim %x, %c0 : memref<?xf32>
  %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%n = %none) -> (i32) {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %differs = arith.cmpf une, %a, %b : f32
    %one = arith.extui %differs : i1 to i32
    %next = arith.addi %n, %one : i32
    scf.yield %next : i32
  }
  return %wrong : i32
}"""
)
main = []
for number, name in enumerate(names):
    *operands, op = OPS[name]
    operands = [(*operand.split(" "), "")[:2] for operand in operands]
    types = [memref(shape) for _, shape in operands]
    for (operand, _), type in zip(operands, types):
        op = op.replace("@" + operand, type)
    args = ", ".join(f"%{operand}: {type}" for (operand, _), type in zip(operands, types))
    for kind, attrs in (("device", " attributes {air.offload}"), ("host", "")):
        print(f"func.func @{name}_{kind}({args}, %scale: f32){attrs} {{\n  {op}\n  return\n}}")
    values = {"device": [], "host": []}
    for operand, shape in operands:
        static, size = memref(shape, False), 1
        for dim in shape.split("x") if shape else []:
            size *= int(dim)
        for kind in ("device", "host") if operand == "y" else ("device",):
            value = f"%{operand}{number}_{kind}"
            strides, step = [], 1
            sizes = shape.split("x") if shape else []
            for dim in reversed(sizes):
                strides.insert(0, str(step))
                step *= int(dim)
            main.append(
                f"""
  {value}_all = gpu.alloc host_shared () : memref<{max(size, 1)}xf32>
  {value}_flat = memref.cast {value}_all : memref<{max(size, 1)}xf32> to memref<?xf32>
  call @fill_small({value}_flat, %prime{len(operand + name) % 3}) : (memref<?xf32>, index) -> ()
  {value}_static = memref.reinterpret_cast {value}_all to offset: [0], sizes: [{', '.join(sizes)}],\
 strides: [{', '.join(strides)}] : memref<{max(size, 1)}xf32> to {static}
  {value} = memref.cast {value}_static : {static} to {memref(shape)}"""
            )
            values[kind].append(value)
        if operand != "y":
            values["host"].append(value)
    for kind in ("device", "host"):
        main.append(f"  call @{name}_{kind}({', '.join(values[kind])}, %scale) : ({', '.join(types)}, f32) -> ()")
    main.append(
        f"""
  %wrong{number} = call @count(%y{number}_device_flat, %y{number}_host_flat) : (memref<?xf32>, memref<?xf32>) -> i32
  vector.print str "{name}: "
  vector.print %wrong{number} : i32
  %bad{number} = arith.ori {f'%bad{number - 1}' if number else '%ok'}, %wrong{number} : i32"""
    )
print(
    f"""
func.func @main() -> i32 {{
  %ok = arith.constant 0 : i32
  %scale = arith.constant 2.0 : f32
  %prime0 = arith.constant 3 : index
  %prime1 = arith.constant 5 : index
  %prime2 = arith.constant 7 : index
{chr(10).join(main)}
  %most = arith.constant 255 : i32
  %status = arith.minui %bad{len(names) - 1}, %most : i32
  return %status : i32
}}"""
)
