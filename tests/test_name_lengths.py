"""Names of every length are laid out alike: what is rendered parses to the same program.

A line that is just too long for one layout may fall into another, as a tuple with a lone item
that lost its comma once did.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from opgen.compiler.pipeline import parse_all, resolve
from opgen.output.render import render
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.targets.python_format import WIDTH, Display, Node, bracketed, call, define

SPEC = """spec = 1

[dtypes]
T  = ["f32", "f64"]
Tq = "accum(T)"

[ops.oq]
doc            = "An op."
reference      = "oq.py:oq"
inputs.aq      = { dtype = "T", shape = "*sq" }
inputs.bq      = { dtype = "T", shape = "*sq", optional = true }
attrs.fq       = { type = "bool", default = false }
outputs.cq     = { dtype = "T", shape = "*sq" }
residuals.rq   = { dtype = "Tq", shape = "*sq", when = "fq" }
require        = ["not fq or present(bq)"]
grad.backward  = "oq_bwd"
sharding.split = ["sq"]
kernels        = ["cpu"]

[ops.oq_bwd]
doc            = "Gradient of it."
inputs.dcq     = { dtype = "T", shape = "*sq" }
inputs.aq      = { dtype = "T", shape = "*sq" }
inputs.rq      = { dtype = "Tq", shape = "*sq", when = "fq" }
attrs.fq       = { type = "bool", default = false }
outputs.daq    = { dtype = "T", shape = "*sq" }
outputs.dbq    = { dtype = "T", shape = "*sq", optional = true }
grad           = "none"
sharding.split = ["sq"]
kernels        = ["cpu"]

[ops.lq]
doc            = "Lists."
reference      = "oq.py:oq"
inputs.xq      = { dtype = "T", shape = "*sq[i]", list = "nq" }
outputs.yq     = { dtype = "T", shape = "*sq[i]", list = "nq" }
grad.formulas  = { xq = "2*dyq" }
sharding       = "replicate"
kernels        = ["cpu"]
"""
LONGEST = 60
OPS, TENSORS = "ol", "abcrxy"
# Which names are long, by their first letters; each ends in so many more q.
LONG = {"ops": OPS, "tensors": TENSORS, "all": OPS + TENSORS + "sfn", "dims": "sfn"}


def programs(folder: Path, letters: str, length: int) -> dict[str, str]:
    """The rendered Python of the ops, with names of this length; they are short again in it."""
    text = SPEC
    for letter in letters:
        text = text.replace(f"{letter}q", letter + "q" * length)
    (folder / "oq.toml").write_text(text.replace(f"o{'q' * length}.py", "oq.py"))
    (folder / "oq.py").write_text("def oq(xp, *xs, **attrs):\n    return xs[0], None\n")
    (folder / "oq.py").write_text(f"def o{'q' * length}(xp, *xs, **attrs):\n    return xs\n")
    source = SourceFile.read(folder / "oq.toml")
    specs, found = parse_all({source.path: source})
    assert not found
    project = resolve(specs, {source.path: source}, Config(folder))
    own = re.compile(r"(core|torch|jax|tests)/(_|test_)[ol]q+(_bwd)?\.py")
    rendered = render(project, ["core", "torch", "jax", "tests"])
    return {f.path: f.text for f in rendered if own.fullmatch(f.path)}


def meant(text: str) -> str:
    """What a program means, whatever its layout and the lengths of its names."""
    tree = ast.parse(re.sub("op_hash=0x[0-9A-F]+", "op_hash=0", re.sub("qq+", "q", text)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = " ".join(node.value.split())
    return ast.dump(tree)


@pytest.mark.parametrize("long", LONG)
def test_names_of_every_length_give_one_program(tmp_path: Path, long: str) -> None:
    first = [meant(text) for text in programs(tmp_path, LONG[long], 1).values()]
    assert len(first) == 12
    for length in range(2, LONGEST):
        found = programs(tmp_path, LONG[long], length)
        for path, text, wanted in zip(found, found.values(), first, strict=True):
            assert meant(text) == wanted, (length, path)


@pytest.mark.parametrize("beside", [(), ("y",)], ids=["alone", "two"])
def test_each_layout_holds_what_it_is_given(beside: tuple[str, ...]) -> None:
    """Of items of all lengths."""
    for width in range(1, WIDTH + 1):
        items = ["x" * width, *beside]
        held = f"{', '.join(items)},"
        rows = {
            f"z = {bracketed('[', items, ']')}": f"z = [{held}]",
            f"z = {bracketed('(', items, ')')}": f"z = ({held})",
            f"z = {bracketed('f(', items, ')')}": f"z = f({held})",
            call("z = f(", items): f"z = f({held})",
            Node("z = g(", [Display("(", items), "w"]).text(0): f"z = g(({held}), w)",
            Node("z = g(", [Display("a=(", items)]).text(0): f"z = g(a=({held}))",
            Node("z = g(", [Node("f(", items), "w"]).text(0): f"z = g(f({held}), w)",
            define("def f(", items, "):") + "\n    pass": f"def f({held}):\n    pass",
        }
        for text, wanted in rows.items():
            assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(wanted)), text
