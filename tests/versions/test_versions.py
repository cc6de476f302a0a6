"""Programs cached, compiled or exported by an earlier version of a package are right or refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from opgen.compiler.pipeline import load
from opgen.diff import compare
from opgen.diff.rules import MODULES
from opgen.spec.config import Config
from tests.versions.changes import SAME, write

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Render and build both versions of the project."""
    folder = tmp_path_factory.mktemp("versions")
    made = {name: folder / name for name in ("former", "later")}
    for name, project in made.items():
        write(project, later=name == "later")
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


def run(program: str, caches: Path, *arguments: object, python: object = sys.executable) -> Any:
    paths = str(HERE.parents[1]), str(sysconfig.get_paths()["purelib"])
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "TORCHINDUCTOR_CACHE_DIR": str(caches),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
        "JAX_COMPILATION_CACHE_DIR": str(caches / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    command = [str(python), str(HERE / program), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_every_rule_of_diff_has_a_case(tmp_path: Path) -> None:
    projects = []
    for name in ("former", "later"):
        write(tmp_path / name, later=name == "later")
        config = Config(tmp_path / name)
        specs, found, _ = load([config.root / "specs/changes.toml"], config)
        assert specs is not None and not found
        projects.append(specs)
    reached = {found.rule for found in compare(*projects)}
    assert reached == {module.RULE for module in MODULES}


@pytest.mark.slow
def test_compiled_code_of_the_former_version_is_not_run(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    former = run("in_torch.py", tmp_path, versions["former"], "plain", "former")
    for mode in ("plain", "thread", "tagged"):
        later = run("in_torch.py", tmp_path, versions["later"], mode, "later")
        for op, value in later["found"].items():
            assert isinstance(value, list), f"{mode}: {op}: {value}"
            assert (value == former["found"][op]) is (op in SAME), f"{op} is no change"
        if mode == "plain":  # Inductor also finds a graph that two ops of one run share
            assert later["hits"][1] == 0
    # The cached graphs of the same version are still used.
    again = run("in_torch.py", tmp_path, versions["former"], "plain", "former")
    assert again["found"] == former["found"] and again["hits"][1] > 0


@pytest.mark.slow
def test_an_upgraded_wheel_does_not_run_compiled_code_of_the_former(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    found = {}
    for version in ("former", "later"):
        opgen_("package", versions[version])
        (wheel,) = (versions[version] / "dist").glob("*.whl")
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", wheel],
            check=True,
        )
        elsewhere = tmp_path / "empty"
        found[version] = run("in_torch.py", tmp_path, elsewhere, "plain", version, python=python)
    wanted = run("in_torch.py", tmp_path / "fresh", versions["later"], "plain", "later")
    assert found["later"]["found"] == wanted["found"] != found["former"]["found"]
    assert found["later"]["hits"][1] == 0


@pytest.mark.slow
@pytest.mark.parametrize("kinds", ["export,strict", "aoti"])
def test_saved_programs_of_the_former_version_are_refused(
    versions: dict[str, Path], tmp_path: Path, kinds: str
) -> None:
    """Programs of `torch.export`, strict or not, and packages of AOTInductor are refused."""
    own = run("in_saved.py", tmp_path, versions["former"], tmp_path, "save", "former", kinds)
    assert {*own} == {*kinds.split(",")}
    assert {outcome for each in own.values() for outcome in each.values()} == {"same"}
    later = run("in_saved.py", tmp_path, versions["later"], tmp_path, "load", "later", kinds)
    assert later == {kind: dict.fromkeys(each, "refused") for kind, each in own.items()}


@pytest.mark.slow
def test_exported_programs_of_the_former_version_are_refused(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    own = run("in_jax.py", tmp_path, versions["former"], tmp_path, "save", "former")
    assert {*own.values()} == {"same"}
    later = run("in_jax.py", tmp_path, versions["later"], tmp_path, "load", "later")
    assert later == dict.fromkeys(own, "refused")


@pytest.mark.slow
def test_the_compilation_cache_of_jax_gives_no_code_of_the_former_version(
    versions: dict[str, Path], tmp_path: Path
) -> None:
    """JAX's cache does not return code of the former version, or of another package.

    This holds on one device, on explicit meshes and on auto meshes.
    """
    former, later = ((versions[each], "versions_ops", each) for each in ("former", "later"))
    program, caches = "in_jax_cache.py", tmp_path / "cache"
    first = run(program, caches, *former)
    ops = [key.partition(".")[2] for key in first["found"]["device"]]
    write(tmp_path / "other", later=True, package="other_ops", ops=ops)
    opgen_("build", tmp_path / "other")
    other = tmp_path / "other", "other_ops", "later"
    wanted = run(program, tmp_path / "fresh", *later)["found"]
    assert run(program, caches, *later)["found"] == wanted
    both = run(program, caches, *former, *other)
    for kind, values in both["found"].items():
        renamed = {key.replace("versions_", "other_"): v for key, v in wanted[kind].items()}
        assert values == first["found"][kind] | renamed
        # A second process finds all that the first one has compiled.
        assert both["hits"][kind] >= 2 * len(ops) - 1


@pytest.mark.slow
def test_rendering_without_building_is_refused(versions: dict[str, Path], tmp_path: Path) -> None:
    """A package that was rendered but not built is refused, even by `opgen doctor`.

    `opgen build` renders first.
    """
    project = tmp_path / "project"
    shutil.copytree(versions["former"], project, ignore=shutil.ignore_patterns("build"))
    spec = project / "specs/changes.toml"
    spec.write_text(spec.read_text().replace('["n", "d"]', '["n"]'))
    opgen_("render", project)
    for framework in ("torch", "jax"):
        told = subprocess.run(
            [sys.executable, "-c", f"import versions_ops.{framework}"],
            cwd=project, capture_output=True, text=True,
        )  # fmt: skip
        last = told.stderr.splitlines()[-1]
        assert last.startswith("ImportError: ") and last.endswith("run `opgen build`"), last
        assert "was built of another state of this package" in last
    told = subprocess.run(
        [sys.executable, "-m", "opgen", "doctor"], cwd=project, capture_output=True, text=True
    )
    assert "of another state of the package; `opgen build`" in told.stdout
