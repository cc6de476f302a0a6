"""What the inputs of an op are to the optimizer that is made of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.ir.nodes import REQUIRED, Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.expr.evaluate import evaluate


@dataclass(frozen=True)
class Roles:
    """The inputs by what they are: `bad_optimizer` of the linter says how they are recognised.

    `state` is held for each parameter, or is a scalar of all parameters of a call;
    `scalars` are options that may change from call to call. Optional inputs are left out.
    """

    op: Op
    params: Tensor
    grads: Tensor
    state: tuple[Tensor, ...]
    scalars: tuple[Tensor, ...]

    @property
    def options(self) -> tuple[Tensor | Attr, ...]:
        """What a user sets for each group of parameters, in the order of the spec."""
        return (*self.scalars, *self.op.options_given)

    def dtypes(self, tensor: Tensor) -> dict[str, str]:
        """The dtype that `tensor` gets, by that of the parameters.

        That of the parameters where the op takes it, else the first that it takes.
        """
        dtype = tensor.dtype.only
        if dtype in DTYPES:
            return {each: dtype for each, _ in self._calls()}
        return {each: str(values[dtype]) for each, values in self._calls()}

    def _calls(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """For each dtype of parameters, the values of all dtype variables."""
        free = {var.name: var.choices for var in self.op.dtypes if var.free}
        (own,) = set(self.params.dtype.values())
        for dtype in free.get(own, (own,)):
            calls = [c for c in self._combinations(free) if c.get(own, own) == dtype]
            calls.sort(key=lambda call: sum(call[name] != dtype for name in free))
            if calls:
                yield dtype, calls[0]

    def _combinations(self, free: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, object]]:
        """What the dtype variables may be together."""
        derived = {v.name: v.value for v in self.op.dtypes if not v.free}
        known = {*free, *derived, *DTYPES}
        conditions = [r.condition for r in self.op.require if {*names_in(r.condition)} <= known]
        for choice in itertools.product(*free.values()):
            values: dict[str, object] = dict(zip(free, choice))
            for name, cases in derived.items():
                if cases.plain:
                    values[name] = evaluate(cases.only, values)
            if all(evaluate(condition, values) for condition in conditions):
                yield values


def roles(op: Op) -> Roles:
    """The roles of the inputs of an op that has an optimizer."""
    held = [t for t in op.inputs if not t.optional]
    (params,) = (t for t in held if t.update and t.init is None)
    (grads,) = (t for t in held if not t.update and t.init is None)
    return Roles(
        op,
        params,
        grads,
        state=tuple(t for t in held if t.update and t.init is not None),
        scalars=tuple(t for t in held if not t.update and t.init is not None),
    )


@dataclass(frozen=True)
class Option:
    """What a user sets under one name: a scalar input, an attr, or a tuple of attrs."""

    name: str
    of: tuple[Tensor | Attr, ...]

    @property
    def attrs(self) -> tuple[Attr, ...]:
        """The attrs that it is made of; none where it is a scalar input."""
        return tuple(each for each in self.of if isinstance(each, Attr))

    @property
    def default(self) -> object:
        """A Python value or `REQUIRED`; of several attrs a tuple."""
        values = [_default(each) for each in self.of]
        if REQUIRED in values:
            return REQUIRED
        return values[0] if len(values) == 1 else tuple(values)


def _default(each: Tensor | Attr) -> object:
    if isinstance(each, Attr):
        return each.default
    assert each.init is not None
    return evaluate(each.init, {})


class Words:
    """What a framework calls the options and the state of an optimizer (`names`)."""

    def __init__(self, roles: Roles, target: str) -> None:
        given = roles.op.options[target]["names"] or {}
        self.roles = roles
        self.words: dict[str, str] = {
            name: word
            for word, of in given.items()
            for name in (of if isinstance(of, tuple) else [of])
        }

    def __getitem__(self, name: str) -> str:
        return self.words.get(name, name)

    @property
    def options(self) -> tuple[Option, ...]:
        """In the order of the spec; those without a default first."""
        found: dict[str, tuple[Tensor | Attr, ...]] = {}
        for each in self.roles.options:
            word = self[each.name]
            found[word] = (*found.get(word, ()), each)
        options = [Option(word, of) for word, of in found.items()]
        return tuple(sorted(options, key=lambda option: option.default is not REQUIRED))
