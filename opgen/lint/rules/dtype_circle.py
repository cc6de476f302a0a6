"""A dtype variable is derived from itself.

This rule follows the derived variables of `[dtypes]`, and those of an op.

Why: a variable in a circular definition has no dtype.

Example:

    [dtypes]
    A = "accum(B)"
    B = "accum(A)"

How to fix: derive one of the variables from a free variable, such as `T = ["f32", "bf16"]`.
"""

from opgen.language.expr import Name
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import dtype_sites
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.work import spend

RULE = Rule("OG203", "dtype-circle", Stage.NAMES, on=("dtypes", "op"))


def check(subject: OpContext | DtypeTable) -> Findings:
    own = subject.spec.own_dtypes if isinstance(subject, OpContext) else subject.variables
    variables = subject.spec.dtypes if isinstance(subject, OpContext) else subject.variables
    reads: dict[str, list[str]] = {}
    for site in dtype_sites(variables) if own else ():
        reads.setdefault(str(site.path[0]), []).extend(
            part.id for part in site.parts if isinstance(part, Name)
        )
    told: set[str] = set()
    for name in own:
        chain = circle(name, reads)
        if chain and name not in told:
            told |= {*chain}
            path = ("dtypes", name) if isinstance(subject, OpContext) else (name,)
            yield RULE.at(
                subject.at(path),
                f"`{name}` is derived from itself: {' -> '.join(chain)}",
                "derive one of them from a free variable",
            )


def circle(start: str, reads: dict[str, list[str]]) -> list[str]:
    """Return a path of names from `start` back to `start`, or an empty path if there is none."""
    todo, before = [start], {start: ""}
    while todo:
        here = todo.pop()
        for name in reads.get(here, ()):
            spend()
            if name == start:
                chain = [start]
                while here:
                    chain.append(here)
                    here = before[here]
                return chain[::-1]
            if name not in before:
                before[name] = here
                todo.append(name)
    return []
