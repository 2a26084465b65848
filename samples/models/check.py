"""Compiles a model, calls it with random inputs, and compares the results with numpy.

check.py MODEL [TARGET]

MODEL is the name of a file of this folder without its extension, or "all".
"""

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
