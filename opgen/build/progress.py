"""What a build is doing, for someone who waits: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TextIO

# What ninja prints of a finished step, with `NINJA_STATUS`.
STATUS = "[%f/%t] "
_STEP = re.compile(r"^(?:\S+ )?\[(\d+)/(\d+)\] (Building|Linking)\b.*?([^/ ]+)$")
_VERBS = {"Building": "compiled", "Linking": "linked"}
SECONDS = 2.0
BAR = 24


class Progress:
    """Reads the lines of a build's output, and says how far it is.

    On a terminal that is one line, written over and over; else a line when `SECONDS` have
    passed since the last, so that a quick build says nothing.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.bar = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.said = monotonic()
        self.shown = False

    def line(self, text: str) -> None:
        """Take note of a line of the output."""
        found = _STEP.match(text.rstrip())
        if found is None:
            return
        done, total = int(found[1]), int(found[2])
        step = f"{_VERBS[found[3]]} {found[4].removesuffix('.o')}"
        if self.bar:
            filled = BAR * done // total
            said = f"[{'#' * filled}{'-' * (BAR - filled)}] {done}/{total} {step}"
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r\x1b[K{said[:width]}")
            self.shown = True
        elif monotonic() - self.said >= SECONDS:
            self._write(f"opgen: {done} of {total} steps: {step}\n")
            self.said = monotonic()

    def close(self) -> None:
        """Take the bar away: what is said next begins a line."""
        if self.shown:
            self._write("\r\x1b[K")
            self.shown = False

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def watched(
    command: Sequence[str],
    *,
    cwd: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run a step of a build and say how far it is; its exit code and its whole output."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**(os.environ if environment is None else environment), "NINJA_STATUS": STATUS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    progress, lines = Progress(), []
    assert process.stdout is not None
    try:
        for text in process.stdout:
            lines.append(text)
            progress.line(text)
    except BaseException:
        process.kill()
        raise
    finally:
        progress.close()
        code = process.wait()
    return code, "".join(lines)
