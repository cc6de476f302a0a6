"""Read the configuration of a project: the table `[tool.opgen]` of its pyproject.toml."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from dataclasses import field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.source.frozen import dataclass
from opgen.source.inside import Outside, inside
from opgen.source.parse_rules import CONFIGURATION, UNKNOWN_KEY
from opgen.source.source_file import SourceFile
from opgen.source.version import __version__

# Namespaces that are reserved for the frameworks and the runtime.
RESERVED = ("aten", "c10", "jax", "opgen", "prim", "prims", "std", "torch", "xla")


@dataclass(frozen=True)
class Config:
    """The configuration of a project."""

    # The folder of the project's pyproject.toml. All other paths are relative to this folder.
    root: Path
    # The folders of specs and of rendered files.
    specs: str = "specs"
    out: str = "generated"
    # The names of the rendered package, in Python and in C++.
    package: str = "generated"
    namespace: str = "generated"
    # The targets that render. If this is empty, the default targets render.
    targets: tuple[str, ...] = ()
    # The folder of kernels.
    kernels: str = "kernels"
    # Where a rendered package gets opgen's runtime: `vendored` (a copy) or `package`.
    runtime: str = "vendored"
    # The architectures that kernels are compiled for.
    cuda_archs: tuple[str, ...] = ()
    hip_archs: tuple[str, ...] = ()
    # The changes that `opgen diff` accepts.
    accepted_break: tuple[dict[str, str], ...] = ()
    # The tables `bench` and `hub` of `[tool.opgen]`, and the table `[project]` of the file.
    bench: dict[str, str] = field(default_factory=dict)
    project: dict[str, Any] = field(default_factory=dict)
    hub: dict[str, Any] = field(default_factory=dict)

    @property
    def specs_dir(self) -> Path:
        return self.root / self.specs

    @property
    def out_dir(self) -> Path:
        return self.root / self.out

    @property
    def kernels_dir(self) -> Path:
        return self.root / self.kernels

    @property
    def tables_dir(self) -> Path:
        """Return the folder of the tables that `opgen tune` writes, one for each kind of device."""
        return self.root / "tuned"

    @property
    def tables(self) -> list[Path]:
        return sorted(self.tables_dir.glob("*.json"))

    @property
    def peers_file(self) -> Path | None:
        """Return the file with the functions that `opgen bench` compares ops with, if it exists."""
        return inside(self.root, self.bench["peers"]) if "peers" in self.bench else None


def load_config(start: Path) -> tuple[Config, list[Diagnostic], SourceFile | None]:
    """Return the configuration of the project that contains `start`, a file or folder.

    The configuration is in the nearest pyproject.toml at or above `start` that has `[tool.opgen]`.
    If there is no such file, returns the defaults for the working directory. Also returns
    diagnostics, and the pyproject.toml that they point into.
    """
    start = start.absolute()
    start = start if start.is_dir() else start.parent
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if not file.is_file():
            continue
        source = SourceFile.read(file)
        if source.problem is None and "opgen" not in source.text and _is_toml(source.text):
            continue
        table, found = _table(source)
        if found:
            return Config(folder), found, source
        if table is not None:
            return *_checked(folder, source, table), source
    return Config(Path.cwd()), [], None


def _is_toml(text: str) -> bool:
    """Return whether `text` is valid TOML.

    An invalid pyproject.toml may be half written, and may lack `[tool.opgen]` only for this reason.
    """
    import tomllib

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _table(source: SourceFile) -> tuple[Any, list[Diagnostic]]:
    """Return the table `[tool.opgen]`; None if it does not exist."""
    from opgen.source.toml import read_toml

    document, found = read_toml(source)
    tool = (document or {}).get("tool", {})
    return (tool.get("opgen") if isinstance(tool, dict) else None), found


def _checked(root: Path, source: SourceFile, table: Any) -> tuple[Config, list[Diagnostic]]:
    if not isinstance(table, dict):
        return Config(root), [_problem(source, (), "expected a table")]
    required = table.pop("required-version", "")
    wrong = _version(required) if required != "" else None
    if wrong is not None:  # the required version of opgen may accept other keys
        return Config(root), [_problem(source, ("required-version",), wrong)]
    found = []
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _CHECKS:
            where = Where(source.path, ("tool", "opgen", key), "key")
            message = f"unknown key `{key}`"
            found.append(UNKNOWN_KEY.at(where, message, did_you_mean(key, _CHECKS)))
            continue
        expected = _CHECKS[key](value)
        if expected is None and (wrong := _outside(root, key, value)):
            found.append(_problem(source, (key,), wrong))
        elif expected is not None:
            found.append(_problem(source, (key,), f"expected {expected}"))
        elif isinstance(value, list):
            values[key] = tuple(value)
        else:
            is_folder = _CHECKS[key] is _folder
            values[key] = str(PurePosixPath(value)) if is_folder else value
    return Config(root, **values), found


def _outside(root: Path, key: str, value: Any) -> str:
    """Return an error if a path in the value of `key` is outside of the project folder, else ""."""
    names = [value] if _CHECKS[key] is _folder else []
    names += value.values() if key == "bench" else []
    for name in names:
        try:
            inside(root, name)
        except Outside as error:
            return f"`{name}`: {error}"
    return ""


def _problem(source: SourceFile, path: tuple[str, ...], message: str) -> Diagnostic:
    where = Where(source.path, ("tool", "opgen", *path))
    return CONFIGURATION.at(where, message)


def _version(value: object) -> str | None:
    """Return an error if the `required-version` in `value` excludes this opgen, else None."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        if not isinstance(value, str):
            raise InvalidSpecifier
        if SpecifierSet(value).contains(__version__, prereleases=True):
            return None
    except InvalidSpecifier:
        return 'expected versions of opgen such as ">=0.2,<0.3"'
    return (
        f"the project asks for opgen {value}, and this is opgen {__version__}: install one of those"
    )


