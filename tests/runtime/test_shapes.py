"""The C++ call classes of every family give the results and errors of the Python `infer`."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from opgen.ir.nodes import Attr
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.output.render import render
from opgen.targets.cpp.names import member, struct
from tests.drawn import PROJECT, Draw, draws, spoilt

DRAWS = 40
CODES = {dtype.code: dtype.name for dtype in DTYPES.values()}

PROGRAM = r"""
#include <deque>
#include <iostream>
#include <optional>
#include <string>
#include <vector>
{includes}
using opgen::Buffer;

// Reads the words of a call; what it reads lives as long as it.
struct Reader {{
  std::deque<std::vector<int64_t>> numbers;
  std::deque<std::vector<double>> floats;
  std::deque<std::vector<Buffer>> buffers;
  std::deque<std::string> words;

  template <class T> T read() {{ T value; std::cin >> value; return value; }}
  bool absent() {{ return read<std::string>() == "-"; }}

  const std::vector<int64_t>& list() {{
    auto& found = numbers.emplace_back(read<size_t>());
    for (auto& each : found) each = read<int64_t>();
    return found;
  }}
  Buffer tensor() {{
    if (absent()) return {{}};
    Buffer buffer;
    buffer.dtype = static_cast<opgen::ElementType>(read<int32_t>());
    const auto& sizes = list();
    auto& strides = numbers.emplace_back(sizes.size());
    opgen::contiguous_strides({{sizes.data(), static_cast<int64_t>(sizes.size())}}, strides.data());
    buffer.rank = static_cast<int32_t>(sizes.size());
    buffer.sizes = sizes.data();
    buffer.strides = strides.data();
    return buffer;
  }}
  opgen::BufferList tensors() {{
    if (absent()) return {{}};
    auto& found = buffers.emplace_back(read<size_t>());
    for (auto& each : found) each = tensor();
    return {{found.data(), static_cast<int64_t>(found.size())}};
  }}
  opgen::Int integer() {{ return read<int64_t>(); }}
  double number() {{ return read<double>(); }}
  bool truth() {{ return read<int>() != 0; }}
  std::string_view word() {{ return words.emplace_back(read<std::string>()); }}
  opgen::ElementType dtype() {{ return static_cast<opgen::ElementType>(read<int32_t>()); }}
  opgen::Sizes integers() {{ const auto& found = list(); return {{found.data(), static_cast<int64_t>(found.size())}}; }}
}};

static void show(const opgen::TensorSpec& spec) {{
  std::cout << ' ' << static_cast<int>(spec.dtype) << ' ' << spec.shape.rank();
  for (int64_t size : opgen::Sizes(spec.shape)) std::cout << ' ' << size;
}}

{calls}

