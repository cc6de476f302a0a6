"""Python files for one framework next to a spec: their copies in the package, and their errors."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from time import process_time

import pytest

from opgen.cli.main import main
from opgen.cli.watch import _stamps, _watched
from opgen.compiler.framework_files import imported
from opgen.output.identity import IDENTITY

SPEC = """spec = 1
[ops.{0}]
doc       = "An op."
inputs.x  = {{ dtype = "f32", shape = "n" }}
outputs.y = {{ dtype = "f32", shape = "n" }}
grad      = "none"
sharding  = "replicate"
kernels   = ["cpu"]
"""
TWICE = """import acme.other_name  # no part of the package acme.ops
from acme.ops.torch import f as own, \\
    f
from acme.ops import core
from acme.ops.core import f as _core

__all__ = ["Twice"]


class Twice:
    def go(self):
        from acme.ops.jax.nnx import Layer  # über allem
        return own(f), Layer, core
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.opgen]\npackage = "acme.ops"\nout = "out"\n')
    (tmp_path / "specs/f.toml").write_text(SPEC.format("f"))
    return tmp_path


def write(name: str, text: str) -> None:
    Path("specs", name).write_text(text)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main([*arguments] or ["lint"])
    return "".join(capsys.readouterr())


def test_the_package_has_a_copy_that_imports_relatively(project: Path) -> None:
    write("f_torch.py", TWICE)
    write("f_jax.py", "def g(x):\n    return x\n\n\n__all__ = ('g',)\n")
    write(
        "f_jax_nnx.py", "from acme.ops.jax import f\n\n__all__: list[str] = ['Layer']\nLayer = f\n"
    )
    write("f_torch_extra.py", "__all__ = []\n")
    write("f_tensorflow.py", "no Python")
    write("other_torch.py", "no Python")
    assert main(["render"]) == 0
    text = TWICE.replace("from acme.ops.torch import f", "from . import f")
    text = text.replace("from acme.ops.core import", "from ..core import")
    text = text.replace("from acme.ops import", "from .. import")
    text = text.replace("from acme.ops.jax.nnx import", "from ..jax.nnx import")
    assert Path("out/torch/_f_torch.py").read_text() == text
    assert "from .. import f\n" in Path("out/jax/nnx/_f_jax_nnx.py").read_text()
    for package, line in (
        ("torch", "from ._f_torch import Twice"),
        ("torch/extra", "from . import _f_torch_extra as _f_torch_extra"),
        ("jax", "from ._f_jax import g"),
        ("jax/nnx", "from ._f_jax_nnx import Layer"),
    ):
        offered = Path(f"out/{package}/__init__.py").read_text()
        assert f"\n{line}\n" in offered and len(offered.split(line)) == 2
        names: dict[str, list[str]] = {}
        exec(offered[offered.index("__all__") :], names)
        assert (line.rpartition(" ")[2] in names["__all__"]) != ("as" in line)
    assert not list(Path("out").rglob("*tensorflow*")) + list(Path("out").rglob("*other_*"))


def test_the_relative_import_of_a_copy_finds_the_package(project: Path) -> None:
    """The relative import in a copy finds the package by any name, as the Hub renames packages."""
    write("f_jax_nnx.py", "from acme.ops.jax.nnx import sys as found\n\n__all__ = ['found']\n")
    assert main(["render"]) == 0
    module = Path("out/jax/nnx/_f_jax_nnx.py").read_text()
    for folder in ("renamed", "renamed/jax", "renamed/jax/nnx"):
        Path(folder).mkdir()
        Path(folder, "__init__.py").write_text("import sys\n")
    Path("renamed/jax/nnx/_f_jax_nnx.py").write_text(module)
    sys.path.insert(0, str(project))
    try:
        from renamed.jax.nnx._f_jax_nnx import found  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
        for name in [name for name in sys.modules if name.partition(".")[0] == "renamed"]:
            del sys.modules[name]
    assert found is sys


def test_a_render_notices_new_changed_and_deleted_files(project: Path) -> None:
    write("g.toml", SPEC.format("g"))
    hashes = []
    copy = Path("out/torch/_f_torch.py")
    for text in (None, "__all__ = ['A']\nA = 1\n", "__all__ = ['A']\nA = 2\n", None):
        if text is None:
            Path("specs/f_torch.py").unlink(missing_ok=True)
        else:
            write("f_torch.py", text)
        assert main(["render", "--check"]) == 1
        assert main(["render"]) == 0 and main(["render", "--check"]) == 0
        assert (copy.read_text() if copy.exists() else None) == text
        listed = Path("out/MANIFEST").read_text()
        assert ("torch/_f_torch.py" in listed) == (text is not None)
        assert ("import A" in Path("out/torch/__init__.py").read_text()) == (text is not None)
        hashes.append(re.findall(r'HASH = "(\w+)"', Path("out", IDENTITY).read_text()))
    assert hashes[0] == hashes[3] and len({*map(tuple, hashes)}) == 3


def test_a_file_that_imports_an_op_is_checked_when_that_op_goes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("g.toml", SPEC.format("gather"))
    write("f_torch.py", "from acme.ops.torch import gather\n\n__all__ = ['gone']\ngone = gather\n")
    assert main(["render"]) == 0
    write("g.toml", SPEC.format("gather_rows"))
    assert "`acme.ops.torch` has no `gather`" in said(capsys, "render")


