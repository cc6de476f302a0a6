"""The rules, one module each: `check(old, new)` gives (path below the op, message) pairs."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from opgen.diff.rule import Rule

# Looks at all ops, not at a pair of them: `opgen.diff.compare` checks it.
OP_REMOVED = Rule("OG911", "op-removed", "GRAPH")

OP_REMOVED_DOC = """An op is gone.

What it does: every op that was there must still be there, under its name.

Why: saved programs and imports name it.

How to fix: keep it and mark it `deprecated`; or accept the break.
"""

MODULES: tuple[ModuleType, ...] = tuple(
    sorted(
        (import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)),
        key=lambda module: module.RULE.id,
    )
)
