"""Damage to the binary files that `aircc sim` reads: code objects, SPIR-V modules, .npy files, offload bundles.

Each mutator takes the bytes of a good file and an instance of random.Random, and returns those of a mutant."""

import struct

INTERESTING = [0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
INTERESTING64 = INTERESTING + [
    1 << 32,
    1 << 40,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
    (1 << 64) - 8,
    0xFFFFFFFFFFFFF000,
]


def put(data, at, size, value):
    """Overwrites an integer if the data is long enough."""
    if 0 <= at and at + size <= len(data):
        data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def get(data, at, size):
    return int.from_bytes(data[at : at + size], "little")


def other_number(rng, old, size):
    """Returns another value for an integer field."""
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(INTERESTING64 if size == 8 else INTERESTING)
    if kind == 1:
        return old ^ (1 << rng.randrange(8 * size))
    if kind == 2:
        return old + rng.choice([-1, 1, -4, 4, 8, 64, 4096, 1 << 20])
    if kind == 3:
        return old * rng.choice([2, 16, 0x1000])
    return rng.getrandbits(8 * size)


def damage_bytes(data, rng):
    """Changes that do not depend on the format."""
    if not data:
        return
    kind = rng.randrange(5)
    at = rng.randrange(len(data))
    if kind == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
        data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.getrandbits(8)])
    elif kind == 2:
        del data[at:]
    elif kind == 3:
        size = rng.choice([1, 2, 4, 8, 16])
        del data[at : at + size]
    else:
        start, size = rng.randrange(len(data)), rng.choice([4, 8, 64, 256])
        data[at:at] = data[start : start + size]


def elf_fields(data):
    """(offset, size) of the fields of an ELF file's tables, and of what the
    code object has in its sections: [tables, symbols, relocations, notes,
    descriptors, code]."""
    tables = [
        (0x10, 2),
        (0x12, 2),
        (0x20, 8),
        (0x28, 8),
        (0x30, 4),
        (0x36, 2),
        (0x38, 2),
        (0x3A, 2),
        (0x3C, 2),
        (0x3E, 2),
        (7, 1),
        (8, 1),
    ]
    kinds = [tables, [], [], [], [], []]
    phoff, shoff = get(data, 0x20, 8), get(data, 0x28, 8)
    for n in range(get(data, 0x38, 2)):
        at = phoff + n * 56
        tables += [(at, 4), (at + 4, 4)]
        tables += [(at + o, 8) for o in range(8, 56, 8)]
    for n in range(get(data, 0x3C, 2)):
        at = shoff + n * 64
        tables += [(at, 4), (at + 4, 4), (at + 40, 4), (at + 44, 4)]
        tables += [(at + o, 8) for o in (8, 16, 24, 32, 48, 56)]
        kind, flags = get(data, at + 4, 4), get(data, at + 8, 8)
        offset, size = get(data, at + 24, 8), get(data, at + 32, 8)
        size = min(size, max(0, len(data) - offset))
        if kind in (2, 11):  # Symbols: 24 bytes each.
            for s in range(offset, offset + size - 23, 24):
                kinds[1] += [(s, 4), (s + 4, 1), (s + 6, 2), (s + 8, 8), (s + 16, 8)]
        elif kind == 4:  # Relocations with addends.
            for s in range(offset, offset + size - 23, 24):
                kinds[2] += [(s, 8), (s + 8, 8), (s + 16, 8)]
        elif kind == 7:
            kinds[3] += [(s, 1) for s in range(offset, offset + size)]
        elif kind == 1 and flags & 4:
            kinds[5] += [(s, 4) for s in range(offset, offset + size - 3, 4)]
        elif kind == 1 and flags & 2:
            kinds[4] += [(s, 4) for s in range(offset, offset + size - 3, 4)]
    return [kind for kind in kinds if kind]


