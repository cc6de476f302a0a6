"""The arguments or symbols of a kernel changed.

This rule compares the buffers of the argument struct, and the symbol and template parameters of
each kernel.

Why: a kernel that was compiled against the old struct mistakes one tensor for another.

How to fix: append tensors, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import text_of

RULE = Rule("OG902", "kernel-arguments", "ABI")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, is_ = [t.name for t in old.tensors], [t.name for t in new.tensors]
    if was != is_:
        yield (), f"a kernel of `{new.name}` took {_list(was)}, and takes {_list(is_)}"
    for kernel in old.kernels:
        theirs = new.kernels_for(kernel.platform)
        same = (k for k in theirs if k.name == kernel.name)
        now = next(same, None if kernel.listed else new.kernel(kernel.platform))
        if now is None:
            own = f" `{kernel.name}`" if theirs else ""
            yield ("kernels",), f"`{new.name}` has no {kernel.platform} kernel{own} any more"
        elif (now.symbol, now.dispatch) != (kernel.symbol, kernel.dispatch):
            before, after = _signature(kernel), _signature(now)
            yield ("kernels",), f"the {kernel.platform} kernel was {before}, and is {after}"


def _list(names: list[str]) -> str:
    return f"({', '.join(names)})"


def _signature(kernel: Kernel) -> str:
    types = f"<{', '.join(kernel.dispatch)}>" if kernel.dispatch else ""
    cases = (
        f"{symbol}{types}{'' if condition is None else f' where {text_of(condition)}'}"
        for condition, symbol in kernel.symbol.cases
    )
    return ", ".join(cases)
