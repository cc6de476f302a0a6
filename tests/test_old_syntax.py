"""`opgen lint --fix` rewrites old specs of this repository to the present syntax.

A file of `old_syntax/` is an old version of the spec with the same path. Together, the files
contain every removed syntax.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.compiler.fix import fixed
from opgen.compiler.pipeline import check, parse_all, resolve
from opgen.ir.op import Op
from opgen.source.diagnostics import errors
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config

ROOT = Path(__file__).parents[1]
OLD = sorted((Path(__file__).parent / "old_syntax").glob("*.toml"))


def resolved(path: Path, text: str) -> tuple[Op, ...]:
    """Return the resolved ops of a spec, as all targets render them."""
    sources = {path.as_posix(): SourceFile(path.as_posix(), text)}
    specs, found = parse_all(sources)
    assert not errors([*found, *check(specs)])
    kernels = path.parents[1] / "kernels"
    beside = kernels if kernels.is_dir() else ROOT / "runtime" / "kernels"
    return resolve(specs, sources, Config(ROOT, kernels=str(beside))).ops


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_a_spec_of_once_means_the_same(file: Path) -> None:
    path = ROOT / f"{file.stem.replace('-', '/')}.toml"
    before = SourceFile(path.as_posix(), file.read_text())
    specs, found = parse_all({before.path: before})
    assert errors([*found, *check(specs)])
    now = fixed(before)
    assert resolved(path, now.text) == resolved(path, path.read_text())
    assert fixed(now).text == now.text
