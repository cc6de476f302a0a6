"""The generated data models of specs are up to date, and accept all valid specs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pydantic_core
import pytest

import opgen
from opgen.spec.models import document as models
from opgen.spec.validator import KEPT, validator

PACKAGE = Path(opgen.__file__).parent
ROOT = PACKAGE.parent


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the user's cache folder, empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    validator.cache_clear()
    yield tmp_path / "opgen"
    validator.cache_clear()


def test_the_models_are_built_once(cache: Path) -> None:
    code = (
        "import sys; from opgen.spec.validator import KEPT, validator\n"
        "validator().validate_python({'spec': 1}); print('pydantic' in sys.modules)"
    )
    run = [sys.executable, "-c", code]
    first, second = (subprocess.check_output(run, text=True) for _ in range(2))
    assert (first, second) == ("True\n", "False\n")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "any thing"}'])
def test_a_kept_validator_that_makes_no_sense_is_built_anew(cache: Path, text: str) -> None:
    assert validator() is models.adapter()
    (file,) = cache.glob("models-*.json")
    sound = file.read_text()
    file.write_text(text)
    validator.cache_clear()
    assert validator() is models.adapter()
    assert file.read_text() == sound


def test_another_pydantic_builds_the_validator_anew(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    validator()
    (first,) = cache.glob("models-*.json")
    for version in range(2 * KEPT):
        os.utime(first, (0, 0))  # the oldest, so that it is removed first
        monkeypatch.setattr("pydantic_core.__version__", str(version))
        validator.cache_clear()
        assert validator() is models.adapter()
        kept = [*cache.glob("models-*.json")]
        assert len(kept) == min(2 + version, KEPT) and (first in kept) == (2 + version <= KEPT)
        if first not in kept:
            break


def test_the_kept_validator_refuses_what_the_models_refuse(cache: Path) -> None:
    validator()
    validator.cache_clear()
    with pytest.raises(pydantic_core.ValidationError):
        validator().validate_python({"spec": 1, "ops": {"relu": {"docs": ""}}})


def test_the_committed_schema_is_up_to_date() -> None:
    from opgen.docs.schema import json_schema

    file = ROOT / "opgen.schema.json"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        file.write_text(json_schema())
    assert file.read_text() == json_schema()


SPECS = sorted((ROOT / "specs").glob("*.toml"))


@pytest.mark.parametrize("file", SPECS, ids=lambda file: file.stem)
def test_every_spec_names_the_schema(file: Path) -> None:
    assert file.read_text().startswith("#:schema ../opgen.schema.json\n")


def tool(name: str) -> str:
    """Return the path of a linter, next to this Python or on the path.

    Skips the test if there is none.
    """
    found = shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)
    return found or pytest.skip(f"{name} is not installed")


WRONG = {
    "misspelt key": ('shape = "*s" }', 'shpe = "*s" }'),
    "wrong type": ('doc            = "Elementwise `-x`."', "doc            = 3"),
    "unknown platform": ('{ on = "neuron"', '{ on = "gpu"'),
    "unknown dtype": ('T = ["f32"', 'T = ["f23"'),
    "key of another role": (
        'outputs.y      = { dtype = "T",',
        'outputs.y      = { update = true, dtype = "T",',
    ),
}


def test_tombi_and_taplo_accept_the_specs(tmp_path: Path) -> None:
    tombi, taplo = tool("tombi"), tool("taplo")
    for command in ([tombi, "lint", "--offline"], [taplo, "check"]):
        subprocess.run([*command, *map(str, SPECS)], cwd=ROOT, check=True)


LINTERS = {
    "tombi": (["tombi", "lint", "--offline"], "Error"),
    "taplo": (["taplo", "check"], "error:"),
}


@pytest.mark.parametrize("linter", LINTERS)
@pytest.mark.parametrize("mistake", WRONG)
def test_an_editor_gets_one_error_at_the_line_of_a(
    mistake: str, linter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name, *arguments), word = LINTERS[linter]
    monkeypatch.setenv("NO_COLOR", "1")
    shutil.copy(ROOT / "opgen.schema.json", tmp_path)
    (tmp_path / "specs").mkdir()
    good, bad = WRONG[mistake]
    text = (ROOT / "specs" / "tensor_negate.toml").read_text()
    assert good in text
    (tmp_path / "specs" / "bad.toml").write_text(text.replace(good, bad, 1))
    line = text[: text.index(good)].count("\n") + 1
    process = subprocess.run(
        [tool(name), *arguments, "specs/bad.toml"], cwd=tmp_path, capture_output=True, text=True
    )
    said = process.stdout + process.stderr
    assert process.returncode == 1 and said.count(word) == 1
    assert f"specs/bad.toml:{line}:" in said
