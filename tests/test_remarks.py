"""The text of `replaces` is shown to the users of an op."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main

SPEC = """\
spec = 1

[ops.copied]
doc            = "A copy of `x`."
replaces       = ["torch.clone", "jnp.copy"]
inputs.x       = { dtype = "f32", shape = "*s" }
outputs.y      = { dtype = "f32", shape = "*s" }
grad           = "none"
sharding.split = ["s"]
kernels        = ["cpu"]
"""
REMARK = "Instead of torch.clone, jnp.copy."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "copied.toml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_explain_says_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "copied"]) == 0
    assert capsys.readouterr().out.split("\n")[1] == REMARK


def test_the_page_and_the_catalogue_say_it(project: Path) -> None:
    assert main(["render"]) == main(["render", "--target", "docs"]) == 0
    page = (project / "generated" / "docs" / "copied.md").read_text()
    assert f"A copy of `x`.\n\n{REMARK}" in page
    catalogue = (project / "generated" / "docs" / "_index.md").read_text()
    row = (
        "| [`copied`](copied.md) | A copy of `x`. | `copied(x)` |  |  | `torch.clone`, `jnp.copy` |"
    )
    assert row in catalogue.splitlines()
