"""Test the code blocks of the README and the pages: they run, and excerpts match their files.

A Python block that names no file is a program. The blocks of one page run in order and share a
namespace. A TOML block that starts with `spec =` and names no file is linted.

All pages run in one process, in the repository's root folder, with eight JAX devices on the CPU.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from opgen.compiler.pipeline import examine

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            *(
                "benchmarks",
                "cpp-api",
                "editor",
                "gallery",
                "jax",
                "neuron",
                "pytorch",
                "questions",
            ),
            *("spec-language", "tuning", "why-not-by-hand"),
        )
    ),
    *sorted(
        page
        for folder in ("language", "tutorials", "howto", "migrate")
        for page in (ROOT / "docs" / folder).glob("*.md")
    ),
]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
ELISION = re.compile(r"^[ \t]*(?:#|//)? ?\.\.\.[ \t]*\n", re.M)


class Block(NamedTuple):
    """A fenced code block. A block that names a file is an excerpt of that file."""

    page: str
    language: str
    file: str
    text: str


BLOCKS = [
    Block(page.relative_to(ROOT).as_posix(), *match)
    for page in PAGES
    for match in BLOCK.findall(page.read_text())
]
EXCERPTS = [block for block in BLOCKS if block.file]
PROGRAMS = [block for block in BLOCKS if block.language == "python" and not block.file]
SPECS = [block for block in BLOCKS if block.language == "toml" and block.text.startswith("spec =")]
WITH_PROGRAMS = sorted({block.page for block in PROGRAMS})
# Runs the programs of pages, each block separately, so that a traceback names the page and line.
RUNNER = """
import json, sys, traceback
errors = {}
for page, blocks in json.load(sys.stdin):
    names = {"__name__": "__main__"}
    try:
        for text, line in blocks:
            exec(compile("\\n" * line + text, page, "exec"), names)
    except BaseException:
        errors[page] = traceback.format_exc()
json.dump(errors, open(sys.argv[1], "w"))
"""


def named(block: Block) -> str:
    return f"{block.page}:{block.file or block.text.split(chr(10))[0]}"


def test_there_is_something_to_check() -> None:
    assert len(PROGRAMS) >= 20 and len(EXCERPTS) >= 50 and SPECS


def test_figures_of_the_readme() -> None:
    """The line counts in the README, of specs and of rendered files, are right to within 10 %."""
    text = (ROOT / "README.md").read_text()
    found = re.search(r"([\d,]+) lines of TOML become ([\d,]+) lines of generated", text)
    assert found is not None
    said = [int(number.replace(",", "")) for number in found.groups()]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "generated"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode or not listed.stdout:
        pytest.skip("no checkout of git")
    rendered = [ROOT / name for name in listed.stdout.split("\0") if name]
    files = [*ROOT.glob("specs/*.toml")], [path for path in rendered if path.exists()]
    lines = [sum(path.read_text().count("\n") for path in paths) for paths in files]
    assert all(0.9 * n <= m <= 1.1 * n for n, m in zip(said, lines, strict=True)), lines


@pytest.mark.parametrize("block", EXCERPTS, ids=named)
def test_excerpt_is_true(block: Block) -> None:
    """The pieces of an excerpt, separated by lines of `...`, occur in the file in this order."""
    text = (ROOT / block.file).read_text()
    at = 0
    for piece in filter(str.strip, ELISION.split(block.text)):
        found = text.find(piece.strip("\n"), at)
        assert found >= 0, f"{block.file} does not hold, after offset {at}:\n{piece}"
        at = found + len(piece)


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run the programs of all pages, and return the errors of each page."""
    found = tmp_path_factory.mktemp("blocks") / "errors.json"
    pages = [
        (page, [(b.text, _line(page, b.text)) for b in PROGRAMS if b.page == page])
        for page in WITH_PROGRAMS
    ]
    devices = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, str(found)],
        cwd=ROOT,
        env={**os.environ, **devices},
        input=json.dumps(pages),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, str] = json.loads(found.read_text())
    return result


def _line(page: str, text: str) -> int:
    source = (ROOT / page).read_text()
    return source[: source.index(text)].count("\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_PROGRAMS)
def test_programs_of_a_page_run(page: str, errors: dict[str, str]) -> None:
    assert page not in errors, errors[page]


@pytest.mark.parametrize("block", SPECS, ids=named)
def test_spec_lints(block: Block, tmp_path: Path) -> None:
    """The spec in a block lints clean. The Python references that it names are not checked."""
    file = tmp_path / "example.toml"
    file.write_text(block.text)
    found = [d for d in examine([file])[1] if d.rule != "OG030"]
    assert found == []
