"""The compatibility rules, with a module for each rule.

The function `check(old, new)` of a module compares two versions of an op. For each break, it yields
a message, and the path of the change within the table of the op.
"""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from opgen.diff.rule import Rule

# These rules have no module. `opgen.diff.compare` checks them, because they do not compare two
# versions of an op.
OP_REMOVED = Rule("OG911", "op-removed", "GRAPH")
NAMESPACE = Rule("OG916", "namespace", "GRAPH")
PACKAGE = Rule("OG924", "package", "SOURCE")

_OP_REMOVED = """An op is gone.

This rule compares the names of all ops. Each op of the former version must exist in the new one.

Why: saved programs and imports name it.

How to fix: keep it, and say in `doc` what to use instead; or accept the break.
"""

_NAMESPACE = """The namespace of the ops changed.

This rule compares `namespace` of [tool.opgen].

Why: saved programs and callers name each op with it: `torch.ops.acme_ops.row_norm`.

How to fix: keep the namespace; or accept the break, with `op = "*"`.
"""

_PACKAGE = """The package has another name.

This rule compares `package` of [tool.opgen].

Why: callers import it.

How to fix: keep the name; or accept the break, with `op = "*"`.
"""

OF_PROJECTS = {OP_REMOVED: _OP_REMOVED, NAMESPACE: _NAMESPACE, PACKAGE: _PACKAGE}

MODULES: tuple[ModuleType, ...] = tuple(
    sorted(
        (import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)),
        key=lambda module: module.RULE.id,
    )
)
