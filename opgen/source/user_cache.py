"""The folder of what opgen keeps for the user, and could make again."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """Folder of opgen's caches; None if it is not the user's alone.

    The folder is created, or made private, if the user owns it. opgen does not use one that others
    own or may write to.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME", "")
        # By XDG's rules, a path that is not absolute counts for nothing.
        folder = (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "opgen"
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if sys.platform == "win32":  # modes say nothing there, and a profile is its user's
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
