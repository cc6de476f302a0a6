"""Report the progress of a build: as a bar on a terminal, and as lines elsewhere."""

from __future__ import annotations

import codecs
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TextIO

# A line about a step in ninja's output, in the format of `NINJA_STATUS`. On a terminal, ninja
# prints the line at the start of the step, and otherwise at the end of the step.
STATUS = "[%f/%t] "
_STEP = re.compile(r"^(?:\S+ )?\[(\d+)/(\d+)\] (Building|Linking)\b.*?([^/ ]+)$")
_BEGUN = {"Building": "compiling", "Linking": "linking"}
_ENDED = {"Building": "compiled", "Linking": "linked"}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# Line ends in terminal output. Ninja also ends a line by clearing and overwriting it.
_LINE_END = re.compile(r"\r\n|\r|\n|\x1b\[K")
# A cancelled build has this number of seconds to end.
GRACE = 5.0
BAR = 24


class Progress:
    """Reports the progress of a build from the lines of the build's output.

    On a terminal, the report is one line that is overwritten. Elsewhere, it has a line for each
    step.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.bar = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = False

    def line(self, text: str) -> None:
        """Process a line of the output."""
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
        """Remove the progress bar, so that the next output starts on an empty line."""
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
    held: Sequence[int] = (),
    umask: int = -1,
) -> tuple[int, str]:
    """Run a build step and report its progress. Return its exit code and its whole output.

    The step runs in a separate process group, which is ended if an exception ends this call. `held`
    are lock descriptors that the step inherits. So no other build starts while a process of this
    step is alive.
    """
    progress, lines = Progress(), []
    variables = {**(os.environ if environment is None else environment), "NINJA_STATUS": STATUS}
    # Ninja reports the start of a step only if its output is a terminal.
    ours, theirs = os.openpty() if progress.bar else os.pipe()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        pass_fds=held,
        process_group=0,
        umask=umask,
    )
    os.close(theirs)
    try:
        for text in _lines(ours):
            lines.append(f"{text}\n")
            progress.line(text)
    except BaseException:
        _end(process.pid, ours)
        raise
    finally:
        progress.close()
        os.close(ours)
        code = process.wait()
    return code, "".join(lines)


def _end(group: int, output: int) -> None:
    """End all processes of a step.

    `group` is the process group of the step. The compilers that ninja starts are not in this group,
    but ninja ends them. `output` is the descriptor of the step's output. A read from it returns
    end-of-file when all processes have ended.
    """
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(group, number)
        until = monotonic() + GRACE
        while (left := until - monotonic()) > 0:
            if select.select([output], [], [], left)[0] and not _read(output):
                return


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the terminal has no more writers
        return b""


def _lines(descriptor: int) -> Iterator[str]:
    """Yield each line of an output as soon as it is complete, without colours."""
    decoder, rest = codecs.getincrementaldecoder("utf-8")("replace"), ""
    while True:
        data = _read(descriptor)
        *whole, rest = _LINE_END.split(rest + decoder.decode(data, not data))
        yield from filter(None, (_ESCAPE.sub("", text) for text in whole))
        if not data:
            break
    if rest:
        yield _ESCAPE.sub("", rest)
