"""Prepare the tables that describe an op in `opgen explain` and in rendered docs.

The tables come from the IR, so users see the values that opgen itself uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from opgen.ir.batching import foldable, folded_group, leads
from opgen.ir.layouts import written_where
from opgen.ir.nodes import Argument, Attr, Gradient, Kernel, Tensor
from opgen.ir.op import Op
from opgen.ir.placements import untold
from opgen.ir.shape_inference import Choose, Count, Length, Rank, Solve, Step, Take
from opgen.language.expr import Const, Expr, text_of
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.models.rules import GuaranteesSpec
from opgen.spec.models.tensors import NOTES, PLAIN


@dataclass(frozen=True, slots=True)
class Section:
    """A titled table that describes an op. If `rows` is empty, `note` gives the reason."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def remarks(op: Op) -> tuple[str, ...]:
    """Return sentences about properties that no table shows, such as the replaced ops."""
    return (f"Instead of {', '.join(op.replaces)}.",) if op.replaces else ()


def sections(op: Op) -> tuple[Section, ...]:
    """Return all tables of one op."""
    found = (
        _parameters(op),
        _results(op),
        _bundles(op),
        _dtypes(op),
        _bindings(op),
        _requirements(op),
        *_gradients(op),
        _sharding(op),
        _batching(op),
        _kernels(op),
        _tuning(op),
        _guarantees(op),
        _descriptor(op),
    )
    return tuple(section for section in found if section.rows or section.note)


def cased(cases: Cases[Any], text: Callable[[Any], str] = str) -> str:
    """Return the text of a value with cases, such as `A if c, else B`."""
    parts = [
        text(value) if condition is None else f"{text(value)} if {text_of(condition)}"
        for condition, value in cases.cases
    ]
    return ", else ".join(parts)


def reduction_text(how: Cases[str]) -> str:
    """Return the text of a reduction over shards, such as `sum`."""
    return how.only if how.plain else f"({cased(how)})"


def shape_text(tensor: Tensor) -> str:
    """Return a tensor's shape in the notation of the spec, with `or` between alternative shapes."""
    text = cased(tensor.forms, lambda forms: " or ".join(str(s) or "scalar" for s in forms))
    return f"list of {tensor.list}: {text}" if tensor.list else text


def followers(op: Op) -> tuple[Tensor, ...]:
    """Return the inputs that are split like the input `op.follow`, including that input."""
    if op.follow is None:
        return ()
    lead = op.tensor(op.follow)
    return tuple(t for t in op.inputs if (t.forms, t.list) == (lead.forms, lead.list))


# The texts for layout names that the spec language writes otherwise.
_WRITTEN = {"strided": "...", "last": "its last dim contiguous"}


def _notes(tensor: Tensor) -> str:
    notes = []
    if tensor.optional:
        notes.append("optional" if tensor.role == "input" else "only if asked for")
    if tensor.when is not None:
        notes.append(f"when {text_of(tensor.when)}")
    if isinstance(tensor.update, Cases):
        notes.append(f"updated in place where {text_of(written_where(tensor.update))}")
    elif tensor.update:
        notes.append("updated in place")
    if tensor.layout.alone != "contiguous":
        notes.append(f"layout {cased(tensor.layout.map(lambda text: _WRITTEN.get(text, text)))}")
    for name, note in NOTES.items():
        if (value := getattr(tensor, name)) != getattr(PLAIN, name):
            notes.append(note.format(text_of(value) if isinstance(value, Expr) else value))
    notes += [f"{reduction_text(how)} over {dim}" for dim, how in tensor.reduce]
    return "; ".join(filter(None, [*notes, tensor.doc]))


def _parameters(op: Op) -> Section:
    rows = [(t.name, cased(t.dtype), shape_text(t), _notes(t)) for t in op.inputs]
    rows += [(a.name, a.type, _default(a), _bounds(a)) for a in op.attrs]
    return Section("Parameters", ("name", "type", "shape or default", "notes"), tuple(rows))


def _default(attr: Attr) -> str:
    if attr.computed:
        return f"computed by `{attr.computed}`"
    if attr.required:
        return "required"
    default = attr.default
    return text_of(default) if isinstance(default, Expr) else repr(default)


def _bounds(attr: Attr) -> str:
    notes = []
    if attr.choices:
        notes.append("one of " + ", ".join(map(repr, attr.choices)))
    if attr.min is not None:
        notes.append(f"at least {attr.min}")
    if attr.max is not None:
        notes.append(f"at most {attr.max}")
    return "; ".join(filter(None, [*notes, attr.doc]))


def _results(op: Op) -> Section:
    rows = [(t.name, cased(t.dtype), shape_text(t), _notes(t)) for t in op.results]
    for tensor in op.residuals:
        notes = "; ".join(filter(None, ["kept for the backward", _notes(tensor)]))
        rows.append((tensor.name, cased(tensor.dtype), shape_text(tensor), notes))
    for tensor in op.workspace:
        rows.append((tensor.name, cased(tensor.dtype), shape_text(tensor), "scratch memory"))
    return Section("Results", ("name", "dtype", "shape", "notes"), tuple(rows))


