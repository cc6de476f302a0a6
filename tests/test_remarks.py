"""`deprecated` and `replaces` reach the people who read of an op."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main

SPEC = """\
spec = 1

[ops.copied]
doc            = "A copy of `x`."
deprecated     = "Use `copy`."
replaces       = ["torch.clone", "jnp.copy"]
inputs.x       = { dtype = "f32", shape = "*s" }
outputs.y      = { dtype = "f32", shape = "*s" }
grad           = "none"
sharding.split = ["s"]
kernels        = ["cpu"]
"""
REMARKS = [
    "Deprecated: Use `copy`.",
    "Instead of torch.clone, jnp.copy.",
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "copied.toml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_explain_says_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "copied"]) == 0
    assert capsys.readouterr().out.split("\n")[1:3] == REMARKS


def test_the_page_says_them_and_the_faces_what_to_use_instead(project: Path) -> None:
    assert main(["render"]) == main(["render", "--target", "docs"]) == 0
    page = (project / "generated" / "docs" / "copied.md").read_text()
    assert "\n\n".join(["A copy of `x`.", *REMARKS]) in page
    catalogue = (project / "generated" / "docs" / "_index.md").read_text()
    row = (
        "| [`copied`](copied.md) | A copy of `x`. | `copied(x)` |  |  | `torch.clone`, `jnp.copy` |"
    )
    assert row in catalogue.splitlines()
    for framework in ("torch", "jax"):
        wrapper = (project / "generated" / framework / "_copied.py").read_text()
        assert f'"""A copy of `x`.\n\n    {REMARKS[0]}\n\n    Args:\n        x (' in wrapper
