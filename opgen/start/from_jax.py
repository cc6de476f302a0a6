"""Draft specs from JAX functions by tracing them. Most of these functions wrap FFI calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.start.draft import NOTHING, Attr, Draft, Tensor, is_free, renamed
from opgen.start.from_torch import asked
from opgen.start.learned import learned
from opgen.start.op import StartError

_ATTRS = ("float", "int", "bool", "str", "int[]")
_WORD = re.compile(r"[A-Za-z_]\w*")


def from_jax(what: str, calls: Sequence[str] = ()) -> Iterator[Draft]:
    """Yield a draft spec for `module:function`, and for its backward if it is a `custom_vjp`.

    `calls` is a test, or a script and its arguments, that is run to observe calls of the function.
    Raises `StartError` if no spec can be drafted.
    """
    if not re.fullmatch(r"[\w.]+:[\w.]+", what):
        raise StartError(f"expected a function as `MODULE:FUNCTION`, not `{what}`")
    found = asked("jax", {"what": what, "calls": [*calls]}, what)
    if "problem" in found:
        raise StartError(found["problem"])
    if found["failed"]:
        raise StartError(f"{' '.join(calls)}: {found['failed']}")
    draft, residuals = _forward(what, found, bool(calls))
    if found["vjp"] is None:
        yield draft
        return
    backward = _backward(draft, residuals, found["vjp"])
    yield replace(draft, residuals=residuals, backward=backward.op)
    yield backward


def _forward(what: str, found: Mapping[str, Any], asked: bool) -> tuple[Draft, list[Tensor]]:
    """Return a draft of the function and, as tensors, the residuals that the draft leaves out."""
    inputs, attrs, left_out = [], [], {}
    for each in found["arguments"]:
        if each["array"]:
            inputs.append(Tensor(each["name"], optional=each["optional"]))
        elif each["type"] in _ATTRS:
            default = NOTHING if each["given"] or each["default"] is None else each["default"]
            attrs.append(Attr(each["name"], each["type"], default, each["optional"]))
        else:
            left_out[each["name"]] = "a value of an unknown type"
    every = found["calls"] + found["fake"]
    count = len(every[0]["results"]) if every else 1
    vjp = found["vjp"] or {"sources": [], "names": []}
    if found["vjp"]:
        # Calls with random sizes return the residuals too.
        count = len(found["fake"][0]["results"]) - vjp["sources"].count("")
    taken = {each["name"] for each in found["arguments"]}
    names = ["y"] if count == 1 else [f"y{n}" for n in range(count)]
    names = [f"{name}_out" if name in taken else name for name in names]
    told = dict(enumerate(vjp["names"]))
    kept = [told.get(n, "") or f"kept{n}" for n, of in enumerate(vjp["sources"]) if not of]
    kept = [f"{name}_kept" if name in (*names, *taken) else name for name in kept]
    outputs = [Tensor(name, guess="its dtype") for name in (*names, *kept)]
    module, _, function = what.partition(":")
    draft = Draft(
        function,
        found["signature"],
        inputs,
        attrs,
        outputs,
        f"{module}.{function}",
        notes=list(_notes(found)),
        left_out=left_out,
        differentiable=found["vjp"] is None,
    )
    if asked and not found["calls"]:
        draft = replace(draft, notes=[*draft.notes, "None of the calls reached it."])
    if not every:
        draft = replace(draft, notes=[*draft.notes, "Tracing it failed for all tried shapes."])
    draft = renamed(draft)
    new = {old: own for own, old in draft.old.items()}
    results = [each.name for each in draft.outputs]

    def call(each: Mapping[str, Any]) -> dict[str, Any]:
        given = {new.get(name, name): value for name, value in each["arguments"].items()}
        return given | dict(zip(results, each["results"]))

    draft = learned(draft, [*map(call, found["calls"])], [*map(call, found["fake"])], results)
    if found["rule"] is not None:
        draft = _ruled(draft, found["rule"])
    whole = list(draft.outputs)
    return replace(draft, outputs=whole[:count]), whole[count:]


def _notes(found: Mapping[str, Any]) -> Iterator[str]:
    for target, attributes in found["targets"].items():
        given = f", with the attributes {', '.join(attributes)}" if attributes else ""
        yield f"It calls the FFI target `{target}`{given}."
    names = [each["name"] for each in found["arguments"] if each["array"]]
    for number in found["aliases"]:
        yield f"`{names[number]}` shares memory with a result there: is it updated?"


def _ruled(draft: Draft, rule: Mapping[str, Any]) -> Draft:
    """Return the draft with the shapes and dim names of the function's sharding rule."""
    tensors = [*draft.inputs, *draft.outputs]
    shapes = [*rule["inputs"], *rule["outputs"]]
    if len(draft.inputs) != len(rule["inputs"]) or len(draft.outputs) < len(rule["outputs"]):
        return draft
    taken = {each.name for each in tensors} | {each.name for each in draft.attrs}
    words = dict.fromkeys(w for text in (*shapes, *rule["split"]) for w in _WORD.findall(text))
    new = {w: w if is_free(w) and w not in taken else f"{w}_size" for w in words}
    # The dims of observed calls get the names that the rule uses.
    here: dict[str, str] = {}
    alike = True
    for tensor, shape in zip(draft.inputs, shapes):
        ours, theirs = (tensor.shape or "").split(), shape.split()
        alike &= [*map(_kind, ours)] == [*map(_kind, theirs)]
        here |= {a.lstrip("*"): b.lstrip("*") for a, b in zip(ours, theirs)}

    def named(text: str, names: Mapping[str, str]) -> str:
        return _WORD.sub(lambda word: names.get(word[0], word[0]), text)

    made = [
        replace(each, shape=named(shape, new), known=True) for each, shape in zip(tensors, shapes)
    ]
    count = len(draft.inputs)
    rest = draft.outputs[len(rule["outputs"]) :]
    last = {old: new.get(name, name) for old, name in here.items()}
    return replace(
        draft,
        inputs=made[:count],
        outputs=[*made[count:], *(replace(t, shape=named(t.shape or "", last)) for t in rest)],
        samples=[named(sample, last) for sample in draft.samples] if alike else (),
        split=[new[name] for name in rule["split"]],
    )


