"""Descriptions of ops for the frameworks: inputs and results with named dims, and how an op can be
split and batched.

A package contains a copy of this module, `core/_facts.py`. `opgen/targets/core/facts.py` renders
the `FACTS` of each op.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

V = TypeVar("V")
# The name of a dim or group. If each tensor of a list has a separate one: the tensor's number.
Key = tuple[str, int | None]


class Term(NamedTuple):
    """One term of a shape in a spec, such as `n`, `*batch`, `h*w` or `2*d`."""

    kind: Literal["dim", "group", "product", "other"]
    # The term in the spec's notation. A group has no star.
    text: str
    # The dim or group along which the term is split: the first name in the term. None if the term
    # is never split.
    name: str | None
    # The factors after the name in a product, in the spec's notation.
    factors: tuple[str, ...] = ()
    # True if each tensor of a list has a separate dim or group, as in `n[i]`.
    each: bool = False
    # The index, in a list, of the tensor to which this term belongs.
    number: int | None = None
    # The dim or group that the term is a multiple of, such as `d` for `2*d`.
    multiple_of: str | None = None

    @property
    def alone(self) -> bool:
        """Return whether the term is just a dim or a group, and not an expression."""
        return self.kind in ("dim", "group")

    @property
    def key(self) -> Key:
        """Return (name, index): a name for the term, and the index of its tensor in a list, or None
        outside lists.

        The name is that of the dim or group. For a product it is the first name, and for any other
        term the text.
        """
        return (self.name or self.text) if self.kind != "other" else self.text, self.number


Shape = tuple[Term, ...]
# The possible shapes of a tensor. Its rank selects one.
Forms = tuple[Shape, ...]


def dim(name: str, each: bool = False) -> Term:
    """Return the term of one dim: `name`, or `name[i]` if `each` is set."""
    return Term("dim", name, name, each=each)


def group(name: str, each: bool = False) -> Term:
    """Return the term of a group of any number of dims: `*name`, or `*name[i]` if `each` is set."""
    return Term("group", name, name, each=each)


def product(name: str, *factors: str, each: bool = False) -> Term:
    """Return the term of a dim that has the size `name` times the factors, such as `h*w`."""
    return Term("product", "*".join((name, *factors)), name, factors, each)


def multiple(times: str, name: str) -> Term:
    """Return the term of a dim that has the size of `name` times a number, such as `2*d`."""
    return Term("other", f"{times}*{name}", None, multiple_of=name)


def other(text: str, name: str | None = None, each: bool = False) -> Term:
    """Return the term of a dim whose size is any other expression, `text`, such as `n + 1`.

    `name` is the first name in the expression.
    """
    return Term("other", text, name, each=each)


def shape(*terms: Term) -> Forms:
    """Return the forms (possible shapes) of a tensor whose only shape consists of `terms`."""
    return (terms,)


def either(*forms: Forms) -> Forms:
    """Return the forms of a tensor with several possible shapes."""
    return tuple(each for (each,) in forms)


class Reduction(NamedTuple):
    """A rule for combining the shards of a result if a split dim is not among the result's dims."""

    kind: Literal["sum", "max", "min", "mean", "sum_exp", "same", "local"]
    # For a mean: the name of the result that holds the number of elements in each shard's mean.
    # For `sum_exp`: the name of the result that holds the shard's top.
    weight: str | None = None


# A value that may depend on a call. A function receives the arguments as a mapping, with tensors as
# `TensorSpec`s and dtypes as names.
Choice: TypeAlias = V | Callable[..., V]


@dataclass(frozen=True, eq=False)
class Input:
    """An input of an op."""

    # Its name.
    name: str
    # Its possible shapes. The rank of the argument selects one.
    forms: Choice[Forms]
    # True if calls may omit it.
    optional: bool = False
    # True if it is a list of tensors.
    list: bool = False
    # True if the kernel writes it in place.
    updated: Choice[bool] = False
    # The reductions of an updated input, by dim.
    reduce: Mapping[str, Choice[Reduction]] = field(default_factory=dict)
    # The terms that vary fastest in memory, the fastest last. None means row-major.
    order: Choice[tuple[str, ...] | None] = None
    # The 64-bit integer dtype that it requires, if any.
    wide: str | None = None
    # The dtype of a Python number that may replace the input, as the arguments of `scalar_dtype`:
    # names of dtypes and functions, and positions of other inputs.
    number: tuple[str | int, ...] = ()
    # True if a JAX key or a PyTorch generator may replace it.
    seed: bool = False
    # True if the host reads its elements. Then it must be on the CPU.
    host: bool = False
    # The dim for which it holds the offset of the shard.
    begin: str | None = None
    # The results that need it, if each of them is computed only on request. If empty, all results
    # need it.
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
    """The description of an op for the framework code.

    The functions that infer the shapes and dtypes of results are elsewhere, in `CoreOp`.
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
    # True if a kernel of the op has requirements that not all calls meet.
    demanding: bool = False
    # The device facts that requirements of kernels read: `arch`, `sms`.
    device: tuple[str, ...] = ()
    # The dims that may be split.
    split: Choice[tuple[str, ...]] = ()
    # The dims that may be split, but for which a kernel cannot compute the size on a shard from the
    # shard's tensors.
    indivisible: tuple[str, ...] = ()
    # By dim: the ops (stages) that together compute the op if this dim is split. The op's own
    # kernel needs the whole dim.
    stages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Groups of inputs. All results are linear in the inputs of a group together.
    linear: tuple[tuple[str, ...], ...] = ()
    # The input that determines the placement of other tensors.
    follow: str | None = None
    # The inputs that have the shape and the placement of `follow`.
    followers: tuple[str, ...] = ()
    # True if PyTorch's DTensor can express the splits.
    told: bool = True
    # The groups to which `vmap` can add its batch axis, in calls with results that start with the
    # group.
    fold: tuple[str, ...] = ()
    # True if `vmap` may batch calls.
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
    """Return the stages (ops that together compute another op) that are needed for `results`.

    Each stage is paired with the names of its results that are needed.
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
    """Return the value of `choice` for a call with these arguments.

    If `choice` is a function, the value depends on the call, and the function returns it.
    Otherwise `choice` is the value.
    """
    found: V = choice(**arguments) if callable(choice) else choice
    return found
