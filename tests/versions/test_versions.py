"""A package that changed meets what was cached, compiled and exported: right or refused, never stale."""

from __future__ import annotations

import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import opgen.diff.rules
from tests.versions.changes import BY_HASH, CHANGES, NAME, RULES, write

HERE = Path(__file__).parent
OPS = ",".join(CHANGES)


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both versions of the project, rendered and built."""
    folder = tmp_path_factory.mktemp("versions")
    made = {}
    for version in ("former", "later"):
        made[version] = project = folder / version
        write(project, later=version == "later")
        (project / "pyproject.toml").write_text(
            f'[project]\nname = "{NAME}"\nversion = "1"\n'
            f'[tool.opgen]\npackage = "{NAME}"\nnamespace = "{NAME}"\nout = "{NAME}"\n'
        )
        opgen_("build", project)
    return made


def opgen_(command: str, project: Path) -> str:
    environment = os.environ | {"OPGEN_CPU_LEVELS": ""}
    done = subprocess.run(
        [sys.executable, "-m", "opgen", command],
        cwd=project, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def run(program: str, caches: Path, *arguments: object) -> Any:
    environment = os.environ | {
        "TORCHINDUCTOR_CACHE_DIR": str(caches),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
        "JAX_COMPILATION_CACHE_DIR": str(caches / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
    command = [sys.executable, str(HERE / program), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_every_rule_of_diff_has_a_case() -> None:
    rules = {each.name for each in pkgutil.iter_modules(opgen.diff.rules.__path__)}
    assert rules == RULES.keys() | BY_HASH.keys() and not RULES.keys() & BY_HASH.keys()
    assert {*RULES.values()} <= CHANGES.keys()


def test_compiled_code_of_the_former_version_is_not_run(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    former = run("in_torch.py", tmp_path, versions["former"], "plain", OPS, "former")
    for mode in ("plain", "thread", "tagged"):
        later = run("in_torch.py", tmp_path, versions["later"], mode, OPS, "later")
        for op, value in later["found"].items():
            assert isinstance(value, list), f"{mode}: {op}: {value}"
            same = op in ("attr_added", "no_split", "input_dtype")
            assert (value == former["found"][op]) is same, f"{op} is no change"
        if mode == "plain":  # Inductor also finds a graph that two ops of one run share
            assert later["hits"][1] == 0
    # And that of the same version is.
    again = run("in_torch.py", tmp_path, versions["former"], "plain", OPS, "former")
    assert again["found"] == former["found"] and again["hits"][1] > 0


@pytest.mark.parametrize(
    "kinds, ops",
    [
        ("export,strict", OPS),
        ("aoti", "result_dtype"),
        pytest.param("aoti", OPS, marks=pytest.mark.slow),
    ],
)
def test_saved_programs_of_the_former_version_are_refused(
    versions: dict[str, Path], tmp_path: Path, kinds: str, ops: str
) -> None:
    """Those of `torch.export`, strict or not, and the packages of AOTInductor."""
    own = run("in_saved.py", tmp_path, versions["former"], tmp_path, "save", ops, kinds, "former")
    assert own == {kind: dict.fromkeys(ops.split(","), "same") for kind in kinds.split(",")}
    later = run("in_saved.py", tmp_path, versions["later"], tmp_path, "load", ops, kinds, "later")
    assert later == {kind: dict.fromkeys(ops.split(","), "refused") for kind in kinds.split(",")}


def test_exported_programs_of_the_former_version_are_refused(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    own = run("in_jax.py", tmp_path, versions["former"], tmp_path, "save", OPS, "former")
    assert {*own.values()} == {"same"}
    later = run("in_jax.py", tmp_path, versions["later"], tmp_path, "load", OPS, "later")
    assert later == dict.fromkeys(CHANGES, "refused")


def test_rendering_without_building_is_refused(versions: dict[str, Path], tmp_path: Path) -> None:
    """Also by `opgen doctor`; `opgen build` renders first."""
    import shutil

    project = tmp_path / "project"
    shutil.copytree(versions["former"], project, ignore=shutil.ignore_patterns("build"))
    spec = project / "specs/changes.toml"
    spec.write_text(spec.read_text().replace('["n", "d"]', '["n"]'))
    opgen_("render", project)
    for framework in ("torch", "jax"):
        told = subprocess.run(
            [sys.executable, "-c", f"import {NAME}.{framework}"],
            cwd=project, capture_output=True, text=True,
        )  # fmt: skip
        last = told.stderr.splitlines()[-1]
        assert last.startswith("ImportError: ") and last.endswith("run `opgen build`"), last
        assert "was built of another state of this package" in last
    told = subprocess.run(
        [sys.executable, "-m", "opgen", "doctor"], cwd=project, capture_output=True, text=True
    )
    assert "of another state of the package; `opgen build`" in told.stdout
