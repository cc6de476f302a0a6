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

from opgen.ir.kinds import kind_of, kinds
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.extensions import platforms

RULE = Rule("OG607", "kernel-keys", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for kernel in op.spec.kernels:
        platform, path, given = kernel.platform, kernel.path, kernel.given
        kind = kind_of(kernel)
        excluded = kind.excludes if kind is not None else ()
        if "library" in given and not kernel.call and not excluded:
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
        if kind is None and kernel.kind not in ("", "library", platforms()[platform].function):
            where = op.at((*path, kernel.kind), "key")
            yield RULE.at(where, f"no target here knows kernels with `{kernel.kind}`", "remove it")
        for key in excluded:
            if key in given:
                where = op.at((*path, key), "key")
                message = f"`{key}` and `{kernel.kind}` exclude each other"
                yield RULE.at(where, message, "keep one")
        for name, other_kind in kinds().items():
            for key in other_kind.keys if name != kernel.kind else ():
                if key in given:
                    where = op.at((*path, key), "key")
                    help_ = f'add `{name} = "{other_kind.example}"`'
                    yield RULE.at(where, f"`{key}` without `{name}`", help_)
        for other in platforms().values():
            for key in other.keys if other.name != platform else ():
                if key in given:
                    where = op.at((*path, key), "key")
                    yield RULE.at(
                        where,
                        f"`{key}` is for {other.name}, not {platform}",
                        f"move it to `kernels.{other.name}`",
                    )
