"""The README's examples run, and what it quotes from files stands in them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
ELISION = re.compile(r"^[ \t]*(?:#|//)? ?\.\.\.[ \t]*\n", re.M)


class Block(NamedTuple):
    """A fenced block. One that names a file is an excerpt of it."""

    language: str
    file: str
    text: str


BLOCKS = [Block(*match) for match in BLOCK.findall((ROOT / "README.md").read_text())]
EXCERPTS = [block for block in BLOCKS if block.file]
PROGRAMS = [block for block in BLOCKS if block.language == "python" and not block.file]


def test_there_is_something_to_check() -> None:
    assert len(PROGRAMS) >= 2 and len(EXCERPTS) >= 3


@pytest.mark.parametrize("block", EXCERPTS, ids=lambda block: block.file)
def test_excerpt_is_true(block: Block) -> None:
    """Its pieces, between lines of `...`, stand in the file in this order."""
    text = (ROOT / block.file).read_text()
    at = 0
    for piece in filter(str.strip, ELISION.split(block.text)):
        found = text.find(piece.strip("\n"), at)
        assert found >= 0, f"{block.file} does not hold, after offset {at}:\n{piece}"
        at = found + len(piece)


@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: block.text.split("\n")[0])
def test_program_runs(block: Block) -> None:
    command = [sys.executable, "-c", block.text]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
