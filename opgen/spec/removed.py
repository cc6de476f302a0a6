"""Keys that the language had before version 1, and their replacements.

`opgen lint --fix` replaces them if the replacement is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.spec.extensions import extensions, imported

# The replacement for the value of a key that requires a table now.
TABLES_NOW = {
    "triton": 'write a table: `triton = { function = "folder/file.py:function",'
    " constexpr = { BLOCK = { d = [1024, 8192] } } }`"
}
CALL = 'write it in `call`: `call = "libfoo.so:function(x, y)"`'
ARGS = 'write them in `tvm_ffi`: `tvm_ffi = "libfoo.so:function(x, y)"`'

# Keys that are part of another key now: a library precedes the function, arguments follow it.
MERGED = {"library": "call", "args": "tvm_ffi"}
# The replacement for a table of guarantees.
GUARANTEES = (
    'write a list, `guarantees = ["deterministic", "invariant"]`, or nothing: these are the default'
)

# By table, then by key. The models of a target may have a separate `REMOVED`.
REMOVED: Mapping[str, Mapping[str, str]] = {
    "Dim": {"fn": 'write the function alone: `dims.m = "sizes.py:m"`'},
    "Kernel": {
        "workspace": "it is called `scratch`: `workspace` has the tensors that a kernel alone sees",
        "library": CALL,
        "args": ARGS,
        "object": 'export the function of CuTe DSL with tvm-ffi: `tvm_ffi = "libfoo.so:function"`',
    },
    "Op": {
        "deprecated": "leave it out: say in `doc` what to use instead",
        "tags": "leave it out: what people should know is in `doc`",
        "version": "leave it out: `accepted_break` in pyproject.toml accepts what `opgen diff` finds",
    },
    "Tensor": {
        "dims": "it is called `rename`: `dims` are sizes that follow from others",
        "pitch": "give the result a dim that is as long as a row in memory, `roundup(d, 16)`, and slice it",
    },
    "Sharding": {
        "follow": "leave it out: it follows from `split` and `update`",
        "unit": "leave it out: a dim that is split in blocks is written as a product, `blocks*128`",
        "excuses": "leave it out: the tests know from `split` where an op may move more bytes",
    },
}

# The replacement for a table of kernels by platform.
KERNELS = (
    'write a list: `kernels = ["cpu", { on = "cuda", require = ["arch >= 80"] }, "reference"]`'
)

_FILE = "write {} in `<family>_{}.py` next to the spec: see docs/language/modules.md"
# Keys whose replacement is Python code, which `--fix` does not write.
BY_HAND: Mapping[str, Mapping[str, str]] = {
    "TorchOptions": {
        "module": _FILE.format("the module", "torch"),
        "names": _FILE.format("the module", "torch"),
        "optimizer": _FILE.format("the optimizer", "torch"),
        "patches": _FILE.format("a class for `register_patch`", "torch"),
    },
    "Op": {
        "jax": "JAX has no options: write modules and optimizers in `<family>_jax.py` next to the"
        " spec (docs/language/modules.md)",
    },
    "Input": {"init": "a module has the first values of its parameters: docs/language/modules.md"},
}


def instead(table: str, key: str) -> str:
    """Return the replacement for a removed key; empty if the table never had the key."""
    return next((keys[key] for name, keys in _tables() if name == table and key in keys), "")


def is_left_out(help_: str, *, by_hand: bool = False) -> bool:
    """Return whether the fix for a finding is to leave out a removed key.

    With `by_hand`, this includes keys whose meaning must be rewritten in Python.
    """
    tables = [keys for _, keys in _tables()] if help_.startswith("leave it out") else []
    tables += BY_HAND.values() if by_hand else ()
    return any(help_ in keys.values() for keys in tables)


def _tables() -> Iterator[tuple[str, Mapping[str, str]]]:
    yield from REMOVED.items()
    yield from BY_HAND.items()
    for name, extension in extensions().items():
        models = extension.models and imported(extension.models, name)
        yield from getattr(models, "REMOVED", {}).items()
