"""The commit that is packaged."""

from __future__ import annotations

import subprocess
from pathlib import Path

# 1980-01-01
OLDEST = "315532800"


def source_date(root: Path | None = None) -> str:
    """The date of what is packaged, in seconds: that of its commit, or the oldest of a zip file."""
    return (git(root, "log", "-1", "--format=%ct") if root else "") or OLDEST


def git(root: Path, *arguments: str) -> str:
    """The output of git; empty without git or a repository."""
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
