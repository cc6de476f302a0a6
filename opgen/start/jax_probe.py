"""Trace a JAX function for `opgen import jax`, to learn about its results and its gradient.

`python -m opgen.start.jax_probe REQUEST ANSWER` reads the JSON file REQUEST and writes ANSWER. The
probe runs in a separate process, so that a project's modules and tests cannot affect opgen.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.start.fake_results import ASSIGNMENTS, TRIED_RANKS
from opgen.start.jax_reading import aliases, kept_names, shapes_of, sharding_rule, targets
from opgen.start.recorded_calls import KEPT, run

ARRAYS = ("Array", "jax.Array", "jnp.ndarray", "ArrayLike", "jax.typing.ArrayLike")
# Each call is traced with both dtypes, to see how the results' dtypes follow from them.
DTYPES_TRIED = ("float32", "bfloat16")
# Values for numbers that have no default.
MADE_UP = {"int": 3, "float": 0.5, "bool": False, "str": ""}

Arguments = Mapping[str, Any]


def ask(what: str, calls: Sequence[str]) -> dict[str, Any]:
    """Trace `module:function`. Return its properties, or the reason for a failure as `problem`."""
    name, _, path = what.partition(":")
    try:
        module: Any = importlib.import_module(name)
        *parents, last = path.split(".")
        owner = functools.reduce(getattr, parents, module)
        function = getattr(owner, last)
    except ImportError as error:
        return {"problem": f"{name} cannot be imported: {error}"}
    except AttributeError as error:
        return {"problem": str(error)}
    probe = Probe(function)
    failed = ""
    if calls:
        setattr(owner, last, probe.recording())
        try:
            failed = run(calls)
        except Exception as error:
            return {"problem": f"{calls[0]} failed: {type(error).__name__}: {error}"}
    return {**probe.answer(), "failed": failed, "signature": f"{what}{probe.signature}"}


class Probe:
    """A JAX function, its observed calls, and the properties that were found by tracing it."""

    def __init__(self, function: Any) -> None:
        import jax

        self.function = function
        self.rule_of: Any = None
        inner = function
        while hasattr(inner, "__wrapped__") and not isinstance(inner, jax.custom_vjp):
            inner = inner.__wrapped__
        self.vjp = inner if isinstance(inner, jax.custom_vjp) else None
        self.signature = inspect.signature(getattr(inner, "fun", inner))
        self.calls: list[dict[str, Any]] = []
        self.targets: dict[str, Sequence[str]] = {}
        self.aliases: set[int] = set()

    def recording(self) -> Callable[..., Any]:
        """Return a wrapper of the function that records the arguments and results of calls."""

        @functools.wraps(self.function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            result = self.function(*args, **kwargs)
            if len(self.calls) < KEPT:
                bound = self.signature.bind(*args, **kwargs)
                bound.apply_defaults()
                arguments = {name: _told(value) for name, value in bound.arguments.items()}
                self.calls.append({"arguments": arguments, "results": _results(result)})
            return result

        return recorded

    def answer(self) -> dict[str, Any]:
        fake = list(self._fake())
        fwd = self._forward(fake) if self.vjp is not None and fake else None
        return {
            "arguments": [self._argument(each) for each in self.signature.parameters.values()],
            "calls": self.calls,
            "fake": fake,
            "targets": self.targets,
            "aliases": sorted(self.aliases),
            "rule": shapes_of(self.rule_of),
            "vjp": fwd,
        }

    def _argument(self, parameter: inspect.Parameter) -> dict[str, Any]:
        values = [each["arguments"].get(parameter.name) for each in self.calls]
        default = parameter.default
        return {
            "name": parameter.name,
            "array": self._is_array(parameter, values),
            "given": default is inspect.Parameter.empty,
            "default": _told(default) if default is not inspect.Parameter.empty else None,
            "type": _type(parameter, values),
            "optional": default is None or None in values,
        }

    def _is_array(self, parameter: inspect.Parameter, values: Sequence[Any]) -> bool:
        known = [value for value in values if value is not None]
        if known:
            return any(isinstance(value, dict) for value in known)
        position = list(self.signature.parameters).index(parameter.name)
        if self.vjp is not None and position in self.vjp.nondiff_argnums:
            return False
        note = str(getattr(parameter.annotation, "__name__", parameter.annotation))
        if note.partition(" |")[0] in ARRAYS:
            return True
        free = note == "_empty" and parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        return free and parameter.default in (inspect.Parameter.empty, None)

    def _fake(self) -> Iterator[dict[str, Any]]:
        """Yield calls with random sizes that the function accepts, and their results."""
        if self.calls:
            patterns: dict[str, list[Arguments]] = {}
            for each in self.calls:
                key = json.dumps({n: _rank(v) for n, v in each["arguments"].items()})
                patterns.setdefault(key, []).append(each["arguments"])
            tries = [list(_drawn(own)) for own in patterns.values()]
        else:
            tries = [list(each) for each in self._tries()]
        for calls in tries:
            found = [made for each in calls if (made := self._traced(each)) is not None]
            yield from found
            if found and not self.calls:
                return

    def _tries(self) -> Iterator[Iterator[Arguments]]:
        """Yield groups of calls to try, for a function without observed calls.

        The shapes follow the function's sharding rule. Without a rule, several ranks are tried.
        """
        told = [self._argument(each) for each in self.signature.parameters.values()]
        arrays = [each["name"] for each in told if each["array"]]
        rest = {
            each["name"]: MADE_UP.get(each["type"]) if each["given"] else each["default"]
            for each in told
            if not each["array"]
        }
        rule = shapes_of(getattr(self.function, "sharding_rule", None))
        if rule is not None and len(rule["inputs"]) == len(arrays):
            yield _by_rule(arrays, rule["inputs"], rest)
        elif arrays:
            # First try arrays that all have the same rank, then all combinations of ranks. Stop at
            # the first group in which a call succeeds.
            same = [(rank,) * len(arrays) for rank in TRIED_RANKS[1]]
            yield itertools.chain(*(_by_rank(arrays, each, rest) for each in same))
            for each in itertools.product(TRIED_RANKS.get(len(arrays), ()), repeat=len(arrays)):
                yield _by_rank(arrays, each, rest)

    def _traced(self, arguments: Arguments) -> dict[str, Any] | None:
        """Trace a call. Return its arguments and results, or None if tracing fails.

        Also record the sharding rule, FFI targets and aliases that the trace contains.
        """
        import jax

        arrays, call = self._call(self.function, arguments)
        try:
            closed, shapes = jax.make_jaxpr(call, return_shape=True)(arrays)
        except Exception:  # a function may raise any error for sizes that it does not accept
            return None
        self.rule_of = self.rule_of or sharding_rule(closed.jaxpr)
        self.targets |= targets(closed.jaxpr)
        self.aliases |= {n for n in aliases(closed.jaxpr) if n < len(arrays)}
        return {"arguments": arguments, "results": _results(shapes)}

    def _call(self, function: Any, arguments: Arguments) -> tuple[dict[str, Any], Any]:
        """Return the abstract arrays of a call, and a function that calls `function` with them."""
        import jax
        import jax.numpy as jnp

        arrays = {
            name: jax.ShapeDtypeStruct(value["shape"], jnp.dtype(value["dtype"]))
            for name, value in arguments.items()
            if isinstance(value, dict)
        }

        def call(given: Mapping[str, Any]) -> Any:
            args, kwargs = [], {}
            for name, parameter in self.signature.parameters.items():
                value = given[name] if name in given else arguments.get(name)
                if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                    kwargs[name] = value
                else:
                    args.append(value)
            return function(*args, **kwargs)

        return arrays, call

    def _forward(self, fake: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
        """Trace the rules `fwd` and `bwd` of a `custom_vjp`. Return None if `fwd` fails.

        The residuals that `fwd` computes are added to the results of the calls in `fake`. The
        returned mapping has the source of each residual, its name, and the FFI targets of `bwd`.
        """
        import jax

        assert self.vjp is not None
        sources: list[str] = []
        for each in fake:
            arrays, call = self._call(self.vjp.fwd, each["arguments"])
            try:
                closed, shapes = jax.make_jaxpr(call, return_shape=True)(arrays)
            except Exception:
                return None
            made, kept = shapes
            count = len(jax.tree.leaves(made))
            names = dict(zip(map(id, closed.jaxpr.invars), jax.tree.leaves({n: n for n in arrays})))
            outs = [id(variable) for variable in closed.jaxpr.outvars]
            sources = []
            for variable in outs[count:]:
                at = outs.index(variable)
                of = names.get(variable) or (f"result {at}" if at < count else "")
                sources.append(of)
            fresh = [leaf for leaf, of in zip(jax.tree.leaves(kept), sources) if not of]
            each["results"] = each["results"] + _results(tuple(fresh))
        static, bwd = self.vjp.nondiff_argnums, self.vjp.bwd
        assert bwd is not None
        values = [*fake[0]["arguments"].values()]
        try:
            closed = jax.make_jaxpr(
                lambda kept, given: bwd(*(values[n] for n in static), kept, given)
            )(kept, made)
            called = targets(closed.jaxpr)
        except Exception:  # its shapes alone are needed, and they are those of the inputs
            called = {}
        return {"sources": sources, "targets": called, "names": kept_names(self.vjp.fwd)}


def _by_rule(arrays: Sequence[str], shapes: Sequence[str], rest: Arguments) -> Iterator[Arguments]:
    """Yield calls with random sizes whose shapes fit a sharding rule."""
    drawn = random.Random(0)
    for number in range(ASSIGNMENTS):
        sizes: dict[str, list[int]] = {}
        dtype = DTYPES_TRIED[number % 2]

        def size(term: str) -> list[int]:
            parts = term.split("*") if not term.startswith("*") else [term]
            for part in parts:
                count = 2 if part.startswith("*") else 1
                sizes.setdefault(part, [drawn.randrange(2, 97) for _ in range(count)])
            whole = sizes[parts[0]]
            return [whole[0] * sizes[parts[1]][0]] if len(parts) > 1 else whole

        told = (
            {"shape": [n for term in shape.split() for n in size(term)], "dtype": dtype}
            for shape in shapes
        )
        yield {**rest, **dict(zip(arrays, told))}


def _by_rank(arrays: Sequence[str], ranks: Sequence[int], rest: Arguments) -> Iterator[Arguments]:
    """Yield calls with arrays of the given ranks, in two dtypes.

    The sizes are random, but arrays have the same sizes in their common trailing dims.
    """
    drawn = random.Random(0)
    for number in range(ASSIGNMENTS):
        sizes = [drawn.randrange(2, 97) for _ in range(max(ranks))]
        dtype = DTYPES_TRIED[number % 2]
        told = ({"shape": sizes[len(sizes) - rank :], "dtype": dtype} for rank in ranks)
        yield {**rest, **dict(zip(arrays, told))}


def _drawn(calls: Sequence[Arguments]) -> Iterator[Arguments]:
    """Yield calls with random sizes that keep the equalities of the observed `calls`.

    Two sizes that are equal in every observed call stay equal. A size that equals an integer
    argument in every observed call stays equal to it.
    """
    places = [
        (name, at)
        for name, value in calls[0].items()
        for at in (range(len(value["shape"])) if isinstance(value, dict) else (-1,))
        if isinstance(value, dict) or type(value) is int
    ]

    def value(call: Arguments, place: tuple[str, int]) -> Any:
        found = call[place[0]]
        return found["shape"][place[1]] if isinstance(found, dict) else found

    leader = {}
    for place in places:
        own = [value(call, place) for call in calls]
        same = (p for p in places if [value(call, p) for call in calls] == own)
        leader[place] = next(same)
    drawn = random.Random(0)
    for _ in range(ASSIGNMENTS):
        sizes = {place: drawn.randrange(2, 97) for place in places}
        made: dict[str, Any] = {}
        for name, given in calls[0].items():
            if isinstance(given, dict):
                shape = [sizes[leader[name, at]] for at in range(len(given["shape"]))]
                made[name] = {**given, "shape": shape}
            elif type(given) is int:
                made[name] = sizes[leader[name, -1]] if leader[name, -1][1] >= 0 else given
            else:
                made[name] = given
        yield made


def _rank(value: Any) -> Any:
    return (
        [len(value["shape"]), value["dtype"]] if isinstance(value, dict) else type(value).__name__
    )


def _results(found: Any) -> list[Any]:
    import jax

    return [_told(each) for each in jax.tree.leaves(found)]


def _told(value: Any) -> Any:
    """Return a value that JSON can represent. An array becomes its shape and dtype."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return {"shape": [int(n) for n in value.shape], "dtype": str(value.dtype), "strides": None}
    if isinstance(value, (list, tuple)):
        return [_told(each) for each in value]
    return value if isinstance(value, (bool, int, float, str)) else None


def _type(parameter: inspect.Parameter, values: Sequence[Any]) -> str:
    """Return an attr's type, according to its observed values, its default or its annotation."""
    default = parameter.default
    for value in (*values, default):
        if isinstance(value, (list, tuple)) and all(type(each) is int for each in value):
            return "int[]"
        if isinstance(value, (bool, int, float, str)):
            return type(value).__name__
    note = str(getattr(parameter.annotation, "__name__", parameter.annotation))
    return note if note in MADE_UP else ""


if __name__ == "__main__":
    request, answer = map(Path, sys.argv[1:])
    answer.write_text(json.dumps(ask(**json.loads(request.read_text()))))
