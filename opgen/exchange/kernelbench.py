"""Export to KernelBench: a file with `Model`, `get_inputs` and `get_init_inputs` per workload."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.exchange import Refused
from opgen.exchange.problem import Problem, Workload
from opgen.exchange.torch_inputs import DTYPES_THERE as DTYPES_THERE
from opgen.exchange.torch_inputs import drawn


def files(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the text of a file for each problem and workload, by path. Raises `Refused` if a
    problem does not fit KernelBench.
    """
    if any(len(problem.outputs) > 1 for problem in problems):
        raise Refused(f"{problems[0].op} has several results, and KernelBench compares one tensor")
    return {
        f"{problem.op}/{n}_{problem.name}.py": _text(problem, load)
        for problem in problems
        for n, load in enumerate(problem.workloads, 1)
    }


def _text(problem: Problem, load: Workload) -> str:
    tensors = [v for v in problem.inputs if v.shape is not None]
    scalars = [v.name for v in problem.inputs if v.shape is None]
    given = [v.name if v in tensors else f"self.{v.name}" for v in problem.inputs]
    head = "".join(f", {name}" for name in scalars)
    kept = "".join(f"        self.{name} = {name}\n" for name in scalars)
    sizes = "".join(f"{axis} = {size}\n" for axis, size in load.axes.items())
    inputs = ", ".join(drawn(problem, v) for v in tensors)
    return (
        f"import torch\nimport torch.nn as nn\n\n{problem.code}\n\n"
        f"class Model(nn.Module):\n"
        f'    """{problem.doc}"""\n\n'
        f"    def __init__(self{head}):\n        super().__init__()\n{kept}\n"
        f"    def forward(self, {', '.join(v.name for v in tensors)}):\n"
        f"        return run({', '.join(given)})\n\n\n"
        f"{sizes}\n\n"
        f"def get_inputs():\n    return [{inputs}]\n\n\n"
        f"def get_init_inputs():\n    return {[load.scalars[name] for name in scalars]!r}\n"
    )
