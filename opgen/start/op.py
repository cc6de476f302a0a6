"""An op to begin with: its spec, its reference, and a kernel for the CPU that works."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from opgen.compiler.discovery import shown
from opgen.language.names import camel
from opgen.spec.config import Config
from opgen.targets import environment
from opgen.targets.cpp.names import cpp_name

TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class StartError(Exception):
    """What is to begin is there already, or cannot be called that."""


def op_files(config: Config, op: str, kind: str, *, module: bool = False) -> dict[Path, str]:
    """The texts of an op called `op` that is like `kind`, by where they belong.

    Raises `StartError`.
    """
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
        "module": module,
    }
    places = {
        "spec.toml": config.specs_dir / f"{op}.toml",
        "reference.py": config.specs_dir / f"{op}.py",
        "kernel.cpp": config.kernels_dir / op / f"{op}.cpp",
    }
    templates = environment(TEMPLATES)
    return {
        place: templates.get_template(f"{kind}/{name}.j2").render(told)
        for name, place in places.items()
    }


def write_files(files: dict[Path, str]) -> None:
    """Write texts: all of them, or none.

    One that does not add to what a file says would destroy that: `StartError`, as where the disk
    refuses.
    """
    for path, text in files.items():
        said = path.read_text(encoding="utf-8") if path.exists() else None
        if said is not None and (said == text or not text.startswith(said.rstrip())):
            raise StartError(f"{shown(path)} is there already")
    drafts = {path: path.with_name(f"{path.name}.new") for path in files}
    try:
        for path, draft in drafts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(files[path], encoding="utf-8")
    except OSError as error:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
        # A full disk names no file.
        raise StartError(f"{shown(Path(error.filename or path))}: {error.strerror}") from error
    for path, draft in drafts.items():
        draft.replace(path)
