"""Reads modules in MLIR's generic form (`--mlir-print-op-generic`).

`parse(text)` returns the module as an `Op`. Attributes become Python values: numbers, strings, lists, dictionaries,
`Map` and `IntegerSet` for affine maps and sets, `Type` for types; attributes that no op here needs stay text. Only the
forms that the printer writes are supported.
"""

import re
import struct


class Op:
    """An operation: `results` and `operands` are SSA names, `regions` lists of blocks."""

    __slots__ = ("name", "results", "operands", "attributes", "regions", "operand_types", "result_types", "cache")

    def __init__(self, name):
        self.name, self.results, self.operands, self.attributes = name, [], [], {}
        self.regions, self.operand_types, self.result_types, self.cache = [], [], [], None

    def segments(self):
        """The operands, split as `operandSegmentSizes` says."""
        out, start = [], 0
        for n in self.attributes["operandSegmentSizes"]:
            out.append(self.operands[start : start + n])
            start += n
        return out


class Block:
    __slots__ = ("arguments", "types", "ops")

    def __init__(self, arguments, types):
        self.arguments, self.types, self.ops = arguments, types, []


class Type:
    """`kind` is index, int, float, memref, vector, token, function or other."""

    __slots__ = ("kind", "name", "bits", "shape", "element", "strides", "offset", "space", "text")

    def __init__(self, kind, **fields):
        self.kind = kind
        for field in self.__slots__[1:]:
            setattr(self, field, fields.get(field))


class Map:
    """An affine map; each result is a function of the list of dimensions and symbols."""

    def __init__(self, dims, symbols, results, positions):
        self.dims, self.symbols, self.results, self.positions = dims, symbols, results, positions

    def __call__(self, values):
        return [result(values) for result in self.results]


class IntegerSet:
    def __init__(self, constraints):
        self.constraints = constraints

    def contains(self, values):
        return all(f(values) == 0 if equal else f(values) >= 0 for f, equal in self.constraints)


FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
TOKEN = re.compile(r"\s*(?://[^\n]*\n\s*)*")
NUMBER = re.compile(r"-?(0x[0-9A-Fa-f]+|\d+(\.\d*)?([eE][-+]?\d+)?)")
WORD = re.compile(r"[A-Za-z_][\w$.\-]*")
CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


def float_of_bits(bits, name):
    if name == "f32":
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    if name == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if name == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


