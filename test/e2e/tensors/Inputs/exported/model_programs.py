"""Parts of models: recurrent cells, attention, normalization, losses, optimizers and quantized layers."""

import numpy as np

from forms import form
from programs import integers, normal, softmax
from reference import layer_norm, sigmoid
from texts import dims, empty, fill, generic, mapped

I64 = np.int64
INDICES = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 4, 5))
SUM = "%v = arith.addf %y0, %x0 : f32\nyield %v f32"
MAC = "%p = arith.mulf %x0, %x1 : f32\n%v = arith.addf %y0, %p : f32\nyield %v f32"


def unary(result, source, type, body, letters="ij", element="f32"):
    """An elementwise op on one tensor; the body computes %v from %x0."""
    return empty(f"{result}_o", type) + generic(
        result,
        f"{letters}->{letters}",
        f"{source} {type} {element}",
        f"{result}_o {type} {element}",
        f"{body}\nyield %v {element}",
    )


SIGMOID = (
    "%{0}n = arith.negf {1} : f32\n%{0}e = math.exp %{0}n : f32\n%{0}s = arith.addf %{0}e, %one : f32\n"
    "%{0} = arith.divf %one, %{0}s : f32\n"
)


def lstm(x, w, u, b):
    h, c, out = np.zeros((2, 4), np.float32), np.zeros((2, 4), np.float32), []
    for t in range(len(x)):
        i, f, g, o = np.split(x[t] @ w + h @ u + b, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        out.append(h)
    return np.stack(out), h, c


form(
    "lstm",
    [normal(5, 2, 3), normal(3, 16, seed=1), normal(4, 16, seed=2), normal(16, seed=3)],
    INDICES
    + dims("%a", "$a", 0)
    + "%one = arith.constant 1.0 : f32\n"
    + fill("%h0", "$s")
    + empty("%start", "$r", "%a0")
    + empty("%g", "tensor<2x16xf32>")
    + "%r, %s, %t = scf.for %i = %c0 to %a0 step %c1 iter_args(%y = %start, %h = %h0, %m = %h0) -> ($r, $s, $t) {\n"
    "%x = tensor.extract_slice %a[%i, 0, 0] [1, 2, 3] [1, 1, 1] : $a to tensor<2x3xf32>\n"
    "%t0 = linalg.broadcast ins(%d : $d) outs(%g : tensor<2x16xf32>) dimensions = [0]\n"
    "%t1 = linalg.matmul ins(%x, %b : tensor<2x3xf32>, $b) outs(%t0 : tensor<2x16xf32>) -> tensor<2x16xf32>\n"
    "%t2 = linalg.matmul ins(%h, %c : $s, $c) outs(%t1 : tensor<2x16xf32>) -> tensor<2x16xf32>\n"
    + "".join(
        f"%q{n} = tensor.extract_slice %t2[0, {4 * n}] [2, 4] [1, 1] : tensor<2x16xf32> to $s\n" for n in range(4)
    )
    + generic(
        "%z:2",
        "ij,ij,ij,ij,ij->ij,ij",
        "; ".join(f"{v} $s f32" for v in ("%q0", "%q1", "%q2", "%q3", "%m")),
        "%h0_e $s f32; %h0_e $s f32",
        SIGMOID.format("u", "%x0")
        + SIGMOID.format("f", "%x1")
        + SIGMOID.format("o", "%x3")
        + "%k = math.tanh %x2 : f32\n%k1 = arith.mulf %u, %k : f32\n%k2 = arith.mulf %f, %x4 : f32\n"
        "%k3 = arith.addf %k1, %k2 : f32\n%k4 = math.tanh %k3 : f32\n%k5 = arith.mulf %o, %k4 : f32\n"
        "yield %k3 f32, %k5 f32",
    )
    + "%y2 = tensor.insert_slice %z#1 into %y[%i, 0, 0] [1, 2, 4] [1, 1, 1] : $s into $r\n"
    "scf.yield %y2, %z#1, %z#0 : $r, $s, $t\n}",
    lstm,
    1e-4,
    types={"a": "tensor<?x2x3xf32>", "r": "tensor<?x2x4xf32>"},
)


def attention(q, k, v, allowed, scale=0.25):
    with np.errstate(all="ignore"):
        return softmax(np.where(allowed, q @ k.swapaxes(-1, -2) * np.float32(scale), np.float32(-1e30))) @ v


def attend(name, arguments, score, expected, heads=(2, 9, 11, 16), prologue=""):
    """Attention of which the text computes a score %v from the product %x0 and the indices %i, %j, %k."""
    h, m, n, _ = heads
    scores = f"tensor<{h}x{m}x{n}xf32>"
    form(
        name,
        arguments,
        prologue
        + fill("%t0", scores)
        + generic("%t1", "hik,hjk->hij", "%a $a f32; %b $b f32", f"%t0 {scores} f32", MAC, "k")
        + generic(
            "%t2",
            "hij->hij",
            f"%t1 {scores} f32",
            f"%t0_e {scores} f32",
            "%h = linalg.index 0 : index\n%i = linalg.index 1 : index\n%j = linalg.index 2 : index\n"
            + score
            + "yield %v f32",
        )
        + f"%t3 = linalg.softmax dimension(2) ins(%t2 : {scores}) outs(%t0_e : {scores}) -> {scores}\n"
        + fill("%t4", "$r")
        + f"%r = linalg.batch_matmul ins(%t3, %c : {scores}, $c) outs(%t4 : $r) -> $r",
        expected,
        1e-3,
    )


QKV = [normal(2, 9, 16), normal(2, 11, 16, seed=1), normal(2, 11, 16, seed=2)]
CONSTANTS = "%scale = arith.constant 0.25 : f32\n%low = arith.constant -1.0e30 : f32\n" + INDICES
attend(
    "attention-sliding-window",
    QKV,
    "%u = arith.mulf %x0, %scale : f32\n%i2 = arith.addi %i, %c2 : index\n%p = arith.cmpi ule, %j, %i2 : index\n"
    "%j3 = arith.addi %j, %c3 : index\n%q = arith.cmpi ugt, %j3, %i2 : index\n%in = arith.andi %p, %q : i1\n"
    "%v = arith.select %in, %u, %low : f32\n",
    lambda q, k, v: attention(
        q, k, v, (np.arange(11) <= np.arange(9)[:, None] + 2) & (np.arange(11) + 3 > np.arange(9)[:, None] + 2)
    ),
    prologue=CONSTANTS,
)
attend(
    "attention-soft-cap",
    QKV,
    "%cap = arith.constant 5.0 : f32\n%u = arith.mulf %x0, %scale : f32\n%w = arith.divf %u, %cap : f32\n"
    "%t9 = math.tanh %w : f32\n%v = arith.mulf %t9, %cap : f32\n",
    lambda q, k, v: softmax(np.tanh(q @ k.swapaxes(1, 2) * np.float32(0.25 / 5)) * 5) @ v,
    prologue=CONSTANTS,
)
attend(
    "attention-linear-bias",
    [*QKV, np.array([0.5, 0.125], np.float32)],
    "%u = arith.mulf %x0, %scale : f32\n%m = tensor.extract %d[%h] : $d\n%o = arith.subi %j, %i : index\n"
    "%o1 = arith.index_cast %o : index to i64\n%o2 = arith.sitofp %o1 : i64 to f32\n%o3 = arith.mulf %o2, %m : f32\n"
    "%v = arith.addf %u, %o3 : f32\n",
    lambda q, k, v, s: softmax(
        q @ k.swapaxes(1, 2) * np.float32(0.25)
        + s[:, None, None] * (np.arange(11) - np.arange(9)[:, None]).astype(np.float32)
    )
    @ v,
    prologue=CONSTANTS,
)
attend(
    "attention-of-documents",
    [*QKV, np.array([0, 0, 1, 1, 1, 2, 2, 2, 2], np.int32), np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2], np.int32)],
    "%u = arith.mulf %x0, %scale : f32\n%m = tensor.extract %d[%i] : $d\n%n = tensor.extract %e[%j] : $e\n"
    "%same = arith.cmpi eq, %m, %n : i32\n%v = arith.select %same, %u, %low : f32\n",
    lambda q, k, v, s, t: attention(q, k, v, s[:, None] == t),
    prologue=CONSTANTS,
)


