"""The structure of random AIR programs.

A program is a function of an input and an output buffer. Its body, inside of some `Wrapper`, is a list of parts:

- `Pipeline`: actors that streams connect. A stream is a channel with a tile size and a number of messages for each of
  its elements. Each actor takes a tile of each of its inputs, computes, and passes a tile to each of its outputs, as
  often as there are messages; the graph has no cycles. So the program terminates with any order of its threads and
  any depth.
- `Stages`: steps on L2 buffers, in program order: transfers, herds, loops.

Every part writes its own range of the output. emission.py writes the text; the interpreter computes the results.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Work:
    """The computation for an element `v`: v * scale + add + id * weight, then the operation `kind` with the other
    element."""

    scale: int
    add: int
    weight: int
    combine: str  # add, sub, max: how elements of two inputs become one
    form: str  # loop, affine, generic, vector, parallel


@dataclass
class Stream:
    name: str
    space: list  # the points at the consumer, as in the array of channels
    tile: int  # elements of a message
    messages: int
    broadcast: bool = False  # one put for all points along the first dimension
    depth: int = 0  # 0: not written
    type: str = ""
    split: int = 1  # each message is got in this number of parts

    @property
    def sizes(self):
        return [1] + self.space[1:] if self.broadcast else self.space

    @property
    def elements(self):
        """The number of channel elements that messages are put to."""
        return math.prod(self.sizes)

    @property
    def total(self):
        """Elements of memory that are put."""
        return self.elements * self.tile * self.messages


@dataclass
class Source:
    """Puts from memory."""

    stream: Stream
    start: int  # the first element of the input
    form: str  # for, unrolled, parallel, whole
    level: str  # launch, segment
    through_l2: bool = False
    transposed: int = 0  # columns of a transposed pattern of a tile; 0: contiguous
    is_async: bool = False


@dataclass
class Sink:
    """Gets into memory."""

    stream: Stream
    start: int  # the first element of the output
    form: str
    level: str
    through_l2: bool = False
    is_async: bool = False


@dataclass
class Relay:
    """Segment code that passes messages on through an L2 buffer."""

    input: Stream
    output: Stream
    alloc_inside: bool


@dataclass
class HerdActor:
    """A herd whose points take tiles, compute, and pass tiles on."""

    space: list
    inputs: list
    outputs: list
    work: Work
    loop: str  # for, unrolled, nested, affine
    load: int = -1  # without inputs: the first element of the input that it loads by DMA
    store: int = -1  # without outputs: where it stores by DMA
    tile: int = 0
    messages: int = 0
    is_async: bool = False
    branch: bool = False  # the points choose by their id between two equal paths


@dataclass
class Cascade:
    """A herd whose points pass sums on to their neighbors."""

    count: int
    tile: int
    messages: int
    channel: str
    load: int
    store: int
    work: Work


@dataclass
class Pipeline:
    actors: list
    streams: list


@dataclass
class Buffer:
    name: str
    shape: list

    @property
    def numel(self):
        return math.prod(self.shape)


@dataclass
class LoadStep:
    buffer: Buffer
    start: int


@dataclass
class StoreStep:
    buffer: Buffer
    start: int


@dataclass
class HerdStep:
    """A herd on L2 buffers: each point works on its part of `target`, from the same part of `source`."""

    space: list
    source: Buffer
    target: Buffer
    work: Work
    through_l1: bool
    is_async: bool = False


@dataclass
class MoveStep:
    """A transfer between L2 buffers: rows and columns are swapped."""

    source: Buffer
    target: Buffer
    rows: int
    columns: int


@dataclass
class CodeStep:
    """Segment code: linalg on an L2 buffer."""

    buffer: Buffer
    value: int
    kind: str  # fill, generic


@dataclass
class LoopStep:
    count: int
    body: list


@dataclass
class Stages:
    buffers: list
    steps: list
    use_tokens: bool


@dataclass
class Wrapper:
    """The code around the body: `points` are the iterations that run it, each on its own part of the buffers."""

    form: str  # launch, launch-segment, segment, function, parallel, affine-parallel, for
    points: int
    executes: bool = False  # allocations are in air.execute


@dataclass
class Program:
    name: str
    seed: int
    elem: str
    wrapper: Wrapper
    parts: list = field(default_factory=list)
    input: int = 0  # elements of the input and output for each point
    output: int = 0
    deadlock: bool = False  # planned: must not compile
