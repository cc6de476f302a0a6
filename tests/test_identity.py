"""The package hash: what it covers, and that it does not depend on how a package is rendered."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.ir.abi_hash import meaning_hash
from opgen.output.identity import IDENTITY, identity
from opgen.spec.config import Config

SPEC = """spec = 1
[ops.twice]
doc       = "Doubles `x`."
reference = "twice.py:twice"
inputs.x  = { dtype = "f32", shape = "n" }
outputs.y = { dtype = "f32", shape = "n" }
grad      = "reference"
sharding  = "replicate"
kernels   = ["cpu"]

[ops.thrice]
doc       = "Triples `x`."
reference = "twice.py:thrice"
inputs.x  = { dtype = "f32", shape = "n" }
outputs.y = { dtype = "f32", shape = "n" }
grad      = "reference"
sharding  = "replicate"
kernels   = ["cpu"]
"""
REFERENCE = """
def twice(xp, x):
    return 2 * x


def thrice(xp, x):
    return 3 * x
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/twice.toml").write_text(SPEC)
    (tmp_path / "specs/twice.py").write_text(REFERENCE)
    (tmp_path / "pyproject.toml").write_text('[tool.opgen]\npackage = "acme"\n')
    return tmp_path


def rendered(*options: str) -> str:
    assert main(["render", *options]) == 0
    found = re.search(r'^PACKAGE_HASH = "(\w{12})"$', Path("generated", IDENTITY).read_text(), re.M)
    assert found
    return found[1]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_what_decides_a_call_changes_the_hash(project: Path) -> None:
    known = [rendered()]
    for file, old, new in (
        ("specs/twice.py", "2 * x", "x + x"),
        ("specs/twice.toml", 'dtype = "f32"', 'dtype = "f64"'),
        ("specs/twice.toml", 'outputs.y = { dtype = "f64"', 'outputs.z = { dtype = "f64"'),
        ("pyproject.toml", "acme", "acme2"),
    ):
        edit(project / file, old, new)
        known.append(rendered())
    assert len({*known}) == len(known)


def test_the_runtime_may_come_from_elsewhere(project: Path) -> None:
    """The runtime may come from another package: `_opgen/` then has a single file.

    The package hash then differs. It returns to its former value if the runtime is part of the
    package again.
    """
    vendored = rendered()
    edit(project / "pyproject.toml", "package =", 'runtime = "package"\npackage =')
    assert rendered() != vendored
    assert [file.name for file in (project / "generated/_opgen").iterdir()] == ["__init__.py"]
    edit(project / "pyproject.toml", 'runtime = "package"\n', "")
    assert rendered() == vendored
    assert (project / "generated/_opgen/torch/call.py").is_file()


def test_a_comment_in_a_spec_does_not(project: Path) -> None:
    before = rendered()
    edit(project / "specs/twice.toml", "[ops.twice]", "# About doubling.\n[ops.twice]")
    assert rendered() == before


def test_pages_and_tests_are_not_in_it() -> None:
    package = {"core/__init__.py": "0", "torch/__init__.py": "1"}
    aside = {"docs/a.md": "2", "tests/test_a.py": "3", "reference/a.toml": "5", IDENTITY: "4"}
    made = identity(package)
    assert made is not None and made == identity(package | aside)
    assert made != identity(package | {"torch/__init__.py": "2"})
    assert identity(aside) is None


def test_it_does_not_depend_on_how_a_package_is_rendered(project: Path) -> None:
    """The hash does not depend on the way of rendering.

    The package is rendered from nothing, after changes, for some targets, ejected, and back again.
    """
    whole = rendered()
    assert rendered("--target", "docs") == rendered("--target", "jax") == whole
    assert rendered() == whole and main(["render", "--check"]) == 0
    edit(project / "specs/twice.py", "2 * x", "x + x")
    changed = rendered()
    assert changed != whole and rendered("--no-cache") == changed
    edit(project / "specs/twice.py", "x + x", "2 * x")
    assert rendered() == whole


def test_ejecting_keeps_it(project: Path) -> None:
    before = rendered()
    assert main(["eject", "twice"]) == 0
    assert rendered() == rendered("--target", "jax") == before
    assert main(["render", "--check"]) == 0


def test_a_target_that_an_op_does_not_mention_changes_no_hash(project: Path) -> None:
    found, *_ = load([project / "specs" / "twice.toml"], Config(project))
    assert found is not None
    op, before = found.op("twice"), meaning_hash(found, found.op("twice"))

    def with_options(options: dict[str, object]) -> int:
        return meaning_hash(found, replace(op, options={**op.options, "other": options}))

    assert with_options({}) == before != with_options({"key": 1})
