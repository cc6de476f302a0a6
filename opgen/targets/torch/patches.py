"""The strings of the layers that an op replaces (`torch.patches`) for their template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.expr import Expr
from opgen.targets.python_format import call, define, dict_of, docstring, quoted, tuple_of
from opgen.targets.torch import TORCH_NAMES
from opgen.targets.torch.patch_text import attributes, called, names_torch, negated, plain


@dataclass(frozen=True, slots=True)
class PatchView:
    """One class. `facts` has its facts about the layers.

    `unmet` and `guards` pair a condition that must not hold with the requirement. `used` are names
    of other modules.
    """

    name: str
    docstring: str
    facts: tuple[str, ...]
    unmet: tuple[tuple[str, str], ...]
    define: str
    guards: tuple[str, ...]
    original: str
    body: tuple[str, ...]
    used: frozenset[str]


def patches(op: Op) -> tuple[PatchView, ...]:
    """Return the layers whose forward `op` computes."""
    return tuple(_view(op, patch) for patch in op.options["torch"]["patches"] or ())


def _view(op: Op, patch: Mapping[str, Any]) -> PatchView:
    args = {name: plain(text) for name, text in patch["args"].items()}
    result = patch.get("result")
    texts = (*args.values(), *patch.get("require", ()), *patch.get("when", ()))
    ran = (*args.values(), *([result] if result else ()))
    reads = dict.fromkeys(attributes(*texts, *ran))
    runs = dict.fromkeys(called(*ran))
    parameters = [f"{name}: Tensor" for name in patch["forward"]]
    inputs = [args.get(t.name, "None") for t in op.inputs]
    while inputs and inputs[-1] == "None":
        inputs.pop()
    attrs = [f"{a.name}={args[a.name]}" for a in op.options_given if a.name in args]
    names = ", ".join(t.name for t in op.outputs)
    head, tail = (f"{names} = ", [f"return {plain(result)}"]) if result else ("return ", [])
    unmet = tuple(
        (negated(text), quoted(plain(text)))
        for text in (*patch.get("require", ()), *_limits(op, args))
    )
    dtypes = [*_dtypes(op, args)]
    used = {"Iterator"} if unmet else set()
    used |= {"torch"} if dtypes or any(map(names_torch, (*texts, *ran))) else set()
    return PatchView(
        name=f"_For{patch['of'][0].rpartition('.')[2]}",
        docstring=docstring(f"A layer whose forward is `{op.name}`."),
        facts=(
            f"op = {quoted(op.name)}",
            f"of = {tuple_of(map(quoted, patch['of']))}",
            f"reads = {tuple_of(map(quoted, reads))}",
            *([f"runs = {tuple_of(map(quoted, runs))}"] if runs else []),
            *dtypes,
        ),
        unmet=unmet,
        define=define("forward", ["self: Any", *parameters], "Any"),
        guards=(
            *_guards(op, args, patch["forward"]),
            *(negated(text) for text in patch.get("when", ())),
        ),
        original=f"super().forward({', '.join(patch['forward'])})",
        body=(call(f"{head}{op.name}", [*inputs, *attrs]), *tail),
        used=frozenset(used),
    )


def _limits(op: Op, args: Mapping[str, str]) -> Iterator[str]:
    """Yield the op's limits on options that the layer passes unchanged."""
    for attr in op.options_given:
        given = args.get(attr.name, "")
        if given.startswith("self.") and given.removeprefix("self.").isidentifier():
            absent = (
                f"{given} is None or " if attr.optional or isinstance(attr.default, Expr) else ""
            )
            yield from (f"{absent}{text}" for text in _held(attr, given))


def _held(attr: Attr, given: str) -> Iterator[str]:
    """Yield the conditions on a value of `attr`."""
    _, is_list, length = attr.type.removesuffix("]").partition("[")
    if length:
        yield f"isinstance({given}, (list, tuple)) and len({given}) == {length}"
    if attr.choices and not is_list:
        yield f"{given} in {tuple_of(map(repr, attr.choices))}"
    least, most = (f"{of}({given})" if is_list else given for of in ("min", "max"))
    empty = f"not {given} or " if is_list and not length else ""
    if attr.min is not None:
        yield f"{empty}{least} >= {attr.min}"
    if attr.max is not None:
        yield f"{empty}{most} <= {attr.max}"


def _dtypes(op: Op, args: Mapping[str, str]) -> Iterator[str]:
    """Yield the allowed dtypes of tensors that a call or a layer passes unchanged."""
    items = []
    for tensor in op.inputs:
        given = args.get(tensor.name, "").removeprefix("self.")
        if given.isidentifier():
            kinds = [f"torch.{TORCH_NAMES[d]}" for d in _taken(op, tensor)]
            items += [f"{quoted(given)}: {tuple_of(kinds)}"] if kinds[1:] else []
    if items:
        yield f"dtypes = {dict_of(items)}"


def _taken(op: Op, tensor: Tensor) -> list[str]:
    """Return the allowed dtypes of `tensor`; [] if they follow from those of others."""
    found: list[str] = []
    for name in tensor.dtype.values():
        var = op.dtype_var(name)
        if var is not None and not var.free:
            return []
        found += (name,) if var is None else var.choices
    return list(dict.fromkeys(found))


def _guards(op: Op, args: Mapping[str, str], forward: tuple[str, ...]) -> Iterator[str]:
    """Yield the conditions under which a call has a tensor that the op does not take."""
    for tensor in op.inputs:
        given = args.get(tensor.name)
        if given in forward and _taken(op, tensor)[1:]:
            yield f'not self.takes("{given}", {given})'
