"""A target in another package: its options, lint rule, documentation, and files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import opgen

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).parent / "ir_json"
OPGEN = Path(opgen.__file__).parent
SPEC = """spec = 1
[dtypes]
T = ["f32", "f64"]
[ops.{name}]
doc            = "An op."
inputs.x       = {{ dtype = "T", shape = "*s n" }}
outputs.y      = {{ dtype = "T", shape = "*s 2*n" }}
grad           = "none"
sharding.split = ["s"]
kernels        = ["cpu"]
"""
OTHERS = "Metadata-Version: 2.1\nName: other\nVersion: 1\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the target with pip into a folder, and return the folder."""
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(PACKAGE, tmp_path_factory.mktemp("source") / "ir_json")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
        + ["--no-build-isolation", "--target", str(folder), str(source)],
        check=True,
    )
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create two families of one op each; the first names its file."""
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.opgen]\n")
    first = SPEC.format(name="one") + 'ir_json.file   = "first"\n'
    (folder / "specs" / "one.toml").write_text(first)
    (folder / "specs" / "two.toml").write_text(SPEC.format(name="two"))
    return folder


def run(project: Path, *arguments: str, path: Path | None = None) -> tuple[int, str]:
    """Return the exit code and output of a command, with `path` on Python's path."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(project.parent / "cache")}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(path or "")]))
    done = subprocess.run(
        [sys.executable, "-m", "opgen", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_package_is_small_and_touches_nothing_else() -> None:
    files = [f for f in PACKAGE.rglob("*") if f.suffix in (".py", ".toml")]
    assert sum(len(f.read_text().splitlines()) for f in files) <= 100
    sources = [*OPGEN.rglob("*.py"), *OPGEN.rglob("*.j2"), OPGEN.parent / "pyproject.toml"]
    naming = [file for file in sources if "ir_json" in file.read_text()]
    assert sources and not naming, "opgen itself does not know the target"


def test_its_option_is_part_of_the_language_where_it_is_installed(
    installed: Path, project: Path
) -> None:
    """A target's option is part of the spec language only if the target is installed.

    The order of runs does not matter, because cached models belong to a set of targets.
    """
    for _ in range(2):
        assert run(project, "lint", path=installed) == (0, "all good\n")
        code, text = run(project, "lint")
        assert code == 1 and "OG010 unknown-key]: unknown key `ir_json`" in text
    spec = project / "specs" / "one.toml"
    spec.write_text(spec.read_text().replace("ir_json.file", "ir_json.flie"))
    code, text = run(project, "lint", path=installed)
    assert code == 1 and "did you mean `file`?" in text


def test_its_rule_is_one_of_the_linter(installed: Path, project: Path) -> None:
    with (project / "specs" / "two.toml").open("a") as spec:
        spec.write('ir_json.file = "first"\n')
    code, text = run(project, "lint", path=installed)
    assert code == 1 and text.startswith(
        "specs/two.toml:11:16: error[IJ001 ir-json-shared-file]: `one` is written to first.json too\n"
    )
    assert run(project, "lint", "--ignore", "IJ001", path=installed)[0] == 0


def test_it_is_documented_with_the_rest(installed: Path, project: Path) -> None:
    code, text = run(project, "explain", "ir_json.file", path=installed)
    assert code == 0 and text.startswith("file (of ir_json): name\n")
    assert "Two ops are written to one" in run(project, "explain", "IJ001", path=installed)[1]
    assert "IJ001  ir-json-shared-file" in run(project, "explain", path=installed)[1]
    page = run(project, "reference", path=installed)[1]
    assert "## `ir_json`\n\nOutput of the IR of an op.\n" in page
    assert (
        '| `ir_json` | table | Options of the JSON target. | `ir_json = { file = "first" }` |'
        in page
    )
    schema = json.loads(run(project, "schema", path=installed)[1])
    assert "file" in schema["$defs"]["IrJsonOptions"]["properties"]


def test_it_renders_beside_the_others(installed: Path, project: Path) -> None:
    code, text = run(project, "render", path=installed)
    assert code == 0, text
    folder = project / "generated" / "ir_json"
    assert sorted(f.name for f in folder.iterdir()) == ["first.json", "two.json"]
    op = json.loads((folder / "first.json").read_text())
    assert op["name"] == "one" and op["options"]["ir_json"] == {"file": "first"}
    assert op["outputs"][0]["forms"]["cases"] == [[None, ["*s 2*n"]]]
    assert (project / "generated" / "core" / "_one.py").is_file()
    assert run(project, "render", "--check", path=installed)[0] == 0


def test_a_changed_rule_is_asked_again(installed: Path, project: Path) -> None:
    """A changed lint rule of a target is checked again, even if only opgen's targets are rendered.

    The record of an earlier run without findings is then not used.
    """
    folder = Path(shutil.copytree(installed, project.parent / "copy"))
    command = ("render", "--target", "core")
    assert run(project, *command, path=folder)[0] == 0
    rule = folder / "ir_json" / "lint" / "shared_file.py"
    rule.write_text(rule.read_text().replace("!= op.name:", "== op.name:"))
    code, text = run(project, *command, path=folder)
    assert code == 1 and "IJ001" in text


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        (
            "other",
            "import nothing_of_this_name",
            "target `other`: other cannot be imported: ModuleNotFoundError",
        ),
        (
            "other",
            "from opgen.spec.extensions import Extension\nEXTENSION = Extension(title='O', "
            "models='json', lint='other.rules')",
            "target `other`: other.rules cannot be imported",
        ),
        (
            "doc",
            "from opgen.spec.extensions import Extension\nEXTENSION = Extension(title='O', models='ir_json.models')",
            "a target cannot add `doc`: Op has that key",
        ),
        (
            "other",
            "from typing import TypedDict\nfrom opgen.spec.extensions import Extension\nEXTENSION = "
            "Extension(title='O', models='other')\nclass Options(TypedDict):\n    size: int",
            "target `other`: `size` needs a `doc`",
        ),
    ],
    ids=["package", "rules", "key", "undocumented"],
)
def test_a_target_that_cannot_be_used_is_told(
    installed: Path, project: Path, name: str, code: str, said: str
) -> None:
    folder = Path(shutil.copytree(installed, project.parent / "copy"))
    info = folder / "other-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(OTHERS)
    (info / "entry_points.txt").write_text(f"[opgen.targets]\n{name} = other\n")
    (folder / "other.py").write_text(code + "\n")
    code_, text = run(project, "lint", path=folder)
    assert code_ == 2 and text.startswith(f"opgen: {said}"), text