def decode(q, k, v, n, e):
    k = k.copy()
    k[:, e] = n[:, 0]
    return softmax(q @ k[:, : e + 1].swapaxes(1, 2) * np.float32(0.25)) @ v[:, : e + 1], k


form(
    "attention-decode-step",
    [normal(2, 1, 16), normal(2, 20, 16, seed=1), normal(2, 20, 16, seed=2), normal(2, 1, 16, seed=3), 13],
    "%scale = arith.constant 0.25 : f32\n%c1 = arith.constant 1 : index\n%n = arith.addi %e, %c1 : index\n"
    "%k = tensor.insert_slice %d into %b[0, %e, 0] [2, 1, 16] [1, 1, 1] : $d into $b\n"
    "%ks = tensor.extract_slice %k[0, 0, 0] [2, %n, 16] [1, 1, 1] : $b to tensor<2x?x16xf32>\n"
    "%vs = tensor.extract_slice %c[0, 0, 0] [2, %n, 16] [1, 1, 1] : $c to tensor<2x?x16xf32>\n"
    + fill("%t0", "tensor<2x1x?xf32>", sizes="%n")
    + generic(
        "%t1",
        "hik,hjk->hij",
        "%a $a f32; %ks tensor<2x?x16xf32> f32",
        "%t0 tensor<2x1x?xf32> f32",
        "%q = arith.mulf %x0, %scale : f32\n%p = arith.mulf %q, %x1 : f32\n%v = arith.addf %y0, %p : f32\n"
        "yield %v f32",
        "k",
    )
    + "%t2 = linalg.softmax dimension(2) ins(%t1 : tensor<2x1x?xf32>) outs(%t0_e : tensor<2x1x?xf32>)\n"
    "-> tensor<2x1x?xf32>\n"
    + fill("%t3", "$r")
    + "%r = linalg.batch_matmul ins(%t2, %vs : tensor<2x1x?xf32>, tensor<2x?x16xf32>) outs(%t3 : $r) -> $r\n"
    "%s = tensor.cast %k : $b to $s",
    decode,
    1e-4,
)


def linear_attention(q, k, v):
    weights = np.tril(q @ k.T)
    return weights @ v / weights.sum(1, keepdims=True)


