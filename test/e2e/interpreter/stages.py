"""The text of stages: steps on L2 buffers."""

import math

import model as m
from emission import alloc, dealloc, emit_element, emit_work, number_of, open_herd, tile_type


class Names:
    """The L2 buffers in scope, and the token of the last step."""

    def __init__(self, buffers, use_tokens):
        self.buffers, self.use_tokens, self.last = buffers, use_tokens, None

    def dma(self, e, text):
        if not self.use_tokens:
            e.line(f"air.dma_memcpy_nd {text}")
            return
        deps = f" [{self.last}]" if self.last else ""
        self.last = e.op(f"air.dma_memcpy_nd async{deps} {text}", "t")

    def settle(self, e):
        if self.last:
            e.line(f"air.wait_all [{self.last}]")
            self.last = None


def l2_type(elem, buffer):
    return tile_type(elem, buffer.numel, 1)


def emit_step(e, step, scope, elem, names):
    if isinstance(step, m.LoadStep):
        t, n = l2_type(elem, step.buffer), step.buffer.numel
        at = scope.from_input(e, step.start)
        place = f"{scope.input}[{at}] [{e.number(n)}] [1]"
        names.dma(e, f"({names.buffers[step.buffer.name]}[] [] [], {place}) : ({t}, {scope.input_type})")
    elif isinstance(step, m.StoreStep):
        t, n = l2_type(elem, step.buffer), step.buffer.numel
        at = scope.from_output(e, step.start)
        place = f"{scope.output}[{at}] [{e.number(n)}] [1]"
        names.dma(e, f"({place}, {names.buffers[step.buffer.name]}[] [] []) : ({scope.output_type}, {t})")
    elif isinstance(step, m.MoveStep):
        s, t = (l2_type(elem, b) for b in (step.source, step.target))
        lists = f"[{e.number(0)}] [{step.columns}, {step.rows}] [1, {step.columns}]"
        names.dma(
            e,
            f"({names.buffers[step.target.name]}[0] [{step.rows * step.columns}] [1], "
            f"{names.buffers[step.source.name]}{lists}) : ({t}, {s})",
        )
    elif isinstance(step, m.CodeStep):
        names.settle(e)
        name, t = names.buffers[step.buffer.name], l2_type(elem, step.buffer)
        if step.kind == "fill":
            e.line(f"linalg.fill ins({e.const(step.value, elem)} : {elem}) outs({name} : {t})")
        else:
            work = m.Work(1, step.value, 0, "add", "generic")
            emit_work(e, work, elem, step.buffer.numel, None, name, space=1)
    elif isinstance(step, m.LoopStep):
        names.settle(e)
        e.loop(step.count)
        for inner in step.body:
            emit_step(e, inner, scope, elem, names)
        names.settle(e)
        e.close()
    else:
        emit_herd_step(e, step, scope, elem, names)


def emit_herd_step(e, step, scope, elem, names):
    more = [(names.buffers[b.name], l2_type(elem, b)) for b in (step.source, step.target)]
    is_async = names.use_tokens
    deps = [names.last] if names.last else []
    ids, inner, (source, target), token = open_herd(e, scope, step.space, more, is_async, deps=deps)
    pe = number_of(e, ids, step.space)
    part = step.target.numel // math.prod(step.space)
    s, t = (l2_type(elem, b) for b in (step.source, step.target))
    at = e.linear(0, (part, pe))
    if step.through_l1:
        l1_type = tile_type(elem, part, 2)
        l1 = e.op(f"memref.alloc() : {l1_type}", "l")
        e.line(f"air.dma_memcpy_nd ({l1}[] [] [], {source}[{at}] [{e.number(part)}] [1]) : ({l1_type}, {s})")
        emit_work(e, step.work, elem, part, pe, l1)
        e.line(f"air.dma_memcpy_nd ({target}[{at}] [{e.number(part)}] [1], {l1}[] [] []) : ({t}, {l1_type})")
        e.line(f"memref.dealloc {l1} : {l1_type}")
    else:
        i = e.loop(part, "i")
        place = e.op(f"arith.addi {at}, {i} : index")
        v = e.op(f"memref.load {source}[{place}] : {s}")
        e.line(f"memref.store {emit_element(e, step.work, elem, v, pe)}, {target}[{place}] : {t}")
        e.close()
    e.close()
    if token:
        names.last = token


def emit_stages(e, stages, scope, elem, executes):
    buffers = {b.name: alloc(e, l2_type(elem, b), executes) for b in stages.buffers}
    names = Names(buffers, stages.use_tokens)
    for step in stages.steps:
        emit_step(e, step, scope, elem, names)
    names.settle(e)
    for b in stages.buffers:
        dealloc(e, buffers[b.name], l2_type(elem, b), executes)
