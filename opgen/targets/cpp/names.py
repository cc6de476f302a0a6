"""Choose C++ names for the parts of a spec."""

from __future__ import annotations

import re
from functools import cache

from opgen.ir.op import Op
from opgen.language.names import camel
from opgen.language.scope import DEVICE

# Names that have another meaning in kernels: C++ keywords, macros of common headers, and names that
# views and descriptors define.
_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t
char32_t char8_t class compl concept const const_cast consteval constexpr constinit
continue co_await co_return co_yield decltype default delete do double dynamic_cast else
enum explicit export extern false float for friend goto if inline int long mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public
register reinterpret_cast requires return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename
union unsigned using virtual void volatile wchar_t while xor xor_eq
alloca assert assert_perror errno issubnormal linux major makedev math_errhandling minor
offsetof sched_priority st_atime st_ctime st_mtime stderr stdin stdout strdupa strndupa
timeradd timerclear timercmp timerisset timersub unix va_arg va_copy va_end va_start
L_ctermid L_cuserid L_tmpnam P_tmpdir
args ctx desc tune Index int32_t int64_t opgen std
"""
KEPT = frozenset(_KEYWORDS.split())
# Macros have capital letters, except macros of a few headers.
_MACRO = re.compile(
    r"[A-Z][A-Z0-9_]+|M_[A-Z0-9_]+[a-z]\w*|(Py|SYS_|PRI[diouxX]|SCN[dioux]|pthread_cleanup_)\w+"
    r"|[bl]e\d+toh|hto[bl]e\d+"
)


@cache
def cpp_name(name: str) -> str:
    """Return the C++ name, in kernels, of a tensor, field or dtype variable.

    This is usually the name in the spec. A reserved name gets an underscore. So does a reserved
    name with trailing underscores, so that different names stay different.
    """
    stem = name.rstrip("_")
    return f"{name}_" if stem in KEPT or _MACRO.fullmatch(stem) else name


def member(name: str) -> str:
    """Return the C++ name, in calls and adapters, of a name in the spec.

    The name ends with an underscore, unlike opgen's own names and C++ keywords, so names cannot
    collide.
    """
    return f"{name}_"


def given(name: str) -> str:
    """Return the name of the adapter's parameter for an input or attr."""
    return f"{name}_in"


def call_name(name: str) -> str:
    """Return the C++ code for a name in an expression of a checked call. Most names become members
    of the call. Indices and device properties do not.
    """
    if name == "i":
        return name
    return f"opgen::Int(device.{name})" if name in DEVICE else member(name)


def struct(op: Op, what: str) -> str:
    """Return the name of an op's struct, such as `RmsNormArgs`."""
    return camel(op.name) + what
