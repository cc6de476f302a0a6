"""Move built libraries into the `lib/` of a package, and record the build in BUILD.json."""

from __future__ import annotations

import filecmp
import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.build import triton
from opgen.build.frameworks import Frameworks
from opgen.source.atomic import put_all

RECORD = "BUILD.json"


def record_of(
    folder: Path,
    frameworks: Frameworks,
    cuda: bool,
    code: Mapping[str, triton.Code],
    only: Sequence[str],
) -> dict[str, Any]:
    """Return the content of a build's BUILD.json, except the list of libraries."""
    cache = (folder / "CMakeCache.txt").read_text()
    compiler = re.findall(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[0]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return {
        "compiler": version.split("\n")[0],
        **({"only": [*only]} if only else {}),
        "cuda": cuda or "cuda" in code,
        "hip": "hip" in code,
        "torch": frameworks.torch_version or None,
        "jax": frameworks.jax_version or None,
        "ffi": frameworks.jax_ffi or None,
        "python": frameworks.python_suffix.strip(".").removesuffix(".so") or None,
    }


def publish(stage: Path, lib: Path, record: dict[str, Any]) -> tuple[list[Path], bool]:
    """Move the libraries from `stage` into `lib`, and remove outdated libraries from `lib`.

    Return the paths of the libraries, and whether anything in `lib` has changed.
    """
    lib.mkdir(parents=True, exist_ok=True)
    files = (file for file in stage.rglob("*") if file.is_file())
    names = sorted(file.relative_to(stage).as_posix() for file in files)
    package = _packages(names)
    former = _former(lib)
    changed = [name for name in names if not _same(stage / name, lib / name)]
    for draft in lib.rglob(".*.new"):  # a killed build left this file
        draft.unlink()
    kept = {n for n in former if _packages([n]) <= package and (lib / n).is_file()}
    # Remove kernel libraries of earlier builds. Otherwise the loader might select one of them,
    # because it has a better CPU level. GPU kernels stay, because an adapter from the earlier build
    # may be linked with them.
    kept = {n for n in kept if "_kernels-" not in n}
    record["libraries"] = sorted({*names, *kept})
    text = json.dumps(record, indent=2) + "\n"
    libraries = [lib / name for name in record["libraries"]]
    if not changed and (lib / RECORD).is_file() and (lib / RECORD).read_text() == text:
        return libraries, False
    put_all({**{lib / name: stage / name for name in changed}, lib / RECORD: text})
    for name in former - set(record["libraries"]):
        (lib / name).unlink(missing_ok=True)
    return libraries, True


def drop_former(folder: Path, stage: Path) -> None:
    """Remove libraries that belong to an older version of the package from the build folder."""
    here = _packages([file.name for file in stage.rglob("*.so")])
    for file in folder.rglob("*.so"):
        if _packages([file.name]) - here:
            file.unlink()


def _same(built: Path, place: Path) -> bool:
    return place.is_file() and filecmp.cmp(built, place, shallow=False)


def _packages(names: list[str]) -> set[str]:
    found = (re.search(r"-([0-9a-f]{12})\b", name) for name in names)
    return {match[1] for match in found if match}


def _former(lib: Path) -> set[str]:
    """Return the names of the last build's libraries from BUILD.json, or an empty set."""
    try:
        names = json.loads((lib / RECORD).read_text())["libraries"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {str(name) for name in names if ".." not in Path(str(name)).parts}
