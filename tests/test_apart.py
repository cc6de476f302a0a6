"""A kernel that crashes does not end pytest. The report names it, and it is not called again."""

from __future__ import annotations

import ctypes
import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from opgen.testing.apart import Crashed, Note, apart, crashes
from opgen.testing.hostile import checks
from opgen.testing.op_under_test import OpUnderTest


def test_what_work_gives_and_raises() -> None:
    assert apart(lambda note: [os.getpid() != parent, "found"]) == [True, "found"]

    def wrong(note: Note) -> None:
        note("f32-n5")
        raise ValueError("no such case")

    with pytest.raises(AssertionError, match="(?s)ValueError: no such case.*at f32-n5$"):
        apart(wrong)


parent = os.getpid()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (lambda: ctypes.string_at(1), "^ended by SIGSEGV, at f32-n5$"),
        (lambda: os.kill(os.getpid(), signal.SIGFPE), "^ended by SIGFPE, at f32-n5$"),
        (lambda: os._exit(7), "^ended with 7, at f32-n5$"),
    ],
)
def test_a_crash_is_named_with_what_was_done(end: Any, said: str) -> None:
    def work(note: Note) -> None:
        note("f32-n4")
        note("f32-n5")
        end()

    with pytest.raises(Crashed, match=said):
        apart(work)


def test_a_kernel_that_crashes_is_not_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    op: Any = SimpleNamespace(name="broken")
    subject = OpUnderTest(op, SimpleNamespace(package="apart_ops", ops=()))  # type: ignore[arg-type]
    monkeypatch.setattr(checks, "edge_cases", lambda op: ["f32-n5"])
    monkeypatch.setattr(checks, "_kernels", lambda subject: [subject])
    monkeypatch.setattr(checks, "faults", lambda *_, **__: ctypes.string_at(1))
    monkeypatch.setattr(checks, "examined", lambda s, cases: map(checks.faults, cases))
    with pytest.raises(AssertionError, match="^broken: the kernel was ended by SIGSEGV, at f32-n5"):
        checks.conformance(subject)
    with pytest.raises(AssertionError, match="broken is not called any more: its kernel was ended"):
        subject.wrapper("torch")
    crashes("other_ops", "broken", "ended")
