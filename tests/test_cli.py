"""Test the command line: exit codes, output streams, and unusual input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli import commands
from opgen.cli.main import main
from opgen.cli.parser import command_names, groups

GOOD = """spec = 1

[ops.negate]
doc            = "Elementwise `-x`."
inputs.x       = { dtype = "f32", shape = "*s" }
outputs.y      = { dtype = "f32", shape = "*s" }
grad.formulas  = { x = "-dy" }
sharding.split = ["s"]
kernels        = ["cpu"]
"""
BAD = GOOD.replace("dtype", "dtpye", 1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "negate.toml").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_exit_codes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 0
    assert main(["render", "--target", "core", "--check"]) == 1
    assert main(["render", "--target", "core"]) == 0
    assert main(["render", "--target", "core", "--check"]) == 0
    (project / "generated" / "core" / "_negate.py").write_text("mine")
    assert main(["render", "--target", "core"]) == 1
    assert main(["render", "--target", "core", "--force"]) == 0
    assert main(["render", "--target", "cobol"]) == 2
    (project / "specs" / "negate.toml").write_text(BAD)
    assert main(["lint"]) == 1
    assert main(["render", "--target", "core"]) == 1
    assert main(["lint", "nowhere"]) == 2
    with pytest.raises(SystemExit) as usage:
        main(["lint", "--format", "xml"])
    assert usage.value.code == 2


def test_nothing_is_written_when_a_spec_is_wrong(project: Path) -> None:
    (project / "specs" / "bad.toml").write_text(BAD.replace("negate", "other"))
    assert main(["render"]) == 1
    assert sorted(p.name for p in project.iterdir()) == ["specs"]


def test_findings_go_to_stdout_and_logs_to_stderr(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["render", "--target", "core"])
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("opgen: ")
    (project / "specs" / "negate.toml").write_text(BAD)
    main(["render"])
    printed = capsys.readouterr()
    assert "specs/negate.toml:5:20: error[OG010 unknown-key]" in printed.out
    assert printed.err == ""


def test_formats(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "specs" / "negate.toml").write_text(BAD)
    main(["lint", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["line"], finding["column"], finding["end_column"]) == (5, 20, 25)
    assert finding["rule"] == "OG010" and "dtype" in finding["help"]
    main(["lint", "--format", "github"])
    line = capsys.readouterr().out
    assert line.startswith("::error file=specs/negate.toml,line=5,col=20,")


def test_select_and_ignore(project: Path) -> None:
    (project / "specs" / "negate.toml").write_text(BAD)
    assert main(["lint", "--ignore", "unknown-key"]) == 0
    assert main(["lint", "--select", "OG2"]) == 0
    assert main(["lint", "--select", "OG2,OG010"]) == 1
    (project / "specs" / "negate.toml").write_text("spec = ")
    assert main(["lint", "--select", "OG2"]) == 1, "an unreadable file is always told"


def test_a_rule_that_there_is_not_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", "--select", "OG2,OG999"]) == 2
    assert "there is no rule `OG999`" in capsys.readouterr().err
    assert main(["lint", "--ignore", "unknwon-key"]) == 2
    assert "did you mean `unknown-key`?" in capsys.readouterr().err


def test_lint_looks_at_the_files_that_a_spec_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = GOOD + 'reference      = "negate.py:negate"\n'
    spec = spec.replace('["cpu"]', '[{ on = "neuron", nki = "a.py:negate" }]')
    (project / "specs" / "negate.toml").write_text(spec)
    assert main(["lint"]) == 1
    printed = capsys.readouterr().out
    assert "error[OG030 bad-reference]: negate.py: " in printed
    assert "error[OG031 missing-source]: kernels/a.py: cannot be read" in printed


@pytest.mark.parametrize(
    ("text", "rule"), [("", "OG013"), ("# later\n", "OG013"), ("ops:\n  x: 1\n", "OG002")]
)
def test_a_spec_that_is_empty_or_no_toml_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, rule: str
) -> None:
    (project / "specs" / "softcap.toml").write_text(text)
    assert main(["lint"]) == 1
    printed = capsys.readouterr().out
    assert "specs/softcap.toml:1:" in printed and f"error[{rule} " in printed
    assert "help: " in printed


def test_a_spec_of_another_format_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs" / "negate.toml").rename(project / "specs" / "negate.yaml")
    assert main(["lint"]) == 2
    assert "a spec is a .toml file, unlike negate.yaml" in capsys.readouterr().err


def test_a_folder_stands_for_the_specs_in_it(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "spec"\n')
    (project / "generated" / "reference").mkdir(parents=True)
    (project / ".hidden").mkdir()
    for copy in ("generated/reference/negate.toml", ".hidden/negate.toml"):
        (project / copy).write_text(GOOD)
    assert main(["lint", "."]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('out = "../elsewhere"', "expected a folder below"),
        ('out = "/tmp"', "expected a folder below"),
        ('kernels = "a\\\\b"', "expected a folder below"),
        ('package = "a-b"', "expected a Python package's name"),
        ('package = "a.class"', "expected a Python package's name"),
        ('namespace = "torch"', "`torch` is taken"),
        ('namespace = "Fast"', "lower-case"),
        ("targets = [1]", "a list of targets"),
        ('cuda_archs = ["sm_80"]', "a list such as"),
        ('runtime = "packaged"', 'expected "vendored" or "package"'),
        ('spec = "specs"', "did you mean `specs`?"),
    ],
)
def test_configuration(
    project: Path, line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.opgen]\n{line}\n")
    assert main(["lint"]) == 2
    printed = capsys.readouterr().out
    assert message in printed and "pyproject.toml:2:" in printed


def test_the_project_is_found_from_below(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "pyproject.toml").write_text('[tool.opgen]\nspecs = "specs"\nout = "g"')
    (project / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(project / "deep" / "er")
    assert main(["render", "--target", "core"]) == 0
    assert (project / "g" / "MANIFEST").is_file()


def test_an_internal_error_is_told_in_two_lines(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(commands, "spec_sources", broken)
    assert main(["lint"]) == 2
    assert "this is a bug in opgen: RuntimeError('oh')" in capsys.readouterr().err
    monkeypatch.setenv("OPGEN_DEBUG", "1")
    with pytest.raises(RuntimeError):
        main(["lint"])


def test_a_reader_that_goes_away_is_no_traceback(project: Path) -> None:
    read, written = os.pipe()
    os.close(read)
    process = subprocess.run(
        [sys.executable, "-m", "opgen", "lint"],
        env={**os.environ, "PYTHONPATH": str(Path(commands.__file__).parents[1])},
        stdout=written,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(written)
    assert process.stderr == "" and process.returncode == 141


def test_lint_imports_nothing_heavy(project: Path) -> None:
    script = "import sys; from opgen.cli.main import main; main(['lint']); print(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(Path(commands.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"torch", "jax", "numpy", "jinja2", "pydantic", "importlib.metadata"}
    assert not heavy & set(process.stdout.split())


def test_copies_in_the_rendered_package_are_left_out(project: Path) -> None:
    copy = project / "generated" / "reference" / "negate.toml"
    copy.parent.mkdir(parents=True)
    copy.write_text(GOOD)
    assert main(["lint", "specs/negate.toml", str(copy)]) == 0
    copy.write_text(BAD)
    assert main(["lint", "specs/negate.toml", str(copy)]) == 0
    assert main(["lint", str(copy)]) == 1


def test_without_a_project_the_package_is_rendered_here(project: Path) -> None:
    assert main(["render", "specs/", "--target", "core"]) == 0
    assert (project / "generated" / "MANIFEST").is_file()


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (GOOD.replace("spec = 1", "spce = 1").encode(), "OG013"),
        (GOOD.replace("spec = 1\n", "").encode(), "OG013"),
        (b"ops.f = 1\n", "OG013"),
        (b"[ ops . f ]\n", "OG013"),
        (GOOD.encode("utf-16"), "OG001"),
        (GOOD.encode() + b"#" * 1_000_000, "OG001"),
        (None, "OG001"),
    ],
    ids=["typo", "left out", "dotted", "blanks", "UTF-16", "too large", "unreadable"],
)
def test_a_spec_that_cannot_be_used_is_an_error_and_not_gone(
    project: Path, data: bytes | None, rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A spec that cannot be used is an error, and its rendered files stay.

    Formerly such a spec was skipped, its rendered files were removed, and the exit code was 0.
    """
    (project / "specs" / "other.toml").write_text(GOOD.replace("negate", "other"))
    assert main(["render", "--target", "core"]) == 0
    before = {p: p.read_bytes() for p in (project / "generated").rglob("*.py")}
    spec = project / "specs" / "other.toml"
    if data is None:
        # Simulates a file without read permission: a test that runs as root may read everything.
        spec.unlink()
        spec.symlink_to("nowhere")
    else:
        spec.write_bytes(data)
    for command in (["lint"], ["render", "--target", "core"], ["lint", "specs"]):
        capsys.readouterr()
        assert main(command) == 1
        assert f"specs/other.toml:1:1: error[{rule}" in capsys.readouterr().out
    assert before == {p: p.read_bytes() for p in (project / "generated").rglob("*.py")}


