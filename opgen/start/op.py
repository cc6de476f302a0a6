"""The files of a new op for an author to edit: its spec, reference, and working CPU kernel."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from opgen.compiler.discovery import shown, specs_below
from opgen.language.names import camel
from opgen.source.atomic import put_all
from opgen.source.failure import Failure
from opgen.source.text import read_text
from opgen.spec.config import Config
from opgen.targets import environment
from opgen.targets.cpp.names import cpp_name

TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class StartError(Failure):
    """Error for a new op that already exists, has a forbidden name, or cannot be drafted."""


# The JSON Schema of specs, which `opgen init` writes for editors.
SCHEMA = "opgen.schema.json"


def op_files(
    config: Config, op: str, kind: str, *, module: bool = False, schema: bool | None = None
) -> dict[Path, str]:
    """Return the texts of the files of a new op `op`, by path.

    `kind` is the kind of op, such as `norm`. If `schema` is True, the spec refers to the project's
    JSON Schema. By default, the spec refers to the schema if the schema file exists. Raises
    `StartError`.
    """
    file = config.root / SCHEMA
    if not _NAME.fullmatch(op):
        raise StartError(
            f"an op cannot be called `{op}`: a lower-case name is a letter, then letters, digits and `_`"
        )
    if module and kind != "norm":
        raise StartError("a module holds parameters, which of these `--like norm` has alone")
    told = {
        "op": op,
        "symbol": cpp_name(op),
        "struct": camel(op),
        "namespace": config.namespace,
        "package": config.package,
        "schema": (
            Path(os.path.relpath(file, config.specs_dir)).as_posix()
            if (file.is_file() if schema is None else schema)
            else ""
        ),
    }
    places = {
        "kernel.cpp": config.kernels_dir / op / f"{op}.cpp",
        "reference.py": config.specs_dir / f"{op}.py",
        "spec.toml": config.specs_dir / f"{op}.toml",
    }
    if module:
        places = {"module.py": config.specs_dir / f"{op}_torch.py", **places}
    templates = environment(TEMPLATES)
    return {
        place: templates.get_template(f"{kind}/{name}.j2").render(told)
        for name, place in places.items()
    }


def refuse_unfit(op: str, files: Mapping[Path, str], config: Config) -> None:
    """Raise `StartError` if the linter rejects the new op together with the project's specs."""
    from opgen.compiler.pipeline import load
    from opgen.source.diagnostics import errors

    below = specs_below(config.specs_dir, config.out_dir) if config.specs_dir.is_dir() else ()
    there = [Path(source.path) for source in below]
    with tempfile.TemporaryDirectory() as folder:
        scratch = replace(config, root=Path(folder))
        for path, text in files.items():
            copy = scratch.root / path.relative_to(config.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
        own = scratch.specs_dir / f"{op}.toml"
        others = [path for path in there if path.name != own.name]
        _, found, _ = load([*others, own], scratch)
        for each in errors(found):
            if each.where.file == str(own):
                raise StartError(f"an op cannot be called `{op}`: {each.message}")


def write_files(files: Mapping[Path, str]) -> None:
    """Write all files or none, in order. opgen ignores the files until the last one exists.

    If the process is killed, a repeated call writes the remaining files. Raises `StartError` if all
    files already exist, if a file has different content, or if a write fails.
    """
    there = {path: read_text(path) for path in files if path.exists()}
    due = {path: text for path, text in files.items() if there.get(path) != text}
    other = [path for path in due if not due[path].startswith(there.get(path, "").rstrip())]
    if other or not due:
        raise StartError(f"{shown(other[0] if other else [*files][-1])} exists already")
    try:
        put_all(due)
    except OSError as error:
        raise StartError(f"{shown(Path(str(error.filename)))}: {error.strerror}") from error
