"""The random choice of shapes and layouts."""

import math

from values import Dim, Layout


class RandomLayouts:
    """The part of a program that draws shapes and layouts."""

    def split(self, n):
        """Returns a random divisor of n."""
        return self.r.choice([d for d in range(1, n + 1) if n % d == 0])

    def layout(self, shape, keep=None):
        """Returns a random layout of the shape. `keep` lists dimensions that are given."""
        r = self.r
        for _ in range(50):
            dims = []
            lanes, waves = self.wave, self.waves
            for i, n in enumerate(shape):
                sg = self.split(n)
                while sg > waves or r.random() < 0.3 and sg > 1:
                    sg = self.split(n)
                n //= sg
                t = self.split(n)
                while t > lanes:
                    t = self.split(n)
                n //= t
                e = self.split(n)
                n //= e
                o = self.split(n)
                waves //= sg
                lanes //= t
                dims.append(Dim(sg, n // o, o, t, e))
            for attr, stride, limit in (("t", "ts", self.wave), ("sg", "ss", self.waves)):
                order = [i for i in range(len(dims)) if getattr(dims[i], attr) > 1]
                r.shuffle(order)
                at = 1
                for i in order:
                    if r.random() < 0.2:
                        at *= 2
                    setattr(dims[i], stride, at)
                    at *= getattr(dims[i], attr)
                if at > limit:
                    break
            else:
                result = Layout(dims)
                if math.prod(d.b * d.o * d.e for d in dims) <= self.capacity:
                    return result
        # All elements are in one lane.
        return Layout([Dim(e=n) for n in shape])

    def shape(self, rank=None):
        r = self.r
        rank = rank or r.choice([1, 1, 2, 2, 2, 3])
        while True:
            sizes = [r.choice([1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128]) for _ in range(rank)]
            if 2 <= math.prod(sizes) <= 512:
                return sizes