def test_some_specs_do_not_take_the_files_of_the_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs" / "other.toml").write_text(GOOD.replace("negate", "other"))
    (project / "settings.toml").write_text("[tool.opgen]\n")
    assert main(["render"]) == 0
    before = {p: p.read_bytes() for p in (project / "generated").rglob("*.*")}
    for more in ([], ["--check"], ["--target", "core"], ["--no-cache", "--force"]):
        capsys.readouterr()
        assert main(["render", "specs/negate.toml", *more]) == 2
        said = capsys.readouterr().err
        assert "specs/other.toml would be left out: run `opgen render`" in said
    assert main(["render", "specs/negate.toml", "specs/other.toml"]) == 0
    assert main(["render", "specs/", "--check"]) == main(["render", ".", "--check"]) == 0
    assert main(["render", "specs/negate.toml", "--out", "alone"]) == 0
    assert before == {p: p.read_bytes() for p in (project / "generated").rglob("*.*")}


def test_what_is_removed_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "specs" / "other.toml").write_text(GOOD.replace("negate", "other"))
    assert main(["render", "--target", "core"]) == main(["render", "--target", "docs"]) == 0
    (project / "specs" / "other.toml").unlink()
    capsys.readouterr()
    assert main(["render"]) == 0
    said = capsys.readouterr().err
    assert "removed, for no spec renders them: core/_other.py, docs/_index.md" in said


