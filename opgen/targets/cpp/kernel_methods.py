"""Prepare the methods of a checked call that choose a kernel and compute the kernel's launch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from opgen.ir.nodes import Kernel
from opgen.ir.op import Op
from opgen.language.expr import Expr, Name, names_in
from opgen.language.expr.cpp import AND, UNARY, CppPrinter, quoted
from opgen.language.scope import DEVICE
from opgen.language.shapes import Shape
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.headers import cpp_kernels, cpp_platforms
from opgen.targets.cpp.names import member
from opgen.targets.cpp.platforms import native_platforms
from opgen.targets.cpp.printing import cased, message
from opgen.targets.cpp.symbols import told

DEVICE_PARAMETER = "const opgen::DeviceProperties& device"


@dataclass(frozen=True)
class MethodView:
    """A method of a checked call. The method's body differs between platforms."""

    head: str
    doc: str
    cases: tuple[tuple[str, tuple[str, ...]], ...]
    otherwise: str


def keeps(op: Op) -> bool:
    """Return whether callers may require a guarantee that a kernel in the op's list gives."""
    return op.listed and any(k.guarantees.named for k in cpp_kernels(op))


def asks_device(*values: Expr | Shape) -> bool:
    """Return whether some of the expressions or shapes read a device property such as `arch`."""
    found = {n for v in values for n in (v.names if isinstance(v, Shape) else names_in(v))}
    return not found.isdisjoint(DEVICE)


def methods(op: Op, printer: CppPrinter) -> Iterator[MethodView]:
    """Yield the methods that differ between platforms, such as `unmet` and the launch grid."""
    if op.listed:
        yield from _choice(op, printer)
    requiring = [k for k in cpp_kernels(op) if k.demanding]
    if requiring and not op.listed:
        device = asks_device(*facts_of(op))
        yield MethodView(
            f"std::string unmet({_platform(op, device)}) const",
            "Why the kernel for `platform` cannot take this call; empty: it can.",
            tuple((k.platform, tuple(_unmet(op, k, printer))) for k in requiring),
            "return {};",
        )
    cases = [k for k in cpp_kernels(op) if told(k)]
    if cases:
        yield MethodView(
            f"int32_t symbol({_platform(op, False)}) const",
            "The case of the kernel for `platform` in this call, which selects its function.",
            _each(op, cases, lambda k: [_symbol(k, printer)], "return 0;"),
            "return 0;",
        )
    launched = [k for k in cpp_kernels(op) if k.grid or k.block]
    if launched:
        device = any(asks_device(*k.grid, *k.block) for k in launched)
        yield MethodView(
            f"opgen::Launch launch({_platform(op, device)}) const",
            "The grid and block of the kernel for `platform`.",
            _each(op, launched, lambda k: [_launch(k, printer)], "return {};"),
            "return {};",
        )


def _choice(op: Op, printer: CppPrinter) -> Iterator[MethodView]:
    """Yield the methods that choose from a list of kernels and that explain a rejection."""
    device = asks_device(*facts_of(op))
    parameter = f", {DEVICE_PARAMETER}" if device else ""
    argument = ", device" if device else ""
    yield MethodView(
        f"int32_t kernel(opgen::Platform platform{parameter}) const",
        "The position of the first kernel for `platform` that takes this call; -1: none does.",
        tuple((p, tuple(_first(op, p, printer))) for p in cpp_platforms(op)),
        "return -1;",
    )

    keeping = keeps(op)

    def cases(platform: str) -> dict[int, Iterable[str]]:
        kernels = op.kernels_for(platform)
        names = ", ".join(quoted(k.name) for k in kernels)
        each = f"[&](int32_t each) {{ return unmet(platform, each{argument}); }}"
        none = listing("return opgen::unmet_by_all(", [f"{{{names}}}", each], ");")
        every = enumerate(kernels)
        found: dict[int, Iterable[str]] = {-5: [], -1: [none]} if keeping else {-1: [none]}
        return found | {n: _unmet(op, k, printer) for n, k in every if k.demanding}

    yield MethodView(
        f"std::string unmet({_platform(op, device)}) const",
        f"Why a kernel for `platform` cannot take this call, or ({'-1, -5' if keeping else -1}) none "
        "of them; empty: it can.",
        tuple((p, tuple(_switch(cases(p), "return {};"))) for p in cpp_platforms(op)),
        "return {};",
    )


def _first(op: Op, platform: str, printer: CppPrinter) -> Iterator[str]:
    for n, kernel in enumerate(op.kernels_for(platform)):
        conditions = [printer(r.condition, AND) for r in kernel.require]
        conditions += [_compiled(kernel)] if kernel.compiled else []
        conditions += _reachable(op) if kernel.index == "i32" else []
        if not conditions:
            yield f"return {n};"
            return
        yield f"if ({' && '.join(conditions)}) return {n};"
    yield "return -1;"


