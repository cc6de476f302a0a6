"""The Python code that every rendered package needs, independent of its ops.

A package contains `core`, `torch` and `jax` in its folder `_opgen`, or imports them from the
distribution opgen-runtime. Their modules use relative imports and must not import opgen. Only
`core/project.py` imports modules of the package that contains the runtime. In a package, the folder
`debug` has only `__init__.py`, which imports the other modules from opgen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PARTS = ("core", "torch", "jax")


@cache
def runtime_hash() -> str:
    """Return a hash of all files of the runtime, including modules of `debug` that packages do not
    contain.
    """
    hashed = hashlib.sha256()
    for file in sorted(FOLDER.glob("*/*.py")):
        hashed.update(f"{file.relative_to(FOLDER).as_posix()}\n".encode() + file.read_bytes())
    return hashed.hexdigest()[:12]


def files(part: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each file that packages contain of `part`, which is one of
    `PARTS`.
    """
    for file in sorted((FOLDER / part).glob("*.py")):
        yield f"{part}/{file.name}", file.read_text(encoding="utf-8")
    if part == "core":  # a package needs it to find the rest of `debug`
        yield "debug/__init__.py", (FOLDER / "debug" / "__init__.py").read_text(encoding="utf-8")
