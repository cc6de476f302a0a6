"""Create a distribution's pyproject.toml: its metadata, and settings for building wheels."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit

from opgen.build.cmake import BuildError
from opgen.package import sbom
from opgen.package.commit import source_date
from opgen.source.frozen import dataclass
from opgen.source.inside import Outside, inside
from opgen.source.version import __version__
from opgen.spec.config import Config
from opgen.spec.extensions import default_targets

BACKEND = "scikit_build_core.build"
VERSION = "0.1.0"
# The oldest Python that rendered code supports.
PYTHON = ">=3.11"
# Patterns of licence files (PEP 639). They apply if a project names no licence files.
LICENSES = ("LICEN[CS]E*", "COPYING*", "NOTICE*", "AUTHORS*")
NAMES = {"torch": "PyTorch", "jax": "JAX"}
# Requirements for building each framework's library. The XLA FFI headers since jaxlib 0.11.1
# produce libraries that older jaxlibs reject.
BUILT_WITH = {"torch": "torch>=2.10", "jax": "jaxlib>=0.10,<0.11.1"}
# Requirements of an extra such as `acme-ops[torch]`. They set only a lowest version.
RUNS_WITH = {"torch": ["torch>=2.10", "array-api-compat"], "jax": ["jax>=0.10", "numpy"]}
# PyTorch's own libraries. Wheels do not contain them, because the running process has loaded them.
FOREIGN = ("libtorch.so", "libtorch_cpu.so", "libtorch_cuda.so", "libtorch_python.so", "libc10.so")
# Files of the rendered package that only a build reads.
BUILD_ONLY = ("cpp/**", "CMakeLists.txt")
_NAME = r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"  # the name of a distribution


@dataclass(frozen=True, slots=True)
class Metadata:
    """The text of a distribution's pyproject.toml, and values from this text.

    `files` are the project's README and licences. `assumed` are settings that the project's
    pyproject.toml lacks and that opgen chose.
    """

    text: str
    name: str
    version: str
    license: str
    files: tuple[Path, ...]
    assumed: tuple[str, ...]
    frameworks: tuple[str, ...]


def metadata(config: Config, runtime: str) -> Metadata:
    """Return the metadata of the wheel that contains the ops, from the project's pyproject.toml.

    The metadata is in `[tool.opgen.project]` if this table exists, or else in `[project]`.
    `runtime` is the folder of opgen's own headers in the distribution. Raises `BuildError` if the
    metadata is invalid.
    """
    document = _document(config.root / "pyproject.toml")
    project, assumed = _project(document, config)
    files = tuple(_files(project, config.root))
    # The libraries contain code from opgen's headers, so its licence applies too.
    licenses = [each.as_posix() for each in files if each.as_posix() != _readme(project)]
    licenses.append(f"{runtime}/LICENSE")
    license = project.get("license")
    if isinstance(license, Mapping) and "file" in license:
        del project["license"]  # `files` includes this file; only one form is allowed
    document["project"] = project
    document["build-system"] = {
        "requires": ["scikit-build-core>=1.0", *_needed(config)],
        "build-backend": BACKEND,
    }
    tool: Any = document.setdefault("tool", {})
    own = tool.setdefault("scikit-build", {})
    if isinstance(license, Mapping) and "file" not in license:
        _fill(own, {"wheel": {"license-files": licenses}})
    else:
        project["license-files"] = licenses
    _fill(own, _backend_options(config))
    _fill(tool.setdefault("cibuildwheel", {}), _container_options(config.root))
    return Metadata(
        text=tomlkit.dumps(document),
        name=str(project["name"]),
        version=str(project["version"]),
        license=_license(project),
        files=files,
        assumed=assumed,
        frameworks=tuple(NAMES[name] for name in _frameworks(config)),
    )


def _document(path: Path) -> Any:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BuildError("there is no project here: `opgen init` begins one") from None
    except tomllib.TOMLDecodeError as error:
        raise BuildError(f"{path.name} cannot be read: {error}") from None


def _project(document: Any, config: Config) -> tuple[Any, tuple[str, ...]]:
    """Return the table `[project]` with all settings, and the settings that opgen chose."""
    tool = document.get("tool", {}).get("opgen", {})
    backend = document.get("build-system", {}).get("build-backend", "")
    project = tool.get("project")
    if project is None:
        project = document.get("project", {})
        if backend and backend != BACKEND:
            raise BuildError(
                f"pyproject.toml builds {project.get('name', 'something else')} with {backend}: "
                "name the wheel of the ops in a table of its own, `[tool.opgen.project]` with "
                "`name` and `version`, as `[project]` would have them"
            )
    moving = [key for key in ("name", "version") if key in project.get("dynamic", ())]
    if moving:
        raise BuildError(
            f"[project] has its {moving[0]} from elsewhere (dynamic): write it out there, or in "
            "`[tool.opgen.project]`"
        )
    defaults = {"name": config.package.replace(".", "-").replace("_", "-"), "version": VERSION}
    assumed = tuple(f'{key} = "{value}"' for key, value in defaults.items() if key not in project)
    extras = {name: RUNS_WITH[name] for name in _frameworks(config)}
    _fill(
        project,
        {**defaults, "requires-python": PYTHON, "optional-dependencies": extras},
    )
    if config.runtime == "package":  # any local version, which follows a `+`, is accepted
        project["dependencies"] = [
            *project.get("dependencies", ()),
            f"opgen-runtime=={__version__}",
        ]
    if not re.fullmatch(_NAME, str(project["name"])):
        raise BuildError(
            f"a distribution cannot be called `{project['name']}`: its name has letters, digits, "
            "`-`, `_` and `.`, and begins and ends with a letter or digit"
        )
    return project, assumed


def _frameworks(config: Config) -> list[str]:
    targets = config.targets or default_targets()
    return [name for name in RUNS_WITH if name in targets]


def _needed(config: Config) -> list[str]:
    return [BUILT_WITH[name] for name in _frameworks(config)]


def _readme(project: Mapping[str, Any]) -> str | None:
    readme = project.get("readme")
    return readme.get("file") if isinstance(readme, Mapping) else readme


def _files(project: Mapping[str, Any], root: Path) -> Iterator[Path]:
    """Yield the paths of the README and of the licence files, relative to the project's folder."""
    license = project.get("license")
    named = [_readme(project), license.get("file") if isinstance(license, Mapping) else None]
    for name in map(str, filter(None, named)):
        if not _named(root, name).is_file():
            raise BuildError(f"[project] names {name}, which is not there")
        yield Path(name)
    for pattern in map(str, project.get("license-files", LICENSES)):
        _named(root, pattern)
        found = sorted(root.glob(pattern))
        for file in found:
            _named(root, file.relative_to(root).as_posix())
        if not found and "license-files" in project:
            raise BuildError(f"[project] names {pattern}, which is not there")
        yield from (file.relative_to(root) for file in found)


