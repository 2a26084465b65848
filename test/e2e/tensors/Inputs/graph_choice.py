"""Chooses random tensor graphs.

Each node is computed as soon as it is chosen. A node without a defined result, such as a division by zero or a number
out of range, is dropped.
"""

import numpy as np

from elements import FLOATS, INTEGERS, get_dtype, get_width, is_float, round_to
from graph_interpreter import Invalid
from graph_model import Argument, Graph, Node, Value
from graph_nodes import CONTRACTIONS, CONVOLUTIONS, Interpreter

ELEMENTS = ["f32"] * 8 + ["f16", "f16", "bf16", "f64", "i1", "i8", "i8", "i16", "i32", "i32", "i32", "i64", "index"]
SIZES = [1, 2, 3, 4, 4, 5, 7, 8, 8, 16, 17, 33]
LARGEST = 4096
COMBINERS = {
    True: [("addf", 0.0), ("addf", 0.0), ("maximumf", -1e4), ("minimumf", 1e4)],
    False: [("addi", 0), ("maxsi", 0), ("minsi", 0), ("andi", -1), ("ori", 0), ("xori", 0)],
}
# The types of the operands and of the result of contractions.
PRODUCTS = [("f32", "f32")] * 4 + [("f16", "f32")] * 2 + [("bf16", "f32")] * 2 + [("i8", "i32")] * 2
PRODUCTS += [("f64", "f64"), ("i32", "i32"), ("i16", "i32"), ("i64", "i64"), ("f16", "f16")]


