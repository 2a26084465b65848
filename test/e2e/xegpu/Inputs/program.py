"""A program around one kernel: buffers with numbers that every type holds exactly, a launch, and a
comparison of each result with what the host computes for that element alone.

    p = Program()
    p.buffer("A", [64, 32], "f16")
    p.result("C", [64, 64], "f32", "...MLIR that yields %want : f64 for element (%i0, %i1)...")
    p.kernel("...body of the gpu.func, whose arguments are %A, %C...", threads=256, grid=(1, 1, 1))
    print(p.text())
"""


class Buffer:
    def __init__(self, name, shape, type, init, dynamic):
        self.name, self.shape, self.type, self.init = name, shape, type, init
        self.host = f"memref<{'x'.join(map(str, shape))}x{type}>"
        self.kernel = f"memref<{'?x' * len(shape)}{type}>" if dynamic else self.host


class Program:
    def __init__(self, dynamic=False):
        self.buffers, self.results = [], []
        self.dynamic = dynamic
        self.aliases = ""

    def buffer(self, name, shape, type, init="pattern"):
        """init: "pattern", eighths from -1 to 1 (integers from -8 to 8); "small", integers from 0 to 3;
        "zero"; or MLIR that yields %v of the type for element (%i0, ...)."""
        self.buffers.append(Buffer(name, shape, type, init, self.dynamic))

    def result(self, name, shape, type, want, init="zero", bound="1.0e-5"):
        self.buffer(name, shape, type, init)
        self.results.append((self.buffers[-1], want, bound))

    def kernel(self, body, threads, grid=(1, 1, 1), block=None, attributes="", decls="", known=True):
        """`block` is the shape of a workgroup if it is not (threads, 1, 1)."""
        self.threads, self.grid = block or (threads, 1, 1), grid
        args = ", ".join(f"%{b.name}: {b.kernel}" for b in self.buffers)
        known = f"known_block_size = array<i32: {', '.join(map(str, self.threads))}>" if known else ""
        attributes = ", ".join(a for a in (known, attributes) if a)
        self.module = f"""  gpu.module @kernels {{
    gpu.func @kernel({args}) {decls} kernel attributes {{{attributes}}} {{
{body}
      gpu.return
    }}
  }}
"""

    def text(self):
        s = self.aliases + "module attributes {gpu.container_module} {\n" + self.module
        s += HEAD
        for b in self.buffers:
            s += f"  func.func private @fill_{b.name}(%m: {b.host}) {{\n"
            s += loops(b.shape, fill(b))
            s += "    return\n  }\n"
        host = ", ".join(f"%{b.name}: {b.host}" for b in self.buffers)
        for b, want, bound in self.results:
            index = ", ".join(f"%i{d}" for d in range(len(b.shape)))
            s += f"  func.func private @want_{b.name}({host}"
            s += "".join(f", %i{d}: index" for d in range(len(b.shape))) + ") -> f64 {\n" + CONSTANTS
            s += want + "\n    return %want : f64\n  }\n"
        s += "  func.func @main() -> i32 {\n" + CONSTANTS
        for b in self.buffers:
            s += f"""    %{b.name} = memref.alloc() : {b.host}
    call @fill_{b.name}(%{b.name}) : ({b.host}) -> ()
    %g{b.name} = gpu.alloc () : {b.host}
    gpu.memcpy %g{b.name}, %{b.name} : {b.host}, {b.host}
"""
            if self.dynamic:
                s += f"    %k{b.name} = memref.cast %g{b.name} : {b.host} to {b.kernel}\n"
        prefix = "k" if self.dynamic else "g"
        for n in sorted(set(self.threads) | set(self.grid)):
            s += f"    %n{n} = arith.constant {n} : index\n"
        s += "    gpu.launch_func @kernels::@kernel blocks in (" + ", ".join(f"%n{n}" for n in self.grid)
        s += ") threads in (" + ", ".join(f"%n{n}" for n in self.threads) + ")\n        args("
        s += ", ".join(f"%{prefix}{b.name} : {b.kernel}" for b in self.buffers) + ")\n"
        s += "    %none = arith.constant 0 : i64\n"
        wrong = "%none"
        for n, (b, want, bound) in enumerate(self.results):
            # If the expected result depends on the old contents, keep a copy from before the launch.
            s += (
                f"    %r{b.name} = memref.alloc() : {b.host}\n"
                f"    gpu.memcpy %r{b.name}, %g{b.name} : {b.host}, {b.host}\n"
            )
            index = ", ".join(f"%i{d}" for d in range(len(b.shape)))
            types = ", ".join(x.host for x in self.buffers)
            s += f"    %bound{n} = arith.constant {bound} : f64\n"
            inner = f"""%want = func.call @want_{b.name}({', '.join('%' + x.name for x in self.buffers)}, {index})\
 : ({types}{', index' * len(b.shape)}) -> f64
%got = memref.load %r{b.name}[{index}] : {b.host}
{widen('%got', '%wide', b.type)}
%bad = func.call @differs(%wide, %want, %bound{n}) : (f64, f64, f64) -> i64
%next = arith.addi %count, %bad : i64
"""
            s += counting_loops(b.shape, inner, wrong, f"%wrong{n}")
            wrong = f"%wrong{n}"
        s += f"""    %status = call @report({wrong}) : (i64) -> i32
    return %status : i32
  }}
}}
"""
        return s


