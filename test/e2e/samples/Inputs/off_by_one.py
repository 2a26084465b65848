"""off_by_one.py AIRCC SAMPLE CHIP DIRECTORY

Compiles a sample with line tables. Then each of its instructions that access
global memory or LDS in turn gets an index that is one element too large, in
place in the executable, and the program runs under the checker. It must fail:

 - An access of global memory must be reported, with its line.
 - An access of LDS must be reported, or the program must find that its result is wrong. A store to the wrong place
   may also be reported as a read of the correct place, which has never been written.
"""

import os
import re
import struct
import subprocess
import sys

aircc, source, chip, directory = sys.argv[1:]
name = os.path.splitext(os.path.basename(source))[0]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def element_bytes(mnemonic):
    if re.search("_[us]?byte|_[ui]8|_b8", mnemonic):
        return 1
    return 2 if re.search("_[us]?short|_[ui]16|_b16", mnemonic) else 4


def one_further(words, mnemonic):
    """Returns the instruction's words with an offset that is one element larger, or none if the encoding has no such
    offset."""
    step = element_bytes(mnemonic)
    first = words[0]
    if mnemonic.startswith("ds_"):
        # Of two addresses, change the first: its offset counts elements and is in a byte.
        field, step = (0xFF, 1) if re.search("2addr|read2|write2", mnemonic) else (0xFFFF, step)
    elif chip.startswith("gfx12"):
        offset = (words[2] >> 8) + step & 0xFFFFFF
        return [first, words[1], words[2] & 0xFF | offset << 8]
    else:
        field = 0x1FFF  # The offset is signed.
        if (first & field) == field >> 1:
            return None
    return [first & ~field | (first & field) + step & field] + words[1:]


program = os.path.join(directory, f"{name}.{chip}")
image = program + ".hsaco"
run(aircc, source, "--target", chip, "-g", "-o", program)
run(aircc, source, "--target", chip, "-g", "--emit=hsaco", "-o", image)
with open(program, "rb") as file:
    whole = file.read()
with open(image, "rb") as file:
    base = whole.find(file.read())
assert base > 0, "the executable does not hold the code object"
address, offset = re.search(r"\.text\s+PROGBITS\s+(\w+)\s+(\w+)", run("llvm-readelf", "-S", "-W", image)).groups()
base += int(offset, 16) - int(address, 16)

counts = {"named": 0, "read": 0, "result": 0}
failures = 0
for line in run("llvm-objdump", "-d", f"--mcpu={chip}", image).splitlines():
    symbol = re.match("([0-9a-f]+) <(.*)>:", line)
    if symbol:
        start, function = int(symbol[1], 16), symbol[2]
    instruction = re.match(r"\t((\w+).*?)\s+// ([0-9A-F]+): ([0-9A-F ]+)", line)
    if not instruction:
        continue
    text, mnemonic, address, words = instruction.groups()
    if not re.match("(ds_(read|write|load|store)|global_(load|store))_?", mnemonic):
        continue
    mutated = one_further([int(word, 16) for word in words.split()], mnemonic)
    if not mutated:
        continue
    address = int(address, 16)
    code = bytearray(whole)
    struct.pack_into(f"<{len(mutated)}I", code, base + address, *mutated)
    with open(program, "wb") as file:
        file.write(code)
    ran = subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    here = rf"\({function}\+0x{address - start:x}\): {mnemonic} .* \[{name}\.mlir:\d+:\d+\]"
    reports = ran.stdout.count("\n  at ")
    unwritten = ran.stdout.count("read from LDS that was never written")
    if ran.returncode and re.search(here, ran.stdout):
        counts["named"] += 1
    elif ran.returncode and reports and mnemonic.startswith("ds_") and reports == unwritten:
        counts["read"] += 1
    elif ran.returncode and not reports and mnemonic.startswith("ds_"):
        counts["result"] += 1
    else:
        failures += 1
        print(f"{name} {chip}, one further at {text} ({function}+0x{address - start:x}): status {ran.returncode}")
        print(ran.stdout)
print(
    f"{name} {chip}: {counts['named']} named, {counts['read']} by a read, {counts['result']} by the result,"
    f" {failures} not"
)
sys.exit(failures != 0)
