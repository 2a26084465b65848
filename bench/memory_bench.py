#!/usr/bin/env python3
"""Measures the fraction of the memory bandwidth that reductions, normalizations, transposes and elementwise ops reach.

    ./run bench memory                               all functions on all targets
    bench/memory_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, such as "gfx942 softmax"

Compiles functions on tensors, calls them on the simulated device, and adds up the times of their kernels according to
the timing model. The share is the time that memory needs to move all arguments and results once, at the bandwidth that
programs achieve (memoryGBps of the profile), divided by the time of the kernels without launch overhead.
"""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import function_timing

TARGETS = ("gfx942", "gfx950", "gfx1100", "gfx1201")

MAPS = """#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#transposed = affine_map<(i, j) -> (j, i)>
"""
ROWS = 'iterator_types = ["parallel", "reduction"]'
COLUMNS = 'iterator_types = ["reduction", "parallel"]'
ALL = 'iterator_types = ["parallel", "parallel"]'


def widen(name, element):
    """Returns the lines that convert %name, and the name of the f32."""
    return ("", name) if element == "f32" else (f"%{name}w = arith.extf %{name} : {element} to f32", f"{name}w")


def narrow(name, element):
    return ("", name) if element == "f32" else (f"%{name}n = arith.truncf %{name} : f32 to {element}", f"{name}n")


def start(name, size, value):
    return f"""  %{name}c = arith.constant {value} : f32
  %{name}e = tensor.empty() : tensor<{size}xf32>
  %{name}s = linalg.fill ins(%{name}c : f32) outs(%{name}e : tensor<{size}xf32>) -> tensor<{size}xf32>
"""


def reduce(rows, columns, element, along="row"):
    extend, wide = widen("a", element)
    size, iterators = (rows, ROWS) if along == "row" else (columns, COLUMNS)
    return f"""{MAPS}func.func @f(%x: tensor<{rows}x{columns}x{element}>) -> tensor<{size}xf32> {{
{start("r", size, "0.0")}
  %r = linalg.generic {{indexing_maps = [#id, #{along}], {iterators}}}
      ins(%x : tensor<{rows}x{columns}x{element}>) outs(%rs : tensor<{size}xf32>) {{
  ^bb0(%a: {element}, %y: f32):
    {extend}
    %s = arith.addf %{wide}, %y : f32
    linalg.yield %s : f32
  }} -> tensor<{size}xf32>
  return %r : tensor<{size}xf32>
}}
"""