form(
    "attention-linear",
    [normal(7, 8), normal(7, 8, seed=1), normal(7, 6, seed=2)],
    INDICES
    + "%one = arith.constant 1.0 : f32\n%zero = arith.constant 0.0 : f32\n%c7 = arith.constant 7 : index\n"
    + unary("%q", "%a", "$a", "%m = arith.maximumf %x0, %zero : f32\n%v = arith.addf %m, %one : f32")
    + unary("%k", "%b", "$b", "%m = arith.maximumf %x0, %zero : f32\n%v = arith.addf %m, %one : f32")
    + fill("%s0", "tensor<8x6xf32>")
    + fill("%n0", "tensor<8xf32>")
    + empty("%o0", "$r")
    + fill("%z6", "tensor<6xf32>")
    + fill("%z1", "tensor<f32>")
    + "%r, %u, %w = scf.for %i = %c0 to %c7 step %c1 iter_args(%o = %o0, %s9 = %s0, %n = %n0)\n"
    "-> ($r, tensor<8x6xf32>, tensor<8xf32>) {\n"
    "%qi = tensor.extract_slice %q[%i, 0] [1, 8] [1, 1] : $a to tensor<8xf32>\n"
    "%ki = tensor.extract_slice %k[%i, 0] [1, 8] [1, 1] : $b to tensor<8xf32>\n"
    "%vi = tensor.extract_slice %c[%i, 0] [1, 6] [1, 1] : $c to tensor<6xf32>\n"
    + generic("%s1", "i,j->ij", "%ki tensor<8xf32> f32; %vi tensor<6xf32> f32", "%s9 tensor<8x6xf32> f32", MAC)
    + "%n1 = arith.addf %n, %ki : tensor<8xf32>\n"
    "%y = linalg.vecmat ins(%qi, %s1 : tensor<8xf32>, tensor<8x6xf32>) outs(%z6 : tensor<6xf32>) -> tensor<6xf32>\n"
    "%d = linalg.dot ins(%qi, %n1 : tensor<8xf32>, tensor<8xf32>) outs(%z1 : tensor<f32>) -> tensor<f32>\n"
    + generic(
        "%x",
        "i,->i",
        "%y tensor<6xf32> f32; %d tensor<f32> f32",
        "%z6_e tensor<6xf32> f32",
        "%v = arith.divf %x0, %x1 : f32\nyield %v f32",
    )
    + "%o1 = tensor.insert_slice %x into %o[%i, 0] [1, 6] [1, 1] : tensor<6xf32> into $r\n"
    "scf.yield %o1, %s1, %n1 : $r, tensor<8x6xf32>, tensor<8xf32>\n}",
    lambda q, k, v: linear_attention(np.maximum(q, 0) + 1, np.maximum(k, 0) + 1, v),
    1e-4,
)


def scan(x, a, b, c):
    h, out = np.zeros((3, 4), np.float32), []
    for t in range(6):
        h = h * np.exp(a) + x[t][:, None] * b[t]
        out.append((h * c[t]).sum(1))
    return np.stack(out)


form(
    "selective-scan",
    [normal(6, 3), -np.abs(normal(3, 4, seed=1)), normal(6, 4, seed=2), normal(6, 4, seed=3)],
    INDICES
    + "%c6 = arith.constant 6 : index\n"
    + fill("%h0", "$b")
    + empty("%o0", "$r")
    + fill("%z", "tensor<3xf32>")
    + "%e = math.exp %b : $b\n"
    "%r, %last = scf.for %i = %c0 to %c6 step %c1 iter_args(%o = %o0, %h = %h0) -> ($r, $b) {\n"
    "%x = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : $a to tensor<3xf32>\n"
    "%bt = tensor.extract_slice %c[%i, 0] [1, 4] [1, 1] : $c to tensor<4xf32>\n"
    "%ct = tensor.extract_slice %d[%i, 0] [1, 4] [1, 1] : $d to tensor<4xf32>\n"
    + generic(
        "%h1",
        "ij,ij,i,j->ij",
        "%h $b f32; %e $b f32; %x tensor<3xf32> f32; %bt tensor<4xf32> f32",
        "%h0_e $b f32",
        "%p = arith.mulf %x0, %x1 : f32\n%q = arith.mulf %x2, %x3 : f32\n%v = arith.addf %p, %q : f32\nyield %v f32",
    )
    + "%y = linalg.matvec ins(%h1, %ct : $b, tensor<4xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>\n"
    "%o1 = tensor.insert_slice %y into %o[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into $r\n"
    "scf.yield %o1, %h1 : $r, $b\n}",
    scan,
    1e-4,
)

# Normalization.
STATS = (
    fill("%m0", "tensor<3xf32>")
    + "%n = arith.constant 40.0 : f32\n%eps = arith.constant 1.0e-5 : f32\n"
    + generic("%m1", "nchw->c", "%a $a f32", "%m0 tensor<3xf32> f32", SUM, "nhw")
    + generic(
        "%m", "c->c", "%m1 tensor<3xf32> f32", "%m0_e tensor<3xf32> f32", "%v = arith.divf %x0, %n : f32\nyield %v f32"
    )
    + generic(
        "%v1",
        "nchw,c->c",
        "%a $a f32; %m tensor<3xf32> f32",
        "%m0 tensor<3xf32> f32",
        "%u = arith.subf %x0, %x1 : f32\n%w = arith.mulf %u, %u : f32\n%v = arith.addf %y0, %w : f32\nyield %v f32",
        "nhw",
    )
    + generic(
        "%v2", "c->c", "%v1 tensor<3xf32> f32", "%m0_e tensor<3xf32> f32", "%v = arith.divf %x0, %n : f32\nyield %v f32"
    )
)


def batch_norm_training(x, g, b, mean, var):
    m, v = x.mean((0, 2, 3)), x.var((0, 2, 3))
    y = (x - m[:, None, None]) / np.sqrt(v[:, None, None] + 1e-5) * g[:, None, None] + b[:, None, None]
    return y, mean * np.float32(0.9) + m * np.float32(0.1), var * np.float32(0.9) + v * np.float32(0.1 * 40 / 39)


form(
    "batch-norm-running-statistics",
    [normal(2, 3, 4, 5), normal(3, seed=1), normal(3, seed=2), normal(3, seed=3), np.abs(normal(3, seed=4))],
    STATS
    + empty("%e0", "$r")
    + generic(
        "%r",
        "nchw,c,c,c,c->nchw",
        "%a $a f32; %m tensor<3xf32> f32; %v2 tensor<3xf32> f32; %b $b f32; %c $c f32",
        "%e0 $r f32",
        "%p = arith.subf %x0, %x1 : f32\n%q = arith.addf %x2, %eps : f32\n%s0 = math.rsqrt %q : f32\n"
        "%t9 = arith.mulf %p, %s0 : f32\n%u = arith.mulf %t9, %x3 : f32\n%v = arith.addf %u, %x4 : f32\nyield %v f32",
    )
    + "%keep = arith.constant dense<0.9> : $s\n%take = arith.constant dense<0.1> : $s\n"
    "%unbiased = arith.constant dense<0.1025641> : $s\n%k0 = arith.mulf %d, %keep : $s\n"
    "%k1 = arith.mulf %m, %take : $s\n%s = arith.addf %k0, %k1 : $s\n%l0 = arith.mulf %e, %keep : $s\n"
    "%l1 = arith.mulf %v2, %unbiased : $s\n%t = arith.addf %l0, %l1 : $s",
    batch_norm_training,
    1e-4,
)


