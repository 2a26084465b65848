"""Mutations of any text: of its lines, characters and numbers."""

import re
import zlib

# Sizes at the limits of integer types and of hardware, and sizes in between.
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 257, 1000, 1023, 1024,
           4095, 4096, 32767, 32768, 65535, 65536, 65537, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
           (1 << 53) + 1, (1 << 62), (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64, 10**30]  # fmt: skip

CHARACTERS = " \t\n\r\0\x7f\u00e9\U0001f600\ufeff!\"#$%&'()*+,-./0123456789:;<=>?@ABCXYZ[\\]^_`abcxyz{|}~"

NUMBER = re.compile(r"(?<![\w.#%@^!])-?\d+(?![\w.])|(?<=[<x,\[ ])\d+(?=x)")


def pick(rng, items, name=str):
    """Returns one of `items`. Adding an item changes few of the choices, so that seeds keep their meaning when a test
    is added."""
    salt = rng.randrange(1 << 32)
    return min(items, key=lambda item: zlib.crc32(name(item).encode("utf-8", "surrogatepass"), salt))


def new_number(rng, old):
    """Returns a number close to the old one, or far from it."""
    choice = rng.randrange(6)
    if choice == 0:
        return old + rng.choice([-1, 1])
    if choice == 1:
        return old * rng.choice([2, 3, 4, 16])
    if choice == 2:
        return old // 2
    if choice == 3:
        return -old
    if choice == 4:
        return rng.randrange(0, 1 << rng.randrange(1, 12))
    return rng.choice(NUMBERS)


def change_number(rng, text, pattern=NUMBER):
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = rng.choice(places)
    return text[: place.start()] + str(new_number(rng, int(place[0]))) + text[place.end() :]


def change_character(rng, text):
    if not text:
        return text
    i = rng.randrange(len(text))
    choice = rng.randrange(4)
    if choice == 0:
        return text[:i] + text[i + 1 :]
    if choice == 1:
        return text[:i] + rng.choice(CHARACTERS) + text[i:]
    if choice == 2:
        return text[:i] + rng.choice(CHARACTERS) + text[i + 1 :]
    j = min(len(text), i + rng.randrange(1, 20))
    return text[:i] + text[j:]


def change_line(rng, text):
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    choice = rng.randrange(4)
    if choice == 0:
        del lines[i]
    elif choice == 1:
        lines.insert(j, lines[i])
    elif choice == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines.insert(j, lines.pop(i))
    return "\n".join(lines)


def cut_off(rng, text):
    return text[: rng.randrange(len(text) + 1)]
