"""Autograd in Python, for torch versions without a compiled autograd library.

The rules for gradients, autocast and version counters are those of the library, but each call takes
longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from ..core.kinds import is_list
from .backward import has_tangent
from .formulas import evaluate, is_true
from .kinds import tensors_in
from .recorded import Node, Recorded, Values, arguments, below, forward_mode, split
from .rule import Rule, read

_LIBRARIES: dict[str, torch.library.Library] = {}


def register(namespace: str, text: str) -> None:
    """Register the gradient rule in `text`, which also names the op, for all autograd keys.

    Raises ValueError if the rule does not fit the op.
    """
    rules = read(namespace, text)
    rule, name = rules[0], rules[0].name.partition(".")[2]
    if namespace not in _LIBRARIES:
        _LIBRARIES[namespace] = torch.library.Library(namespace, "FRAGMENT")
    library = _LIBRARIES[namespace]
    if rule.written:
        library.impl(name, _bump_versions(rule), "ADInplaceOrView", with_keyset=True)
    if rule.autocast:
        for device in ("cpu", "cuda"):
            kernel = _autocast(rule, device)
            library.impl(name, kernel, f"Autocast{device.upper()}", with_keyset=True)
    library.impl(name, _differentiate(rules), "Autograd", with_keyset=True)


def _bound(rule: Rule, args: Sequence[Any], kwargs: Values) -> dict[str, Any]:
    """Return all arguments by name. Arguments that PyTorch left out have their default values."""
    given = {**dict(zip(rule.arguments, args)), **kwargs}
    return {n: given[n] if n in given else a.default_value for n, a in rule.arguments.items()}


def _bump_versions(rule: Rule) -> Callable[..., Any]:
    """Return a kernel that runs the op, then bumps the version counter of each written tensor."""

    def kernel(keys: torch._C.DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        with torch._C._AutoDispatchBelowADInplaceOrView():
            rest = keys & torch._C._after_ADInplaceOrView_keyset
            results = rule.op.redispatch(rest, *args, **kwargs)
        values = _bound(rule, args, kwargs)
        written = [tensor for name in rule.written for tensor in tensors_in(values[name])]
        torch.autograd.graph.increment_version(written)
        return results

    return kernel


def _autocast(rule: Rule, device: str) -> Callable[..., Any]:
    """Return a kernel that casts floating inputs and runs the op. The rule determines the dtype:
    that of the active autocast, or float32. Inputs of dtype float64 are not cast.
    """
    key = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, f"Autocast{device.upper()}"))

    def kernel(_: torch._C.DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        lower = rule.autocast == "lower"
        dtype = torch.get_autocast_dtype(device) if lower else torch.float32

        def cast(value: Any) -> Any:
            if is_list(value):
                return [*map(cast, value)]
            if not isinstance(value, Tensor) or not value.is_floating_point():
                return value
            skipped = value.dtype == torch.float64 or value.device.type != device
            return value if skipped else value.to(dtype)

        positional, keywords = split(rule, _bound(rule, args, kwargs))
        with torch._C._ExcludeDispatchKeyGuard(key):
            return rule.op(*map(cast, positional), **keywords)

    return kernel


def _differentiate(rules: Sequence[Rule]) -> Callable[..., Any]:
    """Return a kernel for the Autograd key that runs an op and records its gradient."""
    name = "".join(map(str.capitalize, rules[0].name.partition(".")[2].split("_")))
    nodes: list[Any] = [type(name, (Node,), {}) for _ in rules]

    def kernel(keys: torch._C.DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        values = _bound(rules[0], args, kwargs)
        number = _choose(rules, values)
        rule = rules[number]
        moving = has_tangent([*values.values()])
        if moving:
            _check_tangents(rule, values)
        recorded = _takes_gradient(rule, values)
        if not moving and not recorded:
            return below(rule, keys, values)
        for program, message in rule.conditions:
            if not is_true(evaluate(program, arguments(values))):
                raise RuntimeError(f"{rule.name}: {message}")
        if recorded and "wanted" in values:  # request what the gradient reads
            values["wanted"] |= rule.read_results
        call = Recorded(rule, keys, values)
        given = [x for name in rule.tensors for x in _edges(rule, name, values[name])]
        try:
            with _one_level():
                made = nodes[number].apply(call, *given)
            return _returned(call, made)
        finally:
            call.forget()

    return kernel


def _choose(rules: Sequence[Rule], values: Values) -> int:
    """Return the index of the first gradient case whose condition holds for this call."""
    for number, rule in enumerate(rules):
        if rule.holds is None or is_true(evaluate(rule.holds, arguments(values))):
            return number
    raise RuntimeError(f"{rules[0].name}: no case of its gradient holds")


def _takes_gradient(rule: Rule, values: Values) -> bool:
    """Return whether autograd must record this call.

    Raises RuntimeError if a tensor requires a gradient but cannot have one.
    """
    if not torch.is_grad_enabled():
        return False
    takes = False
    for name in rule.tensors:
        if any(tensor.requires_grad for tensor in tensors_in(values[name])):
            if name in rule.written or rule.written and not rule.differentiable:
                why = "it is updated in place" if name in rule.written else "the op has none"
                raise RuntimeError(f"{rule.name}: {name} requires a gradient, but {why}")
            takes = takes or name in rule.gradients
    return takes


def _edges(rule: Rule, name: str, value: Any) -> list[Tensor]:
    """Return the tensors of an argument. If the argument has no gradient, they are detached."""
    known = name in rule.gradients
    return [x if known or not x.requires_grad else x.detach() for x in tensors_in(value)]


def _returned(call: Recorded, flat: Sequence[Any]) -> Any:
    """Return the results `flat` in the form that the op returns. Residuals are detached.

    Inside a functorch transform, residuals are not detached: the transform's gradient reads them,
    and the next transform differentiates this gradient.
    """
    keys = torch._C.DispatchKey
    inside = torch._C._dispatch_tls_is_dispatch_key_included(keys.FuncTorchDynamicLayerFrontMode)
    found = []
    for name in call.rule.results:
        if name in call.rule.residuals and not inside:
            flat = [*flat]
            first, last, _ = call.results.places[name]
            flat[first:last] = [x if x is None else x.detach() for x in flat[first:last]]
        found.append(call.results.value(name, flat))
    return tuple(found) if len(found) > 1 else found[0]


@contextmanager
def _one_level() -> Iterator[None]:
    """Return a context in which an autograd node records only for the current functorch transform.

    The next transform records the call for itself.
    """
    functorch: Any = torch._C._functorch
    if not hasattr(functorch, "set_single_level_autograd_function_allowed"):
        yield
        return
    before = functorch.get_single_level_autograd_function_allowed()
    functorch.set_single_level_autograd_function_allowed(True)
    try:
        yield
    finally:
        functorch.set_single_level_autograd_function_allowed(before)


def _check_tangents(rule: Rule, values: Values) -> None:
    """Raise NotImplementedError if the op has no forward-mode derivative for the tangents of this
    call.
    """
    if not rule.differentiable or rule.written:
        raise NotImplementedError(f"{rule.name} has no derivative: {rule.refusal}")
    if forward_mode(rule) is None:
        raise NotImplementedError(f"{rule.name} has no forward-mode derivative: use reverse mode")
    for name, kind in rule.gradients.items():
        if kind == "refused" and has_tangent([values[name]]):
            raise NotImplementedError(
                f"{rule.name} cannot be differentiated by {name}: {rule.refusal}"
            )
