"""The folder of opgen's caches for a user. If files are deleted, opgen creates them again."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """Return the folder of opgen's caches, or None if the folder cannot be trusted.

    opgen creates the folder, or makes it private if the user owns it. opgen does not trust a folder
    that belongs to another user or to which other users may write.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME", "")
        # The XDG specification says to ignore a path that is not absolute.
        folder = (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "opgen"
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if sys.platform == "win32":  # Windows has no file modes, and the user's profile is private
            return folder
        info = folder.stat()
        if {info.st_uid, folder.lstat().st_uid} != {os.geteuid()}:
            return None
        if not stat.S_ISDIR(info.st_mode) or info.st_mode & 0o022:
            return None
        if info.st_mode & 0o055:
            folder.chmod(0o700)
    except (OSError, RuntimeError):
        return None
    return folder
