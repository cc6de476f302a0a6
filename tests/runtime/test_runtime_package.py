"""With `runtime = "package"` a package imports opgen-runtime instead of a copy in `_opgen/`.

The package of `tests/sizes` is built with this setting.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.package.runtime_wheel import write_runtime
from opgen.runtime import runtime_hash

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two rendered projects with the same ops, one for each value of `runtime`."""
    folder = tmp_path_factory.mktemp("projects")
    for runtime in ("vendored", "package"):
        project = folder / runtime
        (project / "specs").mkdir(parents=True)
        for name in ("relu.toml", "relu.py"):
            shutil.copy2(ROOT / "specs" / name, project / "specs" / name)
        shutil.copytree(ROOT / "runtime/kernels/relu", project / "kernels/relu")
        (project / "pyproject.toml").write_text(
            '[tool.opgen]\nout = "acme"\npackage = "acme"\nnamespace = "acme"\n'
            f'targets = ["core", "cpp", "torch", "jax"]\nruntime = "{runtime}"\n'
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(project)
            assert main(["render"]) == 0
    write_runtime(folder / "site/opgen_runtime")
    return folder


def run(program: str, project: Path, site: Path | None) -> tuple[str, str]:
    """Return the output of a program, and the last line of its standard error."""
    path = os.pathsep.join(map(str, filter(None, (site, project))))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.parent,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return done.stdout, (done.stderr.strip().splitlines() or [""])[-1]


def test_the_files_differ_in_the_runtime_alone(projects: Path) -> None:
    def files(runtime: str) -> dict[str, str]:
        root = projects / runtime / "acme"
        found = {p.relative_to(root).as_posix(): p for p in root.rglob("*.py")}
        return {n: p.read_text() for n, p in found.items() if not n.startswith("lib/")}

    vendored, package = files("vendored"), files("package")
    kept = {name for name in vendored if not name.startswith("_opgen/")}
    assert package.keys() == kept | {"_opgen/__init__.py"}
    assert {n for n in kept if vendored[n] != package[n]} == {"core/_package.py"}
    assert {name.split("/")[1] for name in vendored.keys() - kept} == {
        *("__init__.py", "core", "debug", "jax", "torch")
    }


def test_another_runtime_is_refused(projects: Path, tmp_path: Path) -> None:
    _, error = run("import acme.core", projects / "package", None)
    assert error == (
        "ImportError: acme needs opgen-runtime 0.2.0, which is not installed: "
        "`opgen package --runtime` builds it"
    )
    write_runtime(tmp_path / "opgen_runtime")
    header = tmp_path / "opgen_runtime/__init__.py"
    header.write_text(header.read_text().replace(runtime_hash(), "0" * 12))
    _, error = run("import acme.core", projects / "package", tmp_path)
    assert error == (
        f"ImportError: acme was rendered for opgen-runtime 0.2.0 ({runtime_hash()}), and "
        f"opgen-runtime 0.2.0 ({'0' * 12}) is installed: install the first, or render again with "
        "the opgen of the second"
    )


def test_debugging_needs_opgen(tmp_path: Path) -> None:
    """Shadowing, which compares calls with the reference, needs opgen. Plain calls do not.

    An empty module called `opgen` simulates a machine without opgen.
    """
    (tmp_path / "opgen.py").write_text("")
    call = "import generated.torch, torch; print(generated.torch.relu(torch.ones(1)).item())"
    shadowed = f"import os; os.environ['OPGEN_SHADOW'] = '*:1'; {call}"
    assert run(shadowed, ROOT, None) == ("1.0\n", "")
    assert run(call, ROOT, tmp_path) == ("1.0\n", "")
    _, error = run(shadowed, ROOT, tmp_path)
    assert error == "ImportError: install opgen 0.2.0 to shadow or replay calls of generated"