def group_norm(x, g):
    y = x.reshape(len(x), 2, -1)
    y = (y - y.mean(2, keepdims=True)) / np.sqrt(y.var(2, keepdims=True) + 1e-5)
    return y.reshape(x.shape) * g[:, None, None]


form(
    "group-norm-dynamic-batch",
    [normal(3, 6, 4, 4), normal(6, seed=1)],
    INDICES + dims("%a", "$a", 0) + "%n = arith.constant 48.0 : f32\n%eps = arith.constant 1.0e-5 : f32\n"
    "%x = tensor.expand_shape %a [[0], [1, 2], [3], [4]] output_shape [%a0, 2, 3, 4, 4]\n"
    ": $a into tensor<?x2x3x4x4xf32>\n"
    "%w = tensor.expand_shape %b [[0, 1]] output_shape [2, 3] : $b into tensor<2x3xf32>\n"
    + fill("%t0", "tensor<?x2xf32>", sizes="%a0")
    + generic(
        "%t1:2",
        "ngchw->ng,ng",
        "%x tensor<?x2x3x4x4xf32> f32",
        "%t0 tensor<?x2xf32> f32; %t0 tensor<?x2xf32> f32",
        "%u = arith.addf %x0, %y0 : f32\n%s0 = arith.mulf %x0, %x0 : f32\n%v = arith.addf %s0, %y1 : f32\n"
        "yield %u f32, %v f32",
        "chw",
    )
    + empty("%e0", "tensor<?x2x3x4x4xf32>", "%a0")
    + generic(
        "%y",
        "ngchw,ng,ng,gc->ngchw",
        "%x tensor<?x2x3x4x4xf32> f32; %t1#0 tensor<?x2xf32> f32; %t1#1 tensor<?x2xf32> f32; %w tensor<2x3xf32> f32",
        "%e0 tensor<?x2x3x4x4xf32> f32",
        "%m = arith.divf %x1, %n : f32\n%q = arith.divf %x2, %n : f32\n%m2 = arith.mulf %m, %m : f32\n"
        "%var = arith.subf %q, %m2 : f32\n%ve = arith.addf %var, %eps : f32\n%rs = math.rsqrt %ve : f32\n"
        "%d = arith.subf %x0, %m : f32\n%f = arith.mulf %d, %rs : f32\n%v = arith.mulf %f, %x3 : f32\nyield %v f32",
    )
    + "%r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]] : tensor<?x2x3x4x4xf32> into $r",
    group_norm,
    1e-4,
    dynamic=False,
    types={"a": "tensor<?x6x4x4xf32>", "r": "tensor<?x6x4x4xf32>"},
)


form(
    "layer-norm-bf16",
    [(normal(4, 32).view(np.uint32) >> 16).astype(np.uint16), normal(32, seed=1)],
    "%n = arith.constant 32.0 : f32\n%eps = arith.constant 1.0e-5 : f32\n"
    + empty("%e0", "tensor<4x32xf32>")
    + generic(
        "%x", "ij->ij", "%a $a bf16", "%e0 tensor<4x32xf32> f32", "%v = arith.extf %x0 : bf16 to f32\nyield %v f32"
    )
    + fill("%t0", "tensor<4xf32>")
    + generic("%t1", "ij->i", "%x tensor<4x32xf32> f32", "%t0 tensor<4xf32> f32", SUM, "j")
    + unary("%m", "%t1", "tensor<4xf32>", "%v = arith.divf %x0, %n : f32", "i")
    + generic(
        "%t2",
        "ij,i->i",
        "%x tensor<4x32xf32> f32; %m tensor<4xf32> f32",
        "%t0 tensor<4xf32> f32",
        "%d = arith.subf %x0, %x1 : f32\n%q = arith.mulf %d, %d : f32\n%v = arith.addf %q, %y0 : f32\nyield %v f32",
        "j",
    )
    + unary(
        "%s0",
        "%t2",
        "tensor<4xf32>",
        "%p = arith.divf %x0, %n : f32\n%q = arith.addf %p, %eps : f32\n%v = math.rsqrt %q : f32",
        "i",
    )
    + empty("%e1", "tensor<4x32xbf16>")
    + generic(
        "%y",
        "ij,i,i,j->ij",
        "%x tensor<4x32xf32> f32; %m tensor<4xf32> f32; %s0 tensor<4xf32> f32; %b $b f32",
        "%e1 tensor<4x32xbf16> bf16",
        "%d = arith.subf %x0, %x1 : f32\n%p = arith.mulf %d, %x2 : f32\n%q = arith.mulf %p, %x3 : f32\n"
        "%v = arith.truncf %q : f32 to bf16\nyield %v bf16",
    )
    + "%r = arith.extf %y : tensor<4x32xbf16> to $r",
    lambda x, g: layer_norm((x.astype(np.uint32) << 16).view(np.float32), g, 0),
    2e-2,
)

