"""Build and load ops in a running program: `opgen.load`, like `torch.utils.cpp_extension.load`.

This module supports PyTorch only.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import Any

from opgen.build.cmake import VARIABLES, BuildError, build, files_read
from opgen.build.frameworks import find_frameworks
from opgen.build.machine import cpp_compiler
from opgen.source.failure import Failure
from opgen.source.lock import locked
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config, expected_namespace

TARGETS = ("core", "cpp", "torch")
KEY = "KEY"  # the file in the build directory that records the inputs of the libraries
# Environment variables that change how a compiler translates the same files.
READ = (*VARIABLES, "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "OPGEN_CPU_LEVELS")


StrPath = str | os.PathLike[str]


class LoadError(Exception):
    """Error for ops that could not be built or loaded. For wrong specs, it lists all mistakes."""


def load(
    name: str,
    *,
    specs: StrPath | Sequence[StrPath],
    kernels: StrPath,
    build_directory: StrPath | None = None,
    extra_cflags: Sequence[str] = (),
    verbose: bool = False,
) -> ModuleType:
    """Build the ops of `specs` and load them, so that `torch.ops.<name>.<op>` works.

    `specs` is a spec file, a folder of spec files, or a list of these. `kernels` is the folder of
    the sources, `<family>/*.cpp`. A warning names missing sources. `build_directory` is the folder
    for all files, by default a folder for `name` in the user's cache. Libraries that are up to date
    are not built again. If several processes make the call, one process builds and the others wait.

    Returns the module of the ops' functions. Raises `LoadError`.
    """
    if expected := expected_namespace(name):
        raise LoadError(f"{name!r} names no ops: expected {expected}")
    if not Path(kernels).is_dir():
        raise LoadError(f"there is no folder {kernels}")
    root = _root(name, build_directory)
    config = Config(
        root,
        out=name,
        package=name,
        namespace=name,
        targets=TARGETS,
        kernels=str(Path(kernels).absolute()),
    )
    _refuse_namesake(config.out_dir)
    paths = _spec_files(specs, config)
    root.mkdir(parents=True, exist_ok=True)
    with locked(root):
        _update(config, paths, " ".join(extra_cflags), verbose)
    return load_library(config.out_dir)


def _root(name: str, given: StrPath | None) -> Path:
    if given is not None:
        return Path(given).absolute()
    cache = cache_folder()
    if cache is None:
        raise LoadError("the user's cache folder cannot be used: pass a `build_directory`")
    return cache / name


def load_library(path: StrPath) -> ModuleType:
    """Load the ops that `load` built in an earlier process. `path` is `<build_directory>/<name>`.

    Raises `LoadError` if nothing was built or if another package of this name is loaded. Raises
    ImportError if the libraries do not fit this PyTorch.
    """
    package = Path(path).absolute()
    if not (package / "lib").is_dir():
        raise LoadError(f"nothing was built in {package}")
    _refuse_namesake(package)
    sys.path.insert(0, str(package.parent))
    try:
        invalidate_caches()
        return import_module(f"{package.name}.torch")
    finally:
        sys.path.remove(str(package.parent))


def _update(config: Config, paths: list[Path], flags: str, verbose: bool) -> None:
    """Render the package, and build its libraries unless they are up to date."""
    manifest = _render(paths, config)
    made_of = _digest(manifest, config.kernels_dir)
    made_with = [
        _torch_version(),
        flags,
        _compiler(),
        {name: os.environ.get(name) for name in READ},
    ]
    kept = config.root / KEY
    former = _kept(kept)
    edited = [path for path, stamp in former["read"].items() if _stamp(path) != stamp]
    same = former["made_with"] == made_with
    if same and not edited and former["made_of"] == made_of and (config.out_dir / "lib").is_dir():
        print(f"opgen: {config.package} is built already, in {config.root}")
        return
    _refuse_loaded(config.package)
    # ninja compares only times, so it does not notice if an older file replaces a file.
    if not same or any(_stamp(path) <= former["read"][path] for path in edited):
        shutil.rmtree(config.root / "build", ignore_errors=True)
    kept.unlink(missing_ok=True)
    _build(config, flags, verbose)
    read = {str(path): _stamp(path) for path in files_read(config, config.out_dir)}
    kept.write_text(json.dumps({"made_of": made_of, "made_with": made_with, "read": read}))


def _kept(path: Path) -> dict[str, Any]:
    """Return the record of the last build, or an empty record if `path` cannot be read.

    The record has the hash of the build's inputs, and describes the tools that were used. It also
    lists the files that compilers read, with the modification time and size of each.
    """
    try:
        return {"made_of": "", "made_with": [], "read": {}, **json.loads(path.read_text())}
    except (OSError, ValueError, TypeError):
        return {"made_of": "", "made_with": [], "read": {}}


def _stamp(path: StrPath) -> list[int]:
    """Return a file's modification time and size, or an empty list if the file does not exist."""
    try:
        info = os.stat(path)
    except OSError:
        return []
    return [info.st_mtime_ns, info.st_size]


