"""The text of pipelines: their channels and actors."""

import math

import model as m
from emission import alloc, dealloc, emit_work, number_of, open_herd, tile_type


def declare(e, s):
    attributes = []
    if s.type:
        attributes.append(f'channel_type = "{s.type}"')
    if s.broadcast:
        attributes.append(f"broadcast_shape = [{', '.join(map(str, s.space))}]")
    if s.depth:
        attributes.append(f"depth = {s.depth} : i64")
    text = f" {{{', '.join(attributes)}}}" if attributes else ""
    e.line(f"air.channel @{s.name} [{', '.join(map(str, s.sizes))}]{text}")


def access(e, kind, stream, index, buffer, type, token=None, deps=()):
    """One put or get; `buffer` has its lists."""
    names = f"[{', '.join(index)}]"
    async_ = f" async{f' [{chr(44).join(deps)}]' if deps else ''}" if token is not None else ""
    text = f"air.channel.{kind}{async_} @{stream.name}{names} ({buffer}) : ({type})"
    if token is None:
        e.line(text)
        return None
    return e.op(text, "t")


def indices(e, stream, element, sizes):
    """The indices of element number `element` (row-major) as constants."""
    out = []
    for n in reversed(sizes):
        out.insert(0, e.const(element % n))
        element //= n
    return out


def emit_source(e, source, scope, elem):
    s = source.stream
    memory, type, base = scope.input, scope.input_type, source.start
    offset = lambda const, *terms: scope.from_input(e, const, *terms)
    l2 = None
    if source.through_l2:
        l2_type = tile_type(elem, s.total, 1)
        l2 = alloc(e, l2_type)
        place = f"{memory}[{offset(base)}] [{e.number(s.total)}] [1]"
        e.line(f"air.dma_memcpy_nd ({l2}[] [] [], {place}) : ({l2_type}, {type})")
        memory, type, base = l2, l2_type, 0
        offset = lambda const, *terms: e.linear(const, *terms)
    run = s.tile * s.messages

    def place(at, count):
        if source.transposed and count == s.tile:
            rows = count // source.transposed
            return f"{memory}[{at}] [{e.number(source.transposed)}, {e.number(rows)}] [1, {source.transposed}]"
        return f"{memory}[{at}] [{e.number(count)}] [1]"

    emit_side(e, s, "put", source.form, s.sizes, base, run, place, offset, type, source.is_async, 1)
    if l2:
        dealloc(e, l2, tile_type(elem, s.total, 1))


def emit_sink(e, sink, scope, elem):
    s = sink.stream
    memory, type, base = scope.output, scope.output_type, sink.start
    offset = lambda const, *terms: scope.from_output(e, const, *terms)
    l2 = None
    if sink.through_l2:
        l2_type = tile_type(elem, s.total, 1)
        l2 = alloc(e, l2_type)
        memory, type, base = l2, l2_type, 0
        offset = lambda const, *terms: e.linear(const, *terms)
    place = lambda at, count: f"{memory}[{at}] [{e.number(count)}] [1]"
    emit_side(e, s, "get", sink.form, s.space, base, s.tile * s.messages, place, offset, type, sink.is_async, s.split)
    if l2:
        at = scope.from_output(e, sink.start)
        l2_type = tile_type(elem, s.total, 1)
        e.line(
            f"air.dma_memcpy_nd ({scope.output}[{at}] [{e.number(s.total)}] [1], {l2}[] [] [])"
            f" : ({scope.output_type}, {l2_type})"
        )
        dealloc(e, l2, l2_type)


