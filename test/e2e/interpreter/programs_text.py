"""The text of whole programs: functions, and the code around the parts."""

import model as m
from emission import Emitter, Scope
from pipelines import declare, emit_pipeline
from stages import emit_stages


def emit_parts(e, program, scope, levels):
    for part in program.parts:
        if isinstance(part, m.Pipeline):
            emit_pipeline(e, part, scope, program.elem, levels)
        elif "segment" in levels:
            emit_stages(e, part, scope, program.elem, program.wrapper.executes)


def emit_program(program, rng):
    """The declarations of channels and the function of a program, as lines."""
    e = Emitter(rng)
    for part in program.parts:
        if isinstance(part, m.Pipeline):
            for s in part.streams:
                declare(e, s)
            for a in part.actors:
                if isinstance(a, m.Cascade):
                    e.line(f'air.channel @{a.channel} [{max(1, a.count - 1)}, 1] {{channel_type = "npu_cascade"}}')
    scope = Scope(program, "%in", "%out", None)
    e.open(f"func.func @{program.name}(%in: {scope.input_type}, %out: {scope.output_type}) {{")
    form, points = program.wrapper.form, program.wrapper.points
    both = ("launch", "segment")
    if form in ("launch", "launch-segment"):
        id, count = e.name("w"), e.name("n")
        n = e.const(points)
        args, inner, _ = scope.arguments(e)
        e.open(f"air.launch ({id}) in ({count} = {n}) {args} {{")
        inner.point = id
        if form == "launch":
            emit_parts(e, program, inner, both)
        else:
            emit_around_segment(e, program, inner)
        e.close()
    elif form == "segment":
        emit_around_segment(e, program, scope)
    elif form == "function":
        emit_parts(e, program, scope, both)
    else:
        i = e.name("w")
        if form == "affine-parallel":
            e.open(f"affine.parallel ({i}) = (0) to ({points}) {{")
        elif form == "parallel":
            e.open(f"scf.parallel ({i}) = ({e.const(0)}) to ({e.const(points)}) step ({e.const(1)}) {{")
        else:
            e.open(f"scf.for {i} = {e.const(0)} to {e.const(points)} step {e.const(1)} {{")
        emit_parts(e, program, Scope(program, "%in", "%out", i), both)
        if form == "parallel":
            e.line("scf.reduce")
        e.close()
    e.line("return")
    e.close()
    return e.lines


def emit_around_segment(e, program, scope):
    """The statements of the launch before the segment, the segment, and the statements after it."""
    emit_actors(e, program, scope, m.Source)
    args, inner, _ = scope.arguments(e)
    e.count += 1
    e.open(f"air.segment @segment{e.count} {args} {{")
    emit_parts(e, program, inner, ("segment",))
    e.close()
    emit_actors(e, program, scope, m.Sink)


def emit_actors(e, program, scope, kind):
    """The actors of one kind that are at launch level."""
    for part in program.parts:
        if isinstance(part, m.Pipeline):
            actors = [a for a in part.actors if isinstance(a, kind)]
            emit_pipeline(e, m.Pipeline(actors, []), scope, program.elem, ("launch",))
