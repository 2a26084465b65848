"""Computes random tensor graphs with numpy, with a bound of the error that another order of additions may cause."""

import math

import numpy as np

from elements import epsilon, get_dtype, get_width, is_float, is_valid, round_to, tiny


class Invalid(Exception):
    """The node has no defined result, or one that is too large."""


class Number:
    """The data of a value, and a bound of its error: an array, or None if it is exact."""

    def __init__(self, data, error=None):
        self.data, self.error = data, error

    def bound(self):
        return np.zeros(self.data.shape) if self.error is None else self.error

    def apply(self, function):
        """Applies a function that moves elements."""
        return Number(function(self.data), None if self.error is None else function(self.error))


_erf = np.vectorize(math.erf, otypes=[np.float64])
# The functions and bounds of their derivatives near x.
MATH = {
    "exp": (np.exp, lambda x, e: np.exp(x + e)),
    "tanh": (np.tanh, lambda x, e: 1.0),
    "sin": (np.sin, lambda x, e: 1.0),
    "cos": (np.cos, lambda x, e: 1.0),
    "erf": (_erf, lambda x, e: 1.2),
    "sqrt": (np.sqrt, None),
    "atan": (np.arctan, lambda x, e: 1.0),
    "log1p": (np.log1p, None),
}
ROUNDING = {
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "roundeven": np.rint,
    "round": lambda x: np.trunc(x) + np.copysign(np.abs(x - np.trunc(x)) >= 0.5, x).astype(x.dtype),
}


def unsigned(x, element):
    width = get_width(element)
    return x.astype(np.int64).astype(np.uint64) & np.uint64((1 << width) - 1)


def _require(condition):
    if not np.all(condition):
        raise Invalid()


