"""A library of custom operators of Neuron has too many functions.

What it does: counts the ops with a C++ kernel for Neuron in each library. An op names its
library in `neuron.library`, or belongs to the project's default.

Why: "Neuron Custom C++ Operators Developer Guide", Building and executing operators: a
library can have 10 functions registered, and a model can have one library.

Example: eleven ops with `kernels.neuron = {}`.

How to fix: give ops that no model uses together a separate `neuron.library`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.targets.neuron.lint import GUIDE, kernel_of, place

RULE = Rule("OG804", "neuron-library", Stage.NAMES, on=("project",))
FUNCTIONS_AT_MOST = 10


def check(project: Project) -> Iterator[Diagnostic]:
    functions: dict[object, int] = {}
    for op in project.subjects:
        if op in project.failed or kernel_of(op) is None:
            continue
        library = op.spec.options["neuron"]["library"]
        functions[library] = functions.get(library, 0) + 1
        if functions[library] > FUNCTIONS_AT_MOST:
            of = f"`{library}`" if library else "the project's library"
            yield RULE.at(
                op.at(place(op), "key"),
                f"{of} would have {functions[library]} functions: Neuron takes {FUNCTIONS_AT_MOST}",
                f"put some ops into another `neuron.library` ({GUIDE}, Building and executing operators)",
            )
