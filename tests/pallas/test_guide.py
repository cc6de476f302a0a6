"""The steps of docs/pallas.md work, from an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pallas.md").read_text()
FILES = re.findall(r"^```\w+ (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
(COMMANDS,) = re.findall(r"^```\n(opgen render\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_from_an_empty_folder(tmp_path: Path) -> None:
    assert sum(len(text.splitlines()) for _, text in FILES) == 30
    for name, text in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "program.py").write_text(PROGRAM)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    said = ""
    render, test = COMMANDS.splitlines()
    for command in (render, f"{test} -k 'pallas and 60x5'", "python program.py"):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        said += done.stdout
    assert re.search(r"\b[1-9]\d* passed", said)