# Losses and optimizers.
form(
    "negative-log-likelihood",
    [normal(6, 10), np.array([3, 9, -100, 0, 5, -100], I64)],
    "%ignored = arith.constant -100 : i64\n%zero = arith.constant 0.0 : f32\n%one = arith.constant 1.0 : f32\n"
    + fill("%m0", "tensor<6xf32>", "0xFF800000")
    + fill("%z", "tensor<6xf32>")
    + generic(
        "%m", "ij->i", "%a $a f32", "%m0 tensor<6xf32> f32", "%v = arith.maximumf %x0, %y0 : f32\nyield %v f32", "j"
    )
    + generic(
        "%l",
        "ij,i->i",
        "%a $a f32; %m tensor<6xf32> f32",
        "%z tensor<6xf32> f32",
        "%d = arith.subf %x0, %x1 : f32\n%e = math.exp %d : f32\n%v = arith.addf %e, %y0 : f32\nyield %v f32",
        "j",
    )
    + fill("%s0", "tensor<f32>")
    + generic(
        "%t1:2",
        "i,i,i->,",
        "%b $b i64; %l tensor<6xf32> f32; %m tensor<6xf32> f32",
        "%s0 tensor<f32> f32; %s0 tensor<f32> f32",
        "%i = linalg.index 0 : index\n%g = arith.cmpi ne, %x0, %ignored : i64\n"
        "%k = arith.index_cast %x0 : i64 to index\n"
        "%c0 = arith.constant 0 : index\n%k1 = arith.maxsi %k, %c0 : index\n%u = tensor.extract %a[%i, %k1] : $a\n"
        "%log = math.log %x1 : f32\n%p = arith.subf %u, %x2 : f32\n%q = arith.subf %log, %p : f32\n"
        "%w = arith.select %g, %q, %zero : f32\n%n = arith.select %g, %one, %zero : f32\n"
        "%v0 = arith.addf %y0, %w : f32\n%v1 = arith.addf %y1, %n : f32\nyield %v0 f32, %v1 f32",
        "i",
    )
    + "%r = arith.divf %t1#0, %t1#1 : $r",
    lambda x, t: np.float32(np.mean([-np.log(softmax(x[i : i + 1])[0, t[i]]) for i in range(6) if t[i] >= 0])),
    1e-4,
)


def adam(p, g, m, v, t):
    m, v = m * 0.9 + g * 0.1, v * 0.999 + g * g * 0.001
    return p - 0.01 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v


form(
    "adam-step",
    [normal(20), normal(20, seed=1), normal(20, seed=2), np.abs(normal(20, seed=3)), np.float32(3)],
    "%b1 = arith.constant 0.9 : f32\n%b2 = arith.constant 0.999 : f32\n%lr = arith.constant 0.01 : f32\n"
    "%eps = arith.constant 1.0e-8 : f32\n%one = arith.constant 1.0 : f32\n"
    "%n1 = arith.subf %one, %b1 : f32\n%n2 = arith.subf %one, %b2 : f32\n%p1 = math.powf %b1, %e : f32\n"
    "%p2 = math.powf %b2, %e : f32\n%d1 = arith.subf %one, %p1 : f32\n%d2 = arith.subf %one, %p2 : f32\n"
    + "".join(empty(f"%e{n}", "$r") for n in range(3))
    + generic(
        "%q:3",
        "i,i,i,i->i,i,i",
        "%a $a f32; %b $b f32; %c $c f32; %d $d f32",
        "%e0 $r f32; %e1 $r f32; %e2 $r f32",
        "%m0 = arith.mulf %x2, %b1 : f32\n%m1 = arith.mulf %x1, %n1 : f32\n%m = arith.addf %m0, %m1 : f32\n"
        "%g2 = arith.mulf %x1, %x1 : f32\n%v0 = arith.mulf %x3, %b2 : f32\n%v1 = arith.mulf %g2, %n2 : f32\n"
        "%v2 = arith.addf %v0, %v1 : f32\n%mh = arith.divf %m, %d1 : f32\n%vh = arith.divf %v2, %d2 : f32\n"
        "%s0 = math.sqrt %vh : f32\n%s1 = arith.addf %s0, %eps : f32\n%u = arith.divf %mh, %s1 : f32\n"
        "%w = arith.mulf %u, %lr : f32\n%z = arith.subf %x0, %w : f32\nyield %z f32, %m f32, %v2 f32",
    )
    + "".join(f"%{v} = tensor.cast %q#{n} : ${v} to ${v}\n" for n, v in enumerate("rst")),
    adam,
    1e-4,
    types={"e": "f32"},
)


form(
    "clip-by-global-norm",
    [normal(4, 5), normal(7, seed=1), np.float32(0.5)],
    "%one = arith.constant 1.0 : f32\n"
    + fill("%z", "tensor<f32>")
    + generic(
        "%t0",
        "ij->",
        "%a $a f32",
        "%z tensor<f32> f32",
        "%p = arith.mulf %x0, %x0 : f32\n%v = arith.addf %y0, %p : f32\nyield %v f32",
        "ij",
    )
    + generic(
        "%t1",
        "i->",
        "%b $b f32",
        "%t0 tensor<f32> f32",
        "%p = arith.mulf %x0, %x0 : f32\n%v = arith.addf %y0, %p : f32\nyield %v f32",
        "i",
    )
    + "%n0 = tensor.extract %t1[] : tensor<f32>\n%n = math.sqrt %n0 : f32\n%q = arith.divf %c, %n : f32\n"
    "%k = arith.minimumf %q, %one : f32\n%x = tensor.splat %k : $a\n%r = arith.mulf %a, %x : $a\n"
    "%y = tensor.splat %k : $b\n%s = arith.mulf %b, %y : $b",
    lambda x, y, c: tuple(v * min(1, c / np.sqrt((x * x).sum() + (y * y).sum())) for v in (x, y)),
    1e-5,
    types={"c": "f32"},
)


# Quantization.
def quantize_rows(x):
    scale = np.abs(x).max(1) / np.float32(127)
    return np.clip(np.rint(x / scale[:, None]), -127, 127).astype(np.int8), scale


def dynamic_linear(x, w, s):
    q, scale = quantize_rows(x)
    return (q.astype(np.int32) @ w.astype(np.int32).T).astype(np.float32) * scale[:, None] * s


