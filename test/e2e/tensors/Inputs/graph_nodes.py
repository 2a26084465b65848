"""Computes each kind of node of a random tensor graph."""

import numpy as np

from elements import epsilon, get_dtype, is_float, round_to, tiny
from graph_interpreter import Invalid, Number, add_up, check, compute, reduce, run_body, spread


def extract_windows(x, axes, starts, sizes, strides, dilations):
    """Splits each axis of `axes` in two: windows, and positions in a window."""
    for axis, count, size, stride, dilation in reversed(list(zip(axes, starts, sizes, strides, dilations))):
        index = np.arange(count)[:, None] * stride + np.arange(size)[None] * dilation
        x = np.take(x, index, axis=axis)
    return x


# For each op: the axes of the input that windows move over, the input's labels after they are split, the filter's and
# the result's labels.
CONVOLUTIONS = {
    "conv_1d_nwc_wcf": ((1,), "nwxc", "xcf", "nwf"),
    "conv_1d_ncw_fcw": ((2,), "ncwx", "fcx", "nfw"),
    "conv_2d_nhwc_hwcf": ((1, 2), "nhywxc", "yxcf", "nhwf"),
    "conv_2d_nhwc_fhwc": ((1, 2), "nhywxc", "fyxc", "nhwf"),
    "conv_2d_nchw_fchw": ((2, 3), "nchywx", "fcyx", "nfhw"),
    "depthwise_conv_2d_nhwc_hwc": ((1, 2), "nhywxc", "yxc", "nhwc"),
    "depthwise_conv_2d_nchw_chw": ((2, 3), "nchywx", "cyx", "nchw"),
}
CONTRACTIONS = {
    "matmul": ("mk", "kn", "mn"),
    "batch_matmul": ("bmk", "bkn", "bmn"),
    "batch_reduce_matmul": ("bmk", "bkn", "mn"),
    "matvec": ("mk", "k", "m"),
    "vecmat": ("k", "kn", "n"),
    "batch_matvec": ("bmk", "bk", "bm"),
    "dot": ("k", "k", ""),
    "mmt4d": ("mkab", "nkcb", "mnac"),
}


def contract(a, b, labels, element, init):
    """Sums of products; the operands are converted to the type of the result first."""
    order = "".join(dict.fromkeys(labels[2] + labels[0] + labels[1]))
    sizes = {}
    for number, names in ((a, labels[0]), (b, labels[1])):
        sizes.update(zip(names, number.data.shape))
    shape = tuple(sizes[name] for name in order)
    x, y = (
        spread(Number(convert(n.data, element), n.error), [order.index(c) for c in names], shape)
        for n, names in ((a, labels[0]), (b, labels[1]))
    )
    axes = tuple(i for i, name in enumerate(order) if name not in labels[2])
    if is_float(element):
        product = Number(x.data.astype(np.float64) * y.data.astype(np.float64))
        if a.error is not None or b.error is not None:
            ex, ey = x.bound(), y.bound()
            product.error = np.abs(x.data) * ey + np.abs(y.data) * ex + ex * ey
    else:
        product = compute("muli", [x, y], element)
    total = add_up(product, axes, element) if axes else Number(round_to(product.data, element), product.bound())
    if init:
        start = Number(np.full(total.data.shape, init, get_dtype(element)))
        total = compute("addf" if is_float(element) else "addi", [total, start], element)
    return total


def convert(data, element):
    return data.astype(get_dtype(element))


