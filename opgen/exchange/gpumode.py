"""GPU MODE: a folder with `task.yml`, `task.py` and `reference.py` for each problem."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from opgen.exchange.problem import Problem
from opgen.exchange.torch_inputs import DTYPES_THERE as DTYPES_THERE
from opgen.exchange.torch_inputs import drawn

# Relative and absolute tolerances by dtype. Other dtypes use the tolerance of the first.
_ERRORS = {"f64": 1e-9, "f32": 1e-4, "f16": 1e-2, "bf16": 2e-2}

_NUMBER, _DOTTED = re.compile(r"(?<=[ \[])(-?\d+)e(?=[-+]?\d)"), r"\1.0e"


def files(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the contents of task files, by path. `utils.py` and `eval.py` come from GPU MODE."""
    made = {}
    for each in problems:
        made[f"{each.name}/task.yml"] = _task(each)
        made[f"{each.name}/task.py"] = _types(each)
        made[f"{each.name}/reference.py"] = _reference(each)
    return made


def _task(problem: Problem) -> str:
    calls = [{**w.axes, **w.scalars, "seed": n} for n, w in enumerate(problem.workloads, 1)]
    # JSON is valid YAML, except that YAML reads numbers such as 1e-05 as strings.
    rows = "".join(f"  - {_NUMBER.sub(_DOTTED, json.dumps(each))}\n" for each in calls)
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


def _types(problem: Problem) -> str:
    kinds = ", ".join("torch.Tensor" if v.shape is not None else "object" for v in problem.inputs)
    out = "torch.Tensor" if len(problem.outputs) == 1 else "tuple"
    names = [*(a for a, s in problem.axes.items() if s is None)]
    fields = "".join(f"    {name}: int\n" for name in names)
    fields += "".join(f"    {v.name}: object\n" for v in problem.inputs if v.shape is None)
    return (
        f"from typing import TypedDict, TypeVar\n\nimport torch\n\n"
        f'input_t = TypeVar("input_t", bound=tuple[{kinds}])\n'
        f'output_t = TypeVar("output_t", bound={out})\n\n\n'
        f"class TestSpec(TypedDict):\n{fields}    seed: int\n"
    )


def _reference(problem: Problem) -> str:
    axes = [name for name, size in problem.axes.items() if size is None]
    scalars = [v.name for v in problem.inputs if v.shape is None]
    inputs = ", ".join(
        v.name if v.shape is None else drawn(problem, v, ", generator=drawn_by")
        for v in problem.inputs
    )
    dtypes = [v.dtype for v in problem.outputs if v.dtype in _ERRORS] or ["f32"]
    error = max(_ERRORS[dtype] for dtype in dtypes)
    return (
        f"import torch\nfrom task import input_t, output_t\nfrom utils import make_match_reference\n\n"
        f"{problem.code}\n\n"
        f"def generate_input({', '.join([*axes, *scalars, 'seed'])}) -> input_t:\n"
        f"    drawn_by = torch.Generator().manual_seed(seed)\n"
        f"    return ({inputs},)\n\n\n"
        f"def ref_kernel(data: input_t) -> output_t:\n    return run(*data)\n\n\n"
        f"check_implementation = make_match_reference(ref_kernel, rtol={error}, atol={error})\n"
    )
