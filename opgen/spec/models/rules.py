"""Models of gradients and of sharding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases, fixed
from opgen.spec.models.reading import Requirement, cases, keys_of, read
from opgen.spec.models.strings import Expression, Name, OpName
from opgen.spec.models.types import SOME, ByCase, Requirements, key


@dataclass(frozen=True)
class CallSpec:
    """A call of a backward op, some of whose names differ from the names in the forward."""

    path: Path  # the path, in the forward, of the backward op's name
    op: str = key(OpName, "The op to call. Required.", "rotary", default="")
    args: Mapping[str, str] = key(
        dict[Name, Expression],
        "Values for arguments of the backward, if they differ from the forward's value of "
        "the same name. `None` omits a tensor that may be absent.",
        {"x": "dy"},
        default={},
    )
    grads: Mapping[str, str] = key(
        dict[Name, Name],
        "The result that is the gradient of an input, if its name is not `d` and the "
        "input's name.",
        {"x": "y"},
        default={},
    )

    @property
    def place(self) -> Path:
        """Return the path, in the forward, of the table with `op`, `args` and `grads`."""
        return self.path[:-1]


def _calls(backward: Any, path: Path) -> tuple[CallSpec, ...]:
    calls = backward if isinstance(backward, list) else [backward]
    places = [(*path, n) if calls is backward else path for n, _ in enumerate(calls)]
    return tuple(
        (
            CallSpec(place, op=call)
            if isinstance(call, str)
            else read(CallSpec, call, place, path=(*place, "op"))
        )
        for call, place in zip(calls, places)
        if isinstance(call, str | dict)
    )


@dataclass(frozen=True)
class GradSpec:
    """The gradient of an op: formulas, or backward ops."""

    kind: Literal["none", "reference", "rules"]
    path: Path
    given: tuple[str, ...] = ()  # the keys of the table, if `kind` is "rules"
    misplaced: bool = False  # True if `formulas` is not a table, or has tables inside
    formulas: Mapping[str, str] = key(
        dict[Name, Expression],
        "The gradient of each input as an elementwise expression of cotangents (`dy`), "
        "inputs, outputs and attrs.",
        {"x": "-dy"},
        default={},
    )
    calls: tuple[CallSpec, ...] = key(
        OpName | CallSpec | list[OpName | CallSpec],
        "The op that computes the gradients, or several ops. opgen calls an op only if "
        "one of its gradients is needed.",
        "rms_norm_bwd",
        default=(),
        name="backward",
        read=_calls,
    )
    require: tuple[Requirement[str], ...] = key(
        Requirements,
        "Conditions that a call must meet if its gradient will be taken.",
        [{"not present(block_table)": "a paged cache has no gradient"}],
        default=(),
    )


def gradient(grad: Any, path: Path) -> Cases[GradSpec]:
    """Read `grad`. A table with keys other than those of `GradSpec` is a table of cases."""
    if isinstance(grad, dict) and not grad.keys() <= keys_of(GradSpec).keys():
        return cases(grad, path, _grad)
    return fixed(_grad(grad, path))


def _grad(grad: Any, path: Path) -> GradSpec:
    if not isinstance(grad, dict):
        return GradSpec(grad, path)
    formulas = grad.get("formulas", {})
    misplaced = not isinstance(formulas, dict) or any(
        isinstance(formula, dict) for formula in formulas.values()
    )
    return read(
        GradSpec, grad, path, kind="rules", path=path, given=tuple(grad), misplaced=misplaced
    )


# The guarantees that a spec may list, and the default guarantees of CPU kernels.
Promise = Literal["deterministic", "invariant", "exact"]
DEFAULT: tuple[str, ...] = ("deterministic", "invariant")


@dataclass(frozen=True)
class GuaranteesSpec:
    """The guarantees of kernels. `invariant` has the dims along which a kernel is invariant."""

    deterministic: bool = False
    invariant: tuple[str, ...] = ()
    exact: bool = False

    @property
    def named(self) -> tuple[tuple[str, str | None], ...]:
        """Return the guarantees as (guarantee, dim); `invariant` appears once for each dim."""
        along = [("invariant", name) for name in self.invariant]
        first = [("deterministic", None)] if self.deterministic else []
        return (*first, *along, *([("exact", None)] if self.exact else []))

    def both(self, other: GuaranteesSpec) -> GuaranteesSpec:
        """Return the guarantees that are in both `self` and `other`."""
        return GuaranteesSpec(
            deterministic=self.deterministic and other.deterministic,
            invariant=tuple(name for name in self.invariant if name in other.invariant),
            exact=self.exact and other.exact,
        )


@dataclass(frozen=True)
class ShardingSpec:
    """The dims that may be split over the devices of a mesh."""

    split: Cases[tuple[str, ...]] = key(
        list[Name] | ByCase[list[Name]],
        "The dims and groups that may be split over devices. The first has priority. "
        "opgen gathers all others.",
        ["batch"],
        default=fixed(()),
    )
    stages: Mapping[str, tuple[str, ...]] = key(
        dict[Name, Annotated[list[OpName], SOME]],
        "Ops that together compute this op if a dim is split along which its kernel needs all "
        "elements. For each such dim, ops of this file, which run one after the other. opgen "
        "matches their arguments and results by name.",
        {"norm": ["rms_norm_squares", "rms_norm_scale"]},
        default={},
    )

    @property
    def named(self) -> tuple[str, ...]:
        """Return every dim or group that is split in some case."""
        return tuple(dict.fromkeys(n for names in self.split.values() for n in names))
