"""Keys of a kernel that do not go together.

What it does: `library` and `call` come together, and without what is for kernels that are
compiled here (`symbol`, `sources`, `dispatch`, `grid`, `block`, `workspace`); so does
`tvm_ffi`, whose `args` come with it; a key that the kernels of one platform have alone is for that
platform.

Why: a kernel is either written against the generated struct, or exists already.

Example:

    kernels      = [{ on = "cuda", library = "libfoo.so" }]

How to fix: as the message says.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.extensions import platforms

RULE = Rule("OG607", "kernel-keys", Stage.NAMES)

_OTHERS = (
    *("symbol", "dispatch", "sources", "index", "grid", "block", "workspace"),
    *("library", "call", "triton"),
)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for kernel in op.spec.kernels:
        platform, path, given = kernel.platform, kernel.path, kernel.given
        if "library" in given and not (kernel.call or kernel.tvm_ffi):
            where = op.at((*path, "library"), "key")
            help_ = 'add `call = "function(x, y, stream)"`'
            yield RULE.at(where, "`library` without `call`: nothing says what to call", help_)
        if kernel.call is not None and kernel.library is None:
            where = op.at((*path, "call"), "key")
            yield RULE.at(
                where,
                "`call` without `library`: nothing says where it is",
                'add `library = "libfoo.so"`',
            )
        if kernel.call is not None:
            for key in ("symbol", "dispatch", "sources", "grid", "block", "workspace"):
                if key in given:
                    where = op.at((*path, key), "key")
                    yield RULE.at(where, f"`{key}` and `call` exclude each other", "keep one")
        if kernel.tvm_ffi is not None:
            for key in _OTHERS:
                if key in given:
                    where = op.at((*path, key), "key")
                    yield RULE.at(where, f"`{key}` and `tvm_ffi` exclude each other", "keep one")
        elif "args" in given:
            where = op.at((*path, "args"), "key")
            yield RULE.at(where, "`args` without `tvm_ffi`", 'add `tvm_ffi = "libfoo.so:function"`')
        for other in platforms().values():
            for key in other.keys if other.name != platform else ():
                if key in given:
                    where = op.at((*path, key), "key")
                    yield RULE.at(
                        where,
                        f"`{key}` is for {other.name}, not {platform}",
                        f"move it to `kernels.{other.name}`",
                    )
