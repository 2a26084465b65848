"""Random convolutions and poolings with padding, bias and elementwise ops.

convolutions.py SEED COUNT TARGET...
"""

import random
import sys

import numpy as np

from kernel_counts import count_kernels
from random_cases import count_wrong

# The order of the dimensions of input, kernel and result: image, group, channel, filter, rows and columns of pixels,
# and of the window.
OPS = {
    "conv_2d_nchw_fchw": ("nchw", "fcyx", "nfhw"),
    "conv_2d_nhwc_hwcf": ("nhwc", "yxcf", "nhwf"),
    "conv_2d_nhwc_fhwc": ("nhwc", "fyxc", "nhwf"),
    "conv_2d_nhwgc_gfhwc": ("nhwgc", "gfyxc", "nhwgf"),
    "conv_2d_ngchw_gfchw": ("ngchw", "gfcyx", "ngfhw"),
    "depthwise_conv_2d_nhwc_hwc": ("nhwc", "yxc", "nhwc"),
    "depthwise_conv_2d_nchw_chw": ("nchw", "cyx", "nchw"),
    "pooling_nchw_max": ("nchw", "yx", "nchw"),
    "pooling_nhwc_sum": ("nhwc", "yx", "nhwc"),
    "pooling_nhwc_min": ("nhwc", "yx", "nhwc"),
}
LOWEST = {"pooling_nchw_max": "0xFF800000", "pooling_nhwc_min": "0x7F800000"}