class Interpreter:
    def __init__(self, graph):
        self.graph, self.values = graph, {}
        for argument in graph.arguments:
            self.bind(argument)

    def bind(self, argument):
        self.values[argument.value] = Number(argument.data)

    def run(self, node):
        numbers = [self.values[v] for v in node.operands]
        results = getattr(self, "run_" + node.kind)(node, *numbers, **node.attributes)
        results = results if isinstance(results, list) else [results]
        for value, number in zip(node.results, results):
            if number.data.shape != value.shape:
                raise AssertionError(f"{node.kind} computes {number.data.shape} for {value.name}: {value.type}")
            self.values[value] = check(number, value.element)

    def run_arith(self, node, *numbers, op):
        return compute(op, numbers, node.results[0].element, node.operands[-1].element)

    def run_generic(self, node, *numbers, loops, iterators, maps, outputs, body, yields):
        inputs = [spread(number, m, loops) for number, m in zip(numbers, maps)]
        values = run_body(body, inputs, loops)
        axes = tuple(i for i, kind in enumerate(iterators) if kind == "r")
        results = []
        for value, (reference, combine, init), output in zip(node.results, yields, outputs):
            kind, index = reference
            number = inputs[index] if kind == "in" else values[index]
            kept = [loop for loop in range(len(loops)) if loop not in axes]
            if combine:
                start = Number(np.full(tuple(loops[i] for i in kept), init, get_dtype(value.element)))
                number = reduce(combine, number, axes, start, value.element)
            order = [kept.index(loop) for loop in output]
            results.append(number.apply(lambda x, order=order: x.transpose(order)))
        return results

    def run_argmax(self, node, x, axis, greatest):
        if x.data.shape[axis] == 0:
            raise Invalid()
        data = x.data if greatest else -x.data.astype(np.float64 if is_float(node.operands[0].element) else object)
        index = np.argmax(data, axis=axis)
        return [Number(np.take_along_axis(x.data, np.expand_dims(index, axis), axis).squeeze(axis)), Number(index)]

    def run_named(self, node, *numbers, op, attributes, init):
        element, result = node.results[0].element, node.results[0]
        if op in CONTRACTIONS:
            return contract(*numbers, CONTRACTIONS[op], element, init)
        strides, dilations = attributes["strides"], attributes["dilations"]
        if op in CONVOLUTIONS:
            axes, given, weights, labels = CONVOLUTIONS[op]
            counts = [result.shape[labels.index(given[given.index(c) - 1])] for c in "yx" if c in given]
            sizes = [numbers[1].data.shape[weights.index(c)] for c in "yx" if c in given]
            x = numbers[0].apply(lambda data: extract_windows(data, axes, counts, sizes, strides, dilations))
            return contract(x, numbers[1], (given, weights, labels), element, init)
        axes = (1, 2) if "nhwc" in op else (2, 3)
        counts = [result.shape[axis] for axis in axes]
        x = numbers[0].apply(lambda data: extract_windows(data, axes, counts, attributes["window"], strides, dilations))
        inner = (axes[0] + 1, axes[1] + 2)
        start = Number(np.full(result.shape, init, get_dtype(element)))
        kind = {"sum": "add", "max": "maximum" if is_float(element) else "maxs"}[op.split("_")[-1]]
        return reduce(kind + ("f" if is_float(element) else "i"), x, inner, start, element)

    def run_transpose(self, node, x, permutation):
        return x.apply(lambda data: data.transpose(permutation))

    def run_broadcast(self, node, x, dimensions):
        kept = [d for d in range(len(node.results[0].shape)) if d not in dimensions]
        return spread(x, kept, node.results[0].shape)

    def run_reduce(self, node, x, op, axes, init):
        element, shape = node.results[0].element, node.results[0].shape
        return reduce(op, x, tuple(axes), Number(np.full(shape, init, get_dtype(element))), element)

    def run_softmax(self, node, x, axis):
        if x.data.shape[axis] == 0:
            raise Invalid()
        element, data = node.results[0].element, x.data.astype(np.float64)
        e = np.exp(data - data.max(axis=axis, keepdims=True))
        result = e / e.sum(axis=axis, keepdims=True)
        spread_error = x.bound().max(axis=axis, keepdims=True) if data.size else 0.0
        wide = np.abs(data).max() if data.size else 0.0
        if wide > 30 or np.any(spread_error > 1):
            raise Invalid()
        relative = 6 * spread_error + (2 * data.shape[axis] + 40 + 4 * wide) * epsilon(element)
        return Number(round_to(result, element), result * relative + tiny(element))

    def run_pack(self, node, x, position, tiles, fill):
        rank = x.data.ndim
        outer = node.results[0].shape[:rank]
        pads = [(0, 0)] * rank
        for axis, tile in zip(position, tiles):
            pads[axis] = (0, outer[axis] * tile - x.data.shape[axis])
        shape, order, split = [], [], []
        for axis in range(rank):
            order.append(len(shape))
            shape.append(outer[axis])
            if axis in position:
                split.append((position.index(axis), len(shape)))
                shape.append(tiles[position.index(axis)])
        order += [where for _, where in sorted(split)]

        def move(data, value):
            return np.pad(data, pads, constant_values=value).reshape(shape).transpose(order)

        return Number(
            move(x.data, get_dtype(node.results[0].element).type(fill)), None if x.error is None else move(x.error, 0)
        )

    def run_unpack(self, node, x, position, tiles):
        rank = len(node.results[0].shape)
        order, shape = [], []
        for axis in range(rank):
            order.append(axis)
            shape.append(x.data.shape[axis])
            if axis in position:
                order.append(rank + position.index(axis))
                shape[-1] *= tiles[position.index(axis)]
        cut = tuple(slice(0, size) for size in node.results[0].shape)
        return x.apply(lambda data: data.transpose(order).reshape(shape)[cut])

    @staticmethod
    def window(offsets, sizes, strides):
        return tuple(slice(o, o + s * t if s else o, t) for o, s, t in zip(offsets, sizes, strides))

    def run_slice(self, node, x, offsets, sizes, strides, unknown, dropped):
        where = self.window(offsets, sizes, strides)
        return x.apply(lambda data: data[where].reshape(node.results[0].shape))

    def run_insert(self, node, x, dest, offsets, sizes, strides, unknown):
        where = self.window(offsets, sizes, strides)
        return self.put(dest, where, x.apply(lambda data: data.reshape(sizes)))

    @staticmethod
    def put(dest, where, x):
        data = dest.data.copy()
        data[where] = x.data
        error = None
        if dest.error is not None or x.error is not None:
            error = dest.bound().copy()
            error[where] = x.bound()
        return Number(data, error)

    def run_pad(self, node, x, low, high, value):
        pads = list(zip(low, high))
        data = np.pad(x.data, pads, constant_values=get_dtype(node.results[0].element).type(value))
        return Number(data, None if x.error is None else np.pad(x.error, pads))

    def run_concat(self, node, *numbers, axis):
        data = np.concatenate([n.data for n in numbers], axis)
        return Number(
            data, None if all(n.error is None for n in numbers) else np.concatenate([n.bound() for n in numbers], axis)
        )

    def run_cast(self, node, x):
        return x

    def run_reshape(self, node, x, groups=None):
        return x.apply(lambda data: data.reshape(node.results[0].shape))

    run_expand = run_collapse = run_reshape

    def run_gather(self, node, x, indices, dims):
        batch = indices.data.shape[:-1]

        def move(data):
            result = np.empty(node.results[0].shape, data.dtype)
            for at in np.ndindex(*batch):
                where = [slice(None)] * data.ndim
                for dim, index in zip(dims, indices.data[at]):
                    where[dim] = slice(int(index), int(index) + 1)
                result[at] = data[tuple(where)].reshape(node.results[0].shape[len(batch) :])
            return result

        return x.apply(move)

    def run_scatter(self, node, x, dest, indices, dims):
        result = Number(dest.data, dest.error)
        for at in np.ndindex(*indices.data.shape[:-1]):
            where = [slice(None)] * dest.data.ndim
            for dim, index in zip(dims, indices.data[at]):
                where[dim] = slice(int(index), int(index) + 1)
            part = x.apply(lambda data, at=at: data[at])
            shape = result.data[tuple(where)].shape
            result = self.put(result, tuple(where), part.apply(lambda data, shape=shape: data.reshape(shape)))
        return result

    def run_generate(self, node, factors):
        shape = node.results[0].shape
        total = np.zeros(shape, np.int64)
        for axis, factor in enumerate(factors):
            total += factor * np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
        return Number(round_to(total, node.results[0].element))

    def run_splat(self, node, value):
        return Number(np.full(node.results[0].shape, value, get_dtype(node.results[0].element)))

    def run_constant(self, node, data):
        return Number(data)

    def run_elements(self, node, x, where, into):
        def move(data):
            data = np.array(data)  # Also of rank 0.
            data[tuple(into)] = data[tuple(where)]
            return data

        return x.apply(move)

    def run_for(self, node, *inits, trips, arguments, body, yields, unknown=True):
        numbers = list(inits)
        for _ in range(trips):
            self.values.update(zip(arguments, numbers))
            for inner in body:
                self.run(inner)
            numbers = [self.values[v] for v in yields]
        return numbers

    run_while = run_for

    def run_if(self, node, condition, where, then, then_yields, otherwise, otherwise_yields):
        taken = bool(condition.data[tuple(where)])
        for inner in then if taken else otherwise:
            self.run(inner)
        return [self.values[v] for v in (then_yields if taken else otherwise_yields)]

    def run_call(self, node, *inputs, name, parameters, body, yields):
        return self.run_for(node, *inputs, trips=1, arguments=parameters, body=body, yields=yields)
