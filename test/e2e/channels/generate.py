#!/usr/bin/env python3
"""Random programs that send messages between ranks through channels.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--work DIR]

A program draws who sends to whom, the type and shape of the messages, where in
their buffers they lie, how many there are, the depth of the channel, whether it
is used in kernels (by PEs, lanes or segments, straight from L3 or through L1 and
L2; or by herds whose points are lanes) or by the host, and how long the ranks are
held up. Each message says who sent it, to whom, and which it is; each rank looks
whether it got what it should, in order, and nothing else was written. In a queue,
where each message goes to whichever rank asks next, rank 0 is told what the others
got, and looks whether each message was got once.

Program number k of a run has the seed `seed + k`, so one that fails is made
again with `--seed THAT --count 1`; with --work it stays there to be looked at.
"""

import argparse
import math
import os
import random
import re
import subprocess
import sys
import tempfile

TYPES = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
UNTOUCHED = 55


class Region:
    """A buffer of `count` messages and where in it each message lies."""

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


class Program:
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
        self.dynamic = rng.random() < 0.3  # The number of ranks is the world's.
        # Puts and gets in launches of their own need room for all messages.
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

    # Text.

    def emit(self, text):
        self.lines.append(text)

    def value(self, text):
        self.fresh += 1
        self.emit(f"%v{self.fresh} = {text}")
        return f"%v{self.fresh}"

    def const(self, number):
        return self.value(f"arith.constant {number} : index")

    def op(self, name, a, b):
        return self.value(f"arith.{name} {a}, {b} : index")

    def loop(self, lower, upper):
        """Opens a loop and gives its variable."""
        low, high, one = self.const(lower), self.const(upper), self.const(1)
        self.fresh += 1
        self.emit(f"scf.for %i{self.fresh} = {low} to {high} step {one} {{")
        return f"%i{self.fresh}"

    def close(self, count=1):
        for _ in range(count):
            self.emit("}")

    # Messages.

    def content(self, sender, getter, message, element):
        """(31 * sender + 17 * getter + 7 * message + 3 * element) mod 97."""
        total = None
        for factor, part in ((31, sender), (17, getter), (7, message), (3, element)):
            part = self.op("muli", part, self.const(factor))
            total = self.op("addi", total, part) if total else part
        return self.op("remui", total, self.const(97))

    def convert(self, number):
        wide = self.value(f"arith.index_cast {number} : index to i64")
        if self.elem == "i64":
            return wide
        if self.elem[0] == "i":
            return self.value(f"arith.trunci {wide} : i64 to {self.elem}")
        if self.elem == "f64":
            return self.value(f"arith.sitofp {wide} : i64 to f64")
        single = self.value(f"arith.sitofp {wide} : i64 to f32")
        if self.elem == "f32":
            return single
        return self.value(f"arith.truncf {single} : f32 to {self.elem}")

    def for_each_element(self, region):
        """Opens loops over a message; gives the places in the buffer and the
        number of the element."""
        places, number = [], None
        for size, first, step in zip(self.shape, region.first, region.step):
            i = self.loop(0, size)
            places.append(self.op("addi", self.op("muli", i, self.const(step)), self.const(first)))
            number = i if number is None else self.op("addi", self.op("muli", number, self.const(size)), i)
        return places, number

    def fill(self):
        k = self.rounds
        if self.topology == "all":
            getter = self.loop(0, self.ranks)
            message = self.loop(0, k)
            slot = self.op("addi", self.op("muli", message, self.const(self.ranks)), getter)
            loops = 2
        else:
            message = slot = self.loop(0, self.sends)
            loops = 1
            getter = {
                "pair": lambda: self.const(self.ranks - 1),
                "gather": lambda: self.const(0),
                "merge": lambda: self.const(0),
                "broadcast": lambda: self.const(0),
                "queue": lambda: self.const(0),
                "ring": lambda: self.op("remui", self.op("addi", "%r", self.const(1)), self.const(self.ranks)),
            }[self.topology]()
        places, number = self.for_each_element(self.src)
        if self.topology in ("merge", "queue"):
            number = self.const(0)
        value = self.convert(self.content("%r", getter, message, number))
        self.emit(f"memref.store {value}, %hsrc[{', '.join([slot] + places)}] : " f"{self.src.type(self.elem)}")
        self.close(loops + len(self.shape))

    def transfer(self, is_put, indices, slot):
        region, name = (self.src, "src") if is_put else (self.dst, "dst")
        memref = f"%{name}" if self.scope != "host" else f"%h{name}"
        kind = region.type(self.elem)
        word = "put" if is_put else "get"
        where = f"@C[{', '.join(indices)}]"
        if not self.staged:
            self.emit(f"air.channel.{word} {where} ({memref}{region.lists(slot)}) : ({kind})")
            return
        space = 2 if self.scope == "pe" else 1
        tile = "memref<" + "x".join(map(str, self.shape)) + f"x{self.elem}, {space}>"
        t = self.value(f"memref.alloc() : {tile}")
        if is_put:
            self.emit(f"air.dma_memcpy_nd ({t}[] [] [], {memref}{region.lists(slot)}) : " f"({tile}, {kind})")
        self.emit(f"air.channel.{word} {where} ({t}[] [] []) : ({tile})")
        if not is_put:
            self.emit(f"air.dma_memcpy_nd ({memref}{region.lists(slot)}, {t}[] [] []) : " f"({kind}, {tile})")
        self.emit(f"memref.dealloc {t} : {tile}")

    def when_rank(self, predicate, rank):
        condition = self.value(f"arith.cmpi {predicate}, %r, {self.const(rank)} : index")
        self.emit(f"scf.if {condition} {{")

    def puts(self, k):
        """The puts of round `k` (a value)."""
        n = self.ranks
        if self.topology == "all":
            d = self.loop(0, n)
            self.transfer(True, ["%r", d], self.op("addi", self.op("muli", k, self.const(n)), d))
            self.close()
            return
        index = {
            "ring": lambda: self.op(
                "remui", self.op("addi", "%r", self.const(1)), "%n" if self.dynamic else self.const(n)
            ),
            "gather": lambda: "%r",
        }.get(self.topology, lambda: self.const(0))()
        self.transfer(True, [index], k)

    def put_for_all(self, k):
        """In a queue, the messages of round `k`: one for each rank that gets."""
        others = self.const(self.ranks - 1)
        i = self.loop(0, self.ranks - 1)
        self.puts(self.op("addi", self.op("muli", k, others), i))
        self.close()

    def get_all(self, k):
        n = self.ranks
        if self.topology in ("all", "gather"):
            s = self.loop(0, n)
            slot = self.op("addi", self.op("muli", k, self.const(n)), s)
            self.transfer(False, [s, "%r"] if self.topology == "all" else [s], slot)
            self.close()
            return
        index = "%r" if self.topology in ("ring", "broadcast") else self.const(0)
        self.transfer(False, [index], k)

    def sender(self):
        """Who puts, as (predicate, rank); None: all."""
        return {"pair": ("eq", 0), "broadcast": ("eq", 0), "queue": ("eq", 0), "merge": ("ne", 0)}.get(self.topology)

    def getter(self):
        return {"pair": ("eq", self.ranks - 1), "gather": ("eq", 0), "queue": ("ne", 0), "merge": ("eq", 0)}.get(
            self.topology
        )

    def part(self, who, body):
        if who:
            self.when_rank(*who)
        body()
        if who:
            self.close()

    def exchange(self):
        def put_rounds():
            k = self.loop(0, self.sends if self.topology == "queue" else self.rounds)
            self.puts(k)
            self.close()

        def get_rounds():
            k = self.loop(0, self.gets if self.topology == "merge" else self.rounds)
            self.get_all(k)
            self.close()

        def both():
            k = self.loop(0, self.rounds)
            if self.topology == "queue":
                self.part(self.sender(), lambda: self.put_for_all(k))
            else:
                self.part(self.sender(), lambda: self.puts(k))
            self.part(self.getter(), lambda: self.get_all(k))
            self.close()

        pieces = [(self.sender(), put_rounds), (self.getter(), get_rounds)]
        if not self.apart:
            pieces = [(None, both)]
        for who, body in pieces:
            inner = self.inside or self.scope == "host"
            if who and not inner:
                self.when_rank(*who)
            self.kernel(lambda: self.part(who if inner else None, body))
            if who and not inner:
                self.close()

    def kernel(self, body):
        if self.scope == "host":
            body()
            return
        types = f"index, index, {self.src.type(self.elem)}, {self.dst.type(self.elem)}"
        names = ("r", "n", "src", "dst")
        suffix = ""

        def args():
            """The args of the next level, whose names must be new."""
            nonlocal suffix
            self.fresh += 1
            outer, suffix = suffix, f"_{self.fresh}"
            pairs = ", ".join(f"%{name}{suffix} = %{name}{outer}" for name in names)
            return f"args({pairs}) : {types} {{"

        self.emit(f"air.launch () in () {args()}")
        self.emit(f"air.segment {args()}")
        if self.scope != "segment":
            one = self.const(1)
            points = self.const(self.lanes) if self.scope == "lanes" else one
            self.fresh += 1
            f = self.fresh
            self.emit(f"air.herd tile (%x{f}, %y{f}) in (%nx{f} = {points}, %ny{f} = {one}) " f"{args()}")
            if self.scope == "simt":
                self.value("gpu.lane_id")
        start = len(self.lines)
        body()
        for i in range(start, len(self.lines)):
            self.lines[i] = re.sub(r"%(r|n|src|dst)\b", rf"%\1{suffix}", self.lines[i])
        if self.scope != "segment":
            self.close()
        self.close(2)

    # Checking.

    def check(self):
        elem, n = self.elem, self.ranks
        who = self.getter()
        kind = self.dst.type(elem)
        zero = self.value("arith.constant 0 : i64")
        one = self.value("arith.constant 1 : i64")
        self.emit("%errors = memref.alloc() : memref<i64>")
        self.emit(f"memref.store {zero}, %errors[] : memref<i64>")

        def fail_if(condition):
            self.emit(f"scf.if {condition} {{")
            old = self.value("memref.load %errors[] : memref<i64>")
            new = self.value(f"arith.addi {old}, {one} : i64")
            self.emit(f"memref.store {new}, %errors[] : memref<i64>")
            self.close()

        def differs(a, b):
            if elem[0] == "i":
                return self.value(f"arith.cmpi ne, {a}, {b} : {elem}")
            return self.value(f"arith.cmpf une, {a}, {b} : {elem}")

        # Everything that is no message's element is as it was; count those that are not.
        untouched = self.convert(self.const(UNTOUCHED))
        self.emit("%changed = memref.alloc() : memref<i64>")
        self.emit(f"memref.store {zero}, %changed[] : memref<i64>")
        places = [self.loop(0, size) for size in self.dst.dims]
        value = self.value(f"memref.load %hdst[{', '.join(places)}] : {kind}")
        outside = None
        for place, size, first, step in zip(places[1:], self.shape, self.dst.first, self.dst.step):
            at = self.op("subi", place, self.const(first))
            far = self.value(f"arith.cmpi uge, {at}, {self.const((size - 1) * step + 1)} : index")
            between = self.value(
                f"arith.cmpi ne, {self.op('remui', at, self.const(step))}, " f"{self.const(0)} : index"
            )
            here = self.value(f"arith.ori {far}, {between} : i1")
            outside = self.value(f"arith.ori {outside}, {here} : i1") if outside else here
        if who:
            other = "ne" if who[0] == "eq" else "eq"
            away = self.value(f"arith.cmpi {other}, %r, {self.const(who[1])} : index")
            outside = self.value(f"arith.ori {outside}, {away} : i1")
        wrong = differs(value, untouched)
        fail_if(self.value(f"arith.andi {outside}, {wrong} : i1"))
        self.close(len(places))

        if self.topology == "queue":
            self.emit(f"%which = memref.alloc() : memref<{self.gets}xi64>")
            self.emit("%last = memref.alloc() : memref<i64>")
            minus = self.value("arith.constant -1 : i64")
            self.emit(f"memref.store {minus}, %last[] : memref<i64>")
        if who:
            self.when_rank(*who)
        if self.topology == "merge":
            # Messages of one rank come in order; which rank's is next is not said.
            counts = f"memref<{n}xindex>"
            self.emit(f"%counts = memref.alloc() : {counts}")
            r = self.loop(0, n)
            self.emit(f"memref.store {self.const(0)}, %counts[{r}] : {counts}")
            self.close()
            slot = self.loop(0, self.gets)
            places = [self.const(f) for f in self.dst.first]
            first = self.value(f"memref.load %hdst[{', '.join([slot] + places)}] : {kind}")
            self.emit("%found = memref.alloc() : memref<i64>")
            self.emit(f"memref.store {zero}, %found[] : memref<i64>")
            s = self.loop(1, n)
            k = self.value(f"memref.load %counts[{s}] : {counts}")
            want = self.convert(self.content(s, self.const(0), k, self.const(0)))
            no = differs(first, want)
            more = self.value(f"arith.cmpi uge, {k}, {self.const(self.rounds)} : index")
            done = self.value("memref.load %found[] : memref<i64>")
            taken = self.value(f"arith.cmpi ne, {done}, {zero} : i64")
            skip = self.value(f"arith.ori {no}, {more} : i1")
            skip = self.value(f"arith.ori {skip}, {taken} : i1")
            self.emit(f"scf.if {skip} {{")
            self.emit("} else {")
            self.emit(f"memref.store {self.op('addi', k, self.const(1))}, %counts[{s}] : {counts}")
            self.emit(f"memref.store {one}, %found[] : memref<i64>")
            self.close(2)
            done = self.value("memref.load %found[] : memref<i64>")
            fail_if(self.value(f"arith.cmpi eq, {done}, {zero} : i64"))
            places, _ = self.for_each_element(self.dst)
            value = self.value(f"memref.load %hdst[{', '.join([slot] + places)}] : {kind}")
            fail_if(differs(value, first))
            self.close(len(self.shape) + 1)
        elif self.topology == "queue":
            # Which messages come is not said, but that they do so in order. They are
            # told apart by their contents, of which there are 97.
            slot = self.loop(0, self.gets)
            places = [self.const(f) for f in self.dst.first]
            first = self.value(f"memref.load %hdst[{', '.join([slot] + places)}] : {kind}")
            minus = self.value("arith.constant -1 : i64")
            self.emit(f"memref.store {minus}, %which[{slot}] : memref<{self.gets}xi64>")
            m = self.loop(0, self.sends)
            want = self.convert(self.content(self.const(0), self.const(0), m, self.const(0)))
            self.emit(f"scf.if {differs(first, want)} {{")
            self.emit("} else {")
            number = self.value(f"arith.index_cast {m} : index to i64")
            self.emit(f"memref.store {number}, %which[{slot}] : memref<{self.gets}xi64>")
            self.close(2)
            found = self.value(f"memref.load %which[{slot}] : memref<{self.gets}xi64>")
            last = self.value("memref.load %last[] : memref<i64>")
            fail_if(self.value(f"arith.cmpi sle, {found}, {last} : i64"))
            self.emit(f"memref.store {found}, %last[] : memref<i64>")
            places, _ = self.for_each_element(self.dst)
            value = self.value(f"memref.load %hdst[{', '.join([slot] + places)}] : {kind}")
            fail_if(differs(value, first))
            self.close(len(self.shape) + 1)
        else:
            k = self.loop(0, self.rounds)
            slot, loops, getter = k, 1, "%r"
            if self.topology in ("all", "gather"):
                sender = self.loop(0, n)
                slot = self.op("addi", self.op("muli", k, self.const(n)), sender)
                loops = 2
            elif self.topology == "ring":
                sender = self.op("remui", self.op("addi", "%r", self.const(n - 1)), self.const(n))
            else:
                sender = self.const(0)
                getter = "%r" if self.topology == "pair" else self.const(0)
            places, number = self.for_each_element(self.dst)
            value = self.value(f"memref.load %hdst[{', '.join([slot] + places)}] : {kind}")
            want = self.convert(self.content(sender, getter, k, number))
            fail_if(differs(value, want))
            self.close(loops + len(self.shape))
        if self.topology == "queue":
            self.emit(f"air.channel.put @Q[%r] (%which[] [] []) : (memref<{self.gets}xi64>)")
        if who:
            self.close()
        if self.topology == "queue":
            self.when_rank("eq", 0)
            seen = f"memref<{self.sends}xi1>"
            self.emit(f"%seen = memref.alloc() : {seen}")
            yes, no = (self.value(f"arith.constant {b}") for b in ("true", "false"))
            m = self.loop(0, self.sends)
            self.emit(f"memref.store {no}, %seen[{m}] : {seen}")
            self.close()
            s = self.loop(1, n)
            self.emit(f"air.channel.get @Q[{s}] (%which[] [] []) : (memref<{self.gets}xi64>)")
            slot = self.loop(0, self.gets)
            number = self.value(f"memref.load %which[{slot}] : memref<{self.gets}xi64>")
            m = self.value(f"arith.index_cast {number} : i64 to index")
            inside = self.value(f"arith.cmpi ult, {m}, {self.const(self.sends)} : index")
            self.emit(f"scf.if {inside} {{")
            fail_if(self.value(f"memref.load %seen[{m}] : {seen}"))
            self.emit(f"memref.store {yes}, %seen[{m}] : {seen}")
            self.close(4)
        self.emit("%total = memref.load %errors[] : memref<i64>")
        self.emit("%fmt = llvm.mlir.addressof @fmt : !llvm.ptr")
        self.emit("%rank64 = arith.index_cast %r : index to i64")
        self.emit(
            "llvm.call @printf(%fmt, %rank64, %total) vararg(!llvm.func<i32 (ptr, ...)>) : "
            "(!llvm.ptr, i64, i64) -> i32"
        )

    def text(self):
        src, dst = self.src.type(self.elem), self.dst.type(self.elem)
        heap = lambda kind: kind[:-1] + ", #air.symmetric_heap>"
        self.emit("module {")
        self.emit("llvm.func @printf(!llvm.ptr, ...) -> i32")
        self.emit("func.func private @usleep(i32) -> i32")
        self.emit("func.func private @mgpuGetWorldSize() -> i32")
        self.emit('llvm.mlir.global internal constant @fmt("rank %ld: %ld errors\\0A\\00") ' "{addr_space = 0 : i32}")
        self.emit(f"air.channel @C [{', '.join(map(str, self.sizes))}] " f"{{{', '.join(self.attrs)}}}")
        if self.topology == "queue":
            self.emit(f'air.channel @Q [{self.ranks}] {{channel_type = "gpu_symmetric_heap"}}')
        self.emit("func.func @main() {")
        if self.dynamic:
            self.emit("%world = func.call @mgpuGetWorldSize() : () -> i32")
            self.emit("%count = arith.index_cast %world : i32 to index")
        else:
            self.emit(f"%count = arith.constant {self.ranks} : index")
        self.emit("air.rank (%r) in (%n = %count) {")
        self.emit(f"%hsrc = memref.alloc() : {src}")
        self.emit(f"%hdst = memref.alloc() : {dst}")
        places = [self.loop(0, size) for size in self.src.dims]
        self.emit(f"memref.store {self.convert(self.const(0))}, %hsrc[{', '.join(places)}] : {src}")
        self.close(len(places))
        self.fill()
        places = [self.loop(0, size) for size in self.dst.dims]
        value = self.convert(self.const(UNTOUCHED))
        self.emit(f"memref.store {value}, %hdst[{', '.join(places)}] : {dst}")
        self.close(len(places))
        if self.scope != "host":
            for name, kind in (("src", src), ("dst", dst)):
                self.emit(f"%t{name} = memref.alloc() : {heap(kind)}")
                self.emit(f"%{name} = memref.memory_space_cast %t{name} : {heap(kind)} to {kind}")
                self.emit(f"air.dma_memcpy_nd (%{name}[] [] [], %h{name}[] [] []) : ({kind}, {kind})")
        delay = self.op(
            "remui", self.op("muli", self.op("addi", "%r", self.const(self.seed % 7)), self.const(5)), self.const(7)
        )
        delay = self.op("muli", delay, self.const(3000))
        micros = self.value(f"arith.index_cast {delay} : index to i32")
        self.value(f"func.call @usleep({micros}) : (i32) -> i32")
        self.exchange()
        if self.scope != "host":
            self.emit(f"air.dma_memcpy_nd (%hdst[] [] [], %dst[] [] []) : ({dst}, {dst})")
        self.check()
        for name, kind in (("src", src), ("dst", dst)) if self.scope != "host" else ():
            self.emit(f"memref.dealloc %t{name} : {heap(kind)}")
        self.emit("}")
        self.emit("return")
        self.emit("}")
        self.emit("}")
        return "\n".join(self.lines) + "\n"


