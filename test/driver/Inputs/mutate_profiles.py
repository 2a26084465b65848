"""Mutates target profiles from a seed, and checks that no mutant makes aircc crash.

    mutate_profiles.py AIRCC FOLDER SEED COUNT [PROGRAM.mlir...]

Each mutant is one of aircc's own profiles with one to three of its values changed. It is resolved first, so that inherited
values change too. `aircc targets` must take it (exit code 0) or name file, line and JSON pointer of what is
wrong (2). The programs are compiled for mutants that it takes: done (0), or refused (1, 2 or 3). An internal error (70) or
a signal fails the test, and the mutant is kept in FOLDER.
"""

import copy
import json
import os
import random
import re
import subprocess
import sys

NUMBERS = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 128, 255, 256, 512, 1000, 1024, 1025, 4096, 65535,
           65536, 163840, 1 << 20, 1 << 24, 1 << 31, (1 << 32) + 1, 1 << 62, (1 << 63) - 1, 1 << 63, 1 << 70, -1, -64,
           -(1 << 63), 0.5, 1e300]
STRINGS = ["", " ", "x", "-", "+", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250", "gfx900", "generic",
           "pvc", "bmg", "f16", "f32", "i8", "bf16", "tf32", "f8E4M3FN", "f4E2M1FN", "amd", "intel", "rocdl", "xevm",
           "ocp", "fnuz", "none", "hip", "sim", "level-zero", "ocml", "ockl", "opencl", "nolib", "+wavefrontsize64",
           "-wavefrontsize64", "+wavefrontsize32", "+mai-insts", "-mai-insts", "-gfx950-insts", "+sramecc", "-xnack",
           "amdgcn-amd-amdhsa", "spirv64-unknown-unknown", "spirv32-unknown-unknown", "x86_64-unknown-linux-gnu",
           "aarch64-unknown-linux-gnu", "nonsense-triple", "amdgcn", "cc", "no-such-compiler", "channels", "hierarchy",
           "layout", "distribution", "codegen", "link", "mfma.f32.16x16x16f16", "wmma.f32.16x16x16.f16", "\u0000",
           "\u00e9", "a" * 5000]


def paths(value, prefix=()):
    """Every place in a JSON value, as a tuple of keys."""
    yield prefix
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, member in items:
        yield from paths(member, prefix + (key,))


def lookup(value, path):
    for key in path:
        value = value[key]
    return value


def any_value(rng):
    return rng.choice([rng.choice(NUMBERS), rng.choice(STRINGS), None, True, [], {}, [rng.choice(NUMBERS)] * 2,
                       [rng.choice(STRINGS)], {"a": rng.choice(NUMBERS)}])


def near_value(rng, old):
    """Another value of the same type, most of the time."""
    if isinstance(old, bool) or rng.random() < 0.15:
        return any_value(rng)
    if isinstance(old, int):
        return rng.choice([rng.choice(NUMBERS), old * 2, old // 2, old + 1, old - 1, -old, old << 58])
    if isinstance(old, str):
        return rng.choice([rng.choice(STRINGS), old + "x", old[1:], old[::-1], old.upper()])
    if isinstance(old, list):
        return rng.choice([old[:-1], old + old, old[::-1], old + [any_value(rng)], rng.sample(old, len(old)), []])
    if isinstance(old, dict):
        changed = dict(old)
        if old and rng.random() < 0.5:
            del changed[rng.choice(list(old))]
        else:
            changed[rng.choice(STRINGS)] = any_value(rng)
        return changed
    return any_value(rng)


def mutate(rng, profile, others):
    mutant = copy.deepcopy(profile)
    changed = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        path = rng.choice(list(paths(mutant)))
        # Nine tenths of all values are those of matrix instructions.
        if path[:1] == ("matrixInstructions",) and rng.random() < 0.6:
            path = rng.choice([p for p in paths(mutant) if p[:1] != ("matrixInstructions",)])
        if not path:
            continue
        parent = lookup(mutant, path[:-1])
        action = rng.random()
        if action < 0.1:
            del parent[path[-1]]
        elif action < 0.25:
            # The same place of another profile: right there, and perhaps wrong here.
            other = rng.choice(others)
            try:
                parent[path[-1]] = copy.deepcopy(lookup(other, path))
            except (KeyError, IndexError, TypeError):
                parent[path[-1]] = any_value(rng)
        else:
            parent[path[-1]] = near_value(rng, parent[path[-1]])
        changed.append("/".join(map(str, path)))
    return mutant, changed


def mutate_text(rng, text):
    """Changes bytes, so that also the parser sees something."""
    at = rng.randrange(len(text))
    kind = rng.random()
    if kind < 0.3:
        return text[:at]
    if kind < 0.6:
        return text[:at] + rng.choice('{}[]",:0-e\\\x00\n') + text[at:]
    if kind < 0.8:
        return text[:at] + text[at + 1:]
    return text[:at] + rng.choice("[{") * rng.choice([70, 200000]) + text[at:]


def main():
    aircc, folder, seed, count = sys.argv[1:5]
    programs = sys.argv[5:]
    os.makedirs(folder, exist_ok=True)
    names = [line.split()[0] for line in subprocess.run([aircc, "targets"], capture_output=True, text=True,
                                                        check=True).stdout.splitlines()]
    profiles = [json.loads(subprocess.run([aircc, "targets", name], capture_output=True, text=True, check=True).stdout)
                for name in names]
    taken = refused = compiled = failures = 0
    for number in range(int(count)):
        rng = random.Random(f"{seed}.{number}")
        profile = rng.choice(profiles)
        if rng.random() < 0.1:
            text, changed = mutate_text(rng, json.dumps(profile, indent=1)), ["text"]
        else:
            mutant, changed = mutate(rng, profile, profiles)
            text = json.dumps(mutant, indent=1)
        file = os.path.join(folder, f"mutant-{seed}-{number}.json")
        with open(file, "w") as out:
            out.write(text)
        keep = False

        def fail(what, result):
            nonlocal keep, failures
            keep = True
            failures += 1
            print(f"{file} ({profile['name']}: {', '.join(changed)}): {what}: exit code {result.returncode}\n"
                  f"{result.stderr[:600]}")

        result = subprocess.run([aircc, "targets", file], capture_output=True, text=True, errors="replace", timeout=60)
        if result.returncode == 2:
            refused += 1
            if not re.search(r"mutant-\S+\.json:\d+:\d+: error: ", result.stderr):
                fail("an error without a place", result)
        elif result.returncode != 0:
            fail("aircc targets", result)
        else:
            taken += 1
            for program in programs:
                result = subprocess.run([aircc, program, "--target", file, "-o", file + ".out"], capture_output=True,
                                        text=True, errors="replace", timeout=300)
                compiled += result.returncode == 0
                if result.returncode not in (0, 1, 2, 3):
                    fail(program, result)
                if os.path.exists(file + ".out"):
                    os.remove(file + ".out")
        if not keep:
            os.remove(file)
    print(f"{count} mutants: {taken} taken, {refused} refused; {compiled} programs compiled; {failures} failures")
    # A mutation that is always refused, or never, would test nothing.
    if not failures and taken and refused and (compiled or not programs):
        print("PASS")


main()
