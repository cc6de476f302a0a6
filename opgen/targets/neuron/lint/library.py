"""A library of custom operators of Neuron has too many functions.

This rule counts the ops with a C++ kernel for Neuron. All of them are in one library.

Why: "Neuron Custom C++ Operators Developer Guide", Building and executing operators: a
library can have 10 functions registered, and a model can have one library.

Example: eleven ops with `kernels = ["neuron"]`.

How to fix: write some kernels in NKI. Or move ops to another project, if no model uses them
together with the remaining ops.
"""

from opgen.lint.rule import Findings, Project, Rule, Stage
from opgen.targets.neuron.lint import GUIDE, kernel_of, place

RULE = Rule("OG804", "neuron-library", Stage.NAMES, on=("project",))
FUNCTIONS_AT_MOST = 10


def check(project: Project) -> Findings:
    functions = 0
    for op in project.subjects:
        if op in project.failed or kernel_of(op) is None:
            continue
        functions += 1
        if functions > FUNCTIONS_AT_MOST:
            yield RULE.at(
                op.at(place(op), "key"),
                f"the project's library would have {functions} functions: Neuron takes {FUNCTIONS_AT_MOST}",
                f"write some kernels in NKI ({GUIDE}, Building and executing operators)",
            )
