"""Render the folder `_opgen/` of a package. This folder contains opgen's runtime, or imports it
from opgen-runtime.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opgen.ir.project import Whole
from opgen.runtime import files, runtime_hash
from opgen.source.version import __version__
from opgen.targets import environment
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"


def vendored(whole: Whole, part: str) -> Iterator[OutputFile]:
    """Yield the files of `_opgen/` that belong to `part`, one target's part of the runtime."""
    if part == "core":
        yield OutputFile("_opgen/__init__.py", header(whole.runtime))
    if whole.runtime == "vendored":
        for path, text in files(part):
            yield OutputFile(f"_opgen/{path}", text, verbatim=True)


def header(runtime: str) -> str:
    """Return the text of `_opgen/__init__.py`. It has the version and hash of the runtime. If
    `runtime` is "package", it also imports opgen-runtime.
    """
    template = environment(TEMPLATES).get_template(f"runtime_{runtime}.py.j2")
    return template.render(version=__version__, hash=runtime_hash())
