"""Run the fake kernel of a PyTorch op on symbolic sizes, to find the shapes of its results."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from opgen.start.torch_ops import full, has_kernel

# The size of dims that no observed call shows. It has many divisors.
HINT = 64
# The number of random assignments of sizes for which symbolic results are evaluated.
ASSIGNMENTS = 6
TRIED_RANKS = {1: range(1, 5), 2: range(1, 5), 3: range(1, 4)}


def fake_results(schema: Any, calls: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run the op's fake kernel, and yield calls with random sizes and their results.

    The arguments are like those of the observed `calls`. Without observed calls, tensors of several
    ranks are tried.
    """
    import torch

    keys = ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd")
    if not has_kernel(full(schema), keys):
        return
    if not any("Tensor" in str(each.type) and not each.alias_info for each in schema.returns):
        return
    packet = getattr(
        getattr(torch.ops, schema.name.partition("::")[0]), schema.name.partition("::")[2]
    )
    op = getattr(packet, schema.overload_name or "default")
    seen, answered = set(), []
    tried = [each["arguments"] for each in calls] or list(_tries(schema, 3, "float32"))
    for arguments in tried:
        key = json.dumps({n: _rank(v) for n, v in arguments.items()})
        if key in seen or any(map(_is_list_of_tensors, arguments.values())):
            continue
        seen.add(key)
        found = list(_fake_calls(op, schema, arguments))
        if calls:  # integers that are equal in the observed calls may differ in other calls
            found += _fake_calls(op, schema, _apart(arguments))
        answered += [{n: _rank(v) for n, v in arguments.items()}] if found else []
        yield from found
    if not calls:  # other numbers and dtypes show on which arguments the results depend
        for arguments in _tries(schema, 5, "bfloat16"):
            ranks = {n: _rank(v) for n, v in arguments.items()}
            if any(_ranks(ranks) == _ranks(each) for each in answered[:3]):
                yield from _fake_calls(op, schema, arguments)


def _apart(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with a different value for each integer.

    If a size of a result equals one of these values, the argument determines this size.
    """
    numbers = (n for n in itertools.count(5, 2))
    return {n: next(numbers) if type(v) is int else v for n, v in arguments.items()}


def _rank(value: Any) -> Any:
    return (len(value["shape"]), value["dtype"]) if isinstance(value, dict) else value


def _ranks(told: Mapping[str, Any]) -> list[Any]:
    return [each[0] for each in told.values() if isinstance(each, tuple)]


def _is_list_of_tensors(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _tries(schema: Any, number: int, dtype: str) -> Iterator[dict[str, Any]]:
    """Yield arguments with tensors of several ranks, for an op without observed calls."""
    tensors = [a.name for a in schema.arguments if str(a.type) == "Tensor"]
    ranks = TRIED_RANKS.get(len(tensors))
    rest = {
        a.name: a.default_value if a.has_default_value() else _made_up(str(a.real_type), number)
        for a in schema.arguments
        if a.name not in tensors
    }
    for each in (
        itertools.product(ranks, repeat=len(tensors))
        if ranks
        else ([rank] * len(tensors) for rank in range(1, 4))
    ):
        yield {
            **rest,
            **{n: {"shape": [HINT] * rank, "dtype": dtype} for n, rank in zip(tensors, each)},
        }


def _made_up(kind: str, number: int) -> Any:
    values = {"int": number, "float": 0.5, "number": 0.5, "bool": False, "ScalarType": "float32"}
    return values.get(kind)


def _fake_calls(op: Any, schema: Any, arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    import torch
    from torch._guards import GuardSource, Source
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

    class Size(Source):  # replaces ConstantSource, because importing Dynamo takes 5 s
        guard_source = GuardSource.CONSTANT

        def __init__(self, name: str) -> None:
            self._called = name

        @property
        def _name_template(self) -> str:
            return self._called

    env = ShapeEnv(duck_shape=False)
    dims: dict[str, list[Any]] = {}
    given: dict[str, Any] = {}
    kinds = {each.name: str(each.real_type) for each in schema.arguments}

    def size(name: str, position: int, hint: int) -> Any:
        if hint < 2:  # PyTorch treats 0 and 1 as constants
            dims[name].append(hint)
            return hint
        source = Size(f"{name}_{position}")
        symbol = env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC)
        dims[name].append(symbol)
        return env.create_symintnode(symbol, hint=hint, source=source)

    try:
        with FakeTensorMode(shape_env=env, allow_non_fake_inputs=True), torch.no_grad():
            for name, value in arguments.items():
                if isinstance(value, dict):
                    dims[name] = []
                    shape = [size(name, n, hint) for n, hint in enumerate(value["shape"])]
                    given[name] = torch.empty(shape, dtype=getattr(torch, value["dtype"]))
                elif isinstance(value, str) and "ScalarType" in kinds[name]:
                    given[name] = getattr(torch, value)
                else:
                    given[name] = value
            result = op(**given)
    except Exception:  # a fake kernel may raise any error and then gives no information
        return
    results = [
        each if isinstance(each, torch.Tensor) else None
        for each in (result if isinstance(result, tuple) else (result,))
    ]
    random_ = random.Random(0)
    replaced = {name: [_replaced(env, each) for each in own] for name, own in dims.items()}
    made = [None if each is None else [_expression(d) for d in each.shape] for each in results]
    free = {s for own in (*replaced.values(), *made) for e in own or () for s in _symbols(e)}
    for _ in range(ASSIGNMENTS):
        at = {symbol: random_.randrange(2, 97) for symbol in sorted(free, key=str)}

        def valued(own: Sequence[Any]) -> list[int]:
            return [int(e) if isinstance(e, int) else int(e.xreplace(at)) for e in own]

        try:
            yield {
                "arguments": {
                    name: {**value, "shape": valued(replaced[name])} if name in replaced else value
                    for name, value in arguments.items()
                },
                "results": [
                    (
                        None
                        if own is None or one is None
                        else {"shape": valued(own), "dtype": str(one.dtype).removeprefix("torch.")}
                    )
                    for own, one in zip(made, results)
                ],
            }
        except (TypeError, ValueError):  # a size that depends on data
            return


def _replaced(env: Any, symbol: Any) -> Any:
    return symbol if isinstance(symbol, int) else env.replace(symbol)


def _expression(size: Any) -> Any:
    return size if isinstance(size, int) else size.node.expr


def _symbols(expression: Any) -> Any:
    return () if isinstance(expression, int) else expression.free_symbols
