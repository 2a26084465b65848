"""Values at the edges of their types: NaN, infinities, denormals, wrapping integers, conversions and bits."""

import numpy as np

from elements import round_to, to_bits
from forms import form
from programs import integers, normal
from reference import erf
from texts import fill, generic

I64 = np.int64
SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 1.17e-38, 3.4e38, np.inf, -np.inf, np.nan, 0.5, -2.5, 1e-20, 88.8, -104.5],
    np.float32,
)
PAIRS = (np.repeat(SPECIAL, 16), np.tile(SPECIAL, 16))


def binary(name, op, arguments, expected, tolerance=0, **options):
    form(name, arguments, f"%r = {op} %a, %b : $a", expected, tolerance, **options)


def fold_left(function, values, start):
    for value in values:
        start = function(start, value)
    return start


def quiet(function):
    def run(*arguments):
        with np.errstate(all="ignore"):
            return function(*arguments)

    return run


for name, function in [
    ("addf", np.add),
    ("subf", np.subtract),
    ("mulf", np.multiply),
    ("divf", np.divide),
    ("maximumf", np.maximum),
    ("minimumf", np.minimum),
    ("maxnumf", np.fmax),
    ("minnumf", np.fmin),
    ("remf", np.fmod),
]:
    binary(f"special-{name}", f"arith.{name}", PAIRS, quiet(function), 1e-7 if name == "divf" else 0)
WIDE = [v.astype(np.float64) for v in PAIRS]
for name, function in [("divf", np.divide), ("remf", np.fmod), ("minimumf", np.minimum)]:
    binary(f"special-{name}-f64", f"arith.{name}", WIDE, quiet(function))
HALF = [v.astype(np.float16) for v in (np.clip(PAIRS[0], -9e4, 9e4), np.clip(PAIRS[1], -9e4, 9e4))]
for name, function in [("mulf", np.multiply), ("maxnumf", np.fmax), ("divf", np.divide)]:
    binary(f"special-{name}-f16", f"arith.{name}", HALF, quiet(function))


ZEROS = (np.array([0.0, -0.0, 0.0, -0.0, 2.0], np.float32), np.array([-0.0, 0.0, 0.0, -0.0, -3.0], np.float32))
form(
    "signs-of-zeros",
    list(ZEROS),
    "%t0 = arith.negf %a : $a\n%t1 = math.copysign %b, %a : $a\n%r = arith.bitcast %t0 : $a to $r\n"
    "%s = arith.bitcast %t1 : $a to $s",
    lambda x, y: ((-x).view(np.int32), np.copysign(y, x).view(np.int32)),
    0,
)
for name, function, tolerance in [
    ("sqrt", np.sqrt, 1e-6),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 1e-6),
    ("exp", np.exp, 1e-6),
    ("exp2", np.exp2, 1e-6),
    ("log", np.log, 1e-6),
    ("log1p", np.log1p, 1e-6),
    ("expm1", np.expm1, 1e-6),
    ("tanh", np.tanh, 1e-6),
    ("erf", erf, 1e-6),
    ("cbrt", np.cbrt, 1e-6),
    ("floor", np.floor, 0),
    ("ceil", np.ceil, 0),
    ("trunc", np.trunc, 0),
    ("roundeven", np.rint, 0),
    ("absf", np.abs, 0),
    ("sinh", np.sinh, 1e-6),
    ("cosh", np.cosh, 1e-6),
    ("atan", np.arctan, 1e-6),
    ("asinh", np.arcsinh, 1e-6),
    ("log10", np.log10, 1e-6),
    ("log2", np.log2, 1e-6),
]:
    form(f"special-{name}", [SPECIAL], f"%r = math.{name} %a : $a", quiet(function), tolerance)
    if name in ("sqrt", "exp", "log", "tanh", "floor", "roundeven", "rsqrt"):
        form(
            f"special-{name}-f64", [SPECIAL.astype(np.float64)], f"%r = math.{name} %a : $a", quiet(function), tolerance
        )
        half = np.clip(SPECIAL, -9e4, 9e4).astype(np.float16)
        form(
            f"special-{name}-f16",
            [half],
            f"%r = math.{name} %a : $a",
            lambda x, f=function: quiet(f)(x.astype(np.float32)).astype(np.float16),
            2e-3,
        )