def _bundles(op: Op) -> Section:
    rows = [
        (b.name, b.kind, ", ".join(t if t else f"no {member}" for member, t in b.members))
        for b in op.bundles
    ]
    return Section("Bundles", ("name", "bundle", "of"), tuple(rows))


def _dtypes(op: Op) -> Section:
    rows = [
        (v.name, ", ".join(v.choices) if v.free else cased(v.value, text_of)) for v in op.dtypes
    ]
    return Section("Dtypes", ("variable", "is"), tuple(rows))


def _bindings(op: Op) -> Section:
    return Section("Bindings", ("step", "learnt"), tuple(_steps(op)))


def _steps(op: Op) -> Iterator[tuple[str, str]]:
    number = 0
    for step in op.plan.steps:
        if isinstance(step, Rank):
            continue
        number += 1
        yield str(number), _step(step)


def _step(step: Step) -> str:
    match step:
        case Take():
            text = f"*{step.name}: the dims of {step.tensor}"
            if step.before != Count(0):
                text += f" after {_count(step.before)}"
            if step.after != Count(0):
                text += f" before the last {_count(step.after)}"
        case Solve():
            place = f"{step.tensor}.shape[{-step.after.fixed - 1 if step.from_end else _count(step.before)}]"
            text = f"{step.name}: {place}"
            if step.factor != Const(1) or step.offset != Const(0):
                text = f"{step.name}: from {place} = {text_of(step.term)}"
        case Length():
            text = f"{step.name}: how many tensors {step.tensor} holds"
        case Choose():
            text = f"the form of {step.tensor}: " + " or ".join(f"`{s}`" for s in step.shapes)
        case _:
            raise TypeError(step)
    conditions = []
    if step.guard.present:
        conditions.append(f"{step.tensor} is given")
    if step.guard.case is not None:
        conditions.append(text_of(step.guard.case))
    conditions += [f"not {text_of(other, 10)}" for other in step.guard.others]
    if step.guard.unknown:
        conditions.append("not known yet")
    return f"{text}, if {' and '.join(conditions)}" if conditions else text


def _count(count: Count) -> str:
    parts = [f"len({g})" for g in count.groups] + ([str(count.fixed)] if count.fixed else [])
    return " + ".join(parts) or "0"


def _requirements(op: Op) -> Section:
    rows = [(text_of(r.condition), r.message or "") for r in op.require]
    return Section("Requirements", ("condition", "message"), tuple(rows))


def _gradients(op: Op) -> Iterator[Section]:
    """Yield a table for each case of the op's gradient."""
    for condition, gradient in op.grad.cases:
        where = "" if op.grad.plain else f" where {text_of(condition)}" if condition else " else"
        yield _gradient(gradient, f"Gradient{where}")


def _gradient(gradient: Gradient, title: str) -> Section:
    columns = ("of", "is")
    if gradient.kind == "none":
        return Section(title, columns, (), "None: differentiating is an error.")
    if gradient.kind == "reference":
        return Section(title, columns, (), "Autodiff of the reference.")
    rows = [(name, text_of(formula)) for name, formula in gradient.formulas]
    saved: dict[str, None] = {}
    for call in gradient.calls:
        arguments = ", ".join(f"{a.name}={_argument(a)}" for a in (*call.arguments, *call.attrs))
        rows += [(name, f"{output} of {call.op}({arguments})") for name, output in call.gradients]
        kept = (a for a in call.arguments if a.source in ("input", "output", "residual"))
        saved.update((a.of, None) for a in kept)
    note = f"Saved for the backward: {', '.join(saved)}." if saved else ""
    return Section(title, columns, tuple(rows), note)


def _argument(argument: Argument) -> str:
    if argument.expr is not None:
        return text_of(argument.expr)
    match argument.source:
        case "cotangent":
            return f"d{argument.of}"
        case "absent":
            return "left out"
    return argument.of


def _sharding(op: Op) -> Section:
    split = cased(op.split, lambda names: ", ".join(names) or "nothing")
    if not op.splittable and not op.stages:
        return Section("Sharding", ("dim", "how"), (), "Replicated: every device has the whole.")
    rows = [("may be split", split)]
    rows += [("DTensor", f"none, {reason}")] if (reason := untold(op)) else []
    rows += [(name, f"split by stages: {', '.join(ops)}") for name, ops in op.stages]
    rows += [(t.name, f"where the shard's {t.begin} begins") for t in op.inputs if t.begin]
    names = ", ".join(tensor.name for tensor in followers(op))
    rows += [(names, f"placed as {op.follow}, in any way")] if op.follow else []
    rows += [
        (tensor.name, f"{reduction_text(how)} over the shards of {dim}")
        for tensor in op.tensors
        for dim, how in tensor.reduce
    ]
    return Section(
        "Sharding",
        ("dim", "how"),
        tuple(rows),
        "Along all other dims, every device holds all elements.",
    )


