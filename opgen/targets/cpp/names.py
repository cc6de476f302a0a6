"""What the things of a spec are called in C++."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import Op
from opgen.language.names import camel
from opgen.language.scope import DEVICE

# Words that C++ keeps, macros of its standard headers, and the names that rendered
# functions and structs use themselves: a thing of such a name gets an underscore.
_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t
char32_t char8_t class compl concept const const_cast consteval constexpr constinit
continue co_await co_return co_yield decltype default delete do double dynamic_cast else
enum explicit export extern false float for friend goto if inline int long mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public
register reinterpret_cast requires return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename
union unsigned using virtual void volatile wchar_t while xor xor_eq
NULL EOF INFINITY NAN HUGE_VAL assert errno stdin stdout stderr
opgen std xla ffi
"""
_LOCALS = """
args attrs batch_dims bytes call context ctx desc descriptor device fill given kernel launch
memory op operands packed platform results scratch specs stream threads unmet wanted workspace
"""
TAKEN = frozenset(_KEYWORDS.split()) | frozenset(_LOCALS.split())


def cpp_name(name: str) -> str:
    """The C++ name of a tensor, attr, dim or dtype variable."""
    return f"{name}_" if name in TAKEN else name


def call_name(name: str) -> str:
    """What an expression in a call says for a name: the device's facts have no member."""
    return f"opgen::Int(device.{name})" if name in DEVICE else cpp_name(name)


def struct(op: Op, what: str) -> str:
    """The struct of an op: `RmsNormArgs`."""
    return camel(op.name) + what


@dataclass(frozen=True)
class Platform:
    """A platform whose kernels are C++.

    `suffix` is that of the rendered file of entries, `key` PyTorch's dispatch key, `macro`
    what is defined where its kernels are compiled (empty: always), `context` what runs
    them, `headers` what the entries include, `guard` their first statements.
    """

    name: str
    suffix: str
    key: str
    context: str
    macro: str = ""
    headers: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()


PLATFORMS = {
    "cpu": Platform("cpu", ".cpp", "CPU", "CpuContext"),
    "cuda": Platform(
        "cuda",
        ".cu",
        "CUDA",
        "CudaContext",
        macro="USE_CUDA",
        headers=("opgen/cuda.h",),
        guard=("const opgen::DeviceGuard guard(args->ctx->device);",),
    ),
}