form(
    "linear-dynamic-activation-quantization",
    [normal(5, 32), integers(24, 32, low=-127, high=128, dtype=np.int8), np.abs(normal(24, seed=1)) / 100],
    "%zero = arith.constant 0.0 : f32\n%top = arith.constant 127.0 : f32\n%bottom = arith.constant -127.0 : f32\n"
    + fill("%z", "tensor<5xf32>")
    + generic(
        "%t0",
        "ij->i",
        "%a $a f32",
        "%z tensor<5xf32> f32",
        "%p = math.absf %x0 : f32\n%v = arith.maximumf %p, %y0 : f32\nyield %v f32",
        "j",
    )
    + unary("%scale", "%t0", "tensor<5xf32>", "%v = arith.divf %x0, %top : f32", "i")
    + empty("%e0", "tensor<5x32xi8>")
    + generic(
        "%q",
        "ij,i->ij",
        "%a $a f32; %scale tensor<5xf32> f32",
        "%e0 tensor<5x32xi8> i8",
        "%p = arith.divf %x0, %x1 : f32\n%r0 = math.roundeven %p : f32\n%m = arith.minimumf %r0, %top : f32\n"
        "%n = arith.maximumf %m, %bottom : f32\n%v = arith.fptosi %n : f32 to i8\nyield %v i8",
    )
    + fill("%i0", "tensor<5x24xi32>", "0", "i32")
    + generic(
        "%acc",
        "ik,jk->ij",
        "%q tensor<5x32xi8> i8; %b $b i8",
        "%i0 tensor<5x24xi32> i32",
        "%p = arith.extsi %x0 : i8 to i32\n%w = arith.extsi %x1 : i8 to i32\n%m = arith.muli %p, %w : i32\n"
        "%v = arith.addi %m, %y0 : i32\nyield %v i32",
        "k",
    )
    + empty("%e1", "$r")
    + generic(
        "%r",
        "ij,i,j->ij",
        "%acc tensor<5x24xi32> i32; %scale tensor<5xf32> f32; %c $c f32",
        "%e1 $r f32",
        "%f = arith.sitofp %x0 : i32 to f32\n%p = arith.mulf %f, %x1 : f32\n%v = arith.mulf %p, %x2 : f32\n"
        "yield %v f32",
    ),
    dynamic_linear,
    1e-4,
)


def nibbles(w, s, z):
    low, high = (w.view(np.uint8) & 15).astype(np.float32), (w.view(np.uint8) >> 4).astype(np.float32)
    q = np.stack([low, high], -1).reshape(16, 32)
    return (q - np.repeat(z, 8, 1)) * np.repeat(s, 8, 1)


form(
    "linear-packed-nibbles",
    [
        normal(6, 32),
        integers(16, 16, low=-128, high=128, dtype=np.int8),
        np.abs(normal(16, 4, seed=1)),
        integers(16, 4, low=0, high=16, seed=2).astype(np.float32),
    ],
    "%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%four = arith.constant 4 : i8\n"
    "%mask = arith.constant 15 : i8\n"
    + empty("%e0", "tensor<16x32xf32>")
    + mapped(
        "%w",
        "i k",
        ["i, k floordiv 2", "i, k floordiv 8", "i, k floordiv 8", "i, k"],
        "%b $b i8; %c $c f32; %d $d f32",
        "%e0 tensor<16x32xf32> f32",
        "%k = linalg.index 1 : index\n%o = arith.andi %k, %c1 : index\n%o1 = arith.index_cast %o : index to i8\n"
        "%o2 = arith.muli %o1, %four : i8\n%p = arith.shrui %x0, %o2 : i8\n%q = arith.andi %p, %mask : i8\n"
        "%f = arith.uitofp %q : i8 to f32\n%g = arith.subf %f, %x2 : f32\n%v = arith.mulf %g, %x1 : f32\nyield %v f32",
    )
    + fill("%t0", "$r")
    + generic("%r", "ik,jk->ij", "%a $a f32; %w tensor<16x32xf32> f32", "%t0 $r f32", MAC, "k"),
    lambda x, w, s, z: x @ nibbles(w, s, z).T,
    1e-4,
)
TABLE = np.array(
    [-1, -0.7, -0.53, -0.39, -0.28, -0.18, -0.09, 0, 0.08, 0.16, 0.25, 0.34, 0.44, 0.56, 0.72, 1], np.float32
)
form(
    "linear-table-weights",
    [normal(4, 16), integers(8, 16, low=0, high=16, dtype=np.int8), TABLE],
    empty("%e0", "tensor<8x16xf32>")
    + generic(
        "%w",
        "ij->ij",
        "%b $b i8",
        "%e0 tensor<8x16xf32> f32",
        "%i = arith.index_castui %x0 : i8 to index\n%v = tensor.extract %c[%i] : $c\nyield %v f32",
    )
    + fill("%t0", "$r")
    + generic("%r", "ik,jk->ij", "%a $a f32; %w tensor<8x16xf32> f32", "%t0 $r f32", MAC, "k"),
    lambda x, w, t: x @ t[w].T,
    1e-4,
)


def requantize(x, m, s):
    y = (x.astype(I64) * m.astype(I64)[:, None, None] + (1 << (s.astype(I64) - 1))[:, None, None]) >> s[:, None, None]
    return np.clip(y - 7, 0, 255).astype(np.uint8).view(np.int8)


