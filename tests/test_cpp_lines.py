"""Long lines of rendered C++ are broken into shorter lines with the same meaning."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import opgen
from opgen.targets.cpp.cpp_wrap import broken

GENERATED = Path(opgen.__file__).parents[1] / "generated"
FILES = sorted(p for p in GENERATED.rglob("*") if p.suffix in (".h", ".cpp", ".cu"))

LONG = "a_name_that_is_quite_long"

EXAMPLES = {
    # Items are aligned below the first one, or all moved to the next line if they fit there.
    f"  const Call call({', '.join([LONG] * 4)});": f"""\
  const Call call({LONG}, {LONG}, {LONG},
                  {LONG});""",
    f"  const auto device = opgen::torch::device_of(op, {{&{LONG}, &{LONG}, &x}});": f"""\
  const auto device = opgen::torch::device_of(
      op, {{&{LONG}, &{LONG}, &x}});""",
    # A guarded statement gets a body in braces, also inside another statement.
    f'    if (x.present()) for (int i = 0; i < n; ++i) x[i].shape_is({LONG}, "of {LONG}");': f"""\
    if (x.present()) {{
      for (int i = 0; i < n; ++i) {{
        x[i].shape_is({LONG}, "of {LONG}");
      }}
    }}""",
    # Operators: a line breaks at the operator of lowest precedence; `?` and `<<` begin a line.
    f"  const auto y = call.has_y() ? {LONG}(call.y(), device) : {LONG}(z);": f"""\
  const auto y =
      call.has_y() ? {LONG}(call.y(), device) : {LONG}(z);""",
    f"    return {{T, present ? Shape() << {LONG} << {LONG} : Shape() << {LONG}}};": f"""\
    return {{T, present ? Shape() << {LONG} << {LONG}
                       : Shape() << {LONG}}};""",
    f"    return {{T, Shape() << max({LONG}, 32) << {LONG} << {LONG}}};": f"""\
    return {{T, Shape() << max({LONG}, 32) << {LONG}
                       << {LONG}}};""",
    # Whole items are kept if possible; the longest brackets are broken first.
    f"      return start(a_name, {LONG}<int, float>(args), {LONG}<double>(args));": f"""\
      return start(a_name, {LONG}<int, float>(args),
                   {LONG}<double>(args));""",
    f'extern "C" void foreign({LONG}* x, {LONG}* y, {LONG}* z) __asm__("a");': f"""\
extern "C" void foreign({LONG}* x, {LONG}* y,
                        {LONG}* z) __asm__("a");""",
    # Template arguments are broken only if nothing else can be.
    f"    implement(m, way<&{LONG}<{LONG}, {LONG}, {LONG}>>);": f"""\
    implement(m, way<&{LONG}<{LONG},
                                                {LONG},
                                                {LONG}>>);""",
    # The head of a lambda stays on the line of the preceding item.
    f"    each_slice(op, {{&{LONG}, &{LONG}, &{LONG}, &{LONG}}}, [&] {{": f"""\
    each_slice(op, {{&{LONG}, &{LONG},
                    &{LONG}, &{LONG}}}, [&] {{""",
    f"template <class Context, Status (*kernel)(const {LONG}*) noexcept, class {LONG}>": f"""\
template <class Context, Status (*kernel)(const {LONG}*) noexcept,
          class {LONG}>""",
    f"      : {LONG}(op, 1), {LONG}(op, 2), {LONG}(op, 3) {{": f"""\
      : {LONG}(op, 1), {LONG}(op, 2),
        {LONG}(op, 3) {{""",
    # A `<` without blanks looks like the start of template arguments.
    f"if (i<{LONG}) return {LONG}({LONG}, {LONG});": f"""\
if (i<{LONG}) return {LONG}({LONG}, {LONG});""",
    # A comment moves above the code that it followed.
    f'  double eps;      // {LONG}, (of {LONG}, "or {LONG}); and so on.': f"""\
  // {LONG}, (of {LONG}, "or {LONG}); and
  // so on.
  double eps;""",
    f"/// {LONG}, {LONG}, and {LONG} too, of the same.": f"""\
/// {LONG}, {LONG}, and {LONG} too, of the
/// same.""",
}


@pytest.mark.parametrize("line", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples(line: str) -> None:
    assert broken(line) == EXAMPLES[line]


def code_of(text: str) -> str:
    """Return `text` without blanks, and without the braces and `//` that breaking may add."""
    return re.sub(r"[\s{}]|//+", "", text)


def drawn(rng: random.Random, depth: int) -> str:
    """Return a random expression."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["x", LONG, "buffer<const int, 3>(y)", '"a, (string"', "8"])
    parts = [drawn(rng, depth - 1) for _ in range(rng.randint(1, 4))]
    operator = rng.choice([" + ", " << ", " && ", " || "])
    kinds = [operator.join(parts), f"call({', '.join(parts)})", f"{{{', '.join(parts)}}}"]
    return rng.choice([*kinds, f"({parts[0]} ? {parts[-1]} : {parts[0]})"])


@pytest.mark.parametrize("seed", range(20))
def test_nothing_but_blanks_changes(seed: int) -> None:
    rng = random.Random(seed)
    pad = " " * rng.randint(0, 8)
    head = rng.choice(["return ", "const auto y = ", "", "if (x > 3) "])
    line = f"{pad}{head}f({drawn(rng, 4)}, {drawn(rng, 3)});"
    text = broken(line)
    assert code_of(text) == code_of(line)
    assert broken(text) == text or max(map(len, text.split("\n"))) > 100
    assert all(part == part.rstrip() for part in text.split("\n"))


def test_rendered_lines_fit() -> None:
    lines = [line for path in FILES for line in path.read_text().split("\n")]
    long = [line for line in lines if len(line) > 100]
    assert lines and not [
        line for line in long if "m.def(" not in line and not line.startswith('      "')
    ]
