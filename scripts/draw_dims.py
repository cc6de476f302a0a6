"""Draw the pictures of dims in docs/language: `python scripts/draw_dims.py`.

A picture shows one call of an op: each tensor with its dims, their names, and their sizes. The spec
determines the shapes and which input determines each size. The call supplies the sizes.
tests/test_language_pages.py compares the committed pictures with new ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from html import escape
from pathlib import Path

from opgen.compiler.pipeline import examine, resolve
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.shape_inference import Choose, Rank, learns, plan
from opgen.language.expr.evaluate import evaluate
from opgen.language.expr.syntax import names_in
from opgen.language.shapes import Group, Shape
from opgen.spec.config import load_config

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_static" / "dims"
# White text is readable on each colour, and each colour is readable on light and dark pages.
COLOURS = ("#2f5d8a", "#2f6b4f", "#8a4b2f", "#6b3f7a", "#1f6b75", "#7a5a1f", "#7a2f4f")
GREY = "#4a4f57"
DIM, GAP, NAME, ROW, NOTE = 88, 6, 110, 46, 190
STYLE = """\
  <style>
    text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: #fff; text-anchor: middle; font-size: 15px }
    .n { font-weight: 600 }
    .t { font-size: 12px }
  </style>"""


@dataclass(frozen=True)
class Call:
    """A call of an op: sizes of dims (int), of groups (tuple), and of groups in lists (list).

    `case` selects the shape of a tensor with several shapes: (case, form). `absent` lists absent
    tensors.
    """

    spec: str
    op: str
    sizes: Mapping[str, object]
    title: str
    case: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()


LANGUAGE = "examples/language/specs"
CALLS = {
    "groups": Call(
        "specs/rms_norm.toml",
        "rms_norm",
        {"batch": (4, 8), "norm": (128,)},
        "How a call learns the sizes of groups",
    ),
    "windows": Call(
        f"{LANGUAGE}/windows.toml",
        "window_sums",
        {"batch": (2,), "n": 6, "width": 3, "step": 2},
        "A size that follows from others",
    ),
    "segments": Call(
        f"{LANGUAGE}/host.toml",
        "segment_sums",
        {"n": 5, "k": 3},
        "A term that is solved for its name",
    ),
    "lists": Call(
        f"{LANGUAGE}/in_place.toml",
        "average_",
        {"n": 2, "s": [(8, 128), (33,)]},
        "Lists of tensors, each with dims of its own",
    ),
    "pieces": Call(
        f"{LANGUAGE}/results.toml",
        "split_rows",
        {"sizes": (1, 2, 3), "n": 2},
        "A list of results, as long as an attr",
    ),
    "bundle": Call(
        f"{LANGUAGE}/weights.toml",
        "linear",
        {"batch": (3,), "n": 5, "k": 2},
        "A bundle: tensors that travel as one",
        absent=("w_zero",),
    ),
    "padded": Call(
        f"{LANGUAGE}/layouts.toml",
        "last_token",
        {"b": 3, "t": 7, "d": 16},
        "Without offsets: sequences of one length",
        case={"x": (1, 0)},
        absent=("offsets",),
    ),
    "packed": Call(
        f"{LANGUAGE}/layouts.toml",
        "last_token",
        {"b": 3, "t": 12, "d": 16},
        "With offsets: sequences of any length, one after the other",
    ),
    "heads": Call(
        "specs/varlen_attention.toml",
        "varlen_attention",
        {"tq": 10, "tk": 12, "hk": 2, "g": 4, "d": 64, "e": 64, "b": 3},
        "Heads of queries in groups, one for each head of keys",
        case={"k": (1, 0), "v": (1, 0)},
        absent=("block_table", "alibi", "seed", "offset", "lse"),
    ),
    "residual": Call(
        f"{LANGUAGE}/rows.toml",
        "unit_rows",
        {"batch": (5,), "d": 4},
        "A residual is kept for the backward",
    ),
    "backward": Call(
        f"{LANGUAGE}/rows.toml",
        "unit_rows_dx",
        {"batch": (5,), "d": 4},
        "A backward op takes a cotangent, and what its forward has",
    ),
}


@dataclass(frozen=True)
class Row:
    """A tensor, or an attr that is a size. A dim is a label, a name for its colour, and a size."""

    name: str
    dims: tuple[tuple[str, str, int], ...]
    note: str


def resolved(call: Call) -> Op:
    specs, found, sources = examine([ROOT / call.spec])
    assert found == [], found
    (op,) = (o for o in resolve(specs, sources, load_config(ROOT)[0]).ops if o.name == call.op)
    return op


def rows(call: Call, op: Op) -> list[Row]:
    """Return the rows of a picture: attrs that are sizes, and tensors, in the order of the spec."""
    values: dict[str, object] = dict(call.sizes)
    for name, size in op.dims:
        values[name] = evaluate(size, values)
    gives = givers(call, op)
    found = [
        Row(a.name, ((a.type, a.name, values[a.name]),), "an attr")
        for a in op.attrs
        if a.name in call.sizes and isinstance(values[a.name], int)
    ]
    for tensor in (*op.inputs, *op.outputs, *op.residuals):
        if tensor.name in call.absent:
            continue
        case, form = call.case.get(tensor.name, (0, 0))
        shape = tensor.forms.cases[case][1][form]
        if tensor.role == "input":
            note = gives.get(tensor.name, "compared")
        else:
            note = {"output": "allocated", "residual": "kept for the backward"}[tensor.role]
        for i in range(length(tensor, values)):
            element = f"{tensor.name}[{i}]" if tensor.list else tensor.name
            found.append(Row(element, tuple(dims(shape, {**values, "i": i})), note))
    return found


def length(tensor: Tensor, values: Mapping[str, object]) -> int:
    size = values[tensor.list] if tensor.list else 1
    assert isinstance(size, int)
    return size


def dims(shape: Shape, values: Mapping[str, object]) -> Iterator[tuple[str, str, int]]:
    for term in shape.terms:
        if isinstance(term, Group):
            sizes = values[term.name][values["i"]] if term.each else values[term.name]
            yield from ((str(term), term.name, size) for size in sizes)
        else:
            names = [n for n in names_in(term.size) if n in values and n != "i"]
            yield str(term), names[0] if names else "", evaluate(term.size, values)


def givers(call: Call, op: Op) -> dict[str, str]:
    """Return the names of dims that get their sizes from each input.

    They are numbered if their sizes are not determined in file order.
    """
    view = {
        t.name: None if t.name in call.absent else call.case.get(t.name, (0, 0)) for t in op.inputs
    }
    steps = [s for s in plan(op, [view]).steps if not isinstance(s, Rank | Choose)]
    files = [t.name for t in op.inputs]
    visited = [files.index(step.tensor) for step in steps]
    found: dict[str, list[str]] = {}
    for number, step in enumerate(steps, 1):
        prefix = "" if visited == sorted(visited) else f"{number}. "
        found.setdefault(step.tensor, []).append(prefix + learns(step))
    return {tensor: f"gives {', '.join(names)}" for tensor, names in found.items()}


def columns(table: Sequence[Row]) -> dict[tuple[str, int], int] | None:
    """Return a column for each dim, if all tensors have the same order of dims and miss few."""
    after: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for row in table:
        last = None
        for label in numbered(row):
            after.setdefault(label, set()).update({last} if last else ())
            last = label
    try:
        order = [*TopologicalSorter(after).static_order()]
    except CycleError:
        return None
    fits = len(order) <= 1 + max(len(row.dims) for row in table)
    return {label: i for i, label in enumerate(order)} if fits else None


def numbered(row: Row) -> list[tuple[str, int]]:
    """Return the dims of a row, with numbers for dims of the same label."""
    labels = [label for label, _, _ in row.dims]
    return [(label, labels[:i].count(label)) for i, label in enumerate(labels)]


def drawn(call: Call) -> str:
    """Return the picture as SVG."""
    table = rows(call, resolved(call))
    place = columns([row for row in table if row.note != "an attr"])
    names = dict.fromkeys(name for row in table for _, name, _ in row.dims if name)
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)} | {"": GREY}
    widest = max(len(row.dims) for row in table)
    if place:
        widest = max(widest, len(place))
    right = 10 + NAME + 10 + widest * (DIM + GAP) + 4
    width, height = right + NOTE + 10, len(table) * (ROW + 8) + 12
    said = "; ".join(
        f"{row.name}: {' by '.join(str(n) for *_, n in row.dims) or 'a scalar'} "
        f"({' '.join(label for label, *_ in row.dims)}), {row.note}"
        for row in table
    )
    parts = [
        *head(width, height),
        f'  <title id="title">{escape(call.title)}</title>',
        f'  <desc id="desc">{escape(said)}.</desc>',
        STYLE,
    ]
    for line, row in enumerate(table):
        top = 10 + line * (ROW + 8)
        parts += box(10, top, NAME, GREY, row.name, bold=True)
        for i, (label, (text, name, size)) in enumerate(zip(numbered(row), row.dims, strict=True)):
            column = place[label] if place and label in place else i
            left = 10 + NAME + 10 + column * (DIM + GAP)
            parts += box(left, top, DIM, colour[name], str(size), text)
        parts += box(right, top, NOTE, GREY, row.note)
    return "\n".join(parts) + "\n</svg>\n"


def memory() -> str:
    """Draw a matrix of 3 by 4 in memory for some layouts, with one colour per row."""
    by_rows = [(row, column) for row in range(3) for column in range(4)]
    strips = {
        "contiguous": [*by_rows],
        "n m": [(row, column) for column in range(4) for row in range(3)],
    }
    cell, top = 29, 10
    width = 10 + NAME + 10 + 12 * cell + 10
    parts = [
        *head(width, len(strips) * (ROW + 8) + 12),
        '  <title id="title">Where the elements of a matrix are in memory</title>',
        '  <desc id="desc">A matrix of m = 3 by n = 4: contiguous, row after row; in the order '
        "n m, column after column.</desc>",
        STYLE,
    ]
    for name, places in strips.items():
        parts += box(10, top, NAME, GREY, name, bold=True)
        for at, (row, column) in enumerate(places):
            left = 10 + NAME + 10 + at * cell
            parts += box(left, top, cell - 3, COLOURS[row], f"{row},{column}", small=True)
        top += ROW + 8
    return "\n".join(parts) + "\n</svg>\n"


def head(width: int, height: int) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'role="img" aria-labelledby="title desc">'
    ]


def box(
    x: int,
    y: int,
    width: int,
    fill: str,
    text: str,
    above: str = "",
    *,
    bold: bool = False,
    small: bool = False,
) -> list[str]:
    """Return a box with its text and a smaller text above the box."""
    middle = x + width // 2
    lines = [f'  <rect x="{x}" y="{y}" width="{width}" height="{ROW}" rx="5" fill="{fill}"/>']
    if above:
        lines.append(f'  <text x="{middle}" y="{y + 17}" class="t">{escape(above)}</text>')
    style = ' class="n"' if bold or above else ' class="t"' if small else ""
    if text:
        lines.append(
            f'  <text x="{middle}" y="{y + (37 if above else 28)}"{style}>{escape(text)}</text>'
        )
    return lines


def pictures() -> dict[str, str]:
    """Return every picture by file name."""
    return {**{f"{name}.svg": drawn(call) for name, call in CALLS.items()}, "memory.svg": memory()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (FOLDER / name).write_text(picture)


if __name__ == "__main__":
    main()
