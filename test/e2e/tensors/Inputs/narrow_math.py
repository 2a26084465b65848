"""Exponentials and quotients of f16 and bf16, which AMD GPUs compute with approximations, against numpy.

narrow_math.py TARGET...

exp of all numbers, and of f32 if it is then rounded, must be within 0.51 units in the last place. Quotients must be
rounded correctly: of many mantissas, of numbers near the limits, and of special numbers.
"""

import sys

import numpy as np

import aircc
from elements import FLOATS, from_bits, round_to, to_bits

NUMBERS, PAIRS = 65536, 1 << 19


def write(element):
    unary = f"tensor<{NUMBERS}x{element}>"
    pair = f"tensor<{PAIRS}x{element}>"
    return f"""
func.func @exp_{element}(%x: {unary}) -> {unary} {{
  %r = math.exp %x : {unary}
  return %r : {unary}
}}
func.func @exp2_{element}(%x: {unary}) -> {unary} {{
  %r = math.exp2 %x : {unary}
  return %r : {unary}
}}
func.func @rounded_exp_{element}(%x: tensor<{NUMBERS}xf32>) -> {unary} {{
  %e = math.exp %x : tensor<{NUMBERS}xf32>
  %r = arith.truncf %e : tensor<{NUMBERS}xf32> to {unary}
  return %r : {unary}
}}
func.func @quotient_{element}(%x: {pair}, %y: {pair}) -> {pair} {{
  %r = arith.divf %x, %y : {pair}
  return %r : {pair}
}}
"""


def make_numbers(bits, element):
    return bits.view(np.float16) if element == "f16" else from_bits(bits, element)


def find_errors(have, exact, element, bound):
    """Whether results differ from the exact ones by more than `bound` units in the last place."""
    digits, smallest, largest = FLOATS[element]
    have = have.astype(np.float64)
    size = np.where(np.isfinite(exact), np.abs(exact), 1)
    _, exponent = np.frexp(np.maximum(size, 2.0 ** (smallest - 1)))
    unit = np.exp2(np.maximum(exponent - 1, smallest) - (digits - 1))
    limit = largest + bound * np.exp2(np.floor(np.log2(largest)) - (digits - 1))
    wrong = ~(np.abs(have - exact) <= bound * unit)
    # Larger numbers round to infinity.
    wrong &= ~((np.abs(exact) >= limit - unit / 32) & np.isinf(have) & (np.sign(have) == np.sign(exact)))
    wrong &= ~(np.isinf(exact) & (have == exact))
    return wrong & ~(np.isnan(exact) & np.isnan(have))


def make_pairs(element, generator):
    """All mantissas by a few divisors each, and pairs of any numbers, half of which have similar exponents."""
    mantissa = FLOATS[element][0] - 1
    x = generator.integers(0, 65536, PAIRS).astype(np.uint16)
    y = generator.integers(0, 65536, PAIRS).astype(np.uint16)
    half = PAIRS // 2
    one = {"f16": 0x3C00, "bf16": 0x3F80}[element]
    x[:half] = one + np.arange(half) % (1 << mantissa)
    y[:half] = one + (np.arange(half) >> mantissa) * (1 if element == "bf16" else 2) % (1 << mantissa)
    # Small quotients, some of which lie between two denormals.
    quarter = half // 2
    x[half : half + quarter] = generator.integers(0, 2 << mantissa, quarter)
    return x, y


def check(library, element, generator):
    """The names of functions with errors."""
    x = make_numbers(np.arange(NUMBERS).astype(np.uint16), element)
    exact = np.where(np.isnan(x), np.nan, x).astype(np.float64)
    wide = generator.uniform(-110, 95, NUMBERS).astype(np.float32)
    call = lambda name, *arguments: make_numbers(
        getattr(library, f"{name}_{element}")(*arguments).view(np.uint16), element
    )
    argument = to_bits(x, element)
    a, b = make_pairs(element, generator)
    dividend, divisor = make_numbers(a, element), make_numbers(b, element)
    with np.errstate(all="ignore"):
        quotient = dividend.astype(np.float64) / divisor.astype(np.float64)
        wrong = {
            "exp": find_errors(call("exp", argument), np.exp(exact), element, 0.51),
            "exp2": find_errors(call("exp2", argument), np.exp2(exact), element, 1),
            "rounded_exp": find_errors(call("rounded_exp", wide), np.exp(wide.astype(np.float64)), element, 0.51),
        }
        have = call("quotient", to_bits(dividend, element), to_bits(divisor, element))
        want = round_to(quotient, element)
        wrong["quotient"] = ~((have == want) | (np.isnan(have) & np.isnan(want)))
    for name, errors in wrong.items():
        if errors.any():
            at = int(np.argmax(errors))
            print(f"{name} of {element}: {errors.sum()} errors, the first one at {at}")
    return [name for name, errors in wrong.items() if errors.any()]


def main():
    elements = ["f16", "bf16"]
    failures = 0
    for target in sys.argv[1:]:
        library = aircc.compile("".join(map(write, elements)), target=target)
        for element in elements:
            failures += len(check(library, element, np.random.default_rng(5)))
    print(f"{4 * len(elements) * len(sys.argv[1:])} functions, {failures} failures")


main()
