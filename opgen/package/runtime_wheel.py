"""Builds the wheel opgen-runtime: the libraries that know no op, for the PyTorch and the Python that run.

A rendered package has them for those that built it; with any other it finds this one.
"""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

from build import BuildBackendException, BuildException, ProjectBuilder

from opgen.build.cmake import BuildError
from opgen.build.frameworks import find_frameworks
from opgen.package import sbom
from opgen.package.sources import RUNTIME, TEMPLATES, copy_headers
from opgen.package.wheel import for_older, place, repaired, run_builder, source_date
from opgen.runtime.core.units import UNITS
from opgen.source.user_cache import cache_folder
from opgen.source.version import __version__
from opgen.targets import environment

NAME = "opgen_runtime"


def runtime_wheel(out: Path, *, verbose: bool = False) -> Path:
    """Build the wheel into `out`. Raises `BuildError`."""
    frameworks = find_frameworks()
    if not frameworks.torch_include:
        raise BuildError("PyTorch is not installed: opgen-runtime is built for the one that is")
    if not frameworks.python_include:
        raise BuildError("Python's headers are not installed: opgen-runtime needs them")
    minor = ".".join(frameworks.torch_version.split(".")[:2])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        sources = folder / "sources"
        copy_headers(sources / RUNTIME)
        shutil.copy2(sources / RUNTIME / "LICENSE", sources)
        # The version of PyTorch is in the wheel's, as a label: no tag of wheels has a place for it.
        version = f"{__version__}+torch{minor}"
        told = {
            "headers": RUNTIME,
            "units": UNITS,
            "version": version,
            "minor": minor,
        }
        templates = environment(TEMPLATES)
        for name in ("CMakeLists.txt", "pyproject.toml", "__init__.py"):
            path = sources / (f"{NAME}/{name}" if name.endswith(".py") else name)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = templates.get_template(f"runtime/{name}.j2").render(told)
            path.write_text(text, encoding="utf-8")
        text = sbom.sbom("opgen-runtime", version, "Apache-2.0", cuda=False)
        (sources / sbom.FILE).write_text(text, encoding="utf-8")
        run = partial(run_builder, folder, "opgen", verbose, (), source_date())
        builder = ProjectBuilder(sources, runner=run)
        options = {
            "build-dir": str(folder / "cmake"),
            "cmake.define.OPGEN_CACHE": str(cache_folder() or ""),
            **for_older(folder / "older"),
        }
        try:
            wheel = Path(builder.build("wheel", folder / "made", options))
        except BuildBackendException as error:
            own = isinstance(error.exception, BuildError)
            raise error.exception if own else BuildError(str(error)) from None
        except BuildException as error:
            raise BuildError(str(error)) from error
        return place(repaired(wheel, run), out)
