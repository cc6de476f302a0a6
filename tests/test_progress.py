"""Progress of `opgen build`: a bar on a terminal, and lines elsewhere."""

from __future__ import annotations

import io
import sys
from time import monotonic

import pytest

from opgen.build import progress

BUILDING = "[3/12] Building CXX object CMakeFiles/acme_kernels.dir/cpp/row_norm_cpu.cpp.o"
LINKING = "*** [12/12] Linking CXX shared library ./libacme_kernels-0123.so"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")


def test_a_bar_with_what_was_compiled_and_nothing_left_of_it() -> None:
    stream = Terminal()
    shown = progress.Progress(stream)
    for line in (
        "-- The CXX compiler",
        "[0/2] Re-checking globbed directories...",
        BUILDING,
        LINKING,
    ):
        shown.line(line)
    shown.close()
    drawn = [text.strip() for text in stream.getvalue().split("\r\x1b[K")]
    assert drawn == [
        "",
        "[######------------------] 3/12 compiling row_norm_cpu.cpp",
        "[########################] 12/12 linking libacme_kernels-01",
        "",
    ]


def test_elsewhere_each_step_has_a_line() -> None:
    stream = io.StringIO()
    shown = progress.Progress(stream)
    for line in ("[0/2] Re-checking globbed directories...", BUILDING, LINKING):
        shown.line(line)
    shown.close()
    assert stream.getvalue().splitlines() == [
        "opgen: 3 of 12 steps: compiled row_norm_cpu.cpp",
        "opgen: 12 of 12 steps: linked libacme_kernels-0123.so",
    ]


def test_the_whole_output_is_kept_and_the_exit_code() -> None:
    program = f"import os, sys; print(os.environ['NINJA_STATUS']); print({BUILDING!r}, file=sys.stderr); sys.exit(3)"
    code, output = progress.watched([sys.executable, "-c", program])
    assert (code, sorted(output.splitlines())) == (3, sorted([progress.STATUS, BUILDING]))


# Ninja prints the start of a step only on a terminal.
BEGINS = r"""
import sys, time
if sys.stdout.isatty():
    print("\r[0/1] Building CXX object a/row.cpp.o\x1b[K", end="", flush=True)
    time.sleep(60)
"""


def test_on_a_terminal_it_is_said_what_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a build step is shown when it starts.

    Here the compiler waits until it is killed.
    """
    seen = Terminal()

    def line(self: progress.Progress, text: str) -> None:
        original(self, text)
        if "row.cpp" in seen.getvalue():
            raise KeyboardInterrupt

    original = progress.Progress.line
    monkeypatch.setattr(progress.Progress, "line", line)
    monkeypatch.setattr(sys, "stderr", seen)
    began = monotonic()
    with pytest.raises(KeyboardInterrupt):
        progress.watched([sys.executable, "-c", BEGINS])
    assert "0/1 compiling row.cpp" in seen.getvalue() and monotonic() - began < 30


def test_lines_of_a_terminal_are_plain_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    program = r"print('\r[1/2] a\x1b[K\r[2/2] b\x1b[K\n\x1b[31mred\x1b[0m: \u00e9')"
    assert progress.watched([sys.executable, "-c", program]) == (
        0,
        "[1/2] a\n[2/2] b\nred: \u00e9\n",
    )
