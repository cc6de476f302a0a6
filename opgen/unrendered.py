"""What the language has and no target renders yet: refused where it would matter.

A kernel that relied on one of these would get something else than its spec says, so an op
that has such a kernel is not rendered. An op whose kernel is still to come is: its shapes,
dtypes and gradients do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from opgen.diagnostics import Diagnostic, Severity, Where
from opgen.reading import NOT_RENDERED

KERNEL_KEYS = ("library", "call", "workspace", "require")
LAYOUTS = ("contiguous", "last", "strided")


def check_unrendered(
    place: Callable[..., Where], op: Mapping, platforms: Mapping[str, object]
) -> Iterator[Diagnostic]:
    """Findings for one merged op; `platforms` are those that its family has kernels for."""
    options = op.get("torch", {})
    if options.get("out"):
        yield NOT_RENDERED.at(place("torch", "out"), "`torch.out` is not rendered yet", severity=Severity.WARNING)  # fmt: skip
    kernels = op.get("kernels", {})
    for platform, kernel in kernels.items() if isinstance(kernels, Mapping) else ():
        if not isinstance(kernel, Mapping) or platform == "neuron":
            continue
        for key in KERNEL_KEYS:
            if kernel.get(key) and (
                key in ("library", "call") or platform in platforms
            ):
                yield _refused(place("kernels", platform, key), f"`{key}` of a kernel")
        if kernel.get("index") == "i32" and platform in platforms:
            yield _refused(place("kernels", platform, "index"), "32-bit indices")
    if platforms.keys() & {"cpu", "cuda"}:
        yield from _tensors(place, op)


def _tensors(place: Callable[..., Where], op: Mapping) -> Iterator[Diagnostic]:
    for table in ("inputs", "outputs", "residuals", "workspace"):
        entries = op.get(table, {})
        for name, entry in entries.items() if isinstance(entries, Mapping) else ():
            if entry.get("layout", "contiguous") not in LAYOUTS:
                yield _refused(place(table, name, "layout"), "this layout")
            for key in ("init", "align"):
                # The `init` of an input is what a module's parameter starts with.
                if key in entry and (key, table) != ("init", "inputs"):
                    yield _refused(place(table, name, key), f"`{key}`")
            if "list" in entry and table == "outputs":
                yield _refused(place(table, name, "list"), "a list of outputs")


def _refused(where: Where, what: str) -> Diagnostic:
    return NOT_RENDERED.at(
        where, f"{what} is part of the language, and not rendered yet"
    )
