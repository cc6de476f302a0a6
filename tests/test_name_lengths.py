"""Names of every length give the same program, and it compiles.

A line that is slightly too long may get another layout. Formerly, a tuple with a single item lost
its comma in this way.
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
# By how many letters the longest names exceed the shortest ones. They have 64 letters in total,
# including `_bwd` and `d`.
LONGEST = {"ops": 59, "tensors": 62, "all": 59, "dims": 63}
OPS, TENSORS = "ol", "abcrxy"
# The long names, by their first letters; each ends in a number of letters q.
LONG = {"ops": OPS, "tensors": TENSORS, "all": OPS + TENSORS + "sfn", "dims": "sfn"}


def programs(folder: Path, letters: str, length: int) -> dict[str, str]:
    """Return the rendered Python for names of this length, with the names shortened again."""
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
    own = re.compile(r"(core|torch|jax)/_[ol]q+(_bwd)?\.py|tests/test_ops\.py")
    rendered = render(project, ["core", "torch", "jax", "tests"])
    return {f.path: f.text for f in rendered if own.fullmatch(f.path)}


def meant(text: str) -> str:
    """Return a dump of a program, independent of its layout and of the lengths of its names."""
    compile(text, "<rendered>", "exec")
    tree = ast.parse(re.sub("op_hash=0x[0-9A-F]+", "op_hash=0", re.sub("qq+", "q", text)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = " ".join(node.value.split())
    return ast.dump(tree)


@pytest.mark.parametrize("long", LONG)
def test_names_of_every_length_give_one_program(tmp_path: Path, long: str) -> None:
    first = [meant(text) for text in programs(tmp_path, LONG[long], 1).values()]
    assert len(first) == 10
    for length in range(2, LONGEST[long] + 1):
        found = programs(tmp_path, LONG[long], length)
        for path, text, wanted in zip(found, found.values(), first, strict=True):
            assert meant(text) == wanted, (length, path)
