"""Keep compiled Jinja templates in `__pycache__`, where Python keeps compiled modules."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from importlib.util import cache_from_source
from pickle import UnpicklingError

from jinja2 import BytecodeCache, __version__
from jinja2.bccache import Bucket

# The errors from a file that cannot be read or written, or whose contents are incomplete.
_UNUSABLE = (OSError, ValueError, EOFError, NotImplementedError, UnpicklingError)


class CompiledTemplates(BytecodeCache):
    """The cache of compiled templates. `options` are the options of the Jinja environment."""

    def __init__(self, options: str) -> None:
        self.options = options

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return filename or name

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(f"{__version__}\0{self.options}\0{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(*_UNUSABLE), open(cache_from_source(bucket.key), "rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        with suppress(*_UNUSABLE):
            place = cache_from_source(bucket.key)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=os.path.dirname(place))
            with os.fdopen(handle, "wb") as file:
                bucket.write_bytecode(file)
            os.replace(draft, place)
