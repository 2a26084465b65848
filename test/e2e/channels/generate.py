#!/usr/bin/env python3
"""Random programs that send messages between ranks through channels.

    generate.py --aircc BINARY [--seed N] [--count N] [--target NAME]... [--work DIR]

These are random: the senders and receivers, the type, shape and number of the messages, their places in the buffers,
the depth of the channel, the delays of the ranks, and whether the host or kernels use the channel (PEs, lanes or
segments, directly from L3 or through L1 and L2; or herds whose points are lanes). Each message contains its sender,
its receiver and its number; each rank checks that it got the expected messages in order, and that nothing else was
written. In a queue, where each message goes to the next rank that asks for one, the others report their messages to
rank 0, which checks that each message was received exactly once.

Program number k of a run has the seed `seed + k`, so `--seed THAT --count 1` generates a failing program again; with
--work the program is kept there.

shapes.py chooses the program, emission.py writes its transfers, checks.py what each rank should have received.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # Do not write .pyc files to the source folder.
from checks import Program


def run(args, seed, target, work):
    program = Program(seed)
    source = os.path.join(work, f"program{seed}.mlir")
    binary = os.path.join(work, f"program{seed}.{target}")
    with open(source, "w") as f:
        f.write(program.text())
    options = ["--stage-option", "hierarchy.pe=lane"] if program.scope == "lanes" else []
    compiled = subprocess.run(
        [args.aircc, source, "--target", target, "-o", binary] + options, capture_output=True, text=True
    )
    if compiled.returncode:
        return program, "does not compile:\n" + compiled.stderr
    env = dict(
        os.environ,
        AIRCC_DEVICE="sim",
        WORLD_SIZE=str(program.ranks),
        AIRCC_JOB=f"channels-{os.getpid()}-{seed}-{target}",
        AIRCC_WAIT_LIMIT="60",
    )
    ranks = [
        subprocess.Popen(
            [binary],
            env=dict(env, RANK=str(r), LOCAL_RANK=str(r)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for r in range(program.ranks)
    ]
    problems = []
    for number, rank in enumerate(ranks):
        try:
            output, _ = rank.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            for other in ranks:
                other.kill()
            output, _ = rank.communicate()
            output += "(hangs)\n"
        if rank.returncode or output != f"rank {number}: 0 errors\n":
            problems.append(f"rank {number} ended with {rank.returncode}: {output}")
    if not problems and not args.work:
        os.unlink(source)
        os.unlink(binary)
    return program, "\n".join(problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aircc", help="the binary to test; without it the program is printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--target", action="append")
    parser.add_argument("--work")
    args = parser.parse_args()
    if not args.aircc:
        sys.stdout.write(Program(args.seed).text())
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = args.work or temporary
        os.makedirs(work, exist_ok=True)
        total = 0
        for seed in range(args.seed, args.seed + args.count):
            for target in args.target or ["gfx942"]:
                total += 1
                program, problem = run(args, seed, target, work)
                if problem:
                    failed += 1
                    print(f"FAILED ({target}) {program.describe()}\n{problem}", flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
