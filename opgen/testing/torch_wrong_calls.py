"""Invalid calls in PyTorch: eager calls, calls with fake tensors, and compiled calls."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from opgen.spec.cases import Cases
from opgen.testing.arrays import flat, mapped, to_torch, tupled
from opgen.testing.calls import simple
from opgen.testing.draw import draw
from opgen.testing.environment import Case, environment, pick
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import keywords, tensors
from opgen.testing.wrong_calls import (
    Tried,
    WrongCall,
    miscounted,
    undifferentiated,
    wrong_calls,
)

# Mistakes that only an eager call can detect. Fake tensors have no addresses, and no backward runs.
EAGER = ("overlap", "gradient")


def conformance(subject: OpUnderTest) -> None:
    """Check that one invalid call of each kind raises an error that names the wrong argument."""
    failures = refused(subject, [simple(subject)]).failures
    assert not failures, "\n".join(failures)


def refused(subject: OpUnderTest, cases: Iterable[Case], *, few: bool = True) -> Tried:
    """Make invalid calls that differ from `cases` in one argument. Return counts and failures.

    Unless `few` is set, the calls are also compiled.
    """
    tried, name = Tried(), subject.name
    wrapper = subject.wrapper("torch")
    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)
    for case in cases:
        compiled: set[tuple[str, str]] = set()
        for wrong in _wrong(subject, case, few):
            run: Callable[..., Any] = partial(wrapper, **wrong.attrs)
            if wrong.kind == "gradient":
                tried.hold("eager", name, wrong, lambda: _differentiated(run(*wrong.inputs)))
                continue
            tried.hold("eager", name, wrong, lambda: run(*wrong.inputs))
            if wrong.kind in EAGER:
                continue
            tried.hold("fake", name, wrong, lambda: _fake(run, wrong.inputs))
            if not few and (wrong.kind, wrong.argument) not in compiled:
                compiled.add((wrong.kind, wrong.argument))
                tried.hold("compiled", name, wrong, lambda: _compiled(run, wrong.inputs))
    return tried


def _fake(run: Callable[..., Any], inputs: Sequence[Any]) -> None:
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        to_fake = lambda x: mode.from_tensor(x) if isinstance(x, torch.Tensor) else x  # noqa: E731
        try:
            run(*mapped(to_fake, inputs))
        except DataDependentOutputException:
            return  # accepted: fake tensors do not reveal how much of a result is cut off


def _compiled(run: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """Call the compiled function. If Dynamo's error quotes another error, raise that message."""
    try:
        return torch.compile(run, backend="eager", dynamic=True)(*inputs)
    except torch._dynamo.exc.TorchRuntimeError as error:
        quoted = re.search(r"got \w+\([\"'](.*?)[\"']\)\n", str(error), re.S)
        raise ValueError(quoted[1] if quoted else str(error)) from None
    finally:
        torch.compiler.reset()  # otherwise Dynamo would skip the wrapper from now on


def _differentiated(results: Any) -> None:
    """Run the backward pass from all results that require a gradient."""
    sum(
        y.float().sum() for y in flat(tupled(results)) if y is not None and y.requires_grad
    ).backward()


def _wrong(subject: OpUnderTest, case: Case, few: bool) -> Iterator[WrongCall]:
    right, attrs = tuple(tensors(subject, draw(subject.op, case))), keywords(subject, case)
    dtypes = {n: v for n, v in attrs.items() if isinstance(v, torch.dtype)}
    for wrong in wrong_calls(subject, case, few=few):
        inputs = tuple(mapped(to_torch, wrong.inputs))
        own = {n: v for n, v in dtypes.items() if wrong.attrs.get(n) == dict(case.attrs)[n]}
        yield replace(wrong, inputs=inputs, attrs={**wrong.attrs, **own})
    for wrong in miscounted(subject, case, right):
        yield replace(wrong, attrs={n: attrs.get(n, value) for n, value in wrong.attrs.items()})
    others = [*_elsewhere(subject, right, attrs), *_overlapping(subject, case, right, attrs)]
    for name in undifferentiated(subject, case):
        inputs = _with(subject, right, name, _requiring)
        others.append(WrongCall("gradient", name, inputs, attrs))
    yield from others


def _with(
    subject: OpUnderTest, inputs: Sequence[Any], name: str, change: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """Apply `change` to the input `name`, or to its first tensor if the input is a list."""
    found = list(inputs)
    position = next(n for n, tensor in enumerate(subject.op.inputs) if tensor.name == name)
    given = found[position]
    found[position] = [change(given[0]), *given[1:]] if isinstance(given, list) else change(given)
    return tuple(found)


def _requiring(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.clone().requires_grad_()


def _elsewhere(
    subject: OpUnderTest, right: tuple[Any, ...], attrs: dict[str, Any]
) -> Iterator[WrongCall]:
    """Yield calls in which one tensor is on a different device from the rest."""
    if sum(x is not None for x in flat(right)) < 2:
        return
    for tensor, x in zip(subject.op.inputs, right):
        if x is not None:
            inputs = _with(subject, right, tensor.name, lambda x: x.to("meta"))
            yield WrongCall("device", tensor.name, inputs, attrs)


def _overlapping(
    subject: OpUnderTest, case: Case, right: tuple[Any, ...], attrs: dict[str, Any]
) -> Iterator[WrongCall]:
    """Yield calls in which a written tensor shares memory with itself or with another tensor."""
    values = environment(subject.op, case)
    for tensor, x in zip(subject.op.inputs, right):
        written = tensor.update
        if isinstance(written, Cases):
            written = pick(written, values)
        first = flat([x])[0]
        if not written or first is None or first.numel() < 2:
            continue
        one = first.flatten()[0]
        inputs = _with(subject, right, tensor.name, lambda x: one.expand(x.shape))
        yield WrongCall("overlap", tensor.name, inputs, attrs)
        for other, y in zip(subject.op.inputs, right):
            like = flat([y])[0]
            if other is tensor or like is None or like.dtype != first.dtype:
                continue
            if like.shape == first.shape:
                inputs = _with(subject, right, other.name, lambda _: first)
                yield WrongCall("overlap", tensor.name, inputs, attrs)
