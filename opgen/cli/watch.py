"""`opgen render` and the option `--watch`: repeat a command whenever its sources change."""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any, NoReturn

from opgen.cli import render as rendering
from opgen.cli.console import say
from opgen.compiler.discovery import shown
from opgen.source.failure import Failure
from opgen.spec.config import load_config

INTERVAL = 0.3
# The starts of the names of files and folders that are not watched.
_HIDDEN = (".", "__")
Stamps = dict[str, tuple[int, int]]


def render(paths: Sequence[Path], watch: bool, check: bool, diff: bool, **options: Any) -> int:
    """Render the project's specs, once or until interrupted."""
    if not watch:
        return rendering.render(paths, check=check, diff=diff, **options)
    if check or diff:
        raise Failure("`--watch` writes what it renders: leave `--check` and `--diff` out")
    repeat(paths, lambda: rendering.render(paths, check=False, diff=False, **options))


def repeat(paths: Sequence[Path], run: Callable[[], object]) -> NoReturn:
    """Run a command now and whenever the project's sources change, until interrupted."""
    watched = _watched(paths)
    say(f"watching {', '.join(str(shown(path)) for path in watched)}; Ctrl-C ends it")
    before: Stamps | None = None
    with _interruptible() as interrupted:
        while not interrupted.is_set():
            now = _stamps(_watched(paths))
            if now != before and now == _settled(paths):
                changed = {path for path, _ in now.items() ^ before.items()} if before else ()
                if changed:
                    names = ", ".join(str(shown(Path(path))) for path in sorted(changed))
                    say(f"changed: {names}")
                _tolerant(run)
                before = now
            sleep(INTERVAL)
    raise KeyboardInterrupt


@contextmanager
def _interruptible() -> Iterator[Event]:
    """Yield an event that is set when the user presses Ctrl-C.

    Ctrl-C also raises KeyboardInterrupt, but Python drops the exception if it occurs in a
    finalizer.
    """
    interrupted = Event()

    def interrupt(*_: object) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _tolerant(run: Callable[[], object]) -> None:
    """Run the command once. Report a failure without raising it, because the user can fix it."""
    try:
        run()
    except Failure as failure:
        say(str(failure))
    sys.stdout.flush()


def _watched(paths: Sequence[Path]) -> list[Path]:
    """Return the files and folders to watch: specs, kernels, tuning tables and pyproject.toml."""
    config, _, _ = load_config(paths[0] if paths else Path())
    places = [*paths] or [config.specs_dir]
    tables = [config.tables_dir] if config.tables_dir.is_dir() else []
    return [*places, config.kernels_dir, *tables, config.root / "pyproject.toml"]


def _settled(paths: Sequence[Path]) -> Stamps:
    """Wait briefly, because an editor may still be writing. Then return the modification times."""
    sleep(INTERVAL / 10)
    return _stamps(_watched(paths))


def _stamps(places: Sequence[Path]) -> Stamps:
    found = {}
    for file in (file for place in places for file in _files(place)):
        try:
            info = os.stat(file)
        except OSError:  # the file was removed in the meantime
            continue
        if stat.S_ISREG(info.st_mode):
            found[file] = info.st_mtime_ns, info.st_size
    return found


def _files(place: Path) -> Iterator[str]:
    """Yield a file, or the files in a folder and its subfolders except hidden ones."""
    if not place.is_dir():
        yield str(place)
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
        yield from (f"{folder}/{name}" for name in files if not name.startswith(_HIDDEN))
