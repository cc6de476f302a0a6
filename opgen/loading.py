"""Ops that are built when a program runs: `opgen.load`, as `torch.utils.cpp_extension.load`.

Imports PyTorch, through what it renders.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

from opgen.build import BuildError, build
from opgen.cache import cache_folder
from opgen.config import Config

TARGETS = ("core", "cpp", "torch")
KEY = "KEY"  # in the build directory: what its libraries were built from


class LoadError(Exception):
    """What kept ops from being built or loaded; for wrong specs, all that is wrong."""


def load(
    name: str,
    *,
    specs: str | os.PathLike | Sequence[str | os.PathLike],
    kernels: str | os.PathLike,
    build_directory: str | os.PathLike | None = None,
    extra_cflags: Sequence[str] = (),
    verbose: bool = False,
) -> ModuleType:
    """Build the ops of `specs` and load them: `torch.ops.<name>.<op>` works from then on.

    `specs`: spec files, or folders of them. `kernels`: the folder that holds the sources,
    `<family>/*.cpp`. `build_directory`: where everything is written; default: one for
    `name` in the user's cache. What is built already is not built again, which is said.

    Returns the module of the ops' functions. Raises `LoadError`.
    """
    root = Path(build_directory or cache_folder() / name).absolute()
    package = root / name
    config = Config(root, out=name, package=name, namespace=name, targets=TARGETS, kernels=str(Path(kernels).absolute()))  # fmt: skip
    manifest = _render(_spec_files(specs), config)
    flags = " ".join(extra_cflags)
    key = f"{_digest(manifest, config.kernels_dir)} {_torch_version()} {flags}\n"
    former = (root / KEY).read_text() if (root / KEY).is_file() else ""
    if former == key and (package / "lib").is_dir():
        print(f"opgen: {name} is built already, in {root}")
    else:
        _refuse_loaded(name)
        if former.split(" ", 2)[2:] != key.split(" ", 2)[2:]:
            shutil.rmtree(root / "build", ignore_errors=True)
        _build(config, flags, verbose)
        (root / KEY).write_text(key)
    return load_library(package)


def load_library(path: str | os.PathLike) -> ModuleType:
    """Load what `load` built in an earlier process: the folder `<build_directory>/<name>`.

    Raises `LoadError` where another package of this name is loaded, ImportError where the
    folder holds none that fits this PyTorch.
    """
    package = Path(path).absolute()
    loaded = sys.modules.get(package.name)
    if loaded is not None and str(package) not in map(str, loaded.__path__):
        raise LoadError(f"another package called {package.name} is loaded already")
    sys.path.insert(0, str(package.parent))
    try:
        invalidate_caches()
        return import_module(f"{package.name}.torch")
    finally:
        sys.path.remove(str(package.parent))


def _spec_files(specs: str | os.PathLike | Sequence[str | os.PathLike]) -> list[Path]:
    """The spec files, those of folders too, each once."""
    given = [specs] if isinstance(specs, (str, os.PathLike)) else specs
    found: list[Path] = []
    for path in map(Path, given):
        found += sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return list(dict.fromkeys(found))


def _render(paths: list[Path], config: Config) -> str:
    """Write the package; its manifest, which holds the hash of every file."""
    from opgen.pipeline import load as load_specs
    from opgen.render import TargetError, render
    from opgen.report import report
    from opgen.write import WriteError, write

    project, found, sources = load_specs(paths, config)
    if project is None:
        raise LoadError(report(found, sources, "text"))
    try:
        files = render(project, config.targets)
        write(files, config.out_dir, force=True)
    except (TargetError, WriteError) as error:
        raise LoadError(str(error)) from error
    return files[-1].text


def _digest(manifest: str, kernels: Path) -> str:
    """The hash of all that the libraries are made of."""
    digest = hashlib.sha256(manifest.encode())
    for file in sorted(f for f in kernels.rglob("*") if f.is_file()):
        digest.update(str(file.relative_to(kernels)).encode() + file.read_bytes())
    return digest.hexdigest()


def _torch_version() -> str:
    from importlib.metadata import version

    return version("torch")


def _refuse_loaded(name: str) -> None:
    """Libraries cannot be exchanged in a process that has loaded them."""
    if f"{name}.torch" in sys.modules:
        raise LoadError(f"{name} has changed, and this process has loaded it already")


def _build(config: Config, flags: str, verbose: bool) -> None:
    former = os.environ.get("CXXFLAGS")
    os.environ["CXXFLAGS"] = " ".join(filter(None, (former, flags)))
    try:
        build(config, config.out_dir, verbose=verbose)
    except BuildError as error:
        raise LoadError(str(error)) from error
    finally:
        del os.environ["CXXFLAGS"]
        if former is not None:
            os.environ["CXXFLAGS"] = former
