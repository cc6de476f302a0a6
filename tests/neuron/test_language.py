"""The target's additions to the spec language, which the rest of opgen does not contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.compiler.project_sources import platform_of
from opgen.spec.extensions import extensions, imported

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"\b(neuron|nki)\b", re.IGNORECASE)
SPEC = """spec = 1
[dtypes]
T = ["f32"]
[ops.f{n}]
doc            = "An op."
inputs.x       = {{ dtype = "T", shape = "*s" }}
outputs.y      = {{ dtype = "T", shape = "*s" }}
grad           = "none"
sharding       = "replicate"
kernels        = ["neuron"]
"""


def test_it_is_named_in_its_own_folder_only() -> None:
    files = [f for top in ("opgen", "scripts", "bench") for f in (ROOT / top).rglob("*")]
    texts = {f: f.read_text() for f in files if f.suffix in (".py", ".j2", ".cpp", ".json", ".txt")}
    naming = {f.relative_to(ROOT).parts[:3] for f, text in texts.items() if WORD.search(text)}
    assert naming == {("opgen", "targets", "neuron")}


@pytest.mark.parametrize(
    ("file", "platform"),
    [
        ("relu_neuron.cpp", "neuron"),
        ("relu_neuron.cc", "neuron"),
        ("neuron_relu.cpp", "cpu"),
        ("relu.cxx", "cpu"),
        ("relu_neuron.cu", "cuda"),
        ("nki_relu.py", None),
    ],
)
def test_the_platform_of_a_source(file: str, platform: str | None) -> None:
    assert platform_of(file) == platform


def test_the_keys_of_kernels_have_a_model() -> None:
    """The target declares the keys of its kernels, so that a linter need not load the models."""
    for name, extension in extensions().items():
        keys = {key for platform in extension.platforms for key in platform.keys}
        if keys:
            assert {*imported(extension.models, name).Kernel.__annotations__} == keys
        assert {p.function for p in extension.platforms} - {""} <= keys


def test_a_rule_about_several_specs_sees_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule about several specs gets all of them, even if only one spec was added.

    The specs share no name, but they share a library.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "specs").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.opgen]\n")
    monkeypatch.chdir(tmp_path)
    for n in range(11):
        Path(f"specs/f{n}.toml").write_text(SPEC.format(n=n))
        if n == 9:
            assert main(["render"]) == 0
    assert main(["render"]) == 1
    assert "OG804 neuron-library" in capsys.readouterr().out
