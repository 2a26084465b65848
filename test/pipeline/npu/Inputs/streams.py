"""The elements that go through the channels of a program, from its text as aircc prints it."""

import collections
import itertools
import re

import model

VALUE = r"%[\w#$.-]+"
SPLIT = re.compile(r",\s*")


def parse_blocks(lines):
    """A tree of lines: each is a pair of its text and the lines in its braces."""
    root = []
    stack = [root]
    for line in lines:
        text = line.strip()
        if text.startswith("}"):
            stack.pop()
            text = text[1:].strip()
            if not text.endswith("{"):
                continue
        if text.endswith("{"):
            stack[-1].append((text[:-1].strip(), []))
            stack.append(stack[-1][-1][1])
        elif text:
            stack[-1].append((text, None))
    return root


def split_list(text):
    return [entry for entry in SPLIT.split(text.strip()) if entry]


class Interpreter:
    """Runs one function. Values are numbers; memrefs and tokens are ignored."""

    def __init__(self):
        self.streams = collections.defaultdict(list)
        self.transfers = 0
        self.loops = 0
        self.lists = []

    def number(self, text, values):
        return values[text] if text.startswith("%") else int(text)

    def apply(self, text, values):
        match = re.match(r"affine\.apply affine_map<\((.*?)\)(?:\[(.*?)\])? -> \((.*)\)>\((.*?)\)(?:\[(.*?)\])?$", text)
        names = split_list(match[1]) + split_list(match[2] or "")
        operands = split_list(match[4]) + split_list(match[5] or "")
        scope = {name: self.number(operand, values) for name, operand in zip(names, operands)}
        expression = match[3].replace("floordiv", "//").replace("mod", "%")
        return eval(expression, {"__builtins__": {}}, scope)  # pylint: disable=eval-used

    def compute(self, text, values):
        if text.startswith("affine.apply"):
            return self.apply(text, values)
        match = re.match(r"arith\.constant (-?\d+)", text)
        if match:
            return int(match[1])
        match = re.match(rf"arith\.(\w+) ({VALUE}), ({VALUE})", text)
        if match:
            left, right = values[match[2]], values[match[3]]
            return {"addi": left + right, "muli": left * right, "subi": left - right}[match[1]]
        match = re.match(rf"arith\.index_cast ({VALUE})", text)
        if match:
            return values[match[1]]
        return None

    def transfer(self, text, values):
        match = re.search(
            r"air\.channel\.(put|get)(?: async)?\s*(?:\[[^\]]*\])?\s*@(\w+)\[(.*?)\]\s*"
            r"\((%\w+)\[(.*?)\] \[(.*?)\] \[(.*?)\]\).*: \(memref<(.*?)>",
            text,
        )
        lists = [[self.number(entry, values) for entry in split_list(match[i])] for i in (5, 6, 7)]
        self.transfers += 1
        self.lists.append((lists, match[8].split("x")[-1]))
        if not lists[1]:
            shape = [int(extent) for extent in match[8].split("x")[:-1]]
            lists = [[0] * len(shape), shape, model.row_major(shape)]
        element = tuple(self.number(entry, values) for entry in split_list(match[3]))
        self.streams[match[2], element, match[1] == "put"] += model.walk(*lists)

    def run(self, tree, values):
        for text, body in tree:
            if body is not None:
                self.region(text, body, values)
            elif "air.channel.put" in text or "air.channel.get" in text:
                self.transfer(text, values)
            else:
                match = re.match(rf"({VALUE}) = (.*?)(?: : [^:]*)?$", text)
                number = self.compute(match[2], values) if match else None
                if number is not None:
                    values[match[1]] = number

    def launch(self, text, body, values):
        match = re.search(r"\(([^()]*)\) in \(([^()]*)\)", text)
        ids = split_list(match[1])
        sizes = [pair.split("=") for pair in split_list(match[2])]
        extents = {name.strip(): self.number(size.strip(), values) for name, size in sizes}
        for point in itertools.product(*map(range, extents.values())):
            self.run(body, {**values, **extents, **dict(zip(ids, point))})

    def region(self, text, body, values):
        match = re.search(rf"scf\.for ({VALUE}) = ({VALUE}) to ({VALUE}) step ({VALUE})", text)
        if not match:
            match = re.search(rf"affine\.for ({VALUE}) = (\d+) to (\d+)(?: step (\d+))?", text)
        if match:
            lower, upper, step = (self.number(part or "1", values) for part in match.groups()[1:])
            self.loops += 1
            for i in range(lower, upper, step):
                self.run(body, {**values, match[1]: i})
        elif "scf.parallel" in text:
            raise ValueError("a parallel loop is left")
        elif re.match(r"(%\w+ = )?air\.launch", text):
            self.launch(text, body, values)
        else:
            self.run(body, dict(values))


def read_module(text):
    """An Interpreter for each function of a module, by its name, after running it."""
    functions = {}
    blocks = parse_blocks(text.splitlines())
    for head, body in [block for _, inner in blocks for block in inner or []]:
        match = re.match(r"func\.func @(\w+)", head)
        if match:
            functions[match[1]] = Interpreter()
            functions[match[1]].run(body, {})
    return functions
