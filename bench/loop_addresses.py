"""Finds the registers from which a loop computes the addresses of its accesses.

Follows each address back to registers whose values come from before the loop. A result depends on all operands. If it
has several registers, each of them depends on the register at the same position in operands of the same size. Only sums
and moves of pointers are pointers. Therefore, a pointer is a pair of registers: the first contributes, by sums and
moves, to the first register of an address, and the second to the second one. A register that is scaled in any address
is an index.
"""

import re
from collections import Counter

MEMORY = re.compile(r"(global|flat|scratch|buffer|tbuffer)_")
KEEPS_POINTERS = re.compile(
    r"[sv]_(pk_)?(add|sub|mov|or_|and_b32|cselect|cndmask|accvgpr|lshl_add_u64|mad_u64|readfirstlane)"
)
HAS_NO_RESULT = re.compile(
    r"(s_(waitcnt|wait_|barrier|c?branch|cmp|bitcmp|nop|setprio|set)|ds_(write|store)|\w+_store)"
)


def find_registers(operand):
    """Returns the registers in an operand, such as ("v", 2), ("v", 3) for v[2:3]."""
    match = re.fullmatch(r"([vsa])(?:(\d+)|\[(\d+):(\d+)\])", operand)
    if not match:
        return []
    kind, first, begin, end = match.groups()
    return [(kind, i) for i in range(int(begin or first), int(end or first) + 1)]


def access_bytes(opcode):
    """Returns the size of a lane's access to LDS in bytes: a power of two, at least four."""
    match = re.search(r"_b(\d+)$", opcode)
    bits = int(match.group(1)) if match else 32
    return {96: 16}.get(bits, max(bits // 8, 4))


def find_address(opcode, operands):
    """Returns the operand with the vector address of an access: the first one after the result, if any."""
    hasResult = "_load" in opcode or "_read" in opcode or "permute" in opcode or "_rtn" in opcode
    isToLds = "_lds" in opcode or not find_registers(operands[0])
    # A buffer access to LDS has no result in registers.
    if opcode.startswith(("buffer_", "tbuffer_")) and len(operands) == 3:
        return operands[0]
    at = 1 if (hasResult or opcode.startswith(("buffer_", "tbuffer_"))) and not isToLds else 0
    return operands[at] if at < len(operands) else ""


def join(contributions, groups):
    """Returns what contributes to any of the registers in the groups."""
    return {origin for group in groups for register in group for origin in contributions.get(register, {register})}


class Addresses:
    def __init__(self, loop):
        self.sizes, self.formats = set(), set()  # The third and fourth registers of buffer resources.
        self.pointers = set()  # Pairs of registers.
        self.strides = {}  # Register with an offset -> bytes between lanes.
        self.origins = {}  # Register -> the registers before the loop that contribute to it.
        self.parts = {}  # Register -> those that contribute to it by sums and moves only.
        self.pairs = []  # For each access with a pointer, the candidates for it.
        self.scaled = set()  # Registers that contribute to addresses by other operations.
        self.offsets = []  # For each access with an offset, the contributing registers, and the bytes per lane.
        for _ in range(2):  # The second iteration starts with what the first one leaves in registers.
            for instruction in loop:
                self.add(instruction)
        self.choose()

    def add(self, instruction):
        opcode, operands = instruction.opcode, instruction.operands
        if opcode.startswith("ds_"):
            self.add_offset(find_registers(find_address(opcode, operands)), access_bytes(opcode))
        elif MEMORY.match(opcode) and operands and not opcode.startswith("scratch"):
            self.add_access(opcode, operands)
        elif opcode.startswith(("s_load", "s_buffer_load")):
            self.add_base(find_registers(operands[1]))
        if not operands or HAS_NO_RESULT.match(opcode):
            return
        results = find_registers(operands[0])
        sources = [find_registers(operand) for operand in operands[1:]]
        origins, parts = {}, {}
        for place, result in enumerate(results):
            used = [s[place : place + 1] if len(s) == len(results) else s for s in sources]
            origins[result] = join(self.origins, used)
            if opcode.startswith("v_mad_u64") or (opcode.startswith("v_lshl_add_u64") and operands[2] != "0"):
                used = used[-1:]
            parts[result] = join(self.parts, used) if KEEPS_POINTERS.match(opcode) else set()
        self.origins.update(origins)
        self.parts.update(parts)

    def add_access(self, opcode, operands):
        for operand in operands[1:]:
            registers = find_registers(operand)
            if len(registers) in (2, 4) and registers[0][0] == "s":
                self.add_base(registers)
        address = find_registers(find_address(opcode, operands))
        if len(address) == 2 and opcode.startswith(("global_", "flat_")):
            self.add_base(address)
        else:
            self.add_offset(address[:1], 16)

    def add_base(self, registers):
        """Adds the address in the first two registers, which may be those of a buffer resource."""
        if len(registers) not in (2, 4):
            return
        low, high, *resource = (join(self.parts, [[register]]) for register in registers)
        self.scaled |= join(self.origins, [registers[:1]]) - low
        pairs = sorted((l, h) for l in low for h in high if l != h and l[0] == h[0])
        self.pairs.append([(l, h) for l, h in pairs if h[1] == l[1] + 1] or pairs)
        if resource:
            self.sizes |= resource[0]
            self.formats |= resource[1]
        else:
            self.add_offset(registers, 16)

    def add_offset(self, registers, size):
        for register in registers[:1]:
            self.offsets.append((sorted(join(self.origins, [[register]])), size))

    def choose(self):
        # Prefer pointers that several addresses share: these differ only in their offsets.
        counts = Counter(pair for pairs in self.pairs for pair in set(pairs))
        for pairs in self.pairs:
            pairs = [pair for pair in pairs if pair[0] not in self.scaled] or pairs
            if pairs and not self.pointers.intersection(pairs):
                self.pointers.add(max(pairs, key=lambda pair: (counts[pair], pair[0][0] == "s", pair)))
        highs = {high for _, high in self.pointers}
        for registers, size in self.offsets:
            vectors = [register for register in registers if register[0] != "s" and register not in highs]
            if vectors and not any(register in self.strides for register in vectors):
                self.strides[vectors[-1]] = size
