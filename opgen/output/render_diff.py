"""Print the output of `opgen render --diff`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.output.files import File
from opgen.output.write import Changes
from opgen.targets.target import OutputFile


def differences(files: Sequence[File], changes: Changes, out: Path) -> Iterator[str]:
    """Yield a unified diff from the contents of `out` to the rendered files, file by file."""
    rendered = {f.path: f.text for f in files if isinstance(f, OutputFile)}
    for path in sorted(path for kind in vars(changes).values() for path in kind):
        file = out / path
        plain = file.is_file() and not file.is_symlink()
        before = file.read_text(errors="replace") if plain else ""
        yield from difflib.unified_diff(
            before.splitlines(keepends=True),
            rendered.get(path, "").splitlines(keepends=True),
            f"a/{path}" if plain else "/dev/null",
            f"b/{path}" if path in rendered else "/dev/null",
        )
