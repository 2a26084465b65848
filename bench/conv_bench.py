"""Compares the times of convolutions with those of equivalent matrix products.

    ./run bench conv                               all of CONVOLUTIONS
    bench/conv_bench.py --aircc FILE [PATTERN...]  those whose names contain a pattern, such as "gfx942 nchw"

Compiles functions on tensors, and times their kernels with the timing model of the simulated device. The equivalent
product of a convolution has a row for each pixel of the result, and is as deep as a window has elements. Depthwise
convolutions have no equivalent product; they are compared with the time that memory needs to move the arguments and the
result.
"""

import functools
import json
import os
from concurrent.futures import ThreadPoolExecutor

import function_timing

TARGETS = ["gfx942", "gfx950"]
# The number of images, the height and width of the result, and the channels of image and result.
SIZES = {"56": (8, 56, 64, 64), "28": (8, 28, 128, 128), "14": (8, 14, 256, 256)}
# The named op, and the order of the dimensions of its image and filter. Images include their padding.
OPS = {
    "nhwc": ("conv_2d_nhwc_hwcf", "nhwc", "hwcf"),
    "nhwc fhwc": ("conv_2d_nhwc_fhwc", "nhwc", "fhwc"),
    "nchw": ("conv_2d_nchw_fchw", "nchw", "fchw"),
    "grouped": ("conv_2d_nhwgc_gfhwc", "nhwgc", "gfhwc"),
    "grouped nchw": ("conv_2d_ngchw_gfchw", "ngchw", "gfchw"),
    "depthwise": ("depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc"),
    "depthwise nchw": ("depthwise_conv_2d_nchw_chw", "nchw", "chw"),
}
GROUPS = 4


def list_convolutions():
    """Returns name -> op, size, filter size, stride, dilation, and types of elements and sums."""
    table = {}
    for op in OPS:
        for size in SIZES:
            table[f"{op} {size} f16"] = (op, size, 3, 1, 1, "f16", "f32")
    for op in ("nhwc", "nchw"):
        table[f"{op} 28 f16 stride 2"] = (op, "28", 3, 2, 1, "f16", "f32")
        table[f"{op} 28 f16 dilated"] = (op, "28", 3, 1, 2, "f16", "f32")
        table[f"{op} 28 f16 1x1"] = (op, "28", 1, 1, 1, "f16", "f32")
        table[f"{op} 28 f16 into f16"] = (op, "28", 3, 1, 1, "f16", "f16")
        for element, result in (("bf16", "f32"), ("f32", "f32"), ("i8", "i32")):
            table[f"{op} 28 {element}"] = (op, "28", 3, 1, 1, element, result)
    return table


CONVOLUTIONS = list_convolutions()