class Parser:
    def __init__(self, text):
        self.text, self.at, self.aliases = text, 0, {}

    # Characters.

    def skip(self):
        self.at = TOKEN.match(self.text, self.at).end()

    def peek(self, literal):
        self.skip()
        return self.text.startswith(literal, self.at)

    def take(self, literal):
        if self.peek(literal):
            self.at += len(literal)
            return True
        return False

    def expect(self, literal):
        if not self.take(literal):
            line = self.text.count("\n", 0, self.at) + 1
            raise SyntaxError(f"line {line}: expected {literal!r} at {self.text[self.at:self.at + 60]!r}")

    def match(self, pattern):
        self.skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found and found.group(0)

    def string(self):
        self.expect('"')
        end = self.at
        while self.text[end] != '"':
            end += 2 if self.text[end] == "\\" else 1
        value = self.text[self.at : end]
        self.at = end + 1
        return value

    def bracketed(self):
        """The text of a bracket and all in it."""
        self.skip()
        start, stack = self.at, []
        while True:
            c = self.text[self.at]
            if c == '"':
                self.string()
                continue
            self.at += 1
            if c in CLOSING:
                stack.append(CLOSING[c])
            elif c == ">" and self.text[self.at - 2] == "-":
                pass
            elif stack and c == stack[-1]:
                stack.pop()
                if not stack:
                    return self.text[start : self.at]

    def listed(self, close, item):
        out = []
        if self.take(close):
            return out
        while True:
            out.append(item())
            if self.take(close):
                return out
            self.expect(",")

    # Types.

    def type(self):
        if self.take("("):
            inputs = self.listed(")", self.type)
            self.expect("->")
            return Type("function", shape=inputs, element=self.results_types())
        if self.peek("!"):
            self.at += 1
            word = self.match(WORD)
            if self.peek("<"):
                word += self.bracketed()
            return Type("token" if word == "air.async.token" else "other", text=word)
        word = self.match(WORD)
        if word == "index":
            return Type("index", bits=64)
        if word in FLOATS:
            return Type("float", name=word, bits=FLOATS[word])
        if re.fullmatch(r"[su]?i\d+", word):
            return Type("int", bits=int(word.lstrip("sui")))
        if word in ("memref", "vector", "tensor"):
            return self.shaped(word)
        if self.peek("<"):
            word += self.bracketed()
        return Type("other", text=word)

    def shaped(self, kind):
        self.expect("<")
        shape = []
        while True:
            if self.take("?"):
                shape.append(None)
            elif self.take("*"):
                shape.append("*")
            else:
                found = self.match(re.compile(r"\[?(\d+)\]?(?=x)"))
                if not found:
                    break
                shape.append(int(found.strip("[]")))
            self.expect("x")
        out = Type(kind, shape=shape, element=self.type(), space=0, offset=0)
        while self.take(","):
            if self.take("strided"):
                self.expect("<[")
                out.strides = self.listed("]", lambda: None if self.take("?") else int(self.match(NUMBER)))
                if self.take(","):
                    self.expect("offset:")
                    out.offset = None if self.take("?") else int(self.match(NUMBER))
                self.expect(">")
            elif self.peek("affine_map") or self.peek("#map"):
                out.text = self.attribute()
            else:
                out.space = self.attribute()
        self.expect(">")
        return out

    def results_types(self):
        if self.take("("):
            return self.listed(")", self.type)
        return [self.type()]

    # Attributes.

    def attribute(self):
        self.skip()
        c = self.text[self.at]
        if c == '"':
            value = self.string()
            if self.take(":"):
                self.type()
            return value
        if c == "[":
            self.at += 1
            return self.listed("]", self.attribute)
        if c == "{":
            return self.dictionary()
        if c == "@":
            self.at += 1
            name = self.string() if self.peek('"') else self.match(WORD)
            while self.take("::@"):
                name = self.match(WORD)
            return name
        if c == "#":
            self.at += 1
            word = self.match(WORD)
            if word in self.aliases:
                return self.aliases[word]
            return word + (self.bracketed() if self.peek("<") else "")
        if c in "-0123456789":
            return self.number()
        if c in "!(":
            return self.type()
        return self.worded()

    def number(self):
        literal = self.match(NUMBER)
        if "0x" in literal:
            value = int(literal, 16)
        else:
            value = float(literal) if re.search(r"[.eE]", literal) else int(literal)
        if self.take(":"):
            type = self.type()
            if type.kind == "float":
                value = float_of_bits(value, type.name) if "0x" in literal else float(value)
        return value

    def worded(self):
        start = self.at
        word = self.match(WORD)
        if word in ("true", "false"):
            return word == "true"
        if word == "unit":
            return True
        if word == "array":
            self.expect("<")
            self.match(WORD)
            if self.take(">"):
                return []
            self.expect(":")
            return self.listed(">", self.attribute)
        if word == "dense":
            self.expect("<")
            value = [] if self.peek(">") else self.attribute()
            self.expect(">")
            self.expect(":")
            return ("dense", value, self.type())
        if word == "affine_map":
            self.expect("<")
            value = self.affine_map()
            self.expect(">")
            return value
        if word == "affine_set":
            self.expect("<")
            value = self.affine_set()
            self.expect(">")
            return value
        if word == "loc":
            return self.bracketed()
        self.at = start
        return self.type()

    def dictionary(self):
        self.expect("{")
        return dict(self.listed("}", self.entry))

    def entry(self):
        name = self.string() if self.peek('"') else self.match(WORD)
        return name, (self.attribute() if self.take("=") else True)

    # Affine expressions: functions of the values of dimensions and symbols.

    def names(self):
        self.expect("(")
        names = self.listed(")", lambda: self.match(WORD))
        dims = len(names)
        if self.take("["):
            names += self.listed("]", lambda: self.match(WORD))
        return names, dims

    def affine_map(self):
        names, dims = self.names()
        self.expect("->")
        self.expect("(")
        positions = []

        def result():
            start = self.at
            value = self.affine(names)
            word = self.text[start : self.at].strip()
            positions.append(names.index(word) if word in names else None)
            return value

        return Map(dims, len(names) - dims, self.listed(")", result), positions)

    def affine_set(self):
        names, _ = self.names()
        self.expect(":")
        self.expect("(")

        def constraint():
            left = self.affine(names)
            equal = self.take("==")
            if not equal:
                self.expect(">=")
            right = self.affine(names)
            return (lambda v: left(v) - right(v)), equal

        return IntegerSet(self.listed(")", constraint))

    def affine(self, names):
        left = self.product(names)
        while self.peek("+") or (self.peek("-") and not self.peek("->")):
            plus = self.take("+")
            if not plus:
                self.expect("-")
            left = (lambda a, b, s: lambda v: a(v) + s * b(v))(left, self.product(names), 1 if plus else -1)
        return left

    def product(self, names):
        left = self.primary(names)
        while True:
            if self.take("*"):
                left = (lambda a, b: lambda v: a(v) * b(v))(left, self.primary(names))
            elif self.take("floordiv"):
                left = (lambda a, b: lambda v: a(v) // b(v))(left, self.primary(names))
            elif self.take("ceildiv"):
                left = (lambda a, b: lambda v: -(-a(v) // b(v)))(left, self.primary(names))
            elif self.take("mod"):
                left = (lambda a, b: lambda v: a(v) % b(v))(left, self.primary(names))
            else:
                return left

    def primary(self, names):
        if self.take("("):
            value = self.affine(names)
            self.expect(")")
            return value
        if self.take("-"):
            inner = self.primary(names)
            return lambda v: -inner(v)
        literal = self.match(re.compile(r"\d+"))
        if literal:
            return lambda v, n=int(literal): n
        word = self.match(WORD)
        return lambda v, i=names.index(word): v[i]

    # Operations.

    def value(self):
        return self.match(re.compile(r"%[\w$.\-]+(#\d+)?"))

    def op(self):
        out, names = None, []
        if self.peek("%"):
            while True:
                name = self.match(re.compile(r"%[\w$.\-]+"))
                if self.take(":"):
                    names += [f"{name}#{i}" for i in range(int(self.match(NUMBER)))]
                else:
                    names.append(name)
                if not self.take(","):
                    break
            self.expect("=")
        out = Op(self.string())
        out.results = names
        self.expect("(")
        out.operands = self.listed(")", self.value)
        if self.take("["):
            raise SyntaxError(f"{out.name} has successors")
        if self.take("<{"):
            out.attributes.update(self.listed("}", self.entry))
            self.expect(">")
        if self.take("("):
            out.regions = self.listed(")", self.region)
        if self.peek("{"):
            out.attributes.update(self.dictionary())
        self.expect(":")
        type = self.type()
        out.operand_types, out.result_types = type.shape, type.element
        return out

    def region(self):
        self.expect("{")
        blocks = []
        if not self.peek("}") and not self.peek("^"):
            blocks.append(Block([], []))
        while not self.take("}"):
            if self.peek("^"):
                self.match(re.compile(r"\^\w+"))
                arguments, types = [], []
                if self.take("("):

                    def argument():
                        arguments.append(self.value())
                        self.expect(":")
                        types.append(self.type())

                    self.listed(")", argument)
                self.expect(":")
                blocks.append(Block(arguments, types))
            else:
                blocks[-1].ops.append(self.op())
        return blocks

    def module(self):
        while self.peek("#") or self.peek("!"):
            self.at += 1
            name = self.match(WORD)
            self.expect("=")
            self.aliases[name] = self.attribute()
        return self.op()


def parse(text):
    return Parser(text).module()
