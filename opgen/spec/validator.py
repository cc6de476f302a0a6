"""A validator of spec files that starts fast.

Importing pydantic and building the models takes longer than linting a spec. So opgen stores the
schema for pydantic_core as JSON in the user's cache folder. The file name depends on the version of
pydantic_core, and on the files of the models and of the targets that extend them.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from opgen.source.user_cache import cache_folder
from opgen.spec.extensions import model_files

MODELS = Path(__file__).with_name("models")
# The number of schemas to keep: several environments and checkouts share the folder.
KEPT = 8


@cache
def validator() -> Any:
    """Return the validator of a spec. On mistakes it raises pydantic_core's `ValidationError`."""
    from pydantic_core import SchemaError, SchemaValidator

    file = _file()
    if file is not None:
        try:
            return SchemaValidator(json.loads(file.read_bytes()))
        except (OSError, ValueError, TypeError, RecursionError, SchemaError):
            pass
    from opgen.spec.models.document import adapter, core_schema

    if file is not None:
        _keep(file, json.dumps(core_schema()))
    return adapter()


def _file() -> Path | None:
    """Return the schema file for this pydantic_core version and models; None without a cache."""
    from pydantic_core import __version__

    folder = cache_folder()
    if folder is None:
        return None
    key = hashlib.sha256(__version__.encode())
    for file in (*map(str, sorted(MODELS.parent.rglob("*.py"))), *model_files()):
        info = os.stat(file)
        key.update(f"\0{file}\0{info.st_mtime_ns}\0{info.st_size}".encode())
    return folder / f"models-{key.hexdigest()[:16]}.json"


def _keep(file: Path, text: str) -> None:
    """Write `file` atomically, if possible. Keep only the newest `KEPT` schemas in the folder."""
    try:
        others = sorted(file.parent.glob("models-*.json"), key=os.path.getmtime, reverse=True)
        for other in others[KEPT - 1 :]:
            other.unlink(missing_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "w") as temporary:
            temporary.write(text)
        os.replace(name, file)
    except OSError:
        return
