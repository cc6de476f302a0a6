"""A name that generated code cannot carry.

What it does: refuses names that are keywords in Python or C++, names with `__` (reserved in
C++), and the few names that generated modules use themselves; for ops some more.

Why: names become Python parameters, C++ struct fields, torch schema arguments. An output
`o` is unlucky: the gradient's name, `do`, is a C++ keyword.

Example:

    inputs.do = { dtype = "T", shape = "*s" }

How to fix: choose another name: `out`, whose cotangent is `dout`.
"""

import keyword
from collections.abc import Iterator

from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import first_use
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Path
from opgen.spec.tables import MERGED

RULE = Rule("OG207", "keyword-name", Stage.NAMES, on=("dtypes", "op"))

CPP = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class compl concept const consteval constexpr constinit const_cast "
    "continue co_await co_return co_yield decltype default delete do double dynamic_cast "
    "else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast requires return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename union unsigned using virtual void volatile wchar_t while xor "
    "xor_eq NULL EOF NAN INFINITY assert errno".split()
)
# What the bodies of generated functions call, beside their parameters.
BUILTINS = frozenset(
    "abs all any bool bytes dict enumerate float getattr int isinstance len list max min "
    "object range str sum tuple type zip".split()
)
USED = {
    "torch": "a module", "jax": "a module", "jnp": "a module", "np": "a module",
    "math": "a module", "core": "a module", "std": "a C++ namespace",
    "opgen": "a C++ namespace", "infer": "a function", "pack": "a function",
    "unpack": "a function", "TensorSpec": "a class", "Results": "a class",
    "Tensor": "a class", "self": "a parameter", "xp": "a parameter",
    "desc": "the descriptor", "ctx": "the context",
    "stream": "the device's stream", "wanted": "a parameter",
}  # fmt: skip
# An op's functions are in modules that have these names, or `_` and one of them.
MODULES = frozenset(
    "accum backward bind bits case ceildiv core forward functools gradient "
    "numel op promote real reference require roundup runtime solve stride".split()
)


def check(subject: OpContext | DtypeTable) -> Iterator[Diagnostic]:
    for name, path in _names(subject):
        reason = _reason(name)
        if path == () and name in MODULES:
            reason = "is no name for an op: modules that are generated for it use it"
        if reason:
            where = (
                first_use(subject, name) if path is None else subject.at(path, "key")
            )
            yield RULE.at(where, f"`{name}` {reason}", "choose another name")


def _names(subject: OpContext | DtypeTable) -> Iterator[tuple[str, Path | None]]:
    """Every name and its path; None where a shape binds it."""
    if isinstance(subject, DtypeTable):
        yield from ((name, (name,)) for name in subject.variables)
        return
    yield subject.name, ()
    for table in MERGED:
        yield from ((name, (table, name)) for name in getattr(subject.spec, table))
    yield from ((name, None) for name in subject.scope.bound)


def _reason(name: str) -> str:
    if name in keyword.kwlist:
        return "is a Python keyword"
    if name in CPP:
        return "is a C++ keyword" if name.islower() else "is a C++ macro"
    if "__" in name:
        return "holds `__`, which C++ keeps for itself"
    if name.startswith("_"):
        return "begins with `_`, as only generated names do"
    if name in BUILTINS:
        return "is a builtin that generated code calls"
    if name in USED:
        return f"is taken: generated code calls {USED[name]} so"
    return ""