class Case:
    """A function with one convolution or pooling, from random choices."""

    def __init__(self, name, choice):
        self.name = name
        self.op = choice.choice(sorted(OPS))
        self.is_pooling = self.op.startswith("pooling")
        self.input, self.window, self.sums = OPS[self.op]
        self.element = "f32" if self.is_pooling else choice.choice(["f16", "f16", "bf16", "f32"])
        self.stride, self.dilation = choice.choice([1, 1, 2]), choice.choice([1, 1, 2])
        self.pad = choice.choice([(0, 0), (1, 1), (0, 1), (2, 1)])
        self.sizes = {
            "n": choice.randint(1, 3),
            "c": choice.choice([1, 3, 8, 16, 48, 64]),
            "f": choice.choice([1, 4, 16]),
        }
        self.sizes |= {"y": choice.randint(1, 3), "x": choice.randint(1, 3)}
        self.sizes |= {"h": choice.choice([1, 5, 8, 13, 20]), "w": choice.choice([1, 7, 8, 16, 33])}
        self.sizes["g"] = choice.randint(1, 3)
        if not self.is_pooling and choice.random() < 0.2:
            # So long a sum, with so few results, that several workgroups compute parts of it.
            self.sizes |= {"c": 256, "y": 3, "x": 3, "h": choice.choice([1, 5]), "w": choice.choice([7, 8])}
        elif not self.is_pooling and self.element == "f32" and choice.random() < 0.2:
            # So many products that matrix instructions compute them.
            self.sizes |= {"c": 64, "f": 32, "y": 3, "x": 3, "n": 2, "h": 20, "w": 33}
        self.init = "zero" if self.is_pooling else choice.choice(["zero", "bias", "memory"])
        self.result = "".join(choice.sample(self.sums, len(self.sums))) if choice.random() < 0.2 else self.sums
        self.steps = [choice.choice(["bias", "residual", "relu"]) for _ in range(choice.randint(0, 3))]
        if not self.steps:
            self.result = self.sums

    def get_input_sizes(self, padded):
        sizes = dict(self.sizes)
        for image, window in (("h", "y"), ("w", "x")):
            sizes[image] = (self.sizes[image] - 1) * self.stride + (self.sizes[window] - 1) * self.dilation + 1
            sizes[image] = max(1, sizes[image] - (0 if padded else sum(self.pad)))
        return sizes

    def get_shape(self, dims, sizes=None):
        return tuple((sizes or self.sizes)[dim] for dim in dims)

    def get_type(self, dims, element, sizes=None):
        return "tensor<" + "".join(f"{size}x" for size in self.get_shape(dims, sizes)) + f"{element}>"

    def get_channel(self):
        return self.sums.strip("nhw")

    def get_arguments(self):
        """The shape and the element type of each argument."""
        shapes = [(self.get_shape(self.input, self.get_input_sizes(False)), self.element)]
        if not self.is_pooling:
            shapes.append((self.get_shape(self.window), self.element))
        if self.init != "zero":
            shapes.append((self.get_shape(self.get_channel() if self.init == "bias" else self.sums), "f32"))
        for step in self.steps:
            if step != "relu":
                shapes.append((self.get_shape(self.get_channel() if step == "bias" else self.sums), "f32"))
        return shapes

    def get_text(self):
        arguments = self.get_arguments()
        spell = lambda shape, element: "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"
        names = ", ".join(f"%x{i}: {spell(*argument)}" for i, argument in enumerate(arguments))
        sums, result = self.get_type(self.sums, "f32"), self.get_type(self.result, "f32")
        plain = self.get_type(self.input, self.element, self.get_input_sizes(False))
        padded_sizes = dict(self.get_input_sizes(False))
        for image in "hw":
            padded_sizes[image] += sum(self.pad)
        padded = self.get_type(self.input, self.element, padded_sizes)
        low, high = [", ".join(str(pad if dim in "hw" else 0) for dim in self.input) for pad in self.pad]
        numbers = iter(range(1 if self.is_pooling else 2, len(arguments)))
        window = f"%x1 : {padded}, {self.get_type(self.window, self.element)}"
        text = f"""func.func @{self.name}({names}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %edge = arith.constant {LOWEST.get(self.op, "0.0")} : {self.element}
  %first = arith.constant {LOWEST.get(self.op, "0.0")} : f32
  %p = tensor.pad %x0 low[{low}] high[{high}] {{
  ^bb0({", ".join(f"%i{i}: index" for i in range(len(self.input)))}):
    tensor.yield %edge : {self.element}
  }} : {plain} to {padded}
  %empty = tensor.empty() : {sums}
"""
        if self.is_pooling:
            text += f"  %window = tensor.empty() : {self.get_type(self.window, 'f32')}\n"
            window = f"%window : {padded}, {self.get_type(self.window, 'f32')}"
        init = "%init"
        if self.init == "zero":
            text += f"  %init = linalg.fill ins(%first : f32) outs(%empty : {sums}) -> {sums}\n"
        elif self.init == "bias":
            text += self.get_elementwise("%init", [(f"%x{next(numbers)}", self.get_channel())], "%y0", self.sums)
        else:
            init = f"%x{next(numbers)}"
        text += f"""  %conv = linalg.{self.op} {{strides = dense<{self.stride}> : tensor<2xi64>,
      dilations = dense<{self.dilation}> : tensor<2xi64>}}
      ins(%p, {window}) outs({init} : {sums}) -> {sums}
"""
        return text + self.get_epilogue(numbers) + f"  return %r : {result}\n}}\n"

    def get_epilogue(self, numbers):
        if not self.steps:
            return (
                f"  %r = tensor.cast %conv : {self.get_type(self.sums, 'f32')} to {self.get_type(self.sums, 'f32')}\n"
            )
        operands, body, value = [("%conv", self.sums)], "", "%y0"
        for i, step in enumerate(self.steps):
            other = "%zero"
            if step != "relu":
                other = f"%y{len(operands)}"
                operands.append((f"%x{next(numbers)}", self.get_channel() if step == "bias" else self.sums))
            body += f"    %t{i} = arith.{'maximumf' if step == 'relu' else 'addf'} {value}, {other} : f32\n"
            value = f"%t{i}"
        return self.get_elementwise("%r", operands, value, self.result, body)

    def get_elementwise(self, name, operands, value, result, body=""):
        loops = ", ".join(self.sums)
        maps = ", ".join(
            f"affine_map<({loops}) -> ({', '.join(dims)})>" for dims in [d for _, d in operands] + [result]
        )
        types = ", ".join(self.get_type(dims, "f32") for _, dims in operands)
        arguments = ", ".join([f"%y{i}: f32" for i in range(len(operands))] + ["%out: f32"])
        out = self.get_type(result, "f32")
        return f"""  {name}_empty = tensor.empty() : {out}
  {name} = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = [{", ".join(['"parallel"'] * len(self.sums))}]}}
      ins({", ".join(name for name, _ in operands)} : {types}) outs({name}_empty : {out}) {{
  ^bb0({arguments}):
{body}    linalg.yield {value} : f32
  }} -> {out}
"""

    def compute(self, values):
        """The expected result, by numpy: the sum over the places of the window."""
        values = [value.astype(np.float64) for value in values]
        edge = {"pooling_nchw_max": -np.inf, "pooling_nhwc_min": np.inf}.get(self.op, 0.0)
        x = np.pad(values.pop(0), [self.pad if dim in "hw" else (0, 0) for dim in self.input], constant_values=edge)
        kernel = None if self.is_pooling else values.pop(0)
        spread = (
            lambda value: value
            if value.ndim == len(self.sums)
            else value.reshape([self.sizes[dim] if dim in self.get_channel() else 1 for dim in self.sums])
        )
        result = edge if self.init == "zero" else spread(values.pop(0))
        for y in range(self.sizes["y"]):
            for column in range(self.sizes["x"]):
                part = [slice(None)] * len(self.input)
                for dim, offset in (("h", y), ("w", column)):
                    begin = offset * self.dilation
                    part[self.input.index(dim)] = slice(
                        begin, begin + (self.sizes[dim] - 1) * self.stride + 1, self.stride
                    )
                if self.op == "pooling_nchw_max":
                    result = np.maximum(result, x[tuple(part)])
                elif self.op == "pooling_nhwc_min":
                    result = np.minimum(result, x[tuple(part)])
                elif self.is_pooling:
                    result = result + x[tuple(part)]
                else:
                    place = tuple({"y": y, "x": column}.get(dim, slice(None)) for dim in self.window)
                    dims = "".join(dim for dim in self.window if dim not in "yx")
                    result = result + np.einsum(f"{self.input},{dims}->{self.sums}", x[tuple(part)], kernel[place])
        for step in self.steps:
            result = np.maximum(result, 0.0) if step == "relu" else result + spread(values.pop(0))
        return np.transpose(result, [self.sums.index(dim) for dim in self.result])

    def is_right(self, library, generator):
        # Exact sums, in whatever order.
        values = [
            (generator.integers(-8, 9, shape) / 4).astype(np.float16 if element == "f16" else np.float32)
            for shape, element in self.get_arguments()
        ]
        # Elements of bf16 are the upper halves of those of f32.
        arguments = [
            (value.view(np.uint32) >> 16).astype(np.uint16) if element == "bf16" else value
            for value, (_, element) in zip(values, self.get_arguments())
        ]
        have, want = getattr(library, self.name)(*arguments), self.compute(values)
        return have.shape == want.shape and bool(np.all(have == want.astype(np.float32)))


def make_cases(choice, count):
    """Cases whose windows fit into the padded input."""
    cases = []
    while len(cases) < count:
        case = Case(f"f{len(cases)}", choice)
        padded = case.get_input_sizes(True)
        plain = case.get_input_sizes(False)
        if all(plain[image] + sum(case.pad) == padded[image] for image in "hw"):
            cases.append(case)
    return cases


def main():
    seed, count, targets = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    print(f"seed {seed}")
    failures = kernels = 0
    for i, target in enumerate(targets):
        cases = make_cases(random.Random(f"{seed} {i}"), count)
        failures += count_wrong(cases, target, seed)
        text = "".join(case.get_text() for case in cases)
        kernels += count_kernels(text, target, "")
    print(
        f"{count * len(targets)} convolutions, {failures} failures, {kernels / (count * len(targets)):.1f} kernels each"
    )


main()
