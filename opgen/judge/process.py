"""Start the process of a candidate kernel, prepare its memory, and wait for its answers."""

from __future__ import annotations

import json
import mmap
import os
import pickle
import random
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL, Signals
from time import clock_gettime, perf_counter, sleep
from typing import Any

import numpy as np

from opgen.judge.worker import TOGETHER, Placed, Request, Start
from opgen.testing.arrays import flat, mapped
from opgen.testing.hostile.memory import Memory
from opgen.testing.hostile.poisoned_call import Attempt, Ran

# The number of bytes that both processes map. Pages that are never written use no memory.
SHARED = 8 * 2**30
PAGE, PAGES = 4096, 4096
# Time limits in seconds: for loading a candidate, and for one call.
LOADING, CALLING = 120.0, 10.0
# The threads of a call must end within this number of seconds after the call.
ENDING = 0.5


class Failed(Exception):
    """Error for a candidate that returned no result.

    The error has the reason, and the level that the candidate fails.
    """

    def __init__(self, level: str, text: str) -> None:
        super().__init__(text)
        self.level, self.text = level, text


class Process:
    """A candidate in a separate process. Tests can call it as the `caller` of an `OpUnderTest`."""

    def __init__(self, start: Start, path: Path, calling: float = CALLING) -> None:
        self.calling = calling
        self._folder = tempfile.TemporaryDirectory(prefix="opgen-judge-")
        self._errors = Path(self._folder.name, "stderr").open("w+")
        memory = os.memfd_create("opgen-judge", 0)
        os.ftruncate(memory, SHARED)
        self._mapped = mmap.mmap(memory, SHARED)
        self.whole = np.frombuffer(self._mapped, np.uint8)
        kept = {
            k: os.environ[k] for k in ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH") if k in os.environ
        }
        environment = kept | {
            "OPGEN_JUDGE_PATH": os.fspath(path),
            "OPGEN_JUDGE_MEMORY": str(memory),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "opgen.judge.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=[memory],
            env=environment,
            cwd=self._folder.name,
        )
        os.close(memory)
        self._left = b""
        self.ask(start, "builds", LOADING)
        self.threads = self.tasks()

    def close(self) -> None:
        """End the process and all processes that it started."""
        if self._process.poll() is None:
            for pid in self._children():
                with suppress(OSError):
                    os.kill(pid, SIGKILL)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                pipe.close()
        self._folder.cleanup()

    def tasks(self) -> int:
        """Return the number of threads plus the number of child processes of the process."""
        return len(os.listdir(f"/proc/{self._process.pid}/task")) + len(self._children())

    def _children(self) -> list[int]:
        found: list[int] = []
        for file in Path(f"/proc/{self._process.pid}/task").glob("*/children"):
            with suppress(OSError):  # a thread may end during the loop
                found += map(int, file.read_text().split())
        return found

    def pin(self, cpu: int) -> None:
        """Restrict all threads of the process to one CPU."""
        for task in os.listdir(f"/proc/{self._process.pid}/task"):
            os.sched_setaffinity(int(task), {cpu})

    def __call__(self, attempt: Attempt, memory: Sequence[Any], times: int = 1) -> Ran:
        """Run a call on copies of its tensors, and copy the results back."""
        # Plain calls with different inputs reuse the same addresses. Other calls use random
        # addresses.
        at = PAGE * random.randrange(PAGES) if attempt.setting.shifted else 0
        placed, end = place(memory, at)
        assert end <= SHARED, "edge cases are small"
        self.put(placed, memory)
        mapped_before = self._mapped_bytes()
        request = Request(attempt.case, placed, attempt.setting, times)
        said = self.ask(request, "shapes", self.calling)
        grown = int(said["grown"])
        if times > 1:  # a process can also allocate memory without the C library
            grown = max(grown, self._mapped_bytes() - mapped_before)
        self.take(placed, memory)
        self._alone()
        around = tuple(int(n) for n in said.get("around", ()))
        return Ran(int(said["status"]), around, grown, bool(said["sound"]))

    def _alone(self) -> None:
        """Check that no thread or process of the candidate still runs after a call."""
        until = perf_counter() + ENDING  # for a moment, joined threads remain visible
        while (tasks := self.tasks()) > self.threads:
            if perf_counter() > until:
                left = tasks - self.threads
                raise Failed("threads", f"threads or processes left after a call: {left}")
            sleep(0.001)

    def worked(self) -> float:
        """Return the processor time in seconds of all threads, and of children that have ended."""
        pid = self._process.pid
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        return clock_gettime(~pid << 3 | 2) + ended  # Linux's clock of another process

    def _mapped_bytes(self) -> int:
        fields = Path(f"/proc/{self._process.pid}/statm").read_text().split()
        return int(fields[5]) * PAGE

    def put(self, placed: Sequence[Any], memory: Sequence[Any]) -> None:
        """Copy tensors to the memory that the candidate uses."""
        for to, of in zip(flat(placed), flat(memory)):
            if to is not None:
                self.whole[to.at : to.at + to.size] = _bytes(of)

    def take(self, placed: Sequence[Any], memory: Sequence[Any]) -> None:
        """Copy tensors back from the memory that the candidate uses."""
        for of, to in zip(flat(placed), flat(memory)):
            if of is not None and not of.gap:
                to.whole[:] = self.whole[of.at : of.at + of.size]

    def sample(self, seconds: float) -> float:
        """Make all kept calls once, and return the time in seconds.

        Threads on several processors save no time: the result is at least the processor time.
        """
        begun, worked = perf_counter(), self.worked()
        said = self.ask(None, "speed", seconds)
        taken = max(perf_counter() - begun, self.worked() - worked)
        if int(said["status"]) != 0:
            raise Failed("speed", f"a timed call returns {said['status']}")
        self._alone()
        return taken

    def together(self, seconds: float) -> None:
        """Run the prepared calls repeatedly, each on its own thread."""
        said = self.ask(TOGETHER, "threads", seconds)
        if int(said["status"]) != 0:
            raise Failed("threads", f"a call returns {said['status']}")
        self._alone()

    def ask(self, request: object, level: str, seconds: float) -> dict[str, Any]:
        """Send a request and return the answer.

        Raises `Failed` if there is no valid answer within `seconds`. The candidate then fails the
        level `level`, for example if it raised an error.
        """
        assert self._process.stdin is not None
        try:
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()
            line = self._line(perf_counter() + seconds)
        except BrokenPipeError:
            line = b""
        if line is None:
            self.close()
            raise Failed(level, f"no answer within {seconds:g} s")
        if not line:
            self._ended(level)
        try:
            said = json.loads(line)
            problem = said.get("wrong") or said.get("raised")
            said["status"] = int(said.get("status", 0))
            said.setdefault("grown", 0)
            said.setdefault("sound", True)
        except (ValueError, AttributeError, TypeError):
            raise Failed(level, "it answers in place of its process") from None
        if problem:
            raise Failed(level, str(problem))
        return dict(said)

    def _line(self, end: float) -> bytes | None:
        """Return the next line, b"" if the process has ended, or None if `end` has passed."""
        assert self._process.stdout is not None
        out = self._process.stdout.fileno()
        while b"\n" not in self._left:
            left = end - perf_counter()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                return None
            if not (more := os.read(out, 2**16)):
                return b""
            self._left += more
        line, _, self._left = self._left.partition(b"\n")
        return line

    def _ended(self, level: str) -> None:
        code = self._process.wait()
        self._errors.seek(0)
        last = self._errors.read()[-300:].strip().splitlines()[-1:]
        said = f": {last[0]}" if last else ""
        self.close()
        if code < 0:
            where = level if level == "builds" else "memory"
            raise Failed(where, f"the process was ended by {Signals(-code).name}{said}")
        raise Failed(level, f"the process ended with {code}{said}")


def place(memory: Sequence[Any], at: int) -> tuple[list[Any], int]:
    """Place a call's tensors from `at` on. Return their positions, and the next free one."""
    end = at

    def one(of: Memory) -> Placed:
        nonlocal end
        begin, gap = end, of.whole.size == 0
        size = of.array.nbytes if gap else of.whole.size
        end += -(-size // 64) * 64
        array = np.ascontiguousarray(of.array) if gap else of.array
        first = 0 if gap else of.first
        return Placed(begin, size, first, array.shape, array.strides, array.dtype, gap)

    return mapped(one, memory), end


def _bytes(of: Memory) -> np.ndarray:
    if of.whole.size:
        return of.whole
    return np.ascontiguousarray(of.array).reshape(-1).view(np.uint8)
