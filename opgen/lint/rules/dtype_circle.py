"""A dtype variable is derived from itself.

This rule follows the derived variables of `[dtypes]`, and those of an op.

Why: a variable in a circular definition has no dtype.

Example:

    [dtypes]
    A = "accum(B)"
    B = "accum(A)"

How to fix: derive one of the variables from a free variable, such as `T = ["f32", "bf16"]`.
"""

from collections.abc import Iterable, Iterator, Mapping

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
    for chain in circles(own, reads):
        path = ("dtypes", chain[0]) if isinstance(subject, OpContext) else (chain[0],)
        yield RULE.at(
            subject.at(path),
            f"`{chain[0]}` is derived from itself: {' -> '.join(chain)}",
            "derive one of them from a free variable",
        )


def circles(starts: Iterable[str], reads: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """Yield each circle that contains one of `starts`, as a path from this name back to it."""
    told: set[str] = set()
    for name in starts:
        chain = [] if name in told else _circle(name, reads)
        told |= {*chain}
        if chain:
            yield chain


def _circle(start: str, reads: Mapping[str, list[str]]) -> list[str]:
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
