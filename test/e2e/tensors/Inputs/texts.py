"""Text of ops that many programs have."""


def mapped(results, dimensions, maps, inputs, outputs, body, reductions=""):
    """The text of a linalg.generic with a map for each operand.

    `dimensions` are letters as in "i j", and a map is like "i, i + j * 2". The other parameters are those of generic().
    """
    letters = dimensions.split()
    texts = ", ".join(f"affine_map<({', '.join(letters)}) -> ({part})>" for part in maps)
    kinds = ", ".join('"reduction"' if letter in reductions else '"parallel"' for letter in letters)

    def split(text):
        return [part.split() for part in text.split(";")] if text else []

    ins, outs = split(inputs), split(outputs)
    arguments = [f"%x{n}: {value[2]}" for n, value in enumerate(ins)]
    arguments += [f"%y{n}: {value[2]}" for n, value in enumerate(outs)]

    def operands(name, values):
        if not values:
            return ""
        return f"{name}({', '.join(v[0] for v in values)} : {', '.join(v[1] for v in values)})"

    lines = body.strip().split("\n")
    values = [part.split() for part in lines.pop().replace("yield", "").split(",")]
    lines.append(f"linalg.yield {', '.join(v[0] for v in values)} : {', '.join(v[1] for v in values)}")
    types = ", ".join(value[1] for value in outs)
    types = f"({types})" if len(outs) > 1 else types
    return (
        f"{results} = linalg.generic {{indexing_maps = [{texts}], iterator_types = [{kinds}]}}\n"
        f"    {operands('ins', ins)} {operands('outs', outs)} {{\n^bb0({', '.join(arguments)}):\n"
        + "\n".join(lines)
        + f"\n}} -> {types}\n"
    )


def generic(results, maps, inputs, outputs, body, reductions=""):
    """The text of a linalg.generic.

    `maps` is like "ij,j->ij", with the letters of an output in the order of its dimensions; `inputs` and `outputs` are
    like "%a $a f32; %b $b f32". The body knows the elements as %x0, %x1, ... and those of the outputs as %y0, ...; its
    last line is like "yield %v f32". The letters of `reductions` are reduced.
    """
    read, written = maps.split("->")
    read = read.split(",") if inputs else []
    letters = sorted(set("".join(read) + written) - {","})
    every = [", ".join(part) for part in [*read, *written.split(",")]]
    return mapped(results, " ".join(letters), every, inputs, outputs, body, reductions)


def fill(name, type, value="0.0", element="f32", sizes=""):
    """A tensor of one value; NAME_e is an empty tensor of its type."""
    return (
        f"{name}_c = arith.constant {value} : {element}\n{name}_e = tensor.empty({sizes}) : {type}\n"
        f"{name} = linalg.fill ins({name}_c : {element}) outs({name}_e : {type}) -> {type}\n"
    )


def empty(name, type, sizes=""):
    return f"{name} = tensor.empty({sizes}) : {type}\n"


def dims(name, type, *axes):
    """The sizes of a tensor, as NAME0, NAME1, ...."""
    return "".join(
        f"{name}c{axis} = arith.constant {axis} : index\n{name}{axis} = tensor.dim {name}, {name}c{axis} : {type}\n"
        for axis in axes
    )


def pad(name, source, type, low, high, result, value="0.0", element="f32"):
    indices = ", ".join(f"%p{n}: index" for n in range(len(low)))
    return (
        f"{name}_v = arith.constant {value} : {element}\n"
        f"{name} = tensor.pad {source} low{low} high{high} {{\n^bb0({indices}):\n"
        f"tensor.yield {name}_v : {element}\n}} : {type} to {result}\n"
    )


# TOSA.

SHIFT = '%z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>'


def zero_points(element, *values):
    """Constants %z0, %z1, ... of one element."""
    zero = "0.0" if element.startswith(("f", "b")) else "0"
    lines = []
    for number, value in enumerate(values):
        text = zero if value == 0 else str(value)
        type = f"tensor<1x{element}>"
        lines.append(f'%z{number} = "tosa.const"() <{{values = dense<{text}> : {type}}}> : () -> {type}')
    return "\n".join(lines)


def shape(name, *sizes):
    type = f"tensor<{len(sizes)}xindex>"
    return f"%{name} = tosa.const_shape {{values = dense<{list(sizes)}> : {type}}} : () -> !tosa.shape<{len(sizes)}>"
