"""The commit that is packaged."""

from __future__ import annotations

import subprocess
from pathlib import Path

# 1980-01-01
OLDEST = "315532800"


def source_date(root: Path | None = None) -> str:
    """Return the date of the package in seconds: its commit date, or the oldest date in a zip file."""
    return (git(root, "log", "-1", "--format=%ct") if root else "") or OLDEST


def git(root: Path, *arguments: str) -> str:
    """Return the output of git, or an empty string without git or a repository."""
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
