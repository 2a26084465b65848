"""Random tensor graphs, compiled in batches, run on the simulated device, and compared with an interpreter in numpy.

random_graphs.py [--seed N] [--count N] [--batch N] [--target NAME] [--options "..."] [--print]

--print writes the programs and runs nothing. Each graph has a seed of its own, so `--seed N --count 1` repeats one.
"""

import argparse
import subprocess
import sys

import numpy as np

import aircc
from elements import from_bits, to_bits
from graph_choice import choose_graph
from graph_text import write


def compare(graph, interpreter, results):
    """The difference between the results of a library and of the interpreter, or ""."""
    for value, have in zip(graph.results, results):
        want = interpreter.values[value]
        if have.shape != value.shape:
            return f"{value.name} has the shape {have.shape}; {value.shape} is expected"
        have = from_bits(have, value.element)
        if want.error is None:
            wrong = ~((have == want.data) | ((have != have) & (want.data != want.data)))
        else:
            wrong = ~(np.abs(have.astype(np.float64) - want.data.astype(np.float64)) <= want.error)
        if np.any(wrong):
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            bound = 0 if want.error is None else want.error[at]
            expected = f"{want.data[at]!r} +- {bound} is expected"
            return f"{value.name}{list(at)} is {have[at]!r}; {expected}, {wrong.sum()} differ"
    return ""


def call(library, graph, interpreter, sizes):
    arguments = [to_bits(argument.data, argument.value.element) for argument in graph.arguments]
    results = getattr(library, graph.name)(*arguments, *sizes)
    return compare(graph, interpreter, results if isinstance(results, tuple) else (results,))


def run(graphs, target, options):
    """The errors of a batch of graphs by name."""
    texts = [(graph, interpreter, *write(graph)) for graph, interpreter in graphs]
    try:
        library = aircc.compile("\n".join(text for _, _, text, _ in texts), target=target, options=options)
    except aircc.CompileError as error:
        if len(graphs) == 1:
            return [(graphs[0][0], f"does not compile: {error}")]
        return [failure for pair in graphs for failure in run([pair], target, options)]
    errors = [(graph, call(library, graph, interpreter, sizes)) for graph, interpreter, _, sizes in texts]
    return [(graph, error) for graph, error in errors if error]


def spawn(seed, count, arguments):
    """Runs graphs in a separate process, because a failure in their library ends the process."""
    command = [sys.executable, __file__, "--here", "--seed", str(seed), "--count", str(count)]
    command += ["--target", arguments.target, f"--options={arguments.options}"]
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "it takes more than 300 seconds")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--options", default="")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--here", action="store_true", help="run in this process")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    if arguments.print:
        for seed in seeds:
            print(write(choose_graph(seed)[0])[0])
        return 0
    if arguments.here:
        errors = run([choose_graph(seed) for seed in seeds], arguments.target, arguments.options.split())
        for graph, error in errors:
            print(f"seed {graph.seed}: {error}")
        return int(bool(errors))
    failures = 0
    for start in range(0, arguments.count, arguments.batch):
        batch = seeds[start : start + arguments.batch]
        if spawn(batch[0], len(batch), arguments).returncode == 0:
            continue
        for seed in batch:
            done = spawn(seed, 1, arguments)
            if done.returncode != 0:
                failures += 1
                print(
                    done.stdout.rstrip() or f"seed {seed}: ends with {done.returncode}: {done.stderr[-800:]}",
                    flush=True,
                )
    print(f"{arguments.count} graphs from seed {arguments.seed} for {arguments.target}, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
