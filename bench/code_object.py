"""Reads the kernels of an AMDGPU code object: their resources, instructions and main loops."""

import re
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field

LLVM_BIN = "/usr/lib/llvm-22/bin"
MATRIX = re.compile(r"v_(s?mfma|s?mfmac|s?wmma|swmmac)")
BRANCH = re.compile(r"s_c?branch(_\w+)?$")
BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def innermost(branches):
    """Returns first and last position of the innermost loops, given target and position of each backward branch."""
    # If a loop has several backward branches, the last one ends it.
    ends = {begin: max(end for start, end in branches if start == begin) for begin, _ in branches}
    loops = sorted(ends.items())
    return [(begin, end) for begin, end in loops if not any(begin < other and last <= end for other, last in loops)]


class CodeObjectError(Exception):
    """A file or kernel that cannot be read; the message says why."""


@dataclass
class Instruction:
    address: int
    text: str
    words: list  # The encoding, as 32-bit numbers.

    @property
    def opcode(self):
        return self.text.split()[0]

    @property
    def operands(self):
        """The operands, without the modifiers after the last one."""
        parts = [part.strip() for part in self.text.partition(" ")[2].split(",")]
        return [part.split()[0] for part in parts if part]

    @property
    def is_branch(self):
        return bool(BRANCH.match(self.opcode))

    @property
    def is_matrix(self):
        return bool(MATRIX.match(self.opcode))

    @property
    def target(self):
        """The target address of a branch."""
        offset = self.words[0] & 0xFFFF
        return self.address + 4 + 4 * (offset - 0x10000 if offset & 0x8000 else offset)


@dataclass
class Kernel:
    name: str
    processor: str
    wave_size: int
    vgprs: int  # Includes accumulators if they are in the same register file.
    accum_offset: int  # The first accumulator; 0 if they are not in the same register file.
    sgprs: int
    lds: int
    scratch: int
    spills: int
    lanes: int  # The maximum number in a workgroup.
    code: list = field(default_factory=list)

    @property
    def accumulators(self):
        """The number of accumulators. More registers may be allocated than can be accumulators."""
        return min(self.vgprs - self.accum_offset, 256) if self.accum_offset else 0

    def find_loop(self):
        """Returns the main loop: the innermost loop with the most matrix instructions; empty if there is none."""
        places = {instruction.address: i for i, instruction in enumerate(self.code)}
        loops = []
        for end, instruction in enumerate(self.code):
            begin = places.get(instruction.target) if instruction.is_branch else None
            if begin is not None and begin <= end:
                loops.append((begin, end))
        bodies = [self.code[begin : end + 1] for begin, end in innermost(loops)]
        count = lambda body: sum(instruction.is_matrix for instruction in body)
        best = max(bodies, key=lambda body: (count(body), -len(body)), default=[])
        return best if count(best) else []


def run_tool(name, *arguments):
    process = subprocess.run([f"{LLVM_BIN}/{name}", *arguments], capture_output=True, text=True)
    if process.returncode:
        raise CodeObjectError(f"{name} failed: {process.stderr.strip()}")
    return process.stdout


def unbundle(data, path):
    """Returns the first code object for an AMD GPU in an offload bundle. Returns other files unchanged."""
    if data.startswith(b"CCOB"):
        raise CodeObjectError(f"{path} is a compressed bundle; clang-offload-bundler --unbundle extracts code objects")
    if not data.startswith(BUNDLE_MAGIC):
        return data
    position = len(BUNDLE_MAGIC) + 8
    for _ in range(struct.unpack_from("<Q", data, len(BUNDLE_MAGIC))[0]):
        offset, size, length = struct.unpack_from("<QQQ", data, position)
        name = data[position + 24 : position + 24 + length].decode()
        position += 24 + length
        if "amdgcn" in name and size:
            return data[offset : offset + size]
    raise CodeObjectError(f"{path} is a bundle without code for an AMD GPU")


class Elf:
    """The sections and symbols of a 64-bit ELF file."""

    def __init__(self, data, path):
        if data[:5] != b"\x7fELF\x02" or struct.unpack_from("<H", data, 18)[0] != 224:
            raise CodeObjectError(f"{path} is not an AMDGPU code object")
        self.data = data
        (offset,) = struct.unpack_from("<Q", data, 40)
        size, count, _ = struct.unpack_from("<HHH", data, 58)
        # Name, type, flags, address, offset, size, link, info, alignment, entry size.
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]

    def symbols(self):
        """Returns name -> address."""
        result = {}
        for section in self.sections:
            if section[1] not in (2, 11):  # SHT_SYMTAB, SHT_DYNSYM
                continue
            names = self.sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", self.data, at)
                end = self.data.index(b"\0", names + name)
                result[self.data[names + name : end].decode(errors="replace")] = value
        return result

    def read(self, address, size):
        for _, kind, flags, begin, offset, length, *_ in self.sections:
            if flags & 2 and kind != 8 and begin <= address and address + size <= begin + length:  # SHF_ALLOC
                return self.data[offset + address - begin : offset + address - begin + size]
        raise CodeObjectError(f"the address {address:#x} is in no section")


