"""The roles of an op's inputs in the optimizer that is made from it."""

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
    """The inputs by their roles, which `bad_optimizer` of the linter explains.

    `state` is separate for each parameter, or is a scalar of all parameters of a call. `scalars`
    are options that may change from call to call. Optional inputs are left out.
    """

    op: Op
    params: Tensor
    grads: Tensor
    state: tuple[Tensor, ...]
    scalars: tuple[Tensor, ...]

    @property
    def options(self) -> tuple[Tensor | Attr, ...]:
        """Return the user's settings for each group of parameters, in the order of the spec."""
        return (*self.scalars, *self.op.options_given)

    def dtypes(self, tensor: Tensor) -> dict[str, str]:
        """Return the dtype of `tensor` for each dtype of the parameters.

        It is the parameters' dtype if the op accepts it, else the first that the op accepts.
        """
        dtype = tensor.dtype.only
        if dtype in DTYPES:
            return {each: dtype for each, _ in self._calls()}
        return {each: str(values[dtype]) for each, values in self._calls()}

    def _calls(self) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Yield, for each dtype of parameters, the values of all dtype variables."""
        free = {var.name: var.choices for var in self.op.dtypes if var.free}
        (own,) = set(self.params.dtype.values())
        for dtype in free.get(own, (own,)):
            calls = [c for c in self._combinations(free) if c.get(own, own) == dtype]
            calls.sort(key=lambda call: sum(call[name] != dtype for name in free))
            if calls:
                yield dtype, calls[0]

    def _combinations(self, free: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, object]]:
        """Yield the possible combinations of the dtype variables."""
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
    """Return the roles of the inputs of an op that has an optimizer."""
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
    """A setting under one name: a scalar input, an attr, or a tuple of attrs."""

    name: str
    of: tuple[Tensor | Attr, ...]

    @property
    def attrs(self) -> tuple[Attr, ...]:
        """Return its attrs, or () for a scalar input."""
        return tuple(each for each in self.of if isinstance(each, Attr))

    @property
    def default(self) -> object:
        """Return a Python value or `REQUIRED`; for several attrs, a tuple."""
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
    """A framework's names for the options and the state of an optimizer (`names`)."""

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
        """Return the options in the order of the spec, first those without a default."""
        found: dict[str, tuple[Tensor | Attr, ...]] = {}
        for each in self.roles.options:
            word = self[each.name]
            found[word] = (*found.get(word, ()), each)
        options = [Option(word, of) for word, of in found.items()]
        return tuple(sorted(options, key=lambda option: option.default is not REQUIRED))
