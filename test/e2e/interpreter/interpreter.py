"""An interpreter of AIR programs, by the definition of the dialect.

Launches, segments, herds, DMAs, channels and tokens run as cooperative threads on the host (scheduler.py); compute.py
and memory.py execute the other ops. The only input from the compiler is the program in generic form.

- A point of a herd is a thread. Ops with tokens run in threads of their own, after the tokens that they depend on.
- Statements of a launch or segment run in order, except that statements connected by a channel run concurrently
  unless they share a buffer in L1 or L2 or the same end of a channel.
- A channel has a queue of elements for each receiver: four gets of 16 elements may receive a put of 64. A queue holds
  any number of elements, except that `depth` limits the messages of a channel with both ends in herds.
"""

import itertools
from collections import deque

from compute import OPS
from generic_text import parse
from memory import PerPe, Side
from scheduler import Scheduler, Token

DYNAMIC = -(1 << 63)
ACCESSES = ("air.channel.put", "air.channel.get")


class Queue:
    """The elements that one getter has not taken yet."""

    def __init__(self):
        self.elements, self.messages, self.waiters = deque(), deque(), []

    def put(self, values):
        self.elements.extend(values)
        self.messages.append(len(values))

    def take(self, count):
        out = [self.elements.popleft() for _ in range(count)]
        while count:
            n = min(count, self.messages[0])
            self.messages[0] -= n
            count -= n
            if not self.messages[0]:
                self.messages.popleft()
        return out


class Channel:
    """A declared channel: its shape, and how many messages may be in flight (None: any number)."""

    def __init__(self, op):
        self.sizes = op.attributes.get("size", [])
        self.targets = op.attributes.get("broadcast_shape", self.sizes)
        self.depth = op.attributes.get("depth", 1)

    def getters(self, index):
        """The indices of the receivers of what is put at `index`."""
        if self.targets == self.sizes:
            return [tuple(index)]
        missing = len(self.targets) - len(self.sizes)
        ranges = []
        for d, n in enumerate(self.targets):
            own = d - missing
            all_of = own < 0 or self.sizes[own] == 1
            ranges.append(range(n) if all_of else [index[own]])
        return list(itertools.product(*ranges))


class Statement:
    """A statement, as a node of the graph of a block's statements, which channels connect."""

    def __init__(self, op, component):
        self.component, self.ends, self.buffers = component, set(), set()
        for inner in walk(op):
            if inner.name in ACCESSES:
                self.ends.add((inner.name, inner.attributes["chan_name"]))
        for inner in walk(op, isolated=False):
            types = zip(inner.operands, inner.operand_types)
            self.buffers |= {name for name, type in types if type.kind == "memref" and type.space}

    def follows(self, earlier):
        """Whether this one waits for an earlier one: they are not connected, or share a buffer on the chip or the same
        end of a channel."""
        return (
            self.component != earlier.component
            or not self.ends.isdisjoint(earlier.ends)
            or not self.buffers.isdisjoint(earlier.buffers)
        )


class Context:
    """Where code runs: the herd's point, if any, and the queues of the launch."""

    def __init__(self, machine, queues, pe=None):
        self.machine, self.queues, self.pe, self.point = machine, queues, pe, None

    @property
    def in_herd(self):
        return self.pe is not None

    def run_simple(self, block, arguments):
        """Runs a block of computing ops and returns what its terminator yields."""
        env = dict(self.outer, **dict(zip(block.arguments, arguments)))
        for op in block.ops[:-1]:
            self.machine.compute(self, op, env)
        return [env[v] for v in block.ops[-1].operands]

    outer = {}


def walk(op, isolated=True):
    """The op and all ops in it; those in launches, segments and herds only if `isolated`."""
    yield op
    if not isolated and op.name in ("air.launch", "air.segment", "air.herd"):
        return
    for region in op.regions:
        for block in region:
            for inner in block.ops:
                yield from walk(inner, isolated)


def is_token(op):
    return bool(op.result_types) and op.result_types[0].kind == "token"