def _compiler() -> list[Any]:
    """Return the path of CMake's C++ compiler, and the modification time and size of this file."""
    found = os.path.realpath(shutil.which((cpp_compiler() or [""])[0]) or "")
    return [found, _stamp(found)]


def _spec_files(specs: StrPath | Sequence[StrPath], config: Config) -> list[Path]:
    """Return the spec files, including those in folders, without duplicates."""
    from opgen.compiler.discovery import spec_files

    given = [specs] if isinstance(specs, (str, os.PathLike)) else specs
    if not given:
        raise LoadError("there is no spec: `specs` is empty")
    try:
        return spec_files([Path(path) for path in given], config)
    except Failure as error:
        raise LoadError(str(error)) from None


def _render(paths: list[Path], config: Config) -> str:
    """Render the package, and return its manifest, which contains the hash of every file."""
    from opgen.compiler.project_sources import awaited_kernels
    from opgen.output.compile import compile
    from opgen.output.files import manifest_of
    from opgen.output.write import write
    from opgen.source.report import report
    from opgen.source.source_file import SourceFile

    sources = {file.path: file for file in map(SourceFile.read, paths)}
    try:
        compiled = compile(sources, config, config.targets)
        if compiled.files is None:
            raise LoadError(report(compiled.found, compiled.sources, "text"))
        write(compiled.files, config.out_dir, force=True)
    except Failure as error:
        raise LoadError(str(error)) from None
    for line in awaited_kernels(compiled.awaited, config):
        print(f"opgen: {line}")
    return manifest_of(compiled.files).text


def _digest(manifest: str, kernels: Path) -> str:
    from opgen.build.runtime_files import runtime_dir

    digest = hashlib.sha256(manifest.encode())
    own = (runtime_dir() / part for part in ("include", "adapters", "cmake"))
    for folder in (kernels, *own):
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            digest.update(str(file.relative_to(folder)).encode() + file.read_bytes())
    return digest.hexdigest()


def _torch_version() -> str:
    from importlib.metadata import version

    return version("torch")


def _refuse_namesake(package: Path) -> None:
    loaded = sys.modules.get(package.name)
    if loaded is not None and str(package) not in getattr(loaded, "__path__", ()):
        raise LoadError(f"another package called {package.name} is loaded already")


def _refuse_loaded(name: str) -> None:
    """Raise `LoadError` if the package is loaded, because a process cannot reload libraries."""
    if f"{name}.torch" in sys.modules:
        raise LoadError(f"{name} has changed, and this process has loaded it already")


def _build(config: Config, flags: str, verbose: bool) -> None:
    former = os.environ.get("CXXFLAGS")
    os.environ["CXXFLAGS"] = " ".join(filter(None, (former, flags)))
    try:
        frameworks = find_frameworks().torch_alone
        build(config, config.out_dir, frameworks=frameworks, verbose=verbose)
    except BuildError as error:
        raise LoadError(str(error)) from None
    finally:
        del os.environ["CXXFLAGS"]
        if former is not None:
            os.environ["CXXFLAGS"] = former
