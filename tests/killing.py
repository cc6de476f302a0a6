"""Run code that writes files; kill it at one of its writes, or let the disk refuse that write.

An audit hook counts all changes in a folder: files that are opened for writing, renamed or removed,
and folders that are created or removed. Each write thus has a number, and no test depends on time.
A killed write leaves half a file. The process that imports opgen forks for each run.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any

# Number of writes to try for each command, in addition to one of each kind; 0 tries all of them.
MOST = int(os.environ.get("OPGEN_KILLS", "1"))
CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink")


@dataclass(frozen=True)
class Run:
    """A run: its exit code, its output, and its writes.

    The last item of `writes` is the write that was killed or refused.
    """

    code: int
    said: str
    writes: list[str]


class Runner:
    """Runs code in subfolders of `folder`; only writes below `folder` count."""

    def __init__(self, folder: Path, cache: Path) -> None:
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def close(self) -> None:
        self.process.communicate()

    def run(self, code: str, at: int | None = None, how: str = "") -> Run:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([code, at, how]) + "\n")
        self.process.stdin.flush()
        return Run(**json.loads(self.process.stdout.readline()))

    def hits(self, code: str, how: str, fresh: Callable[[], object]) -> Iterator[Run]:
        """Yield runs of `code`, each of which is killed or refused at a different write.

        `fresh()` resets the folder before each run. Every kind of write is hit. Fails if the code
        writes nothing.
        """
        fresh()
        whole = self.run(code, None, how)
        assert whole.code == 0, whole.said
        count, hit = len(whole.writes), Counter[str]()
        first = {kind_of(write): n for n, write in reversed([*enumerate(whole.writes)])}
        spread = {round((n + 1) * (count - 1) / MOST) for n in range(MOST)}
        tried = {*first.values(), *spread} & {*range(count)} if MOST else range(count)
        for n in sorted(tried):
            fresh()
            run = self.run(code, n, how)
            assert len(run.writes) == n + 1, f"not hit at write {n}: {run}"
            hit[kind_of(run.writes[-1])] += 1
            yield run
        assert hit, f"nothing was hit: {code} writes nothing"
        assert hit.keys() == first.keys()


def kind_of(write: str) -> str:
    return write.partition(" ")[0]


def main(arguments: list[str]) -> int:
    from opgen.cli.main import main

    return main(arguments)


def without_locks(code: int, folders: list[Path]) -> int:
    """Hold folders while `flock` raises `code`, as it does on some file systems."""
    import fcntl

    from opgen.source.lock import locked

    def flock(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    fcntl.flock = flock
    for folder in folders:
        with locked(folder) as held:
            assert held
    return 0


def build() -> int:
    """Build `generated` without a framework."""
    from opgen.build.cmake import BuildError, build
    from opgen.build.frameworks import Frameworks
    from opgen.spec.config import Config

    none = Frameworks(*[""] * len(fields(Frameworks)))
    try:
        build(Config(Path()), Path("generated"), frameworks=none, say=lambda text: None)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def variant() -> int:
    """Write the files of one build into a folder for the Hugging Face Hub."""
    from opgen.package.hub import _variant
    from opgen.package.metadata import Metadata

    files = {"__init__.py": b"import torch\n" * 9, "lib/libx.so": b"code" * 99}
    described = Metadata("", "x", "1", "MIT", (), (), ())
    _variant(Path("build/cpu"), files, described, 1, {"type": "cpu"}, [])
    return 0


def placed() -> int:
    """Put a wheel into the folder `dist`, like `opgen package`."""
    from opgen.package.wheel import place

    place(Path(__file__), Path("dist"))
    return 0


def tuned() -> int:
    """Write a table of tuned values, like `opgen tune`."""
    from opgen.bench.tune_command import put, table_text

    put(Path("tuned/cpu.json"), table_text("cpu", "cpu", {}))
    return 0


def _serve(folder: str) -> None:
    import opgen.build.cmake
    import opgen.cli.commands
    import opgen.cli.render
    import opgen.compiler.pipeline
    import opgen.output.compile
    import opgen.output.write  # noqa: F401

    for line in sys.stdin:
        code, at, how = json.loads(line)
        with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as writes:
            process = os.fork()
            if not process:
                _work(folder, code, at, how, said, writes)
            _, status = os.waitpid(process, 0)
            for file in (said, writes):
                file.seek(0)
            answer = {
                "code": os.waitstatus_to_exitcode(status),
                "said": said.read(),
                "writes": writes.read().splitlines(),
            }
        print(json.dumps(answer), flush=True)


def _work(folder: str, code: str, at: int | None, how: str, said: IO[str], writes: IO[str]) -> None:
    """Run `code` in this process, which then exits."""
    result = 1
    try:
        os.chdir(folder)
        for stream in (1, 2):
            os.dup2(said.fileno(), stream)
        sys.stdin = open(os.devnull)
        sys.stdout = open(1, "w", closefd=False)
        sys.stderr = open(2, "w", closefd=False)
        sys.addaudithook(_Hook(folder, at, how, writes))
        result = eval(code, globals())
    except BaseException as error:
        os.write(2, f"{error!r}\n".encode())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(result)


class _Hook:
    def __init__(self, folder: str, at: int | None, how: str, writes: IO[str]) -> None:
        self.folder, self.at, self.how, self.writes = folder, at, how, writes.fileno()
        self.count, self.off = 0, False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in CHANGES or self.off or not isinstance(arguments[0], (str, bytes)):
            return
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
            return
        place = os.fsdecode(arguments[1 if event == "os.rename" else 0])
        path = os.path.relpath(os.path.join(os.getcwd(), place), self.folder)
        if path.startswith("..") or "__pycache__" in path:
            return
        if event == "os.mkdir" and os.path.isdir(place):
            return
        if event == "os.rmdir" and self.how == "refuse":  # removing an empty folder may fail
            return
        os.write(self.writes, f"{event.removeprefix('os.')} {path}\n".encode())
        if self.count == self.at:
            self.off = True
            if self.how == "refuse":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if event == "open":
                with open(place, "wb") as file:
                    file.write(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1


if __name__ == "__main__":
    _serve(sys.argv[1])
