"""A description of each op for the frameworks: its inputs and results, with named dims, and its
rules.

A package contains a copy of this module, `core/_facts.py`. `opgen/targets/core/facts.py` renders
the `FACTS` of each op.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

V = TypeVar("V")
# The name of a dim or group, and the number of a tensor in a list with a separate dim.
Key = tuple[str, int | None]


class Term(NamedTuple):
    """One term of a shape."""

    kind: Literal["dim", "group", "product", "other"]
    # The term in the spec's notation. A group has no star.
    text: str
    # The dim or group along which the term is split: the first name in it. None: it is never split.
    name: str | None
    # The factors after the name in a product, in the spec's notation.
    factors: tuple[str, ...] = ()
    # Each tensor of a list has a separate dim or group.
    each: bool = False
    # The number of the tensor in a list to which this term belongs.
    number: int | None = None
    # The dim or group that the term is a multiple of, such as `d` for `2*d`.
    multiple_of: str | None = None

    @property
    def alone(self) -> bool:
        """Return whether the term is just a dim or a group, and not an expression."""
        return self.kind in ("dim", "group")

    @property
    def key(self) -> Key:
        """Return the name of a dim or group, the leading name of a product, or the term's text."""
        return (self.name or self.text) if self.kind != "other" else self.text, self.number


Shape = tuple[Term, ...]
# The possible shapes of a tensor. Its rank selects one.
Forms = tuple[Shape, ...]


def dim(name: str, each: bool = False) -> Term:
    """Return one dim, `name`, or `name[i]` if `each` is set."""
    return Term("dim", name, name, each=each)


def group(name: str, each: bool = False) -> Term:
    """Return a group of any number of dims: `*name`, or `*name[i]` if `each` is set."""
    return Term("group", name, name, each=each)


def product(name: str, *factors: str, each: bool = False) -> Term:
    """Return a dim that is a product: `name` times the factors."""
    return Term("product", "*".join((name, *factors)), name, factors, each)


def multiple(times: str, name: str) -> Term:
    """Return a dim that is a number times `name`, such as `2*d`."""
    return Term("other", f"{times}*{name}", None, multiple_of=name)


def other(text: str, name: str | None = None, each: bool = False) -> Term:
    """Return a dim whose size is another expression, `text`. Its first name is `name`."""
    return Term("other", text, name, each=each)


def shape(*terms: Term) -> Forms:
    """Return the forms of a tensor that can have only one shape, which consists of `terms`."""
    return (terms,)


def either(*forms: Forms) -> Forms:
    """Return the forms of a tensor with several possible shapes."""
    return tuple(each for (each,) in forms)


class Reduction(NamedTuple):
    """A rule for combining the shards of a result if a split dim is not among the result's dims."""

    kind: Literal["sum", "max", "min", "mean", "same", "local"]
    # For a mean, the result that counts the elements of each shard's mean.
    weight: str | None = None


# A value that may depend on a call. A function receives the arguments as a mapping, with tensors as
# `TensorSpec`s and dtypes as names.
Choice: TypeAlias = V | Callable[..., V]


@dataclass(frozen=True, eq=False)
class Input:
    """An input of an op."""

    # Its name.
    name: str
    # Its shapes, by rank.
    forms: Choice[Forms]
    # True if calls may omit it.
    optional: bool = False
    # True if it is a list of tensors.
    list: bool = False
    # True if the kernel writes it.
    updated: Choice[bool] = False
    # The reductions of an updated input, by dim.
    reduce: Mapping[str, Choice[Reduction]] = field(default_factory=dict)
    # The terms that vary fastest in memory, the fastest last, or `columns`. None: row-major.
    order: Choice[tuple[str, ...] | None] = None
    # The 64-bit integer dtype that it requires.
    wide: str | None = None
    # The dtype sources of a Python number that may replace the input: names of dtypes and
    # functions, and positions of other inputs.
    number: tuple[str | int, ...] = ()
    # True if a key or a generator may replace it.
    seed: bool = False
    # True if the host reads it. Then it must be on the CPU.
    host: bool = False
    # The dim whose shard offset it holds.
    begin: str | None = None
    # The results on request that need it. If empty, all results need it.
    asked_by: tuple[str, ...] = ()
    # True if every call can take a batch axis as an additional leading dim of this input.
    folds: bool = False


