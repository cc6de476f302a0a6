"""Find the spec files of a command, and the hand-written framework files next to a spec."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from opgen.source.failure import Failure
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.extensions import extensions

# Matches a file with the `spec` version key, or with an op or a template but no version.
SPEC = re.compile(r"^[ \t]*(spec[ \t]*=|\[?[ \t]*(ops|templates)[ \t]*[.\]=])", re.M)

# The number of spec folders whose file names are cached.
_FOLDERS = 32
# The files that this process has read, with their stamps.
_files: dict[str, tuple[tuple[int, int, int], SourceFile]] = {}
_OTHER = (".yaml", ".yml", ".json")
NO_PROJECT = "there is no project here: `opgen init` creates one"


class DiscoveryError(Failure):
    """Error for a file, folder or spec that does not exist or cannot be read."""


def spec_files(paths: Sequence[Path], config: Config) -> list[Path]:
    """Return the paths of `spec_sources`."""
    return list(map(Path, spec_sources(paths, config)))


def spec_sources(paths: Sequence[Path], config: Config) -> dict[str, SourceFile]:
    """Return the spec files that `paths` name, by path. Without paths, return all spec files of the
    project.

    For a folder, return every .toml file in it that is a spec or seems intended as a spec. Hidden
    folders are skipped. The copies of specs in the rendered package are returned only if `paths`
    names no other spec. Raises `DiscoveryError`.
    """
    found: dict[str, SourceFile] = {}
    copies: dict[str, SourceFile] = {}
    for path in paths or [shown(config.specs_dir)]:
        if path.is_dir():
            found.update((source.path, source) for source in specs_below(path, config.out_dir))
        elif (copied := path.absolute().is_relative_to(config.out_dir)) or path.exists():
            source = SourceFile.read(path)
            (copies if copied else found)[source.path] = source
        elif paths or (config.root / "pyproject.toml").is_file():
            raise DiscoveryError(f"there is no file or folder {path}")
        else:
            raise DiscoveryError(NO_PROJECT)
    if copies and not found:
        return copies
    if not found:
        places = paths or [config.specs_dir]
        raise DiscoveryError(f"there is no spec in {', '.join(map(str, places))}{_others(places)}")
    return found


def specs_below(folder: Path, out: Path) -> Iterator[SourceFile]:
    """Yield the spec files in `folder`, except those in the folder `out`."""
    for name, folders, files in os.walk(folder, onerror=_unreadable):
        here = Path(name)
        folders[:] = sorted(f for f in folders if f[0] != "." and (here / f).absolute() != out)
        for file in sorted(f for f in files if os.path.splitext(f)[1] == ".toml"):
            source = _read(os.path.join(name, file))
            if source.problem is not None or SPEC.search(source.text) or _is_broken(source):
                yield source


def _read(path: str) -> SourceFile:
    """Return a file, from memory if its change time, size and inode are those of the last read."""
    try:
        info = os.lstat(path)
    except OSError:
        return SourceFile.read(Path(path))  # the file was removed in the meantime
    stamp = info.st_ctime_ns, info.st_size, info.st_ino
    if path not in _files or _files[path][0] != stamp or stat.S_ISLNK(info.st_mode):
        _files[path] = stamp, SourceFile.read(Path(path))
    return _files[path][1]


def _is_broken(source: SourceFile) -> bool:
    """Return whether a file is empty or is not valid TOML."""
    from opgen.source.toml import read_toml

    return not read_toml(source)[0]


def _others(folders: Iterable[Path]) -> str:
    """Return a hint that specs must be .toml files, if the folders have YAML or JSON files."""
    files = sorted(f.name for p in folders for end in _OTHER for f in p.glob(f"*{end}"))
    return f": a spec is a .toml file, unlike {files[0]}" if files else ""


def _unreadable(error: OSError) -> None:
    raise DiscoveryError(f"the folder {error.filename} cannot be read: {error.strerror}")


def shown(path: Path) -> Path:
    """Return `path` relative to the working directory; unchanged if outside this directory."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def family_of(path: str) -> str:
    """Return the name of the family whose spec is at `path`."""
    return os.path.splitext(os.path.basename(path))[0]


def framework_files_of(spec: str | Path) -> tuple[tuple[str, str, str], ...]:
    """Return (file name, target, library) for each framework file of a spec."""
    folder, file = os.path.split(spec)
    return framework_files_in(folder).get(file.removesuffix(".toml"), ())


def framework_files_in(folder: str) -> Mapping[str, tuple[tuple[str, str, str], ...]]:
    """Return the framework files in `folder` by family (the name of their spec)."""
    try:
        stamp = os.stat(folder or ".").st_mtime_ns
    except OSError:
        return {}
    return _by_family(folder or ".", stamp)


@lru_cache(_FOLDERS)
def _by_family(folder: str, stamp: int) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Return the result of `framework_files_in`.

    A file belongs to the longest family name that its own name starts with. The cache uses `stamp`,
    the folder's modification time, to notice changes.
    """
    targets = {name for name, extension in extensions().items() if extension.framework_files}
    names = os.listdir(folder)
    families = {name.removesuffix(".toml") for name in names if name.endswith(".toml")}
    found: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for name in sorted(names):
        stem = name.removesuffix(".py")
        words = stem.split("_") if stem != name and stem.isidentifier() else []
        for n in range(len(words) - 1, 0, -1):
            family, library = "_".join(words[:n]), "_".join(words[n + 1 :])
            if words[n] in targets and family in families:
                found[family] = (*found.get(family, ()), (name, words[n], library))
                break
    return found
