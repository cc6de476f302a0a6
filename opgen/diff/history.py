"""The specs of another time: of a git revision, or of a folder."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from opgen.ir.project import Project
from opgen.source.diagnostics import Diagnostic, Severity
from opgen.spec.config import Config


class HistoryError(Exception):
    """The other specs cannot be had; the message says why."""


def project_at(against: str, config: Config) -> Project:
    """The project as its specs stood at a git revision, or as those of a folder stand.

    Raises `HistoryError` where neither is there, or where the specs held errors.
    """
    folder = Path(against)
    if folder.is_dir():
        return _load(folder, config, against)
    with tempfile.TemporaryDirectory() as scratch:
        _check_out(against, config, Path(scratch))
        return _load(Path(scratch), config, against)


def _check_out(revision: str, config: Config, folder: Path) -> None:
    """Write the specs of `revision` to `folder`; the work tree is not touched."""
    names = _git(
        config.root, "ls-tree", "-r", "--name-only", f"{revision}^{{commit}}", "--", config.specs
    )
    for name in names.decode().splitlines():
        path = folder / PurePosixPath(name).relative_to(PurePosixPath(config.specs))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_git(config.root, "show", f"{revision}:./{name}"))


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
    from opgen.compiler.pipeline import examine, resolve

    paths: Sequence[Path] = sorted(folder.rglob("*.toml"))
    if not paths:
        raise HistoryError(f"{against} holds no specs in {config.specs}/")
    specs, found, sources = examine(paths)
    broken: list[Diagnostic] = [d for d in found if d.severity is Severity.ERROR]
    if broken:
        raise HistoryError(f"the specs of {against} hold errors: {broken[0].message}")
    return resolve(specs, sources, config)