form(
    "requantize-channels-to-unsigned",
    [
        integers(1, 4, 3, 5, low=-90000, high=90000),
        integers(4, low=1 << 20, high=1 << 28, seed=1),
        np.array([30, 33, 31, 36], np.int8),
    ],
    "%one = arith.constant 1 : i64\n%zp = arith.constant -7 : i64\n%top = arith.constant 255 : i64\n"
    "%bottom = arith.constant 0 : i64\n"
    + empty("%e0", "$r")
    + generic(
        "%r",
        "nchw,c,c->nchw",
        "%a $a i32; %b $b i32; %c $c i8",
        "%e0 $r i8",
        "%x = arith.extsi %x0 : i32 to i64\n%m = arith.extsi %x1 : i32 to i64\n%s0 = arith.extsi %x2 : i8 to i64\n"
        "%s1 = arith.subi %s0, %one : i64\n%h = arith.shli %one, %s1 : i64\n%p = arith.muli %x, %m : i64\n"
        "%q = arith.addi %p, %h : i64\n%u = arith.shrsi %q, %s0 : i64\n%w = arith.addi %u, %zp : i64\n"
        "%y = arith.minsi %w, %top : i64\n%z = arith.maxsi %y, %bottom : i64\n%v = arith.trunci %z : i64 to i8\n"
        "yield %v i8",
    ),
    requantize,
    0,
)
form(
    "apply-scale",
    [integers(40, low=-100000, high=100000), integers(40, low=1 << 30, high=(1 << 31) - 1, seed=1)],
    "%shift = arith.constant 38 : i8\n"
    + empty("%e0", "$r")
    + generic(
        "%r",
        "i,i->i",
        "%a $a i32; %b $b i32",
        "%e0 $r i32",
        "%v = tosa.apply_scale %x0, %x1, %shift {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32\nyield %v i32",
    ),
    lambda x, m: ((x.astype(I64) * m + (1 << 37)) >> 38).astype(np.int32),
    0,
)
form(
    "vector-codebook",
    [normal(3, 7, 8), normal(10, 8, seed=1)],
    fill("%t0", "tensor<3x7x10xf32>")
    + generic(
        "%d",
        "bik,jk->bij",
        "%a $a f32; %b $b f32",
        "%t0 tensor<3x7x10xf32> f32",
        "%e = arith.subf %x0, %x1 : f32\n%f = arith.mulf %e, %e : f32\n%v = arith.addf %f, %y0 : f32\nyield %v f32",
        "k",
    )
    + fill("%t1", "tensor<3x7xf32>", "0x7F800000")
    + fill("%t2", "$s", "0", "i64")
    + generic(
        "%q:2",
        "bij->bi,bi",
        "%d tensor<3x7x10xf32> f32",
        "%t1 tensor<3x7xf32> f32; %t2 $s i64",
        "%j = linalg.index 2 : index\n%k = arith.index_cast %j : index to i64\n%l = arith.cmpf olt, %x0, %y0 : f32\n"
        "%v = arith.select %l, %x0, %y0 : f32\n%w = arith.select %l, %k, %y1 : i64\nyield %v f32, %w i64",
        "j",
    )
    + empty("%e0", "$r")
    + generic(
        "%r",
        "bi->bik",
        "%q#1 $s i64",
        "%e0 $r f32",
        "%i = arith.index_cast %x0 : i64 to index\n%k = linalg.index 2 : index\n%v = tensor.extract %b[%i, %k] : $b\n"
        "yield %v f32",
    )
    + "%s = tensor.cast %q#1 : $s to $s",
    lambda x, c: (c[(i := ((x[:, :, None] - c) ** 2).sum(-1).argmin(-1))], i),
    1e-5,
)
form(
    "squeeze-excite",
    [normal(2, 8, 5, 5), normal(8, 3, seed=1), normal(3, 8, seed=2)],
    "%n = arith.constant 25.0 : f32\n%zero = arith.constant 0.0 : f32\n%one = arith.constant 1.0 : f32\n"
    + fill("%t0", "tensor<2x8xf32>")
    + generic("%t1", "nchw->nc", "%a $a f32", "%t0 tensor<2x8xf32> f32", SUM, "hw")
    + unary("%t2", "%t1", "tensor<2x8xf32>", "%v = arith.divf %x0, %n : f32")
    + fill("%t3", "tensor<2x3xf32>")
    + "%t4 = linalg.matmul ins(%t2, %b : tensor<2x8xf32>, $b) outs(%t3 : tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    + unary("%t5", "%t4", "tensor<2x3xf32>", "%v = arith.maximumf %x0, %zero : f32")
    + "%t6 = linalg.matmul ins(%t5, %c : tensor<2x3xf32>, $c) outs(%t0 : tensor<2x8xf32>) -> tensor<2x8xf32>\n"
    + empty("%e0", "$r")
    + generic(
        "%r",
        "nchw,nc->nchw",
        "%a $a f32; %t6 tensor<2x8xf32> f32",
        "%e0 $r f32",
        SIGMOID.format("g", "%x1") + "%v = arith.mulf %x0, %g : f32\nyield %v f32",
    ),
    lambda x, w, u: x * sigmoid(np.maximum(x.mean((2, 3)) @ w, 0) @ u)[:, :, None, None],
    1e-4,
)


def top_two(x, w):
    logits = x @ w
    order = np.argsort(-logits, 1)[:, :2]
    gates = softmax(np.take_along_axis(logits, order, 1))
    return gates, order


form(
    "gate-top-two",
    [normal(6, 8), normal(8, 5, seed=1)],
    "%low = arith.constant 0xFF800000 : f32\n"
    + fill("%t0", "tensor<6x5xf32>")
    + "%x = linalg.matmul ins(%a, %b : $a, $b) outs(%t0 : tensor<6x5xf32>) -> tensor<6x5xf32>\n"
    + fill("%m0", "tensor<6xf32>", "0xFF800000")
    + fill("%i0", "tensor<6xi64>", "0", "i64")
    + "".join(
        generic(
            f"%q{n}:2",
            "ij->i,i",
            f"{source} tensor<6x5xf32> f32",
            "%m0 tensor<6xf32> f32; %i0 tensor<6xi64> i64",
            "%j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i64\n"
            "%g = arith.cmpf ogt, %x0, %y0 : f32\n"
            "%v = arith.select %g, %x0, %y0 : f32\n%w = arith.select %g, %k, %y1 : i64\nyield %v f32, %w i64",
            "j",
        )
        + (
            generic(
                "%x2",
                "ij,i->ij",
                "%x tensor<6x5xf32> f32; %q0#1 tensor<6xi64> i64",
                "%t0_e tensor<6x5xf32> f32",
                "%j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i64\n"
                "%g = arith.cmpi eq, %k, %x1 : i64\n"
                "%v = arith.select %g, %low, %x0 : f32\nyield %v f32",
            )
            if n == 0
            else ""
        )
        for n, source in ((0, "%x"), (1, "%x2"))
    )
    + "".join(
        f"%u{n} = tensor.expand_shape %q{n}#0 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>\n"
        f"%w{n} = tensor.expand_shape %q{n}#1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>\n"
        for n in (0, 1)
    )
    + "%y = tensor.concat dim(1) %u0, %u1 : (tensor<6x1xf32>, tensor<6x1xf32>) -> $r\n"
    "%s = tensor.concat dim(1) %w0, %w1 : (tensor<6x1xi64>, tensor<6x1xi64>) -> $s\n"
    + empty("%e0", "$r")
    + "%r = linalg.softmax dimension(1) ins(%y : $r) outs(%e0 : $r) -> $r",
    top_two,
    1e-4,
)

