"""The random choice of programs."""

import random

from layouts import RandomLayouts
from running import wave_size
from text import body
from values import Retry
from vector_access import VectorAccess
from vector_ops import VectorOps
from xe_ops import XeOps


class Program(RandomLayouts, VectorAccess, VectorOps):
    """Draws one program."""

    def __init__(self, seed, wave):
        self.seed, self.wave = seed, wave
        self.r = random.Random(seed)
        self.waves = self.r.choice([1, 1, 2, 2, 4])
        self.scope = "wave" if self.waves == 1 and self.r.random() < 0.5 else "workgroup"
        # Waves that work independently all do the same.
        self.block_waves = self.waves if self.scope == "workgroup" else self.r.choice([1, 3, 4])
        threads = self.block_waves * wave
        x = self.r.choice([threads, threads, 16, wave])
        y = self.r.choice([threads // x, 1])
        self.block = (x, y, threads // x // y)
        self.lines = []  # (text, attributes, layouts); see emit
        self.alias = {}
        self.values, self.buffers = [], []
        self.shared = []  # (name, bytes) of workgroup memory
        self.count = 0
        self.depth = 0
        self.capacity = 64 if self.r.random() < 0.5 else 256

    def step(self):
        for _ in range(20):
            name = self.r.choice(self.OPS)
            state = (list(self.lines), list(self.values), list(self.buffers), self.depth)
            shared = list(self.shared)
            try:
                getattr(self, "op_" + name)()
                return
            except Retry:
                self.lines, self.values, self.buffers, self.depth = state
                self.shared = shared

    def draw(self):
        for _ in range(self.r.randint(1, 2)):
            self.read()
        for _ in range(self.r.randint(2, 7)):
            self.step()
        # The last values, and some of the others, are stored and compared.
        whole = [v for v in self.values if v.layout]
        for v in whole[-2:] + self.r.sample(whole, min(len(whole), 1)):
            self.write(v)
        return self

    def body(self, host, layouts, propagate=False):
        return body(self, host, layouts, propagate)


class XeProgram(XeOps, Program):
    """With ops of XeGPU."""

    OPS = Program.OPS + XeOps.OPS


def draw(seed, target):
    wave = wave_size(target)
    return (XeProgram if wave == 16 else Program)(seed, wave).draw()
