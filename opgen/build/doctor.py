"""Check that the machine and the project have everything that `opgen` needs, and suggest fixes."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from opgen.build.cmake import NOT_LINUX, BuildError, find_nvcc, tool
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.build.machine import CPP_COMPILERS
from opgen.build.publish import RECORD
from opgen.output.files import newer_than_this
from opgen.output.identity import IDENTITY
from opgen.runtime import runtime_hash
from opgen.source.frozen import dataclass
from opgen.source.user_cache import cache_folder
from opgen.source.version import __version__
from opgen.spec.config import Config

LAUNCHERS = ("ccache", "sccache")
_HASH = re.compile(r'^PACKAGE_HASH = "(\w+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check. `found` is what the check found, and `fix` suggests a fix if it failed.

    `needed` is False if opgen works without it, except for some commands or devices.
    """

    name: str
    found: str = ""
    fix: str = ""
    needed: bool = True

    @property
    def verdict(self) -> str:
        return "ok" if not self.fix else "missing" if self.needed else "without"


def findings(config: Config) -> Iterator[Finding]:
    """Yield the outcomes of all checks: of the machine, then of the project if there is one."""
    frameworks = find_frameworks()
    yield Finding("opgen", f"{__version__}, Python {platform.python_version()}")
    fix = "" if sys.platform == "linux" else f"{NOT_LINUX}: here specs are linted and rendered"
    yield Finding("system", "" if fix else platform.machine(), fix)
    yield _compiler()
    yield from map(_program, ("cmake", "ninja"))
    yield from _frameworks(frameworks)
    nvcc = find_nvcc()
    fix = "" if nvcc else "for CUDA kernels: install the CUDA toolkit, or set CUDA_HOME"
    yield Finding("nvcc", nvcc or "", fix, needed=False)
    yield _launcher()
    cache = cache_folder()
    fix = (
        ""
        if cache
        else "others may write to ~/.cache/opgen: `chmod go-w` it, or set XDG_CACHE_HOME"
    )
    yield Finding("cache", str(cache or ""), fix, needed=False)
    if (config.root / "pyproject.toml").is_file():
        yield from _project(config, frameworks)
    else:
        yield Finding("project", "", "none here: `opgen init` begins one", needed=False)


def _compiler() -> Finding:
    # In the variable CXX, CMake treats the words after the program's name as arguments.
    names = shlex.split(os.environ.get("CXX", ""))[:1] or CPP_COMPILERS
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        return Finding("C++ compiler", fix="install g++ 12 or newer, or set CXX")
    done = subprocess.run([found, "--version"], capture_output=True, text=True)
    return Finding("C++ compiler", f"{done.stdout.splitlines()[0]}, {found}")


def _program(name: str) -> Finding:
    try:
        return Finding(name, tool(name))
    except BuildError as error:
        return Finding(name, fix=str(error).partition(": ")[2])


def _frameworks(frameworks: Frameworks) -> Iterator[Finding]:
    """Yield the outcomes of the checks of PyTorch and JAX. At least one of the two is required."""
    versions = {"PyTorch": frameworks.torch_version, "JAX": frameworks.jax_version}
    for (name, version), package in zip(versions.items(), ("torch", "jax")):
        fix = "" if version else f"`pip install {package}`"
        yield Finding(name, version, fix, needed=not any(versions.values()))
    pybind11 = frameworks.pybind11_include
    fix = "" if pybind11 else "for JAX: `pip install pybind11`, and Python's headers"
    yield Finding("pybind11", pybind11, fix, needed=bool(frameworks.jax_version))


def _launcher() -> Finding:
    given = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER")
    found = given or next(filter(None, map(shutil.which, LAUNCHERS)), "")
    fix = "" if found else "for quicker rebuilds: install ccache or sccache"
    return Finding("compiler cache", found, fix, needed=False)


def _project(config: Config, frameworks: Frameworks) -> Iterator[Finding]:
    out = config.out_dir
    yield Finding("project", f"{config.package}, {config.root / 'pyproject.toml'}")
    lists = out / "CMakeLists.txt"
    if not lists.is_file():
        yield Finding("rendered", fix="`opgen render`")
        return
    newer = newer_than_this(out)
    fix = f"opgen {newer} rendered it: install that or a newer one" if newer else ""
    yield Finding("rendered", str(out), fix)
    if config.runtime == "package":
        yield _runtime()
    record = _built(out / "lib" / RECORD)
    libraries = [str(name) for name in record.get("libraries", ())]
    package = (
        _HASH.search((out / IDENTITY).read_text(errors="replace"))
        if (out / IDENTITY).is_file()
        else None
    )
    if package is None or not any(package[1] in name for name in libraries):
        former = "of another state of the package" if libraries else ""
        yield Finding("built", former, "`opgen build`")
        return
    torch, jax = (str(record.get(name) or "") for name in ("torch", "jax"))
    # The library for autograd works only with the minor version of PyTorch that compiled it.
    same = torch.split(".")[:2] == frameworks.torch_version.split(".")[:2]
    for name, built, here, fits in (
        ("PyTorch", torch, frameworks.torch_version, same),
        ("JAX", jax, frameworks.jax_version, bool(jax)),
    ):
        fix = "" if fits else f"{name} {here} is installed: `opgen build`"
        if here:
            yield Finding(f"built for {name}", built, fix)


def _runtime() -> Finding:
    """Check that opgen-runtime is installed, if the project sets `runtime = "package"`."""
    spec = find_spec("opgen_runtime")
    text = Path(str(spec.origin)).read_text() if spec and spec.origin else ""
    fix = f"install opgen-runtime {__version__}: `opgen package --runtime` builds it"
    if f'"{runtime_hash()}"' in text:
        return Finding("opgen-runtime", str(spec and spec.origin))
    return Finding("opgen-runtime", "another one" if text else "", fix)


def _built(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