def loops(shape, inner):
    s = "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
    for d, n in enumerate(shape):
        s += f"    %e{d} = arith.constant {n} : index\n    scf.for %i{d} = %c0 to %e{d} step %c1 {{\n"
    return s + inner + "    }\n" * len(shape)


def counting_loops(shape, inner, start, result):
    """Emits loops over a shape that carry a count; `inner` computes %next from %count."""
    s, n = "", len(shape)
    for d, size in enumerate(shape):
        s += f"{result}_e{d} = arith.constant {size} : index\n"
    for d in range(n):
        before = start if d == 0 else f"%count{d - 1}"
        after = result if d == 0 else f"{result}_{d}"
        argument = "%count" if d == n - 1 else f"%count{d}"
        s += f"{after} = scf.for %i{d} = %c0 to {result}_e{d} step %c1 iter_args({argument} = {before}) -> (i64) {{\n"
    s += inner + "scf.yield %next : i64\n}\n"
    for d in range(n - 2, -1, -1):
        s += f"scf.yield {result}_{d + 1} : i64\n}}\n"
    return s


def is_float(type):
    return "f" in type


def widen(value, name, type):
    if type == "f64":
        return f"{name} = arith.addf {value}, %zero_f64 : f64"
    return f"{name} = arith.{'extf' if is_float(type) else 'sitofp'} {value} : {type} to f64"


def fill(b):
    if "=" in b.init:
        value = b.init
    elif b.init == "zero":
        value = f"%v = arith.constant 0{'.0' if is_float(b.type) else ''} : {b.type}"
    else:
        span, low = (17, 8) if b.init == "pattern" else (4, 0)
        s = f"%n0 = arith.constant {len(b.name) + ord(b.name[0]) % 7} : index\n"
        last = "%n0"
        for d in range(len(b.shape)):
            s += f"""%p{d} = arith.constant {(7, 5, 11)[d]} : index
%m{d} = arith.muli %i{d}, %p{d} : index
%q{d} = arith.muli %i{d}, %m{d} : index
%x{d} = arith.addi %q{d}, {last} : index
%s{d} = arith.addi %x{d}, %m{d} : index
"""
            last = f"%s{d}"
        s += f"""%span = arith.constant {span} : index
%rem = arith.remui {last}, %span : index
%int = arith.index_cast %rem : index to i32
%low = arith.constant {low} : i32
%num = arith.subi %int, %low : i32
"""
        if is_float(b.type):
            scale = 8.0 if b.init == "pattern" else 1.0
            s += f"""%flt = arith.sitofp %num : i32 to {b.type}
%scale = arith.constant {scale} : {b.type}
%v = arith.divf %flt, %scale : {b.type}
"""
        elif b.type == "i32":
            s += "%zero = arith.constant 0 : i32\n%v = arith.addi %num, %zero : i32"
        else:
            s += f"%v = arith.{'trunci' if b.type in ('i8', 'i16') else 'extsi'} %num : i32 to {b.type}"
        value = s
    index = ", ".join(f"%i{d}" for d in range(len(b.shape)))
    return value + f"\nmemref.store %v, %m[{index}] : {b.host}\n"


def sum_over(extent, inner, result="%want", start="%zero_f64"):
    """MLIR that adds up `%term : f64` of `inner` for %k below `extent`."""
    return f"""%extent = arith.constant {extent} : index
{result} = scf.for %k = %c0 to %extent step %c1 iter_args(%sum = {start}) -> (f64) {{
{inner}
%next = arith.addf %sum, %term : f64
scf.yield %next : f64
}}"""


CONSTANTS = """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero_f64 = arith.constant 0.0 : f64
"""

HEAD = """  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\\0A\\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL, %ld elements differ\\0A\\00") {addr_space = 0 : i32}
  // 1 if the error, relative to max(1, |want|), is more than `bound` or NaN.
  func.func private @differs(%got: f64, %want: f64, %bound: f64) -> i64 {
    %one = arith.constant 1.0 : f64
    %diff = arith.subf %got, %want : f64
    %abs = math.absf %diff : f64
    %size = math.absf %want : f64
    %scale = arith.maximumf %size, %one : f64
    %most = arith.mulf %scale, %bound : f64
    %ok = arith.cmpf ole, %abs, %most : f64
    %no = arith.constant 0 : i64
    %yes = arith.constant 1 : i64
    %r = arith.select %ok, %no, %yes : i64
    return %r : i64
  }
  func.func private @report(%wrong: i64) -> i32 {
    %none = arith.constant 0 : i64
    %good = arith.cmpi eq, %wrong, %none : i64
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
"""
