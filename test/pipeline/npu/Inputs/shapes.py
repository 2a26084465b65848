"""Random host programs (model.py)."""

import model
from model import Function, Linear, Loop, Transfer

ELEMENTS = ["f32", "bf16", "i8", "f32", "i64"]
SIZES = [1, 1, 2, 3, 4, 8, 16]


class Shapes:
    def __init__(self, random):
        self.random = random

    def linear(self, depth, chance=0.5):
        """An offset over the variables of the loops around it."""
        coefficients = [
            self.random.choice([1, 1, 2, 3, 8]) if self.random.random() < chance else 0 for _ in range(depth)
        ]
        return Linear(self.random.choice([0, 0, 1, 3]), coefficients)

    def transfer(self, depth, name, channels):
        random = self.random
        dims = random.randint(1, 3)
        sizes = [model.constant(random.choice(SIZES)) for _ in range(dims)]
        if random.random() < 0.1:
            # 1500 and 3000 exceed the size of a dimension; 1031 is a prime number.
            sizes[-1] = model.constant(random.choice([1031, 1500, 3000]))
        elif depth and random.random() < 0.08:
            coefficients = [0] * depth
            coefficients[random.randrange(depth)] = 1
            sizes[random.randrange(dims)] = Linear(1, coefficients)
        strides = [model.constant(random.choice([1, 4, 16, 64, 256, 0])) for _ in range(dims - 1)]
        strides.append(model.constant(random.choice([1, 1, 1, 2])))
        offsets = [self.linear(depth) for _ in range(dims)]
        if random.random() < 0.1:
            offsets, sizes, strides = [], [], []
        channel = f"c{random.randrange(3)}"
        size = channels.setdefault(channel, random.choice([0, 0, 0, 64]))
        index = [Linear(random.randrange(2), [])] if size else []
        if size and depth and random.random() < 0.3:
            index = [Linear(0, [1] + [0] * (depth - 1))]
        return Transfer(
            channel,
            random.random() < 0.8,
            name,
            index,
            offsets,
            sizes,
            strides,
            spelling=random.choice(["affine", "arith"]),
        )

    def body(self, depth, function, style, limit):
        """The ops of a loop, or of the function, with at most `limit` more loops around each other."""
        random = self.random
        if limit and random.random() < 0.75:
            items = [self.loop(depth, function, style, limit)]
            if random.random() < 0.1:
                items.append(self.loop(depth, function, style, limit))
            return items
        items = []
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            name = random.choice(list(function.memrefs))
            items.append(self.transfer(depth, name, function.channels))
            items[-1].is_async = style != "blocking"
        return items

    def loop(self, depth, function, style, limit):
        random = self.random
        trips = random.choice([1, 2, 2, 3, 4, 5, 0 if random.random() < 0.2 else 2])
        kind = "scf"
        if style != "carried" and random.random() < 0.3:
            kind = random.choice(["affine", "parallel"])
        loop = Loop(random.choice([0, 0, 0, 2]), random.choice([1, 1, 2, 8]), trips, [], kind, style == "carried")
        loop.body = self.body(depth + 1, function, style, limit - 1)
        return loop

    def function(self, name):
        random = self.random
        memrefs = {f"m{i}": ([1], random.choice(ELEMENTS)) for i in range(random.choice([1, 1, 2]))}
        function = Function(name, memrefs, {}, [])
        style = random.choice(["carried", "async", "blocking"])
        if random.random() < 0.3:
            function.launch = [random.randint(1, 3) for _ in range(random.randint(1, 2))]
        function.body = self.body(len(function.launch), function, style, random.randint(0, 3))
        self.fit_memrefs(function)
        return function

    def fit_memrefs(self, function):
        """Makes memrefs as large as what is accessed, some exactly, some with several dimensions."""
        random = self.random
        extents = dict.fromkeys(function.memrefs, 1)
        for item, _, lists in model.executions(function):
            if item.sizes:
                extents[item.memref] = max(extents[item.memref], model.get_last(*lists) + 1)
        for name, (_, element) in function.memrefs.items():
            extent = extents[name]
            shape = [extent]
            if random.random() < 0.5:
                shape = [extent + random.choice([1, 5, 100])]
            elif extent % 8 == 0 and random.random() < 0.7:
                shape = [extent // 8, 8]
            function.memrefs[name] = (shape, element)


def transfers(body):
    for item in body:
        if isinstance(item, Loop):
            yield from transfers(item.body)
        else:
            yield item, body
