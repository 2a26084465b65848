"""Compiles a model, calls it with random inputs, and compares the results with numpy.

check.py MODEL [TARGET]

MODEL is the name of a file of this folder without its extension, or "all".
"""

import math
import pathlib
import sys

import numpy as np

import aircc

FOLDER = pathlib.Path(__file__).parent


def to_bf16(values):
    """Rounds to bf16, as bits: numpy has no such type."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rms_norm(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight


def transformer_block(random):
    s, d, h, kv, head, hidden = 64, 128, 4, 2, 32, 256
    bf16 = lambda *shape: to_bf16(random.standard_normal(shape) / np.sqrt(shape[0]))
    x = to_bf16(random.standard_normal((s, d)))
    norms = [to_bf16(1 + random.standard_normal(d) / 8) for _ in range(2)]
    wq, wk, wv, wo = bf16(d, h * head), bf16(d, kv * head), bf16(d, kv * head), bf16(h * head, d)
    gate, up, down = bf16(d, hidden), bf16(d, hidden), bf16(hidden, d)
    angles = np.arange(s)[:, None] / 10000.0 ** (np.arange(head // 2) / (head // 2))[None]
    cos, sin = [to_bf16(np.concatenate([f(angles)] * 2, -1)) for f in (np.cos, np.sin)]
    arguments = [x, norms[0], wq, wk, wv, wo, cos, sin, norms[1], gate, up, down]
    x, norm1, wq, wk, wv, wo, cos, sin, norm2, gate, up, down = map(from_bf16, arguments)

    def rotate(y):
        low, high = np.split(y, 2, -1)
        return y * cos + np.concatenate([-high, low], -1) * sin

    normalized = rms_norm(x, norm1)
    split = lambda y: (normalized @ y).reshape(s, -1, head).transpose(1, 0, 2)
    q, k, v = rotate(split(wq)), rotate(split(wk)), split(wv)
    k, v = np.repeat(k, h // kv, 0), np.repeat(v, h // kv, 0)
    scores = np.where(np.tri(s, dtype=bool), q @ k.transpose(0, 2, 1) / np.sqrt(head), -np.inf)
    context = (softmax(scores) @ v).transpose(1, 0, 2).reshape(s, -1)
    x = x + context @ wo
    normalized = rms_norm(x, norm2)
    gated = normalized @ gate
    y = x + (gated / (1 + np.exp(-gated)) * (normalized @ up)) @ down
    return arguments, [y], 0.05


def mlp(random):
    x, w1, b1, w2, b2 = [
        random.standard_normal(s).astype(np.float32) for s in ((32, 64), (128, 64), 128, (10, 128), 10)
    ]
    w1, w2 = w1 / 8, w2 / np.float32(np.sqrt(128))
    y = softmax(np.maximum(x @ w1.T + b1, 0) @ w2.T + b2)
    return [x, w1, b1, w2, b2], [y], 1e-5


def convolve(x, w):
    """A 3x3 convolution of NCHW with padding 1."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, w, optimize=True)


def resnet_block(random):
    f16 = lambda *shape: random.standard_normal(shape).astype(np.float16)
    x, b1, b2 = f16(2, 32, 14, 14), f16(32), f16(32)
    w1, w2 = [(f16(32, 32, 3, 3) / 17).astype(np.float16) for _ in range(2)]
    arguments = [x, w1, b1, w2, b2]
    x, w1, b1, w2, b2 = [value.astype(np.float32) for value in arguments]
    y = np.maximum(convolve(x, w1) + b1[:, None, None], 0).astype(np.float16).astype(np.float32)
    y = np.maximum(convolve(y, w2) + b2[:, None, None] + x, 0)
    return arguments, [y], 0.005


def encoder_layer(random):
    s, d, head, hidden = 64, 128, 32, 256
    f16 = lambda *shape: (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float16)
    around = lambda center, size: (center + random.standard_normal(size) / 8).astype(np.float16)
    x = random.standard_normal((s, d)).astype(np.float16)
    norms = [around(center, d) for center in (1, 0, 1, 0)]
    squares = [f16(d, d) for _ in range(4)]
    up, up_bias, down, down_bias = f16(d, hidden), around(0, hidden), f16(hidden, d), around(0, d)
    arguments = [x, *norms[:2], *squares, *norms[2:], up, up_bias, down, down_bias]
    x, n1, s1, wq, wk, wv, wo, n2, s2, up, up_bias, down, down_bias = [v.astype(np.float32) for v in arguments]

    def normalize(y, weight, shift):
        return (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, keepdims=True) + 1e-5) * weight + shift

    n = normalize(x, n1, s1)
    split = lambda y: (n @ y).reshape(s, -1, head).transpose(1, 0, 2)
    q, k, v = map(split, (wq, wk, wv))
    context = (softmax(q @ k.transpose(0, 2, 1) / np.sqrt(head)) @ v).transpose(1, 0, 2).reshape(s, -1)
    x = x + context @ wo
    u = normalize(x, n2, s2) @ up + up_bias
    erf = np.vectorize(math.erf)(u / np.sqrt(2))
    return arguments, [x + (u / 2 * (1 + erf)) @ down + down_bias], 0.005


