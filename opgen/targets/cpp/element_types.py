"""Print the table of dtypes as a C++ header, which opgen's other headers include."""

from __future__ import annotations

from opgen.language.dtypes import DTYPES
from opgen.targets.cpp import CPP_TYPES

_KINDS = {
    "float": "floating",
    "int": "signed_int",
    "uint": "unsigned_int",
    "bool": "boolean",
    "complex": "complex",
}
_HEAD = """\
// Every element type. Written from opgen/runtime/core/dtypes.py: do not edit.
#pragma once

/// Calls X for each type, in the order of their codes: enumerator, name, code, bits, kind, C++
/// type, and what NumPy and XLA call it.
"""


def header() -> str:
    """Render `runtime/include/opgen/element_types.h`."""
    rows = [
        f'  X({d.name.upper()}, "{d.name}", {d.code}, {d.bits}, {_KINDS[d.kind]}, '
        f"{CPP_TYPES[d.name].removeprefix('opgen::')}, {d.numpy}, {d.xla})"
        for d in DTYPES.values()
    ]
    *lines, last = ["#define OPGEN_ELEMENT_TYPES(X)", *rows]
    width = max(map(len, lines))
    return _HEAD + "".join(f"{line:<{width}} \\\n" for line in lines) + f"{last}\n"
