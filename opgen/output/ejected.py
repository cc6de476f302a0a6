"""Manage the families whose generated files the user edits, after `opgen eject`.

opgen no longer writes, compares or removes these files. The file EJECTED in the output folder lists
them in the format of MANIFEST. Their hashes in EJECTED are those before the user's edits. opgen
still renders the shared files of the project from all specs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opgen.output.files import EJECTED, MANIFEST, File, completed, is_output, manifest_of
from opgen.source.text import read_text
from opgen.targets.target import OutputFile

if TYPE_CHECKING:
    from opgen.ir.project import Family, Project

_HEADER = re.compile(r"Rendered by opgen from (\S+\.toml)(?:: edit the spec, not this file)?\.")


def read(out: Path) -> dict[str, str]:
    """Return the hash of each ejected file, by path. The user's edits do not change this hash."""
    return _listed(out / EJECTED)


def without(files: Sequence[File], ejected: Mapping[str, str]) -> tuple[list[Any], list[str]]:
    """Return the rendered files that are not ejected, the manifest last.

    Also return the paths of ejected files that opgen would now render differently.
    """
    if not ejected:
        return [*files], []
    own = [file for file in files[:-1] if file.path not in ejected]
    changed = [f.path for f in files if ejected.get(f.path, f.digest) != f.digest]
    return completed(own, ejected=ejected), changed


def family_files(
    project: Project, family: Family, targets: Sequence[str], rendered: Sequence[OutputFile]
) -> list[OutputFile]:
    """Return the rendered files of a family, which the user may edit after `opgen eject`."""
    from opgen.output.render import builtin

    own = {f.path for name in targets for f in builtin(name).family_outputs(project, family)}
    return [file for file in rendered if file.path in own]


def unfinished(files: Sequence[OutputFile], out: Path) -> bool:
    """Return whether some file still has the line that forbids edits.

    This happens if `opgen eject` was killed.
    """
    there = (place for file in files if (place := out / file.path).is_file())
    return any(_HEADER.search(read_text(place)) for place in there)


def texts(rendered: Sequence[File], files: Sequence[OutputFile], out: Path) -> dict[str, str]:
    """Return the texts that `opgen eject` writes to eject `files`, by path and in order.

    If `opgen eject` was killed, the next run returns the same texts. `rendered` is the output of
    all specs. In the texts of `files`, a different line replaces the line that forbids edits.
    """
    listed = read(out) | {file.path: file.digest for file in files}
    # The manifest comes first. If it still listed the ejected files, the next render would remove
    # them.
    found = {
        MANIFEST: manifest_of(without(rendered, listed)[0]).text,
        EJECTED: "".join(f"{listed[path]}  {path}\n" for path in sorted(listed)),
    }
    for file in files:
        text = read_text(out / file.path)
        own = _HEADER.sub(r"Begun by opgen from \1, which it no longer follows.", text)
        if own != text:
            found[file.path] = own
    return found


def _listed(path: Path) -> dict[str, str]:
    try:
        lines = read_text(path).splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.partition("  ") for line in lines)
    return {name: digest for digest, _, name in pairs if is_output(name)}
