"""Queries PyTorch for schemas, for the calls in a project's tests, and for fake results.

`python -m opgen.start.torch_probe REQUEST ANSWER` reads one JSON file and writes another. It runs
as a separate process, which isolates the side effects of a project's modules and tests.
"""

from __future__ import annotations

import importlib
import itertools
import json
import random
import runpy
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

# Size for symbols whose size no call shows, because many sizes divide it.
HINT = 64
# Assignments of sizes at which symbolic results are evaluated.
ASSIGNMENTS = 6
# Kept calls per op, and calls that are repeated to detect which arguments are read.
KEPT, REPEATED = 200, 3
TRIED_RANKS = {1: range(1, 5), 2: range(1, 5), 3: range(1, 4)}


def ask(name: str, modules: Sequence[str], calls: Sequence[str]) -> dict[str, Any]:
    """Return the ops of that name, a `problem`, or the names that are `known` instead."""
    try:
        import torch
    except ImportError:
        return {"problem": "PyTorch is not installed: `pip install torch`"}
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as error:
            return {"problem": f"{module} cannot be imported: {error}"}
    recorder, failed = None, ""
    if calls:
        recorder = _recorder(name.partition("::")[0])
        try:
            with recorder, recorder.composite:
                failed = _run(calls)
        except Exception as error:
            return {"problem": f"{calls[0]} failed: {type(error).__name__}: {error}"}
    space = name.partition("::")[0]
    every = sorted(
        {
            each.partition(".")[0]
            for each in torch._C._dispatch_get_all_op_names()
            if each.startswith(f"{space}::")
        }
    )
    if name.endswith("::*"):
        found = [each for each in map(_schemas, every) if each]
    else:
        base, _, overload = name.partition(".")
        schemas = _schemas(base)
        if overload:
            schemas = [each for each in schemas if each.overload_name == overload]
        found = [schemas[:1] if overload else schemas] if schemas else []
        if not found:
            near = {str(each).partition("(")[0] for each in _schemas(base)}
            return {"known": sorted(near) or every}
    if not found:
        return {"known": []}
    return {"ops": [_op(each, recorder) for each in found], "failed": failed}


def _schemas(name: str) -> list[Any]:
    import torch

    found = torch._C._jit_get_schemas_for_operator(name)
    return sorted(found, key=lambda each: bool(each.overload_name))


def _op(schemas: Sequence[Any], recorder: Any) -> dict[str, Any]:
    schema = schemas[0]
    calls = recorder.calls.get(_full(schema), []) if recorder else []
    if not calls and recorder:  # of several overloads, use the overload that the calls use
        schema = next((each for each in schemas if recorder.calls.get(_full(each))), schema)
        calls = recorder.calls.get(_full(schema), [])
    return {
        "text": str(schema),
        "name": _full(schema),
        "arguments": [_argument(each) for each in schema.arguments],
        "returns": [
            [each.name, str(each.type), each.alias_info and each.alias_info.is_write]
            for each in schema.returns
        ],
        "others": [
            _full(each)
            for each in schemas
            if each.overload_name != schema.overload_name
            and "Tensor" in str(each).partition("->")[0]
            and not any(a.is_write and a.kwarg_only for a in each.arguments)
        ],
        "differentiable": _is_differentiable(_full(schema)),
        "calls": calls,
        "unread": sorted(recorder.unread(_full(schema))) if recorder else [],
        "read": sorted(recorder.read.get(_full(schema), ())) if recorder else [],
        "fake": list(_fake_results(schema, calls)),
    }


def _full(schema: Any) -> str:
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else str(schema.name)


def _argument(argument: Any) -> dict[str, Any]:
    default = argument.default_value if argument.has_default_value() else None
    try:
        json.dumps(default)
    except TypeError:
        default = str(default)
    return {
        "name": argument.name,
        "type": str(argument.real_type),
        "given": not argument.has_default_value(),
        "default": default,
        "written": bool(argument.is_write),
    }


def _is_differentiable(name: str) -> bool:
    keys = ("AutogradCPU", "AutogradCUDA", "CompositeImplicitAutograd")
    return _has_kernel(name, keys) is not False


def _has_kernel(name: str, keys: Sequence[str]) -> bool | None:
    """Return whether an op has one of these kernels, or None for an op that only TorchScript has."""
    import torch

    try:
        return any(torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in keys)
    except RuntimeError:
        return None


# Calls


def _run(calls: Sequence[str]) -> str:
    """Run tests with pytest, or a script; return a short description of failed tests."""
    if Path(calls[0].partition("::")[0]).name.startswith("test") or Path(calls[0]).is_dir():
        import pytest

        code = pytest.main([*calls, "-q", "-p", "no:cacheprovider"])
        return "" if code == 0 else "some tests failed" if code == 1 else "the tests did not run"
    sys.argv = list(calls)
    runpy.run_path(calls[0], run_name="__main__")
    return ""


