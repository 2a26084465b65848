"""The random choice of a program: ranks, messages, buffers, and how the channel is used."""

import math
import random

TYPES = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]


class Region:
    """A buffer of `count` messages, and the position of each message in it."""

    def __init__(self, rng, name, shape, count):
        self.name, self.shape = name, shape
        plain = rng.random() < 0.4
        self.step = [1 if plain else rng.choice([1, 1, 2]) for _ in shape]
        self.first = [0 if plain else rng.randrange(3) for _ in shape]
        after = [0 if plain else rng.randrange(3) for _ in shape]
        self.dims = [count] + [f + (n - 1) * s + 1 + a for n, s, f, a in zip(shape, self.step, self.first, after)]

    def type(self, elem):
        return "memref<" + "x".join(map(str, self.dims)) + f"x{elem}>"

    def lists(self, message):
        """Offsets, sizes and strides of message number `message`."""
        strides = [math.prod(self.dims[d + 2 :]) * s for d, s in enumerate(self.step)]
        offsets = ", ".join([message] + [str(f) for f in self.first])
        return f"[{offsets}] [{', '.join(map(str, self.shape))}] " f"[{', '.join(map(str, strides))}]"


class Shapes:
    """The random choices of a program."""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.seed, self.lines, self.fresh = seed, [], 0
        self.ranks = rng.choice([2, 2, 3, 4])
        self.topology = rng.choice(["pair", "ring", "all", "broadcast", "gather", "merge", "queue"])
        self.elem = rng.choice(TYPES)
        self.shape = rng.choice(
            [
                [rng.randrange(1, 70)],
                [rng.randrange(1, 400)],
                [31],
                [32],
                [62],
                [64],
                [rng.randrange(1, 9), rng.randrange(1, 20)],
                [rng.randrange(1, 5), rng.randrange(1, 5), rng.randrange(1, 9)],
            ]
        )
        self.rounds = rng.randrange(1, 6)
        self.depth = rng.choice([None, 1, 2, 3, 4, 8])
        self.scope = rng.choice(["pe", "pe", "simt", "segment", "lanes", "host"])
        self.lanes = rng.choice([1, 7, 20, 32])
        self.staged = self.scope in ("pe", "segment") and rng.random() < 0.4
        self.inside = rng.random() < 0.5  # Conditions on the rank in the kernel.
        self.dynamic = rng.random() < 0.3  # The number of ranks is known only at run time.
        # If puts and gets are in separate launches, the channel needs room for all messages.
        self.apart = rng.random() < 0.3
        if self.topology == "merge":
            self.apart = True
        elif self.apart and self.topology != "pair":
            self.depth = max(self.depth or 1, self.rounds, 1)
        if self.scope == "host" and self.topology in ("merge", "queue"):
            self.topology = "gather"
            self.apart = False
        if self.topology == "queue":
            self.dynamic = False
        n, k = self.ranks, self.rounds
        self.sends = k * {"all": n, "queue": n - 1}.get(self.topology, 1)
        self.gets = k * {"all": n, "gather": n, "merge": n - 1}.get(self.topology, 1)
        self.src = Region(rng, "src", self.shape, self.sends)
        self.dst = Region(rng, "dst", self.shape, self.gets)
        sizes, targets = {
            "pair": ([1], None),
            "ring": ([n], None),
            "all": ([n, n], None),
            "broadcast": ([1], [n]),
            "gather": ([n], None),
            "merge": ([1], None),
            "queue": ([1], None),
        }[self.topology]
        if self.dynamic and self.topology in ("ring", "gather"):
            sizes = [8]
        self.attrs = ['channel_type = "gpu_symmetric_heap"']
        if targets:
            self.attrs.append(f"broadcast_shape = {targets}")
            self.dynamic = False
        if self.topology == "all":
            self.dynamic = False
        if self.depth:
            self.attrs.append(f"depth = {self.depth} : i64")
        self.sizes = sizes

    def describe(self):
        return (
            f"seed {self.seed}: {self.ranks} ranks, {self.topology}, "
            f"{'x'.join(map(str, self.shape))}x{self.elem}, {self.rounds} rounds, depth "
            f"{self.depth}, {self.scope}{', staged' if self.staged else ''}"
            f"{', apart' if self.apart else ''}{', inside' if self.inside else ''}"
            f"{', dynamic' if self.dynamic else ''}"
        )