def run(args, seed, target, work):
    program = Program(seed)
    source = os.path.join(work, f"program{seed}.mlir")
    binary = os.path.join(work, f"program{seed}.{target}")
    with open(source, "w") as f:
        f.write(program.text())
    options = ["--stage-option", "hierarchy.pe=lane"] if program.scope == "lanes" else []
    compiled = subprocess.run(
        [args.aircc, source, "--target", target, "-o", binary] + options, capture_output=True, text=True
    )
    if compiled.returncode:
        return program, "does not compile:\n" + compiled.stderr
    env = dict(
        os.environ,
        AIRCC_DEVICE="sim",
        WORLD_SIZE=str(program.ranks),
        AIRCC_JOB=f"channels-{os.getpid()}-{seed}-{target}",
        AIRCC_WAIT_LIMIT="60",
    )
    ranks = [
        subprocess.Popen(
            [binary],
            env=dict(env, RANK=str(r), LOCAL_RANK=str(r)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for r in range(program.ranks)
    ]
    problems = []
    for number, rank in enumerate(ranks):
        try:
            output, _ = rank.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            for other in ranks:
                other.kill()
            output, _ = rank.communicate()
            output += "(hangs)\n"
        if rank.returncode or output != f"rank {number}: 0 errors\n":
            problems.append(f"rank {number} ended with {rank.returncode}: {output}")
    if not problems and not args.work:
        os.unlink(source)
        os.unlink(binary)
    return program, "\n".join(problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--target", action="append")
    parser.add_argument("--work")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = args.work or temporary
        os.makedirs(work, exist_ok=True)
        total = 0
        for seed in range(args.seed, args.seed + args.count):
            for target in args.target or ["gfx942"]:
                total += 1
                program, problem = run(args, seed, target, work)
                if problem:
                    failed += 1
                    print(f"FAILED ({target}) {program.describe()}\n{problem}", flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
