"""The models: what is rendered from them is up to date, and what they accept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import opgen
from opgen import models, spec
from opgen.source import SourceFile
from opgen.spec import parse_spec

PACKAGE = Path(opgen.__file__).parent
ROOT = PACKAGE.parent


def test_the_compiled_validator_is_up_to_date() -> None:
    file = PACKAGE / "models.json"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        file.write_text(models.compiled())
    assert file.read_text() == models.compiled()


def test_another_pydantic_builds_the_validator_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pydantic_core.__version__", "0")
    spec.validator.cache_clear()
    assert spec.validator() is models.adapter()
    spec.validator.cache_clear()
