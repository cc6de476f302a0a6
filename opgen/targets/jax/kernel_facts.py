"""What the runtime knows of an op's kernel: the statement that makes a `Kernel`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from opgen.ir.abi import kind_of, packed, varies
from opgen.ir.batching import foldable
from opgen.ir.layouts import FREE, written_where
from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, substitute
from opgen.language.expr.python import python
from opgen.language.shapes import Shape, Term
from opgen.spec.cases import Cases
from opgen.targets.core.config import demanding, device_names
from opgen.targets.own_names import Names
from opgen.targets.public_api import numbers
from opgen.targets.python_format import (
    call,
    conditional,
    define,
    dict_of,
    function,
    quoted,
    tuple_of,
)

V = TypeVar("V")
# A product of names is in memory order: it is split as the first of them is.
PRODUCT = re.compile(r"([A-Za-z]\w*)\*")


def kernel(names: Names, fallback: str | None) -> tuple[str, ...]:
    """The statement, after the function that it may need.

    `fallback` names the function that runs where there is no kernel.
    """
    op, items = names.op, ["_core"]
    before: tuple[str, ...] = ()
    if _fixed(op):
        shapes = [quoted(str(t.shape)) for t in op.inputs]
        items.append(f"inputs={tuple_of(shapes)}")
        shapes = [quoted(str(t.shape)) for t in op.written]
        items.append(f"outputs={tuple_of(shapes)}")
    else:
        before = (_case(names),)
        items.append("case=_case")
    if op.attrs and not packed(op):
        pairs = [f"{quoted(a.name)}: {_ffi_type(names, a)}" for a in op.attrs]
        items.append(f"attrs={dict_of(pairs)}")
    platforms = [quoted(platform) for platform in op.platforms]
    if platforms:
        items.append(f"platforms={tuple_of(platforms)}")
    if not _reduces_alike(op):
        before = (*before, _reduce(names))
    items += [*_results(op), *_sharding(names)]
    fold = [quoted(name) for name in foldable(op)]
    if fold:
        items.append(f"fold={tuple_of(fold)}")
    if op.vmap == "none":
        items.append("vmap=False")
    wide = [_wide(tensor) for tensor in op.inputs]
    if any(item != "None" for item in wide):
        items.append(f"wide={tuple_of(wide)}")
    if fallback:
        items.append(f"fallback={fallback}")
    orders = [_choice(names, tensor.layout, _order) for tensor in op.inputs]
    if any(item != "None" for item in orders):
        if any(len(tensor.layout.cases) > 1 for tensor in op.inputs):
            about = "The orders of the inputs' dims in a call."
            before = (*before, _chosen(op, "_orders", about, orders))
            items.append("orders=_orders")
        else:
            items.append(f"orders={tuple_of(orders)}")
    updates = [t.update for t in op.inputs if t.update]
    if any(isinstance(update, Cases) for update in updates):
        texts = [
            condition_of(names, written_where(u)) if isinstance(u, Cases) else "True"
            for u in updates
        ]
        about = "Which of the inputs that some calls update this call does."
        before = (*before, _chosen(op, "_updated", about, texts))
        items.append("updated=_updated")
    items += _stages(op)
    looked_at = demanding(op)
    picky = (k.platform for k in looked_at)
    if any(not op.takes_all(platform) for platform in picky):
        items.append("demanding=True")
    if looked_at:
        device = [quoted(name) for name in device_names(op)]
        items += [f"device={tuple_of(device)}"] if device else []
    return (*before, call("_KERNEL = _runtime.Kernel", items))


def _ffi_type(names: Names, attr: Attr) -> str:
    module, _, name = kind_of(attr).jax.partition(".")
    return f"{names(module) if module == 'np' else module}.{name}"


def _order(layout: str) -> str:
    """The order of an input's dims in memory; one that is laid out `like` another is row-major."""
    return "None" if layout in FREE or layout.startswith("like ") else quoted(layout)


def _results(op: Op) -> list[str]:
    """What there is beyond outputs that every call has."""
    items = [f"residuals={len(op.residuals)}"] if op.residuals else []
    on_request = [quoted(t.name) for t in op.on_request]
    if on_request:
        items.append(f"on_request={tuple_of(on_request)}")
    updates = [str(n) for n, t in enumerate(op.inputs) if t.update]
    if updates:
        items.append(f"updates={tuple_of(updates)}")
    return [*items, *(["varies=True"] if varies(op) else []), *_numbers(op)]


def _numbers(op: Op) -> list[str]:
    """The inputs that may be Python numbers, by position, and what gives their dtypes."""
    places = {t.name: str(place) for place, t in enumerate(op.inputs)}
    pairs = []
    for name, of in numbers(op, updated=True).items():
        of = of[:1] if of[0] in map(quoted, DTYPES) else of  # without a device
        items = [places.get(each, each) for each in of]
        pairs.append(f"{places[name]}: {tuple_of(items)}")
    return [f"numbers={dict_of(pairs)}"] if pairs else []


def _sharding(names: Names) -> list[str]:
    """The dims that may be split, and what follows for results that lack them."""
    op, items = names.op, list[str]()
    split = may_be_split(op, op.splittable)
    if _fixed(op) and split:
        dims = may_be_split(op, op.split.only)
        items.append(f"split={tuple_of(map(quoted, dims))}")
    units = [f"{quoted(name)}: {unit}" for name, unit in op.units if name in split]
    if units:
        items.append(f"units={dict_of(units)}")
    if not _reduces_alike(op):
        items.append("reduce=_reduce")
    else:
        reduce = _reductions(names)
        if any(item != "{}" for item in reduce):
            items.append(f"reduce={tuple_of(reduce)}")
    return items