def emit_side(e, s, kind, form, sizes, base, run, place, offset, type, is_async, split):
    """All puts or gets of a stream at memory level. Each element of the channel has `run` elements of memory."""
    count = math.prod(sizes)
    if form == "parallel":
        ids = [e.name("e") for _ in sizes]
        zero, one = e.const(0), e.const(1)
        bounds = ", ".join(e.const(n) for n in sizes)
        e.open(
            f"scf.parallel ({', '.join(ids)}) = ({', '.join([zero] * len(sizes))}) to ({bounds}) "
            f"step ({', '.join([one] * len(sizes))}) {{"
        )
        weights = [run * math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
        k = e.loop(s.messages)
        at = offset(base, *zip(weights, ids), (s.tile, k))
        access(e, kind, s, ids, place(at, s.tile), type)
        e.close()
        e.line("scf.reduce")
        e.close()
    elif form == "whole":
        for x in range(count):
            index = indices(e, s, x, sizes)
            access(e, kind, s, index, place(offset(base + x * run), run), type)
    elif form == "unrolled":
        tokens = {}
        for k in range(s.messages):
            for x in range(count):
                index = indices(e, s, x, sizes)
                at = offset(base + x * run + k * s.tile)
                deps = [tokens[x]] if x in tokens else []
                token = access(e, kind, s, index, place(at, s.tile), type, True if is_async else None, deps)
                if token:
                    tokens[x] = token
        if tokens:
            e.line(f"air.wait_all [{', '.join(tokens.values())}]")
    else:
        part = s.tile // split
        for x in range(count) if form == "for-each" else [None]:
            k = e.loop(s.messages)
            for y in range(count) if x is None else [x]:
                for p in range(split):
                    at = offset(base + y * run + p * part, (s.tile, k))
                    access(e, kind, s, indices(e, s, y, sizes), place(at, part), type)
            e.close()


def emit_relay(e, relay, scope, elem):
    type = tile_type(elem, relay.input.tile, 1)
    for x in range(relay.input.elements):
        l2 = None if relay.alloc_inside else alloc(e, type)
        e.loop(relay.input.messages)
        l2 = l2 or alloc(e, type)
        for kind, s in (("get", relay.input), ("put", relay.output)):
            access(e, kind, s, indices(e, s, x, s.sizes), f"{l2}[] [] []", type)
        if relay.alloc_inside:
            dealloc(e, l2, type)
        e.close()
        if not relay.alloc_inside:
            dealloc(e, l2, type)


def emit_herd_actor(e, herd, scope, elem):
    ids, inner, _, token = open_herd(e, scope, herd.space, is_async=herd.is_async)
    pe = number_of(e, ids, herd.space)
    tile, messages = herd.tile, herd.messages
    type = tile_type(elem, tile, 2)
    buffers = []

    def body(k, iteration):
        """One message; k is the loop's variable or None, where `iteration` is its constant value."""
        step = ((tile, k),) if k else ()
        const = 0 if k else tile * iteration
        own = buffers or [e.op(f"memref.alloc() : {type}", "l") for _ in range(max(1, len(herd.inputs)))]
        for s, l1 in zip(herd.inputs, own):
            index = ids if len(ids) == len(s.space) else [pe]
            part = tile // s.split
            for p in range(s.split):
                place = f"{l1}[] [] []" if s.split == 1 else f"{l1}[{p * part}] [{part}] [1]"
                access(e, "get", s, index, place, type)
        if not herd.inputs:
            at = inner.from_input(e, herd.load + const, (tile * messages, pe), *step)
            place = f"{inner.input}[{at}] [{e.number(tile)}] [1]"
            e.line(f"air.dma_memcpy_nd ({own[0]}[] [] [], {place}) : ({type}, {inner.input_type})")
        if herd.branch:
            odd = e.op(f"arith.cmpi eq, {ids[0]}, {e.const(0)} : index")
            e.open(f"scf.if {odd} {{")
            emit_work(e, herd.work, elem, tile, pe, own[0], other=own[1] if len(own) > 1 else None)
            emit_outputs(own[0], const, step)
            e.close("} else {")
            e.depth += 1
            emit_work(e, herd.work, elem, tile, pe, own[0], other=own[1] if len(own) > 1 else None)
            emit_outputs(own[0], const, step)
            e.close()
        else:
            emit_work(e, herd.work, elem, tile, pe, own[0], other=own[1] if len(own) > 1 else None)
            emit_outputs(own[0], const, step)
        if not buffers:
            for l1 in own:
                e.line(f"memref.dealloc {l1} : {type}")

    def emit_outputs(l1, const, step):
        for s in herd.outputs:
            access(e, "put", s, ids if len(ids) == len(s.sizes) else [pe], f"{l1}[] [] []", type)
        if herd.store >= 0:
            at = inner.from_output(e, herd.store + const, (tile * messages, pe), *step)
            place = f"{inner.output}[{at}] [{e.number(tile)}] [1]"
            e.line(f"air.dma_memcpy_nd ({place}, {l1}[] [] []) : ({inner.output_type}, {type})")

    if e.rng.random() < 0.5:
        buffers = [e.op(f"memref.alloc() : {type}", "l") for _ in range(max(1, len(herd.inputs)))]
    if herd.loop == "unrolled":
        for k in range(messages):
            body(None, k)
    elif herd.loop == "nested" and messages % 2 == 0:
        outer = e.loop(messages // 2)
        k = e.loop(2)
        body(e.linear(0, (2, outer), (1, k)), 0)
        e.close()
        e.close()
    else:
        body(e.loop(messages), 0)
        e.close()
    for l1 in buffers:
        e.line(f"memref.dealloc {l1} : {type}")
    e.close()
    return token


def emit_cascade(e, c, scope, elem):
    ids, inner, _, token = open_herd(e, scope, [c.count, 1])
    x, y = ids
    type = tile_type(elem, c.tile, 2)
    own, sum_ = (e.op(f"memref.alloc() : {type}", "l") for _ in range(2))
    k = e.loop(c.messages)
    at = inner.from_input(e, c.load, (c.tile * c.messages, x), (c.tile, k))
    e.line(f"air.dma_memcpy_nd ({own}[] [] [], {inner.input}[{at}] [{c.tile}] [1]) : ({type}, {inner.input_type})")
    zero, one = e.const(0), e.const(1)
    e.open(f"scf.if {e.op(f'arith.cmpi sgt, {x}, {zero} : index')} {{")
    before = e.op(f"arith.subi {x}, {one} : index")
    e.line(f"air.channel.get @{c.channel}[{before}, {y}] ({sum_}[] [] []) : ({type})")
    emit_work(e, c.work, elem, c.tile, x, own, own, sum_)
    e.close()
    last = e.const(c.count - 1)
    e.open(f"scf.if {e.op(f'arith.cmpi slt, {x}, {last} : index')} {{")
    e.line(f"air.channel.put @{c.channel}[{x}, {y}] ({own}[] [] []) : ({type})")
    e.close("} else {")
    e.depth += 1
    at = inner.from_output(e, c.store, (c.tile, k))
    e.line(f"air.dma_memcpy_nd ({inner.output}[{at}] [{c.tile}] [1], {own}[] [] []) : ({inner.output_type}, {type})")
    e.close()
    e.close()
    e.close()


def emit_pipeline(e, pipeline, scope, elem, levels):
    """The actors of the given levels; herds and relays are of level segment."""
    tokens = []
    for actor in pipeline.actors:
        level = getattr(actor, "level", "segment")
        if level not in levels:
            continue
        if isinstance(actor, m.Source):
            emit_source(e, actor, scope, elem)
        elif isinstance(actor, m.Sink):
            emit_sink(e, actor, scope, elem)
        elif isinstance(actor, m.Relay):
            emit_relay(e, actor, scope, elem)
        elif isinstance(actor, m.Cascade):
            emit_cascade(e, actor, scope, elem)
        else:
            token = emit_herd_actor(e, actor, scope, elem)
            if token:
                tokens.append(token)
    if tokens:
        e.line(f"air.wait_all [{', '.join(tokens)}]")