def _recorder(space: str) -> Any:
    import torch
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Recorder(TorchDispatchMode):
        """Records the calls of a namespace's ops: shapes, dtypes, strides and other values."""

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.calls: dict[str, list[dict[str, Any]]] = {}
            self.read: dict[str, set[str]] = {}
            self._tried: dict[str, set[str]] = {}
            self.composite = Composite(self)

        def unread(self, name: str) -> set[str]:
            """Return the written arguments whose former content changed no result."""
            return self._tried.get(name, set()) - self.read.get(name, set())

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if not func._schema.name.startswith(f"{space}::"):
                return func(*args, **kwargs)
            return self.keep(func, args, kwargs)

        def keep(self, func: Any, args: Any, kwargs: Any) -> Any:
            """Run an op of the namespace, and keep the call."""
            schema = func._schema
            kept = self.calls.setdefault(_full(schema), [])
            if len(kept) >= KEPT:
                return func(*args, **kwargs)
            given = _bound(schema, args, kwargs)
            told = {name: _told(value) for name, value in given.items()}
            written = [a.name for a in schema.arguments if a.is_write]
            written = [n for n in written if isinstance(given[n], torch.Tensor)]
            with torch.no_grad():
                before = {n: _copied(v) for n, v in given.items()} if written else {}
            result = func(*args, **kwargs)
            results = result if isinstance(result, tuple) else (result,)
            kept.append({"arguments": told, "results": [_told(each) for each in results]})
            if len(kept) <= REPEATED:
                for name in written:
                    with torch.no_grad():
                        self._try_without(func, name, before, given, results)
            return result

        def _try_without(
            self, func: Any, name: str, before: Any, given: Any, results: Sequence[Any]
        ) -> None:
            again = {n: _copied(v) for n, v in before.items()}
            # An index of 0 is in range for any indexed tensor.
            number = torch.nan if again[name].is_floating_point() else float(not again[name].any())
            again[name].fill_(number)
            got = func(**again)
            same = all(
                _equal(again[a.name], given[a.name]) for a in func._schema.arguments if a.is_write
            ) and all(
                map(_equal, got if isinstance(got, tuple) else (got,), results),
            )
            (self._tried if same else self.read).setdefault(_full(func._schema), set()).add(name)

    class Composite(TorchFunctionMode):
        """Keeps the calls of ops that are made of other ops: no dispatch mode sees these."""

        def __init__(self, recorder: Recorder) -> None:
            super().__init__()
            self._recorder = recorder

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            op = func
            if isinstance(func, torch._ops.OpOverloadPacket):
                name = func._qualified_op_name
                if name.startswith(f"{space}::"):
                    overload = torch._C._jit_resolve_packet(name, *args, **kwargs)
                    op = getattr(func, overload or "default")
            if (
                isinstance(op, torch._ops.OpOverload)
                and op.namespace == space
                and _has_kernel(_full(op._schema), ["CompositeImplicitAutograd"])
            ):
                return self._recorder.keep(op, args, kwargs)
            return func(*args, **kwargs)

    return Recorder()


def _bound(schema: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    names = [each.name for each in schema.arguments]
    given = {each.name: each.default_value for each in schema.arguments}
    return {**given, **dict(zip(names, args)), **kwargs}


def _copied(value: Any) -> Any:
    import torch

    if isinstance(value, (list, tuple)):
        return [_copied(each) for each in value]
    return value.clone() if isinstance(value, torch.Tensor) else value


def _equal(a: Any, b: Any) -> bool:
    import torch

    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return a is None and b is None
    return torch.allclose(a, b, rtol=0, atol=0, equal_nan=True)


def _told(value: Any) -> Any:
    """Return a value as JSON. A tensor becomes its shape, dtype and strides."""
    import torch

    if isinstance(value, torch.Tensor):
        return {
            "shape": list(map(int, value.shape)),
            "dtype": str(value.dtype).removeprefix("torch."),
            "strides": None if value.is_contiguous() else list(map(int, value.stride())),
        }
    if isinstance(value, (list, tuple)):
        return [_told(each) for each in value]
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    return value if isinstance(value, (bool, int, float, str)) else None


# Fake results


def _fake_results(schema: Any, calls: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield calls with drawn sizes, with results from the op's fake kernel."""
    import torch

    keys = ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd")
    if not _has_kernel(_full(schema), keys):
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
        if calls:  # integers that are equal in the calls may differ
            found += _fake_calls(op, schema, _apart(arguments))
        answered += [{n: _rank(v) for n, v in arguments.items()}] if found else []
        yield from found
    if not calls:  # other numbers and dtypes show what the results depend on
        for arguments in _tries(schema, 5, "bfloat16"):
            ranks = {n: _rank(v) for n, v in arguments.items()}
            if any(_ranks(ranks) == _ranks(each) for each in answered[:3]):
                yield from _fake_calls(op, schema, arguments)


def _apart(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with integers that differ from each other."""
    numbers = (n for n in itertools.count(5, 2))
    return {n: next(numbers) if type(v) is int else v for n, v in arguments.items()}


def _rank(value: Any) -> Any:
    return (len(value["shape"]), value["dtype"]) if isinstance(value, dict) else value


def _ranks(told: Mapping[str, Any]) -> list[Any]:
    return [each[0] for each in told.values() if isinstance(each, tuple)]


def _is_list_of_tensors(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _tries(schema: Any, number: int, dtype: str) -> Iterator[dict[str, Any]]:
    """Yield arguments of every rank, for an op without observed calls."""
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


if __name__ == "__main__":
    request, answer = map(Path, sys.argv[1:])
    answer.write_text(json.dumps(ask(**json.loads(request.read_text()))))