class Machine:
    """A module, and the threads that run it. With `rng`, threads run in random order."""

    def __init__(self, text, rng=None):
        self.functions, self.channels, self.rng, self.cached = {}, {}, rng, {}
        module = parse(text)
        for op in module.regions[0][0].ops:
            if op.name == "func.func":
                self.functions[op.attributes["sym_name"]] = op
            elif op.name == "air.channel":
                self.channels[op.attributes["sym_name"]] = Channel(op)
        self.find_bounded()

    def find_bounded(self):
        """Only channels with both ends in herds are bounded."""
        outside = set()

        def visit(op, in_herd):
            if op.name in ACCESSES and not in_herd:
                outside.add(op.attributes["chan_name"])
            for region in op.regions:
                for block in region:
                    for inner in block.ops:
                        visit(inner, in_herd or op.name == "air.herd")

        for function in self.functions.values():
            visit(function, False)
        for name in outside & self.channels.keys():
            self.channels[name].depth = None

    def call(self, name, arguments):
        """Runs a function on the host; raises Deadlock if it does not end."""
        self.scheduler = Scheduler(self.rng)
        function = self.functions[name]
        context = Context(self, {})
        self.scheduler.run(self.block(context, function.regions[0][0], {}, arguments, memory_level=True))

    # Blocks.

    def compute(self, context, op, env):
        operands = [env[v] for v in op.operands]
        if op.regions:
            context.outer = env
        results = OPS[op.name](context, op, operands)
        env.update(zip(op.results, results))

    def block(self, context, block, env, arguments, memory_level):
        """Runs a block; a generator that returns the operands of the terminator."""
        env.update(zip(block.arguments, arguments))
        components = self.components(block) if memory_level else {}
        running = []
        for op in block.ops:
            if op.name in TERMINATORS:
                yield from self.scheduler.wait([token for token, _ in running])
                return [env[v] for v in op.operands]
            statement = components.get(id(op))
            if running and (statement or not is_pure(op)):
                yield from self.scheduler.wait([t for t, s in running if not statement or statement.follows(s)])
            if statement and not op.results:
                thread = self.control(context, op, dict(env), memory_level)
                running.append((self.scheduler.spawn(thread, op.name), statement))
            elif op.name in OPS:
                self.compute(context, op, env)
            else:
                yield from self.control(context, op, env, memory_level)
        yield from self.scheduler.wait([token for token, _ in running])
        return []

    def components(self, block):
        """The statements of a block that channels connect to others."""
        key = id(block)
        if key not in self.cached:
            self.cached[key] = self.find_components(block)
        return self.cached[key]

    def find_components(self, block):
        ends = {}
        for op in block.ops:
            for inner in walk(op):
                if inner.name in ACCESSES:
                    put = inner.name.endswith("put")
                    ends.setdefault(inner.attributes["chan_name"], ({}, {}))[put][id(op)] = op
        parent = {}

        def find(x):
            while parent.get(x, x) != x:
                x = parent[x]
            return x

        for gets, puts in ends.values():
            if not gets or not puts or set(gets) == set(puts) and len(gets) == 1:
                continue
            first, *rest = list(gets) + list(puts)
            for other in rest:
                parent[find(other)] = find(first)
            parent.setdefault(find(first), find(first))
        return {
            id(op): Statement(op, find(id(op))) for op in block.ops if id(op) in parent or id(op) in parent.values()
        }

    # Ops that may wait.

    def control(self, context, op, env, memory_level):
        """Runs an op that can wait."""
        if op.name.startswith(("scf.", "affine.")):
            yield from getattr(self, op.name.replace(".", "_"))(context, op, env, memory_level)
        elif op.name == "func.call":
            function = self.functions[op.attributes["callee"]]
            arguments = [env[v] for v in op.operands]
            results = yield from self.block(context, function.regions[0][0], {}, arguments, memory_level)
            env.update(zip(op.results, results))
        elif op.name == "air.wait_all":
            tokens = [env[v] for v in op.operands]
            if op.results:
                env[op.results[0]] = self.scheduler.spawn(self.scheduler.wait(tokens), op.name)
            else:
                yield from self.scheduler.wait(tokens)
        elif op.name == "air.execute":
            yield from self.execute(context, op, env, memory_level)
        else:
            start = {
                "air.launch": self.launch,
                "air.segment": self.segment,
                "air.herd": self.herd,
                "air.dma_memcpy_nd": self.dma,
                "air.channel.put": self.put,
                "air.channel.get": self.get,
            }
            yield from self.asynchronous(op, env, start[op.name](context, op, env))

    def asynchronous(self, op, env, work):
        """Runs `work` after the dependencies of `op`: here, or in a thread if the op has a token."""
        tokens = [env[v] for v in op.segments()[0]]

        def thread():
            yield from self.scheduler.wait(tokens)
            yield from work

        if is_token(op):
            env[op.results[0]] = self.scheduler.spawn(thread(), op.name)
        else:
            yield from thread()

    def execute(self, context, op, env, memory_level):
        tokens = [env[v] for v in op.operands]
        if len(op.results) > 1:
            yield from self.scheduler.wait(tokens)
            results = yield from self.block(context, op.regions[0][0], env, [], memory_level)
            env.update(zip(op.results[1:], results))
            env[op.results[0]] = Token(done=True)
            return
        own = dict(env)

        def thread():
            yield from self.scheduler.wait(tokens)
            yield from self.block(context, op.regions[0][0], own, [], memory_level)

        env[op.results[0]] = self.scheduler.spawn(thread(), op.name)

    # The hierarchy.

    def points(self, sizes):
        points = list(itertools.product(*(range(n) for n in sizes)))
        if self.rng:
            self.rng.shuffle(points)
        return points

    def spaces(self, op, env):
        _, sizes, operands = op.segments()
        return [env[v] for v in sizes], [env[v] for v in operands]

    def launch(self, context, op, env):
        sizes, operands = self.spaces(op, env)

        def run():
            points = self.points(sizes)
            for point in points:
                # A launch of one point shares channels with the code around it.
                inner = context if len(points) == 1 else Context(self, {})
                arguments = list(point) + sizes + operands
                yield from self.block(inner, op.regions[0][0], {}, arguments, memory_level=True)

        return run()

    def segment(self, context, op, env):
        sizes, operands = self.spaces(op, env)

        def run():
            block = op.regions[0][0]
            yield from self.scheduler.wait(
                [
                    self.scheduler.spawn(
                        self.block(context, block, {}, list(point) + sizes + operands, memory_level=True), op.name
                    )
                    for point in self.points(sizes)
                ]
            )

        return run()

    def herd(self, context, op, env):
        sizes, operands = self.spaces(op, env)

        def run():
            tokens = []
            for point in self.points(sizes):
                own = [v.of(point) if isinstance(v, PerPe) else v for v in operands]
                inner = Context(self, context.queues, point)
                body = self.block(inner, op.regions[0][0], {}, list(point) + sizes + own, memory_level=False)
                tokens.append(self.scheduler.spawn(body, op.name))
            yield from self.scheduler.wait(tokens)

        return run()

    # Transfers.

    def side(self, op, env, name, segments):
        memref, offsets, sizes, strides = segments
        attributes = op.attributes

        def values(kind, names):
            dynamic = iter([env[v] for v in names])
            return [next(dynamic) if n == DYNAMIC else n for n in attributes[f"static_{name}_{kind}"]]

        return Side(env[memref[0]], values("offsets", offsets), values("sizes", sizes), values("strides", strides))

    def dma(self, context, op, env):
        segments = op.segments()
        target = self.side(op, env, "dst", segments[1:5])
        source = self.side(op, env, "src", segments[5:9])
        before, after = op.attributes.get("pad_before"), op.attributes.get("pad_after")

        def run():
            if not source.sizes and source.offsets:
                source.sizes = target.sizes or target.memref.sizes
            values = source.padded(before, after)
            self.write(target, values, source.sizes or source.memref.sizes)
            return
            yield

        return run()

    def write(self, target, values, other_sizes):
        positions = target.positions(None if target.sizes else other_sizes)
        if len(positions) != len(values):
            raise ValueError(f"a transfer of {len(values)} elements into {len(positions)}")
        for p, v in zip(positions, values):
            target.memref.data[p] = v

    def index(self, op, env, dims):
        """The index of a put or get in an array of `dims` dimensions: missing indices are 0."""
        index = [env[v] for v in op.segments()[1]]
        return index + [0] * (dims - len(index))

    def queue(self, context, op, index):
        return context.queues.setdefault((op.attributes["chan_name"], tuple(index)), Queue())

    def put(self, context, op, env):
        segments = op.segments()
        source = self.side(op, env, "src", segments[2:6])
        channel = self.channels[op.attributes["chan_name"]]
        index = self.index(op, env, len(channel.sizes))
        queues = [self.queue(context, op, g) for g in channel.getters(index)]
        before, after = op.attributes.get("pad_before"), op.attributes.get("pad_after")

        def run():
            for queue in queues:
                while channel.depth is not None and len(queue.messages) >= channel.depth:
                    yield queue
            values = source.padded(before, after)
            for queue in queues:
                queue.put(values)
                self.scheduler.wake(queue)

        return run()

    def get(self, context, op, env):
        segments = op.segments()
        channel = self.channels[op.attributes["chan_name"]]
        queue = self.queue(context, op, self.index(op, env, len(channel.targets)))
        target = self.side(op, env, "dst", segments[2:6])

        def run():
            positions = target.positions(None)
            while len(queue.elements) < len(positions):
                yield queue
            self.write(target, queue.take(len(positions)), None)
            self.scheduler.wake(queue)

        return run()

    # Control flow.

    def scf_for(self, context, op, env, memory_level):
        lower, upper, step = (env[v] for v in op.operands[:3])
        carried = [env[v] for v in op.operands[3:]]
        for i in range(lower, upper, step):
            carried = yield from self.block(context, op.regions[0][0], env, [i] + carried, memory_level)
        env.update(zip(op.results, carried))

    def affine_for(self, context, op, env, memory_level):
        lower, upper, carried = ([env[v] for v in s] for s in op.segments())
        attributes = op.attributes
        start, end = max(attributes["lowerBoundMap"](lower)), min(attributes["upperBoundMap"](upper))
        for i in range(start, end, attributes["step"]):
            carried = yield from self.block(context, op.regions[0][0], env, [i] + carried, memory_level)
        env.update(zip(op.results, carried))

    def scf_if(self, context, op, env, memory_level):
        region = op.regions[0] if env[op.operands[0]] else op.regions[1]
        if region:
            results = yield from self.block(context, region[0], env, [], memory_level)
            env.update(zip(op.results, results))

    def affine_if(self, context, op, env, memory_level):
        inside = op.attributes["condition"].contains([env[v] for v in op.operands])
        region = op.regions[0 if inside else 1]
        if region:
            results = yield from self.block(context, region[0], env, [], memory_level)
            env.update(zip(op.results, results))

    def scf_index_switch(self, context, op, env, memory_level):
        value, cases = env[op.operands[0]], op.attributes["cases"]
        region = op.regions[1 + cases.index(value)] if value in cases else op.regions[0]
        results = yield from self.block(context, region[0], env, [], memory_level)
        env.update(zip(op.results, results))

    def scf_execute_region(self, context, op, env, memory_level):
        results = yield from self.block(context, op.regions[0][0], env, [], memory_level)
        env.update(zip(op.results, results))

    def scf_while(self, context, op, env, memory_level):
        carried = [env[v] for v in op.operands]
        while True:
            go, *values = yield from self.block(context, op.regions[0][0], env, carried, memory_level)
            if not go:
                env.update(zip(op.results, values))
                return
            carried = yield from self.block(context, op.regions[1][0], env, values, memory_level)

    def iterations(self, context, op, env, points, memory_level):
        """Runs the iterations of a parallel loop: as threads if channels may connect them, or else in any order."""
        block = op.regions[0][0]
        if not any(inner.name in ACCESSES for inner in walk(op)):
            if self.rng:
                self.rng.shuffle(points)
            for point in points:
                yield from self.block(context, block, env, list(point), memory_level)
            return
        tokens = [
            self.scheduler.spawn(self.block(context, block, dict(env), list(point), memory_level), op.name)
            for point in points
        ]
        yield from self.scheduler.wait(tokens)

    def scf_parallel(self, context, op, env, memory_level):
        lower, upper, step, initial = ([env[v] for v in s] for s in op.segments())
        points = list(itertools.product(*(range(*bounds) for bounds in zip(lower, upper, step))))
        if all(t.kind == "token" for t in op.result_types):
            # Tokens of iterations join in the end of the loop.
            yield from self.iterations(context, op, env, points, memory_level)
            env.update((name, Token(done=True)) for name in op.results)
            return
        reduce = op.regions[0][0].ops[-1]
        for point in points:
            values = yield from self.block(context, op.regions[0][0], env, list(point), memory_level)
            for i, (value, region) in enumerate(zip(values, reduce.regions)):
                [initial[i]] = context.run_simple(region[0], [initial[i], value])
        env.update(zip(op.results, initial))

    def scf_forall(self, context, op, env, memory_level):
        bounds = []
        for kind, names in zip(("LowerBound", "UpperBound", "Step"), op.segments()):
            dynamic = iter([env[v] for v in names])
            bounds.append([next(dynamic) if n == DYNAMIC else n for n in op.attributes[f"static{kind}"]])
        points = list(itertools.product(*(range(*b) for b in zip(*bounds))))
        yield from self.iterations(context, op, env, points, memory_level)

    def affine_parallel(self, context, op, env, memory_level):
        attributes = op.attributes
        operands = [env[v] for v in op.operands]
        lower, upper = attributes["lowerBoundsMap"], attributes["upperBoundsMap"]
        count = lower.dims + lower.symbols
        starts, ends = lower(operands[:count]), upper(operands[count:])
        points = list(itertools.product(*(range(*b) for b in zip(starts, ends, attributes["steps"]))))
        yield from self.iterations(context, op, env, points, memory_level)


TERMINATORS = {
    "func.return",
    "scf.yield",
    "scf.reduce",
    "scf.condition",
    "scf.forall.in_parallel",
    "affine.yield",
    "linalg.yield",
    "air.launch_terminator",
    "air.segment_terminator",
    "air.herd_terminator",
    "air.execute_terminator",
}
MEMORY = ("memref.load", "memref.store", "memref.copy", "memref.atomic_rmw", "affine.load", "affine.store")


def is_pure(op):
    """True for ops that do not depend on the order of memory accesses."""
    if op.name in ("air.wait_all", "air.execute"):
        return True
    return op.name in OPS and not op.name.startswith(("linalg.", "vector.")) and op.name not in MEMORY
