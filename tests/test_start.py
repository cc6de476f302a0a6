"""Test the files that `opgen init` and `opgen new` create, and the errors of both."""

from __future__ import annotations

import errno
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from opgen.cli.main import main
from opgen.cli.parser import parser
from opgen.start import KINDS

# The files of docs/tutorials/first-op.md, which are built and tested from an installed wheel.
SHOWN = Path(__file__).parent / "outside" / "project"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_text() for file in files}


def test_init_begins_what_the_tutorial_shows(folder: Path) -> None:
    assert main(["init", "acme_ops"]) == 0
    begun = texts(folder)
    assert begun.pop("opgen.schema.json") == (SHOWN.parents[2] / "opgen.schema.json").read_text()
    assert begun.keys() >= {"pyproject.toml", "specs/scaled_square.toml"}
    assert begun == {path: (SHOWN / path).read_text() for path in begun}


@pytest.mark.parametrize("kind", KINDS)
def test_what_begins_lints_and_renders(
    folder: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ["--module"] if kind == "norm" else []
    assert main(["init", "acme_ops", "--like", kind, *module]) == 0
    assert main(["new", "another_one", "--like", kind, *module]) == 0
    assert main(["lint"]) == main(["render"]) == 0
    assert "source yet" not in capsys.readouterr().err
    if module:
        assert "class AnotherOne(" in (folder / "acme_ops/torch/_another_one_torch.py").read_text()
        offered = (folder / "acme_ops/torch/__init__.py").read_text()
        assert "from ._another_one_torch import AnotherOne\n" in offered


def test_init_adds_to_files_that_are_there(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "acme"\n')
    (folder / ".gitignore").write_text("*.log\n")
    assert main(["init", "acme_ops"]) == 0
    added = texts(SHOWN)["pyproject.toml"]
    assert (folder / "pyproject.toml").read_text() == f'[project]\nname = "acme"\n\n{added}'
    assert (folder / ".gitignore").read_text().startswith("*.log\n\n/build/\n")


@pytest.mark.parametrize("there", [False, True])
def test_init_begins_continuous_integration(folder: Path, there: bool) -> None:
    """`opgen init --ci` creates a workflow in a new project, or for an existing one."""
    if there:
        assert main(["init", "acme_ops"]) == 0
    assert main(["init", *([] if there else ["acme_ops"]), "--ci"]) == 0
    settings = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]
    assert settings["opgen"]["package"] == "acme_ops"
    for machine in ("x86_64", "aarch64"):
        assert settings["cibuildwheel"][f"manylinux-{machine}-image"] == "manylinux_2_28"
    file = folder / ".github/workflows/acme_ops.yml"
    workflow = yaml.safe_load(file.read_text())
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("opgen ")]
    for command in commands:
        parser().parse_args(command.split()[1:])
    assert commands[-1] == "opgen package" and len(commands) == 4
    installs = [step["run"] for step in steps if "pip install" in step.get("run", "")]
    assert installs and all('] @ $OPGEN"' in line for line in installs)  # without a package index
    others = [each for line in installs for each in line.partition('$OPGEN" ')[2].split()]
    assert others and all(re.fullmatch(r"\w+==[\d.]+", each) for each in others)
    used = [step["uses"] for step in steps if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in used)
    assert workflow["permissions"] == {"contents": "read"}
    (attests,) = [job for job in workflow["jobs"].values() if "permissions" in job]
    assert attests["permissions"].items() >= {("id-token", "write"), ("attestations", "write")}
    assert any(step.get("run") == "python -m pytest acme_ops/tests" for step in steps)
    assert main(["init", "--ci"]) == 2  # a second time fails


def test_the_workflow_is_what_github_reads(folder: Path) -> None:
    """The workflow is valid by GitHub's schema, which check-jsonschema contains."""
    pytest.importorskip("check_jsonschema")
    assert main(["init", "acme_ops", "--ci"]) == 0
    schema = ["--builtin-schema", "vendor.github-workflows"]
    command = [sys.executable, "-m", "check_jsonschema", *schema, ".github/workflows/acme_ops.yml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_package_is_called_as_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "My-Ops"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert main(["init"]) == 0
    assert 'package = "my_ops"' in (folder / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["init"], "this folder has a project already: `opgen new OP` adds an op"),
        (["new", "scaled_square"], "specs/scaled_square.toml exists already"),
        (["new", "Row"], "an op cannot be called `Row`: a lower-case name is"),
        (["new", "../row"], "an op cannot be called `../row`: a lower-case name is"),
        (["new", "torch"], "an op cannot be called `torch`: `torch` is no name for an op"),
        (["new", "math"], "an op cannot be called `math`: math.h is a header of the C library"),
        (["new", "class"], "an op cannot be called `class`: `class` is a Python keyword"),
        (["new", "row", "--module"], "a module holds parameters, which"),
    ],
)
def test_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], says: str
) -> None:
    assert main(["init", "acme_ops"]) == 0
    before = texts(folder)
    capsys.readouterr()
    assert main(command) == 2
    assert f"opgen: {says}" in capsys.readouterr().err
    assert texts(folder) == before