def mutate_elf(data, rng):
    mutant = bytearray(data)
    fields = elf_fields(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        if rng.random() < 0.15:
            damage_bytes(mutant, rng)
            continue
        at, size = rng.choice(rng.choice(fields))
        put(mutant, at, size, other_number(rng, get(mutant, at, size), size))
    return bytes(mutant)


def mutate_spirv(data, rng):
    words = list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3]))
    bound = words[3] if len(words) > 3 else 1

    def instructions():
        found, at = [], 5
        while at < len(words) and words[at] >> 16:
            found.append((at, words[at] >> 16))
            at += words[at] >> 16
        return found

    for _ in range(rng.choice([1, 1, 1, 2, 4, 8])):
        all_of_them = instructions()
        if not all_of_them:
            break
        at, count = rng.choice(all_of_them)
        kind = rng.randrange(12)
        if kind < 5 and count > 1:  # Change an operand, which is mostly an id.
            place = at + rng.randrange(1, count)
            if place < len(words):
                words[place] = rng.choice(
                    [0, bound, bound + 1, 0xFFFFFFFF, 1, bound - 1] + [rng.randrange(1, bound + 1) for _ in range(12)]
                )
        elif kind == 5 and count > 1:
            place = at + rng.randrange(1, count)
            if place < len(words):
                words[place] = other_number(rng, words[place], 4) & 0xFFFFFFFF
        elif kind == 6:  # Replace the instruction by another one of the same length.
            same = [p for p, n in all_of_them if n == count]
            words[at] = words[at] & 0xFFFF0000 | (
                words[rng.choice(same)] & 0xFFFF if rng.random() < 0.7 else rng.randrange(400)
            )
        elif kind == 7:  # Change the length.
            words[at] = words[at] & 0xFFFF | (rng.choice([0, 1, count - 1, count + 1, 0xFFFF]) & 0xFFFF) << 16
        elif kind == 8:
            del words[at : at + count]
        elif kind == 9:
            other, size = rng.choice(all_of_them)
            words[at:at] = words[other : other + size]
        elif kind == 10:  # Remove operands.
            if count > 1 and at + count <= len(words):
                words[at] = words[at] & 0xFFFF | (count - 1) << 16
                del words[at + count - 1]
        else:
            place = rng.randrange(5)
            if rng.random() < 0.2:
                words[place] = other_number(rng, words[place], 4) & 0xFFFFFFFF
            elif rng.random() < 0.2:
                del words[rng.randrange(5, len(words)) :]
    mutant = bytearray(struct.pack(f"<{len(words)}I", *words))
    if rng.random() < 0.05:
        damage_bytes(mutant, rng)
    return bytes(mutant)


def mutate_npy(data, rng):
    mutant = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        kind = rng.randrange(4)
        if kind == 0:
            damage_bytes(mutant, rng)
        elif kind == 1:  # Change the length of the header.
            put(mutant, 8, 2, other_number(rng, get(mutant, 8, 2), 2))
        else:
            text = bytes(mutant)
            old = rng.choice([b"<f4", b"False", b"16", b"(", b")", b"'", b","])
            new = rng.choice(
                [
                    b">f4",
                    b"<f8",
                    b"|V3",
                    b"<c8",
                    b"True",
                    b"0",
                    b"-1",
                    b"99999999999999999999",
                    b"4294967296",
                    b"9223372036854775807",
                    b"",
                    b"16, 16",
                    b"x",
                ]
            )
            mutant = bytearray(text.replace(old, new, 1))
    return bytes(mutant)


def mutate_bundle(data, rng):
    """An offload bundle, or a host file with embedded device code."""
    mutant = bytearray(data)
    starts = [at for at in (data.find(b"__CLANG_OFFLOAD_BUNDLE__"), data.find(b"CCOB")) if at >= 0]
    for _ in range(rng.choice([1, 1, 2, 4])):
        if starts and rng.random() < 0.6:
            at = rng.choice(starts) + rng.randrange(4, 160)
            size = rng.choice([1, 2, 4, 8])
            put(mutant, at, size, other_number(rng, get(mutant, at, size), size))
        else:
            damage_bytes(mutant, rng)
    return bytes(mutant)
