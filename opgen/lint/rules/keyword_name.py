"""Generated code cannot use a name that the spec declares.

This rule rejects Python keywords, and names with `__`, which C++ reserves. It also rejects the
names of opgen's own parameters in generated functions: `self`, `xp`, `wanted`. An op must not have
the name of a module that its generated modules import.

Why: callers pass parameters by these names. Keywords of other languages are allowed: in C++
kernels, opgen appends an underscore to a keyword or macro.

Example:

    inputs.lambda = { dtype = "T", shape = "*s" }

How to fix: choose another name.
"""

import keyword
from collections.abc import Iterator

from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path
from opgen.spec.tables import MERGED

RULE = Rule("OG207", "keyword-name", Stage.NAMES, on=("dtypes", "op"))

PARAMETERS = ("self", "wanted", "xp")
# Names that an op cannot have: generated modules have these names, or import modules with them.
MODULES = frozenset(
    "backward bundles case completed core dims dtypes eager equinox facts forward functools "
    "gradient jax jnp library nn nnx np op package project reduce reference references runtime torch "
    "traced".split()
)


def check(subject: OpContext | DtypeTable) -> Findings:
    for name, path in _names(subject):
        reason = _reason(name)
        if path == () and name in MODULES:
            reason = "is no name for an op: modules that are generated for it use it"
        if reason:
            if path is None and isinstance(subject, OpContext):
                where = subject.first_use(name)
            else:
                where = subject.at(path or (), "key")
            yield RULE.at(where, f"`{name}` {reason}", "choose another name")


def _names(subject: OpContext | DtypeTable) -> Iterator[tuple[str, Path | None]]:
    """Yield (name, path) for each declared name. The path is None if a shape declares the name."""
    if isinstance(subject, DtypeTable):
        yield from ((name, (name,)) for name in subject.variables)
        return
    yield subject.name, ()
    for table in MERGED:
        key = "own_dtypes" if table == "dtypes" else table
        yield from ((name, (table, name)) for name in getattr(subject.spec, key))
    yield from ((name, None) for name in subject.scope.bound)


def _reason(name: str) -> str:
    if keyword.iskeyword(name):
        return "is a Python keyword"
    if "__" in name:
        return "holds `__`, which C++ keeps for itself"
    if name.startswith("_"):
        return "begins with `_`, as only generated names do"
    if name in PARAMETERS:
        return "is a parameter of generated functions"
    return ""
