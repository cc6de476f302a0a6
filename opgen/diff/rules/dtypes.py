"""An input no longer accepts a dtype, or a result has a different dtype.

This rule compares the allowed dtypes of every tensor. Inputs may gain dtypes; results must keep
theirs.

Why: a call that worked is rejected, or its result is rounded differently.

How to fix: keep the dtypes, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import DTypeVar, Tensor
from opgen.ir.op import Op
from opgen.language.expr import text_of

RULE = Rule("OG931", "dtypes", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    now = {t.name: t for t in (*new.inputs, *new.written)}
    for tensor in (*old.inputs, *old.written):
        if tensor.name not in now:
            continue
        was, is_ = _dtypes(old, tensor), _dtypes(new, now[tensor.name])
        path = (f"{tensor.role}s", tensor.name)
        if tensor.role == "input" and isinstance(was, tuple) and isinstance(is_, tuple):
            gone = [dtype for dtype in was if dtype not in is_]
            if gone:
                yield path, f"input `{tensor.name}` does not take {', '.join(gone)} any more"
        elif was != is_:
            yield path, f"`{tensor.name}` was {_text(was)}, and is {_text(is_)}"


def _dtypes(op: Op, tensor: Tensor) -> tuple[str, ...] | str:
    """Return the dtypes that an input accepts, if its dtype is a free variable.

    For any other tensor, return the definition of its dtype as text.
    """
    parts = []
    for condition, name in tensor.dtype.cases:
        var = op.dtype_var(name)
        if var is not None and var.free and tensor.dtype.plain and tensor.role == "input":
            return var.choices
        text = name if var is None else _variable(op, var)
        parts.append(text if condition is None else f"{text} if {text_of(condition)}")
    return ", ".join(parts)


def _variable(op: Op, var: DTypeVar) -> str:
    """Return the definition of a dtype variable as text that does not depend on its name."""
    if not var.free:
        return " | ".join(text_of(value) for value in var.value.values())
    carriers = (t.name for t in op.inputs if t.dtype.plain and t.dtype.only == var.name)
    return f"the dtype of {next(carriers, var.name)}"


def _text(dtypes: tuple[str, ...] | str) -> str:
    return dtypes if isinstance(dtypes, str) else " or ".join(dtypes)