# Linear algebra.
form(
    "cholesky",
    [(lambda m: (m @ m.T + 6 * np.eye(6)).astype(np.float32))(normal(6, 6))],
    INDICES
    + "%c6 = arith.constant 6 : index\n"
    + fill("%l0", "$r")
    + """%r = scf.for %j = %c0 to %c6 step %c1 iter_args(%l = %l0) -> $a {
  %r2 = scf.for %i = %j to %c6 step %c1 iter_args(%m = %l) -> $a {
    %x = tensor.extract %a[%i, %j] : $a
    %s0 = scf.for %k = %c0 to %j step %c1 iter_args(%acc = %x) -> f32 {
      %p = tensor.extract %m[%i, %k] : $a
      %q = tensor.extract %m[%j, %k] : $a
      %u = arith.mulf %p, %q : f32
      %w = arith.subf %acc, %u : f32
      scf.yield %w : f32
    }
    %diagonal = arith.cmpi eq, %i, %j : index
    %v = scf.if %diagonal -> f32 {
      %u = math.sqrt %s0 : f32
      scf.yield %u : f32
    } else {
      %p = tensor.extract %m[%j, %j] : $a
      %u = arith.divf %s0, %p : f32
      scf.yield %u : f32
    }
    %n = tensor.insert %v into %m[%i, %j] : $a
    scf.yield %n : $a
  }
  scf.yield %r2 : $a
}""",
    lambda x: np.linalg.cholesky(x.astype(np.float64)).astype(np.float32),
    1e-4,
)
form(
    "conjugate-gradient",
    [(lambda m: (m @ m.T / 8 + np.eye(8)).astype(np.float32))(normal(8, 8)), normal(8, seed=1)],
    "%zero = arith.constant 0.0 : f32\n%eps = arith.constant 1.0e-10 : f32\n%c0 = arith.constant 0 : index\n"
    "%c1 = arith.constant 1 : index\n%c30 = arith.constant 30 : index\n"
    + fill("%z", "$r")
    + fill("%z0", "tensor<f32>")
    + "%d0 = linalg.dot ins(%b, %b : $b, $b) outs(%z0 : tensor<f32>) -> tensor<f32>\n"
    "%n0 = tensor.extract %d0[] : tensor<f32>\n"
    "%r, %q1, %q2, %q3, %q4 = scf.while (%x = %z, %g = %b, %p = %b, %n = %n0, %i = %c0)\n"
    ": ($r, $r, $r, f32, index) -> ($r, $r, $r, f32, index) {\n%m = arith.cmpf ogt, %n, %eps : f32\n"
    "%l = arith.cmpi ult, %i, %c30 : index\n%go = arith.andi %m, %l : i1\n"
    "scf.condition(%go) %x, %g, %p, %n, %i : $r, $r, $r, f32, index\n} do {\n"
    "^bb0(%x: $r, %g: $r, %p: $r, %n: f32, %i: index):\n"
    "%ap = linalg.matvec ins(%a, %p : $a, $r) outs(%z : $r) -> $r\n"
    "%pap = linalg.dot ins(%p, %ap : $r, $r) outs(%z0 : tensor<f32>) -> tensor<f32>\n"
    "%d = tensor.extract %pap[] : tensor<f32>\n%alpha = arith.divf %n, %d : f32\n%as = tensor.splat %alpha : $r\n"
    "%s0 = arith.mulf %as, %p : $r\n%x1 = arith.addf %x, %s0 : $r\n%s1 = arith.mulf %as, %ap : $r\n"
    "%g1 = arith.subf %g, %s1 : $r\n"
    "%d1 = linalg.dot ins(%g1, %g1 : $r, $r) outs(%z0 : tensor<f32>) -> tensor<f32>\n"
    "%n1 = tensor.extract %d1[] : tensor<f32>\n%beta = arith.divf %n1, %n : f32\n%bs = tensor.splat %beta : $r\n"
    "%s2 = arith.mulf %bs, %p : $r\n%p1 = arith.addf %g1, %s2 : $r\n%i1 = arith.addi %i, %c1 : index\n"
    "scf.yield %x1, %g1, %p1, %n1, %i1 : $r, $r, $r, f32, index\n}",
    lambda a, b: np.linalg.solve(a.astype(np.float64), b).astype(np.float32),
    1e-3,
)


def floyd(d):
    for k in range(7):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1])
    return d


form(
    "shortest-paths",
    [np.where(normal(7, 7) > 0.3, np.abs(normal(7, 7, seed=1)), np.float32(1e9)).astype(np.float32)],
    INDICES + "%c7 = arith.constant 7 : index\n%r = scf.for %k = %c0 to %c7 step %c1 iter_args(%d = %a) -> $a {\n"
    "%row = tensor.extract_slice %d[%k, 0] [1, 7] [1, 1] : $a to tensor<7xf32>\n"
    "%col = tensor.extract_slice %d[0, %k] [7, 1] [1, 1] : $a to tensor<7xf32>\n"
    + generic(
        "%n",
        "j,i->ij",
        "%row tensor<7xf32> f32; %col tensor<7xf32> f32",
        "%d $a f32",
        "%p = arith.addf %x0, %x1 : f32\n%v = arith.minimumf %p, %y0 : f32\nyield %v f32",
    )
    + "scf.yield %n : $a\n}",
    floyd,
    1e-5,
)
