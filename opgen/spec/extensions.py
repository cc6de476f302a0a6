"""The additions of targets to the spec language: options, platforms, lint rules, dtype names.

A target renders files from specs. opgen's own targets are the folders of `opgen/targets`. Another
package can add a target by an entry point of the group `opgen.targets`. No code outside `targets/`
imports a target directly; opgen finds targets by name.

A target's package may define an `EXTENSION`. opgen needs the extensions to read any spec, so a
target's package must be fast to import.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from opgen.source.failure import Failure

GROUP = "opgen.targets"


class TargetError(Failure):
    """Error for a target that does not exist, cannot be used, or renders a forbidden file."""


class Platform(NamedTuple):
    """A kind of device, such as `cuda`, which has separate kernels.

    `sources` are patterns of the file names of the platform's kernels. `native` is True if the
    kernels are in the kernel library and run in the calling process. `keys` are additional keys for
    the platform's kernels in a spec. `function` is one of `keys`, for kernels that are not compiled
    from sources: it names the kernel's function. `cpp` describes the platform for rendered C++.
    """

    name: str
    sources: tuple[str, ...] = ()
    native: bool = False
    keys: tuple[str, ...] = ()
    function: str = ""
    cpp: Any = None


class Extension(NamedTuple):
    """The additions of a target to the spec language."""

    # The name of the target in documentation.
    title: str
    # The name of a module with up to two `TypedDict`s: `Options`, the target's options of an op,
    # and `Kernel`, the kernel keys of its platforms.
    models: str = ""
    # The name of a package of lint rules.
    lint: str = ""
    # The target's platforms.
    platforms: tuple[Platform, ...] = ()
    # The target's name for each dtype that it supports.
    dtypes: Mapping[str, str] = {}
    # True if one file or rule of the target covers several specs. opgen then checks all specs
    # together that have options of the target.
    together: bool = False
    # True if the target renders only if `[tool.opgen] targets` or `--target` names the target.
    on_demand: bool = False
    # Keys that choose a kind of kernel, each with the module of this kind (`opgen.ir.kinds`).
    kernels: Mapping[str, str] = {}
    # The module that declares a framework's calls (`opgen.ir.abi`).
    abi: str = ""
    # The module that renders C++ for a framework (`opgen.targets.cpp.adapters`).
    adapters: str = ""
    # True if there may be files `<family>_<target>.py` next to a spec, with names to export.
    framework_files: bool = False
    # The names that such a file may import from the rendered package, in addition to the ops.
    offers: tuple[str, ...] = ()


@cache
def builtin_targets() -> tuple[str, ...]:
    """Return the names of the folders in `opgen/targets` that are targets."""
    return _folders("render.py")


def _folders(with_file: str) -> tuple[str, ...]:
    folder = Path(__file__).parents[1] / "targets"
    return tuple(sorted(f.parent.name for f in folder.glob(f"*/{with_file}")))


def default_targets() -> tuple[str, ...]:
    """Return the targets that render if the user does not choose targets."""
    found = extensions()
    names = (*builtin_targets(), *outside_targets())
    return tuple(n for n in names if not (n in found and found[n].on_demand))


def outside_targets() -> tuple[str, ...]:
    """Return the names of the targets of other packages."""
    return tuple(name for name in _entry_points() if name not in _folders("__init__.py"))


def package_of(name: str) -> ModuleType:
    """Import the package of target `name`. Raises `TargetError` if there is no such target."""
    known = {name: _packages()[name] for name in (*builtin_targets(), *outside_targets())}
    if name not in known:
        raise TargetError(f"there is no target `{name}`; there are {', '.join(known)}")
    return imported(known[name], name)


@cache
def imported(module: str, name: str) -> ModuleType:
    """Import a module of target `name`. Raises `TargetError` if the import fails."""
    try:
        return import_module(module)
    except Exception as error:
        message = f"target `{name}`: {module} cannot be imported: {error!r}"
        raise TargetError(message) from error


@cache
def extensions() -> Mapping[str, Extension]:
    """Return the extension of each target that has one, by name. Targets of opgen come first."""
    found = ((n, getattr(imported(m, n), "EXTENSION", None)) for n, m in _packages().items())
    return {name: extension for name, extension in found if extension is not None}


@cache
def platforms() -> Mapping[str, Platform]:
    """Return every platform, by name."""
    found = (p for each in extensions().values() for p in each.platforms)
    return {platform.name: platform for platform in found}


def frameworks() -> tuple[str, ...]:
    """Return the targets of frameworks (PyTorch, JAX), which call ops in the compiled libraries."""
    return tuple(name for name, extension in extensions().items() if extension.abi)


def model_files() -> Iterator[str]:
    """Yield the paths of the files in which targets define their additions to the spec language."""
    packages = _packages()
    for name, extension in extensions().items():
        for module in filter(None, (packages[name], extension.models)):
            found = find_spec(module)
            if found is None:
                raise TargetError(f"target `{name}`: there is no module {module}")
            yield str(found.origin)


def _packages() -> dict[str, str]:
    """Return the name of every target's package, by target name; targets of opgen come first."""
    own = {name: f"opgen.targets.{name}" for name in _folders("__init__.py")}
    return own | {n: m for n, m in _entry_points().items() if n not in own}


def _entry_points() -> dict[str, str]:
    """Return the module names of the targets of other packages, by target name.

    `importlib.metadata` is slow to import. So opgen first searches the `entry_points.txt` files of
    installed packages. If no file names the group `opgen.targets`, opgen skips the import.
    """
    if not any(map(_lists_targets, sys.path)):
        return {}
    from importlib.metadata import entry_points

    return {e.name: e.module for e in sorted(entry_points(group=GROUP))}


def _lists_targets(folder: str) -> bool:
    """Return whether a package installed in `folder` has an entry point for a target."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return False
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(f"{folder or '.'}/{name}/entry_points.txt", encoding="utf-8") as file:
                    text = file.read()
            except (OSError, ValueError):
                continue
            if f"[{GROUP}]" in text:
                return True
    return False
