"""What rendered Python calls things of ours beside the names of an op.

Those are its callers' and stay as they are; ours give way.
"""

from __future__ import annotations

import builtins
import re

from opgen.ir.op import Op

_BUILTINS = frozenset(dir(builtins))


def own(op: Op, name: str) -> str:
    """A name of ours: where the op has it too, with a `_`, with which no name of a spec begins."""
    return f"_{name}" if name in op.names else name


def builtin_imports(op: Op, code: str) -> list[str]:
    """What imports those builtins that `code` calls by such names."""
    named = sorted(op.names & _BUILTINS)
    return [f"from builtins import {n} as _{n}" for n in named if re.search(rf"\b_{n}\b", code)]
