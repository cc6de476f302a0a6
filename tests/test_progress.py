"""What `opgen build` says on the way: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import io
import sys

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
        shown.line(f"{line}\n")
    shown.close()
    drawn = [text.strip() for text in stream.getvalue().split("\r\x1b[K")]
    assert drawn == [
        "",
        "[######------------------] 3/12 compiled row_norm_cpu.cpp",
        "[########################] 12/12 linked libacme_kernels-012",
        "",
    ]


def test_elsewhere_a_line_when_two_seconds_have_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    stream = io.StringIO()
    shown = progress.Progress(stream)
    for seconds in (0.5, 1.9, 2.1, 2.2):
        now[0] = seconds
        shown.line(f"{BUILDING}\n")
    shown.close()
    assert stream.getvalue() == "opgen: 3 of 12 steps: compiled row_norm_cpu.cpp\n"


def test_the_whole_output_is_kept_and_the_exit_code() -> None:
    program = f"import os, sys; print(os.environ['NINJA_STATUS']); print({BUILDING!r}, file=sys.stderr); sys.exit(3)"
    code, output = progress.watched([sys.executable, "-c", program])
    assert (code, sorted(output.splitlines())) == (3, sorted([progress.STATUS, BUILDING]))