@pytest.mark.parametrize("name", ["torch", "two words", "9ops", "int", "numpy", "kernels"])
def test_names_that_no_package_has(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["init", name]) == 2
    assert f"a package cannot be called `{name}`: expected " in capsys.readouterr().err
    assert texts(folder) == {}


def test_a_kernel_is_called_what_cpp_lets_it(folder: Path) -> None:
    """A kernel whose op name is a C++ keyword gets the name that the rendered code calls."""
    assert main(["init", "acme_ops"]) == main(["new", "int"]) == main(["render"]) == 0
    assert "Status int_(const IntView" in (folder / "kernels/int/int.cpp").read_text()
    assert "cpu::int_" in (folder / "acme_ops/cpp/int_cpu.cpp").read_text()


@pytest.mark.parametrize("command", [["init", "acme_ops"], ["new", "row"]])
def test_all_files_begin_or_none(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """If one file cannot be written, none is written."""
    if command[0] == "new":
        assert main(["init", "acme_ops"]) == 0
        shutil.rmtree(folder / "kernels")
    (folder / "kernels").write_text("")
    before = texts(folder)
    capsys.readouterr()
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said.startswith("opgen: kernels") and "Not a directory" in said
    assert texts(folder) == before


def test_a_full_disk(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(["init", "acme_ops"]) == 2
    assert (
        "kernels/scaled_square/scaled_square.cpp: No space left on device"
        in capsys.readouterr().err
    )
    assert texts(folder) == {}


@pytest.mark.parametrize("command", [["init", "acme_ops"], ["render"]])
def test_half_a_configuration_is_no_other_project(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """An incomplete pyproject.toml is an error; opgen does not use another project instead.

    An editor may be in the middle of writing the file.
    """
    (folder / "pyproject.toml").write_text("[tool.")
    assert main(command) == 2
    said = capsys.readouterr()
    assert "pyproject.toml:1:" in said.out and "the project's configuration is wrong" in said.err
    assert texts(folder) == {"pyproject.toml": "[tool."}


def test_a_file_where_the_package_belongs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "acme_ops"]) == 0
    (folder / "acme_ops").write_text("")
    capsys.readouterr()
    assert main(["render"]) == 2
    said = capsys.readouterr().err
    assert "acme_ops" in said and "internal error" not in said


def test_new_needs_a_project(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "row"]) == 2
    assert "there is no project here: `opgen init` creates one" in capsys.readouterr().err
    assert texts(folder) == {}


@pytest.mark.parametrize(
    "command",
    ["lint", "render", "build", "scaffold", "explain foo", "diff --against x", "new x", "package"],
)
def test_an_empty_folder_has_one_answer(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    assert capsys.readouterr().err == "opgen: there is no project here: `opgen init` creates one\n"


def test_the_first_op_has_the_name_that_is_asked_for(folder: Path) -> None:
    assert main(["init", "acme", "--op", "softcap"]) == 0
    assert {"specs/softcap.toml", "kernels/softcap/softcap.cpp"} <= texts(folder).keys()
    assert main(["lint"]) == 0


def test_a_name_that_another_spec_has(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "acme_ops"]) == 0
    (folder / "specs/scaled_square.toml").rename(folder / "specs/a.toml")
    capsys.readouterr()
    assert main(["new", "scaled_square"]) == 2
    assert "an op cannot be called `scaled_square`: " in capsys.readouterr().err


def test_settings_of_vs_code_are_those_of_the_page_and_yours_stay(folder: Path) -> None:
    template = SHOWN.parents[2] / "opgen/start/templates/vscode.json.j2"
    page = (SHOWN.parents[2] / "docs/editor.md").read_text()
    assert template.read_text() in page and json.loads(template.read_text())
    settings = folder / ".vscode/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    assert main(["init", "acme_ops"]) == 0
    assert settings.read_text() == "{}"


def test_agents_are_told_commands_that_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guides for AI agents, here and in a new project, name existing commands and files."""
    assert main(["init", "acme_ops"]) == 0
    for root in (folder, SHOWN.parents[2]):
        monkeypatch.chdir(root)
        text = Path("AGENTS.md").read_text()
        assert len(text.splitlines()) < 30
        loop = [line.split() for line in text.split("```")[1].strip().splitlines()]
        assert [words[1] for words in loop] == ["explain", "lint", "judge"]
        for _, *words in loop[:2]:
            capsys.readouterr()
            assert main(words) == 0
        assert json.loads(capsys.readouterr().out) == []
        assert Path(loop[2][3]).is_file()
    monkeypatch.chdir(folder)
    _, *words = next(
        line.split() for line in Path("AGENTS.md").read_text().splitlines() if "judge " in line
    )
    assert main([*words, "--level", "shapes"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["credit"] == 4 and all(level["outcome"] != "failed" for level in said["levels"])