def get_shapes(name):
    """Returns the shapes of image, filter and result."""
    op, size, window, stride, dilation, _, _ = CONVOLUTIONS[name]
    n, out, c, f = SIZES[size]
    image_size = (out - 1) * stride + (window - 1) * dilation + 1
    sizes = {"n": n, "h": image_size, "w": image_size, "c": c, "f": f, "g": GROUPS}
    _, image, weights = OPS[op]
    if "g" in image:
        sizes.update(c=c // GROUPS, f=f // GROUPS)
    result = {**sizes, "h": out, "w": out, "c": sizes["f"] if "f" in weights else c}
    filter = {**sizes, "h": window, "w": window}
    return [[sizes[d] for d in image], [filter[d] for d in weights], [result[d] for d in image]]


def get_product_shapes(name):
    """Returns the shapes of the factors and the result of the equivalent product; None if there is none."""
    op, size, window, _, _, _, _ = CONVOLUTIONS[name]
    if op.startswith("depthwise"):
        return None
    n, out, c, f = SIZES[size]
    groups = GROUPS if op.startswith("grouped") else 1
    m, n, k = n * out * out, f // groups, window * window * c // groups
    shapes = [[m, k], [k, n] if OPS[op][2].endswith("f") else [n, k], [m, n]]
    return [[groups, *shape] for shape in shapes] if groups > 1 else shapes


def tensors(shapes, types):
    return [f"tensor<{'x'.join(map(str, shape))}x{type}>" for shape, type in zip(shapes, types)]


def program(op, types, attributes=""):
    """Returns the text of a function on tensors that computes a named op of two arguments."""
    a, b, c = types
    result = c[:-1].split("x")[-1]
    return f"""func.func @f(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant {"0" if result[0] == "i" else "0.0"} : {result}
  %empty = tensor.empty() : {c}
  %filled = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %c = linalg.{op} {attributes} ins(%a, %b : {a}, {b}) outs(%filled : {c}) -> {c}
  return %c : {c}
}}
"""


def convolution(name):
    op, _, _, stride, dilation, element, result = CONVOLUTIONS[name]
    attributes = f"{{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<{dilation}> : tensor<2xi64>}}"
    return program(OPS[op][0], tensors(get_shapes(name), (element, element, result)), attributes)


def product(shapes, element, result):
    outer = "g, " if len(shapes[0]) == 3 else ""
    along_k = shapes[0][-1] == shapes[1][-1]
    maps = [f"{outer}m, k", f"{outer}{'n, k' if along_k else 'k, n'}", f"{outer}m, n"]
    maps = ", ".join(f"affine_map<({outer}m, n, k) -> ({dims})>" for dims in maps)
    op = "batch_matmul" if outer else "matmul"
    return program(f"{op} indexing_maps = [{maps}]", tensors(shapes, (element, element, result)))


def time_launches(aircc, target, text, flags):
    """Returns the launches of one call of a function."""
    tensors = [part.split(">")[0] for part in text[: text.index(" {\n")].split("tensor<")[1:]]
    return function_timing.measure(aircc, target, text, "f", tensors, flags)


def add_up(launches):
    """Returns the time of the kernels in nanoseconds, without launch overhead."""
    return sum(launch["nanoseconds"] - launch["launch_nanoseconds"] for launch in launches)


@functools.cache
def time_product(aircc, target, shapes, element, result, flags):
    return add_up(time_launches(aircc, target, product(json.loads(shapes), element, result), flags))


def measure(aircc, target, name, flags=()):
    """Returns the launches of the convolution, and the time of the equivalent product in nanoseconds."""
    *_, element, result = CONVOLUTIONS[name]
    launches = time_launches(aircc, target, convolution(name), flags)
    if shapes := get_product_shapes(name):
        return launches, time_product(aircc, target, json.dumps(shapes), element, result, flags)
    shapes = zip(get_shapes(name), (element, element, result))
    moved = sum(function_timing.count_bytes("x".join(map(str, [*shape, type]))) for shape, type in shapes)
    return launches, moved / function_timing.read_bandwidth(aircc, target)


def bench_convolutions(aircc, rounds=1, patterns=(), flags=()):
    """Prints a table. Ignores `rounds`, because the timing model always gives the same figures."""
    cases = [(target, name) for target in TARGETS for name in CONVOLUTIONS]
    cases = [case for case in cases if not patterns or any(pattern in " ".join(case) for pattern in patterns)]
    print(
        "\nConvolutions, by the timing model, without launches; 'equal': the equivalent product, or what memory needs"
    )
    print(f"  {'convolution':<32} {'equal us':>8} {'us':>8} {'ratio':>6}  kernels")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(lambda case: measure(aircc, *case, tuple(flags)), cases)
        for (target, name), (launches, equal) in zip(cases, rows):
            kernels = function_timing.describe(launches)
            time = add_up(launches)
            print(
                f"  {target + ' ' + name:<32} {equal / 1000:8.1f} {time / 1000:8.1f} {time / equal:6.2f}  {kernels}",
                flush=True,
            )


if __name__ == "__main__":
    function_timing.run_bench(bench_convolutions)