def _folder(value: object) -> str | None:
    """Return a description of the expected folder if `value` is invalid, else None."""
    expected = "a folder below that of pyproject.toml, with `/` between its parts"
    if not isinstance(value, str) or not value.isprintable() or "\\" in value:
        return expected
    path = PurePosixPath(value)
    if path.is_absolute() or ":" in value or ".." in path.parts or not path.parts:
        return expected
    return None


def expected_namespace(value: object) -> str | None:
    """Return a description of the expected namespace if `value` is invalid, else None."""
    if isinstance(value, str) and value in RESERVED:
        return f"a namespace of one's own: `{value}` is taken"
    if isinstance(value, str) and _identifier(value) and not value.endswith("_"):
        return None
    return "a lower-case identifier"


def _identifier(text: str) -> bool:
    return bool(re.fullmatch(r"[a-z][a-z0-9_]*", text)) and not keyword.iskeyword(text)


def _is_module(value: object) -> bool:
    return isinstance(value, str) and all(map(_identifier, value.split(".")))


def _is_list(value: object, pattern: str = ".*") -> bool:
    """Return whether the value is a list of strings that match the pattern."""
    return isinstance(value, list) and all(
        isinstance(each, str) and re.fullmatch(pattern, each, re.S) for each in value
    )


def _are_breaks(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and each.keys() == {"rule", "op", "reason"}
        and all(isinstance(text, str) and text for text in each.values())
        for each in value
    )


def _has_peers(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() <= {"peers"}
        and not any(map(_folder, value.values()))
    )


def _has_version(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"version"}:
        return False
    version = value.get("version", 1)
    return type(version) is int and version > 0


Check = Callable[[object], str | None]


def _is(expected: str, accepts: Callable[[object], bool]) -> Check:
    """Return a function that returns `expected` for values that `accepts` rejects, else None."""
    return lambda value: None if accepts(value) else expected


# For each key, the function that checks its value. It returns an error or None.
_CHECKS: dict[str, Check] = {
    "specs": _folder,
    "out": _folder,
    "package": _is("a Python package's name", _is_module),
    "namespace": expected_namespace,
    "targets": _is("a list of targets' names", _is_list),
    "kernels": _folder,
    "runtime": _is('"vendored" or "package"', lambda value: value in ("vendored", "package")),
    "cuda_archs": _is(
        'a list such as ["80", "90a"]', partial(_is_list, pattern="[1-9][0-9]{1,2}[af]?")
    ),
    "hip_archs": _is(
        'a list such as ["gfx90a", "gfx942"]', partial(_is_list, pattern=r"gfx\d{1,2}[0-9a-f]{2}")
    ),
    "accepted_break": _is("tables with `rule`, `op` and `reason`", _are_breaks),
    "bench": _is(
        'a table with `peers`, a Python file of the project: { peers = "bench/native.py" }',
        _has_peers,
    ),
    "project": _is("a table such as [project]", lambda value: isinstance(value, dict)),
    "required-version": _version,
    "hub": _is(
        "a table with `version`, a number from 1 on; layers are classes in a file "
        "`<family>_torch_layers.py` next to a spec",
        _has_version,
    ),
}