def read_notes(path):
    """Returns kernel -> the numbers in its metadata."""
    kernels = {}
    for entry in re.split(r"^ +- \.(?=agpr_count|args)", run_tool("llvm-readobj", "--notes", path), flags=re.M)[1:]:
        entry = "." + entry
        if symbol := re.search(r"\.symbol: +'?([^'\n]+)\.kd", entry):
            kernels[symbol.group(1)] = {key: int(n) for key, n in re.findall(r"\.(\w+): +(\d+)$", entry, re.M)}
    return kernels


def disassemble(path):
    """Returns the instructions of all kernels, ordered by address."""
    line = re.compile(r"^\t(\S.*?)\s*// ([0-9A-F]+): ([0-9A-F ]+?)(?: <.*>)?$")
    instructions = []
    for text in run_tool("llvm-objdump", "-d", path).splitlines():
        if match := line.match(text):
            words = [int(word, 16) for word in match.group(3).split()]
            instructions.append(Instruction(int(match.group(2), 16), match.group(1), words))
    return instructions


def read_kernel(name, elf, descriptor, notes, processor):
    """Returns a kernel without its code, and the address of its first instruction."""
    data = elf.read(descriptor, 64)
    lds, scratch = struct.unpack_from("<II", data, 0)
    (entry,) = struct.unpack_from("<q", data, 16)
    rsrc3, rsrc1, rsrc2, properties = struct.unpack_from("<IIIH", data, 44)
    wave_size = 32 if properties >> 10 & 1 else 64
    generation = int(processor[3:-2])
    has_accumulators = processor in ("gfx90a",) or processor.startswith(("gfx94", "gfx95"))
    # Registers are allocated in granules: of 8 with accumulators in the same file or in wave32, otherwise of 4.
    granule = 8 if has_accumulators or (generation >= 10 and wave_size == 32) else 4
    return (
        Kernel(
            name,
            processor,
            wave_size,
            vgprs=((rsrc1 & 0x3F) + 1) * granule,
            accum_offset=((rsrc3 & 0x3F) + 1) * 4 if has_accumulators else 0,
            sgprs=notes.get("sgpr_count", ((rsrc1 >> 6 & 0xF) + 1) * 8),
            lds=max(lds, notes.get("group_segment_fixed_size", 0)),
            scratch=max(scratch, notes.get("private_segment_fixed_size", 0)),
            spills=notes.get("vgpr_spill_count", 0) + notes.get("sgpr_spill_count", 0),
            lanes=notes.get("max_flat_workgroup_size", 0),
        ),
        descriptor + entry,
    )


def read_kernels(path, pattern=""):
    """Returns the kernels of a code object or bundle whose names contain `pattern`, in the order of their code."""
    with open(path, "rb") as file:
        data = file.read()
    code = unbundle(data, path)
    if code is data:
        return read_code_object(data, path, pattern)
    with tempfile.NamedTemporaryFile(suffix=".co") as file:
        file.write(code)
        file.flush()
        return read_code_object(code, file.name, pattern)


def read_code_object(code, path, pattern):
    elf = Elf(code, path)
    flags = re.search(r"EF_AMDGPU_MACH_AMDGCN_(GFX\w+)", run_tool("llvm-readobj", "--file-headers", path))
    if not flags:
        raise CodeObjectError(f"{path} is for a processor that LLVM does not know")
    processor = flags.group(1).lower()
    notes = read_notes(path)
    kernels = []
    for symbol, address in sorted(elf.symbols().items(), key=lambda item: item[1]):
        if symbol.endswith(".kd"):
            name = symbol[:-3]
            kernels.append(read_kernel(name, elf, address, notes.get(name, {}), processor))
    kernels.sort(key=lambda item: item[1])
    instructions = disassemble(path)
    for (kernel, begin), (_, end) in zip(kernels, [*kernels[1:], (None, float("inf"))]):
        kernel.code = [instruction for instruction in instructions if begin <= instruction.address < end]
    return [kernel for kernel, _ in kernels if pattern in kernel.name]
