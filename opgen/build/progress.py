"""What a build is doing, for someone who waits: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import codecs
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

# What ninja prints of a step with `NINJA_STATUS`: on a terminal when it begins, else when it ends.
STATUS = "[%f/%t] "
_STEP = re.compile(r"^(?:\S+ )?\[(\d+)/(\d+)\] (Building|Linking)\b.*?([^/ ]+)$")
_BEGUN = {"Building": "compiling", "Linking": "linking"}
_ENDED = {"Building": "compiled", "Linking": "linked"}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# Where a line of a terminal's ends: ninja clears what is to the right of one and writes over it.
_LINE_END = re.compile(r"\r\n|\r|\n|\x1b\[K")
BAR = 24


class Progress:
    """Reads the lines of a build's output, and says how far it is.

    On a terminal that is one line, written over and over; elsewhere a line for each step.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.bar = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = False

    def line(self, text: str) -> None:
        """Take note of a line of the output."""
        found = _STEP.match(text)
        if found is None:
            return
        done, total = int(found[1]), int(found[2])
        step = f"{(_BEGUN if self.bar else _ENDED)[found[3]]} {found[4].removesuffix('.o')}"
        if self.bar:
            filled = BAR * done // total
            said = f"[{'#' * filled}{'-' * (BAR - filled)}] {done}/{total} {step}"
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r\x1b[K{said[:width]}")
            self.shown = True
        else:
            self._write(f"opgen: {done} of {total} steps: {step}\n")

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
    progress, lines = Progress(), []
    variables = {**(os.environ if environment is None else environment), "NINJA_STATUS": STATUS}
    # Only to a terminal ninja says what it begins.
    ours, theirs = os.openpty() if progress.bar else os.pipe()
    process = subprocess.Popen(command, cwd=cwd, env=variables, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        for text in _lines(ours):
            lines.append(f"{text}\n")
            progress.line(text)
    except BaseException:
        process.kill()
        raise
    finally:
        progress.close()
        os.close(ours)
        code = process.wait()
    return code, "".join(lines)


def _lines(descriptor: int) -> Iterator[str]:
    """The lines of an output, each as soon as it is there, without colours."""
    decoder, rest = codecs.getincrementaldecoder("utf-8")("replace"), ""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError:  # a terminal that nobody writes to any more
            data = b""
        *whole, rest = _LINE_END.split(rest + decoder.decode(data, not data))
        yield from filter(None, (_ESCAPE.sub("", text) for text in whole))
        if not data:
            break
    if rest:
        yield _ESCAPE.sub("", rest)
