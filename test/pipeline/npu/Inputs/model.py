"""What a host program transfers: loops, transfers in them, and the elements that go through each channel."""

import collections
import dataclasses
import itertools

# An index: a constant and a coefficient for each enclosing loop, outermost first (missing ones are 0).
Linear = collections.namedtuple("Linear", "constant coefficients")


def constant(value):
    return Linear(value, ())


def evaluate(index, variables):
    return index.constant + sum(c * v for c, v in zip(index.coefficients, variables))


@dataclasses.dataclass
class Loop:
    lower: int
    step: int
    trips: int
    body: list
    kind: str = "scf"  # scf, affine or parallel
    carried: bool = False  # whether it carries a token


@dataclasses.dataclass
class Transfer:
    channel: str
    put: bool
    memref: str
    indices: list  # of the channel, each a Linear
    offsets: list  # each a Linear; empty with empty sizes: the whole memref
    sizes: list
    strides: list
    is_async: bool = False
    spelling: str = "affine"  # how offsets are computed: affine or arith


@dataclasses.dataclass
class Function:
    name: str
    memrefs: dict  # name -> (shape, element type)
    channels: dict  # name -> size of its array, 0 for a single channel
    body: list
    launch: list = dataclasses.field(default_factory=list)  # the sizes of a launch around the body


def walk(offsets, sizes, strides):
    """The addresses of a descriptor, in order."""
    result = []
    base = sum(o * s for o, s in zip(offsets, strides))
    for coordinates in itertools.product(*map(range, sizes[:-1])):
        start = base + sum(c * s for c, s in zip(coordinates, strides))
        if strides[-1]:
            result += range(start, start + sizes[-1] * strides[-1], strides[-1])
        else:
            result += [start] * sizes[-1]
    return result


def get_last(offsets, sizes, strides):
    """The last address of a descriptor."""
    return sum((o + n - 1) * s for o, n, s in zip(offsets, sizes, strides))


def row_major(shape):
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


def describe(transfer, shape, variables):
    """The offsets, sizes and strides of a transfer, as numbers."""
    if not transfer.sizes:
        return [0] * len(shape), list(shape), row_major(shape)
    return [[evaluate(i, variables) for i in part] for part in (transfer.offsets, transfer.sizes, transfer.strides)]


def executions(function):
    """Each execution of a transfer: the transfer, the element of its channel, and its offsets, sizes and strides."""

    def run(body, variables):
        for item in body:
            if isinstance(item, Loop):
                for i in range(item.trips):
                    yield from run(item.body, variables + [item.lower + i * item.step])
                continue
            shape, _ = function.memrefs[item.memref]
            element = tuple(evaluate(i, variables) for i in item.indices)
            yield item, element, describe(item, shape, variables)

    for point in itertools.product(*map(range, function.launch)):
        yield from run(function.body, list(point))


def streams(function):
    """For each element of a channel and each direction, the addresses of what goes through it."""
    result = collections.defaultdict(list)
    for item, element, lists in executions(function):
        result[item.channel, element, item.put] += walk(*lists)
    return {key: stream for key, stream in result.items() if stream}