@dataclass(frozen=True, eq=False)
class Result:
    """An output or a residual of an op."""

    name: str
    forms: Choice[Forms]
    # True if only the backward reads it.
    residual: bool = False
    # True if it has no gradient.
    constant: bool = False
    # True if calls may omit it.
    optional: bool = False
    # True if the op computes it only on request.
    on_request: bool = False
    # True if it is a list of tensors.
    list: bool = False
    # Its reductions, by dim.
    reduce: Mapping[str, Choice[Reduction]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class OpFacts:
    """The description of an op for frameworks. The shapes and dtypes of its results are not
    included.
    """

    # Its name.
    name: str
    # The inputs in the order of the spec.
    inputs: tuple[Input, ...]
    # The outputs, then the residuals.
    results: tuple[Result, ...]
    # The type of each attr in the spec's notation, without lengths; `?` if it may be None.
    attrs: Mapping[str, str] = field(default_factory=dict)
    # The platforms of its kernels.
    platforms: tuple[str, ...] = ()
    # True if some calls are rejected by a kernel.
    demanding: bool = False
    # The device facts that requirements of kernels read: `arch`, `sms`.
    device: tuple[str, ...] = ()
    # The dims that may be split.
    split: Choice[tuple[str, ...]] = ()
    # The dims that may be split but whose part on a shard does not follow from the shard's tensors.
    indivisible: tuple[str, ...] = ()
    # The ops that together compute the op if a dim is split that the op itself needs whole.
    stages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # The input whose placement the op follows.
    follow: str | None = None
    # The inputs that have the shape and the placement of `follow`.
    followers: tuple[str, ...] = ()
    # True if PyTorch's DTensor can express the splits.
    told: bool = True
    # The groups to which a batch axis can be added, in calls whose results start with the group.
    fold: tuple[str, ...] = ()
    # True if calls may be batched.
    vmap: bool = True

    @property
    def tensors(self) -> tuple[Input | Result, ...]:
        """Return the inputs, then the results."""
        return (*self.inputs, *self.results)

    @property
    def on_request(self) -> tuple[str, ...]:
        """Return the results that the op computes only if they are requested."""
        return tuple(each.name for each in self.results if each.on_request)

    @property
    def residuals(self) -> tuple[str, ...]:
        """Return the results that only the backward reads."""
        return tuple(each.name for each in self.results if each.residual)

    @property
    def varies(self) -> bool:
        """Return whether calls can differ in their present arguments, list lengths or updated
        inputs.
        """
        return (
            any(each.optional or each.list for each in self.tensors)
            or any(callable(each.updated) for each in self.inputs)
            or any(kind.endswith("?") for kind in self.attrs.values())
        )

    def taken(self, wanted: Collection[str]) -> tuple[str, ...]:
        """Return the inputs that a call needs if it requests the results `wanted`."""
        return tuple(
            each.name
            for each in self.inputs
            if not each.asked_by or not {*each.asked_by}.isdisjoint(wanted)
        )


def needed_stages(
    stages: Sequence[OpFacts], results: Collection[str]
) -> list[tuple[OpFacts, set[str]]]:
    """Return the stages that are needed to compute `results`, each with the results it must
    compute.
    """
    found: list[tuple[OpFacts, set[str]]] = []
    asked = {*results}
    for facts in reversed(stages):
        own = asked & {each.name for each in facts.results}
        if own:
            found.insert(0, (facts, own))
            asked |= {*facts.taken(own)}
    return found


def value_in(choice: Choice[V], arguments: Mapping[str, Any]) -> V:
    """Return the value of a fact for a call with these arguments.

    If `choice` is a function, the fact depends on the call, and the function returns the value.
    Otherwise `choice` is the value.
    """
    found: V = choice(**arguments) if callable(choice) else choice
    return found