class Chooser:
    def __init__(self, seed, name):
        self.random = np.random.default_rng(seed)
        self.graph = Graph(name, seed)
        self.interpreter = Interpreter(self.graph)
        self.values, self.nodes, self.count = [], self.graph.nodes, 0
        self.depth = 0

    # Small choices.

    def chance(self, probability):
        return self.random.random() < probability

    def among(self, options):
        return options[int(self.random.integers(len(options)))]

    def integer(self, low, high):
        """From low to high, both included."""
        return int(self.random.integers(low, high + 1))

    def shape(self, rank=None, limit=LARGEST):
        rank = self.among([0, 1, 2, 2, 2, 3, 3, 4]) if rank is None else rank
        while True:
            sizes = tuple(0 if self.chance(0.01) else self.among(SIZES) for _ in range(rank))
            if np.prod(sizes, dtype=np.int64) <= limit:
                return sizes

    def mask(self, rank):
        if self.chance(0.5):
            return (False,) * rank
        return tuple(self.chance(0.5) for _ in range(rank))

    def data(self, shape, element):
        if element == "i1":
            return self.random.integers(0, 2, shape).astype(bool)
        if not is_float(element):
            width = min(get_width(element), 31)
            limit = min(1 << (width - 1), self.among([4, 100, 1 << 30]))
            return self.random.integers(-limit, limit, shape).astype(get_dtype(element))
        if self.chance(0.4):
            return round_to(self.random.integers(-16, 17, shape) / 4, element)
        return round_to(self.random.standard_normal(shape), element)

    # Values.

    def value(self, element, shape, dynamic, inexact=False):
        self.count += 1
        return Value(f"%v{self.count}", element, tuple(shape), tuple(dynamic), inexact)

    def argument(self, element, shape, data=None, dynamic=None):
        """A new argument of the function, or a constant."""
        data = self.data(shape, element) if data is None else data
        dynamic = self.mask(len(shape)) if dynamic is None else dynamic
        if element == "i4" or self.depth or self.chance(0.15) and data.size <= 64:
            value = self.value(element, shape, (False,) * len(shape))
            return self.add(Node("constant", [], [value], {"data": data}))[0]
        value = self.value(element, shape, dynamic)
        argument = Argument(value.name, value, data)
        self.graph.arguments.append(argument)
        self.interpreter.bind(argument)
        self.values.append(value)
        return value

    def pick(self, accepts=lambda value: True, element=None, rank=None):
        """A value that is accepted; a new one if there is none."""
        options = [v for v in self.values if accepts(v) and (element is None or v.element == element)]
        options = [v for v in options if rank is None or len(v.shape) == rank]
        if options and not self.chance(0.15):
            return options[-1] if self.chance(0.4) else self.among(options)
        for _ in range(50):
            shape = self.shape(rank)
            candidate = Value("", element or self.among(ELEMENTS), shape, (False,) * len(shape))
            if accepts(candidate):
                return self.argument(candidate.element, shape)
        raise Invalid()

    def like(self, value, element=None):
        """Another value of the same shape and static sizes."""
        element = element or value.element
        options = [v for v in self.values if v.element == element and v.shape == value.shape]
        other = self.among(options) if options and not self.chance(0.3) else None
        other = other or self.argument(element, value.shape, dynamic=value.dynamic)
        return self.cast(other, value.dynamic)

    def cast(self, value, dynamic):
        if value.dynamic == tuple(dynamic):
            return value
        result = self.value(value.element, value.shape, dynamic, value.inexact)
        return self.add(Node("cast", [value], [result]))[0]

    def add(self, node):
        self.interpreter.run(node)
        self.nodes.append(node)
        self.values += node.results
        return node.results

    def make(self, kind, operands, element, shape, dynamic, inexact=None, **attributes):
        inexact = any(v.inexact for v in operands) if inexact is None else inexact
        result = self.value(element, shape, dynamic, inexact and is_float(element))
        return self.add(Node(kind, operands, [result], attributes))[0]

    # Elementwise ops. A step is an op, the types of its operands and of its result, and whether it rounds differently.

    def step(self, element, exact):
        if is_float(element):
            options = ["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf", "negf", "absf", "truncf"]
            if not exact or self.chance(0.4):
                options = ["exp", "tanh", "sin", "cos", "erf", "sqrt", "log1p", "atan", "divf", "truncf", "truncf"]
            elif self.chance(0.3):
                options = ["cmpf", "floor", "ceil", "trunc", "roundeven", "round", "fptosi"]
            return self.among(options)
        if element == "i1":
            return self.among(["andi", "ori", "xori", "select", "extui", "extsi", "uitofp"])
        options = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "cmpi", "select"]
        options += ["shli", "shrsi", "shrui", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "convert"]
        return self.among(options)

    def arith(self):
        x = self.pick()
        op = self.step(x.element, not x.inexact)
        result, operands, inexact = x.element, [x], None
        if op == "truncf":
            op, result = self.convert_float(x)
        elif op in ("cmpf", "cmpi"):
            operands = [x, self.exact_like(x)]
            prefix = "o" if op == "cmpf" else self.among(["s", "u"])
            predicate = self.among([prefix + "lt", prefix + "ge", prefix + "gt", prefix + "le"])
            op, result = (
                f"{op} {self.among([predicate, 'oeq' if op == 'cmpf' else 'eq', 'une' if op == 'cmpf' else 'ne'])}",
                "i1",
            )
        elif op == "select":
            chosen = x if x.element != "i1" else self.like(x, self.among(ELEMENTS))
            condition = x if x.element == "i1" else self.like(x, "i1")
            operands, result = [condition, chosen, self.like(chosen)], chosen.element
        elif op == "fptosi":
            result = self.among(["i8", "i16", "i32", "i64"])
        elif op in ("extui", "extsi", "uitofp"):
            result = self.among(["f32", "f16"]) if op == "uitofp" else self.among(["i8", "i32", "i64"])
        elif op == "convert":
            op, result = self.convert_integer(x.element)
        elif op in ("negf", "absf", "floor", "ceil", "trunc", "roundeven", "round"):
            pass
        elif op in ("exp", "tanh", "sin", "cos", "erf", "sqrt", "log1p", "atan"):
            if x.element.startswith("f8"):
                raise Invalid()
            inexact = True
        else:
            if op in ("shli", "shrsi", "shrui", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi"):
                operands = [x, self.small(x, op)]
            else:
                operands = [x, self.like(x)]
            inexact = True if op == "divf" else None
        self.make("arith", operands, result, x.shape, x.dynamic, inexact, op=op)

    def exact_like(self, x):
        other = self.like(x)
        return self.cast(self.argument(x.element, x.shape, dynamic=x.dynamic), x.dynamic) if other.inexact else other

    def small(self, x, op):
        """A shift's amount, or a divisor."""
        if op.startswith("sh"):
            data = self.random.integers(0, get_width(x.element), x.shape)
        else:
            data = self.random.integers(1, 1 << min(get_width(x.element) - 2, 10), x.shape)
            if not op.endswith("ui"):
                data *= self.random.choice([-1, 1], x.shape)
        return self.cast(self.argument(x.element, x.shape, round_to(data, x.element), x.dynamic), x.dynamic)

    def convert_float(self, x):
        width = get_width(x.element)
        wider = [e for e in FLOATS if get_width(e) > width]
        narrower = [e for e in FLOATS if get_width(e) < width]
        if x.inexact:
            narrower = [e for e in narrower if not e.startswith("f8")]
        if x.element.startswith("f8") or wider and (not narrower or self.chance(0.5)):
            return "extf", self.among(wider)
        if not narrower:
            raise Invalid()
        return "truncf", self.among(narrower)

    def convert_integer(self, element):
        if element == "index":
            return "index_cast", self.among(["i32", "i64"])
        width = get_width(element)
        options = [("sitofp", "f32"), ("uitofp", "f32"), ("sitofp", "f64"), ("sitofp", "f16")]
        options += [(op, e) for op in ("extsi", "extui") for e in ("i8", "i16", "i32", "i64") if get_width(e) > width]
        options += [("trunci", e) for e in ("i4", "i8", "i16", "i32") if get_width(e) < width]
        options += [("index_cast", "index")] if width >= 32 else []
        return self.among(options)

    # Generic ops.

    def generic(self):
        """An elementwise op or a reduction over operands that are broadcast and transposed."""
        x = self.pick(lambda v: v.shape and not v.element.startswith("f8") and v.element != "i4")
        loops, unknown = list(x.shape), list(x.dynamic)
        if self.chance(0.3) and len(loops) < 5 and np.prod(loops) <= 512:
            loops.append(self.among([1, 2, 3, 4]))
            unknown.append(False)
        order = list(self.random.permutation(len(loops)).tolist())
        loops, unknown = [loops[i] for i in order], [unknown[i] for i in order]
        operands, maps = [x], [[order.index(i) for i in range(len(x.shape))]]
        for _ in range(self.integer(0, 2)):
            kept = [loop for loop in self.random.permutation(len(loops)).tolist() if self.chance(0.6)]
            places = [None if self.chance(0.1) else loop for loop in kept]
            shape = tuple(1 if loop is None else loops[loop] for loop in places)
            y = self.like(Value("", x.element, shape, tuple(loop is not None and unknown[loop] for loop in places)))
            operands.append(y)
            maps.append(places)
        covered = {loop for places in maps for loop in places}
        uncovered = [loop for loop in range(len(loops)) if loop not in covered]
        inexact = any(v.inexact for v in operands)
        body, inexact = self.body(x.element, len(operands), len(loops), inexact)
        iterators = ["p"] * len(loops)
        yields = [(("op", len(body) - 1) if body else ("in", 0), None, None)]
        element = body[-1][2] if body else x.element
        if self.chance(0.4) and not uncovered:
            iterators = ["r" if self.chance(0.5) else "p" for _ in loops]
        if "r" in iterators:
            combine, init = self.among(COMBINERS[is_float(element)])
            init = init if element != "i1" else init % 2 == 1
            if combine in ("addi", "maxsi", "minsi") and element == "i1":
                combine = "ori"
            yields = [(yields[0][0], combine, init)]
            inexact = inexact or combine == "addf"
        # The empty output has the loops that no operand has.
        kept = [loop for loop in range(len(loops)) if iterators[loop] == "p"]
        output = [kept[i] for i in self.random.permutation(len(kept))]
        self.make(
            "generic",
            operands,
            element,
            [loops[i] for i in output],
            [unknown[i] for i in output],
            inexact,
            loops=loops,
            iterators="".join(iterators),
            maps=maps,
            outputs=[output],
            body=body,
            yields=yields,
        )

    def body(self, element, inputs, loops, inexact):
        """One to four scalar ops on the inputs of an op."""
        body, current = [], ("in", 0)
        for _ in range(self.integer(1, 4)):
            other = ("in", int(self.random.integers(inputs)))
            if is_float(element):
                op = self.among(["addf", "subf", "mulf", "maximumf", "minimumf", "tanh", "negf", "absf"])
                inexact = inexact or op == "tanh"
                operands = [current] if op in ("tanh", "negf", "absf") else [current, other]
            elif element == "index" and self.chance(0.5):
                op, operands = "addi", [current, ("index", int(self.random.integers(loops)))]
            else:
                op = self.among(
                    ["andi", "ori", "xori"] + (["addi", "subi", "muli", "maxsi", "minui"] if element != "i1" else [])
                )
                operands = [current, other]
            body.append((op, operands, element, element))
            current = ("op", len(body) - 1)
        return body, inexact

    def argmax(self):
        x = self.pick(lambda v: v.shape and not v.inexact and v.element in ("f32", "f16", "i8", "i32", "i64"))
        axis = self.integer(0, len(x.shape) - 1)
        kept = [d for d in range(len(x.shape)) if d != axis]
        results = [self.value(e, [x.shape[d] for d in kept], [x.dynamic[d] for d in kept]) for e in (x.element, "i64")]
        self.add(Node("argmax", [x], results, {"axis": axis, "greatest": self.chance(0.5)}))

    # Named ops.

    def contraction(self):
        op = self.among(list(CONTRACTIONS))
        labels = CONTRACTIONS[op]
        given, element = self.among(PRODUCTS)
        a = self.pick(lambda v: v.element == given, element=given, rank=len(labels[0]))
        sizes = dict(zip(labels[0], zip(a.shape, a.dynamic)))
        for name in labels[1]:
            sizes.setdefault(name, (self.among([1, 2, 4, 5, 8, 16, 17]), self.chance(0.3)))
        if np.prod([size for size, _ in sizes.values()]) > 1 << 15:
            raise Invalid()
        shape = lambda names: ([sizes[c][0] for c in names], [sizes[c][1] for c in names])
        b = self.like(Value("", given, tuple(shape(labels[1])[0]), tuple(shape(labels[1])[1])))
        init = self.among([0, 0, 0, 1])
        self.make("named", [a, b], element, *shape(labels[2]), is_float(element), op=op, attributes={}, init=init)

    def convolution(self):
        op = self.among(list(CONVOLUTIONS))
        axes, given, weights, labels = CONVOLUTIONS[op]
        source, element = self.among([("f32", "f32"), ("f32", "f32"), ("f16", "f32"), ("i8", "i32"), ("bf16", "f32")])
        rank = len(given) - len(axes)
        x = self.pick(lambda v: v.element == source, element=source, rank=rank)
        names = [c for c in given if c not in "yx"]
        sizes = dict(zip(names, zip(x.shape, x.dynamic)))
        windows = self.windows(x, axes)
        for c, (window, _, _, _) in zip([c for c in "yx" if c in given], windows):
            sizes[c] = (window, False)
        sizes.setdefault("f", (self.among([1, 2, 4, 5, 8]), self.chance(0.2)))
        shape = [sizes[c][0] for c in weights], [sizes[c][1] for c in weights]
        w = self.like(Value("", source, tuple(shape[0]), tuple(shape[1])))
        moved = dict(zip([names[axis] for axis in axes], windows))
        result = [moved[c][3] if c in moved else sizes[c][0] for c in labels]
        if np.prod(result) * np.prod([s for s, _ in sizes.values()]) > 1 << 18:
            raise Invalid()
        dynamic = [sizes[c][1] for c in labels]
        attributes = {"strides": [w[1] for w in windows], "dilations": [w[2] for w in windows]}
        self.make("named", [x, w], element, result, dynamic, is_float(element), op=op, attributes=attributes, init=0)

    def windows(self, x, axes):
        """Window, stride, dilation and number of windows for each axis."""
        result = []
        for axis in axes:
            window, stride, dilation = self.integer(1, 3), self.among([1, 1, 2]), self.among([1, 1, 2])
            count = (x.shape[axis] - (window - 1) * dilation - 1) // stride + 1
            if count < 1:
                raise Invalid()
            result.append((window, stride, dilation, count))
        return result

    def pool(self):
        layout, axes = self.among([("nhwc", (1, 2)), ("nchw", (2, 3))])
        x = self.pick(lambda v: v.element in ("f32", "f16", "i8", "i32"), rank=4)
        kind = self.among(["sum", "max"])
        init = 0 if kind == "sum" else -60000.0 if is_float(x.element) else -128
        windows = self.windows(x, axes)
        shape = list(x.shape)
        for axis, window in zip(axes, windows):
            shape[axis] = window[3]
        attributes = {"strides": [w[1] for w in windows], "dilations": [w[2] for w in windows]}
        attributes["window"] = [w[0] for w in windows]
        inexact = x.inexact or kind == "sum"
        self.make(
            "named",
            [x],
            x.element,
            shape,
            x.dynamic,
            inexact,
            op=f"pooling_{layout}_{kind}",
            attributes=attributes,
            init=init,
        )

    def transpose(self):
        x = self.pick(lambda v: len(v.shape) >= 2)
        order = self.random.permutation(len(x.shape)).tolist()
        self.make(
            "transpose", [x], x.element, [x.shape[i] for i in order], [x.dynamic[i] for i in order], permutation=order
        )

    def broadcast(self):
        x = self.pick(lambda v: len(v.shape) <= 3 and np.prod(v.shape) <= 256)
        shape, dynamic = list(x.shape), list(x.dynamic)
        added = []
        for _ in range(self.integer(1, 2)):
            at = self.integer(0, len(shape))
            shape.insert(at, self.among([1, 2, 3, 4]))
            dynamic.insert(at, self.chance(0.3))
            added = [d + (d >= at) for d in added] + [at]
        self.make("broadcast", [x], x.element, shape, dynamic, dimensions=sorted(added))

    def reduction(self):
        x = self.pick(lambda v: v.shape and not v.element.startswith("f8") and v.element != "i4")
        axes = sorted({self.integer(0, len(x.shape) - 1) for _ in range(self.integer(1, 2))})
        op, init = self.among(COMBINERS[is_float(x.element)])
        if x.element == "i1":
            op, init = self.among([("ori", False), ("andi", True), ("xori", False)])
        kept = [d for d in range(len(x.shape)) if d not in axes]
        inexact = x.inexact or op == "addf"
        self.make(
            "reduce",
            [x],
            x.element,
            [x.shape[d] for d in kept],
            [x.dynamic[d] for d in kept],
            inexact,
            op=op,
            axes=axes,
            init=init,
        )

    def softmax(self):
        x = self.pick(lambda v: v.shape and v.element in ("f32", "f32", "f16", "f64"))
        self.make("softmax", [x], x.element, x.shape, x.dynamic, True, axis=self.integer(0, len(x.shape) - 1))

    def pack(self):
        x = self.pick(lambda v: v.shape and len(v.shape) <= 3 and 0 not in v.shape and v.element != "i4")
        position = self.random.permutation(len(x.shape)).tolist()[: self.integer(1, len(x.shape))]
        tiles = [self.among([1, 2, 3, 4]) for _ in position]
        shape = list(x.shape)
        for axis, tile in zip(position, tiles):
            shape[axis] = -(-shape[axis] // tile)
        fill = self.among([0, 1])
        dynamic = list(x.dynamic) + [False] * len(tiles)
        packed = self.make("pack", [x], x.element, shape + tiles, dynamic, position=position, tiles=tiles, fill=fill)
        if self.chance(0.5):
            self.make("unpack", [packed], x.element, x.shape, x.dynamic, position=position, tiles=tiles)

    # Data movement.

    def window(self, shape):
        offsets, sizes, strides = [], [], []
        for size in shape:
            stride = self.among([1, 1, 1, 2, 3])
            count = self.integer(0 if self.chance(0.03) else 1, max(1, -(-size // stride)))
            count = min(count, -(-size // stride))
            offsets.append(self.integer(0, max(0, size - (count - 1) * stride - 1)) if count else 0)
            sizes.append(count)
            strides.append(stride)
        unknown = ([self.chance(0.25) for _ in shape], [self.chance(0.25) for _ in shape])
        return offsets, sizes, strides, unknown

    def slice(self):
        x = self.pick(lambda v: v.shape and 0 not in v.shape)
        offsets, sizes, strides, unknown = self.window(x.shape)
        dropped = [i for i in range(len(sizes)) if sizes[i] == 1 and not unknown[1][i] and self.chance(0.5)]
        shape = [s for i, s in enumerate(sizes) if i not in dropped]
        dynamic = [u for i, u in enumerate(unknown[1]) if i not in dropped]
        self.make(
            "slice",
            [x],
            x.element,
            shape,
            dynamic,
            offsets=offsets,
            sizes=sizes,
            strides=strides,
            unknown=unknown,
            dropped=dropped,
        )

    def insert(self):
        dest = self.pick(lambda v: v.shape and 0 not in v.shape)
        offsets, sizes, strides, unknown = self.window(dest.shape)
        dropped = [i for i in range(len(sizes)) if sizes[i] == 1 and not unknown[1][i] and self.chance(0.3)]
        shape = tuple(s for i, s in enumerate(sizes) if i not in dropped)
        dynamic = tuple(u for i, u in enumerate(unknown[1]) if i not in dropped)
        x = self.like(Value("", dest.element, shape, dynamic))
        self.make(
            "insert",
            [x, dest],
            dest.element,
            dest.shape,
            dest.dynamic,
            offsets=offsets,
            sizes=sizes,
            strides=strides,
            unknown=unknown,
        )

    def pad(self):
        x = self.pick(lambda v: v.shape and np.prod(v.shape) <= 1024)
        low, high = ([self.integer(0, 2) for _ in x.shape] for _ in range(2))
        shape = [a + b + c for a, b, c in zip(low, x.shape, high)]
        self.make("pad", [x], x.element, shape, x.dynamic, low=low, high=high, value=self.among([0, 1]))

    def concat(self):
        x = self.pick(lambda v: v.shape and np.prod(v.shape) <= 1024)
        axis = self.integer(0, len(x.shape) - 1)
        operands = [x]
        for _ in range(self.integer(1, 2)):
            shape = list(x.shape)
            shape[axis] = self.among(SIZES[:6])
            operands.append(self.like(Value("", x.element, tuple(shape), x.dynamic)))
        shape = list(x.shape)
        shape[axis] = sum(v.shape[axis] for v in operands)
        self.make("concat", operands, x.element, shape, x.dynamic, axis=axis)

    def recast(self):
        x = self.pick(lambda v: v.shape)
        self.cast(x, self.mask(len(x.shape)))

    def expand(self):
        x = self.pick(lambda v: v.shape and len(v.shape) <= 3)
        groups, shape, dynamic = [], [], []
        for size, unknown in zip(x.shape, x.dynamic):
            factors = [1] if size == 0 else [f for f in (1, 2, 3, 4, 8) if size % f == 0]
            parts = [size] if self.chance(0.4) else [size // (f := self.among(factors)), f]
            groups.append(list(range(len(shape), len(shape) + len(parts))))
            shape += parts
            dynamic += [unknown] + [False] * (len(parts) - 1)
        self.make("expand", [x], x.element, shape, dynamic, groups=groups)

    def collapse(self):
        x = self.pick(lambda v: len(v.shape) >= 2)
        groups, at = [], 0
        while at < len(x.shape):
            count = self.integer(1, min(3, len(x.shape) - at))
            groups.append(list(range(at, at + count)))
            at += count
        shape = [int(np.prod([x.shape[i] for i in group])) for group in groups]
        self.make(
            "collapse", [x], x.element, shape, [any(x.dynamic[i] for i in group) for group in groups], groups=groups
        )

    def reshape(self):
        x = self.pick(lambda v: 0 not in v.shape)
        total, shape = int(np.prod(x.shape)), []
        for _ in range(self.integer(0, 2)):
            factor = self.among([f for f in (1, 2, 3, 4, 5, 8) if total % f == 0])
            shape.append(factor)
            total //= factor
        shape.append(total)
        self.make("reshape", [x], x.element, shape, (self.chance(0.5),) * len(shape))

    def indices(self, shape, dims, count=None):
        """Indices into the dimensions of a shape. They are all different if a count is given."""
        element = self.among(["i32", "i64", "index"])
        limits = [shape[d] for d in dims]
        if 0 in limits:
            raise Invalid()
        if count is None:
            batch = self.shape(self.integer(0, 2), 32)
            data = np.stack([self.random.integers(0, limit, batch) for limit in limits], axis=-1)
        else:
            flat = self.random.permutation(int(np.prod(limits)))[:count]
            data = np.stack(np.unravel_index(flat, limits), axis=-1)
        data = data.astype(get_dtype(element))
        dynamic = tuple(self.chance(0.3) for _ in data.shape[:-1]) + (False,)
        return self.argument(element, data.shape, data, dynamic)

    def gather(self):
        x = self.pick(lambda v: v.shape)
        dims = sorted(self.random.permutation(len(x.shape))[: self.integer(1, min(2, len(x.shape)))].tolist())
        indices = self.indices(x.shape, dims)
        shape, dynamic = list(indices.shape[:-1]), list(indices.dynamic[:-1])
        reduced = self.chance(0.5)
        for d in range(len(x.shape)):
            if d not in dims:
                shape.append(x.shape[d])
                dynamic.append(x.dynamic[d])
            elif not reduced:
                shape.append(1)
                dynamic.append(False)
        if np.prod(shape) > LARGEST:
            raise Invalid()
        self.make("gather", [x, indices], x.element, shape, dynamic, dims=dims)

    def scatter(self):
        dest = self.pick(lambda v: v.shape and 0 not in v.shape)
        dims = sorted(self.random.permutation(len(dest.shape))[: self.integer(1, min(2, len(dest.shape)))].tolist())
        count = self.integer(1, min(4, int(np.prod([dest.shape[d] for d in dims]))))
        indices = self.indices(dest.shape, dims, count)
        shape = list(indices.shape[:-1]) + [1 if d in dims else size for d, size in enumerate(dest.shape)]
        dynamic = list(indices.dynamic[:-1]) + [d not in dims and u for d, u in enumerate(dest.dynamic)]
        x = self.like(Value("", dest.element, tuple(shape), tuple(dynamic)))
        self.make("scatter", [x, dest, indices], dest.element, dest.shape, dest.dynamic, dims=dims)

    def generate(self):
        shape = self.shape(self.integer(1, 3), 512)
        element = self.among(["index", "i32", "i64"])
        self.make("generate", [], element, shape, self.mask(len(shape)), factors=[self.integer(0, 9) for _ in shape])

    def splat(self):
        shape = self.shape(None, 512)
        element = self.among(ELEMENTS)
        self.make(
            "splat", [], element, shape, self.mask(len(shape)), value=1 if element == "i1" else self.integer(-3, 3)
        )

    def elements(self):
        x = self.pick(lambda v: 0 not in v.shape and v.element != "i4")
        where, into = ([self.integer(0, size - 1) for size in x.shape] for _ in range(2))
        self.make("elements", [x], x.element, x.shape, x.dynamic, where=where, into=into)

    # Regions.

    def inside(self, arguments, start, wanted):
        """Chooses the nodes of a region that starts with values for its arguments, and yields one like each wanted."""
        outer = self.values, self.nodes
        self.values, self.nodes = [*self.values, *arguments], []
        self.interpreter.values.update(zip(arguments, start))
        self.depth += 1
        for _ in range(self.integer(0, 2)):
            self.attempt([self.arith, self.arith, self.generic, self.slice])
        body, yields = self.nodes, []
        for value, argument in zip(wanted, arguments or wanted):
            x = self.like(argument)
            op = "addf" if is_float(value.element) else "xori"
            yields.append(self.make("arith", [argument, x], value.element, value.shape, value.dynamic, op=op))
        self.depth -= 1
        self.values, self.nodes = outer
        return body, yields

    def loop(self):
        if self.depth:
            raise Invalid()
        inits = [
            self.pick(lambda v: v.element in ("f32", "f64", "i32", "i8", "i64")) for _ in range(self.integer(1, 2))
        ]
        # Later iterations may round differently.
        inner = [self.value(v.element, v.shape, v.dynamic, is_float(v.element)) for v in inits]
        body, yields = self.inside(inner, [self.interpreter.values[v] for v in inits], inits)
        results = [self.value(v.element, v.shape, v.dynamic, is_float(v.element)) for v in inits]
        attributes = {"trips": self.integer(0, 3), "arguments": inner, "body": body, "yields": yields}
        kind = self.among(["for", "for", "while"])
        if kind == "for":
            attributes["unknown"] = self.chance(0.5)
        self.add(Node(kind, inits, results, attributes))

    def branch(self):
        if self.depth:
            raise Invalid()
        condition = self.pick(lambda v: 0 not in v.shape, element="i1")
        wanted = [self.pick(lambda v: v.element in ("f32", "f64", "i32", "i8", "i64"))]
        then = self.inside([], [], wanted)
        otherwise = self.inside([], [], wanted) if self.chance(0.6) else ([], wanted)
        inexact = any(v.inexact for v in then[1] + otherwise[1])
        results = [self.value(v.element, v.shape, v.dynamic, inexact) for v in wanted]
        attributes = {"where": [self.integer(0, size - 1) for size in condition.shape]}
        attributes.update(then=then[0], then_yields=then[1], otherwise=otherwise[0], otherwise_yields=otherwise[1])
        self.add(Node("if", [condition], results, attributes))

    def call(self):
        if self.depth:
            raise Invalid()
        inits = [
            self.pick(lambda v: v.element in ("f32", "f64", "i32", "i8", "i64")) for _ in range(self.integer(1, 2))
        ]
        inner = [self.value(v.element, v.shape, v.dynamic, v.inexact) for v in inits]
        outer, self.values = self.values, []
        body, yields = self.inside(inner, [self.interpreter.values[v] for v in inits], inits)
        self.values = outer
        results = [self.value(v.element, v.shape, v.dynamic, y.inexact) for v, y in zip(inits, yields)]
        attributes = {"name": f"{self.graph.name}_f{self.count}", "parameters": inner, "body": body, "yields": yields}
        self.add(Node("call", inits, results, attributes))

    def attempt(self, kinds):
        """Adds a node of one of the kinds; one that is not valid leaves the graph as it was."""
        before = len(self.values), len(self.nodes), len(self.graph.arguments), self.depth
        values, nodes = self.values, self.nodes
        try:
            self.among(kinds)()
        except Invalid:
            self.values, self.nodes, self.depth = values, nodes, before[3]
            del self.values[before[0] :], self.nodes[before[1] :], self.graph.arguments[before[2] :]

    def choose(self):
        kinds = (
            [self.arith] * 8 + [self.generic] * 6 + [self.argmax, self.contraction, self.contraction, self.convolution]
        )
        kinds += [self.pool, self.transpose, self.broadcast, self.reduction, self.reduction, self.softmax, self.pack]
        kinds += [self.slice, self.slice, self.insert, self.pad, self.concat, self.recast, self.expand, self.collapse]
        kinds += [
            self.reshape,
            self.gather,
            self.scatter,
            self.generate,
            self.splat,
            self.elements,
            self.loop,
            self.branch,
        ]
        kinds += [self.call]
        wanted = self.integer(2, 12)
        while len(self.graph.nodes) < wanted:
            self.attempt(kinds)
        used = {id(v) for node in self.graph.nodes for v in node.operands}
        results = [v for v in self.values if v.element != "i4"]
        unused = [v for v in results if id(v) not in used]
        self.graph.results = list(
            dict.fromkeys([*unused[-5:], *([self.among(results)] if self.chance(0.3) else []), results[-1]])
        )
        return self.graph, self.interpreter


def choose_graph(seed):
    """A graph, and the interpreter that has computed it."""
    with np.errstate(all="ignore"):
        return Chooser(seed, f"graph{seed}").choose()