def test_names_that_every_package_offers_tie_no_specs(project: Path) -> None:
    write("g.toml", SPEC.format("gather"))
    text = "from acme.ops.torch import gather, register_patch\n\n__all__ = ['g']\ng = gather\n"
    write("f_torch.py", text)
    assert list(imported("specs/f.toml", "acme.ops")) == ["gather"]


def test_a_watch_sees_it_and_an_ejected_family_keeps_its_copy(project: Path) -> None:
    write("f_torch.py", "__all__ = ['A']\nA = 1\n")
    assert Path("specs/f_torch.py").resolve() in {Path(p).resolve() for p in _stamps(_watched([]))}
    assert main(["render"]) == 0 and main(["eject", "f"]) == 0
    write("f_torch.py", "__all__ = ['A']\nA = 2\n")
    assert main(["render"]) == 0
    assert Path("out/torch/_f_torch.py").read_text().endswith("A = 1\n")


def test_names_of_the_runtime_are_offered_where_a_file_imports_them(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("f_torch.py", "from acme.ops.torch import f\n\n__all__ = []\n")
    assert main(["render"]) == 0
    package = Path("out/torch/__init__.py")
    assert "patch" not in package.read_text()
    write("f_torch.py", "from acme.ops.torch import Patch, register_patch\n\n__all__ = []\n")
    assert main(["render"]) == 0
    text = package.read_text()
    line = "from .._opgen.torch import Patch, patch, register_patch\n"
    assert text.index(line) < text.index("from . import _f_torch as _f_torch")
    write("f.toml", SPEC.format("patch"))
    assert "`patch` is an op of this project, and a function" in said(capsys)


def test_a_file_belongs_to_the_longest_family(project: Path) -> None:
    write("f_torch.toml", SPEC.format("g"))
    write("f_torch_torch.py", "__all__ = ['A']\nA = 1\n")
    write("f_torch_jax.py", "__all__ = ['B']\nB = 1\n")
    assert main(["render"]) == 0
    assert Path("out/torch/_f_torch_torch.py").exists() and Path("out/jax/_f_torch_jax.py").exists()


WRONG = {
    "syntax": ("__all__ = []\n)\n", "specs/f_torch.py:2:1: error[OG038", "is not Python"),
    "nothing said": ("x = 1\n", "specs/f_torch.py:1:1", 'write `__all__ = ["Name"]`'),
    "computed": ("__all__ = [*dir()]\n", "specs/f_torch.py:1:1", "`__all__` is a list of names"),
    "undefined": ("__all__ = ['Relu']\nReLU = 1\n", "it defines no `Relu`", "did you mean `ReLU`"),
    "an op": ("__all__ = ['f']\nf = 1\n", "`f` is an op of this project", ""),
    "opgen's": ("__all__ = ['patch']\npatch = 1\n", "`patch` is opgen's own in a package", ""),
    "relative": ("from . import f\n__all__ = []\n", "a relative import leads elsewhere", ""),
    "renamed": (
        "\nif True:\n    from acme.ops.torch import ff\n__all__ = []\n",
        "specs/f_torch.py:3:1: error[OG038 bad-framework-file]: `acme.ops.torch` has no `ff`",
        "did you mean `f`?",
    ),
    "absolute": ("import acme.ops.torch\n__all__ = []\n", "write `from acme.ops.torch import", ""),
    "bytes": (b"\xff", "specs/f_torch.py:1:1: error[OG038", "the file is not UTF-8"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(project: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    text, *wanted = WRONG[name]
    Path("specs/f_torch.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in ("lint", "render"):
        found = said(capsys, command)
        assert all(each in found for each in wanted) and "Traceback" not in found, found
    assert not Path("out").exists()


def test_names_that_two_files_offer(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("g.toml", SPEC.format("f_torch"))
    for family in "fg":
        write(f"{family}_torch.py", "__all__ = ['A']\nA = 1\n")
        write(f"{family}_torch_x.py", "__all__ = ['A', 'B', 'f']\nA, (B, *f) = 1, (2, 3)\n")
    found = said(capsys)
    assert found.count("f_torch.py offers a `A` too") == 1
    assert found.count("f_torch_x.py offers a") == 3
    assert "the op `f_torch` has the name of a module that this file makes" in found


def test_a_large_file_takes_no_longer_than_its_size(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with a megabyte of imports, right and wrong ones, is read in linear time."""
    lines = "from acme.ops.torch import f\n" * 10_000
    write("f_torch.py", lines + "__all__ = []\n")
    begun = process_time()
    assert main(["render"]) == 0
    assert Path("out/torch/_f_torch.py").read_text().count("from . import f\n") == 10_000
    write("f_torch.py", lines.replace("acme.ops.torch", ".") + "__all__ = []\n")
    assert main(["lint", "--format", "json"]) == 1
    assert process_time() - begun < 5


def test_a_link_that_leads_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = project.parent / f"{project.name}-secret.py"
    outside.write_text("__all__ = ['hunter2']\nhunter2 = 1\n")
    os.symlink(outside, "specs/f_torch.py")
    found = said(capsys, "render")
    assert "a link leads out of the project" in found and "hunter2" not in found
    assert not Path("out").exists()
