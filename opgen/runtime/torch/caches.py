"""This package's part of the keys of PyTorch's compilation caches.

Inductor and AOTAutograd know an op by its name alone, and their caches outlive the process:
without this part, code that was compiled for a former state of the package would run.
"""

from __future__ import annotations

import hashlib
from typing import Any

from torch.compiler import config

from ..core.project import FOLDER, NAMESPACE, PACKAGE_HASH


def _ejected() -> str:
    """The hash of the files that are their owner's to edit; empty where there are none."""
    if not (FOLDER / "EJECTED").is_file():
        return ""
    hashed = hashlib.sha256()
    for line in (FOLDER / "EJECTED").read_text().splitlines():
        file = FOLDER / line.partition("  ")[2]
        hashed.update(file.read_bytes() if file.is_file() else b"")
    return f"-{hashed.hexdigest()[:12]}"


TAG = f"{NAMESPACE}-{PACKAGE_HASH}{_ejected()}"


def salt() -> None:
    """Append this package's tag to the one that all keys hold, unless that has it.

    Each tracing calls this: a user may have set another tag since, or set one for this thread.
    """
    tag: str = config.cache_key_tag
    if TAG not in tag:
        config.cache_key_tag = f"{tag} {TAG}".lstrip()


def salt_all_threads() -> None:
    """Have new threads begin with a tag that has this package's part.

    A tag that is set holds for the thread that sets it, and backwards are compiled in others.
    """
    entry: Any = getattr(config, "_config", {}).get("cache_key_tag")
    if hasattr(entry, "env_value_default"):
        known = entry.env_value_default
        before = f"{known} " if isinstance(known, str) else ""
        entry.env_value_default = f"{before}{TAG}".lstrip()
    salt()


salt_all_threads()
