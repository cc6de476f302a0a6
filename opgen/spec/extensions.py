"""The additions of targets to the language: options of ops, platforms, lint rules, dtype names.

Nothing outside `targets/` imports a target directly; opgen finds targets by name. A target of opgen
is a folder of `opgen/targets`. A target of another package is an entry point of the group
`opgen.targets`.

A target's package may define an `EXTENSION`. opgen reads it with every spec, so importing it must
be fast.
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

GROUP = "opgen.targets"


class TargetError(Exception):
    """Error for a target that does not exist, cannot be used, or renders a forbidden file."""


class Platform(NamedTuple):
    """A kind of device with separate kernels.

    `sources` are patterns of the file names of its kernels. `native` kernels run in the calling
    process, from the kernel library. `cpp` is the platform's row in C++. `keys` are the keys of its
    kernel table, in addition to the common keys. `function` is the key that names a kernel without
    sources.
    """

    name: str
    sources: tuple[str, ...] = ()
    native: bool = False
    keys: tuple[str, ...] = ()
    function: str = ""
    cpp: Any = None


class Extension(NamedTuple):
    """The additions of a target to the language."""

    # The target's name in documentation.
    title: str
    # A module with up to two tables: `Options`, the target's options of an op, and `Kernel`, the
    # kernel keys of its platforms.
    models: str = ""
    # A package of lint rules.
    lint: str = ""
    # The target's platforms.
    platforms: tuple[Platform, ...] = ()
    # The target's name for each dtype that it supports.
    dtypes: Mapping[str, str] = {}
    # Set if the target's files or rules cover several families. opgen then checks all specs that
    # name the target together.
    together: bool = False
    # Set if the target renders only if `[tool.opgen] targets` or `--target` names it.
    on_demand: bool = False
    # The module of the kernel kind that a key names, by key (`opgen.ir.kinds`).
    kernels: Mapping[str, str] = {}
    # The module that declares a framework's calls (`opgen.ir.abi`).
    abi: str = ""
    # The module that renders C++ for a framework (`opgen.targets.cpp.adapters`).
    adapters: str = ""
    # Set if a spec may have files `<family>_<target>.py`, whose names the package exports.
    framework_files: bool = False
    # The names that such a file may import from the package, in addition to the ops.
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
    """Return the targets of other packages."""
    return tuple(name for name in _entry_points() if name not in _folders("__init__.py"))


def package_of(name: str) -> ModuleType:
    """Return the package of target `name`. Raises `TargetError`."""
    known = {name: _packages()[name] for name in (*builtin_targets(), *outside_targets())}
    if name not in known:
        raise TargetError(f"there is no target `{name}`; there are {', '.join(known)}")
    return imported(known[name], name)


@cache
def imported(module: str, name: str) -> ModuleType:
    """Import a module of target `name`. Raises `TargetError`."""
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
    """Return the targets that call ops through the libraries."""
    return tuple(name for name, extension in extensions().items() if extension.abi)


def model_files() -> Iterator[str]:
    """Yield the files that define the targets' additions to the models."""
    packages = _packages()
    for name, extension in extensions().items():
        for module in filter(None, (packages[name], extension.models)):
            found = find_spec(module)
            if found is None:
                raise TargetError(f"target `{name}`: there is no module {module}")
            yield str(found.origin)


def _packages() -> dict[str, str]:
    """Return the package of every target, by name; targets of opgen come first."""
    own = {name: f"opgen.targets.{name}" for name in _folders("__init__.py")}
    return own | {n: m for n, m in _entry_points().items() if n not in own}


def _entry_points() -> dict[str, str]:
    """Return the modules of other packages' targets, by target name.

    `importlib.metadata` is slow to import, so opgen first searches the files in which installed
    packages list their entry points. If no file names the group, the import is skipped.
    """
    if not any(map(_lists_targets, sys.path)):
        return {}
    from importlib.metadata import entry_points

    return {e.name: e.module for e in sorted(entry_points(group=GROUP))}


def _lists_targets(folder: str) -> bool:
    """Return whether some package installed in `folder` has an entry point for a target."""
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
