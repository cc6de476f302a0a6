"""A project to begin with: `[tool.opgen]`, what git ignores, and one op."""

from __future__ import annotations

import re
from pathlib import Path

from opgen.spec.config import Config, expected_namespace
from opgen.start.op import TEMPLATES, StartError, op_files
from opgen.targets import environment

# What a project's first op is called.
FIRST = {
    "elementwise": "scaled_square",
    "reduction": "sum_of_squares",
    "norm": "row_norm",
    "inplace": "add_scaled_",
}


def project_files(
    folder: Path, package: str | None, kind: str, *, module: bool = False
) -> dict[Path, str]:
    """The texts of a project in `folder` whose package is `package`, by where they belong.

    The folder's name is taken for a package that has none. A pyproject.toml or .gitignore that
    is there keeps what it says. Raises `StartError`.
    """
    package = package or re.sub(r"\W+", "_", folder.absolute().name).strip("_").lower()
    expected = expected_namespace(package)
    if expected is not None:
        raise StartError(f"a package cannot be called `{package}`: expected {expected}")
    config = Config(folder, out=package, package=package, namespace=package)
    templates = environment(TEMPLATES)
    files = op_files(config, FIRST[kind], kind, module=module)
    for name in ("pyproject.toml", ".gitignore"):
        path = folder / name
        said = path.read_text(encoding="utf-8") if path.is_file() else ""
        added = templates.get_template(f"{name.lstrip('.')}.j2").render(package=package)
        files[path] = f"{said.rstrip()}\n\n{added}" if said.strip() else added
    return files
