"""Run a check in a forked process, so that a crash does not end this process."""

from __future__ import annotations

import faulthandler
import os
import pickle
import traceback
import warnings
from collections.abc import Callable
from signal import Signals
from typing import Any

# A description of each crash, by the package and the op of the kernel.
_crashed: dict[tuple[str, str], str] = {}

Note = Callable[[str], None]


class Crashed(AssertionError):
    """Error for a forked process that ended early.

    The message names the signal or exit status, and the work that was in progress.
    """


def apart(work: Callable[[Note], Any]) -> Any:
    """Run `work` in a forked process and return its result.

    `work` receives a function that records its progress. If the process ends early, `Crashed` is
    raised. If `work` raises an error, AssertionError is raised.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # the forked process needs no threads
        child = os.fork()
    if child == 0:
        faulthandler.disable()  # the error message already reports the crash
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            _work(work, pipe)
        os._exit(0)
    os.close(writing)
    last, result = "", None
    with os.fdopen(reading, "rb") as pipe:
        while True:
            try:
                word, value = pickle.load(pipe)
            except (EOFError, pickle.UnpicklingError):
                break
            last, result = (value, None) if word == "note" else (last, (word, value))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        raise Crashed(f"ended by {Signals(os.WTERMSIG(status)).name}" + f", at {last}" * bool(last))
    if result is None:
        raise Crashed(f"ended with {os.WEXITSTATUS(status)}" + f", at {last}" * bool(last))
    word, value = result
    if word == "raised":
        raise AssertionError(f"{value}at {last}")
    return value


def _work(work: Callable[[Note], Any], pipe: Any) -> None:
    def say(word: str, value: object) -> None:
        pickle.dump((word, value), pipe)
        pipe.flush()

    try:
        say("done", work(lambda text: say("note", text)))
    except BaseException:  # the forked process must not run the rest of the program
        say("raised", traceback.format_exc())


def crashes(package: str, op: str, how: str) -> None:
    """Record that the kernel of an op crashed, so that no later test calls it."""
    _crashed[package, op] = how


def refuse_crashed(package: str, op: str) -> None:
    """Raise AssertionError if the kernel of an op has crashed before.

    Another call of this kernel could end this process.
    """
    if (how := _crashed.get((package, op))) is not None:
        raise AssertionError(f"{op} is not called any more: its kernel was {how}")