def softmax(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    return f"""func.func @f(%x: {type}) -> {type} {{
  %e = tensor.empty() : {type}
  %r = linalg.softmax dimension(1) ins(%x : {type}) outs(%e : {type}) -> {type}
  return %r : {type}
}}
"""


def dynamic_softmax(rows, columns, element):
    """Returns a softmax of dynamic size. The sizes are those of the argument in the call."""
    type = f"tensor<?x?x{element}>"
    return f"""func.func @f(%x: {type}) -> {type} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %x, %zero : {type}
  %columns = tensor.dim %x, %one : {type}
  %e = tensor.empty(%rows, %columns) : {type}
  %r = linalg.softmax dimension(1) ins(%x : {type}) outs(%e : {type}) -> {type}
  return %r : {type}
}}
"""


def rms_norm(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    extend, wide = widen("a", element)
    extend_weight, weight = widen("w", element)
    truncate, result = narrow("m", element)
    return f"""{MAPS}func.func @f(%x: {type}, %g: tensor<{columns}x{element}>) -> {type} {{
  %count = arith.constant {columns}.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
{start("q", rows, "0.0")}
  %q = linalg.generic {{indexing_maps = [#id, #row], {ROWS}}} ins(%x : {type}) outs(%qs : tensor<{rows}xf32>) {{
  ^bb0(%a: {element}, %y: f32):
    {extend}
    %s = arith.mulf %{wide}, %{wide} : f32
    %t = arith.addf %s, %y : f32
    linalg.yield %t : f32
  }} -> tensor<{rows}xf32>
  %e = tensor.empty() : {type}
  %r = linalg.generic {{indexing_maps = [#id, #row, #column, #id], {ALL}}}
      ins(%x, %q, %g : {type}, tensor<{rows}xf32>, tensor<{columns}x{element}>) outs(%e : {type}) {{
  ^bb0(%a: {element}, %s: f32, %w: {element}, %y: {element}):
    {extend}
    {extend_weight}
    %mean = arith.divf %s, %count : f32
    %sum = arith.addf %mean, %epsilon : f32
    %root = math.rsqrt %sum : f32
    %n = arith.mulf %{wide}, %root : f32
    %m = arith.mulf %n, %{weight} : f32
    {truncate}
    linalg.yield %{result} : {element}
  }} -> {type}
  return %r : {type}
}}
"""


def layer_norm(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    extend, wide = widen("a", element)
    truncate, result = narrow("m", element)
    return f"""{MAPS}func.func @f(%x: {type}) -> {type} {{
  %count = arith.constant {columns}.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
{start("u", rows, "0.0")}
  %u = linalg.generic {{indexing_maps = [#id, #row], {ROWS}}} ins(%x : {type}) outs(%us : tensor<{rows}xf32>) {{
  ^bb0(%a: {element}, %y: f32):
    {extend}
    %t = arith.addf %{wide}, %y : f32
    linalg.yield %t : f32
  }} -> tensor<{rows}xf32>
  %q = linalg.generic {{indexing_maps = [#id, #row, #row], {ROWS}}}
      ins(%x, %u : {type}, tensor<{rows}xf32>) outs(%us : tensor<{rows}xf32>) {{
  ^bb0(%a: {element}, %s: f32, %y: f32):
    {extend}
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %{wide}, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %t = arith.addf %dd, %y : f32
    linalg.yield %t : f32
  }} -> tensor<{rows}xf32>
  %e = tensor.empty() : {type}
  %r = linalg.generic {{indexing_maps = [#id, #row, #row, #id], {ALL}}}
      ins(%x, %u, %q : {type}, tensor<{rows}xf32>, tensor<{rows}xf32>) outs(%e : {type}) {{
  ^bb0(%a: {element}, %s: f32, %v: f32, %y: {element}):
    {extend}
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %{wide}, %mean : f32
    %variance = arith.divf %v, %count : f32
    %sum = arith.addf %variance, %epsilon : f32
    %root = math.rsqrt %sum : f32
    %m = arith.mulf %d, %root : f32
    {truncate}
    linalg.yield %{result} : {element}
  }} -> {type}
  return %r : {type}
}}
"""


def transpose(rows, columns, element):
    type, result = f"tensor<{rows}x{columns}x{element}>", f"tensor<{columns}x{rows}x{element}>"
    return f"""func.func @f(%x: {type}) -> {result} {{
  %e = tensor.empty() : {result}
  %r = linalg.transpose ins(%x : {type}) outs(%e : {result}) permutation = [1, 0]
  return %r : {result}
}}
"""


def gelu(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    extend, wide = widen("a", element)
    truncate, result = narrow("m", element)
    return f"""{MAPS}func.func @f(%x: {type}) -> {type} {{
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.70710678 : f32
  %e = tensor.empty() : {type}
  %r = linalg.generic {{indexing_maps = [#id, #id], {ALL}}} ins(%x : {type}) outs(%e : {type}) {{
  ^bb0(%a: {element}, %y: {element}):
    {extend}
    %s = arith.mulf %{wide}, %scale : f32
    %t = math.erf %s : f32
    %u = arith.addf %t, %one : f32
    %v = arith.mulf %{wide}, %half : f32
    %m = arith.mulf %u, %v : f32
    {truncate}
    linalg.yield %{result} : {element}
  }} -> {type}
  return %r : {type}
}}
"""


def add(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    return f"""func.func @f(%x: {type}, %g: {type}) -> {type} {{
  %r = arith.addf %x, %g : {type}
  return %r : {type}
}}
"""


def total(rows, columns, element):
    extend, wide = widen("a", element)
    return f"""{MAPS}#all = affine_map<(i, j) -> ()>
func.func @f(%x: tensor<{rows}x{columns}x{element}>) -> tensor<f32> {{
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {{indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}}
      ins(%x : tensor<{rows}x{columns}x{element}>) outs(%z : tensor<f32>) {{
  ^bb0(%a: {element}, %y: f32):
    {extend}
    %s = arith.addf %{wide}, %y : f32
    linalg.yield %s : f32
  }} -> tensor<f32>
  return %r : tensor<f32>
}}
"""


def argmax(rows, columns, element):
    type = f"tensor<{rows}x{columns}x{element}>"
    return f"""func.func @f(%x: {type}) -> tensor<{rows}xi32> {{
  %r = tosa.argmax %x {{axis = 1 : i32}} : ({type}) -> tensor<{rows}xi32>
  return %r : tensor<{rows}xi32>
}}
"""


FUNCTIONS = {
    "row sums": (reduce, [(16384, 4096), (64, 1048576), (5000, 5000)]),
    "column sums": (lambda *arguments: reduce(*arguments, along="column"), [(16384, 4096), (50000, 1000)]),
    "sum": (total, [(16384, 4096)]),
    "argmax": (argmax, [(16384, 4096), (64, 131072)]),
    "softmax": (softmax, [(16384, 4096), (65536, 1024), (65536, 1000), (256, 131072), (1000, 50257)]),
    "dynamic softmax": (dynamic_softmax, [(16384, 4096), (65536, 1000), (1000, 50257)]),
    "RMS norm": (rms_norm, [(16384, 4096), (16384, 5120)]),
    "layer norm": (layer_norm, [(16384, 4096)]),
    "transpose": (transpose, [(8192, 8192)]),
    "GELU": (gelu, [(16384, 4096)]),
    "add": (add, [(16384, 4096)]),
}


def names():
    return [
        f"{target} {function} {element} {rows}x{columns}"
        for target in TARGETS
        for function, (_, shapes) in FUNCTIONS.items()
        for element in ("f32", "f16")
        for rows, columns in shapes
    ]


def get_tensors(text, shape):
    """Returns the arguments and the result of a function. Dynamic ones get the sizes `shape`."""
    signature = text[text.index("@f(") : text.index(" {\n", text.index("@f("))].replace("?x?", shape)
    return [part.split(">")[0] for part in signature.split("tensor<")[1:]]


def make(name):
    """Returns the text of a function, and its arguments and results."""
    _, *words, element, shape = name.split()
    write, _ = FUNCTIONS[" ".join(words)]
    text = write(*map(int, shape.split("x")), element)
    return text, get_tensors(text, shape)


def measure(aircc, name):
    """Returns the launches of a function, and the bytes that it has to move."""
    text, tensors = make(name)
    launches = function_timing.measure(aircc, name.split()[0], text, "f", tensors)
    return launches, sum(map(function_timing.count_bytes, tensors))


def bench_memory(aircc, rounds=1, patterns=()):
    """Prints a table. Ignores `rounds`, because the timing model always gives the same figures."""
    print("\nShare of the memory bandwidth that functions on tensors reach, by the timing model")
    print(f"  {'function':<40} {'kernels':>7} {'us':>8} {'share':>6}  bound by")
    wanted = [name for name in names() if not patterns or any(pattern in name for pattern in patterns)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (launches, size) in zip(wanted, pool.map(lambda name: measure(aircc, name), wanted)):
            bandwidth = function_timing.read_bandwidth(aircc, name.split()[0])
            time = sum(launch["nanoseconds"] for launch in launches)
            busy = time - sum(launch["launch_nanoseconds"] for launch in launches)
            bounds = ", ".join(dict.fromkeys(launch["bound"] for launch in launches))
            share = size / bandwidth / busy
            print(f"  {name:<40} {len(launches):7} {time / 1000:8.1f} {share:6.1%}  {bounds}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    bench_memory(os.path.abspath(options.aircc), patterns=options.patterns)
