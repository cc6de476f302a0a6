"""Keys that the language had before version 1, and what to write instead.

`opgen lint --fix` rewrites a spec so, where that is certain.
"""

from __future__ import annotations

from collections.abc import Mapping

# By table, then by key.
REMOVED: Mapping[str, Mapping[str, str]] = {
    "Dim": {"fn": 'write the function alone: `dims.m = "sizes.py:m"`'},
    "Kernel": {
        "object": 'export the function of CuTe DSL with tvm-ffi: `tvm_ffi = "libfoo.so:function"`',
    },
    "Op": {
        "tags": "leave it out: what people should know is in `doc`",
        "version": "leave it out: `accepted_break` in pyproject.toml accepts what `opgen diff` finds",
    },
    "Sharding": {
        "excuses": "leave it out: the tests know from `split` where an op may move more bytes",
    },
}


def instead(table: str, key: str) -> str:
    """Return what to write instead of a key that is gone; empty if the table never had it."""
    return REMOVED.get(table, {}).get(key, "")


def is_left_out(help_: str) -> bool:
    """Tell whether a finding's help is to leave out a key that is gone."""
    left = help_.startswith("leave it out")
    return left and any(help_ in keys.values() for keys in REMOVED.values())
