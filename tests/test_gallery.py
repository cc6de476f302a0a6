"""The ops of `examples/gallery` build, run in both frameworks, and are shown in docs/gallery.md."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "examples" / "gallery"
OPS = sorted(path.stem for path in (GALLERY / "specs").glob("*.toml"))


def test_the_page_shows_every_op() -> None:
    page = (ROOT / "docs/gallery.md").read_text()
    for folder, suffix in (("specs", "toml"), ("specs", "py"), ("kernels", "cpp")):
        shown = re.findall(rf"literalinclude}} \S*/{folder}/\S*?(\w+)\.{suffix}$", page, re.M)
        assert sorted(shown) == OPS, suffix


@pytest.mark.slow  # compiles ten ops
def test_every_op_runs(tmp_path: Path) -> None:
    folder = tmp_path / "gallery"
    ignored = shutil.ignore_patterns("gallery_ops", "build", ".opgen", "__pycache__")
    shutil.copytree(GALLERY, folder, ignore=ignored)
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
        "OPGEN_UNITY": "1",  # ten adapters in one compilation
    }
    tests = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:xdist",
        "gallery_ops/tests",
        "-k",
        "hostile or values or gradients",
    )
    for command in (("-m", "opgen", "render"), ("-m", "opgen", "build"), ("gallery.py",), tests):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