def test_the_difference_to_what_is_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "--target", "core"]) == 0
    file = project / "generated" / "core" / "_negate.py"
    text = file.read_text()
    file.write_text(text.replace("return ", "yield "))
    file.with_name("__init__.py").unlink()
    capsys.readouterr()
    assert main(["render", "--target", "core", "--diff"]) == 1
    shown = capsys.readouterr().out
    assert "--- a/core/_negate.py\n+++ b/core/_negate.py\n" in shown
    assert "--- /dev/null\n+++ b/core/__init__.py\n" in shown
    removed = [line for line in shown.splitlines() if line.startswith("-  ")]
    assert removed and all("yield " in line for line in removed)
    assert file.read_text() != text


@pytest.mark.parametrize(
    ("command", "shown"),
    [("schema", '"$schema"'), ("cmake-dir", "cmake\n"), ("include-dir", "include\n")],
)
def test_commands_that_print_one_thing(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command]) == 0
    text = capsys.readouterr().out
    assert shown in text and (command == "schema" or Path(text.strip()).is_dir())


def test_a_mistyped_command_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lnt"]) == 2
    said = capsys.readouterr().err
    assert said == "opgen: there is no command `lnt`: did you mean `lint`?\n"


def test_help_has_every_command_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    for group in groups().values():
        for command in group:
            assert f"  {command.name} " in shown and command.example in shown
            assert command.example.startswith("opgen ") or "opgen " in command.example
    assert "Exit codes:" in shown and "NO_COLOR" in shown
    assert max(map(len, shown.splitlines())) <= 110


@pytest.mark.parametrize("name", command_names())
def test_help_of_a_command_begins_with_its_usage_and_ends_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"usage: opgen {name} ") and lines[-1].startswith("example: ")


def test_json_is_json_of_every_command_that_has_the_format(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command prints a JSON list, even if there is nothing to report."""
    for command in ("lint", "render --check", "render", "render", "render --check", "scaffold"):
        capsys.readouterr()
        main([*command.split(), "--format", "json"])
        shown = json.loads(capsys.readouterr().out)
        assert isinstance(shown, list), command
        if command == "render --check":
            assert {each["change"] for each in shown} <= {"missing", "stale"}
    main(["doctor", "--format", "json"])
    assert {"name", "verdict", "found", "fix"} == json.loads(capsys.readouterr().out)[0].keys()