GRID = (np.repeat(np.array([0, -0.0, 1, -1, 2, -2, 0.5, np.inf, -np.inf, np.nan], np.float32), 10),)
GRID = (GRID[0], np.tile(np.array([0, -0.0, 1, -1, 2, -3, 0.5, np.inf, -np.inf, np.nan], np.float32), 10))
binary("special-powf", "math.powf", GRID, quiet(np.power), 1e-6)
binary("special-atan2", "math.atan2", GRID, quiet(np.arctan2), 1e-6)
form(
    "special-fma",
    [GRID[0], GRID[1], GRID[1][::-1].copy()],
    "%r = math.fma %a, %b, %c : $a",
    quiet(lambda x, y, z: x * y + z),
    1e-6,
)
form(
    "powers-of-integers",
    [np.repeat(np.array([0, 1, -1, 2, -3, 7], np.int32), 7), np.tile(np.arange(-3, 4, dtype=np.int32), 6)],
    "%f = arith.sitofp %a : $a to tensor<42xf32>\n%r = math.fpowi %f, %b : tensor<42xf32>, $b\n"
    "%one = arith.constant dense<1> : $a\n%g = arith.maxsi %b, %one : $b\n%s = math.ipowi %a, %g : $a",
    quiet(lambda x, n: (np.power(x.astype(np.float64), n).astype(np.float32), np.power(x, np.maximum(n, 1)))),
    1e-5,
)

# Integers.
EDGES = {
    np.int8: [0, 1, -1, 127, -128, 64, -7, 5],
    np.int16: [0, 1, -1, 32767, -32768, 300, -7, 5],
    np.int32: [0, 1, -1, 2**31 - 1, -(2**31), 65537, -7, 5],
    I64: [0, 1, -1, 2**63 - 1, -(2**63), 2**32 + 1, -7, 5],
}


def wide(x):
    return x.astype(object)


def wrap(x, dtype):
    bits = np.dtype(dtype).itemsize * 8
    return np.array([((int(v) + (1 << bits - 1)) % (1 << bits)) - (1 << bits - 1) for v in x.ravel()], dtype)


def unsigned(x):
    bits = x.dtype.itemsize * 8
    return np.array([int(v) % (1 << bits) for v in x], object)


