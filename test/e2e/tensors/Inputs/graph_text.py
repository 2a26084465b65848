"""Writes random tensor graphs as MLIR."""

import numpy as np

from elements import is_float


def literal(value, element):
    """A scalar attribute."""
    if element == "i1":
        return "true" if value else "false"
    if is_float(element):
        return f"{float(value):.17e}"
    return str(int(value))


def constant_text(data, element):
    """The contents of a dense attribute."""
    if data.ndim == 0:
        return literal(data, element)
    return "[" + ", ".join(constant_text(row, element) for row in data) + "]"


def affine(count, results):
    dims = ", ".join(f"d{i}" for i in range(count))
    return f"affine_map<({dims}) -> ({', '.join('0' if r is None else f'd{r}' for r in results)})>"


class Writer:
    def __init__(self, graph):
        self.graph, self.lines, self.helpers, self.count, self.sizes = graph, [], [], 0, set()

    def fresh(self, prefix="t"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def emit(self, line):
        self.lines.append("  " + line)

    def size(self, size, dynamic=True):
        """A size as an operand or attribute of an op; dynamic sizes are arguments of the function."""
        if not dynamic:
            return str(size)
        self.sizes.add(size)
        return f"%n{size}"

    def constant(self, value, element):
        name = self.fresh("c")
        text = literal(value, element) + ("" if element == "i1" else f" : {element}")
        self.emit(f"{name} = arith.constant {text}")
        return name

    def empty(self, value):
        name = self.fresh("e")
        sizes = ", ".join(self.size(s) for s, unknown in zip(value.shape, value.dynamic) if unknown)
        self.emit(f"{name} = tensor.empty({sizes}) : {value.type}")
        return name

    def filled(self, value, number):
        scalar, empty, name = self.constant(number, value.element), self.empty(value), self.fresh("f")
        self.emit(f"{name} = linalg.fill ins({scalar} : {value.element}) outs({empty} : {value.type}) -> {value.type}")
        return name

    def node(self, node):
        getattr(self, "write_" + node.kind)(node, *node.operands, **node.attributes)

    # Elementwise ops and generic ops.

    def write_arith(self, node, *operands, op):
        result, names = node.results[0], ", ".join(v.name for v in operands)
        self.emit(f"{result.name} = {self.scalar_op(op, names, result.type, operands[-1].type, operands[0].type)}")

    @staticmethod
    def scalar_op(op, names, result, source, first):
        """An op of arith or math; the types are those of the result, of the last and of the first operand."""
        if op.startswith("cmp"):
            kind, predicate = op.split()
            return f"arith.{kind} {predicate}, {names} : {source}"
        if op == "select":
            return (
                f"arith.select {names} : {result}"
                if "tensor" not in first
                else f"arith.select {names} : {first}, {result}"
            )
        if op in ("extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui", "extsi", "extui", "trunci", "index_cast"):
            return f"arith.{op} {names} : {source} to {result}"
        dialect = "arith" if op[-1] in "fi" and op not in ("erf",) or op.endswith("numf") else "math"
        if op == "absf":
            dialect = "math"
        return f"{dialect}.{op} {names} : {result}"

    def write_generic(self, node, *operands, loops, iterators, maps, outputs, body, yields):
        """`yields` has for each result the body's value, the op that combines it, and the initial value."""
        count = len(loops)
        outs = [
            self.empty(result) if init is None else self.filled(result, init)
            for result, (_, _, init) in zip(node.results, yields)
        ]
        texts = ", ".join(affine(count, m) for m in [*maps, *outputs])
        names = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in iterators)
        ins = f"ins({', '.join(v.name for v in operands)} : {', '.join(v.type for v in operands)})" if operands else ""
        types = ", ".join(result.type for result in node.results)
        results = ", ".join(result.name for result in node.results)
        self.emit(f"{results} = linalg.generic {{indexing_maps = [{texts}], iterator_types = [{names}]}}")
        self.emit(f"    {ins} outs({', '.join(outs)} : {types}) {{")
        inputs = [(self.fresh("b"), v.element) for v in operands]
        accumulators = [(self.fresh("o"), result.element) for result in node.results]
        self.emit("^bb0(" + ", ".join(f"{name}: {element}" for name, element in inputs + accumulators) + "):")
        values = self.write_body(body, inputs)
        given = []
        for (reference, combine, _), (accumulator, element) in zip(yields, accumulators):
            value = self.refer(reference, inputs, values)[0]
            if combine:
                total = self.fresh()
                self.emit(f"{total} = {self.scalar_op(combine, f'{accumulator}, {value}', element, element, element)}")
                value = total
            given.append(value)
        self.emit(f"linalg.yield {', '.join(given)} : {', '.join(element for _, element in accumulators)}")
        self.emit("} -> " + (types if len(node.results) == 1 else f"({types})"))

    def refer(self, reference, inputs, values):
        kind, index = reference
        if kind == "index":
            name = self.fresh("i")
            self.emit(f"{name} = linalg.index {index} : index")
            return name, "index"
        return inputs[index] if kind == "in" else values[index]

    def write_body(self, body, inputs):
        values = []
        for op, operands, element, _ in body:
            given = [self.refer(operand, inputs, values) for operand in operands]
            name = self.fresh()
            names = ", ".join(n for n, _ in given)
            result = "i1" if op.startswith("cmp") else element
            self.emit(f"{name} = {self.scalar_op(op, names, result, given[-1][1], given[0][1])}")
            values.append((name, result))
        return values

    def write_argmax(self, node, x, axis, greatest):
        value, index = node.results
        low = np.finfo(np.float32).min if is_float(x.element) else None
        if low is None:
            width = {"index": 64}.get(x.element) or int(x.element[1:])
            low = -(1 << (width - 1))
        low = low if greatest else (-low if is_float(x.element) else -(low + 1))
        outs = [self.filled(value, low), self.filled(index, 0)]
        loops = range(len(x.shape))
        kept = [d for d in loops if d != axis]
        maps = ", ".join(affine(len(x.shape), m) for m in (loops, kept, kept))
        names = ", ".join('"reduction"' if d == axis else '"parallel"' for d in loops)
        self.emit(
            f"{value.name}, {index.name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{names}]}}"
        )
        self.emit(f"    ins({x.name} : {x.type}) outs({', '.join(outs)} : {value.type}, {index.type}) {{")
        v, m, at, i, k, c, s, t = (self.fresh("x") for _ in range(8))
        self.emit(f"^bb0({v}: {x.element}, {m}: {x.element}, {at}: i64):")
        self.emit(f"{i} = linalg.index {axis} : index")
        self.emit(f"{k} = arith.index_cast {i} : index to i64")
        compare = ("cmpf o" if is_float(x.element) else "cmpi s") + ("gt" if greatest else "lt")
        self.emit(f"{c} = arith.{compare}, {v}, {m} : {x.element}")
        self.emit(f"{s} = arith.select {c}, {v}, {m} : {x.element}")
        self.emit(f"{t} = arith.select {c}, {k}, {at} : i64")
        self.emit(f"linalg.yield {s}, {t} : {x.element}, i64")
        self.emit(f"}} -> ({value.type}, {index.type})")

    # Named ops of linalg.

    def write_named(self, node, *operands, op, attributes, init):
        result = node.results[0]
        out = self.filled(result, init)
        ins = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
        if op.startswith("pooling"):
            window, name = attributes.pop("window"), self.fresh("w")
            type = f"tensor<{'x'.join(map(str, window))}x{operands[0].element}>"
            self.emit(f"{name} = tensor.empty() : {type}")
            ins = f"{ins[0]}, {name}", f"{ins[1]}, {type}"
            attributes["window"] = window
        parts = [
            f"{key} = dense<{list(value)}> : tensor<{len(value)}xi64>"
            for key, value in attributes.items()
            if key != "window"
        ]
        text = "{" + ", ".join(parts) + "} " if parts else ""
        self.emit(
            f"{result.name} = linalg.{op} {text}ins({ins[0]} : {ins[1]}) outs({out} : {result.type}) -> {result.type}"
        )

    def write_transpose(self, node, x, permutation):
        result = node.results[0]
        out = self.empty(result)
        self.emit(
            f"{result.name} = linalg.transpose ins({x.name} : {x.type}) outs({out} : {result.type})"
            f" permutation = {permutation}"
        )

    def write_broadcast(self, node, x, dimensions):
        result = node.results[0]
        out = self.empty(result)
        self.emit(
            f"{result.name} = linalg.broadcast ins({x.name} : {x.type}) outs({out} : {result.type})"
            f" dimensions = {dimensions}"
        )

    def write_reduce(self, node, x, op, axes, init):
        result = node.results[0]
        out = self.filled(result, init)
        self.emit(
            f"{result.name} = linalg.reduce {{arith.{op}}} ins({x.name} : {x.type}) outs({out} : {result.type})"
            f" dimensions = {axes}"
        )

    def write_softmax(self, node, x, axis):
        result = node.results[0]
        out = self.empty(result)
        self.emit(
            f"{result.name} = linalg.softmax dimension({axis}) ins({x.name} : {x.type})"
            f" outs({out} : {result.type}) -> {result.type}"
        )

    def write_pack(self, node, x, position, tiles, fill):
        result = node.results[0]
        pad, out = self.constant(fill, x.element), self.empty(result)
        self.emit(
            f"{result.name} = linalg.pack {x.name} padding_value({pad} : {x.element}) inner_dims_pos = {position}"
            f" inner_tiles = {tiles} into {out} : {x.type} -> {result.type}"
        )

    def write_unpack(self, node, x, position, tiles):
        result = node.results[0]
        out = self.empty(result)
        self.emit(
            f"{result.name} = linalg.unpack {x.name} inner_dims_pos = {position} inner_tiles = {tiles} into {out}"
            f" : {x.type} -> {result.type}"
        )

    # Data movement.

    def write_slice(self, node, x, offsets, sizes, strides, unknown, dropped):
        result = node.results[0]
        where = self.write_window(offsets, sizes, strides, unknown)
        self.emit(f"{result.name} = tensor.extract_slice {x.name}{where} : {x.type} to {result.type}")

    def write_insert(self, node, x, dest, offsets, sizes, strides, unknown):
        where = self.write_window(offsets, sizes, strides, unknown)
        self.emit(
            f"{node.results[0].name} = tensor.insert_slice {x.name} into {dest.name}{where} : {x.type} into {dest.type}"
        )

    def write_window(self, offsets, sizes, strides, unknown):
        """`unknown` says for each offset, and for each size, whether it is dynamic."""
        at = ", ".join(self.size(o, u) for o, u in zip(offsets, unknown[0]))
        extent = ", ".join(self.size(s, u) for s, u in zip(sizes, unknown[1]))
        return f"[{at}] [{extent}] [{', '.join(map(str, strides))}]"

    def write_pad(self, node, x, low, high, value):
        result, pad = node.results[0], self.constant(value, x.element)
        indices = ", ".join(f"{self.fresh('i')}: index" for _ in low)
        self.emit(f"{result.name} = tensor.pad {x.name} low{low} high{high} {{")
        self.emit(f"^bb0({indices}):" if low else "^bb0:")
        self.emit(f"tensor.yield {pad} : {x.element}")
        self.emit(f"}} : {x.type} to {result.type}")

    def write_concat(self, node, *operands, axis):
        names, types = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
        self.emit(f"{node.results[0].name} = tensor.concat dim({axis}) {names} : ({types}) -> {node.results[0].type}")

    def write_cast(self, node, x):
        self.emit(f"{node.results[0].name} = tensor.cast {x.name} : {x.type} to {node.results[0].type}")

    def write_expand(self, node, x, groups):
        result = node.results[0]
        shape = ", ".join(self.size(s, u) for s, u in zip(result.shape, result.dynamic))
        self.emit(
            f"{result.name} = tensor.expand_shape {x.name} {groups} output_shape [{shape}]"
            f" : {x.type} into {result.type}"
        )

    def write_collapse(self, node, x, groups):
        self.emit(
            f"{node.results[0].name} = tensor.collapse_shape {x.name} {groups} : {x.type} into {node.results[0].type}"
        )

    def write_reshape(self, node, x):
        result, shape = node.results[0], self.fresh("s")
        sizes = ", ".join(self.constant(size, "index") for size in result.shape)
        type = f"tensor<{len(result.shape)}xindex>"
        self.emit(f"{shape} = tensor.from_elements {sizes} : {type}")
        self.emit(f"{result.name} = tensor.reshape {x.name}({shape}) : ({x.type}, {type}) -> {result.type}")

    def write_gather(self, node, x, indices, dims):
        self.emit(
            f"{node.results[0].name} = tensor.gather {x.name}[{indices.name}] gather_dims({dims})"
            f" : ({x.type}, {indices.type}) -> {node.results[0].type}"
        )

    def write_scatter(self, node, x, dest, indices, dims):
        self.emit(
            f"{node.results[0].name} = tensor.scatter {x.name} into {dest.name}[{indices.name}]"
            f" scatter_dims({dims}) unique"
            f" : ({x.type}, {dest.type}, {indices.type}) -> {node.results[0].type}"
        )

    def write_generate(self, node, factors):
        """Element i, j, ... is the sum of the indices times the factors."""
        result = node.results[0]
        sizes = ", ".join(self.size(s) for s, unknown in zip(result.shape, result.dynamic) if unknown)
        indices = [self.fresh("i") for _ in factors]
        self.emit(f"{result.name} = tensor.generate {sizes} {{")
        self.emit(f"^bb0({', '.join(f'{i}: index' for i in indices)}):")
        total = self.constant(0, "index")
        for index, factor in zip(indices, factors):
            scale, product, total_now = self.constant(factor, "index"), self.fresh(), self.fresh()
            self.emit(f"{product} = arith.muli {index}, {scale} : index")
            self.emit(f"{total_now} = arith.addi {total}, {product} : index")
            total = total_now
        if result.element != "index":
            cast = self.fresh()
            self.emit(f"{cast} = arith.index_cast {total} : index to {result.element}")
            total = cast
        self.emit(f"tensor.yield {total} : {result.element}")
        self.emit(f"}} : {result.type}")

    def write_splat(self, node, value):
        result, scalar = node.results[0], self.constant(value, node.results[0].element)
        sizes = ", ".join(self.size(s) for s, unknown in zip(result.shape, result.dynamic) if unknown)
        self.emit(f"{result.name} = tensor.splat {scalar}{f'[{sizes}]' if sizes else ''} : {result.type}")

    def write_constant(self, node, data):
        result = node.results[0]
        text = constant_text(data, result.element) if data.size else ""
        self.emit(f"{result.name} = arith.constant dense<{text}> : {result.type}")

    def write_elements(self, node, x, where, into):
        """Moves one element."""
        scalar = self.fresh()
        at = ", ".join(self.constant(i, "index") for i in where)
        to = ", ".join(self.constant(i, "index") for i in into)
        self.emit(f"{scalar} = tensor.extract {x.name}[{at}] : {x.type}")
        self.emit(f"{node.results[0].name} = tensor.insert {scalar} into {x.name}[{to}] : {x.type}")

    # Regions: the nodes of a body, the values it begins with, and those it yields.

    def write_for(self, node, *inits, trips, unknown, arguments, body, yields):
        zero, one = self.constant(0, "index"), self.constant(1, "index")
        limit = self.size(trips) if unknown else self.constant(trips, "index")
        carried = ", ".join(f"{a.name} = {v.name}" for a, v in zip(arguments, inits))
        types = ", ".join(v.type for v in inits)
        results = ", ".join(v.name for v in node.results)
        self.emit(
            f"{results} = scf.for {self.fresh('i')} = {zero} to {limit} step {one} iter_args({carried}) -> ({types}) {{"
        )
        for inner in body:
            self.node(inner)
        self.emit(f"scf.yield {', '.join(v.name for v in yields)} : {types}")
        self.emit("}")

    def write_while(self, node, *inits, trips, arguments, body, yields):
        zero, one, limit = self.constant(0, "i32"), self.constant(1, "i32"), self.size(trips)
        last, i, j, k, c = self.fresh(), self.fresh("i"), self.fresh("i"), self.fresh("i"), self.fresh("c")
        self.emit(f"{last} = arith.index_cast {limit} : index to i32")
        types = ", ".join(["i32"] + [v.type for v in inits])
        before = [self.fresh("w") for _ in inits]
        carried = ", ".join([f"{i} = {zero}"] + [f"{a} = {v.name}" for a, v in zip(before, inits)])
        results = ", ".join([self.fresh("r")] + [v.name for v in node.results])
        self.emit(f"{results} = scf.while ({carried}) : ({types}) -> ({types}) {{")
        self.emit(f"{c} = arith.cmpi slt, {i}, {last} : i32")
        self.emit(f"scf.condition({c}) {', '.join([i] + before)} : {types}")
        self.emit("} do {")
        self.emit(f"^bb0({', '.join([f'{j}: i32'] + [f'{a.name}: {a.type}' for a in arguments])}):")
        for inner in body:
            self.node(inner)
        self.emit(f"{k} = arith.addi {j}, {one} : i32")
        self.emit(f"scf.yield {', '.join([k] + [v.name for v in yields])} : {types}")
        self.emit("}")

    def write_if(self, node, condition, where, then, then_yields, otherwise, otherwise_yields):
        scalar = self.fresh("c")
        at = ", ".join(self.constant(i, "index") for i in where)
        self.emit(f"{scalar} = tensor.extract {condition.name}[{at}] : {condition.type}")
        types = ", ".join(v.type for v in node.results)
        self.emit(f"{', '.join(v.name for v in node.results)} = scf.if {scalar} -> ({types}) {{")
        for nodes, yields in ((then, then_yields), (otherwise, otherwise_yields)):
            for inner in nodes:
                self.node(inner)
            self.emit(f"scf.yield {', '.join(v.name for v in yields)} : {types}")
            self.emit("} else {" if nodes is then and yields is then_yields else "}")

    def write_call(self, node, *inputs, name, parameters, body, yields):
        inner = Writer(self.graph)
        inner.count = self.count + 1000
        for nested in body:
            inner.node(nested)
        self.sizes |= inner.sizes
        sizes = sorted(inner.sizes)
        types = ", ".join(v.type for v in yields)
        arguments = ", ".join([f"{p.name}: {p.type}" for p in parameters] + [f"%n{s}: index" for s in sizes])
        self.helpers += [
            *inner.helpers,
            f"func.func private @{name}({arguments}) -> ({types}) {{",
            *inner.lines,
            f"  return {', '.join(v.name for v in yields)} : {types}",
            "}",
        ]
        given = ", ".join([v.name for v in inputs] + [f"%n{s}" for s in sizes])
        given_types = ", ".join([v.type for v in inputs] + ["index"] * len(sizes))
        self.emit(
            f"{', '.join(v.name for v in node.results)} = func.call @{name}({given}) : ({given_types}) -> ({types})"
        )


def write(graph):
    """The text of a graph's functions, and the sizes that it takes as arguments after its tensors."""
    writer = Writer(graph)
    for node in graph.nodes:
        writer.node(node)
    sizes = sorted(writer.sizes)
    arguments = [f"{a.name}: {a.value.type}" for a in graph.arguments] + [f"%n{size}: index" for size in sizes]
    types = ", ".join(v.type for v in graph.results)
    lines = [
        f"// Seed {graph.seed}",
        *writer.helpers,
        f"func.func @{graph.name}({', '.join(arguments)}) -> ({types}) {{",
        *writer.lines,
        f"  return {', '.join(v.name for v in graph.results)} : {types}",
        "}",
    ]
    return "\n".join(lines) + "\n", sizes