def _divide(op, x, y, element):
    _require(y != 0)
    if op in ("divui", "remui"):
        a, b = unsigned(x, element), unsigned(y, element)
        return (a // b if op == "divui" else a % b).astype(np.int64)
    shape = x.shape
    x, y = x.reshape(-1).astype(object), y.reshape(-1).astype(object)
    low = -(1 << (get_width(element) - 1))
    _require(~((x == low) & (y == -1)))
    if op == "floordivsi":
        return (x // y).reshape(shape)
    if op == "ceildivsi":
        return (-(-x // y)).reshape(shape)
    quotient = np.where((x < 0) != (y < 0), -(abs(x) // abs(y)), abs(x) // abs(y)) if x.size else x
    return (quotient if op == "divsi" else x - quotient * y).reshape(shape)


def _integer_binary(op, x, y, element):
    if op in ("addi", "subi", "muli"):
        a, b = x.astype(np.int64), y.astype(np.int64)
        return a + b if op == "addi" else a - b if op == "subi" else a * b
    if op in ("andi", "ori", "xori"):
        return {"andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor}[op](x, y)
    if op in ("maxsi", "minsi"):
        sign = -1 if element == "i1" else 1
        a, b = sign * x.astype(np.int64), sign * y.astype(np.int64)
        return sign * (np.maximum(a, b) if op == "maxsi" else np.minimum(a, b))
    if op in ("maxui", "minui"):
        a, b = unsigned(x, element), unsigned(y, element)
        return (np.maximum(a, b) if op == "maxui" else np.minimum(a, b)).astype(np.int64)
    if op in ("shli", "shrsi", "shrui"):
        amount = y.astype(np.int64)
        _require((amount >= 0) & (amount < get_width(element)))
        if op == "shli":
            return x.astype(np.int64) << amount
        if op == "shrsi":
            return x.astype(np.int64) >> amount
        return (unsigned(x, element) >> amount.astype(np.uint64)).astype(np.int64)
    return _divide(op, x, y, element)


def _float_binary(op, a, b, element):
    x, y = a.data, b.data
    if op == "divf":
        _require(np.abs(y) > 0.05)
        _require(b.bound() < 0.01)
    functions = {
        "addf": np.add,
        "subf": np.subtract,
        "mulf": np.multiply,
        "divf": np.divide,
        "maximumf": np.maximum,
        "minimumf": np.minimum,
        "maxnumf": np.maximum,
        "minnumf": np.minimum,
    }
    result = round_to(functions[op](x, y), element)
    if a.error is None and b.error is None and op != "divf":
        return Number(result)
    ea, eb = a.bound(), b.bound()
    x, y, rounding = np.abs(x).astype(np.float64), np.abs(y).astype(np.float64), epsilon(element) * 2
    if op in ("addf", "subf"):
        error = ea + eb
    elif op == "mulf":
        error = x * eb + y * ea + ea * eb
    elif op == "divf":
        error, rounding = (ea + np.abs(x / np.where(y == 0, 1, y)) * eb) / np.maximum(y - eb, 0.01), rounding * 3
    else:
        return Number(result, np.maximum(ea, eb))
    return Number(result, error + rounding * np.abs(result).astype(np.float64) + tiny(element))


def _math(op, a, element):
    function, slope = MATH[op]
    x = a.data.astype(np.float64)
    if op in ("sqrt", "log1p"):
        _require(x - a.bound() >= (0.05 if op == "sqrt" else -0.9))
        derivative = 10.0
    else:
        _require(np.abs(x) < 30)
        derivative = slope(x, a.bound())
    result = round_to(function(x), element)
    relative = 2 * epsilon(element) + (32 * epsilon("f32") if element != "f64" else 64 * epsilon("f64"))
    error = derivative * a.bound() + relative * np.maximum(np.abs(result), 1 if op != "sqrt" else 0).astype(np.float64)
    return Number(result, error + tiny(element))


def compute(op, operands, element, source=None):
    """The result of a scalar op on arrays. `element` is the type of the result, `source` that of the operands."""
    source = source or element
    data = [operand.data for operand in operands]
    if op in ("cmpi", "cmpf") or op.startswith(("cmpi ", "cmpf ")):
        predicate = op.split()[1]
        x, y = data
        if predicate.startswith("u") and op.startswith("cmpi"):
            x, y = unsigned(x, source), unsigned(y, source)
        elif source == "i1":
            x, y = -x.astype(np.int64), -y.astype(np.int64)
        name = {
            "lt": np.less,
            "le": np.less_equal,
            "gt": np.greater,
            "ge": np.greater_equal,
            "eq": np.equal,
            "ne": np.not_equal,
        }
        return Number(name[predicate[-2:]](x, y))
    if op == "select":
        error = None
        if operands[1].error is not None or operands[2].error is not None:
            error = np.where(data[0], operands[1].bound(), operands[2].bound())
        return Number(np.where(*data), error)
    if op in ("negf", "absf"):
        return Number(np.negative(data[0]) if op == "negf" else np.abs(data[0]), operands[0].error)
    if op in MATH:
        return _math(op, operands[0], element)
    if op in ROUNDING:
        return Number(round_to(ROUNDING[op](data[0]), element))
    if op in ("extf", "truncf"):
        result = round_to(data[0], element)
        if operands[0].error is None:
            return Number(result)
        rounding = epsilon(element) * 2 * np.abs(result).astype(np.float64) + tiny(element)
        return Number(result, operands[0].error + (rounding if op == "truncf" else 0))
    if op in ("sitofp", "uitofp"):
        x = data[0].astype(np.int64)
        if op == "uitofp":
            x = unsigned(data[0], source)
        elif source == "i1":
            x = -x
        if element in ("f64", "f32"):
            return Number(x.astype(get_dtype(element)))
        _require(np.abs(x.astype(np.float64)) < 1 << 24)
        return Number(round_to(x.astype(np.float64), element))
    if op in ("fptosi", "fptoui"):
        limit = 1 << (get_width(element) - (op == "fptosi"))
        x = np.trunc(data[0].astype(np.float64))
        _require((x < limit) & (x >= (-limit if op == "fptosi" else 0)) & (np.abs(x) < 2**53))
        return Number(round_to(x.astype(np.int64), element))
    if op in ("extsi", "trunci", "index_cast"):
        x = data[0].astype(np.int64)
        return Number(round_to(-x if source == "i1" and op == "extsi" else x, element))
    if op == "extui":
        return Number(round_to(unsigned(data[0], source).astype(np.int64), element))
    if is_float(element):
        return _float_binary(op, *operands, element)
    return Number(round_to(_integer_binary(op, *data, element), element))


def add_up(number, axes, element):
    """Sums over axes, in any order."""
    count = int(np.prod([number.data.shape[axis] for axis in axes]))
    total = number.data.astype(np.float64).sum(axis=axes)
    if not is_float(element):
        return Number(round_to(number.data.astype(np.int64).sum(axis=axes), element))
    magnitude = np.abs(number.data).astype(np.float64).sum(axis=axes)
    error = (count + 2) * 2 * epsilon(element) * magnitude + number.bound().sum(axis=axes) + tiny(element)
    return Number(round_to(total, element), error)


def reduce(op, number, axes, init, element):
    """Reduces over axes, and combines with `init`."""
    if op in ("addf", "addi"):
        total = add_up(number, axes, element)
        result = compute(op, [total, init], element)
        if is_float(element):
            error = total.error + init.bound() + 4 * epsilon(element) * (np.abs(init.data).astype(np.float64))
            result = Number(result.data, error + 4 * epsilon(element) * np.abs(result.data).astype(np.float64))
        return result
    result = init
    flat = np.moveaxis(number.data, axes, range(len(axes)))
    flat = flat.reshape((-1, *flat.shape[len(axes) :])) if flat.size else np.empty((0, *init.data.shape), flat.dtype)
    bounds = np.moveaxis(number.bound(), axes, range(len(axes)))
    bounds = bounds.reshape(flat.shape) if flat.size else flat
    for row, bound in zip(flat, bounds):
        result = compute(op, [result, Number(row, None if number.error is None else bound)], element)
    return result


def spread(number, loops, sizes):
    """An operand of a generic op at all points of the iteration space; each dimension has a loop, or None."""

    def move(array):
        for axis in reversed(range(len(loops))):
            if loops[axis] is None:
                array = array.take(0, axis)
        used = [loop for loop in loops if loop is not None]
        order = sorted(range(len(used)), key=lambda i: used[i])
        array = array.transpose(order)
        shape = [1] * len(sizes)
        for position in order:
            shape[used[position]] = sizes[used[position]]
        return np.broadcast_to(array.reshape(shape), sizes)

    return number.apply(move)


def run_body(body, inputs, sizes):
    """Evaluates the scalar ops of a generic op. An input i is ("in", i), the result of op i is ("op", i)."""
    values = []
    for op, operands, element, source in body:
        given = []
        for kind, index in operands:
            if kind == "in":
                given.append(inputs[index])
            elif kind == "op":
                given.append(values[index])
            else:
                shape = [1] * len(sizes)
                shape[index] = sizes[index]
                given.append(Number(np.broadcast_to(np.arange(sizes[index]).reshape(shape), sizes)))
        values.append(compute(op, given, element, source))
    return values


def check(number, element):
    _require(is_valid(number.data, element))
    _require(np.isfinite(number.bound()))
    return number