def _each(
    op: Op, kernels: Sequence[Kernel], body: Callable[[Kernel], Iterable[str]], otherwise: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the bodies of a method, by platform. `body` returns the statements for one of
    `kernels`. The method runs `otherwise` for other kernels.
    """
    if not op.listed:
        return tuple((k.platform, tuple(body(k))) for k in kernels)

    def cases(platform: str) -> dict[int, Iterable[str]]:
        places = enumerate(op.kernels_for(platform))
        return {n: body(kernel) for n, kernel in places if kernel in kernels}

    platforms = dict.fromkeys(k.platform for k in kernels)
    return tuple((p, tuple(_switch(cases(p), otherwise))) for p in platforms)


def _switch(cases: Mapping[int, Iterable[str]], otherwise: str) -> Iterator[str]:
    """Yield a `switch` over the index of a kernel in its platform's list of kernels."""
    yield "switch (kernel) {"
    for n, body in cases.items():
        yield f"  case {n}:"
        yield from (f"    {line}" for line in body)
    yield "  default:"
    yield f"    {otherwise}"
    yield "}"


def _platform(op: Op, device: bool) -> str:
    kernel = ", int32_t kernel" if op.listed else ""
    return f"opgen::Platform platform{kernel}{f', {DEVICE_PARAMETER}' if device else ''}"


def _unmet(op: Op, kernel: Kernel, printer: CppPrinter) -> Iterator[str]:
    """Yield statements that return the message of the first unmet requirement. They return "" if
    the kernel accepts the call.
    """
    for requirement in kernel.require:
        yield f"if (!{printer(requirement.condition, UNARY)}) {{"
        yield listing("  return opgen::unmet(", message(op, requirement, printer), ");")
        yield "}"
    if kernel.compiled:
        yield f"if (!{_compiled(kernel)}) {{"
        yield '  return opgen::unmet("code for this device", "arch", opgen::Int(device.arch));'
        yield "}"
    if kernel.index == "i32":
        yield from _narrow(op)
    yield "return {};"


def _compiled(kernel: Kernel) -> str:
    """Return the C++ condition that a kernel has compiled code for the device."""
    usual = not native_platforms()[kernel.platform].driver
    platform = "" if usual else f"<opgen::Platform::{kernel.platform}>"
    return f"opgen::compiled_for{platform}(device.arch)"


def _narrow(op: Op) -> Iterator[str]:
    """Yield the statements that reject a call whose tensors are too large for 32-bit indices."""
    for code, name, present in _tensors(op):
        there = f"{present} && " if present else ""
        yield f"if ({there}!opgen::indexable({code})) return opgen::too_large({name});"


def _reachable(op: Op) -> Iterator[str]:
    """Yield, for each tensor, the condition that 32-bit indices suffice."""
    for code, _, present in _tensors(op):
        holds = f"opgen::indexable({code})"
        yield f"(!{present} || {holds})" if present else holds


def _tensors(op: Op) -> Iterator[tuple[str, str, str]]:
    """Yield three pieces of C++ code for each tensor: the tensor, its name, and whether a call has
    it. The last is "" for an input, and for a result of every call.
    """
    for tensor in op.tensors:
        name = member(tensor.name)
        if tensor.role == "input":
            yield name, f"{name}.name", ""
        else:
            device = "device" if asks_device(*tensor.shapes) else ""
            present = "" if tensor.always else f"{name}present()"
            yield f"{name}({device})", quoted(tensor.name), present


def facts_of(op: Op) -> tuple[Expr | Shape, ...]:
    """Return the expressions and shapes that the C++ method `unmet` evaluates."""
    kernels = [k for k in cpp_kernels(op) if k.demanding]
    conditions = [r.condition for k in kernels for r in k.require]
    conditions += [Name("arch") for k in kernels if k.compiled]
    made = (*op.written, *op.workspace) if any(k.index == "i32" for k in kernels) else ()
    return (*conditions, *(shape for tensor in made for shape in tensor.shapes))


def _symbol(kernel: Kernel, printer: CppPrinter) -> str:
    return f"return {cased(numbered(kernel.symbol), printer, str)};"


def numbered(cases: Cases[str]) -> Cases[int]:
    """Return `cases` with each value replaced by the index of its case."""
    return Cases(tuple((condition, n) for n, (condition, _) in enumerate(cases.cases)))


def _launch(kernel: Kernel, printer: CppPrinter) -> str:
    texts = [_extents(e, printer) for e in (kernel.grid, kernel.block)]
    return f"return opgen::launch({', '.join(texts)});"


def _extents(extents: Iterable[Expr], printer: CppPrinter) -> str:
    texts = [printer(e) for e in extents]
    texts += ["1"] * (3 - len(texts))
    return "{" + ", ".join(texts) + "}"
