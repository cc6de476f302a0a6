"""What the language has and no target renders yet: refused where it would matter.

A kernel that relied on one of these would get something else than its spec says, so an op
that has such a kernel is not rendered. An op whose kernel is still to come is: its shapes,
dtypes and gradients do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from opgen.diagnostics import Diagnostic, Where
from opgen.layouts import unrendered
from opgen.reading import NOT_RENDERED


def check_unrendered(
    place: Callable[..., Where], op: Mapping, platforms: Mapping[str, object]
) -> Iterator[Diagnostic]:
    """Findings for one merged op; `platforms` are those that its family has kernels for."""
    dims = op.get("dims", {})
    for name, value in dims.items() if isinstance(dims, Mapping) else ():
        if isinstance(value, Mapping) and "fn" in value:
            yield _refused(place("dims", name), "a size that a function computes")
    kernels = op.get("kernels", {})
    if op.get("torch", {}).get("out") and "else" in kernels:
        yield _refused(place("torch", "out"), "`torch.out` of an op that may fall back")
    for platform, kernel in kernels.items() if isinstance(kernels, Mapping) else ():
        symbol = kernel.get("symbol") if isinstance(kernel, Mapping) else None
        if isinstance(symbol, Mapping) and platform in platforms:
            yield _refused(place("kernels", platform, "symbol"), "a symbol by cases")
    if platforms.keys() & {"cpu", "cuda"}:
        yield from _tensors(place, op)


def _tensors(place: Callable[..., Where], op: Mapping) -> Iterator[Diagnostic]:
    for table in ("inputs", "outputs", "residuals", "workspace"):
        entries = op.get(table, {})
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            layout = unrendered(op, table, entry)
            if layout:
                yield _refused(place(table, name, "layout"), layout)
            if isinstance(entry.get("update"), Mapping):
                yield _refused(place(table, name, "update"), "`update` by cases")


def _refused(where: Where, what: str) -> Diagnostic:
    return NOT_RENDERED.at(
        where, f"{what} is part of the language, and not rendered yet"
    )
