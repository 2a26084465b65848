"""Prints what the tests look at in a counters file."""

import json
import sys

with open(sys.argv[1]) as file:
    data = json.load(file)
print(data["format"], data["version"])
print("kernels:", ", ".join(f"{k['kernel']} x{k['launches']}" for k in data["kernels"]))
for c in data["launches"]:
    print(
        f"{c['kernel']} on {c['processor']} wave{c['wave_size']} grid {c['grid']} block {c['block']}: "
        f"{c['workgroups']} workgroups, {c['waves']} waves"
    )
    for space in ["global", "lds", "scratch"]:
        for a in c[space]:
            text = (
                f"{space} {a['access']} {a['bytes_per_lane']}: {a['instructions']} instructions,"
                f" {a['lanes']} lanes, {a['bytes']} bytes"
            )
            if space == "global":
                text += f", {a['lines']} lines of {c['line_bytes']}"
            if space == "lds":
                text += f", {a['cycles']} cycles, {a['conflict_cycles']} by conflicts"
            print(text)
    lines = c["distinct_lines"]
    print(f"distinct lines: {lines['read']} read, {lines['written']} written, {lines['all']} in all")
    print(f"end: {c['classes']['end']['instructions']} instructions")
    total = sum(entry["instructions"] for entry in c["classes"].values())
    print("classes add up:", total == c["instructions"])
    print(f"barriers {c['barriers']}, spins {c['spins']}, sleeps {c['sleeps']}")
    print("bound by", c["estimate"]["bound_by"])