def _kind(term: str) -> str:
    return "group" if term.startswith("*") else "dim" if term.isidentifier() else term


def _backward(draft: Draft, residuals: Sequence[Tensor], vjp: Mapping[str, Any]) -> Draft:
    """Return a draft of the backward.

    The inputs are `dy` and the values that the forward saves. The outputs are the gradients.
    """
    known = {each.name: each for each in (*draft.inputs, *residuals)}
    fresh = iter(residuals)
    kept = []
    for source in vjp["sources"]:
        if source.startswith("result "):
            kept.append(draft.outputs[int(source.partition(" ")[2])])
        else:
            own = {old: name for name, old in draft.old.items()}.get(source, source)
            kept.append(known[own] if source else next(fresh))
    floating = [each for each in draft.inputs if _is_floating(draft, each)]
    gradients = [replace(each, name=f"d{each.name}", optional=False) for each in floating]
    cotangents = [replace(each, name=f"d{each.name}") for each in draft.outputs]
    inputs = [*cotangents, *dict.fromkeys(kept)]
    outside = {t.dtype for t in inputs}
    outputs = [
        t if t.dtype in outside or t.dtype in DTYPES else replace(t, dtype="T") for t in gradients
    ]
    names = ", ".join(f"`{each.name}`" for each in floating)
    return Draft(
        f"{draft.op}_bwd",
        f"the custom_vjp of {draft.source}",
        [replace(each, optional=False) for each in inputs],
        draft.attrs,
        outputs,
        notes=list(_notes({"targets": vjp["targets"], "arguments": [], "aliases": []})),
        dtypes=draft.dtypes,
        differentiable=False,
        doc=f"Gradient of `{draft.op}` with respect to {names}.",
        split=draft.split,
        referenced=False,
    )


def _is_floating(draft: Draft, each: Tensor) -> bool:
    variable = draft.dtypes.get(each.dtype)
    dtypes = variable.dtypes if variable else [each.dtype] if each.dtype in DTYPES else []
    return all(DTYPES[dtype].floating for dtype in dtypes)
