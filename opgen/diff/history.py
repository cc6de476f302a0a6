"""Load the older specs of a comparison, from a git revision or from a folder."""

from __future__ import annotations

import os
import subprocess
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path

from opgen.compiler.discovery import specs_below
from opgen.ir.project import Project
from opgen.source.diagnostics import errors
from opgen.source.failure import Failure
from opgen.source.inside import Outside, inside
from opgen.spec.config import Config


class HistoryError(Failure):
    """Error for older specs that cannot be loaded. The message has the reason."""


def project_at(against: str, config: Config) -> Project:
    """Return the project in the folder `against`, or at the git revision `against`.

    Raises `HistoryError` if `against` is neither, or if the specs have errors.
    """
    folder = Path(against)
    if folder.is_dir():
        return _load(folder, config, against)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _check_out(against, config.root, "pyproject.toml", folder)
        before = _config(folder, config)
        try:
            specs = inside(folder, before.specs)
        except Outside as error:
            raise HistoryError(
                f"{against}: the folder of specs `{before.specs}`: {error}"
            ) from None
        _check_out(against, config.root, before.specs, folder)
        return _load(specs, before, against)


def _check_out(revision: str, root: Path, what: str, folder: Path) -> None:
    """Copy the file or folder `what` from the git revision `revision` to `folder`.

    The work tree of the repository does not change.
    """
    names = _git(root, "ls-tree", "-rz", "--name-only", f"{revision}^{{commit}}", "--", what)
    for name in os.fsdecode(names).split("\0")[:-1]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_git(root, "show", f"{revision}:./{name}"))


def _config(folder: Path, config: Config) -> Config:
    """Return `config` with `specs`, `namespace` and `package` from the older pyproject.toml.

    If the older file does not configure opgen, return `config` unchanged.
    """
    try:
        document = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        table = document["tool"]["opgen"]
    except (OSError, ValueError, LookupError, TypeError):
        return config
    known = {key: table[key] for key in ("specs", "namespace", "package") if key in table}
    defaults = {key: getattr(Config(folder), key) for key in ("specs", "namespace", "package")}
    return replace(config, **{**defaults, **{key: str(value) for key, value in known.items()}})


def _git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    except FileNotFoundError:
        raise HistoryError("git is not installed") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise HistoryError(f"git: {said[0].removeprefix('fatal: ') if said else 'failed'}")
    return done.stdout


def _load(folder: Path, config: Config, against: str) -> Project:
    from opgen.compiler.pipeline import examine_sources, resolve

    below = specs_below(folder, config.out_dir) if folder.is_dir() else ()
    sources = {source.path: source for source in below}
    if not sources:
        raise HistoryError(f"{against} holds no specs in {config.specs}/")
    specs, found, sources = examine_sources(sources, None)
    if broken := errors(found):
        raise HistoryError(f"the specs of {against} hold errors: {broken[0].message}")
    return resolve(specs, sources, config)
