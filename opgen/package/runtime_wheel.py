"""Build the wheel opgen-runtime: opgen's Python runtime, and the libraries that contain no ops.

The wheel's libraries work only with the versions of PyTorch and Python that are installed when the
wheel is built. A rendered package has its own copies of these libraries, for the versions with
which the package was built. With other versions, the package uses this wheel. If PyTorch is not
installed when the wheel is built, the wheel contains only Python files. Packages rendered with
`runtime = "package"` import these Python files.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from build import ProjectBuilder

from opgen.build.cmake import BuildError
from opgen.build.frameworks import find_frameworks
from opgen.package import sbom
from opgen.package.commit import source_date
from opgen.package.metadata import PYTHON
from opgen.package.sources import RUNTIME, TEMPLATES, copy_headers
from opgen.package.wheel import built, for_older, place, repaired, run_builder, scratch_folder
from opgen.runtime import PARTS, files
from opgen.runtime.core.units import UNITS
from opgen.source.lock import locked
from opgen.source.user_cache import cache_folder
from opgen.source.version import __version__
from opgen.targets import environment
from opgen.targets.vendored import header

NAME = "opgen_runtime"


def runtime_wheel(out: Path, *, verbose: bool = False) -> Path:
    """Build the wheel into `out`, and return its path. Raises `BuildError` if the build fails."""
    frameworks = find_frameworks()
    native = bool(frameworks.torch_include)
    if native and not frameworks.python_include:
        raise BuildError("Python's headers are not installed: opgen-runtime needs them")
    minor = ".".join(frameworks.torch_version.split(".")[:2]) if native else ""
    kept = (cache_folder() or out) / "runtime-wheel"
    kept.mkdir(parents=True, exist_ok=True)
    # The name is fixed, so that the next run removes the files of a killed run.
    with locked(kept) as held, scratch_folder(kept / "scratch") as folder:
        sources = folder / "sources"
        copy_headers(sources / RUNTIME)
        shutil.copy2(sources / RUNTIME / "LICENSE", sources)
        # The wheel's version contains the PyTorch version as a label, since wheel tags cannot
        # express it.
        version = f"{__version__}+torch{minor}" if native else __version__
        told = {
            "headers": RUNTIME,
            "units": UNITS,
            "version": version,
            "minor": minor,
            "python": PYTHON,
        }
        templates = environment(TEMPLATES)
        for name in ("CMakeLists.txt", "pyproject.toml"):
            text = templates.get_template(f"runtime/{name}.j2").render(told)
            (sources / name).write_text(text, encoding="utf-8")
        write_runtime(sources / NAME)
        text = sbom.sbom("opgen-runtime", version, "Apache-2.0", cuda=False)
        (sources / sbom.FILE).write_text(text, encoding="utf-8")
        run = partial(run_builder, folder, "opgen", verbose, held, source_date())
        builder = ProjectBuilder(sources, runner=run)
        options = {
            "build-dir": str(folder / "cmake"),
            "cmake.define.OPGEN_CACHE": str(cache_folder() or ""),
            **for_older(folder / "older"),
        }
        wheel = built(builder, "wheel", folder / "made", options)
        return place(repaired(wheel, run) if native else wheel, out)


def write_runtime(folder: Path) -> None:
    """Write opgen-runtime's Python files: all files that a package's `_opgen/` may contain."""
    texts = {path: text for part in PARTS for path, text in files(part)}
    for path, text in {"__init__.py": header("vendored"), **texts}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
