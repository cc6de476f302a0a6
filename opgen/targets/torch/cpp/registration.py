"""Prepare the registrations with PyTorch: the schemas of ops, and a function per platform."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.ir.abi import entry_symbol, falls_back
from opgen.ir.abi_hash import meaning_hash
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.cpp import quoted
from opgen.source.frozen import dataclass
from opgen.targets.cpp import launch
from opgen.targets.cpp.cpp_format import listing
from opgen.targets.cpp.kernel_methods import keeps
from opgen.targets.cpp.names import member
from opgen.targets.cpp.platforms import CppPlatform, native_platforms
from opgen.targets.torch.schema import out_schema, schemas


def headers(ops: Iterable[Op]) -> list[str]:
    """Return the headers that a C++ file includes to register `ops`."""
    ops = list(ops)
    deterministic = ["opgen/torch_deterministic.h"] if any(map(keeps, ops)) else []
    ranges = ["opgen/torch_range.h"] if any(op.listed for op in ops) else []
    references = ["opgen/torch_reference.h"] if any(map(falls_back, ops)) else []
    return ["opgen/torch.h", "opgen/torch_made_with.h", *deterministic, *ranges, *references]


def definitions(ops: Iterable[Op]) -> Iterator[str]:
    """Yield the schemas of `ops` as C++ string literals.

    The `out` schema must precede the two schemas that differ only in the overload name. PyTorch
    confuses these two when it unloads the library, and aborts if a schema of the op follows them.
    """
    for op in ops:
        out = out_schema(op)
        yield from map(quoted, ([out] if out else []) + [*schemas(op)])


def hashes(project: Project, ops: Iterable[Op]) -> Iterator[tuple[str, str]]:
    """Yield the name of each op as a C++ literal, and the hash that exported programs record."""
    for op in ops:
        yield quoted(op.name), f"0x{meaning_hash(project, op):012x}"


@dataclass(frozen=True)
class PlatformView:
    """The functions that are registered at one of PyTorch's dispatch keys, such as CPU."""

    key: str
    context: str
    macro: str
    impls: tuple[str, ...]


def platforms(project: Project, ops: Iterable[Op]) -> Iterator[PlatformView]:
    """Yield the registrations of each platform for which some of `ops` have a kernel."""
    for platform in native_platforms().values():
        impls = []
        for op in ops:
            if op.kernel(platform.name):
                symbol = entry_symbol(project.namespace, op, platform.name)
                arguments = [
                    platform.context,
                    symbol,
                    *launch.choice_argument(op, symbol),
                    *launch.workspace_argument(op, platform.name, symbol),
                ]
                function = f"&{member(op.name)}<{', '.join(arguments)}>"
                impls.append(_implement(platform, op.name, function))
                if out_schema(op):
                    function = function.replace("<", "out<", 1)
                    impls.append(_implement(platform, f"{op.name}.out", function))
        if impls:
            yield PlatformView(platform.key, platform.context, platform.macro, tuple(impls))


def _implement(platform: CppPlatform, op: str, function: str) -> str:
    arguments = ["m", f"{platform.context}::platform", quoted(op), f"ways<{function}>"]
    return listing("implement(", arguments, ");")
