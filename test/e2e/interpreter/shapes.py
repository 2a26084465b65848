"""The random choice of a program: which parts, actors and sizes.

`FEATURES` are the classes of programs; `draw_program` draws one of the given classes. All programs terminate, for the
reasons in model.py, except those of the class "deadlock". There are no races, because each part writes its own range
of the output.
"""

import math
import random

import model as m

FEATURES = {
    "infer": "herds and segments in functions and loops, without a launch",
    "stages": "L2 buffers and herds in launches",
    "channels": "channels inside a launch",
    "herd-channels": "channels between herds",
    "cascade": "channels between the points of a herd",
    "large-herds": "herds of more points than a workgroup has waves",
    "large-l2": "L2 buffers larger than LDS",
    "deadlock": "programs that would wait forever, which must not compile",
}
ELEMENTS = ["i32", "i32", "i32", "i16", "i8", "i64", "f32"]
HERDS = [[1, 1], [2, 1], [1, 2], [2, 2], [4, 1], [3], [2], [4], [2, 3], [3, 2]]
LARGE_HERDS = [[20, 1], [8, 4], [5, 5], [32], [1, 24], [6, 8]]


class Shapes:
    def __init__(self, seed, feature):
        self.rng, self.feature, self.count, self.seed = random.Random(seed), feature, 0, seed
        self.program = None

    def coin(self, p=0.5):
        return self.rng.random() < p

    def name(self, hint):
        self.count += 1
        return f"{self.program.name}_{hint}{self.count}"

    def space(self):
        return list(self.rng.choice(LARGE_HERDS if self.feature == "large-herds" else HERDS))

    def work(self):
        rng = self.rng
        forms = ["loop", "affine", "generic", "parallel"]
        return m.Work(
            rng.choice([1, 1, 2, 3, -1]),
            rng.randrange(-4, 9),
            rng.choice([0, 1, 2, 5]),
            rng.choice(["add", "sub", "max"]),
            rng.choice(forms),
        )

    def from_input(self, elements):
        """Reserves a range of the input, or shares one."""
        start = self.program.input
        if start >= elements and self.coin(0.2):
            return self.rng.randrange(0, start - elements + 1)
        self.program.input += elements
        return start

    def to_output(self, elements):
        start = self.program.output
        self.program.output += elements
        return start

    def draw(self):
        rng = self.rng
        wrapper = m.Wrapper("launch-segment", 1)
        self.program = m.Program(f"p{self.seed}", self.seed, rng.choice(ELEMENTS), wrapper)
        if self.feature == "infer":
            wrapper.form = rng.choice(["function", "function", "segment", "parallel", "affine-parallel", "for"])
            wrapper.executes = self.coin(0.3)
        else:
            wrapper.form = rng.choice(["launch", "launch-segment", "launch-segment", "function", "segment"])
        if wrapper.form not in ("function", "segment") and not self.uses_channels():
            wrapper.points = rng.choice([1, 2, 3])
        if self.feature == "deadlock":
            self.program.deadlock = True
            self.program.parts.append(self.draw_deadlock())
        elif self.feature == "cascade":
            self.program.parts.append(self.draw_cascade())
        elif self.uses_channels():
            self.program.parts.append(self.draw_pipeline())
            if self.coin(0.2):
                self.program.parts.append(self.draw_stages())
        else:
            self.program.parts.append(self.draw_stages())
            if self.coin(0.3):
                self.program.parts.append(self.draw_stages())
        self.program.input = max(1, self.program.input)
        self.program.output = max(1, self.program.output)
        return self.program

    def uses_channels(self):
        return self.feature in ("channels", "herd-channels", "cascade", "deadlock")

    # Pipelines.

    def stream(self, space, tile, messages, is_memory=False):
        rng = self.rng
        s = m.Stream(self.name("c"), space, tile, messages)
        s.type = rng.choice(["", "", "npu_dma_stream", "npu_dma_packet"])
        if not is_memory and self.coin(0.5):
            s.depth = rng.choice([1, 2, 4])
        divisors = [d for d in (1, 1, 1, 2, 4) if tile % d == 0]
        s.split = rng.choice(divisors) if is_memory else 1
        return s

    def source(self, s):
        rng = self.rng
        forms = ["for", "for-each", "unrolled", "parallel", "whole"]
        start = self.from_input(s.total)
        out = m.Source(s, start, rng.choice(forms), self.level(), through_l2=self.coin(0.25))
        if out.through_l2:
            out.level = "segment"
        divisors = [d for d in range(2, s.tile) if s.tile % d == 0]
        if divisors and self.coin(0.25):
            out.transposed = rng.choice(divisors)
        out.is_async = out.form == "unrolled" and self.coin(0.4)
        # Parts of a message only matter to the getter.
        return out

    def sink(self, s):
        rng = self.rng
        forms = ["for", "for-each", "unrolled", "parallel"] + (["whole"] if s.split == 1 else [])
        out = m.Sink(s, self.to_output(s.total), rng.choice(forms), self.level(), through_l2=self.coin(0.25))
        if out.through_l2:
            out.level = "segment"
        if out.form != "for" and out.form != "for-each":
            s.split = 1
        out.is_async = out.form == "unrolled" and self.coin(0.4)
        return out

    def level(self):
        # Without a segment, all code is at one level.
        return "launch" if self.program.wrapper.form == "launch-segment" and self.coin() else "segment"

    def draw_pipeline(self):
        """Herds in a chain or a diamond; each takes its inputs from memory or from herds before it."""
        rng = self.rng
        space, tile, messages = self.space(), rng.choice([4, 6, 8, 12, 16, 32]), rng.randrange(1, 6)
        actors, streams, pending, sinks = [], [], [], []
        count = rng.randrange(2, 4) if self.feature == "herd-channels" else 1
        for k in range(count):
            inputs = []
            # Streams of earlier herds first: each of them needs a receiver.
            while pending and (k == count - 1 or not inputs or self.coin(0.4)):
                inputs.append(pending.pop(0))
            while len(inputs) < 2 and (not inputs or self.coin(0.3)) and not (k and inputs and self.coin()):
                s = self.stream(space, tile, messages, is_memory=True)
                s.broadcast = len(space) > 1 and space[0] > 1 and self.coin(0.3)
                streams.append(s)
                if self.coin(0.2) and not s.broadcast:
                    # Through segment code.
                    s.split = 1
                    upstream = self.stream(space, tile, messages, is_memory=True)
                    upstream.split = 1
                    streams.append(upstream)
                    actors += [self.source(upstream), m.Relay(upstream, s, self.coin())]
                else:
                    actors.append(self.source(s))
                inputs.append(s)
            herd = m.HerdActor(space, inputs, [], self.work(), rng.choice(["for", "for", "unrolled", "nested"]))
            herd.tile, herd.messages, herd.branch = tile, messages, self.coin(0.2)
            last = k == count - 1
            if last or self.coin(0.3):
                if self.coin(0.6):
                    out = self.stream(space, tile, messages, is_memory=True)
                    herd.outputs.append(out)
                    streams.append(out)
                    sinks.append(self.sink(out))
                else:
                    herd.store = self.to_output(math.prod(space) * tile * messages)
            if not last:
                for _ in range(rng.choice([1, 1, 2])):
                    s = self.stream(space, tile, messages)
                    herd.outputs.append(s)
                    streams.append(s)
                    pending.append(s)
            actors.append(herd)
        if self.feature == "herd-channels" and count > 1:
            herds = [a for a in actors if isinstance(a, m.HerdActor)]
            # Herds that tokens leave unordered.
            if self.coin(0.3):
                for herd in herds:
                    herd.is_async = True
        return m.Pipeline(self.ordered(actors + sinks), streams)

    def ordered(self, actors):
        """Sources and relays before herds, sinks after them."""
        rank = {m.Source: 0, m.Relay: 1, m.HerdActor: 2, m.Sink: 3}
        return sorted(actors, key=lambda a: rank[type(a)])

    def draw_cascade(self):
        rng = self.rng
        count, tile, messages = rng.randrange(2, 9), rng.choice([4, 8, 16]), rng.randrange(1, 4)
        load = self.from_input(count * tile * messages)
        store = self.to_output(tile * messages)
        return m.Pipeline([m.Cascade(count, tile, messages, self.name("c"), load, store, self.work())], [])

    def draw_deadlock(self):
        """A pipeline in which one getter takes one message more than is put."""
        part = self.draw_pipeline()
        herd = [a for a in part.actors if isinstance(a, m.HerdActor)][-1]
        herd.messages += 1
        herd.outputs, herd.store = [], -1
        used = {id(s) for a in part.actors if isinstance(a, m.HerdActor) for s in a.outputs}
        part.actors = [a for a in part.actors if not isinstance(a, m.Sink) or id(a.stream) in used]
        return part

    # Stages.

    def draw_stages(self):
        rng = self.rng
        space = self.space()
        pes = math.prod(space)
        if self.feature == "large-l2":
            self.program.elem = "i64"
            size = pes * rng.randrange(70_000 // (8 * pes), 90_000 // (8 * pes))
        else:
            size = pes * rng.randrange(1, max(2, 96 // pes + 1))
        buffers = [m.Buffer(f"b{i}", [size]) for i in range(rng.randrange(1, 4 if self.feature != "large-l2" else 3))]
        steps = [m.LoadStep(b, self.from_input(size)) for b in buffers]
        for _ in range(rng.randrange(1, 5 if self.feature != "large-l2" else 3)):
            steps.append(self.draw_step(buffers, space, 0))
        for b in buffers:
            if b is buffers[0] or self.coin():
                steps.append(m.StoreStep(b, self.to_output(size)))
        return m.Stages(buffers, steps, self.coin(0.4))

    def draw_step(self, buffers, space, depth):
        rng = self.rng
        kind = rng.choice(["herd", "herd", "herd", "move", "code", "load", "loop" if depth < 2 else "herd"])
        if self.feature == "large-l2" and kind == "loop":
            kind = "herd"
        if kind == "loop":
            body = [self.draw_step(buffers, space, depth + 1) for _ in range(rng.randrange(1, 3))]
            return m.LoopStep(rng.randrange(1, 4), body)
        if kind == "load":
            b = rng.choice(buffers)
            return m.LoadStep(b, self.from_input(b.numel))
        if kind == "code":
            return m.CodeStep(rng.choice(buffers), rng.randrange(0, 9), rng.choice(["fill", "generic", "generic"]))
        if kind == "move" and len(buffers) > 1:
            source, target = rng.sample(buffers, 2)
            rows = rng.choice([d for d in range(1, source.numel + 1) if source.numel % d == 0])
            return m.MoveStep(source, target, rows, source.numel // rows)
        source, target = rng.choice(buffers), rng.choice(buffers)
        step = m.HerdStep(space, source, target, self.work(), self.coin(0.7))
        return step


def draw_program(seed, features):
    """The program of a seed, of one of the features in turn."""
    return Shapes(seed, features[seed % len(features)]).draw()
