"""Run a function in a forked process, so that PyTorch is loaded but no device is in use."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

SECONDS = 300


def in_child(work: Callable[[], object], **settings: str) -> str:
    """Run `work` in a child process. Return its result as text, or how the process died.

    `settings` are environment variables of the child.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 2)
        os.environ.update(settings)
        signal.alarm(SECONDS)
        try:
            text = str(work())
        except BaseException as error:  # including a failed assertion, which the parent reports
            text = f"raised {type(error).__name__}: {error}"
        os.write(write, f"\0{text}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said, _, text = pipe.read().decode(errors="replace").rpartition("\0")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        raise TimeoutError(f"no outcome in {SECONDS} s")
    if os.WIFSIGNALED(status):
        told = [
            line for line in f"{said}{text}".splitlines() if line.startswith(("stand-in", "CUDA"))
        ]
        return f"died: {told[0] if told else signal.Signals(os.WTERMSIG(status)).name}"
    return text
