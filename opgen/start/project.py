"""The files of a new project: pyproject.toml, .gitignore, one op, and settings for other tools."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from opgen.docs.schema import json_schema
from opgen.source.text import read_text
from opgen.source.version import __version__
from opgen.spec.config import Config, expected_namespace
from opgen.start.op import SCHEMA, TEMPLATES, StartError, op_files
from opgen.targets import environment
from opgen.targets.cpp.names import cpp_name

# The name of a project's first op.
FIRST = {
    "elementwise": "scaled_square",
    "reduction": "sum_of_squares",
    "norm": "row_norm",
    "inplace": "add_scaled_",
}

# Files that are kept if the folder already has them: the guide for agents, and VS Code's settings.
OWN = {"AGENTS.md": "AGENTS.md.j2", ".vscode/settings.json": "vscode.json.j2"}

# Names that a package cannot have: modules that a package imports, and folders of a project.
TAKEN = {
    *sys.stdlib_module_names,
    "ml_dtypes",
    "numpy",
    "pytest",
    "kernels",
    "specs",
    "test",
    "tests",
}


def project_files(
    folder: Path, package: str | None, kind: str, *, op: str | None = None, module: bool = False
) -> dict[Path, str]:
    """Return the texts of the files of a new project in `folder`, by path.

    `package` is the name of the project's package, by default the folder's name. `op` is the name
    of the first op. An existing pyproject.toml or .gitignore keeps its content. Raises
    `StartError`.
    """
    given, package = package, package or folder_name(folder)
    expected = expected_namespace(package)
    if expected is None and (package in TAKEN or cpp_name(package) != package):
        expected = "no word of C++, no module of another, no folder of the project's"
    if expected is not None:
        hint = "" if given else "; `opgen init NAME` takes another than the folder's"
        raise StartError(f"a package cannot be called `{package}`: expected {expected}{hint}")
    config = Config(folder, out=package, package=package, namespace=package)
    templates = environment(TEMPLATES)
    files = op_files(config, op or FIRST[kind], kind, module=module, schema=True)
    files[folder / SCHEMA] = json_schema()
    told = {"package": package, "op": op or FIRST[kind]}
    for name, template in OWN.items():
        if not (folder / name).exists():
            files[folder / name] = templates.get_template(template).render(told)
    for name in (".gitignore", "pyproject.toml"):
        added = templates.get_template(f"{name.lstrip('.')}.j2").render(package=package)
        files[folder / name] = _added(folder / name, added)
    return files


def folder_name(folder: Path) -> str:
    """Return the default name of a package: the folder's name."""
    return re.sub(r"\W+", "_", folder.absolute().name).strip("_").lower()


def ci_files(config: Config, files: Mapping[Path, str]) -> dict[Path, str]:
    """Return the texts of a GitHub workflow and of cibuildwheel's settings, and `files`, by path.

    `files` are the files of the new project if `opgen init --ci` also creates a project.
    """
    templates = environment(TEMPLATES)
    told = {"package": config.package, "out": config.out, "version": __version__}
    settings = config.root / "pyproject.toml"
    said = files.get(settings) or read_text(settings)
    if "cibuildwheel" in tomllib.loads(said).get("tool", {}):
        raise StartError("pyproject.toml has [tool.cibuildwheel] already")
    added = templates.get_template("ci/cibuildwheel.toml.j2").render(told)
    workflow = templates.get_template("ci/workflow.yml.j2").render(told)
    return {
        config.root / ".github/workflows" / f"{config.package}.yml": workflow,
        **{path: text for path, text in files.items() if path != settings},
        settings: f"{said.rstrip()}\n\n{added}",
    }


def _added(path: Path, text: str) -> str:
    """Return the content of a file followed by `text`, unless the file already ends with `text`."""
    said = read_text(path) if path.is_file() else ""
    if said.endswith(text):
        return said
    return f"{said.rstrip()}\n\n{text}" if said.strip() else text
