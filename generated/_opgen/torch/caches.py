"""Add this package's hash to the keys of PyTorch's compilation caches.

Inductor and AOTAutograd identify an op by its name alone, and their caches outlive the process.
Without the hash, PyTorch would run code compiled for an older version of the package.
"""

from __future__ import annotations

import hashlib
from typing import Any

from torch.compiler import config

from ..core.project import FOLDER, NAMESPACE, PACKAGE_HASH


def _ejected() -> str:
    """Return the hash of the files that users may edit after `opgen eject`, or "" if there are
    none.
    """
    if not (FOLDER / "EJECTED").is_file():
        return ""
    hashed = hashlib.sha256()
    for line in (FOLDER / "EJECTED").read_text().splitlines():
        file = FOLDER / line.partition("  ")[2]
        hashed.update(file.read_bytes() if file.is_file() else b"")
    return f"-{hashed.hexdigest()[:12]}"


TAG = f"{NAMESPACE}-{PACKAGE_HASH}{_ejected()}"


def salt() -> None:
    """Append this package's tag to PyTorch's `cache_key_tag`, unless the key already contains the
    tag.

    Every trace calls this function, because a user may set another `cache_key_tag` at any time, or
    for one thread.
    """
    tag: str = config.cache_key_tag
    if TAG not in tag:
        config.cache_key_tag = f"{tag} {TAG}".lstrip()


def salt_all_threads() -> None:
    """Append this package's tag to the `cache_key_tag` of this thread and of new threads.

    A `cache_key_tag` applies to the thread that sets it, and PyTorch compiles backwards in other
    threads.
    """
    entry: Any = getattr(config, "_config", {}).get("cache_key_tag")
    if hasattr(entry, "env_value_default"):
        known = entry.env_value_default
        before = f"{known} " if isinstance(known, str) else ""
        entry.env_value_default = f"{before}{TAG}".lstrip()
    salt()


salt_all_threads()