def truncated(x, y):
    return np.array([abs(int(p)) // abs(int(q)) * (1 if (p < 0) == (q < 0) else -1) for p, q in zip(x, y)], object)


for dtype, edges in EDGES.items():
    values = np.array(edges, dtype)
    x, y = np.repeat(values, 8), np.tile(values, 8)
    divisible = (y != 0) & ~((x == values[4]) & (y == -1))
    p, q = x[divisible], y[divisible]
    bits = np.dtype(dtype).itemsize * 8
    amount = np.tile(np.array([0, 1, bits - 1, bits // 2], dtype), 16)
    name = np.dtype(dtype).name
    for op, function in [
        ("divsi", lambda a, b: truncated(a, b)),
        ("remsi", lambda a, b: wide(a) - truncated(a, b) * wide(b)),
        ("floordivsi", lambda a, b: np.array([int(v) // int(w) for v, w in zip(a, b)], object)),
        ("ceildivsi", lambda a, b: np.array([-(-int(v) // int(w)) for v, w in zip(a, b)], object)),
        ("divui", lambda a, b: unsigned(a) // unsigned(b)),
        ("remui", lambda a, b: unsigned(a) % unsigned(b)),
        ("ceildivui", lambda a, b: -(-unsigned(a) // unsigned(b))),
    ]:
        binary(f"edges-{op}-{name}", f"arith.{op}", [p, q], lambda a, b, f=function, d=dtype: wrap(f(a, b), d))
    for op, function in [
        ("addi", lambda a, b: wide(a) + wide(b)),
        ("muli", lambda a, b: wide(a) * wide(b)),
        ("minui", lambda a, b: np.minimum(unsigned(a), unsigned(b))),
        ("maxsi", lambda a, b: np.maximum(wide(a), wide(b))),
        ("xori", lambda a, b: a ^ b),
    ]:
        binary(f"edges-{op}-{name}", f"arith.{op}", [x, y], lambda a, b, f=function, d=dtype: wrap(f(a, b), d))
    for op, function in [
        ("shli", lambda a, b: wide(a) << wide(b)),
        ("shrsi", lambda a, b: wide(a) >> wide(b)),
        ("shrui", lambda a, b: unsigned(a) >> wide(b)),
    ]:
        binary(f"edges-{op}-{name}", f"arith.{op}", [x, amount], lambda a, b, f=function, d=dtype: wrap(f(a, b), d))
    form(
        f"edges-products-{name}",
        [x, y],
        "%r, %s = arith.mulsi_extended %a, %b : $a\n%t, %u = arith.mului_extended %a, %b : $a",
        lambda a, b, d=dtype, n=bits: (
            wrap(wide(a) * wide(b), d),
            wrap(wide(a) * wide(b) >> n, d),
            wrap(unsigned(a) * unsigned(b), d),
            wrap(unsigned(a) * unsigned(b) >> n, d),
        ),
        0,
    )
    form(
        f"edges-bits-{name}",
        [values],
        "%r = math.ctlz %a : $a\n%s = math.cttz %a : $a\n%t = math.ctpop %a : $a\n%u = math.absi %a : $a",
        lambda a, d=dtype, n=bits: (
            np.array([n - int(v).bit_length() for v in unsigned(a)], d),
            np.array([min(n, (int(v) & -int(v)).bit_length() - 1) if v else n for v in unsigned(a)], d),
            np.array([bin(int(v)).count("1") for v in unsigned(a)], d),
            wrap(np.abs(wide(a)), d),
        ),
        0,
    )
    form(
        f"edges-compare-{name}",
        [x, y],
        "".join(
            f"%{letter} = arith.cmpi {predicate}, %a, %b : $a\n"
            for letter, predicate in zip("rstu", ("ult", "slt", "uge", "sge"))
        ),
        lambda a, b: (unsigned(a) < unsigned(b), a < b, unsigned(a) >= unsigned(b), a >= b),
        0,
    )

# Conversions.
ROUNDED = np.array(
    [
        0,
        1,
        1 + 2**-8,
        1 + 2**-9,
        1 + 3 * 2**-9,
        65504,
        65519.9,
        65520,
        3e38,
        3.395e38,
        6e-8,
        2.9e-8,
        3e-8,
        1e-40,
        -2.5e-5,
        np.inf,
        -np.inf,
        np.nan,
        448,
        464,
        465,
        1e-3,
        -240,
        57344,
        61440,
        2**-9,
        2**-10,
        2**-10 * 1.01,
    ],
    np.float32,
)


def bf16(x):
    bits = x.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), 0x7FC0, rounded).astype(np.uint16)


def compare_bf16(x):
    return bf16(x), (bf16(x).astype(np.uint32) << 16).view(np.float32)


form(
    "round-to-bf16",
    [ROUNDED[~np.isnan(ROUNDED)]],
    "%r = arith.truncf %a : $a to $r\n%s = arith.extf %r : $r to $s",
    compare_bf16,
    0,
)
form("round-to-f16", [ROUNDED], "%r = arith.truncf %a : $a to $r", quiet(lambda x: x.astype(np.float16)), 0)
form(
    "round-f64-once",
    [
        np.array(
            [
                1 + 2**-11 + 2**-40,
                1 + 2**-11,
                1 + 2**-24 + 2**-50,
                1 + 2**-24,
                1e-46,
                7.1e-46,
                3.5e38,
                2.0**-24,
            ]
        )
    ],
    "%r = arith.truncf %a : $a to $r\n%s = arith.truncf %a : $a to $s",
    quiet(lambda x: (x.astype(np.float32), x.astype(np.float16))),
    0,
)
FINITE = np.array(
    [0, 0.25, -1.5, 17, 19, 21, 240, -208, 2**-9, 2**-10, 3 * 2**-10, 0.01, 1.0625, 1.1875], np.float32
)
for element in ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"):
    form(
        f"round-to-{element.lower()}",
        [FINITE],
        f"%t0 = arith.truncf %a : $a to tensor<14x{element}>\n%r = arith.bitcast %t0 : tensor<14x{element}> to $r\n"
        f"%s = arith.extf %t0 : tensor<14x{element}> to $s\n%t = arith.extf %t0 : tensor<14x{element}> to $t",
        lambda x, e=element: (
            to_bits(round_to(x, e), e).view(np.int8),
            round_to(x, e),
            round_to(x, e).astype(np.float16),
        ),
        0,
    )
INTS = np.array([0, 1, -1, 127, -128, 2**24 + 1, 2**31 - 1, -(2**31)], np.int32)
form(
    "integers-to-floats",
    [INTS],
    "%r = arith.sitofp %a : $a to $r\n%s = arith.uitofp %a : $a to $s\n%t = arith.sitofp %a : $a to $t\n"
    "%u = arith.uitofp %a : $a to $u",
    lambda x: (
        x.astype(np.float32),
        x.view(np.uint32).astype(np.float32),
        x.astype(np.float64),
        x.view(np.uint32).astype(np.float64),
    ),
    0,
)
LONG = np.array(
    [0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63), 2**24 + 1, 2**40 + 2**16 + 1, 2**40 + 2**16], I64
)
form(
    "long-integers-to-floats",
    [LONG],
    "%r = arith.sitofp %a : $a to $r\n%s = arith.uitofp %a : $a to $s\n%t = arith.sitofp %a : $a to $t\n"
    "%u = arith.uitofp %a : $a to $u",
    lambda x: (
        x.astype(np.float32),
        x.view(np.uint64).astype(np.float32),
        x.astype(np.float64),
        x.view(np.uint64).astype(np.float64),
    ),
    0,
)
form(
    "bytes-to-floats",
    [np.array([0, 1, -1, 127, -128, 77], np.int8)],
    "%r = arith.sitofp %a : $a to $r\n%s = arith.uitofp %a : $a to $s\n%t = arith.uitofp %a : $a to $t\n"
    "%u = arith.extui %a : $a to $u",
    lambda x: (
        x.astype(np.float32),
        x.view(np.uint8).astype(np.float32),
        x.view(np.uint8).astype(np.float16),
        x.view(np.uint8).astype(I64),
    ),
    0,
)
form(
    "booleans-to-numbers",
    [np.array([True, False, True])],
    "%r = arith.sitofp %a : $a to $r\n%s = arith.uitofp %a : $a to $s\n%t = arith.extsi %a : $a to $t\n"
    "%u = arith.extui %a : $a to $u",
    lambda x: (-x.astype(np.float32), x.astype(np.float16), -x.astype(np.int8), x.astype(I64)),
    0,
)
form(
    "floats-to-integers",
    [np.array([0.9, -0.9, 1.5, 126.99, -127.5, 0, -0.0], np.float32)],
    "%r = arith.fptosi %a : $a to $r\n%s = arith.fptosi %a : $a to $s\n%h = arith.truncf %a : $a to tensor<7xf16>\n"
    "%t = arith.fptosi %h : tensor<7xf16> to $t\n%d = arith.extf %a : $a to tensor<7xf64>\n"
    "%u = arith.fptosi %d : tensor<7xf64> to $u",
    lambda x: (x.astype(np.int8), x.astype(np.int16), x.astype(np.float16).astype(np.int32), x.astype(I64)),
    0,
)
form(
    "floats-to-unsigned",
    [np.array([0.9, 255.4, 4.0e9, 65535, 2147483648.0], np.float32)],
    "%r = arith.fptoui %a : $a to $r\n%s = arith.fptoui %a : $a to $s\n%d = arith.extf %a : $a to tensor<5xf64>\n"
    "%t = arith.fptoui %d : tensor<5xf64> to $t",
    lambda x: tuple(x.astype(I64).astype(t) for t in (np.int32, I64, np.int32)),
    0,
)
form(
    "bitcasts",
    [SPECIAL, normal(16, dtype=np.float64), normal(16, seed=2, dtype=np.float16)],
    "%r = arith.bitcast %a : $a to $r\n%s = arith.bitcast %b : $b to $s\n%t = tensor.bitcast %c : $c to $t\n"
    "%h = arith.bitcast %t : $t to tensor<16xbf16>\n%u = arith.extf %h : tensor<16xbf16> to $u",
    lambda x, y, z: (
        x.view(np.int32),
        y.view(I64),
        z.view(np.int16),
        (z.view(np.uint16).astype(np.uint32) << 16).view(np.float32),
    ),
    0,
)
form(
    "selects-with-nan",
    [SPECIAL],
    "%zero = arith.constant dense<0.0> : $a\n%p = arith.cmpf ogt, %a, %zero : $a\n"
    "%q = arith.cmpf ugt, %a, %zero : $a\n%r = arith.select %p, %a, %zero : tensor<16xi1>, $a\n"
    "%s = arith.select %q, %a, %zero : tensor<16xi1>, $a\n%n = arith.cmpf uno, %a, %a : $a\n"
    "%t = arith.select %n, %zero, %a : tensor<16xi1>, $a",
    quiet(lambda x: (np.where(x > 0, x, 0), np.where(~(x <= 0), x, 0), np.where(np.isnan(x), 0, x))),
    0,
)
form(
    "reductions-of-nan",
    [np.stack([SPECIAL, SPECIAL[::-1], np.where(np.isfinite(SPECIAL), SPECIAL, 1)]).astype(np.float32)],
    fill("%i0", "$r", "0xFF800000")
    + fill("%i1", "$s", "0xFF800000")
    + fill("%i2", "$t", "0x7F800000")
    + generic(
        "%q:3",
        "ij->i,i,i",
        "%a $a f32",
        "%i0 $r f32; %i1 $s f32; %i2 $t f32",
        "%u = arith.maximumf %x0, %y0 : f32\n%v = arith.maxnumf %x0, %y1 : f32\n%w = arith.minnumf %x0, %y2 : f32\n"
        "yield %u f32, %v f32, %w f32",
        "j",
    )
    + "%r = tensor.cast %q#0 : $r to $r\n%s = tensor.cast %q#1 : $s to $s\n%t = tensor.cast %q#2 : $t to $t",
    quiet(lambda x: (x.max(1), np.fmax.reduce(x, 1), np.fmin.reduce(x, 1))),
    0,
)
form(
    "sum-overflows-f16",
    [np.full((3, 9), 30000, np.float16) * np.array([1, -1, 0.001], np.float16)[:, None]],
    fill("%t0", "$r", "0.0", "f16")
    + generic("%r", "ij->i", "%a $a f16", "%t0 $r f16", "%v = arith.addf %y0, %x0 : f16\nyield %v f16", "j"),
    lambda x: np.array([np.inf, -np.inf, 270], np.float16),
    1e-2,
)
form(
    "saturating-sums",
    [integers(4, 30, low=-60, high=60, dtype=np.int8)],
    fill("%t0", "$r", "0", "i8")
    + "%hi = arith.constant 127 : i16\n%lo = arith.constant -128 : i16\n"
    + generic(
        "%r",
        "ij->i",
        "%a $a i8",
        "%t0 $r i8",
        "%p = arith.extsi %x0 : i8 to i16\n%q = arith.extsi %y0 : i8 to i16\n%s0 = arith.addi %p, %q : i16\n"
        "%t9 = arith.minsi %s0, %hi : i16\n%u = arith.maxsi %t9, %lo : i16\n%v = arith.trunci %u : i16 to i8\n"
        "yield %v i8",
        "j",
    ),
    lambda x: np.array([fold_left(lambda s, v: max(-128, min(127, s + int(v))), row, 0) for row in x], np.int8),
    0,
)
