"""The MLIR text that checks what each rank received, and the whole program."""


from emission import Emission
from shapes import Shapes

UNTOUCHED = 55


class Program(Shapes, Emission):
    def check(self):
        elem, n = self.elem, self.ranks
        condition = self.getter()
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

        # Elements that belong to no message must be unchanged; count those that are not.
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
        if condition:
            other = "ne" if condition[0] == "eq" else "eq"
            away = self.value(f"arith.cmpi {other}, %r, {self.const(condition[1])} : index")
            outside = self.value(f"arith.ori {outside}, {away} : i1")
        wrong = differs(value, untouched)
        fail_if(self.value(f"arith.andi {outside}, {wrong} : i1"))
        self.close(len(places))

        if self.topology == "queue":
            self.emit(f"%which = memref.alloc() : memref<{self.gets}xi64>")
            self.emit("%last = memref.alloc() : memref<i64>")
            minus = self.value("arith.constant -1 : i64")
            self.emit(f"memref.store {minus}, %last[] : memref<i64>")
        if condition:
            self.when_rank(*condition)
        if self.topology == "merge":
            # Messages of one rank arrive in order; the order between ranks is unspecified.
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
            # It is unspecified which messages arrive, but they arrive in order. Their
            # contents tell them apart; there are 97 different ones.
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
        if condition:
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