def _stages(op: Op) -> list[str]:
    """The kernels that compute it where a dim is split that its own needs whole."""
    items = []
    if op.stages:
        pairs = [
            f"{quoted(name)}: " + tuple_of(f"_{each}._KERNEL" for each in ops)
            for name, ops in op.stages
        ]
        items.append(f"stages={dict_of(pairs)}")
    asked = [(n, op.asked_by(tensor)) for n, tensor in enumerate(op.inputs)]
    entries = [f"{n}: {tuple_of(map(quoted, names))}" for n, names in asked if names]
    items += [f"asked_by={dict_of(entries)}"] if entries else []
    begins = [f"{n}: {quoted(t.begin)}" for n, t in enumerate(op.inputs) if t.begin]
    items += [f"begins={dict_of(begins)}"] if begins else []
    seeds = [str(n) for n, t in enumerate(op.inputs) if t.seed]
    items += [f"seeds={tuple_of(seeds)}"] if seeds else []
    host = [str(n) for n, t in enumerate(op.inputs) if t.device]
    return items + ([f"host={tuple_of(host)}"] if host else [])


def _reductions(names: Names) -> list[str]:
    """How each result is reduced over the dims that may be split."""
    op, found = names.op, list[str]()
    split = may_be_split(op, op.splittable)
    for tensor in (*op.written, *op.updated):
        pairs = [
            f"{quoted(n)}: {_choice(names, how, quoted)}" for n, how in tensor.reduce if n in split
        ]
        found.append(dict_of(pairs))
    return found


def _reduces_alike(op: Op) -> bool:
    """Whether results are reduced in the same way in every call."""
    return all(how.plain for t in op.tensors for _, how in t.reduce)


def _reduce(names: Names) -> str:
    """The function that gives the reductions for the inputs and attrs of a call."""
    about = "How each result of a call is reduced over the dims that may be split."
    return _chosen(names.op, "_reduce", about, _reductions(names))


def _chosen(op: Op, name: str, about: str, items: list[str]) -> str:
    """A function of the inputs and attrs of a call that gives something for each of several."""
    body = [f'"""{about}"""', f"return {tuple_of(items)}"]
    return function(define(name, _arguments(op)), body)


def _arguments(op: Op) -> list[str]:
    """The parameters of a function that is called as the op is."""
    parameters = [t.name for t in op.inputs]
    return parameters + (["*", *(a.name for a in op.attrs)] if op.attrs else [])


def may_be_split(op: Op, names: Iterable[str]) -> tuple[str, ...]:
    """Of the dims that the spec lets split, those that JAX can.

    Not one that a residual keeps a part of on each shard; nor one that is alone in no
    tensor, unless an input says where it begins: by how much it may be divided is not known.
    """
    local = {n for t in op.written for n, how in t.reduce if "local" in how.values()}
    given = [term for t in op.inputs for term in _terms(t)]
    alone = {_alone(term) for term in given}
    outer = {found[1] for term in given if (found := PRODUCT.match(str(term)))}
    alone |= outer & {_alone(term) for t in op.written for term in _terms(t)}
    begins = {t.begin for t in op.inputs}
    return tuple(n for n in names if n in (alone | begins) - local)


def _terms(tensor: Tensor) -> Iterator[Term]:
    """The terms of all forms of a tensor's shape."""
    return (term for forms in tensor.forms.values() for shape in forms for term in shape.terms)


def _alone(term: Term) -> str | None:
    """The name that is all of a term; also of one in a list (`s[i]`)."""
    return term.name or str(term).removesuffix("[i]")


def _wide(tensor: Tensor) -> str:
    """The 64-bit integer type of an input that can have no other."""
    dtype = tensor.dtype.only if tensor.dtype.plain else ""
    return quoted(dtype) if dtype in ("i64", "u64") else "None"


# -- shapes that depend on the call ----------------------------------------------------------


def _fixed(op: Op) -> bool:
    """Whether every call has the same shapes, and may be split along the same dims."""
    tensors = (*op.inputs, *op.written)
    return op.split.plain and all(t.forms.plain and len(t.forms.only) == 1 for t in tensors)


def _case(names: Names) -> str:
    """The function that gives shapes and `split` for the inputs and attrs of a call."""
    op = names.op

    def texts(tensors: tuple[Tensor, ...]) -> list[str]:
        return [_choice(names, t.forms, _forms) for t in tensors]

    def split(dims: tuple[str, ...]) -> str:
        return tuple_of(map(quoted, may_be_split(op, dims)))

    body = [
        '"""The shapes of inputs and outputs in a call, and the dims that may be split."""',
        f"inputs = {tuple_of(texts(op.inputs))}",
        f"outputs = {tuple_of(texts(op.written))}",
        f"return inputs, outputs, {_choice(names, op.split, split)}",
    ]
    return function(define("_case", _arguments(op)), body)


def _forms(shapes: tuple[Shape, ...]) -> str:
    texts = [quoted(str(shape)) for shape in shapes]
    return texts[0] if len(texts) == 1 else tuple_of(texts)


def _choice(names: Names, cases: Cases[V], text: Callable[[V], str]) -> str:
    """A conditional expression. The last case has no condition."""
    *others, (_, last) = cases.cases
    choices = [(text(value), condition_of(names, test)) for test, value in others]
    return conditional(choices, text(last))


def condition_of(names: Names, expr: Expr) -> str:
    """A condition over attrs, presence, dtypes and ranks."""
    op = names.op

    def name(text: str) -> str:
        if op.dtype_var(text) is None:
            return text
        carrier = next(t.name for t in op.inputs if text in t.dtype.values())
        return f"_runtime.dtype_name({carrier})"

    return python(substitute(expr, op.asking), name, 1, names)
