"""Export to GPU MODE: a folder with `task.yml`, `task.py` and `reference.py` for each problem."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from opgen.exchange.problem import Problem
from opgen.exchange.torch_inputs import DTYPES_THERE as DTYPES_THERE
from opgen.exchange.torch_inputs import drawn

# The relative and absolute tolerance by dtype. Other dtypes use the first tolerance.
_ERRORS = {"f64": 1e-9, "f32": 1e-4, "f16": 1e-2, "bf16": 2e-2}

_CHECK = """\
match_one = make_match_reference(lambda right: right, rtol={error}, atol={error})


def check_implementation(data, output):
    said = (False, "no result")
    for right, got in zip(ref_kernel(data), output, strict=True):
        said = match_one(right, got)
        if said if isinstance(said, str) else not said[0]:
            return said
    return said
"""


def files(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the texts of the task files, by path. GPU MODE provides `utils.py` and `eval.py`."""
    made = {}
    for each in problems:
        made[f"{each.name}/task.yml"] = _task(each)
        made[f"{each.name}/task.py"] = _types(each)
        made[f"{each.name}/reference.py"] = _reference(each)
    return made


def _task(problem: Problem) -> str:
    keys = _keys(problem)
    calls = [
        {**{keys[n]: size for n, size in load.axes.items()}, "call": number, "seed": number + 1}
        for number, load in enumerate(problem.workloads)
    ]
    rows = "".join(f"  - {json.dumps(each)}\n" for each in calls)
    sources = {
        "submission.py": "@SUBMISSION@",
        "task.py": "task.py",
        "reference.py": "reference.py",
    }
    sources |= {own: f"../{own}" for own in ("utils.py", "eval.py")}
    listed = "".join(
        f"  - {json.dumps({'name': name, 'source': source})}\n" for name, source in sources.items()
    )
    return (
        f"files:\n{listed}lang: py\ndescription: {json.dumps(problem.doc)}\n"
        f"config:\n  main: eval.py\n"
        f"tests:\n{rows}benchmarks:\n{rows}"
        f"test_timeout: 180\nbenchmark_timeout: 180\nranked_timeout: 180\nranking_by: geom\n"
    )


def _keys(problem: Problem) -> dict[str, str]:
    """Return a name for each axis whose size varies. `eval.py` allows only letters in names."""
    keys: dict[str, str] = {}
    for name in (n for n, size in problem.axes.items() if size is None):
        key = re.sub(r"\d", lambda digit: chr(ord("a") + int(digit[0])), name.replace("_", ""))
        while key in (*keys.values(), "call", "seed"):
            key += "x"
        keys[name] = key
    return keys


def _types(problem: Problem) -> str:
    kinds = ", ".join("torch.Tensor" if v.shape is not None else "object" for v in problem.inputs)
    out = "torch.Tensor" if len(problem.outputs) == 1 else "tuple"
    fields = "".join(f"    {key}: int\n" for key in (*_keys(problem).values(), "call"))
    return (
        f"from typing import TypedDict, TypeVar\n\nimport torch\n\n"
        f'input_t = TypeVar("input_t", bound=tuple[{kinds}])\n'
        f'output_t = TypeVar("output_t", bound={out})\n\n\n'
        f"class TestSpec(TypedDict):\n{fields}    seed: int\n"
    )


def _reference(problem: Problem) -> str:
    keys = _keys(problem)
    rows = "".join(f"    {dict(load.scalars)!r},\n" for load in problem.workloads)
    inputs = ", ".join(
        f"scalars[{v.name!r}]" if v.shape is None else drawn(problem, v, ", generator=drawn_by")
        for v in problem.inputs
    )
    dtypes = [v.dtype for v in problem.outputs if v.dtype in _ERRORS] or ["f32"]
    error = max(_ERRORS[dtype] for dtype in dtypes)
    sizes = "".join(f"    {axis} = {key}\n" for axis, key in keys.items() if axis != key)
    check = _CHECK.format(error=error)
    if len(problem.outputs) == 1:
        check = (
            f"check_implementation = make_match_reference(ref_kernel, rtol={error}, atol={error})\n"
        )
    return (
        f"import torch\nfrom task import input_t, output_t\nfrom utils import make_match_reference\n\n"
        f"{problem.code}\n\n"
        f"# The numbers and bools of each call.\nSCALARS = [\n{rows}]\n\n\n"
        f"def generate_input({', '.join([*keys.values(), 'call', 'seed'])}) -> input_t:\n{sizes}"
        f"    scalars = SCALARS[call]\n"
        f"    drawn_by = torch.Generator().manual_seed(seed)\n"
        f"    return ({inputs},)\n\n\n"
        f"def ref_kernel(data: input_t) -> output_t:\n    return run(*data)\n\n\n"
        f"{check}"
    )
