"""Stub kernels for any op, with results that depend on all arguments, and the same in Python.

A stub computes a CRC-32, `word`, of all its arguments. It covers the bytes of the descriptor and
then, for each input in order, a byte for its presence, its sizes and its elements. The elements are
in row-major order. Element `j` of the `n`-th result is the digit `word >> (n + j) % 28 & 15`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.project import Family, Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Const, Expr, Name
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.expr.syntax import map_children
from opgen.targets.cpp.names import cpp_name, struct
from opgen.testing.arrays import flat
from opgen.testing.environment import (
    Case,
    dtype_in,
    environment,
    form_in,
    numpy_dtype,
    shape_in,
)
from opgen.testing.op_under_test import OpUnderTest

DIGITS = 16
PARTS = """
namespace {

/// The digits 0 to 15 in each type, by its code: 16 bytes each.
const unsigned char digits[][16][16] = DIGITS;

inline void add(uint32_t& word, const void* data, int64_t size) noexcept {
  word = ~word;
  for (int64_t i = 0; i < size; ++i) {
    word ^= static_cast<const unsigned char*>(data)[i];
    for (int bit = 0; bit < 8; ++bit) word = word >> 1 ^ (word & 1 ? 0xEDB88320u : 0u);
  }
  word = ~word;
}

/// Calls `each` with the number and the address of every element, in row-major order.
template <class Each>
inline void walk(const opgen::Buffer& x, const Each& each) noexcept {
  const int64_t size = opgen::size_of(x.dtype);
  for (int64_t i = 0; i < x.numel(); ++i) {
    int64_t rest = i, at = 0;
    for (int32_t dim = x.rank - 1; dim >= 0; --dim) {
      at += rest % x.sizes[dim] * x.strides[dim];
      rest /= x.sizes[dim];
    }
    each(i, static_cast<unsigned char*>(x.data) + at * size);
  }
}

inline void read(uint32_t& word, const opgen::Buffer& x) noexcept {
  const unsigned char there = x.present();
  add(word, &there, 1);
  for (int32_t dim = 0; dim < x.rank; ++dim) add(word, x.sizes + dim, sizeof(int64_t));
  walk(x, [&](int64_t, unsigned char* at) { add(word, at, opgen::size_of(x.dtype)); });
}

inline void read(uint32_t& word, const opgen::BufferList& list) noexcept {
  for (int64_t i = 0; i < list.count; ++i) read(word, list.items[i]);
}

inline void write(uint32_t word, int64_t number, const opgen::Buffer& y) noexcept {
  walk(y, [&](int64_t i, unsigned char* at) {
    const auto& digit = digits[static_cast<int>(y.dtype)][word >> (number + i) % 28 & 15];
    std::memcpy(at, digit, opgen::size_of(y.dtype));
  });
}

inline void write(uint32_t word, int64_t number, const opgen::BufferList& list) noexcept {
  for (int64_t i = 0; i < list.count; ++i) write(word, number, list.items[i]);
}

}  // namespace
"""
KERNEL = """
extern "C" opgen::Status {symbol}(const {namespace}::{args}* args) noexcept {{
  uint32_t word = 0;
  add(word, args->desc, sizeof *args->desc);
{body}
  return opgen::Status::ok;
}}
"""


def source(project: Project, family: Family) -> str:
    """Return the C++ source of a family's stub kernels."""
    kernels = "".join(_kernel(project, op) for op in family.ops)
    parts = PARTS.replace("DIGITS", _digits())
    return f'#include <cstring>\n\n#include "{family.name}.h"\n{parts}{kernels}'


def _kernel(project: Project, op: Op) -> str:
    read = [f"  read(word, args->{cpp_name(t.name)});" for t in op.inputs]
    written = (*op.written, *_updated(op))
    wrote = [f"  write(word, {n}, args->{cpp_name(t.name)});" for n, t in enumerate(written)]
    return KERNEL.format(
        symbol=op.name,
        namespace=project.namespace,
        args=struct(op, "Args"),
        body="\n".join(read + wrote),
    )


