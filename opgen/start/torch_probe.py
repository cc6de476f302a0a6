"""Look up schemas of PyTorch ops, record calls in a project's tests, and run fake kernels.

`python -m opgen.start.torch_probe REQUEST ANSWER` reads the JSON file REQUEST and writes ANSWER.
The probe runs in a separate process, so that a project's modules and tests cannot affect opgen.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opgen.start.fake_results import fake_results
from opgen.start.recorded_calls import recorder as recorder_of
from opgen.start.recorded_calls import run
from opgen.start.torch_ops import full, has_kernel


def ask(name: str, modules: Sequence[str], calls: Sequence[str]) -> dict[str, Any]:
    """Return what PyTorch knows about the ops called `name`.

    If no such op exists, return the names of the registered ops as `known`. If PyTorch, a module or
    a script fails, return the reason as `problem`.
    """
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
        recorder = recorder_of(name.partition("::")[0])
        try:
            with recorder, recorder.composite:
                failed = run(calls)
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
    calls = recorder.calls.get(full(schema), []) if recorder else []
    if not calls and recorder:  # of several overloads, use those in the calls
        schema = next((each for each in schemas if recorder.calls.get(full(each))), schema)
        calls = recorder.calls.get(full(schema), [])
    return {
        "text": str(schema),
        "name": full(schema),
        "arguments": [_argument(each) for each in schema.arguments],
        "returns": [
            [each.name, str(each.type), each.alias_info and each.alias_info.is_write]
            for each in schema.returns
        ],
        "others": [
            full(each)
            for each in schemas
            if each.overload_name != schema.overload_name
            and "Tensor" in str(each).partition("->")[0]
            and not any(a.is_write and a.kwarg_only for a in each.arguments)
        ],
        "differentiable": _is_differentiable(full(schema)),
        "calls": calls,
        "unread": sorted(recorder.unread(full(schema))) if recorder else [],
        "read": sorted(recorder.read.get(full(schema), ())) if recorder else [],
        "fake": list(fake_results(schema, calls)),
    }


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
    return has_kernel(name, keys) is not False


# Calls


if __name__ == "__main__":
    request, answer = map(Path, sys.argv[1:])
    answer.write_text(json.dumps(ask(**json.loads(request.read_text()))))
