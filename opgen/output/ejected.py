"""Families whose files are their owner's: no render writes, compares or removes them.

The file EJECTED in `out` lists them as MANIFEST does, with the hashes that they were rendered
with. What is about all families goes on being rendered from all specs, theirs too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.ir.project import Family, Project
from opgen.output.render import EJECTED, MANIFEST, File, builtin, completed, is_output

_HEADER = re.compile(r"Rendered by opgen from (\S+\.toml)(?:: edit the spec, not this file)?\.")


def read(out: Path) -> dict[str, str]:
    """The ejected files: the hash that each was rendered with, by path."""
    return _listed(out / EJECTED)


def without(files: Sequence[File], ejected: Mapping[str, str]) -> tuple[list[Any], list[str]]:
    """Of rendered files those that are still opgen's, the manifest last.

    With those ejected ones that would be rendered otherwise by now.
    """
    if not ejected:
        return [*files], []
    own = [file for file in files[:-1] if file.path not in ejected]
    changed = [f.path for f in files if ejected.get(f.path, f.digest) != f.digest]
    return completed(own, ejected=ejected), changed


def eject(project: Project, family: Family, targets: Sequence[str], out: Path) -> list[str]:
    """Leave the files of a family to their owner; their paths.

    They must be what is rendered, and lose the line that forbids to edit them.
    """
    files = [f for name in targets for f in builtin(name).family_outputs(project, family)]
    paths = {file.path for file in files}
    # A render in between finds the files as it would write them.
    left = {path: digest for path, digest in _listed(out / MANIFEST).items() if path not in paths}
    _write(out / MANIFEST, _listing(left))
    _write(out / EJECTED, _listing(read(out) | {file.path: file.digest for file in files}))
    for file in files:
        text = (out / file.path).read_text(encoding="utf-8")
        own = _HEADER.sub(r"Begun by opgen from \1, which it no longer follows.", text)
        if own != text:
            _write(out / file.path, own)
    return sorted(paths)


def _listed(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.partition("  ") for line in lines)
    return {name: digest for digest, _, name in pairs if is_output(name)}


def _listing(digests: Mapping[str, str]) -> str:
    return "".join(f"{digests[path]}  {path}\n" for path in sorted(digests))


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
