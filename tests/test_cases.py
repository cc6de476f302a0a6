"""Golden cases: each folder of `cases/` is a project with a command line and the expected results.

`args.txt` holds the command line (default: `render --target core`). `stdout.txt`, `stderr.txt` and
`code.txt` hold the expected output and exit code (default: no output, 0). `expected/` holds the
expected rendered files. If there is a `golden.txt`, only files that match one of its patterns are
compared. The files of `cases/language` show all of 394 planted mistakes that the files of all its
ops show. All other files in the folder are the project. Instead, `project.txt` may name a project
by its path from the root. `OPGEN_UPDATE_GOLDEN=1` writes the actual results as the expected ones.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from fnmatch import fnmatch
from pathlib import Path

import pytest

from opgen.cli.main import main

CASES = Path(__file__).parent / "cases"
ROOT = Path(__file__).parents[1]
UPDATE = os.environ.get("OPGEN_UPDATE_GOLDEN") == "1"
GOLDEN = ("stdout.txt", "stderr.txt", "code.txt")
NOT_PROJECT = shutil.ignore_patterns(
    "args.txt", "golden.txt", "expected", "build", "language_ops", ".opgen", *GOLDEN
)


# A package's hash changes with any line of opgen's runtime.
HASH = re.compile(r'(?<=^PACKAGE_HASH = ")[0-9a-f]{12}', re.M)


def files_below(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): HASH.sub("HASH", path.read_text())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("case", sorted(p.name for p in CASES.iterdir()))
def test_case(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = CASES / case
    elsewhere = folder / "project.txt"
    source = ROOT / elsewhere.read_text().strip() if elsewhere.exists() else folder
    project = shutil.copytree(source, tmp_path / "project", ignore=NOT_PROJECT)
    before = files_below(project)
    monkeypatch.chdir(project)
    args = folder / "args.txt"
    line = args.read_text() if args.exists() else "render --target core"
    code = main(shlex.split(line))
    printed = capsys.readouterr()
    said = re.sub(r"\d+ files in (\S+): \d+ written", r"... in \1: ... written", printed.err)
    outcome = dict(zip(GOLDEN, (printed.out, said, f"{code}\n" if code else "")))
    golden = folder / "golden.txt"
    patterns = golden.read_text().split() if golden.exists() else ["*"]
    rendered = {
        path: text
        for path, text in files_below(project).items()
        if path not in before and any(fnmatch(path, each) for each in patterns)
    }
    outcome |= {f"expected/{path}": text for path, text in rendered.items()}
    expected = {
        p: t for p, t in files_below(folder).items() if p.startswith(("expected/", *GOLDEN))
    }
    if UPDATE:
        shutil.rmtree(folder / "expected", ignore_errors=True)
        for path, text in {**dict.fromkeys(expected, ""), **outcome}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text) if text else (folder / path).unlink(missing_ok=True)
        return
    assert expected == {path: text for path, text in outcome.items() if text}