def _updated(op: Op) -> list[Tensor]:
    """Return the inputs that every call updates. A stub does not write to the others."""
    return [t for t in op.updated if t.update is True]


def _digits() -> str:
    """Return the C++ table of the sixteen digits in each dtype, in the order of dtype codes.

    For dtypes of fewer than eight bits all entries are zero.
    """
    rows = []
    for dtype in sorted(DTYPES.values(), key=lambda d: d.code):
        made = (
            np.arange(DIGITS).astype(numpy_dtype(dtype.name))
            if dtype.bits >= 8
            else np.zeros(DIGITS)
        )
        size = made.itemsize
        data = made.tobytes()
        cells = (data[n * size : (n + 1) * size] for n in range(DIGITS))
        rows.append("{" + ", ".join("{" + ", ".join(map(str, c)) + "}" for c in cells) + "}")
    return "{" + ",\n".join(rows) + "}"


Strides = Mapping[str, tuple[int, ...]]


def results(
    subject: OpUnderTest, case: Case, arrays: list[Any], strides: Strides = {}
) -> list[Any]:
    """Return the results of an op's stub for a call: arrays, lists of arrays, or None if absent.

    `strides` are those of inputs that are not contiguous.
    """
    op, values = subject.op, environment(subject.op, case)
    word = zlib.crc32(subject.core.pack(**dict(_fields(op, _bound(op, case, values), strides))))
    for array in flat(arrays):
        word = zlib.crc32(bytes([array is not None]), word)
        if array is not None:
            word = zlib.crc32(np.array(array.shape, np.int64).tobytes(), word)
            word = zlib.crc32(array.tobytes(), word)
    numbers = {t.name: n for n, t in enumerate((*op.written, *_updated(op)))}
    given = dict(zip((t.name for t in op.inputs), arrays))

    def digits(shape: tuple[int, ...], dtype: str, number: int) -> np.ndarray:
        places = np.arange(int(np.prod(shape)), dtype=np.int64)
        found = (word >> ((number + places) % 28)) & 15
        return found.astype(numpy_dtype(dtype)).reshape(shape)

    found: list[Any] = []
    for tensor in op.results:
        if tensor.when is not None and not evaluate(tensor.when, values):
            found.append(None)
            continue
        if tensor.name not in numbers:
            found.append(given[tensor.name])
            continue
        shape, dtype = shape_in(op, tensor, values, case), dtype_in(tensor, values)
        number = numbers[tensor.name]
        many = [digits(s, dtype, number) for s in (shape if tensor.list else [shape])]
        found.append(many if tensor.list else many[0])
    return found


def _bound(op: Op, case: Case, values: dict[str, Any]) -> dict[str, Any]:
    """Return `values` without the sizes that only absent tensors or unused forms have."""
    there = (form_in(op, t, values, case) for t in op.inputs if values[t.name] is not None)
    known = {name for form in there for name in form.names}
    return {n: v for n, v in values.items() if n in known or n not in dict(case.sizes)}


def _fields(op: Op, values: dict[str, Any], strides: Strides) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the descriptor's fields. A value that the call lacks is 0."""
    coded = {a.name: a.choices for a in op.attrs if a.type == "str" and a.choices}
    for field in op.descriptor.fields:
        try:
            value = evaluate(_strided(field.value, strides), values)
        except (Unbound, TypeError):  # also the length of an attr that is None
            value = None
        if field.name in coded:
            value = coded[field.name].index(value)
        elif isinstance(value, str) and field.type != "dtype":
            value = DTYPES[value].code
        if field.count:
            value = (*(value or ()), *(0 for _ in range(field.count - len(value or ()))))
        yield field.name, 0 if value is None else value


def _strided(expr: Expr, strides: Strides) -> Expr:
    """Return `expr` with the inputs' strides in this call as constants."""
    match expr:
        case Call("stride", (Name(id=name), Const(value=int(place)))) if name in strides:
            own = strides[name]
            return Const(own[place]) if -len(own) <= place < len(own) else expr
    return map_children(expr, lambda each: _strided(each, strides))
