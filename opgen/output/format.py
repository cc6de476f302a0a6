"""Format rendered Python with ruff, so that targets need not format their code."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from tempfile import TemporaryDirectory
from typing import TypeVar

from opgen.spec.extensions import TargetError
from opgen.targets.python_format import WIDTH
from opgen.targets.target import OutputFile

F = TypeVar("F")

# The user's configuration must not change the output.
ARGUMENTS = (
    *("format", "--isolated", "--no-cache", "--quiet", "--no-respect-gitignore"),
    *("--line-length", str(WIDTH), "--target-version", "py311"),
)
# A folder in memory for the files to format, because writing a file to disk may take a millisecond.
# The folder may be limited to 64 MB, far more than the files of one batch need.
MEMORY, BATCH = "/dev/shm", 2_000
# The start of ruff's report about a file that is not valid Python. Ruff does not change this file.
_UNREADABLE = "error: Failed to parse "


def find_ruff() -> str:
    """Return the path of the ruff program. Raises `TargetError` if ruff is missing."""
    try:
        from ruff import find_ruff_bin

        return str(find_ruff_bin())
    except (ImportError, OSError):
        raise TargetError(
            "ruff, which lays rendered Python out, is not installed: install opgen again"
        ) from None


def laid_out(files: Iterable[tuple[str, F]]) -> list[tuple[str, F | OutputFile]]:
    """Return `files`, each with its target, after ruff has formatted the Python files.

    Copies, files that are already formatted, and files in other languages are unchanged. Raises
    `TargetError`.
    """
    found: list[tuple[str, F | OutputFile]] = list(files)
    due: list[tuple[int, OutputFile]] = []
    for number, (_, file) in enumerate(found):
        if isinstance(file, OutputFile) and file.path.endswith(".py") and not file.verbatim:
            due.append((number, file))
    try:
        for start in range(0, len(due), BATCH):
            batch = due[start : start + BATCH]
            for (number, file), text in zip(batch, _formatted([file for _, file in batch])):
                found[number] = (found[number][0], OutputFile(file.path, text, verbatim=True))
    except OSError as error:
        raise TargetError(f"ruff cannot lay out rendered Python: {error}") from error
    return found


def _formatted(files: Sequence[OutputFile]) -> list[str]:
    """Return the texts of `files`, formatted by one ruff process."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with TemporaryDirectory(dir=memory) as folder:
        drafts = [f"{folder}/{number}.py" for number in range(len(files))]
        for draft, file in zip(drafts, files):
            with open(draft, "wb") as written:
                written.write(file.data)
        done = subprocess.run([find_ruff(), *ARGUMENTS, folder], capture_output=True, text=True)
        problems = [
            line for line in done.stderr.splitlines() if line and not line.startswith(_UNREADABLE)
        ]
        if problems or done.returncode not in (0, 2):
            reason = problems[0] if problems else f"it ended with code {done.returncode}"
            raise TargetError(f"ruff cannot lay out rendered Python: {reason}")
        return [_text(draft) for draft in drafts]


def _text(file: str) -> str:
    with open(file, encoding="utf-8", newline="") as opened:
        return opened.read()
