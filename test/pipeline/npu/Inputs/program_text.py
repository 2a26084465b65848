"""The MLIR text of a host program (model.py)."""

import model


class Writer:
    def __init__(self):
        self.lines = []
        self.depth = 1
        self.count = 0
        self.constants = [{}]

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def constant(self, value):
        for known in self.constants:
            if value in known:
                return known[value]
        name = self.fresh("c")
        self.line(f"{name} = arith.constant {value} : index")
        self.constants[-1][value] = name
        return name

    def index(self, linear, variables, spelling):
        """An entry of a list: a number or a value."""
        terms = [(c, v) for c, v in zip(linear.coefficients, variables) if c]
        if not terms:
            return str(linear.constant)
        if terms == [(1, terms[0][1])] and not linear.constant:
            return terms[0][1]
        if spelling == "affine":
            names = [f"d{i}" for i in range(len(terms))]
            sum_text = " + ".join(f"{d} * {c}" for d, (c, _) in zip(names, terms)) + f" + {linear.constant}"
            name = self.fresh()
            operands = ", ".join(v for _, v in terms)
            self.line(f"{name} = affine.apply affine_map<({', '.join(names)}) -> ({sum_text})>({operands})")
            return name
        total = None
        for coefficient, variable in terms:
            product = variable
            if coefficient != 1:
                factor = self.constant(coefficient)
                product = self.fresh()
                self.line(f"{product} = arith.muli {variable}, {factor} : index")
            if total is None:
                total = product
            else:
                left, total = total, self.fresh()
                self.line(f"{total} = arith.addi {left}, {product} : index")
        if linear.constant:
            left, right, total = total, self.constant(linear.constant), self.fresh()
            self.line(f"{total} = arith.addi {left}, {right} : index")
        return total

    def value(self, linear, variables, spelling):
        text = self.index(linear, variables, spelling)
        return text if text.startswith("%") else self.constant(int(text))

    def transfer(self, item, function, variables, token):
        """Writes a transfer; returns its token, if it has one."""
        lists = [
            "[" + ", ".join(self.index(i, variables, item.spelling) for i in part) + "]"
            for part in (item.offsets, item.sizes, item.strides)
        ]
        indices = ", ".join(self.value(i, variables, item.spelling) for i in item.indices)
        shape, element = function.memrefs[item.memref]
        type_text = f"memref<{'x'.join(map(str, shape))}x{element}>"
        op = "air.channel.put" if item.put else "air.channel.get"
        result = self.fresh("t") if item.is_async else None
        prefix = f"{result} = {op} async" if result else op
        dependency = f" [{token}]" if token and item.is_async else ""
        operand = f"%{item.memref}{lists[0]} {lists[1]} {lists[2]}"
        self.line(f"{prefix}{dependency} @{function.name}_{item.channel}[{indices}] ({operand}) : ({type_text})")
        return result

    def body(self, body, function, variables, token):
        """Writes the body of a loop; returns the tokens of its ops."""
        tokens = []
        for item in body:
            if isinstance(item, model.Loop):
                result = self.loop(item, function, variables, token)
            else:
                result = self.transfer(item, function, variables, token)
            if result:
                tokens.append(result)
        return tokens

    def enter(self):
        self.depth += 1
        self.constants.append({})

    def leave(self):
        self.depth -= 1
        self.constants.pop()

    def loop(self, loop, function, variables, token):
        variable = self.fresh("i")
        upper = loop.lower + loop.step * loop.trips
        if loop.kind == "affine":
            self.line(f"affine.for {variable} = {loop.lower} to {upper} step {loop.step} {{")
        else:
            bounds = [self.constant(value) for value in (loop.lower, upper, loop.step)]
            if loop.kind == "parallel":
                self.line(f"scf.parallel ({variable}) = ({bounds[0]}) to ({bounds[1]}) step ({bounds[2]}) {{")
        result = carried = None
        if loop.kind == "scf":
            head = f"scf.for {variable} = {bounds[0]} to {bounds[1]} step {bounds[2]}"
            if loop.carried:
                if not token:
                    token = self.fresh("t")
                    self.line(f"{token} = air.wait_all async")
                result, carried = self.fresh("t"), self.fresh("t")
                self.line(f"{result} = {head} iter_args({carried} = {token}) -> (!air.async.token) {{")
            else:
                self.line(f"{head} {{")
        self.enter()
        tokens = self.body(loop.body, function, variables + [variable], carried)
        if loop.carried:
            joined = self.fresh("t")
            self.line(f"{joined} = air.wait_all async [{', '.join([carried] + tokens)}]")
            self.line(f"scf.yield {joined} : !air.async.token")
        self.leave()
        self.line("}")
        return result


def emit_function(function):
    writer = Writer()
    arguments = [f"%{n}: memref<{'x'.join(map(str, s))}x{t}>" for n, (s, t) in function.memrefs.items()]
    head = []
    for name, size in function.channels.items():
        head.append(f"air.channel @{function.name}_{name} [{size or ''}]")
    head.append(f"func.func @{function.name}({', '.join(arguments)}) {{")
    if not function.launch:
        writer.body(function.body, function, [], None)
        return "\n".join(head + writer.lines + ["  return", "}"])
    sizes = [writer.constant(size) for size in function.launch]
    ids = [writer.fresh("i") for _ in sizes]
    space = ", ".join(f"%s{i} = {size}" for i, size in enumerate(sizes))
    names = list(function.memrefs)
    types = ", ".join(argument.split(": ")[1] for argument in arguments)
    passed = ", ".join(f"%{name} = %{name}_outer" for name in names)
    head[-1] = head[-1].replace(":", "_outer:")
    writer.line(f"air.launch ({', '.join(ids)}) in ({space}) args({passed}) : {types} {{")
    writer.enter()
    writer.constants = [{}]
    writer.body(function.body, function, ids, None)
    return "\n".join(head + writer.lines + ["  }", "  return", "}"])


def emit_module(functions):
    return "\n".join(emit_function(function) for function in functions) + "\n"