int main() {{
  std::string op;
  while (std::cin >> op) {{
    try {{
{cases}
    }} catch (const opgen::Refused& refused) {{
      std::cout << "refused " << refused.what();
    }}
    std::cout << '\n';
  }}
}}
"""

READERS = {
    "int": "integer",
    "float": "number",
    "bool": "truth",
    "str": "word",
    "dtype": "dtype",
    "int[]": "integers",
}


def caller(op: Op) -> str:
    """Return a C++ function that reads a call of `op`, makes it and prints the results."""
    lines = [f"static void call_{op.name}(Reader& in) {{"]
    names = []
    for tensor in op.inputs:
        names.append(member(tensor.name))
        lines.append(f"  auto {names[-1]} = in.{'tensors' if tensor.list else 'tensor'}();")
    for attr in op.attrs:
        names.append(member(attr.name))
        lines.append(f"  auto {names[-1]} = {_reader(attr)};")
    if any(t.optional for t in op.written):
        names.append("in.integer().value()")
    lines.append(f"  every_family::{struct(op, 'Call')} call({', '.join(names)});")
    for tensor in op.written:
        name = member(tensor.name)
        absent = "" if tensor.always else f'if (!call.{name}present()) std::cout << " -"; else '
        lines.append(f"  {absent}show(call.{name}());")
    return "\n".join([*lines, "}"])


def _reader(attr: Attr) -> str:
    base, bracket, _ = attr.type.partition("[")
    read = f"in.{READERS[base + '[]' if bracket else base]}()"
    if attr.required or isinstance(attr.default, (int, float, str, bool, tuple)):
        return read
    return f"in.absent() ? std::nullopt : std::make_optional({read})"


def words(draw: Draw, inputs: list[Any]) -> str:
    """Return the text of a call, which the C++ program reads."""
    found = [draw.op.name, *map(_tensor, inputs)]
    attrs = draw.attrs()
    for attr in draw.op.attrs:
        value = attrs.get(attr.name)
        if "nullopt" in _reader(attr):
            found.append("-" if value is None else "+")
        if value is not None:
            found.append(_word(attr, value))
    optional = [t for t in draw.op.written if t.optional]
    if optional:
        bits = (1 << n for n, t in enumerate(draw.op.written) if t.name in draw.wanted)
        found.append(str(sum(bits)))
    return " ".join(found)


def _tensor(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ".join(["+", str(len(value)), *map(_tensor, value)])
    sizes = " ".join(map(str, value.shape))
    return f"+ {DTYPES[value.dtype].code} {len(value.shape)} {sizes}".strip()


def _word(attr: Attr, value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, (len(value), *value)))
    if attr.type == "dtype":
        return str(DTYPES[value].code)
    return str(int(value)) if isinstance(value, bool) else str(value)


def outcome(line: str, op: Op) -> Any:
    """Return the result of a printed line: a dict of (dtype, shape) by name, or the error text."""
    if "refused " in line:
        return line.partition("refused ")[2]
    numbers = iter(line.split())
    found: dict[str, Any] = {}
    for tensor in op.written:
        first = next(numbers)
        if first == "-":
            found[tensor.name] = None
        else:
            shape = tuple(int(next(numbers)) for _ in range(int(next(numbers))))
            found[tensor.name] = (CODES[int(first)], shape)
    return found


def inferred(core: ModuleType, draw: Draw, inputs: list[Any]) -> Any:
    """Return the result of the Python `infer` in the form of `outcome`."""
    optional = any(t.optional for t in draw.op.written)
    wanted = {"wanted": draw.wanted} if optional else {}
    try:
        found = getattr(core, draw.op.name).infer(*inputs, **draw.attrs(), **wanted)
    except (TypeError, ValueError) as error:
        return str(error)
    specs = found._asdict().items()
    return {name: spec and (spec.dtype, spec.shape) for name, spec in specs}


def _shortened(outcome: Any) -> Any:
    """Return an error text without the shapes and sources of sizes that only Python adds."""
    if isinstance(outcome, str):
        outcome = re.sub(r"(: requires .*, got \w+ = -?\w+), .*", r"\1", outcome)
        return re.sub(r" \((?:`|[^()]* of ).*?\)(?=, got|$)", "", outcome)
    return outcome


def calls(core: ModuleType) -> Iterator[tuple[Draw, list[Any]]]:
    """Yield allowed calls, each followed by the same call with one wrong size if possible."""
    for op in PROJECT.ops:
        for draw in draws(op, DRAWS):
            inputs = draw.inputs(core.TensorSpec)
            yield draw, inputs
            changed = spoilt(draw, inputs, core.TensorSpec)
            if changed is not None:
                yield draw, changed


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The rendered package `every_family`, on the import path."""
    root = tmp_path_factory.mktemp("rendered")
    for file in render(PROJECT, ["core", "cpp"]):
        path = root / "every_family" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(root))
    yield root / "every_family"
    sys.path.remove(str(root))
    for name in [n for n in sys.modules if n.partition(".")[0] == "every_family"]:
        del sys.modules[name]


def test_cpp_infers_and_refuses_what_python_does(package: Path, run_cpp) -> None:
    core = importlib.import_module("every_family.core")
    source = PROGRAM.format(
        includes="\n".join(f'#include "{f.name}_call.h"' for f in PROJECT.families),
        calls="\n\n".join(map(caller, PROJECT.ops)),
        cases="\n".join(
            f'      if (op == "{op.name}") {{ Reader in; call_{op.name}(in); }}'
            for op in PROJECT.ops
        ),
    )
    every = list(calls(core))
    text = "\n".join(words(*call) for call in every)
    lines = run_cpp(source, f"-I{package / 'cpp'}", given=text).split("\n")
    refused = 0
    for (draw, inputs), line in zip(every, lines):
        expected = inferred(core, draw, inputs)
        refused += isinstance(expected, str)
        got = outcome(line, draw.op)
        if isinstance(got, str) and got.startswith("a size came out as -"):
            got = expected if isinstance(expected, str) and ", -" in expected else got
        assert _shortened(got) == _shortened(expected), words(draw, inputs)
    assert len(every) > 30 * DRAWS and DRAWS < refused < len(every) / 2
