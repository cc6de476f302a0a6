"""Test `opgen render --watch` and `opgen lint --watch`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from opgen.cli import render as rendering
from opgen.cli.main import main


class Watch:
    """A running command with `--watch`; its output goes to the file `said`."""

    def __init__(self, folder: Path, name: str = "render") -> None:
        self.said = folder / "said.txt"
        with self.said.open("w") as file:
            command = [sys.executable, "-m", "opgen", name, "--watch"]
            self.process = subprocess.Popen(command, cwd=folder, stdout=file, stderr=file)

    def until(self, text: str, times: int = 1) -> None:
        """Wait until `text` has appeared `times` times in the output."""
        end = monotonic() + 60
        while self.said.read_text().count(text) < times:
            assert self.process.poll() is None and monotonic() < end, self.said.read_text()
            sleep(0.05)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "acme_ops"]) == 0
    return tmp_path


@pytest.fixture
def watch(project: Path) -> Iterator[Watch]:
    running = Watch(project)
    try:
        yield running
    finally:
        running.process.terminate()
        running.process.wait()


def replace(file: Path, old: str, new: str) -> None:
    """Change a file like an editor: write a temporary file, then rename it."""
    text = file.read_text()
    assert old in text
    draft = file.with_name(f".{file.name}.swp")
    draft.write_text(text.replace(old, new))
    os.replace(draft, file)


def test_what_has_changed_is_rendered(project: Path, watch: Watch) -> None:
    """A change is rendered. A mistake is reported, and the next change is rendered again."""
    watch.until("watching specs, kernels, pyproject.toml; Ctrl-C ends it")
    watch.until(" written, 0 removed")
    spec = project / "specs/scaled_square.toml"
    replace(spec, "default = 1.0", "default = 2.0")
    watch.until("changed: specs/scaled_square.toml")
    watch.until("0 removed", times=2)
    assert "scale: float = 2.0" in (project / "acme_ops/torch/_scaled_square.py").read_text()
    replace(spec, 'dtype = "T"', 'dtype = "U"')
    watch.until("OG")
    assert "scale: float = 2.0" in (project / "acme_ops/torch/_scaled_square.py").read_text()
    replace(spec, 'dtype = "U"', 'dtype = "T"')
    watch.until("0 removed", times=3)
    spec.rename(project / "specs/renamed.txt")
    watch.until("changed: specs/renamed.txt, specs/scaled_square.toml")
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(timeout=30) == 130
    assert "Traceback" not in watch.said.read_text()


def test_what_has_changed_is_checked(project: Path) -> None:
    watch = Watch(project, "lint")
    try:
        watch.until("all good")
        spec = project / "specs/scaled_square.toml"
        replace(spec, 'shape = "*s"', 'shpe = "*s"')
        watch.until("did you mean `shape`?")
        replace(spec, 'shpe = "*s"', 'shape = "*s"')
        watch.until("all good", times=2)
        assert not (project / "acme_ops").exists()
    finally:
        watch.process.terminate()
        watch.process.wait()


def test_watching_changes_no_spec(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--watch", "--fix"]) == 2
    assert "`--watch` changes no spec" in capsys.readouterr().err


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    try:
        watch.until("there is no project here: `opgen init` creates one")
    finally:
        watch.process.terminate()
        watch.process.wait()


def test_an_interrupt_that_python_drops_ends_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt ends the command even if Python drops it.

    In a finalizer, Python only prints the exception.
    """

    def interrupted(*_: object, **__: object) -> int:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return 0

    monkeypatch.setattr(rendering, "render", interrupted)
    assert main(["render", "--watch"]) == 130


@pytest.mark.parametrize("other", ["--check", "--diff"])
def test_it_writes(project: Path, capsys: pytest.CaptureFixture[str], other: str) -> None:
    assert main(["render", "--watch", other]) == 2
    assert "`--watch` writes what it renders: leave" in capsys.readouterr().err