def _named(root: Path, name: str) -> Path:
    try:
        return inside(root, name)
    except Outside as error:
        raise BuildError(f"[project] names {name}: {error}") from error


def _license(project: Mapping[str, Any]) -> str:
    """Return the SPDX expression of the licence, or "other" if the project does not state one."""
    license = project.get("license", "other")
    return str(license) if isinstance(license, str) else "other"


def _fill(table: Any, defaults: Mapping[str, Any]) -> None:
    """Set each key in `defaults` that `table` lacks, including in nested tables."""
    for key, value in defaults.items():
        if isinstance(value, Mapping) and key in table:
            _fill(table[key], value)
        elif key not in table:
            table[key] = value


def _backend_options(config: Config) -> dict[str, Any]:
    package = config.package.replace(".", "/")
    return {
        "minimum-version": "build-system.requires",
        "wheel": {
            "py-api": "py3",
            "packages": {package: config.out},
            "install-dir": f"{package}/lib",
            "exclude": [f"{package}/{pattern}" for pattern in BUILD_ONLY],
            "reproducible": True,
            "force-include": {sbom.FILE: f"${{SKBUILD_METADATA_DIR}}/sboms/{sbom.FILE}"},
        },
    }


def _container_options(root: Path) -> dict[str, Any]:
    """Return cibuildwheel's settings: one wheel for all Pythons, built with glibc 2.28."""
    excluded = " ".join(f"--exclude {name}" for name in FOREIGN)
    return {
        "build": "cp311-manylinux_*",
        "manylinux-x86_64-image": "manylinux_2_28",
        "manylinux-aarch64-image": "manylinux_2_28",
        "environment": f"SOURCE_DATE_EPOCH={source_date(root)}",
        "repair-wheel-command": f"auditwheel repair {excluded} -w {{dest_dir}} {{wheel}}",
    }