def lstm(random):
    steps, batch, size = 6, 4, 32
    x = random.standard_normal((steps, batch, size)).astype(np.float32)
    h, c = [random.standard_normal((batch, size)).astype(np.float32) for _ in range(2)]
    w, u = [(random.standard_normal((size, 4 * size)) / 6).astype(np.float32) for _ in range(2)]
    bias = random.standard_normal(4 * size).astype(np.float32)
    arguments = [x, h, c, w, u, bias]
    sigmoid = lambda y: 1 / (1 + np.exp(-y))
    outputs = []
    for step in x:
        i, f, g, o = np.split(step @ w + h @ u + bias, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return arguments, [np.stack(outputs), h, c], 1e-5


def int4_linear(random):
    x = random.standard_normal((32, 128)).astype(np.float16)
    q = random.integers(0, 16, (64, 128), dtype=np.int8)
    scales = ((1 + random.random((64, 4))) / 16).astype(np.float16)
    zeros = random.integers(4, 12, (64, 4), dtype=np.int8)
    packed = (q[:, ::2] | (q[:, 1::2] << 4)).astype(np.int8)
    w = ((q.reshape(64, 4, 32) - zeros[:, :, None]) * scales.astype(np.float32)[:, :, None]).astype(np.float16)
    y = x.astype(np.float32) @ w.reshape(64, 128).astype(np.float32).T
    return [x, packed, scales, zeros], [y], 0.001


def mobilenet_block(random):
    f32 = lambda scale, *shape: (random.standard_normal(shape) * scale).astype(np.float32)
    x = f32(1, 1, 14, 14, 16)
    w1, b1, w2, b2 = f32(0.5, 64, 1, 1, 16), f32(1, 64), f32(0.5, 3, 3, 64, 1), f32(1, 64)
    w3, b3 = f32(0.1, 16, 1, 1, 64), f32(1, 16)
    y = np.clip(x @ w1[:, 0, 0].T + b1, 0, 6)
    padded = np.pad(y, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    y = np.clip(np.einsum("nhwcij,ijc->nhwc", windows, w2[..., 0]) + b2, 0, 6)
    return [x, w1, b1, w2, b2, w3, b3], [y @ w3[:, 0, 0].T + b3 + x], 1e-5


def dynamic_classifier(random):
    table, w = random.standard_normal((100, 64)).astype(np.float32), random.standard_normal((64, 8)).astype(np.float32)
    bias = random.standard_normal(8).astype(np.float32)
    tokens = random.integers(0, 100, (int(random.integers(2, 6)), int(random.integers(5, 40))))
    return [tokens, table, w, bias], [table[tokens].mean(1) @ w + bias], 1e-5


def check(name, target):
    arguments, expected, tolerance = globals()[name](np.random.default_rng(0))
    model = aircc.compile(FOLDER / f"{name}.mlir", target=target)
    results = model.forward(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    worst = 0.0
    for have, want in zip(results, expected):
        have = from_bf16(have) if have.dtype == np.uint16 else have.astype(np.float32)
        assert have.shape == want.shape, f"the shape is {have.shape}, not {want.shape}"
        worst = max(worst, float(np.abs(have - want).max() / np.abs(want).max()))
    verdict = "PASS" if worst <= tolerance else "FAIL"
    print(f"{name} on {target}: {verdict}, largest difference {worst:.1e} of the largest value")
    return verdict == "PASS"


def main():
    names = [path.stem for path in sorted(FOLDER.glob("*.mlir"))] if sys.argv[1] == "all" else [sys.argv[1]]
    target = sys.argv[2] if len(sys.argv) > 2 else "gfx942"
    passed = [check(name, target) for name in names]
    sys.exit(0 if all(passed) else 1)


main()
