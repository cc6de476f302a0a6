"""A name that generated code cannot carry.

What it does: refuses names that are keywords in Python or C++, names with `__` (reserved in
C++), and the few names that generated modules use themselves.

Why: names become Python parameters, C++ struct fields, torch schema arguments. An output
`o` is unlucky: the gradient's name, `do`, is a C++ keyword.

Example:

    inputs.do = { dtype = "T", shape = "*s" }

How to fix: choose another name: `out`, whose cotangent is `dout`.
"""

import keyword
from collections.abc import Iterator

from opgen.diagnostics import Diagnostic, Where
from opgen.lint.rule import Rule, Stage
from opgen.lint.sites import first_use
from opgen.lint.subject import DtypeTable, Subject

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
USED = {
    "torch": "a module", "jax": "a module", "jnp": "a module", "np": "a module",
    "math": "a module", "core": "a module", "std": "a C++ namespace",
    "opgen": "a C++ namespace", "self": "a parameter", "xp": "a parameter",
    "desc": "the descriptor", "ctx": "the context",
    "stream": "the device's stream",
}  # fmt: skip


def check(subject: Subject | DtypeTable) -> Iterator[Diagnostic]:
    for name, where in _names(subject):
        reason = _reason(name)
        if reason:
            yield RULE.at(where, f"`{name}` {reason}", "choose another name")


def _names(subject: Subject | DtypeTable) -> Iterator[tuple[str, Where]]:
    if isinstance(subject, DtypeTable):
        for name in subject.variables:
            yield name, subject.at((name,), "key")
        return
    yield subject.name, subject.at((), "key")
    for table, name, _ in subject.scope.entries():
        yield name, subject.at((table, name), "key")
    for section in ("attrs", "dims", "descriptor"):
        for name in subject.scope.section(section):
            yield name, subject.at((section, name), "key")
    for name in subject.scope.bound:
        yield name, first_use(subject, name)


def _reason(name: str) -> str:
    if keyword.iskeyword(name):
        return "is a Python keyword"
    if name in CPP:
        return "is a C++ keyword" if name.islower() else "is a C++ macro"
    if "__" in name:
        return "holds `__`, which C++ keeps for itself"
    if name.startswith("_"):
        return "begins with `_`, as only generated names do"
    if name in USED:
        return f"is taken: generated code calls {USED[name]} so"
    return ""
