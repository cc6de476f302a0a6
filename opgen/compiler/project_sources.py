"""Find the hand-written kernel sources of a family (the ops of one spec)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from opgen.source.inside import Outside, inside, leads_out
from opgen.spec.config import Config
from opgen.spec.extensions import platforms

NAMES_SHOWN = 5


def kernel_sources(folder: Path, family: str) -> dict[str, tuple[str, ...]]:
    """Return the hand-written sources of a family by platform, as paths relative to `folder`."""
    found: dict[str, tuple[str, ...]] = {}
    try:
        files = sorted(inside(folder, family).iterdir())
    except (Outside, OSError):
        return {}
    for file in files:
        platform = platform_of(file.name)
        if platform is not None and not leads_out(file, folder):
            found[platform] = (*found.get(platform, ()), f"{family}/{file.name}")
    return found


def kernel_file(kernels: Path, beside: Path, file: str) -> Path:
    """Return the path of `file` in the `kernels` folder. Raises `Outside` if it is not inside.

    If the file exists only in `beside`, the folder of the spec, return its path there. Rendered
    tests have copies of kernel files next to the spec.
    """
    found, copied = inside(kernels, file), inside(beside, file)
    return copied if not found.exists() and copied.is_file() else found


def platform_of(file: str) -> str | None:
    """Return the platform whose file name pattern matches a source; None if no pattern matches.

    If several patterns match, the longest one decides.
    """
    fitting = [
        (len(pattern), platform.name)
        for platform in platforms().values()
        for pattern in platform.sources
        if fnmatchcase(file, pattern)
    ]
    return max(fitting)[1] if fitting else None


def awaited_kernels(awaited: Mapping[str, Sequence[str]], config: Config) -> Iterator[str]:
    """Yield a hint for each platform that has ops whose kernels are not written yet."""
    for platform, names in awaited.items():
        yield f"no {platform} source yet in {config.kernels}/ for {listed(names)}"


def listed(names: Sequence[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
