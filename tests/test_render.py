"""Rendered files have the same bytes everywhere, and strings of a spec never become code."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.compiler.pipeline import check, load, resolve
from opgen.ir.project import Project
from opgen.output.files import MANIFEST, collect
from opgen.output.render import builtin_targets, render
from opgen.output.write import check as differences
from opgen.source.diagnostics import errors
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config, load_config
from opgen.spec.extensions import TargetError
from opgen.spec.parse import parse_spec
from opgen.targets.target import OutputFile

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def rendered() -> list[OutputFile]:
    """Return the files that all targets render from the specs of this repository."""
    config, *_ = load_config(ROOT)
    project, found, _ = load(sorted(config.specs_dir.glob("*.toml")), config, tables=True)
    assert project is not None and not errors(found)
    return render(project)


def test_the_committed_package_is_what_the_specs_say(rendered: list[OutputFile]) -> None:
    assert vars(differences(rendered, ROOT / "generated")) == dict.fromkeys(
        ("missing", "stale", "edited", "orphaned", "forgotten", "converted"), ()
    )


def test_the_same_bytes_everywhere(rendered: list[OutputFile], tmp_path: Path) -> None:
    for seed, folder in enumerate(("a", "b/c")):
        (tmp_path / folder).mkdir(parents=True)
        out = tmp_path / folder / "out"
        subprocess.run(
            [sys.executable, "-m", "opgen", "render", ROOT / "specs", "--out", out],
            cwd=tmp_path / folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(seed)},
            check=True,
        )
        for file in rendered:
            assert (out / file.path).read_bytes() == file.data, file.path


def test_nothing_of_this_machine_is_rendered(rendered: list[OutputFile]) -> None:
    for file in rendered:
        assert str(ROOT) not in file.text, file.path


def test_text_files_are_tidy(rendered: list[OutputFile]) -> None:
    for file in rendered:
        if not file.path.startswith(("reference/", "py.typed")):
            assert file.text.endswith("\n") and not file.text.endswith("\n\n"), file.path
            assert not re.search(r"[ \t]+\n", file.text), file.path


# --- strings that would like to be code

SPEC = """spec = 1

[ops.f]
doc                 = {doc}
replaces            = [{replaced}]
inputs.x            = {{ dtype = "f32", shape = "*s n", doc = {input} }}
attrs.mode          = {{ type = "str", default = {default}, choices = [{default}, "other"], doc = {attr} }}
attrs.label         = {{ type = "str", default = {label} }}
outputs.y           = {{ dtype = "f32", shape = "*s n", doc = {output} }}
require             = [{{ "n > 1" = {message} }}]
grad.formulas       = {{ x = "dy" }}
grad.require        = [{{ "n > 2" = {grad} }}]
sharding.split      = ["s"]
kernels             = [{{ on = "cpu", require = [{{ "n > 3" = {kernel} }}] }}]
"""
FIELDS = re.findall(r"(?<!{){(\w+)}", SPEC)
HOSTILE = [
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    'a\\"',
    "*/ int x; /*",
    "// */",
    "??/",
    "{{ x }}",
    "{% raw %}",
    "{x!r}",
    "%s %(a)d",
    "${x}",
    "\\n",
    "\\N{BULLET}",
    "#",
    "x = 1",
    'R"(',
    ')"',
    "`",
    "é\U0001f600",
    "a\nimport os",
    'a\n"""\nimport os',
    "a */\nint x;",
    "a\\\nint x;",
    "x" * 500,
    "word " * 80,
]


def spec_with(values: dict[str, str]) -> str:
    def basic(text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    return SPEC.format(**{f: basic(values.get(f, f)) for f in FIELDS})


def project_with(values: dict[str, str]) -> Project | None:
    """Return the project of a spec with these strings; None if lint refuses them."""
    source = SourceFile("f.toml", spec_with(values))
    spec, found = parse_spec(source)
    specs = {} if spec is None else {source.path: spec}
    found += check(specs)
    return None if found else resolve(specs, {source.path: source}, Config(ROOT))


def rendered_with(values: dict[str, str]) -> list[OutputFile]:
    project = project_with(values)
    assert project is not None
    return render(project)


def skeleton(file: OutputFile) -> object:
    """Return a file's code without strings, comments, and hashes (which cover the strings)."""
    text = re.sub(r"\b0x[0-9a-fA-F]{12}\b", "0", file.text)
    if file.path.endswith(".py"):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
        return ast.dump(tree)
    if file.path.endswith((".h", ".cpp", ".cu")):
        spliced = text.replace("\\\n", "")
        return [
            t
            for t in CPP.findall(spliced)
            if t.strip() and t[:2] not in ("//", "/*") and t[0] != '"'
        ]
    return None


CPP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\w+|\s+|.', re.S)


def test_strings_never_become_code() -> None:
    expected = {file.path: file for file in rendered_with({})}
    for text in HOSTILE:
        accepted = {f: text for f in FIELDS if project_with({f: text}) is not None}
        assert accepted, f"every field refuses {text!r}: that is too strict"
        found = {file.path: file for file in rendered_with(accepted)}
        for path, file in expected.items():
            if found[path].text != file.text:
                assert skeleton(found[path]) == skeleton(file), (path, text)


# --- targets


def test_an_unknown_target_is_refused(rendered: list[OutputFile]) -> None:
    project, *_ = load([ROOT / "specs" / "relu.toml"], Config(ROOT, kernels="runtime/kernels"))
    assert project is not None
    with pytest.raises(TargetError, match="there is no target `cobol`; there are core"):
        render(project, ["cobol"])
    assert "core" in builtin_targets()


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/../b", "./x", "a//b", "lib/x", MANIFEST, "", "a\\b", "c:x", "a\nb"]
)
def test_a_target_cannot_leave_out(path: str) -> None:
    with pytest.raises(TargetError, match="must not render to"):
        collect([("core", OutputFile(path, ""))])


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(TargetError, match="both render"):
        collect([("core", OutputFile("a/B", "1")), ("core", OutputFile("a/b", "2"))])