def _batching(op: Op) -> Section:
    if op.vmap == "none":
        return Section("Batching", (), (), "`vmap` is an error.")
    notes = [_folding(op, name) for name in foldable(op)]
    note = " ".join(notes) + " Any other is a loop." if notes else "`vmap` is a loop."
    return Section("Batching", (), (), note)


def _folding(op: Op, group: str) -> str:
    leading = [t.name for t in op.inputs if leads(t, group)]
    names = " and ".join(filter(None, [", ".join(leading[:-1]), leading[-1]]))
    if group != folded_group(op):
        return (
            f"In JAX, `vmap` over {names} and nothing else joins `*{group}` "
            "where all results begin with it and no other input has it."
        )
    if op.updated:
        return f"In JAX, `vmap` over {names} and nothing else joins `*{group}`."
    some = " (in PyTorch over any of them)" if leading[1:] else ""
    return f"`vmap` over {names} and nothing else{some} joins `*{group}`."


def _takes(kernel: Kernel) -> str:
    """Return a text about the calls that a listed kernel accepts and all earlier kernels reject."""
    texts = [each.message or text_of(each.condition) for each in kernel.require]
    texts += ["less than 2**31 elements in every tensor"] if kernel.index == "i32" else []
    return " and ".join(texts) or "all others"


def promises_of(kept: GuaranteesSpec) -> str:
    """Return the guarantees of a kernel in a list of kernels, as text."""
    names = [f"invariant along {', '.join(kept.invariant)}"] if kept.invariant else []
    names = ["deterministic", *names] if kept.deterministic else names
    return "; ".join([*names, "exact"] if kept.exact else names)


def _kernels(op: Op) -> Section:
    rows: list[tuple[str, ...]] = []
    kept = any(k.guarantees not in (op.guarantees, GuaranteesSpec()) for k in op.kernels)
    for kernel in op.kernels:
        types = ", ".join(kernel.dispatch) or "none"
        blocks = kernel.code.blocks if kernel.code else ()
        axes = (f"ceildiv({name}, {text_of(size)})" for name, size in blocks)
        extents = (kernel.code.grid if kernel.code else ()) or kernel.grid
        grid = " x ".join([*map(text_of, extents), *axes])
        source = kernel.named or ", ".join(kernel.sources)
        count = str(len(kernel.rows))
        symbols = " or ".join(kernel.symbol.values())
        row = [kernel.platform, symbols, source, types, count, grid]
        own = (kernel.name, _takes(kernel), *((promises_of(kernel.guarantees),) if kept else ()))
        rows.append((*row, *own) if op.listed else tuple(row))
    columns: tuple[str, ...] = ("platform", "symbol", "source", "dispatched on", "rows", "grid")
    columns += ("kernel", "takes", *(("guarantees",) if kept else ())) if op.listed else ()
    empty = ("",) * (len(columns) - 3)
    rows += [(k.platform, "", "no source yet", *empty) for k in op.awaited]
    note = "Elsewhere the reference runs." if op.fallback else "Elsewhere a call is an error."
    return Section("Kernels", columns, tuple(rows), note)


def _tuning(op: Op) -> Section:
    """Return the table of tunable values, and of the values chosen on each device."""
    rows = []
    for kernel in op.kernels:
        if kernel.tune is None:
            continue
        may = (f"{n} = {', or '.join(map(str, values))}" for n, values in kernel.tune.parameters)
        rows.append((kernel.platform, kernel.name, "", "; ".join(may)))
        for table in kernel.tune.tables:
            for row in table.rows:
                calls = [table.device, f"{row.threads} thread{'s' if row.threads != 1 else ''}"]
                calls += map(" = ".join, zip(kernel.tune.dtypes, row.dtypes))
                calls += (f"{n} >= {size}" for n, size in zip(kernel.tune.sizes, row.sizes))
                values = zip(kernel.tune.names, map(str, row.values))
                here = (kernel.platform, kernel.name, ", ".join(calls))
                rows.append((*here, "; ".join(map(" = ".join, values))))
    note = "The first line of the device that fits a call holds; without one, the first values."
    columns = ("platform", "kernel", "calls", "values")
    return Section("Tuning", columns, tuple(rows), note if rows else "")


def _guarantees(op: Op) -> Section:
    kept = op.guarantees
    rows = [("deterministic", "the same bits wherever inputs are, on any number of threads")]
    rows = rows if kept.deterministic else []
    names = ", ".join(kept.invariant)
    rows += [(f"invariant along {names}", "some rows alone have the same bits")] if names else []
    rows += [("exact", "rounded once from what the reference is exactly")] if kept.exact else []
    note = "Of the kernels for the CPU." if rows else ""
    return Section("Guarantees", ("promised", "which means"), tuple(rows), note)


def _descriptor(op: Op) -> Section:
    rows = [
        (str(f.offset), f"{f.type}[{f.count}]" if f.count else f.type, f.name, text_of(f.value))
        for f in op.descriptor.fields
    ]
    note = f"{op.descriptor.size} bytes, aligned to {op.descriptor.align}; padding is zero."
    return Section("Descriptor", ("offset", "type", "field", "value"), tuple(rows), note)
