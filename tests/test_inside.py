"""opgen reads, writes and names no file outside a project."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.source.inside import Outside, inside
from opgen.source.source_file import SourceFile

OPGEN = Path(__file__).parents[1] / "opgen"
SECRET = "TOKEN hunter2"
SPEC = """spec = 1
[ops.f]
doc = "An op."
inputs.x = { dtype = "f32", shape = "m" }
outputs.y = { dtype = "f32", shape = "m" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project next to a secret file."""
    (tmp_path / "secret.py").write_text(SECRET)
    root = tmp_path / "project"
    (root / "specs").mkdir(parents=True)
    (root / "kernels").mkdir()
    (root / "pyproject.toml").write_text('[tool.opgen]\npackage = "p"\nout = "p"\n')
    (root / "specs/f.toml").write_text(SPEC)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../secret.py", "a/../../secret.py", ".git", "a/.GIT/x", "", "a\nb", "c:x"],
)
def test_names_that_lead_out_are_refused(project: Path, name: str) -> None:
    with pytest.raises(Outside):
        inside(project, name)


def test_links_stay_in_the_project(project: Path) -> None:
    (project / "out").symlink_to(project.parent)
    (project / "in").symlink_to("kernels")
    (project / "round").symlink_to("round")
    assert inside(project, "in/a.cpp") == project / "in/a.cpp"
    for name in ("out", "out/secret.py", "round/a"):
        with pytest.raises(Outside):
            inside(project, name)


LED_OUT = {
    "a size": 'dims.z = "%s"\nworkspace.w = { dtype = "f32", shape = "z" }',
    "a reference": 'reference = "%s"',
    "a kernel in Triton": 'kernels = [{ on = "cuda", triton = { function = "%s" } }]',
}


@pytest.mark.parametrize("key", LED_OUT)
@pytest.mark.parametrize("file", ["{secret}", "../../secret.py", "/proc/self/environ", "link.py"])
def test_no_line_of_another_file_is_shown(
    project: Path, key: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("specs", "kernels"):
        (project / folder / "link.py").symlink_to(project.parent / "secret.py")
    name = file.format(secret=project.parent / "secret.py")
    text = SPEC.replace('kernels = ["cpu"]', "") if "Triton" in key else SPEC
    (project / "specs/f.toml").write_text(f"{text}\n{LED_OUT[key] % f'{name}:f'}\n")
    assert main(["render", "--no-cache"]) == 1
    said = capsys.readouterr().out
    assert "error[" in said and SECRET not in said and "hunter2" not in said
    assert not (project / "p").exists()


def test_a_spec_that_is_a_link_is_not_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs/g.toml").symlink_to(project.parent / "secret.py")
    assert main(["lint"]) == 1
    said = capsys.readouterr().out
    assert "leads out of the project" in said and "hunter2" not in said


@pytest.mark.parametrize(
    "line",
    [
        'out = ".git"',
        'out = "x/.git/hooks"',
        'out = "away"',
        'out = "away/p"',
        'specs = "away"',
        'kernels = "away"',
        'bench = { peers = "away/native.py" }',
    ],
)
def test_folders_of_a_project_are_in_it(
    project: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "elsewhere").mkdir()
    (project / "away").symlink_to(project.parent / "elsewhere")
    (project / ".git").mkdir()
    (project / "pyproject.toml").write_text(f'[tool.opgen]\npackage = "p"\n{line}\n')
    assert main(["render"]) == 2
    assert "error[OG" in capsys.readouterr().out
    assert not [*(project / ".git").iterdir(), *(project.parent / "elsewhere").iterdir()]


def test_a_named_file_that_leads_out_has_no_text(project: Path) -> None:
    found = SourceFile.named(project, "../secret.py")
    assert found.problem is not None and found.text == ""


# Paths that no spec names: opgen's own files, folders that were checked with pyproject.toml, and
# the paths that `os.walk` and git list.
OWN = {
    "compiler/discovery.py": {"here / f"},
    "diff/history.py": {"folder / name"},
    "language/expr/evaluate.py": {"1.0 / math.sqrt(x)"},
    "source/inside.py": {"each / mark", "folder.joinpath(*parts)"},
    "source/lock.py": {"folder / LOCK"},
    "spec/config.py": {
        "self.root / self.specs",
        "self.root / self.out",
        "self.root / self.kernels",
    },
    "spec/validator.py": {"folder / f'models-{key.hexdigest()[:16]}.json'"},
}


def test_one_function_resolves_what_specs_name() -> None:
    found: dict[str, set[str]] = {}
    for folder in ("source", "spec", "language", "lint", "compiler", "ir", "diff"):
        for file in (OPGEN / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                match node:
                    case ast.BinOp(op=ast.Div(), right=right) if not isinstance(
                        right, ast.Constant
                    ):
                        joined = True
                    case ast.Call(func=ast.Attribute(attr="joinpath")):
                        joined = True
                    case _:
                        joined = False
                if joined:
                    name = file.relative_to(OPGEN).as_posix()
                    found.setdefault(name, set()).add(ast.unparse(node))
    assert found == OWN
