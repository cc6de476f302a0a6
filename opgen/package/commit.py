"""The git commit of the project that opgen packages."""

from __future__ import annotations

import subprocess
from pathlib import Path

# 1980-01-01, in seconds since 1970
OLDEST = "315532800"


def source_date(root: Path | None = None) -> str:
    """Return the date for all files in the package, in seconds since 1970.

    This is the date of the project's last commit. Without a commit, it is 1980, the first year that
    zip files support.
    """
    return (git(root, "log", "-1", "--format=%ct") if root else "") or OLDEST


def git(root: Path, *arguments: str) -> str:
    """Return the output of git, or "" if git is not installed or `root` is not in a repository."""
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
