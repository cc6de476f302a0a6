"""Keys and values that specs could have before version 1 of the language, and their replacements.

`opgen lint --fix` replaces an old key or value if only one replacement is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opgen.spec.extensions import extensions, imported


@dataclass(frozen=True)
class Old:
    """An old key, or an old type of value of an existing key.

    `help` is the help text of the finding. `fix` names the function that rewrites the spec
    (`REWRITES` of compiler/fix.py). "python" means that the author must write Python code, and ""
    that the author must decide. `now` is the new name of the key. `kind` is the old type of value,
    if the key still exists.
    """

    help: str
    fix: str = ""
    now: str = ""
    kind: type | None = None


def _gone(why: str) -> Old:
    return Old(f"leave it out: {why}", "leave out")


def _renamed(now: str, why: str) -> Old:
    return Old(f"it is called `{now}`: {why}", "rename", now)


def _python(what: str) -> Old:
    place = "in `<family>_torch.py` next to the spec: see docs/language/modules.md"
    return Old(f"write {what} {place}", "python")


_GUARANTEES = Old(
    'write a list, `guarantees = ["deterministic", "invariant"]`, or nothing: these are the default',
    "words",
    kind=dict,
)
# By table, then by key. A target may define a `REMOVED` for its own options.
REMOVED: Mapping[str, Mapping[str, Old]] = {
    "Dim": {"fn": Old('write the function alone: `dims.m = "sizes.py:m"`', "alone")},
    "Input": {
        "init": Old(
            "a module has the first values of its parameters: docs/language/modules.md", "python"
        )
    },
    "Kernel": {
        "workspace": _renamed("scratch", "`workspace` has the tensors that a kernel alone sees"),
        "library": Old('write it in `call`: `call = "libfoo.so:function(x, y)"`', "join", "call"),
        "args": Old(
            'write them in `tvm_ffi`: `tvm_ffi = "libfoo.so:function(x, y)"`', "join", "tvm_ffi"
        ),
        "object": Old(
            'export the function of CuTe DSL with tvm-ffi: `tvm_ffi = "libfoo.so:function"`'
        ),
        "sources": Old(
            "leave it out: all files of `kernels/<family>/` are compiled, and may include others"
        ),
        "triton": Old(
            'write a table: `triton = { function = "folder/file.py:function",'
            " constexpr = { BLOCK = { d = [1024, 8192] } } }`",
            "table",
            kind=str,
        ),
        "guarantees": _GUARANTEES,
    },
    "Op": {
        "deprecated": _gone("say in `doc` what to use instead"),
        "tags": _gone("what people should know is in `doc`"),
        "version": _gone("`accepted_break` in pyproject.toml accepts what `opgen diff` finds"),
        "kernels": Old(
            'write a list: `kernels = ["cpu", { on = "cuda", require = ["arch >= 80"] }, "reference"]`',
            "list",
            kind=dict,
        ),
        "guarantees": _GUARANTEES,
        "jax": Old(
            "JAX has no options: write modules and optimizers in `<family>_jax.py` next to the"
            " spec (docs/language/modules.md)",
            "python",
        ),
    },
    "Sharding": {
        "follow": _gone("it follows from `split` and `update`"),
        "unit": _gone("a dim that is split in blocks is written as a product, `blocks*128`"),
        "excuses": _gone("the tests know from `split` where an op may move more bytes"),
    },
    "Tensor": {
        "dims": _renamed("rename", "`dims` are sizes that follow from others"),
        "pitch": Old(
            "give the result a dim that is as long as a row in memory, `roundup(d, 16)`, and slice it"
        ),
    },
    "TorchOptions": {
        "module": _python("the module"),
        "names": _python("the module"),
        "optimizer": _python("the optimizer"),
        "patches": _python("a class for `register_patch`"),
    },
    "Triton": {
        "warps": _renamed("num_warps", "Triton calls it so"),
        "stages": _renamed("num_stages", "`stages` are ops that compute another one"),
    },
}


def instead(table: str, key: str, value: Any = None) -> str:
    """Return the help for a removed key, or for an old type of `value`; "" for all other keys."""
    found = (old for name, keys in _tables() if name == table and (old := keys.get(key)))
    return next((old.help for old in found if old.kind in (None, type(value))), "")


def old_of(message: str) -> Old | None:
    """Return the `Old` that has `message` as its help; None if there is none."""
    every = (old for _, keys in _tables() for old in keys.values())
    return next((old for old in every if old.help == message), None)


def _tables() -> Iterator[tuple[str, Mapping[str, Old]]]:
    yield from REMOVED.items()
    for name, extension in extensions().items():
        models = extension.models and imported(extension.models, name)
        yield from getattr(models, "REMOVED", {}).items()
