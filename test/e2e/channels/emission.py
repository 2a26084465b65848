"""The MLIR text of a program's messages and kernels."""

import re


class Emission:
    """The part of a program that sends and receives messages."""

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
        """Opens a loop and returns its variable."""
        low, high, one = self.const(lower), self.const(upper), self.const(1)
        self.fresh += 1
        self.emit(f"scf.for %i{self.fresh} = {low} to {high} step {one} {{")
        return f"%i{self.fresh}"

    def close(self, count=1):
        for _ in range(count):
            self.emit("}")

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
        """Opens loops over a message; returns the indices in the buffer and the number of the element."""
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
        """Emits the puts of round `k` (a value)."""
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
        """Emits the messages of round `k` of a queue: one for each rank that gets."""
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
        """The ranks that put, as (predicate, rank); None means all."""
        return {"pair": ("eq", 0), "broadcast": ("eq", 0), "queue": ("eq", 0), "merge": ("ne", 0)}.get(self.topology)

    def getter(self):
        return {"pair": ("eq", self.ranks - 1), "gather": ("eq", 0), "queue": ("ne", 0), "merge": ("eq", 0)}.get(
            self.topology
        )

    def part(self, condition, body):
        if condition:
            self.when_rank(*condition)
        body()
        if condition:
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
        for condition, body in pieces:
            inner = self.inside or self.scope == "host"
            if condition and not inner:
                self.when_rank(*condition)
            self.kernel(lambda: self.part(condition if inner else None, body))
            if condition and not inner:
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
